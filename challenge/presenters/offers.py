"""What a pilot may do off the board, as a form with its price: fields, the words of its button, why it is refused."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _

from challenge.text.amounts import figures
from rules.challenge.entries import read_entry
from rules.challenge.folding import why_not
from rules.challenge.kinds import KINDS
from rules.challenge.state import Event, Pilot
from rules.challenge.worth import NOTHING, Worth
from rules.core.refusals import Refusal
from rules.wording import challenge_words as words
from rules.wording import sentence
from web.languages.reader import translate

CAN_WAIT = frozenset({"pilot_in_arena", "step_left_behind"})
"""Refusals that pass by themselves: the pilot comes back, and the next cycle begins at its first step."""

MOST_IN_SIGHT = 3
"""Fields that a form shows unfolded."""


@dataclass(frozen=True)
class Field:
    """A field of an offer's form. `kind` is number, text, choice, mark (one box) or marks (several boxes)."""

    name: str
    label: str
    kind: str
    value: str = ""
    choices: tuple[tuple[str, str], ...] = ()
    least: int | None = None
    most: int | None = None


@dataclass(frozen=True)
class Offer:
    """A deed off the board with its button.

    `hidden` are the fields that are settled, `notes` sentences with the figures of its price, `codes` and `refusals`
    why the rules forbid it now.
    """

    id: str
    title: str
    press: str
    hidden: tuple[tuple[str, str], ...]
    fields: tuple[Field, ...] = ()
    notes: tuple[str, ...] = ()
    codes: tuple[str, ...] = ()
    refusals: tuple[str, ...] = ()

    @property
    def allowed(self) -> bool:
        """Whether the rules allow it now, with the values that its fields have."""
        return not self.codes

    @property
    def is_long(self) -> bool:
        """Whether its form is folded: it asks for more than a glance."""
        return len(self.fields) > MOST_IN_SIGHT

    @property
    def could_be(self) -> bool:
        """Whether only the time is wrong: they may do it in their next off-board cycle."""
        return set(self.codes) <= CAN_WAIT


def price_words(price: Worth) -> str:
    """Return what a price is on a button: `5 CP and 200,000 C-bills`; nothing is free, and a gain has its sign."""
    if price == NOTHING:
        return _("free")
    if min(price) >= 0:
        return words.worth_words(price, translate)
    return words.worth_words(price.times(-1), translate, with_sign=True)


def pressed(what: str, price: Worth) -> str:
    """Return the words of a button with its price."""
    return _("%(what)s: %(price)s") % {"what": what, "price": price_words(price)}


def names_of(state: Event) -> dict[str, str]:
    """Return what refusals call by its id: abilities, stables and sponsors, houses."""
    printed = state.printed
    return {
        **{each.id: _(each.name) for each in printed.abilities.values()},
        **{each.id: each.name for each in printed.memberships.values()},
        **printed.houses,
    }


def refusal_words(state: Event, refusal: Refusal) -> str:
    """Return the sentence of a refusal, amounts with commas."""
    shown = {
        name: figures(value) if isinstance(value, int) and abs(value) >= 1000 else value
        for name, value in refusal.parameters.items()
    }
    return sentence(refusal.code, shown, translate, names_of(state))


def offer(
    state: Event,
    pilot: Pilot,
    title: str,
    press: str,
    document: Mapping[str, Any],
    fields: Sequence[Field] = (),
    notes: Sequence[str] = (),
) -> Offer:
    """Return an offer; `document` is the deed with the values that the fields begin with."""
    whole = {"pilot": pilot.id, "table": pilot.table, **document}
    found = list(why_not(state, read_entry(whole, KINDS)))
    settled = {name: value for name, value in document.items() if name not in {field.name for field in fields}}
    hidden = tuple(_flat(settled))
    return Offer(
        _id(hidden),
        title,
        press,
        hidden,
        tuple(fields),
        tuple(notes),
        tuple(refusal.code for refusal in found),
        tuple(dict.fromkeys(refusal_words(state, refusal) for refusal in found)),
    )


def _flat(document: Mapping[str, Any]) -> list[tuple[str, str]]:
    """Return a document as the fields of a form (`forms.deeds` reads them back)."""
    found: list[tuple[str, str]] = []
    for name, value in document.items():
        if isinstance(value, Mapping):
            found += [(f"{name}.{part}", str(count)) for part, count in value.items()]
        elif isinstance(value, (list, tuple)):
            found += [(name, str(each)) for each in value]
        elif value is True:
            found.append((name, "yes"))
        elif value is not None and value is not False:
            found.append((name, str(value)))
    return found


def _id(hidden: Sequence[tuple[str, str]]) -> str:
    """Return an id for the form's labels from what it settles."""
    words_of = "-".join(value for _name, value in hidden)
    return "".join(sign if sign.isalnum() or sign in "-_" else "-" for sign in words_of.lower())
