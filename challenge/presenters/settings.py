"""What settings change: all that moves in the books, what the rules forbid then, and the rules of an event in words."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from hashlib import sha256
from typing import Any

from django.utils.formats import number_format
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from challenge.selectors.books import Book
from challenge.text.switches import SWITCH_TEXTS
from rules.challenge.book.balances import changes
from rules.challenge.book.rows import Row, objections
from rules.challenge.state import Event
from rules.challenge.switches import Switches
from rules.core.refusals import Refusal

Text = str | Promise

FIELD_NAMES: Mapping[str, Text] = {
    "place": _("place"), "fame": _("Fame"), "cp": _("CP"), "c_bills": _("C-bills"), "solo": _("solo kills"),
    "assisted": _("assisted kills"), "edge": _("Edge"), "wounds": _("wounds"), "alive": _("alive"),
    "in_arena": _("in the arena"), "house": _("house"), "stable": _("stable"), "sponsors": _("sponsors"),
    "abilities": _("abilities"), "loan": _("loan"), "chips": _("chips"), "mechs": _("’Mechs"),
}  # fmt: skip


@dataclass(frozen=True)
class Move:
    """A field of a pilot that becomes another: its name, what it was, what it is then."""

    field: Text
    old: Text
    new: Text


def moves(before: Event, after: Event) -> list[tuple[str, list[Move]]]:
    """Return by pilot what differs between two states, in words."""
    shown = _shown(after)
    return [
        (pilot, [Move(FIELD_NAMES[field], shown(field, old), shown(field, new)) for field, (old, new) in found.items()])
        for pilot, found in changes(before, after).items()
    ]


def _shown(state: Event) -> Callable[[str, Any], Text]:
    names = {each.id: each.name for each in state.printed.memberships.values()}
    names |= {each.id: each.name for each in state.printed.abilities.values()}
    mechs = {model.id: model.name for model in state.models.values()}

    def shown(field: str, value: Any) -> Text:
        if value is None or value == []:
            return "–"
        if isinstance(value, bool):
            return _("yes") if value else _("no")
        if isinstance(value, int | float):
            return _money(value)
        if field == "mechs":
            return ", ".join(f"{mechs.get(mech, mech)} ({_money(book)})" for mech, _state, book in value)
        if field == "loan":
            return _money(max(value))
        if isinstance(value, list):
            return ", ".join(str(names.get(each, each)) for each in value)
        return names.get(value, str(value))

    return shown


def _money(number: float) -> str:
    return str(number_format(number, force_grouping=True))


def new_objections(before: Sequence[Row], after: Sequence[Row]) -> dict[int, Refusal]:
    """Return the entries that the rules allowed with the settings before, and forbid with those after."""
    old = objections(before)
    return {number: refusal for number, refusal in objections(after).items() if number not in old}


def digest_of(document: Mapping[str, Any], moved: object) -> str:
    """Return a name that no other change has, by all that it moves."""
    return sha256(json.dumps([document, repr(moved)], sort_keys=True).encode()).hexdigest()[:32]


@dataclass(frozen=True)
class SwitchLine:
    """A switch of an event in words: how it stands, how the ruling reads, and which rulings it turns."""

    title: Text
    answer: Text
    ruling: Text
    rulings: tuple[str, ...]
    is_turned: bool


def switch_lines(book: Book) -> list[SwitchLine]:
    """Return all switches, those that differ from the rulings first."""
    rulings, now = asdict(Switches()), asdict(book.state.switches)
    lines = [
        SwitchLine(
            text.title,
            _answer(text.answers, now[name]),
            _answer(text.answers, rulings[name]),
            text.rulings,
            now[name] != rulings[name],
        )
        for name, text in SWITCH_TEXTS.items()
    ]
    return sorted(lines, key=lambda line: not line.is_turned)


def _answer(answers: Mapping[str, Text], value: Any) -> Text:
    if isinstance(value, bool):
        return _("yes") if value else _("no")
    return answers.get(value, str(value)) if isinstance(value, str) else str(number_format(value))
