"""The workshop: repairs, healing, O'Neals' weapons, sales and purchases of 'Mechs, changes to them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from fractions import Fraction
from typing import Any

from rules.challenge.custom import changed_price, physical_relief, why_not_customise
from rules.challenge.cycle import BUY, REPAIR, SALE_TO_COME, SELL
from rules.challenge.entries import DICE, NAME, TRUTH, Entry, Kind
from rules.challenge.mechs import COUNTED, Mech, MechModel
from rules.challenge.memberships import restore, team_of
from rules.challenge.off_board.teams import buyer_for, check_team, pay
from rules.challenge.quotes.repair import MODES, healing_price, repair_quote, why_not_repair
from rules.challenge.quotes.trade import purchase_quote, sale_quote, why_not_buy, why_not_sell
from rules.challenge.shared_checks import cannot_pay, pilot_of
from rules.challenge.state import Event, Pilot
from rules.challenge.worth import Worth
from rules.core.refusals import Refusal
from rules.core.shapes import Schema, listed, record, text, whole, word


def _mech(event: Event, pilot: Pilot, facts: Mapping[str, Any]) -> Mech | None:
    """Return the 'Mech that an entry names, or the one that the pilot uses."""
    name = facts.get("mech")
    return next((mech for mech in pilot.mechs if name is None or mech.model.id == name), None)


def _to_mend(mech: Mech, damage: Mapping[str, int], facts: Mapping[str, Any]) -> Mech:
    """Return the 'Mech as it is repaired: `damage` is what the sheet shows, `parts` of the entry what is chosen of it.

    A full repair mends all.
    """
    chosen = facts.get("parts", damage) if facts["mode"] == "spot" else damage
    return Mech(mech.model, mech.book, mech.paid, mech.state, mech.ejected, dict(chosen))


# --- repair and healing ----------------------------------------------------------------------------------------------


def _check_repair(event: Event, entry: Entry) -> Iterator[Refusal]:
    pilot, facts = pilot_of(event, entry), entry.facts
    mech = _mech(event, pilot, facts)
    if mech is None:
        yield Refusal("no_mech", {"pilot": pilot.id})
        return
    damage = facts.get("damage", mech.damage)
    for part, count in facts.get("parts", {}).items():
        if facts["mode"] != "spot" or count > damage.get(part, 0):
            yield Refusal("no_such_damage", {"part": part, "there": damage.get(part, 0)})
    seen = _to_mend(mech, damage, facts)
    cp, coupon = facts.get("cp", 0), facts.get("coupon", False)
    if facts.get("from_team", False):
        yield from check_team(event, entry)
    buyer = _buyer(event, pilot, facts)
    if coupon and buyer is not pilot:
        yield Refusal("no_coupon", {"pilot": buyer.id})
    yield from why_not_repair(event, buyer, seen, facts["mode"], cp, coupon and buyer is pilot)
    quote = repair_quote(event, buyer, seen, facts["mode"], cp, coupon)
    if not facts.get("before_sale", False) or buyer is not pilot:
        # Before a sale a repair may overdraw: the sale pays for it (MC-MECH-02, MCQ-LOAN-04).
        yield from cannot_pay(event, buyer, Worth(0, quote.cp, quote.c_bills))


def _buyer(event: Event, pilot: Pilot, facts: Mapping[str, Any]) -> Pilot:
    """Return who pays: the pilot, or their team where the entry says so (MC-TEAM-03)."""
    return buyer_for(event, pilot) if facts.get("from_team", False) else pilot


def _repair(event: Event, entry: Entry) -> None:
    pilot, facts = pilot_of(event, entry), entry.facts
    mech = _mech(event, pilot, facts)
    if mech is None:
        return
    damage = dict(facts.get("damage", mech.damage))
    from_team = facts.get("from_team", False)
    buyer = _buyer(event, pilot, facts)
    seen = _to_mend(mech, damage, facts)
    quote = repair_quote(event, buyer, seen, facts["mode"], facts.get("cp", 0), facts.get("coupon", False))
    price = Worth(0, quote.cp, quote.c_bills)
    if facts.get("before_sale", False) and any(cannot_pay(event, pilot, price)):
        pilot.note(SALE_TO_COME)
    why = {"mode": quote.mode, "mech": mech.model.id, "modifiers": quote.modifiers}
    pay(event, pilot, "repair", price, from_team, **why)
    left = {part: count - seen.damage.get(part, 0) for part, count in damage.items()}
    if quote.mode == "spot" and any(left.values()):
        # What is left stays broken, and a section works only when all of it is repaired (MC-REP-05).
        mech.damage, mech.ejected = left, False
    else:
        mech.mend()
    if quote.coupon:
        pilot.coupon = False


def _check_heal(event: Event, entry: Entry) -> Iterator[Refusal]:
    pilot = pilot_of(event, entry)
    wounds = entry.facts.get("wounds", pilot.wounds)
    if not pilot.wounds or wounds > pilot.wounds:
        yield Refusal("no_such_wounds", {"pilot": pilot.id, "wounds": pilot.wounds})
    yield from cannot_pay(event, pilot, Worth(0, 0, healing_price(event, pilot, wounds)))


