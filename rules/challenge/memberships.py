"""Stables and sponsors: who may join, what leaving costs, what is lost with them; and what a wound suspends."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rules.challenge.mechs import MechModel
from rules.challenge.quotes.repair import cheapest_repair
from rules.challenge.shared_checks import cannot_pay, too_little_fame
from rules.challenge.state import Event, OwnedAbility, Pilot, Team
from rules.challenge.tables import Membership
from rules.challenge.worth import Worth, rounded_down
from rules.core.refusals import Refusal

MOST_SPONSORS = 2
"""Sponsors that a pilot may have beside one stable (MC-MEM-01)."""

SPONSORS_LOOKED = "sponsors looked"

FORCED_SALE_PERCENT = 50
REFUND_PART = 3
"""A stable that drops a pilot gives back one third of what they paid (MC-ADVST-02)."""


def price_of_joining(pilot: Pilot, membership: Membership) -> Worth:
    """Return what joining moves: CP are paid; C-bills go to a stable and come from a sponsor (MC-MEM-03).

    A sponsor that dropped the pilot before gives nothing a second time (MC-ADVSP-07).
    """
    if membership.is_stable:
        return Worth(0, -membership.cp, -membership.c_bills)
    return Worth(0, -membership.cp, 0 if membership.id in pilot.dropped else membership.c_bills)


def why_not_join(event: Event, pilot: Pilot, membership: Membership) -> Iterator[Refusal]:
    """Yield why a pilot may not join (MC-MEM-01, 02, 04, 08; MC-STAB-02; MC-TEAM-05)."""
    if membership in pilot.memberships:
        yield Refusal("member_already", {"membership": membership.id})
    elif membership.is_stable and pilot.stable is not None:
        yield Refusal("one_stable", {"stable": pilot.stable.id})
    elif not membership.is_stable and len(pilot.sponsors) >= MOST_SPONSORS:
        yield Refusal("two_sponsors", {})
    if pilot.did(f"dropped by {membership.id}"):
        yield Refusal("dropped_in_this_cycle", {"membership": membership.id})
    if membership.id in pilot.closed:
        yield Refusal("membership_closed", {"membership": membership.id})
    if membership.house is not None and pilot.house != membership.house:
        yield Refusal("wrong_house", {"membership": membership.id, "house": membership.house})
    yield from too_little_fame(pilot, membership.fame)
    if any(pilot.debt):
        yield Refusal("owes_for_leaving", {"pilot": pilot.id})
    yield from _team_objects(event, pilot, membership)
    if membership.is_stable and pilot.mech is not None:
        yield from mech_barred(event, pilot.mech.model, membership)
    price = price_of_joining(pilot, membership)
    yield from cannot_pay(event, pilot, Worth(0, -price.cp, -price.c_bills))


def _team_objects(event: Event, pilot: Pilot, membership: Membership) -> Iterator[Refusal]:
    team = event.teams.get(pilot.team or "")
    if team is None:
        return
    if not membership.is_stable and team.sponsor is membership:
        yield Refusal("sponsor_of_team", {"membership": membership.id})
    others = {
        stable.id for name in team.members if name != pilot.id and (stable := event.pilots[name].stable) is not None
    }
    if membership.is_stable and others - {membership.id}:
        yield Refusal("team_in_other_stable", {"stable": min(others)})


def mech_barred(event: Event, model: MechModel, stable: Membership) -> Iterator[Refusal]:
    """Refuse a 'Mech that a stable does not let its members use (MC-STAB-02)."""
    limits = stable.mechs
    weight_class = model.effective_class if event.switches.effective_class_limits else model.weight_class
    if weight_class not in limits.get("classes", [weight_class]):
        yield Refusal("mech_class_barred", {"membership": stable.id, "class": weight_class})
    if model.tech not in limits.get("tech", [model.tech]):
        yield Refusal("mech_tech_barred", {"membership": stable.id, "tech": model.tech})
    if model.walk < limits.get("least_walk", 0) or model.run < limits.get("least_run", 0):
        yield Refusal("mech_too_slow", {"membership": stable.id})
    wanted, slots = limits.get("open_leg_slots"), model.open_leg_slots
    if wanted and slots is not None and not all(wanted[0] <= each <= wanted[1] for each in slots):
        yield Refusal("mech_leg_slots", {"membership": stable.id})


