"""Abilities, Edge, houses and special ammunition (MC-ABIL, MC-EDGE, MC-REP-15, MC-SPON-02)."""

from __future__ import annotations

from collections.abc import Iterator

from rules.challenge.cycle import LEARN
from rules.challenge.entries import NAME, TRUTH, Change, Checker, Entry, Kind
from rules.challenge.memberships import leave_membership
from rules.challenge.quotes.learning import COUNTED_TIERS, ability_quote, why_not_learn
from rules.challenge.shared_checks import cannot_pay, owes, pilot_of
from rules.challenge.state import Event, OwnedAbility, Pilot
from rules.challenge.tables import Membership
from rules.challenge.worth import Worth
from rules.core.refusals import Refusal
from rules.core.shapes import text, whole, word

HOUSES = ("CC", "DC", "FS", "FWL", "LA")
CHANGE_OF_HOUSE = Worth(fame=-2)
"""What a change of house costs beside its price (MC-ABIL-17)."""

BARRED_AMMUNITION = ("thunder", "arrow_iv", "fascam")
"""Loads that no sponsor sells (MC-BOARD-04)."""


def _check_ability(event: Event, entry: Entry) -> Iterator[Refusal]:
    ability = event.printed.abilities.get(entry.facts["ability"])
    if ability is None or ability.tier not in COUNTED_TIERS:
        yield Refusal("ability_unknown", {"ability": entry.facts["ability"]})
        return
    pilot = pilot_of(event, entry)
    yield from why_not_learn(event, pilot, ability, entry.facts.get("choice"))


def _buy_ability(event: Event, entry: Entry) -> None:
    pilot, ability = pilot_of(event, entry), event.printed.abilities[entry.facts["ability"]]
    quote = ability_quote(event, pilot, ability)
    event.post(pilot, "ability", Worth(0, -quote.cp, -quote.c_bills), ability=ability.id, surcharge=quote.surcharge_cp)
    pilot.abilities.append(OwnedAbility(ability, entry.facts.get("choice")))
    if ability.once:
        pilot.tokens.add(ability.id)


def _check_edge(event: Event, entry: Entry) -> Iterator[Refusal]:
    pilot, cards = pilot_of(event, entry), entry.facts.get("cards", 1)
    if pilot.edge + cards > pilot.most_edge:
        yield Refusal("edge_full", {"pilot": pilot.id, "most": pilot.most_edge})
    if event.switches.stablemate_loan_blocks_all:
        yield from _owes_stablemate(pilot)
    yield from cannot_pay(event, pilot, Worth(cp=_edge_cp(event) * cards))


def _owes_stablemate(pilot: Pilot) -> Iterator[Refusal]:
    """Refuse a pilot who owes a stablemate: of tier 4 a house is barred, too (MC-STSP-06, MCQ-LOAN-07)."""
    if pilot.loan is not None and pilot.loan.lender is not None:
        yield from owes(pilot)


def _edge_cp(event: Event) -> int:
    return event.printed.abilities["edge"].cp


def _buy_edge(event: Event, entry: Entry) -> None:
    pilot, cards = pilot_of(event, entry), entry.facts.get("cards", 1)
    pilot.edge += cards
    event.post(pilot, "edge", Worth(cp=-_edge_cp(event) * cards), cards=cards)


def _check_house(name: str) -> Checker:
    def check(event: Event, entry: Entry) -> Iterator[Refusal]:
        pilot, price = pilot_of(event, entry), event.printed.abilities[name]
        if name == "affiliation_declare" and pilot.house is not None:
            yield Refusal("house_declared", {"house": pilot.house})
        if name == "affiliation_change" and pilot.house is None:
            yield Refusal("no_house", {"pilot": pilot.id})
        if pilot.house == entry.facts["house"]:
            yield Refusal("same_house", {"house": pilot.house})
        yield from _owes_stablemate(pilot)
        leaving = [event.printed.leaving[each.kind] for each in bound_to_another_house(pilot, entry.facts["house"])]
        cp = price.cp - sum(each.cp for each in leaving)
        yield from cannot_pay(event, pilot, Worth(0, cp, price.c_bills - sum(each.c_bills for each in leaving)))

    return check


