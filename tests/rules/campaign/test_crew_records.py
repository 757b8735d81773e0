"""What units and pilots did themselves, by the results that hold."""

from __future__ import annotations

from typing import Any

import pytest

from rules.campaign.results.corrections import void
from rules.campaign.standings.crew_records import CrewRecord, crew_records, individuals_of
from rules.campaign.standings.places import counts_a_match, reputation_a_match


def unit(stable: int, number: int = 1, **facts: Any) -> dict[str, Any]:
    named = {"side": "red", "stable": stable, "asset": f"unit:U:{number}", "pilot": f"pilot:P:{number}"}
    return {**named, "before": 0, "clicks": 0, "eliminated": False, "kills": 0, "pilot_dead": False, **facts}


def result(*units: dict[str, Any], winner: int = 1) -> dict[str, Any]:
    """A played result of two stables."""
    return {
        "ended_by": "last_side",
        "winner": "red",
        "sides": {},
        "stables": {
            str(number): {"side": "red", "banked": 5, "kills": 0, "won": number == winner, "individuals": {}}
            for number in (1, 2)
        },
        "units": {f"unit-{position}": one for position, one in enumerate(units)},
    }


def test_a_unit_and_its_pilot_have_what_they_did_and_not_what_their_side_did() -> None:
    found = crew_records(
        [
            result(unit(1, 1, kills=1, before=1, clicks=4), unit(1, 2), unit(2, clicks=9, eliminated=True)),
            result(unit(1, 1, before=4, clicks=5), winner=2),
        ]
    )
    first = CrewRecord(matches=2, wins=1, kills=1, damage=4)
    assert found[1, "unit:U:1"] == found[1, "pilot:P:1"] == first
    assert first.losses == 1
    assert found[1, "unit:U:2"] == CrewRecord(matches=1, wins=1), "the kill of another unit of its side"
    assert found[2, "unit:U:1"] == CrewRecord(matches=1, damage=9, eliminations=1)


def test_forfeits_and_voided_results_brought_nobody_into_the_arena() -> None:
    played = result(unit(1, kills=1, clicks=3), unit(2, clicks=9))
    forfeit = {**played, "ended_by": "forfeit", "units": {}}
    assert crew_records([void(played), forfeit]) == {}
    assert individuals_of([void(played), forfeit]) == set()
    assert crew_records([void(played), played]) == crew_records([played])


def test_q_162_individuals_are_pilots_and_units_without_one() -> None:
    assert individuals_of([result(unit(1), unit(2, pilot=None))]) == {(1, "pilot:P:1"), (2, "unit:U:1")}
    assert set(crew_records([result(unit(2, pilot=None))])) == {(2, "unit:U:1")}


def test_old_results_that_do_not_say_how_a_unit_came_count_no_damage() -> None:
    old = unit(1, clicks=6)
    del old["before"]
    assert crew_records([result(old)])[1, "unit:U:1"].damage == 0


@pytest.mark.parametrize(
    ("reputation", "matches", "shown"), [(70, 3, "23.33"), (85, 4, "21.25"), (0, 2, "0.00"), (-10, 3, "-3.33")]
)
def test_reputation_a_match_has_two_decimals(reputation: int, matches: int, shown: str) -> None:
    assert str(reputation_a_match(reputation, matches)) == shown


def test_q_158_places_go_by_reputation_a_match_when_the_numbers_are_unequal() -> None:
    assert reputation_a_match(10, 0) is None
    assert [counts_a_match(each) for each in ([3, 4], [3, 3], [])] == [True, False, False]
