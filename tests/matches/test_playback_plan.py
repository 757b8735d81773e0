"""The playback of a match: how long they take, and that their pieces end where the picture has them."""

from __future__ import annotations

import json
import random
import re
from typing import Any

import pytest
from django.template.loader import render_to_string

from matches.presenters.board import build_board
from matches.presenters.replaying.playback import (
    LENGTHS,
    MOST_OF_A_ROUND,
    Playback,
    idle_ends,
    planned,
    playback_of,
    played_from,
    tied_rolls,
)
from matches.selectors.sides import names_in
from rules.catalogue import load_builtin
from rules.competition.match import Match as EngineMatch
from rules.measuring.self_play import random_setup

from .playing import play_at_random

NAMES = ["standard", "tag_team", "capture_the_flag"]


def test_one_attack_takes_one_and_a_fifth_seconds() -> None:
    assert planned([1], [LENGTHS["attack_resolved"]]) == [(0, 1200)]


def test_a_round_of_many_attacks_takes_four_seconds_and_the_next_one_its_own_time() -> None:
    times = planned([1] * 10 + [2], [1200] * 11)
    assert times[:2] == [(0, 400), (400, 400)]
    assert times[-1] == (MOST_OF_A_ROUND, 1200)


def test_nothing_that_happened_takes_no_time() -> None:
    assert planned([], []) == []


@pytest.fixture(scope="module", params=NAMES)
def played(request: pytest.FixtureRequest) -> EngineMatch:
    return play_at_random(random_setup(load_builtin(), random.Random(5), request.param, 2).to_json())


def whole(engine: EngineMatch, first: int = 0) -> tuple[Playback, list[dict[str, Any]]]:
    setup, events = engine.setup.to_json(), [event for batch in engine.events for event in batch]
    fallen = {event["unit"]: event["hex"] for event in events if event["event"] in ("unit_placed", "moved")}
    snapshot = engine.snapshot()
    gone = {unit: fallen[unit] for unit, state in snapshot["units"].items() if state["eliminated"]}
    board = build_board(setup["arena"], snapshot, setup["sides"], gone)
    return playback_of(setup, events, first, board, names_in(setup)), events


def test_no_round_takes_longer_than_its_most_and_scenes_follow_each_other(played: EngineMatch) -> None:
    playback, _ = whole(played)
    lengths: dict[int, int] = {}
    at = 0
    for scene in playback.scenes:
        assert scene.start == at
        at += scene.length
        lengths[scene.round] = lengths.get(scene.round, 0) + scene.length
    assert playback.length == at
    assert max(lengths.values()) <= MOST_OF_A_ROUND


def test_every_scene_is_an_event_with_its_line(played: EngineMatch) -> None:
    playback, events = whole(played, 20)
    assert [scene.place for scene in playback.scenes] == [
        place
        for place, event in enumerate(events)
        if place >= 20 and (event["event"] in LENGTHS or place in idle_ends(events)) and place not in tied_rolls(events)
    ]
    assert all(scene.text for scene in playback.scenes if scene.kind == "attack_resolved")
    assert playback.until == len(events)


def test_of_initiative_rolls_only_those_are_played_that_no_tie_undid() -> None:
    rolls = [{"event": "initiative_rolled", "unit": unit} for unit in "abcab"]
    events = [*rolls, {"event": "turn_order"}, {"event": "round_began"}, *rolls[:3]]
    assert tied_rolls(events) == {0, 1}


def test_a_round_in_which_no_unit_can_act_has_a_caption() -> None:
    captions = []
    for number in range(12):
        setup = random_setup(load_builtin(), random.Random(number), "standard", 2).to_json()
        playback, events = whole(play_at_random(setup))
        idle = [scene.text for scene in playback.scenes if scene.place in idle_ends(events)]
        assert len(idle) == len(idle_ends(events))
        captions += idle
        if captions:
            break
    assert captions
    assert all(re.fullmatch(r"No unit can act in round \d+\.", text) for text in captions)


def test_pieces_end_where_the_picture_has_them(played: EngineMatch) -> None:
    playback, _ = whole(played)
    assert playback.tracks
    for track in playback.tracks:
        assert track.of != "lost" or track.number < len(playback.lost)
        way, turns = json.loads(track.way), json.loads(track.turns)
        for frames in (way, turns):
            offsets = [frame["offset"] for frame in frames]
            assert offsets == sorted(offsets)
            assert (offsets[0], offsets[-1]) == (0, 1)
        assert way[-1]["opacity"] == (0 if track.of == "lost" else 1)
        assert way[-1].get("transform") in (None, "translate(0px,0px)")
        assert turns[-1]["transform"] == "rotate(0deg)"


@pytest.mark.parametrize("played", ["capture_the_flag"], indirect=True)
def test_a_unit_that_falls_is_drawn_in_the_shape_and_colour_of_its_side_without_words(played: EngineMatch) -> None:
    playback, _ = whole(played)
    units = [piece.unit for piece in playback.lost if piece.unit is not None]
    assert units
    page = render_to_string("matches/play_playback.html", {"playback": playback})
    drawn = re.findall(r'<g class="lost b-unit (b-side-\d)" fill="([^"]+)">(.*?)</g>', page, re.DOTALL)
    assert [found[:2] for found in drawn] == [(f"b-side-{unit.side_index}", unit.colour) for unit in units]
    for unit, (_side, _colour, shape) in zip(units, drawn, strict=True):
        assert (f'points="{unit.points}"' if unit.points else '<circle r="15.5"') in shape
        assert "<text" not in shape


def test_an_attack_shows_its_line_of_fire_its_dice_and_the_damage(played: EngineMatch) -> None:
    playback, events = whole(played)
    attacks = [scene for scene in playback.scenes if scene.kind == "attack_resolved"]
    assert attacks
    for scene in attacks:
        why = events[scene.place]["why"]
        assert [fallen.die.face for fallen in scene.dice] == why["dice"]
        assert [shot.is_hit for shot in scene.shots] == [row["hit"] for row in why["targets"].values()]
        assert all(shot.text == "miss" for shot in scene.shots if not shot.is_hit)


def test_a_turned_dial_shows_the_clicks_before_and_after(played: EngineMatch) -> None:
    playback, events = whole(played)
    loadouts = [loadout for side in played.setup.to_json()["sides"] for loadout in side["units"]]
    dials = {loadout["id"]: len(loadout["unit"]["dial"]) for loadout in loadouts}
    bars = [scene for scene in playback.scenes if scene.kind == "dial_turned"]
    assert bars
    for scene in bars:
        event = events[scene.place]
        whole_dial = dials[event["unit"]]
        left = max(whole_dial - event["to"], 0)
        assert scene.bar is not None
        assert scene.bar.text == f"clicks {max(whole_dial - event['from'], 0)} → {left}"
        assert scene.bar.after == round(left / whole_dial, 3)


def test_no_more_is_played_than_the_last_round_and_the_one_before_it() -> None:
    rounds = [{"event": kind} for kind in ("round_began", "moved", "round_began", "moved", "round_began", "moved")]
    assert played_from(rounds, 0) == 2
    assert played_from(rounds, 5) == 5
    assert played_from(rounds[:2], 0) == 0
