"""Requests that are read as UTF-8, whichever Python codec they name; for both kinds of server.

Django decodes forms and queries by the charset that Content-Type names, and parameters of headers by the charset that
they name themselves (`name*=charset''text`, RFC 2231), both before any middleware. But some of Python's codecs raise,
some unpack a few bytes into very many, and the time of punycode grows with the square of the length.
"""

from __future__ import annotations

from collections.abc import MutableMapping
from typing import Any

from django.core.handlers.asgi import ASGIHandler, ASGIRequest
from django.core.handlers.wsgi import WSGIHandler, WSGIRequest
from django.http import HttpRequest
from django.http.multipartparser import MultiPartParserError
from django.utils.http import parse_header_parameters

UTF_8 = "utf-8"
_EVERYWHERE = dict.fromkeys(("utf8", "ascii", "usascii"), UTF_8)
_IN_JSON = {
    "utf16": "utf-16",
    "utf16le": "utf-16-le",
    "utf16be": "utf-16-be",
    "utf32": "utf-32",
    "utf32le": "utf-32-le",
    "utf32be": "utf-32-be",
}
"""Charsets that the interface for programs also reads. The keys leave out hyphens, as names come with and without."""


def charset_of(request: HttpRequest) -> str | None:
    """Return the charset of a request's body by Python's name: UTF-8 if it names none, None for one we do not read."""
    named = charset_named(request).lower().replace("-", "").replace("_", "") or "utf8"
    is_json = request.path.startswith("/api/") and request.content_type == "application/json"
    return _EVERYWHERE.get(named) or (_IN_JSON.get(named) if is_json else None)


def charset_named(request: HttpRequest) -> str:
    """Return the charset as Content-Type writes it; empty if it names none."""
    return (request.content_params or {}).get("charset", "").strip()


def is_extended(line: str) -> bool:
    """Return whether a header's line may hold a parameter in a charset of its own: only such a parameter has a star."""
    return "*" in line


class _ReadAsUTF8(HttpRequest):
    """A request whose `encoding` stays None, which means UTF-8. `charset_of` looks at what the headers name."""

    def _set_content_type_params(self, meta: MutableMapping[str, Any]) -> None:
        """Read Content-Type, and drop an Accept header that has a parameter in a charset of its own.

        Django calls this while it makes a request, before anything else looks at the headers.
        """
        line = meta.get("CONTENT_TYPE", "")
        self.content_type, self.content_params = ("", {}) if is_extended(line) else parse_header_parameters(line)
        accepted = meta.get("HTTP_ACCEPT", "").split(",")
        if any(is_extended(parameters) for _, _, parameters in (part.partition(";") for part in accepted)):
            del meta["HTTP_ACCEPT"]  # a wish that a server may leave aside (RFC 9110, 12.5.1)

    def parse_file_upload(self, META: Any, post_data: Any) -> Any:  # noqa: N803 - Django's own name
        """Parse an upload. Raises MultiPartParserError for a part whose header mixes `name*` and `name*0`."""
        try:
            return super().parse_file_upload(META, post_data)
        except TypeError as problem:
            raise MultiPartParserError("the header of a part") from problem


class _WSGIRequest(_ReadAsUTF8, WSGIRequest):
    pass


class _ASGIRequest(_ReadAsUTF8, ASGIRequest):
    pass


class UTF8WSGIHandler(WSGIHandler):
    request_class = _WSGIRequest


class UTF8ASGIHandler(ASGIHandler):
    request_class = _ASGIRequest
