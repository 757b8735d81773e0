"""The settings and house rules of one season, each with its value and whether it differs from the book."""

from __future__ import annotations

from dataclasses import dataclass

from django.forms.boundfield import BoundField
from django.utils.translation import gettext

from rules.campaign.season.settings import SeasonSettings
from stables.forms.season import ChangeForm


@dataclass(frozen=True)
class Setting:
    """One setting in words. `is_changed`: this season differs from the book, whose value is `book`."""

    name: str
    label: str
    value: str
    is_changed: bool
    book: str


def settings_of(rules: SeasonSettings) -> list[Setting]:
    """Return every setting and match switch of a season; no query."""
    form, book = ChangeForm(rules), ChangeForm(SeasonSettings())
    return [
        Setting(
            each.name,
            str(each.label),
            _words(each),
            each.value() != book[each.name].value(),
            _words(book[each.name]),
        )
        for each in (*form.setting_fields, *form.parts["rule"])
    ]


def changed_settings(rules: SeasonSettings) -> list[Setting]:
    """Return the settings and match switches in which a season differs from the book; no query."""
    return [each for each in settings_of(rules) if each.is_changed]


def _words(question: BoundField) -> str:
    """Return the value as the form words it."""
    value = question.value()
    shown = "" if value is None else str(value)
    return str(dict(getattr(question.field, "choices", ())).get(shown, shown) or gettext("as the book has it"))