def join(event: Event, pilot: Pilot, membership: Membership) -> None:
    """Sign with a stable or sponsor."""
    event.post(pilot, f"join_{membership.kind}", price_of_joining(pilot, membership), membership=membership.id)
    pilot.note(f"joined {membership.id}")
    if membership.is_stable:
        pilot.stable = membership
    else:
        pilot.sponsors.append(membership)


def leave_membership(event: Event, pilot: Pilot, membership: Membership) -> None:
    """Withdraw, and pay for it (MC-MEM-07); it never takes the pilot again (MC-MEM-08)."""
    event.post(pilot, f"leave_{membership.kind}", event.printed.leaving[membership.kind], membership=membership.id)
    pilot.closed.add(membership.id)
    _lose(event, pilot, membership)


def dismiss(event: Event, pilot: Pilot, membership: Membership, pays: bool = True) -> None:
    """Withdraw a pilot against their will: they pay what they have, and the rest stays a debt (MCQ-MEM-03)."""
    if pays:
        price = event.printed.leaving[membership.kind]
        paid = Worth(price.fame, -min(-price.cp, max(pilot.cp, 0)), -min(-price.c_bills, max(pilot.c_bills, 0)))
        pilot.debt = Worth(0, pilot.debt.cp + price.cp - paid.cp, pilot.debt.c_bills + price.c_bills - paid.c_bills)
        event.post(pilot, "dismissed", paid, membership=membership.id)
    pilot.closed.add(membership.id)
    _lose(event, pilot, membership)


