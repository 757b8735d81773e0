"""The OpenAPI document, which is made from the code, stored as docs/openapi.json, and served from that file.

`make openapi` writes the file; a test compares it with the code. Pages and programs get the file, so that everybody
reads the reviewed text. It is the same in every language and on every machine.
"""

from __future__ import annotations

import hashlib
import json
from functools import lru_cache
from pathlib import Path
from typing import Any

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.utils import translation
from django.views.decorators.http import condition, require_safe
from drf_spectacular.drainage import GENERATOR_STATS
from drf_spectacular.generators import SchemaGenerator
from drf_spectacular.renderers import OpenApiJsonRenderer

PATH: Path = settings.BASE_DIR / "docs" / "openapi.json"


def made() -> str:
    """Return the document that the present code gives, in English, as the text for the file. Nothing is written."""
    with translation.override("en"), GENERATOR_STATS.silence():
        found = SchemaGenerator().get_schema(request=None, public=True)
    plain = json.loads(OpenApiJsonRenderer().render(found, renderer_context={}))
    return json.dumps(plain, indent=1, ensure_ascii=False) + "\n"


def stored_text() -> str:
    """Return the text of the file, read again only when the file changes."""
    return _read(PATH.stat().st_mtime_ns)


def stored() -> dict[str, Any]:
    """Return the parsed document of the file. Do not change it: all callers share it until the file changes."""
    return _parsed(PATH.stat().st_mtime_ns)


@lru_cache(maxsize=1)
def _read(_written: int) -> str:
    return PATH.read_text(encoding="utf-8")


@lru_cache(maxsize=1)
def _parsed(written: int) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(_read(written))
    return found


@lru_cache(maxsize=1)
def _tag(written: int) -> str:
    return f'"{hashlib.sha256(_read(written).encode()).hexdigest()[:32]}"'


def _etag(request: HttpRequest) -> str:
    return _tag(PATH.stat().st_mtime_ns)


@require_safe
@condition(etag_func=_etag)
def openapi(request: HttpRequest) -> HttpResponse:
    """Send the document as JSON, the same for everybody; 304 when the client has it already."""
    answer = HttpResponse(stored_text(), content_type="application/json")
    answer.headers["Cache-Control"] = "public, no-cache"
    return answer
