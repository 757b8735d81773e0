"""What a pilot does with 'Mechs off the board, at random: repairs, sales, purchases, changes to them."""

from __future__ import annotations

from rules.challenge.custom import may_add
from rules.challenge.generator.scribe import Document, Entries, Scribe, Written
from rules.challenge.mechs import PARTS, Mech
from rules.challenge.off_board.money import loan_ceiling
from rules.challenge.quotes.repair import MODES, most_repair_cp
from rules.challenge.state import Pilot

LOOKED_AT = 12
"""'Mechs of the list that a buyer asks for, before they go without."""
GM_LETS_THEM = "bought before the limit was announced"


def repair(scribe: Scribe, pilot: Pilot) -> Entries:
    """Roll for weapons at O'Neals, repair in one of the ways that there are, and heal."""
    mech = pilot.mech
    if mech is not None and mech.is_damaged:
        for _ in range(mech.damage.get("weapon", 0)):
            yield from scribe.off(pilot, "replace_weapon", dice=scribe.dice())
        if scribe.happens(0.9) and not (yield from _repair(scribe, pilot, mech)) and mech.is_damaged:
            mode = "full" if mech.state == "destroyed" else scribe.chance.choice(MODES)
            if scribe.happens(0.7):
                yield from scribe.off(pilot, "repair", mode=mode, before_sale=True)
    if pilot.wounds and scribe.happens(0.8):
        facts: Document = {}
        if scribe.happens(0.5):
            facts["wounds"] = scribe.chance.randint(1, pilot.wounds)
        if scribe.happens(0.5):
            facts["restore"] = [each.ability.id for each in pilot.abilities if each.suspended][:1]
        yield from scribe.off(pilot, "heal", **facts)


def _repair(scribe: Scribe, pilot: Pilot, mech: Mech) -> Written:
    """Try the ways to repair a 'Mech, and return whether one was taken."""
    mode = "full" if mech.state == "destroyed" else scribe.chance.choice(MODES)
    facts: Document = {"mode": mode}
    if pilot.coupon and scribe.happens(0.7):
        facts["coupon"] = True
    if most_repair_cp(pilot) and scribe.happens(0.5):
        facts["cp"] = scribe.chance.randint(0, most_repair_cp(pilot))
    if mode == "spot":
        if scribe.happens(0.3):
            facts["damage"] = {part: scribe.chance.randint(0, 3) for part in PARTS}
        elif scribe.happens(0.3):
            facts["parts"] = {part: scribe.chance.randint(0, count) for part, count in mech.damage.items()}
    if (
        pilot.team is not None
        and scribe.happens(0.5)
        and (yield from scribe.off(pilot, "repair", **{"mode": mode, "from_team": True}))
    ):
        return True
    return (yield from scribe.off(pilot, "repair", **facts))


def sell(scribe: Scribe, pilot: Pilot) -> Entries:
    """Sell what is owed to a sale, and now and then what there is."""
    mech = pilot.mech
    if mech is None:
        return
    if mech.state == "destroyed" or pilot.c_bills < 0 or scribe.happens(0.12):
        if scribe.happens(0.5):
            yield from scribe.off(pilot, "sell", unrepaired=True)
        yield from scribe.off(pilot, "sell", **({"mech": mech.model.id} if scribe.happens(0.3) else {}))


def buy(scribe: Scribe, pilot: Pilot) -> Entries:
    """Buy back what a stable sold, give back what is above the limit, and buy where there is nothing to fight in."""
    for mech in list(pilot.forced_sales):
        yield from scribe.off(pilot, "buy_back", mech=mech.model.id)
    if pilot.mech is None or (scribe.event.plays("several_mechs") and scribe.happens(0.05)):
        yield from _buy_one(scribe, pilot)
        if pilot.mech is None:
            yield from scribe.off(pilot, "loan", amount=max(1, loan_ceiling(scribe.event, pilot)))
            yield from _buy_one(scribe, pilot)
    yield from scribe.off(pilot, "give_back")


def _buy_one(scribe: Scribe, pilot: Pilot) -> Entries:
    models = scribe.some(list(scribe.event.models.values()), LOOKED_AT)
    if scribe.happens(0.5):
        models.sort(key=lambda model: -model.cost)
    for model in models:
        facts: Document = {"mech": model.id}
        if pilot.team is not None and scribe.happens(0.3):
            facts["from_team"] = True
        if pilot.stable is not None and scribe.happens(0.3):
            facts |= {"with": pilot.stable.id, "cost": model.cost + 10_000, "removed": ["ammunition"],
                      "added": scribe.some(sorted(may_add(scribe.event, pilot.stable.id)), 1)}  # fmt: skip
        too_valuable = scribe.problems({"do": "buy_mech", "pilot": pilot.id, **facts}) == {"mech_too_valuable"}
        if too_valuable and scribe.happens(0.2):
            facts["overruled"] = GM_LETS_THEM
        if (yield from scribe.off(pilot, "buy_mech", **facts)):
            return
    if pilot.mech is None:
        cheapest = min(scribe.event.models.values(), key=lambda model: model.cost)
        yield from scribe.off(pilot, "buy_mech", mech=cheapest.id)


def customise(scribe: Scribe, pilot: Pilot) -> Entries:
    """Change a 'Mech between two days, with the leave of a stable or of Larzellier."""
    mech = pilot.mech
    for member in pilot.memberships if mech is not None else ():
        added = scribe.some(sorted(may_add(scribe.event, member.id)), 2)
        cost = mech.book + scribe.chance.randrange(200_000) if mech is not None else 0
        facts: Document = {"removed": ["tag"], "added": added, "weight_removed": 4, "weight_added": 3}
        if (yield from scribe.off(pilot, "customise", **{"with": member.id, "cost": cost, **facts})):
            return
