"""The jobs of a season, from the first market to the last purse. Each may be started again from the top at any point.

start_cycle -> pair_round -> play_fixture (one a match) -> settle_fixture -> advance_round -> pair_round or close_cycle.
A chase acts on a passed deadline. Jobs of a cancelled season do nothing more.
"""

from __future__ import annotations

from datetime import datetime

from jobs.registry import job, periodic
from jobs.run import Run
from matches.services.matches import resolve_with_bots
from stables.models import Cycle, Fixture, FixtureSide, Round, Season, Stable
from stables.services.ai import owners
from stables.services.base.job_requests import ask_for
from stables.services.fixtures import forfeits, hand_overs, pairing, rounds
from stables.services.line_ups.match_setup import prepare_match
from stables.services.market import baskets
from stables.services.results import settlement
from stables.services.running import overdue
from stables.services.standings import closing


@job("stables.start_cycle")
def start_cycle(run: Run) -> None:
    """Buy the sealed baskets, let the AI shop for all stables that it runs now, and ask for round 1. Payload: cycle."""
    cycle = Cycle.objects.select_related("season__release").get(pk=run.payload["cycle"])
    if is_cancelled(run):
        return
    filled = baskets.fill_baskets(cycle_id=cycle.pk, run_step=run.once)
    shopping = list(owners.ai_stables(cycle.season_id))
    # Baskets need one step more, which decides about Uniques.
    run.plan((filled + 1 if filled else 0) + len(shopping) + 1)
    for stable in shopping:
        step = f"shop:{stable.number}"
        owners.shop(stable_id=stable.pk, cycle_id=cycle.pk, step=step, run_step=run.once)
    for stable in hand_overs.shopping(cycle.season_id):
        step = f"shop:{stable.number}"
        hand_overs.shop(stable_id=stable.pk, cycle_id=cycle.pk, step=step, run_step=run.once)
    run.once("pair", lambda: rounds.ask_for_round(cycle, 1))


def is_cancelled(run: Run) -> bool:
    """Return whether the season in the job's payload was cancelled; one query. The job must do nothing then."""
    season: int | None = run.payload.get("season")
    return season is not None and Season.objects.filter(pk=season, state=Season.State.CANCELLED).exists()


@job("stables.pair_round")
def pair_round(run: Run) -> None:
    """Pair a round, then repair and hand in line-ups for the stables that the AI runs now. Payload: cycle, number."""
    if is_cancelled(run):
        return
    cycle_id, number = run.payload["cycle"], run.payload["number"]
    round_id = run.once("pair", lambda: pairing.pair_round(cycle_id=cycle_id, number=number).round_id)
    _prepare_ai(run, round_id, 1)


@job("stables.prepare_round")
def prepare_round(run: Run) -> None:
    """Repair and hand in line-ups for the stables that the AI runs now, in a round that is paired in parts.

    Payload: round.
    """
    if not is_cancelled(run):
        _prepare_ai(run, run.payload["round"], 0)


def _prepare_ai(run: Run, round_id: int | None, steps_before: int) -> None:
    sides = FixtureSide.objects.filter(
        fixture__round=round_id, fixture__kind=Fixture.Kind.MATCH, stable__is_ai=True
    ).order_by("fixture__number", "id")
    run.plan(sides.count() + steps_before)
    for fixture_id, stable_id, number in list(sides.values_list("fixture", "stable", "stable__number")):
        owners.prepare(stable_id=stable_id, fixture_id=fixture_id, step=f"prepare:{number}", run_step=run.once)
    if round_id is not None:
        for fixture_id, stable in hand_overs.waiting_in(round_id):
            step = f"prepare:{stable.number}"
            hand_overs.prepare(stable_id=stable.pk, fixture_id=fixture_id, step=step, run_step=run.once)


@job("stables.play_fixture")
def play_fixture(run: Run) -> None:
    """Make the match of a sealed fixture and seat its players; bots alone play it to its end. Payload: fixture.

    Call it outside transactions. The end of the match asks for the settlement. A match with people waits for them, and
    a match at a table for its report. A second run of the job seats the players of that moment in a running match.
    """
    if is_cancelled(run):
        return
    match, bots = prepare_match(fixture_id=run.payload["fixture"])
    if match is not None and bots:
        resolve_with_bots(match.pk, bots)


@job("stables.nominate")
def nominate(run: Run) -> None:
    """Hand in the missing line-ups of a fixture that all others forfeit; that asks for its settlement.

    Payload: fixture.
    """
    if is_cancelled(run):
        return
    fixture_id = run.payload["fixture"]
    for stable_id in forfeits.missing_of(fixture_id):
        run.once(f"nominate:{stable_id}", lambda: forfeits.nominate(fixture_id=fixture_id, stable_id=stable_id))  # noqa: B023


@job("stables.settle_fixture")
def settle_fixture(run: Run) -> None:
    """Settle a fixture; the settlement of a round's last one asks for the next step. Payload: fixture.

    Raises SeasonRefused (line_up_too_early) for a fixture without a finished match or a forfeit.
    """
    if is_cancelled(run):
        return
    run.once("settle", lambda: settlement.settle_fixture(fixture_id=run.payload["fixture"]).is_new)


@job("stables.advance_round")
def advance_round(run: Run) -> None:
    """Ask for the cycle's first round that is not settled, or for its close after the last. Payload: round."""
    settled = Round.objects.select_related("cycle__season").get(pk=run.payload["round"])
    run.once("advance", lambda: rounds.move_on(settled.cycle))


@job("stables.chase")
def chase(run: Run) -> None:
    """Act on a passed deadline. Payload: what (stables.services.base.deadlines), id, due."""
    if not is_cancelled(run):
        due = datetime.fromisoformat(run.payload["due"])
        overdue.chase(what=run.payload["what"], pk=run.payload["id"], due=due, run_step=run.once)


@job("stables.close_cycle")
def close_cycle(run: Run) -> None:
    """Close a cycle, each step once. Payload: cycle.

    It does nothing while a result of the cycle is reopened; the settlement of that result asks for the close again.
    """
    if is_cancelled(run) or closing.waits_for_a_result(cycle_id=run.payload["cycle"]):
        return
    # The steps are the places, the end, and for each stable its purse and its repairs.
    run.plan(2 + 2 * Stable.objects.filter(season__cycles=run.payload["cycle"]).count())
    closing.close_cycle(cycle_id=run.payload["cycle"], run_step=run.once)


@periodic("stables.unsettled_matches")
def scan_for_unsettled_matches() -> None:
    """Ask for the settlement of up to 100 finished matches without a result, unless the job was asked for already."""
    finished = Fixture.objects.filter(match__state="finished", result=None).select_related("round__cycle__season")
    for fixture in finished.order_by("id")[:100]:
        ask_for(
            fixture.round.cycle.season,
            "stables.settle_fixture",
            f"fixture:{fixture.pk}:settle_fixture",
            fixture=fixture.pk,
        )


@periodic("stables.passed_deadlines")
def scan_for_passed_deadlines() -> None:
    """Ask for the missing jobs of passed deadlines, in seasons that run and are not paused."""
    overdue.scan_for_passed_deadlines()
