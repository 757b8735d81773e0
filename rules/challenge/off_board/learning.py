"""Abilities, Edge, houses and special ammunition (MC-ABIL, MC-EDGE, MC-REP-15, MC-SPON-02)."""

from __future__ import annotations

from collections.abc import Iterator

from rules.challenge.asking import cannot_pay, pilot_of
from rules.challenge.cycle import LEARN
from rules.challenge.entries import NAME, TRUTH, Change, Checker, Entry, Kind
from rules.challenge.memberships import leave_membership
from rules.challenge.quotes.learning import COUNTED_TIERS, ability_quote, why_not_learn
from rules.challenge.state import Event, OwnedAbility
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
    if pilot.loan is not None and pilot.loan.lender is not None:
        yield Refusal("stablemate_loan_open", {"pilot": pilot.id})


def _buy_ability(event: Event, entry: Entry) -> None:
    pilot, ability = pilot_of(event, entry), event.printed.abilities[entry.facts["ability"]]
    quote = ability_quote(event, pilot, ability)
    event.post(pilot, "ability", Worth(0, -quote.cp, -quote.c_bills), ability=ability.id)
    pilot.abilities.append(OwnedAbility(ability, entry.facts.get("choice")))
    if ability.once:
        pilot.tokens.add(ability.id)


def _check_edge(event: Event, entry: Entry) -> Iterator[Refusal]:
    pilot, cards = pilot_of(event, entry), entry.facts.get("cards", 1)
    if pilot.edge + cards > pilot.most_edge:
        yield Refusal("edge_full", {"pilot": pilot.id, "most": pilot.most_edge})
    if event.switches.stablemate_loan_blocks_all and pilot.loan is not None and pilot.loan.lender is not None:
        yield Refusal("stablemate_loan_open", {"pilot": pilot.id})
    yield from cannot_pay(event, pilot, Worth(cp=_edge_cp(event) * cards))


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
        yield from cannot_pay(event, pilot, Worth(0, price.cp, price.c_bills))

    return check


def _set_house(name: str) -> Change:
    def apply(event: Event, entry: Entry) -> None:
        """Declare or change a house; who is bound to the old one leaves first, and pays (R-ABIL-09)."""
        pilot, price = pilot_of(event, entry), event.printed.abilities[name]
        house = entry.facts["house"]
        for membership in [each for each in pilot.memberships if each.house not in (None, house)]:
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
    price = ammunition_cp(pilot.memberships, kind)
    if price is None:
        yield Refusal("no_special_ammunition", {"pilot": pilot.id})
    else:
        yield from cannot_pay(event, pilot, Worth(cp=price))


def ammunition_cp(memberships: list[Membership], kind: str) -> int | None:
    """Return the CP of a ton of special ammunition; a stable's own kinds are free (R-MEM-05). None: nobody sells it."""
    if any(kind in member.ammunition for member in memberships):
        return 0
    prices = [member.effects.ammunition_cp for member in memberships if member.effects.ammunition_cp]
    return min(prices) if prices else None


def _special_ammunition(event: Event, entry: Entry) -> None:
    pilot, kind = pilot_of(event, entry), entry.facts["ammunition"]
    event.post(pilot, "ammunition", Worth(cp=-(ammunition_cp(pilot.memberships, kind) or 0)), ammunition=kind)


_HOUSE = {"house": word(*HOUSES)}
KINDS = (
    Kind("buy_ability", _buy_ability, _check_ability, {"ability": NAME, "choice": text(60)}, ("ability",), True, LEARN),
    Kind("buy_edge", _buy_edge, _check_edge, {"cards": whole(1, 4)}, (), True),
    Kind("declare_house", _set_house("affiliation_declare"), _check_house("affiliation_declare"), _HOUSE, ("house",),
         True),
    Kind("change_house", _set_house("affiliation_change"), _check_house("affiliation_change"), _HOUSE, ("house",),
         True),
    Kind("special_ammunition", _special_ammunition, _check_ammunition, {"ammunition": text(40), "partial": TRUTH},
         ("ammunition",), True),
)  # fmt: skip
"""Tier 4 is bound by no order unless the event says so (R-ABIL-08)."""
