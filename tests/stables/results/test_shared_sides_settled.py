"""What two stables on one side bank, each by its own unit (Q-129, Q-135, Q-166, Q-168)."""

from __future__ import annotations

from typing import Any

import pytest
from django.utils import timezone

from matches.models import Match
from stables.models import Fixture, FixtureSide, Result, Season
from stables.selectors.definitions import catalogue_of
from stables.selectors.fixtures import crews_by_unit, sides_with_line_ups
from stables.services.ai import owners
from stables.services.market import trading
from stables.services.results import corrections, reports, settlement
from stables.services.results.corrections import Wanted
from tests.stables.conftest import open_with
from tests.stables.tabletop_matches import at_a_table, person

NAMES = ["Ash", "Birch", "Cedar", "Dogwood"]


@pytest.fixture
def shared(release: Any) -> Fixture:
    """Ash and Birch with one unit each against Cedar and Dogwood, line-ups in."""
    season = open_with(release, NAMES, cycles=["team"])
    cycle = season.cycles.get()
    catalogue = catalogue_of(season)
    # No Uniques, which partners may not both field; and the same pilot for all, who is four individuals.
    light = [unit for unit in catalogue.units.values() if unit["class"] == "light" and unit["rank"] != "unique"]
    fitting = [entry for entry in catalogue.pilots.values() if "light" in (entry["requires"].get("class") or ["light"])]
    for stable in season.stables.order_by("number"):
        trading.buy(stable_id=stable.pk, kind="unit", key=min(str(unit["id"]) for unit in light))
        trading.buy(stable_id=stable.pk, kind="pilot", key=min(fitting, key=lambda entry: int(entry["points"]))["id"])
    Season.objects.filter(pk=season.pk).update(state="running")
    cycle.state, cycle.started_with, cycle.rounds_planned = "rounds", 4, 1
    cycle.save()
    arena = min(catalogue.arenas)
    fixture = Fixture.objects.create(round=cycle.rounds.create(number=1), number=1, arena_key=arena)
    for stable, side in zip(season.stables.order_by("number"), ("red", "red", "blue", "blue"), strict=True):
        FixtureSide.objects.create(fixture=fixture, stable=stable, side=side)
    for side in fixture.sides.order_by("id"):
        owners.prepare(stable_id=side.stable_id, fixture_id=fixture.pk)
    fixture.refresh_from_db()
    assert fixture.state == "sealed"
    return fixture


def finish(fixture: Fixture, reputation: tuple[int, int], **changes: Any) -> dict[str, Any]:
    """Store a result that nobody played, and settle it; returns its document."""
    ready = [side for side in sides_with_line_ups(fixture) if not side.forfeits]
    units = {
        name: {"side": side.side, "clicks": 1, "eliminated": False, "kills": 0, **changes.get(name, {})}
        for name, (side, _) in crews_by_unit(ready).items()
    }
    sides = {
        side: {"reputation": points, "surrendered": side == changes.get("surrendered")}
        for side, points in zip(("red", "blue"), reputation, strict=True)
    }
    result = {"winner": "red", "rounds": 5, "ended_by": changes.get("ended_by", "last_side"), "tie_break": None}
    fixture.match = Match.objects.create(
        setup={},
        rules_version="typed",
        seed=b"0" * 32,
        seed_commitment="",
        state=Match.State.FINISHED,
        result={**result, "sides": sides, "units": units},
        finished_at=timezone.now(),
    )
    fixture.save(update_fields=["match"])
    return settlement.settle_fixture(fixture_id=fixture.pk).document


def banked(fixture: Fixture) -> dict[str, tuple[int, int, int, int]]:
    entries = fixture.reputation.filter(asset=None).select_related("stable")
    return {entry.stable.name: (entry.amount, entry.kills, entry.wins, entry.matches) for entry in entries}


def test_q_129_q_135_each_stable_gets_its_own_units_half_and_its_own_kills(shared: Fixture) -> None:
    kills = {"red-1": {"kills": 2}, "blue-2": {"kills": 1}, "red-2": {"eliminated": True}}
    document = finish(shared, (95, 20), **{"blue-1": {"eliminated": True}, **kills})
    assert banked(shared) == {
        "Ash": (48, 2, 1, 1),
        "Birch": (48, 0, 1, 1),
        "Cedar": (0, 0, 0, 1),
        "Dogwood": (0, 1, 0, 1),
    }
    assert (document["sides"]["red"]["banked"], document["sides"]["red"]["kills"]) == (96, 2)
    crews = {name: crew for name, (_, crew) in crews_by_unit(sides_with_line_ups(shared)).items()}
    pilots = {name: crew.pilot.reputation.get() for name, crew in crews.items() if crew.pilot.reputation.exists()}
    assert {name: (entry.amount, entry.kills) for name, entry in pilots.items()} == {
        "red-1": (48, 2),
        "red-2": (48, 0),
        "blue-2": (0, 1),
    }
    assert {name: crew.unit.is_eliminated for name, crew in crews.items()} == {
        "red-1": False,
        "red-2": True,
        "blue-1": True,
        "blue-2": False,
    }


def test_q_166_q_168_either_partners_surrender_is_that_of_both(shared: Fixture) -> None:
    finish(shared, (25 + 70, 13), ended_by="surrender", surrendered="blue")
    assert {name: row[0] for name, row in banked(shared).items()} == {"Ash": 83, "Birch": 83, "Cedar": 7, "Dogwood": 7}
    causes = {entry.stable.name: entry.cause for entry in shared.reputation.filter(asset=None)}
    assert (causes["Cedar"], causes["Dogwood"]) == ("surrender", "surrender")


def test_q_154_a_partner_who_forfeits_leaves_their_half_to_the_other(shared: Fixture) -> None:
    gone = shared.sides.get(stable__name="Birch")
    gone.line_up.delete()
    FixtureSide.objects.filter(pk=gone.pk).update(forfeits="unable")
    finish(shared, (95, 0))
    assert {name: row[:1] + row[2:] for name, row in banked(shared).items()} == {
        "Ash": (95, 1, 1),
        "Birch": (30, 0, 1),
        "Cedar": (0, 0, 1),
        "Dogwood": (0, 0, 1),
    }


def test_four_owners_at_a_table_settle_by_majority_and_it_can_be_corrected(shared: Fixture) -> None:
    season = shared.round.cycle.season
    at_a_table(season)
    report = {
        "winner": "red",
        "ended_by": "time_limit",
        "sides": {"red": {"tokens": 15}},
        "units": {f"{side}-{number}": {"clicks": 1} for side in ("red", "blue") for number in (1, 2)},
    }
    for side in shared.sides.order_by("id"):
        filed = reports.file_report(fixture_id=shared.pk, stable_id=side.stable_id, document=report)
    assert filed.settled
    assert {name: row[0] for name, row in banked(shared).items()} == {"Ash": 8, "Birch": 8, "Cedar": 0, "Dogwood": 0}
    user, wanted = person("organiser"), Wanted("void")
    seal = corrections.foresee(fixture_id=shared.pk, wanted=wanted, user=user).seal
    corrections.correct(fixture_id=shared.pk, wanted=wanted, reason="not played", seal=seal, user=user)
    assert {stable.name: sum(entry.amount for entry in stable.reputation.all()) for stable in season.stables.all()} == (
        dict.fromkeys(NAMES, 0)
    )
    assert Result.objects.get().current["ended_by"] == "void"
