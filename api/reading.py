"""The reader of the JSON of a request. It reads a body exactly or refuses it (400), and never fails otherwise."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from rest_framework.exceptions import ParseError
from rest_framework.parsers import JSONParser
from rest_framework.utils.json import strict_constant

from web.utf8 import UTF_8, charset_of

DEEPEST = 100
"""The most levels of a document. Ours have about ten; the code that handles documents can bear several hundred."""


class SoundJSONParser(JSONParser):
    """A parser that refuses documents which the standard parser accepts but later code could not handle: those nested
    too deeply, and those with half surrogate pairs.

    It also refuses a document in which an object has a name twice: one of the values would be lost.
    """

    def parse(self, stream: Any, media_type: str | None = None, parser_context: Mapping[str, Any] | None = None) -> Any:
        """Return the document of the body. Raises ParseError."""
        try:
            request = (parser_context or {})["request"]._request
            # CharsetMiddleware has refused any other charset already.
            text = str(stream.read(), charset_of(request) or UTF_8)
            found = json.loads(text, parse_constant=strict_constant, object_pairs_hook=_named_once)
            if depth_of(found) > DEEPEST:
                raise ParseError("nested too deeply")
            # Answers and the database write the document as UTF-8, and half a surrogate pair has no UTF-8.
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
    """Return the number of levels of lists and objects, 0 for a plain value, and at most DEEPEST + 1."""
    depth, level = 0, [document]
    while depth <= DEEPEST:
        level = [each for each in level if isinstance(each, dict | list)]
        if not level:
            break
        depth += 1
        level = [inner for each in level for inner in (each.values() if isinstance(each, dict) else each)]
    return depth
