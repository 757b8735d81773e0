"""An off-board cycle at random, in its order: chips, sponsors, repairs, sales, joining, learning, purchases."""

from __future__ import annotations

from rules.challenge.generator.scribe import Document, Entries, Scribe
from rules.challenge.generator.workshop import buy, repair, sell
from rules.challenge.off_board.learning import BARRED_AMMUNITION, HOUSES
from rules.challenge.off_board.money import loan_ceiling
from rules.challenge.quotes.learning import COUNTED_TIERS
from rules.challenge.state import Pilot
from rules.challenge.worth import NOTHING

TRIES = 4
"""Stables, sponsors and abilities that a pilot asks for in one cycle."""
AMMUNITION = ("swarm", "swarm_i", "inferno", "smoke", "narc_capable", "armor_piercing", *BARRED_AMMUNITION)
WEAPONS = ("Medium Laser", "PPC", "ATM 9 / HE", "MML 5 / LRM", "AC/20")
DAY_ENDS = "the day ends, and every chip is cashed (MC-BET-08)"


def cycle(scribe: Scribe, pilot: Pilot) -> Entries:
    """Do what a pilot does off the board between two visits to the arena."""
    if not pilot.sheets_in and scribe.happens(0.8):
        yield from scribe.write({"what": "sheets_in", "by": pilot.id, "table": pilot.table})
    yield from _leave_arena(scribe, pilot)
    yield from _loose(scribe, pilot)
    yield from repair(scribe, pilot)
    yield from sell(scribe, pilot)
    yield from _join(scribe, pilot)
    yield from _learn(scribe, pilot)
    yield from scribe.off(pilot, "verify_stable")
    yield from buy(scribe, pilot)
    if scribe.event.switches.cycle_approval or scribe.happens(0.1):
        yield from scribe.off(pilot, "approve_cycle")


def cash(scribe: Scribe, pilot: Pilot) -> Entries:
    """Cash all chips at the end of a day, where need be against the order of the cycle."""
    if pilot.chips and not (yield from scribe.off(pilot, "cash_chips")):
        yield from scribe.off(pilot, "cash_chips", overruled=DAY_ENDS)


def _leave_arena(scribe: Scribe, pilot: Pilot) -> Entries:
    rows = [chip.row for chip in pilot.chips]
    if rows and scribe.happens(0.3):
        yield from scribe.off(pilot, "cash_chips", step="exit", chips=scribe.some(rows, 3))
    if pilot.chips and scribe.happens(0.7):
        yield from scribe.off(pilot, "cash_chips")
    for sponsor in pilot.sponsors:
        if scribe.happens(0.15):
            yield from scribe.off(pilot, "favour", sponsor=sponsor.id)
    if scribe.happens(0.5):
        keep = [sponsor.id for sponsor in pilot.sponsors][-1:]
        yield from scribe.off(pilot, "verify_sponsors", **({"keep": keep} if scribe.happens(0.5) else {}))
    for sponsor in list(pilot.sponsors):
        if scribe.happens(0.08):
            yield from scribe.off(pilot, "drop_sponsor", sponsor=sponsor.id)
    if scribe.happens(0.06):
        yield from scribe.off(pilot, "drop_stable")


def _loose(scribe: Scribe, pilot: Pilot) -> Entries:
    """Do some of what no order binds."""
    if pilot.debt != NOTHING:
        yield from scribe.off(pilot, "repay", **{"for": "leaving"})
    if pilot.loan is not None and pilot.loan.owed and scribe.happens(0.7):
        part: Document = {"c_bills": max(1, pilot.loan.owed // 2)} if scribe.happens(0.4) else {}
        yield from scribe.off(pilot, "repay", **part)
    if pilot.loan is None and scribe.happens(0.05):
        amount = scribe.chance.randint(1, max(1, loan_ceiling(scribe.event, pilot)))
        yield from scribe.off(pilot, "loan", amount=amount)
    if pilot.house is None:
        if scribe.happens(0.6):
            yield from scribe.off(pilot, "declare_house", house=scribe.chance.choice(HOUSES))
    elif scribe.happens(0.04):
        yield from scribe.off(pilot, "change_house", house=scribe.chance.choice(HOUSES))
    if pilot.stable is not None and scribe.happens(0.2):
        mates = [each for each in scribe.outside() if each.stable is pilot.stable and each is not pilot]
        for mate in scribe.some(mates, 1):
            yield from scribe.off(pilot, "lend", to=mate.id, c_bills=scribe.chance.randint(1, 20) * 50_000)
    yield from _team(scribe, pilot)


def _team(scribe: Scribe, pilot: Pilot) -> Entries:
    if pilot.team is None:
        if scribe.happens(0.15):
            yield from scribe.off(pilot, "team_up", team=f"team {scribe.chance.randint(1, 4)}")
        return
    if scribe.happens(0.5):
        gift: Document = {"fame": max(0, pilot.fame // 3), "cp": max(0, pilot.cp // 3)}
        yield from scribe.off(pilot, "deposit", c_bills=max(0, pilot.c_bills // 3), **gift)
    if scribe.happens(0.3):
        sponsors = [each.id for each in scribe.event.printed.memberships.values() if not each.is_stable]
        for sponsor in scribe.some(sponsors, TRIES):
            yield from scribe.off(pilot, "join_team_sponsor", sponsor=sponsor)
    if scribe.happens(0.05):
        yield from scribe.off(pilot, "split")


def _join(scribe: Scribe, pilot: Pilot) -> Entries:
    """Ask stables and sponsors: first those that sold a 'Mech of the pilot, then those of the pilot's house."""
    built = {mech.built_by for mech in pilot.forced_sales}
    members = list(scribe.event.printed.memberships.values())
    asked = [*(each for each in members if each.id in built), *scribe.some(members, 3 * TRIES)]
    for member in sorted(asked, key=lambda each: (each.id not in built, each.house is None)):
        if member.is_stable:
            yield from scribe.off(pilot, "join_stable", stable=member.id)
        else:
            yield from scribe.off(pilot, "join_sponsor", sponsor=member.id)


def _learn(scribe: Scribe, pilot: Pilot) -> Entries:
    abilities = [each for each in scribe.event.printed.abilities.values() if each.tier in COUNTED_TIERS]
    for ability in scribe.some(abilities, TRIES) if scribe.happens(0.6) else ():
        choice = {"choice": scribe.chance.choice(WEAPONS)} if ability.choice == "weapon" else {}
        yield from scribe.off(pilot, "buy_ability", ability=ability.id, **choice)
    if scribe.happens(0.2):
        yield from scribe.off(pilot, "buy_edge", **({"cards": 2} if scribe.happens(0.3) else {}))
    if scribe.happens(0.3):
        yield from scribe.off(pilot, "special_ammunition", ammunition=scribe.chance.choice(AMMUNITION))
