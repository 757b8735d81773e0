"""Parameters of log lines and notices in words.

They are stored as values, so that each reader has them in their own language and time zone: times as ISO 8601, keys of
deadlines, formats, classes, modes, titles, offices and scopes of the AI, reasons, changes of settings, effects of a
correction. Values of earlier versions, which were words already, stay as they are.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from django.utils.functional import Promise
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from matches.text.match import word
from rules.campaign.season.clock import DaysOff
from rules.wording.filling import fill
from rules.wording.language import Stones
from stables.models import Fixture, FixtureSide, HandOver, SeasonRole, Title
from stables.text.calendar import days_in_words
from stables.text.jobs import label_of
from stables.text.names import CLASSES, FORMATS, TITLE_DECIDED_BY
from stables.text.reasons import told_declared, told_reason
from stables.text.results import told_effects
from stables.text.settings import changes_words
from web.moments import Moment, moment_words, worded_moment

MOMENTS = ("at", "date", "due", "earlier", "from", "to", "until")
"""The parameters that hold a time."""

DEADLINES: Mapping[str, str | Promise] = {
    # Translators: words for {deadline} in “the deadline for {deadline} was moved”
    "market": _("the market"),
    "line_ups": _("line-ups"),
    "play": _("playing"),
    "confirm": _("results"),
    "silence": _("an answer to the report"),
    "closing": _("corrections of results"),
    "sudden_death": _("the sudden death"),
}
"""Deadlines that may be moved, as "the deadline for …" names them."""


WHY: Mapping[str, str | Promise] = {
    FixtureSide.Forfeit.UNABLE: _("it could field nobody"),
    FixtureSide.Forfeit.NO_SHOW: _("it did not come"),
    FixtureSide.Forfeit.LATE: _("the match was not played in time"),
    FixtureSide.Forfeit.LEFT: _("it left the season"),
    FixtureSide.Forfeit.RULED: _("the organiser decided so"),
    FixtureSide.Forfeit.ABSENT: _("it did not come, or not in time"),
}
"""Why a stable forfeits, as "wins by forfeit: …" names it."""

OFFICES: Mapping[str, str | Promise] = {
    "organiser": _("an organiser"),
    "co_organiser": _("an organiser"),
    "referee": _("a referee"),
}
"""By which office somebody decided, as "… decided" names it."""

SPAN, DAYS = ("first", "last", "word"), "days"
"""The parameters of a span of days off, and the placeholder that shows them."""


def with_days(parameters: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return the parameters; those of a span of days off have it as DAYS too, in words."""
    first, last, name = (parameters.get(each) for each in SPAN)
    if not (isinstance(first, str) and isinstance(last, str) and isinstance(name, str)):
        return parameters
    return {**parameters, DAYS: days_in_words(DaysOff(first, last, name))}


def in_words(parameters: Mapping[str, Any], moment: Moment = moment_words) -> dict[str, Any]:
    """Return parameters with their values in the reader's words; `moment` words the times.

    Give it those that a sentence shows: an imported season may hold anything in the others.
    """
    worded = dict(parameters)
    for name in MOMENTS:
        if name in worded:
            worded[name] = worded_moment(worded[name], moment)
    for name, words in WORDS.items():
        if name in worded:
            worded[name] = words(worded[name])
    if isinstance(parameters.get("proposed"), Mapping):
        worded["proposed"] = proposed_words(parameters["proposed"], moment)
    return worded


def _by(table: Mapping[str, str | Promise]) -> Callable[[Any], Any]:
    return lambda value: str(table[value]) if isinstance(value, str) and value in table else value


def _set_words(value: Any) -> Any:
    """Return what an organiser set, or set before: {"mode": key} in words, everything else as it is."""
    return WORDS["mode"](value["mode"]) if isinstance(value, Mapping) and "mode" in value else value


def _text(words: Callable[[str], str]) -> Callable[[Any], Any]:
    return lambda value: words(value) if isinstance(value, str) else value


def forfeit_words(value: Any) -> Any:
    """Return why a match was forfeited: one key of WHY, or a list of {"stable", "forfeit"} where the reasons differ."""
    if not isinstance(value, list):
        return _by(WHY)(value)
    told = [each for each in value if isinstance(each, Mapping) and {"stable", "forfeit"} <= set(each)]
    template = gettext("{stable}: {why}")
    return "; ".join(fill(template, {"stable": each["stable"], "why": _by(WHY)(each["forfeit"])}) for each in told)


def _classes(value: Any) -> Any:
    """Return the class of a season in words; those of a season with several are a list."""
    words = _by(CLASSES)
    return [words(each) for each in value] if isinstance(value, list) else words(value)


def _amount(value: Any) -> Any:
    return Stones(value) if isinstance(value, int) else value


WORDS: Mapping[str, Callable[[Any], Any]] = {
    **dict.fromkeys(("amount", "limit", "price", "purse"), _amount),
    **dict.fromkeys(("class", "class_after", "class_before"), _classes),
    "deadline": _by(DEADLINES),
    "format": _by(FORMATS),
    "mode": _by(dict(Fixture.Mode.choices)),
    "before": _set_words,
    "after": _set_words,
    "title": _by(dict(Title.Kind.choices)),
    "how": _by(TITLE_DECIDED_BY),
    "scope": _by(dict(HandOver.Scope.choices)),
    "role": _by(dict(SeasonRole.Role.choices)),
    "office": _by(OFFICES),
    "reason": _text(told_reason),
    "why": _text(told_declared),
    "forfeit": forfeit_words,
    "decided_by": _text(word),
    "changes": changes_words,
    "effects": told_effects,
}
"""Parameter -> the function that words its value, apart from times."""


def proposed_words(proposed: Any, moment: Moment = moment_words) -> Any:
    """Return what was proposed for a match, {"at": time or None, "mode": key or ""}: its date, its mode, or both."""
    if not isinstance(proposed, Mapping):
        return proposed
    at, mode = proposed.get("at"), proposed.get("mode")
    date = worded_moment(at, moment) if at else ""
    how = WORDS["mode"](mode) if mode else ""
    if date and how:
        return gettext("{date}, {mode}").format(date=date, mode=how)
    return date or how or None


OF_NOTICES: Mapping[str, Callable[[Any], Any]] = {
    **dict.fromkeys(MOMENTS, worded_moment),
    **WORDS,
    "proposed": proposed_words,
    "job": lambda name: label_of(str(name)),
}
"""The same for the notices of seasons (people.text.notices)."""