def drop_from_stable(event: Event, pilot: Pilot) -> None:
    """End the membership of a pilot below the stable's Fame, with the refund of the advanced rule (MC-ADVST-01, 02)."""
    stable = pilot.stable
    if stable is not None:
        refund = rounded_down(stable.c_bills // REFUND_PART)
        event.post(pilot, "dropped_by_stable", Worth(c_bills=refund), membership=stable.id)
        _lose(event, pilot, stable)


def drop_by_sponsor(event: Event, pilot: Pilot, sponsor: Membership) -> None:
    """End a sponsorship that saw too little, without penalty (MC-ADVSP-03)."""
    event.post(pilot, "dropped_by_sponsor", Worth(), membership=sponsor.id)
    pilot.dropped.add(sponsor.id)
    pilot.note(f"dropped by {sponsor.id}")
    _lose(event, pilot, sponsor)


def least_earnings(event: Event, pilot: Pilot, sponsors: list[Membership]) -> int:
    """Return the C-bills that these sponsors want to see together (MC-ADVSP-01, MC-ADVSP-04, MCQ-ADV-04).

    A sponsor that got a favour wants to see nothing.
    """
    return sum(
        sponsor.least_earnings
        for sponsor in sponsors
        if sponsor.id not in pilot.favours
        and (event.switches.minimum_after_rejoining or sponsor.id not in pilot.dropped)
    )


def let_sponsors_look(event: Event, pilot: Pilot, wanted: Sequence[str] = ()) -> None:
    """Let the sponsors look at what the last arena cycle earned; who falls short keeps those that fit (MC-ADVSP-04).

    `wanted` names those to keep first.
    """
    for sponsor in _falling_short(event, pilot, wanted):
        drop_by_sponsor(event, pilot, sponsor)
    pilot.favours.clear()
    pilot.note(SPONSORS_LOOKED)


def _falling_short(event: Event, pilot: Pilot, wanted: Sequence[str] = ()) -> list[Membership]:
    """Return the sponsors that saw too little, those of `wanted` last."""
    kept: list[Membership] = []
    for sponsor in sorted(pilot.sponsors, key=lambda sponsor: sponsor.id not in wanted):
        if sponsor.id in pilot.favours or least_earnings(event, pilot, [*kept, sponsor]) <= pilot.earned:
            kept.append(sponsor)
    return [sponsor for sponsor in pilot.sponsors if sponsor not in kept]


def lost_at_the_entrance(event: Event, pilot: Pilot) -> list[Membership]:
    """Return the stable and sponsors that drop a pilot who enters now (MC-ADVSP-00, MC-ADVST-01)."""
    looks = event.plays("advanced_sponsors") and bool(pilot.left_turns) and not pilot.did(SPONSORS_LOOKED)
    lost = _falling_short(event, pilot) if looks else []
    stable = pilot.stable
    drops = event.plays("advanced_stables") and stable is not None and pilot.fame < stable.fame
    return [*lost, stable] if drops and stable is not None else lost


def check_stable_fame(event: Event, pilot: Pilot) -> None:
    """Drop a pilot who has less Fame than their stable asks for (MC-ADVST-01)."""
    if pilot.stable is not None and pilot.fame < pilot.stable.fame:
        drop_from_stable(event, pilot)


def _lose(event: Event, pilot: Pilot, membership: Membership) -> None:
    """Take the effects away at once, and sell what it allowed the pilot to change, or in the arena when they leave."""
    if membership.is_stable:
        pilot.stable = None
    else:
        pilot.sponsors = [sponsor for sponsor in pilot.sponsors if sponsor.id != membership.id]
    pilot.edge = min(pilot.edge, pilot.most_edge)
    if not pilot.is_in_arena:
        sell_without_builder(event, pilot)


def sell_without_builder(event: Event, pilot: Pilot) -> None:
    """Sell the 'Mechs that a stable or sponsor of old allowed the pilot to change (MC-MEM-09, MCQ-MEM-12).

    They are repaired first, as before every sale (MC-MECH-02), even into debt (MCQ-LOAN-04).
    """
    builders = {None, *(member.id for member in pilot.memberships)}
    for mech in [mech for mech in pilot.mechs if mech.built_by not in builders]:
        pilot.mechs.remove(mech)
        repair = cheapest_repair(event, pilot, mech)
        if repair is not None:
            event.post(pilot, "repair", Worth(c_bills=-repair.c_bills), mode=repair.mode, mech=mech.model.id)
            mech.mend()
        pilot.forced_sales.append(mech)
        price = rounded_down(mech.book * FORCED_SALE_PERCENT // 100)
        event.post(pilot, "forced_sale", Worth(c_bills=price), mech=mech.model.id)


def can_be_suspended(pilot: Pilot) -> list[OwnedAbility]:
    """Return the abilities that a wound may suspend (MC-WOUND-02)."""
    return [owned for owned in pilot.abilities if not owned.suspended and not owned.ability.wound_immune]


def suspend_for_wound(event: Event, pilot: Pilot, ability: str | None) -> None:
    """Suspend the ability that the pilot chose, the first that a wound may touch when they chose none (MC-WOUND-01).

    Toughness takes the first hit (MC-WOUND-02, MCQ-WOUND-01); without an ability nothing is lost (MCQ-WOUND-04).
    """
    first = pilot.wounds == 0 if event.switches.toughness == "since_healthy" else not pilot.tough_hit_taken
    if pilot.has("toughness") and first:
        pilot.tough_hit_taken = True
        return
    touched = can_be_suspended(pilot)
    chosen = next((owned for owned in touched if owned.ability.id == ability), touched[0] if touched else None)
    if chosen is not None:
        chosen.suspended = True
        _suspend_dependents(event, pilot)


def _suspend_dependents(event: Event, pilot: Pilot) -> None:
    """Suspend what needs an ability that is suspended (MCQ-ABIL-06)."""
    if event.switches.suspend_dependents:
        for owned in pilot.abilities:
            if owned.ability.needs and not owned.suspended and not pilot.has(owned.ability.needs):
                owned.suspended = owned.waits = True


def restore(event: Event, pilot: Pilot, ability: str | None) -> None:
    """Give a suspended ability back for a wound healed (MCQ-WOUND-02), and what only waited for it."""
    suspended = [owned for owned in pilot.abilities if owned.suspended and not owned.waits]
    chosen = next((owned for owned in suspended if owned.ability.id == ability), suspended[0] if suspended else None)
    if chosen is not None:
        chosen.suspended = False
    for owned in pilot.abilities:
        if not pilot.wounds or (owned.waits and pilot.has(owned.ability.needs or "")):
            owned.suspended = owned.waits = False


def team_of(event: Event, pilot: Pilot) -> Team | None:
    """Return the team of a pilot."""
    return event.teams.get(pilot.team or "")
