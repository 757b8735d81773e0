"""Fields that read JSON strictly: a number is a number, a text is a text, and unknown fields are refused.

`Input` is the base of request bodies, `Query` of query strings, `Output` of answers. The description of the interface
comes from them, so it says exactly what they accept.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import datetime
from typing import Any

from django.core.validators import RegexValidator
from django.utils.translation import gettext_lazy as _
from rest_framework import serializers

WHOLE = re.compile(r"-?[0-9]{1,18}", re.ASCII)

NO_ZERO = RegexValidator(r"^[^\x00]+\Z")
"""Text without the zero character, which no database keeps. Fields that allow an empty text say so beside it."""


class StrictString(serializers.CharField):
    """A JSON text, passed on with its blanks: the services decide what blanks mean.

    Numbers, truth values and the zero character are refused.
    """

    def __init__(self, *, validators: Sequence[Any] = (NO_ZERO,), **options: Any) -> None:
        """Make a field; a pattern among `validators` takes the place of NO_ZERO in the description."""
        super().__init__(trim_whitespace=False, validators=validators, **options)

    def to_internal_value(self, data: Any) -> str:
        if not isinstance(data, str):
            self.fail("invalid")
        return str(super().to_internal_value(data))


class StrictInteger(serializers.IntegerField):
    """A JSON number without a fraction. 7.0 is one, too: JSON Schema calls it an integer. In a query it is written in
    digits.
    """

    def to_internal_value(self, data: Any) -> int:
        if isinstance(data, float) and data.is_integer():
            data = int(data)
        is_digits = isinstance(data, str) and isinstance(self.parent, Query) and WHOLE.fullmatch(data)
        if isinstance(data, bool) or not (isinstance(data, int) or is_digits):
            self.fail("invalid")
        return int(super().to_internal_value(data))


class StrictBoolean(serializers.BooleanField):
    """The JSON values true and false. In a query these are the words `true` and `false`."""

    def to_internal_value(self, data: Any) -> bool:
        words = {"true": True, "false": False} if isinstance(self.parent, Query) else {}
        if isinstance(data, str) and data in words:
            return words[data]
        if not isinstance(data, bool):
            self.fail("invalid", input=data)
        return data


class StrictDateTime(serializers.DateTimeField):
    """A date and time in the form of RFC 3339, with its offset."""

    def to_internal_value(self, data: Any) -> datetime:
        if not isinstance(data, str) or not re.search(r"(Z|[+-]\d\d:\d\d)$", data, re.IGNORECASE):
            self.fail("invalid", format="YYYY-MM-DDThh:mm:ssZ")
        try:
            return super().to_internal_value(data)
        except (OverflowError, ValueError):
            self.fail("invalid", format="YYYY-MM-DDThh:mm:ssZ")


class StrictChoice(serializers.ChoiceField):
    """One of a closed list of texts."""

    def to_internal_value(self, data: Any) -> str:
        if not isinstance(data, str):
            self.fail("invalid_choice", input=data)
        return str(super().to_internal_value(data))


class _Strict(serializers.Serializer):
    """A serializer that refuses fields that it does not have."""

    def to_internal_value(self, data: Any) -> Any:
        if isinstance(data, dict):
            unknown = [str(name) for name in data if name not in self.fields]
            if unknown:
                text = _("There is no such field.")
                raise serializers.ValidationError({name: [text] for name in unknown}, code="unknown_field")
        return super().to_internal_value(data)


class Input(_Strict):
    """The body of a request."""


class Query(_Strict):
    """The query string of a request; each name may occur once."""


class Output(serializers.Serializer):
    """An answer, made from objects, or from mappings with the same names."""


def searched(words: str) -> StrictString:
    """Return an optional field for the words of a search; without words a search finds everything. `words` describes
    it.
    """
    return StrictString(max_length=80, required=False, allow_blank=True, help_text=words)


class Problem(Output):
    """A refusal. `code` is from the list in docs/refusals.md, `detail` says in words why the request was refused."""

    type = serializers.CharField()
    title = serializers.CharField()
    status = serializers.IntegerField()
    code = serializers.CharField()
    detail = serializers.CharField()
    parameters = serializers.DictField()


class NullableChoice(serializers.ChoiceField):
    """One of a closed list, or null. Rows store null as an empty text, which answers show as null."""

    def __init__(self, choices: Any, **options: Any) -> None:
        super().__init__(choices, allow_null=True, **options)

    def to_representation(self, value: Any) -> Any:
        return None if value == "" else super().to_representation(value)


def page_example(*rows: Any) -> dict[str, Any]:
    """Return an example of an only page of a list, with these rows."""
    return {"count": len(rows), "page": 1, "pages": 1, "results": list(rows)}
