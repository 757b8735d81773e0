"""The jobs of a season, from the first market to the last purse. Each may be started again from the top at any point.

start_cycle -> pair_round -> play_fixture (one a match) -> settle_fixture -> advance_round -> pair_round or close_cycle.
"""

from __future__ import annotations

from jobs.registry import job, search
from jobs.runner import Run
from matches.services import resolve_with_bots
from stables.models import Cycle, Fixture, Round, Stable
from stables.services import closing, draw, owners, settlement, titles
from stables.services.playing import prepare_match
from stables.services.seasons import ask_for


@job("stables.start_cycle")
def start_cycle(run: Run) -> None:
    """Let the AI shop for its stables, then ask for round 1. Payload: cycle."""
    cycle = Cycle.objects.select_related("season").get(pk=run.payload["cycle"])
    shopping = list(owners.ai_stables(cycle.season_id))
    run.plan(len(shopping) + 1)
    for stable in shopping:
        run.once(f"shop:{stable.number}", lambda: owners.shop(stable_id=stable.pk, cycle_id=cycle.pk))  # noqa: B023
    run.once("pair", lambda: _ask_for_round(cycle, 1))


def _ask_for_round(cycle: Cycle, number: int) -> None:
    ask_for(cycle.season, "stables.pair_round", f"cycle:{cycle.pk}:pair:{number}", cycle=cycle.pk, number=number)


@job("stables.pair_round")
def pair_round(run: Run) -> None:
    """Pair a round, then repair and nominate for the stables that the AI runs. Payload: cycle, number."""
    cycle_id, number = run.payload["cycle"], run.payload["number"]
    round_id = run.once("pair", lambda: draw.pair_round(cycle_id=cycle_id, number=number).round_id)
    sides = Fixture.objects.filter(round_id=round_id, kind=Fixture.Kind.MATCH, sides__stable__is_ai=True).order_by(
        "number"
    )
    run.plan(sides.values("sides").count() + 1)
    for fixture_id, stable_id, name in sides.values_list("pk", "sides__stable", "sides__stable__number"):
        run.once(f"prepare:{name}", lambda: _prepare(stable_id, fixture_id))  # noqa: B023


def _prepare(stable_id: int, fixture_id: int) -> str:
    return owners.prepare(stable_id=stable_id, fixture_id=fixture_id).forfeits


@job("stables.play_fixture")
def play_fixture(run: Run) -> None:
    """Make the match of a sealed fixture and give it its players; bots alone play it to its end. Payload: fixture.

    Outside transactions. The end of the match asks for the settlement. A match with persons waits for them, a table
    for its report; asked for again, the job gives a running match the players it has now.
    """
    match, bots = prepare_match(fixture_id=run.payload["fixture"])
    if match is not None and bots:
        resolve_with_bots(match.pk, bots)


@job("stables.settle_fixture")
def settle_fixture(run: Run) -> None:
    """Settle a fixture; the last one of a round asks for what follows. Payload: fixture."""
    run.once("settle", lambda: settlement.settle_fixture(fixture_id=run.payload["fixture"]).is_new)


@job("stables.advance_round")
def advance_round(run: Run) -> None:
    """After a settled round ask for the next one, or for the close of the cycle. Payload: round."""
    settled = Round.objects.select_related("cycle__season").get(pk=run.payload["round"])
    run.once("advance", lambda: _advance(settled))


def _advance(settled: Round) -> None:
    cycle = settled.cycle
    if settled.number < (cycle.rounds_planned or 0):
        _ask_for_round(cycle, settled.number + 1)
    else:
        ask_for(cycle.season, "stables.close_cycle", f"cycle:{cycle.pk}:close", cycle=cycle.pk)


@job("stables.close_cycle")
def close_cycle(run: Run) -> None:
    """Close a cycle, each step once. Payload: cycle."""
    # The places and the end, and for each stable its purse and its repairs.
    run.plan(2 + 2 * Stable.objects.filter(season__cycles=run.payload["cycle"]).count())
    closing.close_cycle(cycle_id=run.payload["cycle"], run_step=run.once)


@job("stables.award_titles")
def award_titles(run: Run) -> None:
    """Decide the titles, the pilot's first, and finish the season. Payload: season."""
    for kind in titles.ORDER:
        # A sudden death is played outside transactions; writing its winner is a step that notices what is done.
        titles.award(season_id=run.payload["season"], kind=kind, play=titles.play_with_bots)
    run.once("finish", lambda: titles.finish_season(season_id=run.payload["season"]))


@search("stables.unsettled_matches")
def look_for_unsettled_matches() -> None:
    """Ask for the settlement of finished matches that nobody asked for; the signal's job is found by its unique key."""
    finished = Fixture.objects.filter(match__state="finished", result=None).select_related("round__cycle__season")
    for fixture in finished.order_by("id")[:100]:
        ask_for(
            fixture.round.cycle.season,
            "stables.settle_fixture",
            f"fixture:{fixture.pk}:settle_fixture",
            fixture=fixture.pk,
        )
