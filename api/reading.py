"""Reading the JSON of a request: whatever was sent, it is read or refused (400), and never a crash or a guess."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from rest_framework.exceptions import ParseError
from rest_framework.parsers import JSONParser
from rest_framework.utils.json import strict_constant

from web.utf8 import UTF_8, charset_of

DEEPEST = 100
"""Levels of a document; ours have about ten, and what comes after reading bears several hundred."""


class SoundJSONParser(JSONParser):
    """Refuses what the standard reader takes and nothing after it could bear: deep nests, and halves of letters.

    A name that is given twice is refused too: one of its values would be dropped in silence.
    """

    def parse(self, stream: Any, media_type: str | None = None, parser_context: Mapping[str, Any] | None = None) -> Any:
        """Return the document. Raises ParseError."""
        try:
            request = (parser_context or {})["request"]._request
            # What is not read here was refused before (CharsetMiddleware).
            text = str(stream.read(), charset_of(request) or UTF_8)
            found = json.loads(text, parse_constant=strict_constant, object_pairs_hook=_named_once)
            if depth_of(found) > DEEPEST:
                raise ParseError("nested too deeply")
            # It is written again in answers and in the database, as text in UTF-8; half a surrogate pair cannot be.
            json.dumps(found, ensure_ascii=False).encode()
        except (RecursionError, ValueError) as problem:
            raise ParseError("JSON that cannot be read") from problem
        return found


def _named_once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        raise ValueError("a name is given twice")
    return found


def depth_of(document: Any) -> int:
    """Return the levels of lists and objects, 0 for neither; beyond DEEPEST it is not counted on."""
    depth, level = 0, [document]
    while depth <= DEEPEST:
        level = [each for each in level if isinstance(each, dict | list)]
        if not level:
            break
        depth += 1
        level = [inner for each in level for inner in (each.values() if isinstance(each, dict) else each)]
    return depth
