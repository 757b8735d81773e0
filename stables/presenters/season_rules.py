"""The settings and house rules of one season, each with its value and whether it differs from the book.

The words are those of the forms. Log and notices take them from here too (stables.text.settings).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from django import forms
from django.forms import BoundField
from django.utils.translation import gettext

from rules.campaign.season.clock import days_off_from_json
from rules.campaign.season.settings import SeasonSettings
from rules.core.refusals import Malformed
from rules.wording.filling import shown as plainly
from stables.forms.coded import OTHER_LABELS, SWITCH, TIME
from stables.forms.season import CalendarForm, ChangeForm, SettingsForm, SwitchesForm
from stables.models import Season
from stables.text import names as words
from stables.text import settings as texts
from stables.text.calendar import days_in_words


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
    return [_setting(each, book[each.name]) for each in (*form.setting_fields, *form.parts["rule"])]


def _setting(own: BoundField, of_book: BoundField) -> Setting:
    value = _value_words(own.field, own.value())
    is_changed = own.value() != of_book.value()
    book = _value_words(own.field, of_book.value()) if is_changed else value
    return Setting(own.name, str(own.label), value, is_changed, book)


def changed_settings(rules: SeasonSettings) -> list[Setting]:
    """Return the settings and match switches in which a season differs from the book; no query."""
    return [each for each in settings_of(rules) if each.is_changed]


def announced_changes(season: Season) -> list[str]:
    """Return the announced changes of a season's settings in words, from what to what; no query."""
    try:
        wanted = SeasonSettings.from_json({**season.settings, **season.pending_settings})
    except Malformed:
        # An imported season may have announced anything.
        return []
    return [texts.change_sentence(change) for change in season.rules.changes_to(wanted)]


def register() -> None:
    """Register the words of the forms for log and notices."""
    texts.register(setting_words)


def setting_words(setting: str, value: Any) -> tuple[str, str]:
    """Return the label of a setting (a name of stables.text.settings) and one of its values, in the form's words."""
    table = {"cycles": words.FORMATS, "multi_class_order": words.CLASSES, "weight_class": words.CLASSES}.get(setting)
    if table is not None:
        keys = value if isinstance(value, list) else [value]
        return str(OTHER_LABELS[setting]), ", ".join(_word(table, key) for key in keys) or "–"
    if setting == "calendar.days_off":
        return gettext("Days off"), _days_off(value)
    group, _, name = setting.rpartition(".")
    prefix, form = _FORMS.get(group, ("", SettingsForm))
    field = form.base_fields.get(f"{prefix}{name}")
    if field is None:
        return name.replace("_", " "), _value_words(forms.Field(), value)
    if group == "calendar":
        return str(field.label), _value_words(field, 0 if name == "hours_a_round" and value is None else value, "–")
    return str(field.label), _value_words(field, value)


_FORMS: Mapping[str, tuple[str, type[forms.Form]]] = {
    "house_rules": (SWITCH, SwitchesForm),
    "calendar": (TIME, CalendarForm),
}


def _days_off(value: Any) -> str:
    """Return the days off of a calendar in words, a document that holds anything else as it is."""
    spans = days_off_from_json(value)
    return plainly(value) if spans is None else ", ".join(map(days_in_words, spans)) or "–"


def _word(table: Mapping[str, Any], key: Any) -> str:
    return "–" if key is None else words.word(table, str(key))


def _value_words(field: forms.Field, value: Any, nothing: str = "") -> str:
    """Return a value as its field words it; for an empty one `nothing`, by default that the book decides."""
    if isinstance(value, (list, dict)):
        # A document of a season may hold anything there.
        return plainly(value)
    value = field.prepare_value(value)
    shown = "" if value is None else str(value)
    choices: Iterable[tuple[Any, Any]] = getattr(field, "choices", None) or getattr(field.widget, "choices", None) or ()
    listed = {str(key): name for key, name in choices}
    return str(listed.get(shown, shown) or nothing or gettext("as the book has it"))
