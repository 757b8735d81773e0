"""Fields that read JSON strictly: a number is a number, a text a text, and what is not asked for is refused.

`Input` is the base of what requests send, `Query` of what stands behind the question mark, `Output` of what is
answered. The description of the interface is made of them, so what they take is what it says.
"""

from __future__ import annotations

import re
from datetime import datetime
from typing import Any

from django.core.validators import RegexValidator
from django.utils.translation import gettext_lazy as _
from rest_framework import serializers

WHOLE = re.compile(r"-?[0-9]{1,18}", re.ASCII)


class StrictString(serializers.CharField):
    """A JSON text, neither number nor truth value; no character zero."""

    def to_internal_value(self, data: Any) -> str:
        if not isinstance(data, str):
            self.fail("invalid")
        return str(super().to_internal_value(data))


class StrictInteger(serializers.IntegerField):
    """A JSON number without a fraction, 7.0 too, as descriptions call that an integer; in a query its digits."""

    def to_internal_value(self, data: Any) -> int:
        if isinstance(data, float) and data.is_integer():
            data = int(data)
        is_digits = isinstance(data, str) and isinstance(self.parent, Query) and WHOLE.fullmatch(data)
        if isinstance(data, bool) or not (isinstance(data, int) or is_digits):
            self.fail("invalid")
        return int(super().to_internal_value(data))


class StrictBoolean(serializers.BooleanField):
    """true or false, and nothing that could be taken for one."""

    def to_internal_value(self, data: Any) -> bool:
        words = {"true": True, "false": False} if isinstance(self.parent, Query) else {}
        if isinstance(data, str) and data in words:
            return words[data]
        if not isinstance(data, bool):
            self.fail("invalid", input=data)
        return data


class StrictDateTime(serializers.DateTimeField):
    """A date and time as RFC 3339 has it, with its offset."""

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
    """Refuses fields that nobody described."""

    def to_internal_value(self, data: Any) -> Any:
        if isinstance(data, dict):
            unknown = [str(name) for name in data if name not in self.fields]
            if unknown:
                text = _("There is no such field.")
                raise serializers.ValidationError({name: [text] for name in unknown}, code="unknown_field")
        return super().to_internal_value(data)


class Input(_Strict):
    """What a request sends."""


class Query(_Strict):
    """What stands behind the question mark; each name once."""


class Output(serializers.Serializer):
    """What is answered; read from objects, or from mappings with the same names."""


def searched(words: str) -> StrictString:
    """Words that a list is searched for; none finds all."""
    check = RegexValidator(r"^[^\x00]+\Z")
    return StrictString(
        max_length=80, required=False, allow_blank=True, trim_whitespace=False, validators=[check], help_text=words
    )


class Problem(Output):
    """A refusal: why it was not done. `code` is from the list in docs/refusals.md, `detail` says it in words."""

    type = serializers.CharField()
    title = serializers.CharField()
    status = serializers.IntegerField()
    code = serializers.CharField()
    detail = serializers.CharField()
    parameters = serializers.DictField()


class NullableChoice(serializers.ChoiceField):
    """One of a closed list, null for none; the database keeps none as an empty text."""

    def __init__(self, choices: Any, **options: Any) -> None:
        super().__init__(choices, allow_null=True, **options)

    def to_representation(self, value: Any) -> Any:
        return None if value == "" else super().to_representation(value)


def page_example(*rows: Any) -> dict[str, Any]:
    """Return a page of a list with these rows."""
    return {"count": len(rows), "page": 1, "pages": 1, "results": list(rows)}