def _heal(event: Event, entry: Entry) -> None:
    """Heal wounds; each gives a suspended ability back, those named first (MC-WOUND-03, MCQ-WOUND-02)."""
    pilot = pilot_of(event, entry)
    wounds = min(entry.facts.get("wounds", pilot.wounds), pilot.wounds)
    event.post(pilot, "healing", Worth(c_bills=-healing_price(event, pilot, wounds)), wounds=wounds)
    wanted = list(entry.facts.get("restore", ()))
    for _ in range(wounds):
        pilot.wounds -= 1
        restore(event, pilot, wanted.pop(0) if wanted else None)


def _check_replace(event: Event, entry: Entry) -> Iterator[Refusal]:
    """Only O'Neals tries, once for each disabled weapon (MC-REP-16)."""
    pilot = pilot_of(event, entry)
    if not any(effects.clan_weapons_on for effects in pilot.effects):
        yield Refusal("no_weapon_replacement", {"pilot": pilot.id})
    disabled = pilot.mech.damage.get("weapon", 0) if pilot.mech else 0
    if len(pilot.replacement_rolls) >= disabled:
        yield Refusal("no_disabled_weapon", {"pilot": pilot.id})


def _replace(event: Event, entry: Entry) -> None:
    """Note O'Neals' roll of two dice for a disabled weapon; no Edge rolls it again (MC-EDGE-08)."""
    pilot = pilot_of(event, entry)
    least = max(effects.clan_weapons_on for effects in pilot.effects) if pilot.effects else 0
    success = bool(least) and sum(entry.facts["dice"]) >= least
    pilot.replacement_rolls.append(success)
    event.post(pilot, "clan_weapon" if success else "no_clan_weapon", Worth(), dice=entry.facts["dice"])


# --- sale and purchase -----------------------------------------------------------------------------------------------


def _check_sell(event: Event, entry: Entry) -> Iterator[Refusal]:
    pilot = pilot_of(event, entry)
    mech = _mech(event, pilot, entry.facts)
    if mech is None:
        yield Refusal("no_mech", {"pilot": pilot.id})
    else:
        yield from why_not_sell(event, pilot, mech, not entry.facts.get("unrepaired", False))


def _sell(event: Event, entry: Entry) -> None:
    pilot = pilot_of(event, entry)
    mech = _mech(event, pilot, entry.facts)
    if mech is not None:
        quote = sale_quote(event, pilot, mech, not entry.facts.get("unrepaired", False))
        pilot.mechs.remove(mech)
        pilot.noted.pop(SALE_TO_COME, None)
        price = Worth(c_bills=-quote.c_bills)
        pay(event, pilot, "sale", price, mech.team is not None, mech=mech.model.id, percent=quote.percent)


def _check_buy(event: Event, entry: Entry) -> Iterator[Refusal]:
    pilot, facts, model = pilot_of(event, entry), entry.facts, event.models.get(entry.facts["mech"])
    if model is None:
        yield Refusal("mech_unknown", {"mech": facts["mech"]})
        return
    if facts.get("from_team", False):
        yield from check_team(event, entry)
    if "with" in facts:
        if "cost" not in facts:
            yield Refusal("changed_cost_missing")
        yield from why_not_customise(event, pilot, Mech(model, model.cost, model.cost), facts)
    yield from why_not_buy(event, _buyer(event, pilot, facts), _built(model, facts), _relief(event, model, facts))


def _built(model: MechModel, facts: Mapping[str, Any]) -> MechModel:
    """Return a model as it is bought: changed at once, it costs what it costs changed (MC-CUST-05)."""
    return replace(model, cost=facts["cost"]) if "with" in facts and "cost" in facts else model


def _relief(event: Event, model: MechModel, facts: Mapping[str, Any]) -> Fraction:
    """Return what the stable that changes a new 'Mech takes off its price (MC-STAB-11)."""
    member = event.printed.memberships.get(facts.get("with", ""))
    cost = facts.get("cost", model.cost)
    return physical_relief(member, facts, max(0, cost - model.cost)) if member is not None else Fraction(0)


def _buy(event: Event, entry: Entry) -> None:
    pilot, facts = pilot_of(event, entry), entry.facts
    model, from_team = event.models[facts["mech"]], facts.get("from_team", False)
    quote = purchase_quote(event, _buyer(event, pilot, facts), _built(model, facts), _relief(event, model, facts))
    team = team_of(event, pilot) if from_team else None
    mech = Mech(model, quote.book, quote.c_bills, built_by=facts.get("with"), team=team.id if team else None)
    pilot.mechs.append(mech)
    price = Worth(c_bills=quote.c_bills)
    pay(event, pilot, "purchase", price, from_team, mech=model.id, modifiers=quote.modifiers)


