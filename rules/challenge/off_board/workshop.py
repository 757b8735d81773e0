"""The workshop: repairs, healing, O'Neals' weapons, sales and purchases of 'Mechs, changes to them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from rules.challenge.asking import cannot_pay, pilot_of
from rules.challenge.custom import changed_price, why_not_customise
from rules.challenge.cycle import BUY, REPAIR, SELL
from rules.challenge.entries import DICE, NAME, TRUTH, Entry, Kind
from rules.challenge.mechs import PARTS, Mech
from rules.challenge.memberships import restore
from rules.challenge.quotes.repair import MODES, healing_price, repair_quote, why_not_repair
from rules.challenge.quotes.trade import purchase_quote, sale_quote, why_not_buy, why_not_sell
from rules.challenge.state import Event, Pilot
from rules.challenge.worth import Worth
from rules.core.refusals import Refusal
from rules.core.shapes import listed, record, text, whole, word

MOST_REPLACED = 12


def _mech(event: Event, pilot: Pilot, facts: Mapping[str, Any]) -> Mech | None:
    """Return the 'Mech that an entry names, or the one that the pilot uses."""
    name = facts.get("mech")
    return next((mech for mech in pilot.mechs if name is None or mech.model.id == name), None)


def _counted(mech: Mech, facts: Mapping[str, Any]) -> None:
    """Take the damage that the sheet shows in place of what the entries of the arena say."""
    if "damage" in facts:
        mech.damage = dict(facts["damage"])


# --- repair and healing ----------------------------------------------------------------------------------------------


def _check_repair(event: Event, entry: Entry) -> Iterator[Refusal]:
    pilot, facts = pilot_of(event, entry), entry.facts
    mech = _mech(event, pilot, facts)
    if mech is None:
        yield Refusal("no_mech", {"pilot": pilot.id})
        return
    seen = Mech(mech.model, mech.book, mech.paid, mech.state, mech.ejected, dict(facts.get("damage", mech.damage)))
    cp, coupon = facts.get("cp", 0), facts.get("coupon", False)
    yield from why_not_repair(event, pilot, seen, facts["mode"], cp, coupon)
    quote = repair_quote(event, pilot, seen, facts["mode"], cp, coupon)
    if not facts.get("before_sale", False):
        # Before a sale a repair may overdraw: the sale pays for it (MC-MECH-02, R-LOAN-04).
        yield from cannot_pay(event, pilot, Worth(0, cp, quote.c_bills))


def _repair(event: Event, entry: Entry) -> None:
    pilot, facts = pilot_of(event, entry), entry.facts
    mech = _mech(event, pilot, facts)
    if mech is None:
        return
    _counted(mech, facts)
    quote = repair_quote(event, pilot, mech, facts["mode"], facts.get("cp", 0), facts.get("coupon", False))
    event.post(pilot, "repair", Worth(0, -quote.cp, -quote.c_bills), mode=quote.mode, mech=mech.model.id)
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
    """Heal wounds; each gives a suspended ability back, those named first (MC-WOUND-03, R-WOUND-02)."""
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
        event.post(pilot, "sale", Worth(c_bills=quote.c_bills), mech=mech.model.id, percent=quote.percent)


def _check_buy(event: Event, entry: Entry) -> Iterator[Refusal]:
    model = event.models.get(entry.facts["mech"])
    if model is None:
        yield Refusal("mech_unknown", {"mech": entry.facts["mech"]})
    else:
        yield from why_not_buy(event, pilot_of(event, entry), model)


def _buy(event: Event, entry: Entry) -> None:
    pilot, model = pilot_of(event, entry), event.models[entry.facts["mech"]]
    quote = purchase_quote(event, pilot, model)
    pilot.mechs.append(Mech(model, quote.book, quote.c_bills))
    event.post(pilot, "purchase", Worth(c_bills=-quote.c_bills), mech=model.id)


def _check_give_back(event: Event, entry: Entry) -> Iterator[Refusal]:
    """Only a 'Mech above the session's limit goes back at its price (MC-LIMIT-02)."""
    pilot = pilot_of(event, entry)
    mech = _mech(event, pilot, entry.facts)
    if mech is None:
        yield Refusal("no_mech", {"pilot": pilot.id})
    elif event.most_value is None or mech.model.cost <= event.most_value:
        yield Refusal("mech_within_limit", {"mech": mech.model.id})


def _give_back(event: Event, entry: Entry) -> None:
    pilot = pilot_of(event, entry)
    mech = _mech(event, pilot, entry.facts)
    if mech is not None:
        pilot.mechs.remove(mech)
        event.post(pilot, "given_back", Worth(c_bills=mech.paid), mech=mech.model.id)


def _check_customise(event: Event, entry: Entry) -> Iterator[Refusal]:
    pilot = pilot_of(event, entry)
    mech = _mech(event, pilot, entry.facts)
    if mech is None:
        yield Refusal("no_mech", {"pilot": pilot.id})
    else:
        yield from why_not_customise(event, pilot, mech, entry.facts)


def _customise(event: Event, entry: Entry) -> None:
    """Change a 'Mech with a stable's or Larzellier's leave; its new cost is its book cost (MC-CUST-05, MC-CUST-06)."""
    pilot = pilot_of(event, entry)
    mech = _mech(event, pilot, entry.facts)
    if mech is not None:
        price = changed_price(mech, entry.facts["cost"])
        event.post(pilot, "customised", Worth(c_bills=-price), mech=mech.model.id, by=entry.facts["with"])
        mech.book = entry.facts["cost"]
        mech.built_by = entry.facts["with"]


_DAMAGE = record({part: whole(0, 99) for part in PARTS}, [])
_ITEMS = listed(text(40), 0, 20)

KINDS = (
    Kind(
        "repair", _repair, _check_repair,
        {"mode": word(*MODES), "cp": whole(0, 99), "coupon": TRUTH, "damage": _DAMAGE, "mech": NAME,
         "before_sale": TRUTH},
        ("mode",), True, REPAIR,
    ),
    Kind(
        "heal", _heal, _check_heal, {"wounds": whole(1, 99), "restore": listed(NAME, 0, 20)}, (), True, REPAIR,
    ),
    Kind("replace_weapon", _replace, _check_replace, {"dice": DICE}, ("dice",), True, REPAIR),
    Kind("sell", _sell, _check_sell, {"mech": NAME, "unrepaired": TRUTH}, (), True, SELL),
    Kind("buy_mech", _buy, _check_buy, {"mech": NAME}, ("mech",), True, BUY),
    Kind("give_back", _give_back, _check_give_back, {"mech": NAME}, (), True),
    Kind(
        "customise", _customise, _check_customise,
        {"with": NAME, "cost": whole(1, 10**9), "removed": _ITEMS, "added": _ITEMS, "mech": NAME,
         "weight_removed": whole(0, 10**6), "weight_added": whole(0, 10**6), "same_location": TRUTH},
        ("with", "cost"), True,
    ),
)  # fmt: skip
