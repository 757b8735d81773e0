"""What a result writes into the books, and what changes when another result takes its place.

A result is a document (stables.models.Result). "stables" holds by number what each stable banked and for which of its
individuals; "units" holds each unit's damage before and after the match. Settling is the change from nothing to a
document. A correction is the change from the old document to the one that holds from now on.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from rules.campaign.garage.repair import BRACKETS, UNDAMAGED

Document = Mapping[str, Any]
Line = tuple[int, str]
"""The owner of a record: the number of a stable and the code of one of its individuals, "" for the stable itself."""


@dataclass(frozen=True)
class Deeds:
    """What a record gains: reputation, kills, matches won, matches played. Negative when something is taken back."""

    reputation: int = 0
    kills: int = 0
    wins: int = 0
    matches: int = 0

    def less(self, other: Deeds) -> Deeds:
        """Return what must be added to `other` to get these deeds."""
        return Deeds(
            self.reputation - other.reputation,
            self.kills - other.kills,
            self.wins - other.wins,
            self.matches - other.matches,
        )


NOTHING = Deeds()


def deeds_of(document: Document | None) -> dict[Line, Deeds]:
    """Return what a result adds to each record (R-CYC-05, R-CYC-06); a void result and None add nothing.

    Every stable has an entry. Individuals who gain nothing have none.
    """
    found: dict[Line, Deeds] = {}
    for number, shown in stables_of(document or {}).items():
        found[number, ""] = Deeds(
            int(shown["banked"]), int(shown["kills"]), int(shown["won"]), int(shown.get("played", True))
        )
        for code, gained in shown["individuals"].items():
            found[number, code] = Deeds(int(gained["reputation"]), int(gained["kills"]))
    return {line: deeds for line, deeds in found.items() if deeds != NOTHING or not line[1]}


def stables_of(document: Document) -> dict[int, Mapping[str, Any]]:
    """Return what a document says of each stable, by its number. For old documents the sides stand for the stables."""
    if "stables" in document:
        return {int(number): shown for number, shown in document["stables"].items()}
    return {
        int(shown["stable"]): {**shown, "side": side, "won": document["winner"] == side}
        for side, shown in document.get("sides", {}).items()
    }


def what_decided(document: Document) -> str:
    """Return what decided a match whose sides are even in reputation: the tie-break, or if none, the ending.

    It is a word of the rules: "total", "die", "last_side" and so on. "" for any other match, for a forfeit and for a
    match that nobody won.
    """
    earned = {side["reputation"] for side in document.get("sides", {}).values()}
    if len(earned) != 1 or document["ended_by"] == "forfeit" or document["winner"] is None:
        return ""
    return str(document["tie_break"] or document["ended_by"])


def changes_of_record(before: Document | None, after: Document | None) -> dict[Line, Deeds]:
    """Return what must be added to each record so that `after` holds instead of `before`; only what differs."""
    old, new = deeds_of(before), deeds_of(after)
    changes = {line: new.get(line, NOTHING).less(old.get(line, NOTHING)) for line in sorted({*old, *new})}
    return {line: deeds for line, deeds in changes.items() if deeds != NOTHING}


# Units -----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Wear:
    """The damage of a unit: clicks off its start marker, and whether it is eliminated."""

    clicks: int = 0
    eliminated: bool = False


def dead_pilots(document: Document | None) -> set[Line]:
    """Return the pilots who died in a match (R-DTH-01), as (number of the stable, code); none for None."""
    units = (document or {}).get("units", {}).values()
    return {(int(unit["stable"]), str(unit["pilot"])) for unit in units if unit.get("pilot_dead") and unit.get("pilot")}


WEAR, REFUND, FOUGHT, KEPT = "wear", "refund", "fought", "kept"
"""What a correction does to a unit whose damage changes: turn its dial, refund its repair, leave it alone because it
has fought since, or leave it alone because the stable has sold it."""


def effect_on_unit(is_repaired: bool, has_fought: bool, is_sold: bool) -> str:
    """Return what a correction does to a unit: WEAR, REFUND, FOUGHT or KEPT.

    A repaired unit gets a refund, whatever happened since. Otherwise a unit that has fought since, or that the stable
    has sold, stays as it is. All others get the corrected damage.
    """
    if is_repaired:
        return REFUND
    if has_fought:
        return FOUGHT
    return KEPT if is_sold else WEAR


def refund_due(paid: int, cost_of_what_holds: int) -> int:
    """Return the Stones to refund when the repair of the corrected damage costs less than was paid; else 0."""
    return max(0, paid - cost_of_what_holds)


def cost_in_same_bracket(paid: int, state: str, state_that_holds: str) -> int:
    """Return what a repair that cost `paid` Stones in a state would have cost in another (R-CRP-02..06).

    The price and the state show the bracket, so gear that the unit has carried since does not matter. A price that
    belongs to no bracket is returned unchanged.
    """
    if state_that_holds == UNDAMAGED:
        return 0
    return next((costs[state_that_holds] for _, costs in BRACKETS if costs.get(state) == paid), paid)


# Money -----------------------------------------------------------------------------------------------------------


def purse_changes(before: Mapping[int, int], after: Mapping[int, int]) -> dict[int, int]:
    """Return the Stones by which each stable's purse changes; only what differs."""
    changes = {number: after.get(number, 0) - before.get(number, 0) for number in sorted({*before, *after})}
    return {number: amount for number, amount in changes.items() if amount}


@dataclass(frozen=True)
class Taking:
    """The Stones taken from a stable at once, and those that are added to what it owes."""

    taken: int
    owed: int


def take_back(capital: int, amount: int) -> Taking:
    """Return how much of `amount` Stones a stable pays at once from its capital; it owes the rest (R-AST-12)."""
    taken = min(capital, amount)
    return Taking(taken, amount - taken)


# Effects ---------------------------------------------------------------------------------------------------------


def seal_of(effects: Sequence[Mapping[str, Any]], number: int) -> str:
    """Return a digest of the effects of correction `number`, 64 hex digits.

    With it a service applies exactly the effects that somebody has looked at.
    """
    shown = json.dumps([number, list(effects)], sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(shown.encode()).hexdigest()


def void(document: Document) -> dict[str, Any]:
    """Return the result that holds when a match is voided: nobody banks, no match was played, no damage was done.

    In old documents, which lack the damage before the match, units keep their damage.
    """
    return {
        "ended_by": "void",
        "winner": None,
        "rounds": 0,
        "tie_break": None,
        "sides": {
            side: {**shown, "reputation": 0, "kills": 0, "banked": 0, "surrendered": False, "individuals": {}}
            for side, shown in document["sides"].items()
        },
        "stables": {
            str(number): {
                "side": shown["side"],
                "banked": 0,
                "kills": 0,
                "won": False,
                "played": False,
                "cause": "void",
                "individuals": {},
            }
            for number, shown in stables_of(document).items()
        },
        "units": {
            name: {
                **unit,
                "clicks": unit.get("before", unit["clicks"]),
                "eliminated": False if "before" in unit else unit["eliminated"],
                "kills": 0,
                "pilot_dead": False,
            }
            for name, unit in document["units"].items()
        },
        "places": [],
        "source": document.get("source", ""),
    }
