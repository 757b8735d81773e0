"""The settings and house rules by which one season is played, each with its value and whether the book says so."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from django.utils.translation import gettext

from rules.campaign.season.settings import SeasonSettings
from rules.solaris.house_rules import HouseRules
from stables.presenters import season_form
from stables.presenters.season_form import FormField


@dataclass(frozen=True)
class Setting:
    """One setting in words. `is_changed`: this season plays it in another way than the book."""

    name: str
    label: str
    value: str
    is_changed: bool


def settings_of(rules: SeasonSettings) -> list[Setting]:
    """Every setting and match switch of a season; no query."""
    book = SeasonSettings(weight_class=rules.weight_class, multi_class_order=rules.multi_class_order)
    shown = [*season_form.setting_fields(rules), *season_form.switch_fields(rules.house_rules)]
    printed = [*season_form.setting_fields(book), *season_form.switch_fields(HouseRules().to_json())]
    return list(_settings(shown, {question.name: question.value for question in printed}))


def _settings(shown: Iterable[FormField], printed: dict[str, object]) -> Iterable[Setting]:
    for question in shown:
        yield Setting(question.name, question.label, _words(question), question.value != printed[question.name])


def _words(question: FormField) -> str:
    """The value as the form words it."""
    if question.kind == season_form.YES:
        return gettext("yes") if question.value == "yes" else gettext("no")
    return dict(question.choices).get(question.shown, "") or question.shown or gettext("as the book has it")
