"""The off-board cycle as one page: its steps in their only order, what each offers now, the balance on top."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from challenge.presenters import cycle_money, cycle_signing, cycle_workshop
from challenge.presenters.cycle_workshop import CycleQuery
from challenge.presenters.offers import Offer
from challenge.text.amounts import figures
from rules.challenge.cycle import (
    APPROVED,
    BUY,
    CHIPS,
    DROP,
    JOIN,
    LEARN,
    PHASE_OF,
    REPAIR,
    SALE_TO_COME,
    SELL,
    SPONSORS,
    STABLE,
)
from rules.challenge.deeds.doors import back_in
from rules.challenge.reminders import reminders_for
from rules.challenge.shared_checks import spendable
from rules.challenge.state import Event, Pilot
from rules.wording import challenge_words as words
from web.languages.reader import translate

LAST_STEP = BUY
TOPICS = {JOIN: "membership", LEARN: "ability"}
"""The reminders that belong to a step."""

LEFT, OPEN, LATER = "left", "open", "later"


@dataclass(frozen=True)
class Step:
    """A step of the cycle: left behind, open, or shut until the earlier ones are left.

    `may_return` says that nothing has been entered behind it yet, so that the page may go back to it.
    """

    number: int
    name: str
    phase: str
    is_new_phase: bool
    state: str
    may_return: bool
    offers: tuple[Offer, ...]
    reminders: tuple[str, ...]

    @property
    def allowed(self) -> list[Offer]:
        """What the rules allow now."""
        return [each for each in self.offers if each.allowed]

    @property
    def refused(self) -> list[Offer]:
        """What the rules do not allow now, each with its reasons."""
        return [each for each in self.offers if not each.allowed]

    @property
    def is_open(self) -> bool:
        """Whether the page shows its forms."""
        return self.state == OPEN

    @property
    def is_left(self) -> bool:
        """Whether the pilot has left it behind."""
        return self.state == LEFT


@dataclass(frozen=True)
class Cycle:
    """The page of a pilot's cycle. `following` is the number of the next step that offers something, None at the end.

    `others` are what no step binds.
    """

    steps: tuple[Step, ...]
    others: tuple[Offer, ...]
    following: int | None
    is_approved: bool
    needs_approval: bool
    sale_to_come: bool
    back_in: int | None

    @property
    def others_at_hand(self) -> list[Offer]:
        """What no step binds and may be done now, at least with other values in its fields."""
        return [each for each in self.others if each.allowed or each.fields]

    @property
    def others_refused(self) -> list[Offer]:
        """What no step binds and may not be done now."""
        return [each for each in self.others if not (each.allowed or each.fields)]

    @property
    def open_step(self) -> Step | None:
        """The step whose forms are shown."""
        return next((step for step in self.steps if step.is_open), None)


@dataclass(frozen=True)
class Balance:
    """What stands on top of the page: what a pilot has now, as words."""

    fame: str
    cp: str
    c_bills: str
    spendable: str
    edge: str
    wounds: int
    mech: str
    mech_state: str


def balance_of(state: Event, pilot: Pilot) -> Balance:
    """Return what a pilot has now, as words."""
    mech = pilot.mech
    return Balance(
        figures(pilot.fame),
        figures(pilot.cp),
        figures(pilot.c_bills),
        figures(spendable(state, pilot)),
        f"{pilot.edge}/{pilot.most_edge}",
        pilot.wounds,
        words.mech_name(state, mech.model.id) if mech else _("no ’Mech"),
        pgettext("a ’Mech", "damaged") if mech and mech.is_damaged and mech.state == "intact"
        else translate(words.MECH_STATES[mech.state]) if mech else "",
    )  # fmt: skip


def offers_of(state: Event, pilot: Pilot, step: int, asked: CycleQuery) -> Iterator[Offer]:
    """Yield what a step offers."""
    if step == CHIPS:
        yield from cycle_signing.chip_offers(state, pilot)
    elif step == SPONSORS:
        yield from cycle_signing.sponsor_looks(state, pilot)
    elif step == DROP:
        yield from cycle_signing.drop_offers(state, pilot)
    elif step == REPAIR:
        yield from cycle_workshop.repair_offers(state, pilot, asked)
        yield from cycle_workshop.healing_offers(state, pilot)
        yield from cycle_workshop.weapon_offers(state, pilot)
    elif step == SELL:
        yield from cycle_workshop.sale_offers(state, pilot)
    elif step == JOIN:
        yield from cycle_signing.join_offers(state, pilot)
    elif step == LEARN:
        yield from cycle_signing.ability_offers(state, pilot)
        if state.switches.strict_tier4_order:
            yield from cycle_signing.other_offers(state, pilot)
    elif step == STABLE:
        yield from cycle_signing.stable_looks(state, pilot)
    elif step == BUY:
        yield from cycle_workshop.purchase_offers(state, pilot, asked)
        yield from cycle_workshop.changed_purchase_offers(state, pilot, asked)


def unbound_offers(state: Event, pilot: Pilot) -> Iterator[Offer]:
    """Yield what no step binds (MC-OBC-07, MCQ-ABIL-08)."""
    yield from cycle_money.prison_offers(state, pilot)
    yield from cycle_money.loan_offers(state, pilot)
    if not state.switches.strict_tier4_order:
        yield from cycle_signing.other_offers(state, pilot)
    yield from cycle_workshop.limit_offers(state, pilot)
    yield from cycle_workshop.change_offers(state, pilot)
    yield from cycle_money.team_offers(state, pilot)


def cycle_of(
    state: Event, pilot: Pilot, asked_step: int | None, asked: CycleQuery, without: Iterable[str] = ()
) -> Cycle:
    """Return the page of a cycle, open at `asked_step` unless that is left behind; None opens the step it has come to.

    `without` are kinds of deeds that are not offered, such as rolls of dice on a phone.
    """
    least = max(pilot.cycle_step, CHIPS)
    barred = {("do", each) for each in without}
    offered = {
        step: tuple(each for each in offers_of(state, pilot, step, asked) if not barred & set(each.hidden))
        for step in range(least, LAST_STEP + 1)
    }
    filled = [step for step in offered if _has_something(state, pilot, step, offered[step])]
    first = next((step for step in filled), least)
    now = min(max(asked_step, least), LAST_STEP) if asked_step is not None else first
    steps = []
    for number in range(CHIPS, LAST_STEP + 1):
        stands = LEFT if number < now else OPEN if number == now else LATER
        topic = TOPICS.get(number)
        steps.append(
            Step(
                number,
                translate(words.CYCLE_STEPS[number]),
                translate(words.CYCLE_PHASES[PHASE_OF[number]]),
                number == CHIPS or PHASE_OF[number] != PHASE_OF[number - 1],
                stands,
                least <= number < now,
                offered.get(number, ()) if stands == OPEN else (),
                tuple(_(each) for each in reminders_for(topic).values()) if topic and stands == OPEN else (),
            )
        )
    others = tuple(each for each in unbound_offers(state, pilot) if not barred & set(each.hidden))
    return Cycle(
        tuple(steps),
        others,
        next((step for step in filled if step > now), None),
        pilot.did(APPROVED),
        state.switches.cycle_approval and bool(pilot.left_turns),
        pilot.did(SALE_TO_COME),
        back_in(state, pilot, pilot.table),
    )


def _has_something(state: Event, pilot: Pilot, step: int, offers: tuple[Offer, ...]) -> bool:
    """Return whether a step is worth a stop: it offers something, or asks for damage that nobody has counted."""
    return bool(offers) or (step == REPAIR and pilot.mech is not None and bool(pilot.left_turns))


def within_reach(state: Event, pilot: Pilot) -> list[tuple[str, list[Offer]]]:
    """Return what the rules allow a pilot now, or will when they are off the board, by step; empty steps stay out."""
    found = []
    for step in (REPAIR, JOIN, LEARN, BUY):
        offers = [each for each in offers_of(state, pilot, step, CycleQuery()) if each.could_be]
        if offers:
            found.append((translate(words.CYCLE_STEPS[step]), offers))
    others = [each for each in unbound_offers(state, pilot) if each.could_be]
    return [*found, (_("At any time off the board"), others)] if others else found