def _check_buy_back(event: Event, entry: Entry) -> Iterator[Refusal]:
    """Only a 'Mech that leaving cost comes back, and only to a member of its builder (MC-MEM-09)."""
    pilot = pilot_of(event, entry)
    mech = _sold(pilot, entry)
    if mech is None:
        yield Refusal("mech_unknown", {"mech": entry.facts["mech"]})
        return
    if not any(member.id == mech.built_by for member in pilot.memberships):
        yield Refusal("no_customising", {"membership": mech.built_by})
    yield from why_not_buy(event, pilot, replace(mech.model, cost=mech.book))


def _sold(pilot: Pilot, entry: Entry) -> Mech | None:
    return next((mech for mech in pilot.forced_sales if mech.model.id == entry.facts["mech"]), None)


def _buy_back(event: Event, entry: Entry) -> None:
    pilot = pilot_of(event, entry)
    mech = _sold(pilot, entry)
    if mech is not None:
        quote = purchase_quote(event, pilot, replace(mech.model, cost=mech.book))
        pilot.forced_sales.remove(mech)
        mech.paid = quote.c_bills
        pilot.mechs.append(mech)
        event.post(pilot, "bought_back", Worth(c_bills=-quote.c_bills), mech=mech.model.id)


def _check_give_back(event: Event, entry: Entry) -> Iterator[Refusal]:
    """Only a 'Mech above the session's limit goes back at its price (MC-LIMIT-02)."""
    pilot = pilot_of(event, entry)
    mech = _mech(event, pilot, entry.facts)
    if mech is None:
        yield Refusal("no_mech", {"pilot": pilot.id})
    elif event.most_value is None or mech.model.cost <= event.most_value:
        yield Refusal("mech_within_limit", {"mech": mech.model.id})
    elif mech.is_damaged:
        # Giving back is a sale at another price (MC-MECH-02).
        yield Refusal("repair_before_sale", {"pilot": pilot.id})


def _give_back(event: Event, entry: Entry) -> None:
    pilot = pilot_of(event, entry)
    mech = _mech(event, pilot, entry.facts)
    if mech is not None:
        pilot.mechs.remove(mech)
        pilot.noted.pop(SALE_TO_COME, None)
        event.post(pilot, "given_back", Worth(c_bills=mech.paid), mech=mech.model.id)


def _check_customise(event: Event, entry: Entry) -> Iterator[Refusal]:
    pilot = pilot_of(event, entry)
    mech = _mech(event, pilot, entry.facts)
    if mech is None:
        yield Refusal("no_mech", {"pilot": pilot.id})
    else:
        refusals = list(why_not_customise(event, pilot, mech, entry.facts))
        yield from refusals
        if not refusals:
            yield from cannot_pay(event, pilot, Worth(0, 0, changed_price(event, mech, entry.facts)))


def _customise(event: Event, entry: Entry) -> None:
    """Change a 'Mech with a stable's or Larzellier's leave; its new cost is its book cost (MC-CUST-05, MC-CUST-06)."""
    pilot = pilot_of(event, entry)
    mech = _mech(event, pilot, entry.facts)
    if mech is not None:
        price = changed_price(event, mech, entry.facts)
        event.post(pilot, "customised", Worth(c_bills=-price), mech=mech.model.id, by=entry.facts["with"])
        mech.book, mech.paid = entry.facts["cost"], mech.paid + price
        mech.built_by = entry.facts["with"]


_DAMAGE = record({part: whole(0, 99) for part in COUNTED}, [])
_ITEMS = listed(text(40), 0, 20)
_CHANGE: Mapping[str, Schema] = {
    "with": NAME, "cost": whole(1, 10**9), "removed": _ITEMS, "added": _ITEMS, "mech": NAME,
    "weight_removed": whole(0, 10**6), "weight_added": whole(0, 10**6), "same_location": TRUTH,
    "physical_cost": whole(0, 10**9),
}  # fmt: skip
"""How a 'Mech is changed: by whose leave, what it costs then, what goes and comes; weights in one unit of choice."""

KINDS = (
    Kind(
        "repair", _repair, _check_repair,
        {"mode": word(*MODES), "cp": whole(0, 99), "coupon": TRUTH, "damage": _DAMAGE, "parts": _DAMAGE, "mech": NAME,
         "before_sale": TRUTH, "from_team": TRUTH},
        ("mode",), True, REPAIR,
    ),
    Kind(
        "heal", _heal, _check_heal, {"wounds": whole(1, 99), "restore": listed(NAME, 0, 20)}, (), True, REPAIR,
    ),
    Kind("replace_weapon", _replace, _check_replace, {"dice": DICE}, ("dice",), True, REPAIR),
    Kind("sell", _sell, _check_sell, {"mech": NAME, "unrepaired": TRUTH}, (), True, SELL),
    Kind("buy_mech", _buy, _check_buy, {**_CHANGE, "from_team": TRUTH}, ("mech",), True, BUY),
    Kind("buy_back", _buy_back, _check_buy_back, {"mech": NAME}, ("mech",), True, BUY),
    Kind("give_back", _give_back, _check_give_back, {"mech": NAME}, (), True),
    Kind(
        "customise", _customise, _check_customise,
        _CHANGE, ("with", "cost"), True,
    ),
)  # fmt: skip
