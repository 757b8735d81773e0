"""Standing answers of a person's units: the page's forms, and the only writer. Only the person ever sees them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.db import transaction
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from matches.models import Match, MatchSeat, StandingAnswers
from matches.selectors.sides import names_in
from rules.bots.preset_answers import ATTEMPTS, read_answers
from rules.core.refusals import Malformed, Refused

ASK = ("", _("ask me"))

Choices = tuple[tuple[str, str | Promise], ...]

_CHANCES: Choices = (
    ASK,
    ("0", _("always try")),
    ("50", _("try when the chance is at least 50 %")),
    ("66", _("try when the chance is at least 66 %")),
    ("never", _("never try")),
)

QUESTIONS: tuple[tuple[str, str | Promise, str | Promise, Choices], ...] = (
    ("leave", _("Attacked: let it come when it hits with at most"), _("percent; no reaction then, and no heat"), ()),
    (
        "dig_in",
        _("Attacked: dig in where it can"),
        "",
        (("", _("no")), ("yes", _("yes"))),
    ),
    ("dodge", _("Attacked: dodge when the attack then misses with at least"), _("percent; empty: do not dodge"), ()),
    ("defend", _("Attacked: defend when the attack then misses with at least"), _("percent; empty: do not defend"), ()),
    ("otherwise", _("Attacked, and no line above fits"), "", (ASK, ("none", _("no reaction")))),
    ("cancel", _("Attacked, without a reaction left"), "", (ASK, ("keep", _("keep all equipment at work")))),
    (
        "spin",
        _("An opponent comes into base contact"),
        "",
        (ASK, ("attacker", _("turn towards it")), ("keep", _("keep the facing"))),
    ),
    ("revive", _("The pilot is unconscious"), "", _CHANCES),
    ("restart", _("The unit is shut down and may restart"), "", _CHANCES),
    ("rally", _("A rally card could be played"), "", (ASK, ("never", _("never ask; keep the hand")))),
)
"""Name, question, help text, choices; a question without choices asks for a whole percentage."""

REACTION = ("leave", "dig_in", "dodge", "defend", "otherwise")


@dataclass(frozen=True)
class Field:
    """One question of a unit's form. Without `choices` it asks for a whole percentage.

    `value` is the answer so far, "" without one.
    """

    name: str
    label: str
    help_text: str
    choices: tuple[tuple[str, str], ...]
    value: str


@dataclass(frozen=True)
class UnitForm:
    """The form of one unit's standing answers. `count` is the number of questions that are answered so far."""

    unit: str
    name: str
    fields: tuple[Field, ...]
    count: int


def forms_of(match: Match, seats: list[MatchSeat]) -> tuple[UnitForm, ...]:
    """Return the forms of the units of these seats, in the order of the setup (1 query)."""
    names, sides = names_in(match.setup), tuple(seat.side for seat in seats)
    kept = answers_of(match, sides)
    return tuple(
        _form(loadout, names[loadout["id"]], kept[loadout["id"]])
        for side in match.setup["sides"]
        if side["id"] in sides
        for loadout in side["units"]
    )


def answers_of(match: Match, sides: tuple[str, ...]) -> dict[str, Mapping[str, Any]]:
    """Return the standing answers of each unit of these sides by its id, in the order of the setup (1 query).

    They are {} for a unit without any. `sides` must be those of the person who asks: nobody else may see them.
    """
    kept = StandingAnswers.objects.filter(seat__match=match, seat__side__in=sides).values_list("unit", "answers")
    known = dict(kept)
    return {
        loadout["id"]: known.get(loadout["id"], {})
        for side in match.setup["sides"]
        if side["id"] in sides
        for loadout in side["units"]
    }


def _form(loadout: Mapping[str, Any], name: str, answers: Mapping[str, Any]) -> UnitForm:
    values = _values(answers)
    fields = tuple(
        Field(key, str(label), str(help_text), tuple((word, str(text)) for word, text in choices), values.get(key, ""))
        for key, label, help_text, choices in QUESTIONS
        if key != "rally" or loadout.get("hand")
    )
    return UnitForm(loadout["id"], name, fields, sum(bool(field.value) for field in fields))


def _values(answers: Mapping[str, Any]) -> dict[str, str]:
    flat = {**answers, **answers.get("react", {})}
    return {key: "yes" if value is True else str(value) for key, value in flat.items() if key != "react"}


def answers_from(sent: Mapping[str, str]) -> dict[str, Any]:
    """Return the standing answers in a unit's form. Questions with empty fields are left out.

    Raises Malformed (bad_standing_answer).
    """
    found: dict[str, Any] = {}
    for key, _label, _help_text, choices in QUESTIONS:
        word = sent.get(key, "").strip()
        if not word:
            continue
        value: Any = word
        if key == "dig_in" and word == "yes":
            value = True
        elif not choices or (key in ATTEMPTS and word != "never"):
            value = _number(key, word)
        if key in REACTION:
            found.setdefault("react", {})[key] = value
        else:
            found[key] = value
    return read_answers(found)


def _number(key: str, word: str) -> int:
    if not word.isascii() or not word.isdigit() or len(word) > 3:
        raise Malformed("bad_standing_answer", field=key)
    return int(word)


@transaction.atomic
def keep(match: Match, user: Any, unit: str, answers: Mapping[str, Any]) -> None:
    """Store a person's standing answers for their own unit; {} removes them. They count from the next decision on.

    Raises Malformed (bad_standing_answer), Refused (match_over, not_your_unit).
    """
    checked = read_answers(answers)
    locked = Match.objects.select_for_update(of=("self",)).get(pk=match.pk)
    if locked.is_finished:
        raise Refused("match_over")
    own = {loadout["id"]: side["id"] for side in locked.setup["sides"] for loadout in side["units"]}
    seat = MatchSeat.objects.filter(match=locked, user=user, side=own.get(unit, "")).first()
    if seat is None:
        raise Refused("not_your_unit", unit=unit)
    if checked:
        StandingAnswers.objects.update_or_create(seat=seat, unit=unit, defaults={"answers": checked})
    else:
        StandingAnswers.objects.filter(seat=seat, unit=unit).delete()
