"""The curve of reputation: its corners, the table behind it, and when there is none."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import pytest
from django.test import Client

from matches.models import Match
from matches.presenters.replaying.curve import HEIGHT, LETTERS, MARGIN, WIDTH, curve_of
from matches.presenters.replaying.replay import (
    Attack,
    Step,
    attacks_in,
    biggest_of,
    cut_into_steps,
    leaps_from,
    moments,
)

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


def test_the_names_stand_beside_the_ends_of_their_lines_and_never_over_each_other() -> None:
    """Right of the drawing, a line of letters apart, and inside it: also where six lines end at one height."""
    sides = [(str(number), f"Side {number}") for number in range(6)]
    cut = steps(0, 1)
    for last in ((5,) * 6, (0, 1, 0, 1, 0, 1), (0, 1, 2, 3, 4, 5)):
        stands = [{"reputation": {}}, {"reputation": {key: last[int(key)] for key, _ in sides}}]
        curve = curve_of(sides, cut, stands, cut[0])
        assert curve is not None
        places = sorted(line.beside for line in curve.lines)
        assert all(lower - upper >= LETTERS for upper, lower in pairwise(places))
        assert places[0] >= LETTERS
        assert places[-1] <= HEIGHT


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
    attacks = attacks_in(finished.setup, cut, moments(finished.setup, events, cut))
    assert [events[attack.place]["event"] for attack in attacks] == ["attack_resolved"] * len(attacks)
    assert len(attacks) == sum(event["event"] == "attack_resolved" for event in events)
    turned = sum(
        event["to"] - event["from"]
        for event in events
        if event["event"] == "dial_turned" and event["cause"] == "damage_die"
    )
    assert 0 < sum(attack.dealt for attack in attacks) <= turned
    biggest = biggest_of(attacks)
    assert biggest is not None
    assert biggest.dealt == max(attack.dealt for attack in attacks)
    assert biggest_of([]) is None


def attack_of(*following: dict[str, Any], clicks: int = 0) -> Attack:
    """The attack of red on blue's unit of ten clicks and on a target token, with what follows from it."""
    units = {key: {"id": key, "clicks": clicks, "unit": {"dial": [{}] * 10}} for key in ("red", "blue")}
    setup = {"sides": [{"id": key, "units": [unit]} for key, unit in units.items()]}
    resolved = {"event": "attack_resolved", "unit": "red", "hit": ["blue"], "why": {"targets": {"blue": {}, "t1": {}}}}
    step = Step(1, 1, "combat", "red", [{"event": "turn_began"}, resolved, *following], 2 + len(following))
    (attack,) = attacks_in(setup, [step], [{}])
    return attack


def scored(target: str, dealt: int) -> dict[str, Any]:
    return {"event": "damage_scored", "unit": "red", "target": target, "scored": dealt, "dealt": dealt}


def test_an_attack_turns_no_more_clicks_than_the_dial_of_its_target_has_left() -> None:
    assert attack_of(scored("blue", 2), clicks=8).dealt == 2
    assert attack_of(scored("blue", 2), clicks=9).dealt == 1


def test_what_an_attack_does_to_its_own_unit_is_no_damage_of_the_attack() -> None:
    assert attack_of(scored("blue", 2), scored("red", 1)).dealt == 2


def test_an_attack_names_its_targets_and_the_tokens_that_fall() -> None:
    attack = attack_of(scored("t1", 3), {"event": "token_destroyed", "token": "t1"})
    assert (attack.targets, attack.dealt, attack.destroyed, attack.place) == (("blue", "t1"), 0, ("t1",), 1)


def test_leaps_lead_to_the_next_round_turn_and_attack_and_back() -> None:
    cut = [Step(1, 0, "setup"), Step(2, 1, "move"), Step(3, 1, "move", "red"), Step(4, 2, "combat", "blue")]
    attacks = [Attack(cut[3], "blue", ("red",), 0, 1)]
    found = {leap.kind: (leap.previous, leap.next) for leap in leaps_from(cut[2], cut, attacks)}
    assert found == {"round": (2, 4), "unit": (None, 4), "attack": (None, 4)}
    found = {leap.kind: (leap.previous, leap.next) for leap in leaps_from(cut[3], cut, attacks)}
    assert found == {"round": (2, None), "unit": (3, None), "attack": (None, None)}
