"""The curve of reputation: its corners, the table behind it, and when there is none."""

from __future__ import annotations

import pytest
from django.test import Client

from matches.models import Match
from matches.presenters.curve import HEIGHT, MARGIN, WIDTH, curve_of
from matches.presenters.replay import Step, attacks_in, biggest_of, cut_into_steps, moments

SIDES = [("red", "Red"), ("blue", "Blue")]


def steps(*rounds: int) -> list[Step]:
    return [Step(number=number, round=each, phase="move") for number, each in enumerate(rounds, start=1)]


def snapshots(*values: tuple[int, int]) -> list[dict[str, dict[str, int]]]:
    return [{"reputation": {"red": red, "blue": blue}} for red, blue in values]


def test_lines_go_up_where_reputation_is_earned() -> None:
    cut = steps(0, 1, 1, 2)
    curve = curve_of(SIDES, cut, snapshots((0, 0), (0, 0), (10, 0), (10, 5)), cut[2])
    assert curve is not None
    bottom, top, right = HEIGHT - MARGIN, MARGIN, WIDTH - MARGIN
    third = MARGIN + round(2 * (WIDTH - 2 * MARGIN) / 3)
    assert curve.lines[0].points == f"{MARGIN},{bottom} {third},{bottom} {third},{top} {right},{top}"
    assert curve.now == third
    assert curve.rows == ((3, 1, (10, 0)), (4, 2, (10, 5)))
    assert len({line.name_end for line in curve.lines}) == 2


def test_a_surrender_may_lead_below_nothing() -> None:
    cut = steps(1, 1)
    curve = curve_of(SIDES, cut, snapshots((0, 0), (-5, 5)), cut[0])
    assert curve is not None
    assert curve.lines[0].points.endswith(f"{HEIGHT - MARGIN}")
    assert curve.lines[1].points.endswith(f"{MARGIN}")


def test_without_reputation_there_is_no_curve() -> None:
    cut = steps(0)
    assert curve_of(SIDES, cut, snapshots((0, 0)), cut[0]) is None


@pytest.mark.django_db
def test_the_table_ends_with_the_result_and_stands_in_the_page(finished: Match, client: Client) -> None:
    events = [event for step in finished.actions.order_by("sequence") for event in step.events]
    cut = cut_into_steps(events)
    stands = moments(finished.setup, events, cut)
    assert len(stands) == len(cut)
    curve = curve_of(SIDES, cut, stands, cut[0])
    assert curve is not None
    assert curve.rows[-1][2] == tuple(finished.result["sides"][key]["reputation"] for key, _ in SIDES)
    shown = client.get(finished.get_absolute_url()).content.decode()
    assert shown.count("<polyline") == 2


@pytest.mark.django_db
def test_each_attack_is_found_with_its_damage(finished: Match) -> None:
    events = [event for step in finished.actions.order_by("sequence") for event in step.events]
    cut = cut_into_steps(events)
    attacks = attacks_in(cut)
    assert len(attacks) == sum(event["event"] == "attack_resolved" for event in events)
    assert sum(attack.dealt for attack in attacks) == sum(
        event["dealt"] for event in events if event["event"] == "damage_scored"
    )
    biggest = biggest_of(attacks)
    assert biggest is not None
    assert biggest.dealt == max(attack.dealt for attack in attacks)
    assert biggest_of([]) is None
