"""Services ask the tables of states: in a state that forbids an act they refuse it, or leave it, and change nothing."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from catalogue.services.releases import load_release
from rules.campaign import states
from rules.campaign.states import CLAIM, CYCLE, FIXTURE, NOTHING, ROUND, SEASON, Machine
from rules.core.refusals import Malformed, SeasonRefused
from stables.models import Cycle, Fixture, FixtureSide, LineUp, NoShowClaim, Round, Season, Stable
from stables.services.fixtures import (
    forfeits,
    pairing,
    programs,
    rounds,
    swaps,
    taking_back,
)  # fmt: skip
from stables.services.line_ups import appointments, line_ups, match_setup
from stables.services.market import readiness
from stables.services.results import corrections, reports, rulings, settlement, tabletop
from stables.services.running import calendars, coming, guests, participation, passing, pauses, stables, waiting_list
from stables.services.season import (
    collections,
    drafts,
    endings,
    invitations,
    messages,
    next_season,
    opening,
    seasons,
    settings,
)
from stables.services.standings import ceremony, closing
from tests.stables.conftest import FOUR
from tests.stables.season_worlds import Enters, inside, world_of
from tests.stables.tabletop_matches import NOON, fixture_of, person, red_wins, sides_of, tables
from tests.stored import rows_of

pytestmark = pytest.mark.django_db

MODELS = {SEASON: Season, CYCLE: Cycle, ROUND: Round, FIXTURE: Fixture, CLAIM: NoShowClaim}
LATER = NOON + timedelta(days=2)


def confirmed_by_silence() -> Season:
    """A running season of which silence has confirmed one result, another match is still to be reported."""
    season = tables(load_release(), FOUR)
    fixture = fixture_of(season)
    red, _ = sides_of(fixture)
    reports.file_report(
        fixture_id=fixture.pk, stable_id=red.stable_id, document=red_wins(), user=red.stable.owner, now=NOON
    )
    assert reports.chase(fixture_id=fixture.pk, now=LATER) == "confirmed"
    return season


by_silence = world_of("confirmed by silence", confirmed_by_silence)


class Played:
    """The season, its cycle and round, and two fixtures: one whose result silence confirmed and one without."""

    def __init__(self, season: Season) -> None:
        self.season = Season.objects.get(pk=season.pk)
        self.cycle = season.cycles.get()
        self.round = self.cycle.rounds.get()
        self.settled, self.sealed = fixture_of(season, 1), fixture_of(season, 2)
        self.first, self.silent = sides_of(self.settled)
        self.open_side = sides_of(self.sealed)[0]
        self.referee, self.organiser = person("referee"), season.organiser

    def put(self, machine: Machine, state: str, fixture: Fixture | None = None) -> None:
        rows = {SEASON: self.season, CYCLE: self.cycle, ROUND: self.round, FIXTURE: fixture or self.sealed}
        MODELS[machine]._default_manager.filter(pk=rows[machine].pk).update(state=state)

    def report(self) -> object:
        return reports.file_report(
            fixture_id=self.sealed.pk, stable_id=self.open_side.stable_id, document=red_wins(), now=NOON
        )

    def hand_in(self) -> object:
        return line_ups.submit_nearest_legal(stable_id=self.open_side.stable_id, fixture_id=self.sealed.pk)

    def forfeit(self) -> object:
        why = FixtureSide.Forfeit.LATE
        return forfeits.forfeit(fixture_id=self.sealed.pk, stable_ids=[self.open_side.stable_id], why=why)

    def rule(self) -> object:
        return rulings.decide(fixture_id=self.sealed.pk, user=self.referee, document=red_wins(), reason="seen")

    def reopen(self) -> object:
        return reports.reopen(
            fixture_id=self.settled.pk, stable_id=self.silent.stable_id, reason="I was away", now=LATER
        )

    def shop(self) -> object:
        return readiness.say_ready(stable_id=self.first.stable_id, without_crew=True)

    def found_stable(self) -> object:
        return seasons.found_stable(season_id=self.season.pk, name="Latecomers", owner=self.referee)

    def call_round(self) -> object:
        return rounds.call_time(round_id=self.round.pk)

    def arrange_match(self) -> object:
        return appointments.propose(
            stable_id=self.open_side.stable_id, fixture_id=self.sealed.pk, at=timezone.now() + timedelta(hours=1)
        )

    def seat_players(self) -> object:
        return match_setup.prepare_match(fixture_id=self.sealed.pk)

    def swap(self) -> object:
        return swaps.swap(
            fixture_id=self.sealed.pk, stable_id=self.open_side.stable_id, other_id=self.first.stable_id,
            reason="seen", user=self.organiser,
        )  # fmt: skip

    def take_back(self) -> object:
        return taking_back.take_back(stable_id=self.open_side.stable_id, fixture_id=self.sealed.pk)

    def play_at_table(self) -> object:
        return tabletop.require_at_table(Fixture.objects.get(pk=self.sealed.pk))

    def correct(self) -> object:
        wanted = corrections.Wanted("void")
        return corrections.correct(
            fixture_id=self.settled.pk, wanted=wanted, reason="seen", seal="-", user=self.organiser
        )


Call = Callable[[Played], object]
LEFT_ALONE = ""

CALLS: dict[tuple[str, str], tuple[Call, set[str]]] = {
    ("season", "publish"): (lambda at: opening.publish_season(season_id=at.season.pk), {"season_no_draft"}),
    ("season", "start"): (lambda at: seasons.start_season(season_id=at.season.pk), {"season_not_recruiting"}),
    ("season", "decide_titles"): (
        lambda at: endings.let_titles_be_decided(Season.objects.get(pk=at.season.pk)),
        {LEFT_ALONE},
    ),
    ("season", "hold_ceremony"): (lambda at: ceremony.hold_ceremony(season_id=at.season.pk), {LEFT_ALONE}),
    ("season", "decide_again"): (
        lambda at: endings.take_back_ceremony(Season.objects.get(pk=at.season.pk)),
        {LEFT_ALONE},
    ),
    ("season", "finish"): (
        lambda at: ceremony.close_season(season_id=at.season.pk, user=at.organiser),
        {"season_not_to_close"},
    ),
    ("season", "cancel"): (lambda at: endings.cancel_season(season_id=at.season.pk, is_sure=True), {"season_is_over"}),
    ("season", "take_up_collection"): (
        lambda at: collections.take_up(season_id=at.season.pk, organiser=at.organiser, slug=""),
        {"season_not_recruiting"},
    ),
    ("season", "change_plan"): (
        lambda at: settings.change_settings(season_id=at.season.pk, changes={"absence_pays": 1}),
        {"season_not_running"},
    ),
    ("season", "change_calendar"): (
        lambda at: calendars.change_calendar(season_id=at.season.pk, calendar={}),
        {"season_not_running"},
    ),
    ("season", "invite"): (lambda at: invitations.invite(season_id=at.season.pk), {"season_not_running"}),
    ("season", "change_part"): (
        lambda at: participation.withdraw(stable_id=at.first.stable_id),
        {"season_not_running"},
    ),
    ("season", "remove_stable"): (
        lambda at: stables.remove(stable_id=at.first.stable_id, reason="seen", user=at.organiser),
        {"stable_stays"},
    ),
    ("season", "manage_stable"): (
        lambda at: stables.withdraw(stable_id=at.first.stable_id, reason="seen", user=at.organiser),
        {"season_not_running"},
    ),
    ("season", "pass_stable"): (
        lambda at: passing.pass_to(stable_id=at.first.stable_id, name="referee", reason="seen", user=at.organiser),
        {"season_not_running"},
    ),
    ("season", "claim_stable"): (
        lambda at: guests.make_claim_link(stable_id=at.first.stable_id, user=person("guest")),
        {"season_not_running"},
    ),
    ("season", "rename"): (
        lambda at: drafts.rename_season(season_id=at.season.pk, name="Another"),
        {"season_not_renamed"},
    ),
    ("season", "ask_who_comes"): (
        lambda at: coming.ask(season_id=at.season.pk, at=timezone.now() + timedelta(days=1), user=at.organiser),
        {"season_not_running"},
    ),
    ("season", "write_to_all"): (
        lambda at: messages.write_to_all(season_id=at.season.pk, text="Tonight at eight."),
        {"nobody_to_write_to"},
    ),
    ("season", "wait_for_a_place"): (
        lambda at: waiting_list.wait(season_id=at.season.pk, user=at.referee),
        {"season_closed_to_newcomers"},
    ),
    ("season", "change_program"): (
        lambda at: programs.propose(stable_id=at.first.stable_id, username="referee"),
        {"appointment_over"},
    ),
    ("season", "shop"): (Played.shop, {"no_open_market"}),
    ("season", "found_stable"): (Played.found_stable, {"season_closed_to_newcomers"}),
    ("season", "start_cycle"): (lambda at: seasons.start_cycle(season_id=at.season.pk), {"no_open_market"}),
    ("season", "pair_ready"): (lambda at: pairing.pair_ready(season_id=at.season.pk), {"nobody_to_pair"}),
    ("season", "call_round"): (Played.call_round, {"no_round_to_call"}),
    ("season", "arrange_match"): (Played.arrange_match, {"appointment_over"}),
    ("season", "pause"): (lambda at: pauses.pause(season_id=at.season.pk), {"season_not_running"}),
    ("season", "correct_result"): (Played.correct, {"results_are_final"}),
    ("season", "follow"): (
        lambda at: next_season.open_next_season(season_id=at.season.pk, organiser=at.organiser),
        {"season_not_over"},
    ),
    ("cycle", "shop"): (Played.shop, {"no_open_market"}),
    ("cycle", "found_stable"): (Played.found_stable, {"season_closed_to_newcomers"}),
    ("cycle", "start"): (lambda at: seasons.start_cycle(season_id=at.season.pk), {"no_open_market"}),
    ("cycle", "pair_ready"): (lambda at: pairing.pair_ready(season_id=at.season.pk), {"nobody_to_pair"}),
    ("cycle", "begin"): (lambda at: pairing.pair_round(cycle_id=at.cycle.pk, number=1), {LEFT_ALONE}),
    ("cycle", "drop"): (lambda at: pairing.pair_round(cycle_id=at.cycle.pk, number=1), {LEFT_ALONE}),
    ("cycle", "decide_places"): (
        lambda at: closing.decide_places(cycle_id=at.cycle.pk),
        {"cycle_not_over", LEFT_ALONE},
    ),
    ("cycle", "finish"): (lambda at: closing.finish_cycle(cycle_id=at.cycle.pk), {"cycle_not_over", LEFT_ALONE}),
    ("cycle", "leave"): (lambda at: participation.withdraw(stable_id=at.first.stable_id), {"cycle_is_closing"}),
    ("cycle", "reopen_result"): (Played.reopen, {"reopen_too_late"}),
    ("cycle", "correct_result"): (Played.correct, {"cycle_is_closing"}),
    ("round", "settle"): (
        lambda at: rounds.settle_when_complete(Round.objects.get(pk=at.round.pk)),
        {LEFT_ALONE},
    ),
    ("round", "call"): (Played.call_round, {"no_round_to_call"}),
    ("round", "swap"): (Played.swap, {"swap_too_late"}),
    ("fixture", "swap"): (Played.swap, {"swap_too_late"}),
    ("fixture", "take_back"): (Played.take_back, {"line_ups_revealed"}),
    ("fixture", "arrange_match"): (Played.arrange_match, {"appointment_over"}),
    ("fixture", "seat_players"): (Played.seat_players, {LEFT_ALONE}),
    ("fixture", "play_at_table"): (Played.play_at_table, {"report_too_early"}),
    ("fixture", "seal"): (Played.forfeit, {LEFT_ALONE}),
    ("fixture", "settle"): (
        lambda at: settlement.settle_fixture(fixture_id=at.sealed.pk),
        {"line_up_too_early"},
    ),
    ("fixture", "rule"): (Played.rule, {"fixture_settled", "report_too_early"}),
    ("fixture", "hand_in"): (Played.hand_in, {"line_up_too_early"}),
    ("fixture", "report"): (Played.report, {"fixture_settled", "report_too_early"}),
    ("fixture", "reopen"): (Played.reopen, {"reopen_not_silent"}),
    ("fixture", "correct"): (Played.correct, {"result_not_settled"}),
}
OF_THE_SETTLED = {("fixture", "reopen"), ("fixture", "correct")}
SAME_ACT = {"change_calendar": "change_plan"}

CLAIMS: dict[str, set[str]] = {
    "claim": {"no_show_claimed", "no_show_decided"},
    "claim_again": {"no_show_claimed", "no_show_decided"},
    "claim_time": {"no_show_claimed", "no_show_decided"},
    "choose_forfeit": {"claim_not_yours", "no_show_decided"},
    "choose_stand_in": {"claim_not_yours", "no_show_decided"},
    "withdraw": {"no_show_decided"},
    "answer": {"no_show_decided"},
}
BESIDE = ("agree_date", "forfeit_unplayed", "excuse", "declare_forfeit")
"""Acts on a claim that come with another one, which is done in any state of the claim."""


def forbidden(machine: Machine, act: str) -> list[str]:
    return [state for state in machine.states if not machine.may(act, state)]


def cases() -> Iterator[Any]:
    for machine in states.MACHINES:
        for name, act in CALLS:
            for state in forbidden(machine, SAME_ACT.get(act, act)) if name == machine.name else ():
                yield pytest.param(machine, act, state, id=f"{name}-{act}-{state}")


@pytest.fixture(scope="module")
def played(django_db_blocker: Any, by_silence: Enters) -> Iterator[Played]:
    with inside(django_db_blocker, by_silence) as season:
        yield Played(season)


def everything() -> dict[str, Any]:
    """Every row of seasons, jobs and notices; no service here writes any other."""
    return rows_of("stables", "jobs", "people")


def prepare(played: Played, act: str) -> None:
    """Bring about what an act needs beside the state."""
    if act == "hand_in":
        LineUp.objects.filter(side=played.open_side).delete()
    elif act == "claim_stable":
        guest = person("guest")
        type(guest)._default_manager.filter(pk=guest.pk).update(is_guest=True)
        Stable.objects.filter(pk=played.first.stable_id).update(owner=guest, is_ai=False)
    elif act == "seat_players":
        Fixture.objects.filter(pk=played.sealed.pk).update(mode=Fixture.Mode.BROWSER)


def outcome(call: Callable[[], object]) -> str:
    try:
        call()
    except (SeasonRefused, Malformed) as problem:
        return problem.code
    return LEFT_ALONE


def test_every_act_in_a_table_has_its_service_here() -> None:
    asked = {(machine.name, act) for machine in states.MACHINES for act in machine.acts if forbidden(machine, act)}
    # What makes a row, or changes it while it is made, finds no other state.
    made = {(machine.name, name) for machine in states.MACHINES for name, act in machine.acts.items()
            if act.sources == (NOTHING,)} | {("season", "keep_as_draft")}  # fmt: skip
    held = {(name, SAME_ACT.get(act, act)) for name, act in CALLS}
    held |= {("claim", act) for act in {*CLAIMS, *BESIDE}}
    assert asked - made == held


@pytest.mark.parametrize(("machine", "act", "state"), list(cases()))
def test_a_service_does_nothing_where_its_table_forbids_it(
    played: Played, machine: Machine, act: str, state: str
) -> None:
    call, codes = CALLS[machine.name, act]
    played.put(machine, state, played.settled if (machine.name, act) in OF_THE_SETTLED else None)
    prepare(played, act)
    before = everything()
    assert outcome(lambda: call(played)) in codes
    assert everything() == before


@pytest.mark.parametrize(
    "act", [
        "invite", "pause", "cancel", "hand_in", "report", "rule", "reopen", "seal", "arrange_match", "seat_players",
    ],
)  # fmt: skip
def test_a_service_acts_where_its_table_allows_it(played: Played, act: str) -> None:
    name = next(name for name, known in CALLS if known == act)
    if act == "hand_in":
        played.put(FIXTURE, "line_ups")
    prepare(played, act)
    before = everything()
    assert outcome(lambda: CALLS[name, act][0](played)) == LEFT_ALONE
    assert everything() != before


# --- models -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("machine", states.MACHINES, ids=lambda machine: machine.name)
def test_models_and_tables_hold_the_same_states(machine: Machine) -> None:
    assert MODELS[machine].State.values == list(machine.states)


@pytest.mark.parametrize(("machine", "act"), [(CYCLE, "open"), (ROUND, "pair"), (FIXTURE, "pair"), (CLAIM, "claim")])
def test_a_new_row_has_the_first_state_of_its_table(machine: Machine, act: str) -> None:
    assert MODELS[machine]().state == machine.next_state(act)
