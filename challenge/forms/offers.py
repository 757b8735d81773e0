"""Choices that a field has only once its form knows the event."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, cast

from django import forms


def offer(form: forms.Form, name: str, choices: Iterable[tuple[str, Any]]) -> None:
    """Give the choices, pairs of value and label, to a choice field of a form."""
    cast("forms.ChoiceField", form.fields[name]).choices = list(choices)
