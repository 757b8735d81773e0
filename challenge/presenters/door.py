"""What the door shows: the 'Mechs that a new pilot can buy, who came, who waits, whose sheets are out."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from rules.challenge.book.setup import affordable
from rules.challenge.mechs import MechModel
from rules.challenge.off_board.money import loan_ceiling
from rules.challenge.quotes.trade import purchase_quote, why_not_buy
from rules.challenge.state import Event, Pilot
from rules.challenge.worth import Worth
from web.languages.words import variants

MOST_OFFERS = 200
"""'Mechs that the door shows at once; a search finds the others."""


@dataclass(frozen=True)
class Offer:
    """A 'Mech as a pilot who has just come could buy it.

    `left` are the C-bills that remain, below 0 for one that is too dear. `barred` is the code of the rule that forbids
    it apart from money, "" for most. `needs_loan` says that a first loan covers what is missing.
    """

    model: MechModel
    price: int
    left: int
    barred: str
    needs_loan: bool

    @property
    def searched(self) -> str:
        """The forms of its name and id in which a search finds it; the script of the page compares them."""
        return " ".join(plain(f"{self.model.name} {self.model.id}"))

    @property
    def is_affordable(self) -> bool:
        """Whether the pilot can buy it now."""
        return not self.barred and self.left >= 0

    @property
    def missing(self) -> int:
        """The C-bills that are missing, 0 for none."""
        return max(0, -self.left)


def offers(state: Event, start: Worth, search: str = "") -> list[Offer]:
    """Return the 'Mechs of the list that answer a search: what `start` buys first, what is forbidden last."""
    pilot = Pilot("", "", start.fame, start.cp, start.c_bills)
    models = searched(state.models.values(), search)
    prices = {model.id: purchase_quote(state, pilot, model).c_bills for model in models}
    found = []
    for model in affordable(models, start.c_bills, lambda model: prices[model.id]):
        codes = [refusal.code for refusal in why_not_buy(state, pilot, model)]
        barred = next((code for code in codes if code != "too_few_c_bills"), "")
        missing = max(0, prices[model.id] - start.c_bills)
        needs_loan = not barred and 0 < missing <= loan_ceiling(state, pilot)
        found.append(Offer(model, prices[model.id], start.c_bills - prices[model.id], barred, needs_loan))
    return sorted(found, key=lambda offer: bool(offer.barred))


def searched(models: Iterable[MechModel], search: str) -> list[MechModel]:
    """Return the 'Mechs whose names have every word of a search; case, marks, spaces and hyphens do not matter.

    >>> [found.id for found in searched([MechModel("a", 20, 0, name="Żółw LCT-1V")], "lct1v zol")]
    ['a']
    """
    words = [plain(word) for word in search.split()]
    return [model for model in models if all(_has(plain(f"{model.name} {model.id}"), word) for word in words)]


def plain(text: str) -> tuple[str, ...]:
    """Return letters and digits alone, as a search compares them, in each way in which they may be typed."""
    return tuple(re.sub(r"[\W_]+", "", form) for form in variants(text))


def _has(names: Sequence[str], typed: Sequence[str]) -> bool:
    return any(form in name for form in typed for name in names)


def the_only(found: Sequence[Offer], search: str) -> Offer | None:
    """Return the one 'Mech that answers a search, or whose whole name it is; None where that leaves a choice."""
    whole = {*plain(search)}
    named = [offer for offer in found if whole & {*plain(offer.model.name), *plain(offer.model.id)}]
    best = named if len(named) == 1 else list(found)
    return best[0] if search.strip() and len(best) == 1 else None


def waiting(state: Event) -> list[Pilot]:
    """Return the pilots whom a judge has yet to approve (MC-GEN-03), in the order in which they came."""
    return [pilot for pilot in state.pilots.values() if not pilot.approved and pilot.alive and not pilot.forfeited]


def without_sheets(state: Event) -> list[Pilot]:
    """Return who is off the board or dead while no judge has their sheets (MC-GEN-05)."""
    return [
        pilot
        for pilot in state.pilots.values()
        if not pilot.sheets_in and not pilot.is_in_arena and not pilot.forfeited
    ]