def bound_to_another_house(pilot: Pilot, house: str) -> list[Membership]:
    """Return the stable and sponsors that a pilot of `house` must leave (MCQ-ABIL-09)."""
    return [each for each in pilot.memberships if each.house not in (None, house)]


def _set_house(name: str) -> Change:
    def apply(event: Event, entry: Entry) -> None:
        """Declare or change a house; who is bound to the old one leaves first, and pays (MCQ-ABIL-09)."""
        pilot, price = pilot_of(event, entry), event.printed.abilities[name]
        house = entry.facts["house"]
        for membership in bound_to_another_house(pilot, house):
            leave_membership(event, pilot, membership)
        fame = CHANGE_OF_HOUSE.fame if name == "affiliation_change" else 0
        event.post(pilot, name, Worth(fame, -price.cp, -price.c_bills), house=house)
        pilot.house = house

    return apply


def _check_ammunition(event: Event, entry: Entry) -> Iterator[Refusal]:
    """Refuse ammunition that no stable or sponsor of the pilot has, and bins loaded in part."""
    pilot, kind = pilot_of(event, entry), entry.facts["ammunition"]
    if kind in BARRED_AMMUNITION:
        yield Refusal("ammunition_barred", {"ammunition": kind})
    if entry.facts.get("partial", False) and not event.switches.partial_loads:
        yield Refusal("no_partial_loads", {})
    sellers = [member for member in pilot.memberships if member.effects.ammunition_cp]
    if _has_own(pilot, kind):
        return
    seller = next_seller(pilot)
    if not sellers:
        yield Refusal("no_special_ammunition", {"pilot": pilot.id})
    elif seller is None:
        yield Refusal("one_ton_a_cycle", {"pilot": pilot.id})
    else:
        yield from cannot_pay(event, pilot, Worth(cp=seller.effects.ammunition_cp))


def _has_own(pilot: Pilot, kind: str) -> bool:
    """Return whether the pilot's stable has this ammunition for nothing (MC-MEM-06, MCQ-MEM-05)."""
    return any(kind in member.ammunition for member in pilot.memberships)


def next_seller(pilot: Pilot) -> Membership | None:
    """Return the sponsor who sells the next ton: each sells one in an off-board cycle (MC-SPON-02)."""
    return next(
        (member for member in pilot.memberships
         if member.effects.ammunition_cp and not pilot.did(f"ammunition {member.id}")), None,
    )  # fmt: skip


def _special_ammunition(event: Event, entry: Entry) -> None:
    pilot, kind = pilot_of(event, entry), entry.facts["ammunition"]
    seller = None if _has_own(pilot, kind) else next_seller(pilot)
    if seller is not None:
        pilot.note(f"ammunition {seller.id}")
    cp = seller.effects.ammunition_cp if seller is not None else 0
    event.post(pilot, "ammunition", Worth(cp=-cp), ammunition=kind)


_HOUSE = {"house": word(*HOUSES)}
KINDS = (
    Kind("buy_ability", _buy_ability, _check_ability, {"ability": NAME, "choice": text(60)}, ("ability",), True, LEARN),
    Kind("buy_edge", _buy_edge, _check_edge, {"cards": whole(1, 4)}, (), True, strict_step=LEARN),
    Kind("declare_house", _set_house("affiliation_declare"), _check_house("affiliation_declare"), _HOUSE, ("house",),
         True, strict_step=LEARN),
    Kind("change_house", _set_house("affiliation_change"), _check_house("affiliation_change"), _HOUSE, ("house",),
         True, strict_step=LEARN),
    Kind("special_ammunition", _special_ammunition, _check_ammunition, {"ammunition": text(40), "partial": TRUTH},
         ("ammunition",), True),
)  # fmt: skip
"""Tier 4 is bound by no order unless the event says so (MCQ-ABIL-08); a loan never is (MC-OBC-07)."""
