"""Where an attack of a replay came from and went to: hexes, and the corners of its line of fire, from events alone."""

from __future__ import annotations

import random
from typing import Any

from rules import bots
from rules.catalogue import load_builtin
from rules.competition.match import Match
from rules.competition.replay import rebuild, shots_at
from rules.competition.setups import roster_of
from rules.core.dice import SeededDice
from rules.measuring.self_play import random_setup


def played() -> tuple[Match, list[dict[str, Any]]]:
    match = Match.start(random_setup(load_builtin(), random.Random(4), "standard"), SeededDice(b"s" * 32))
    bot, rng = bots.get("greedy"), random.Random(1)
    while match.decision is not None:
        match.play(match.action_of(bot.decide(match.table, rng)))
    return match, [event for batch in match.events for event in batch]


def test_every_ranged_attack_of_a_match_has_its_line_between_the_hexes_of_that_moment() -> None:
    match, events = played()
    roster = roster_of(match.setup)
    lattice, drawn = roster.lattice, 0
    for place, event in enumerate(events):
        if event["event"] != "attack_resolved":
            continue
        position = rebuild(roster, events[:place])
        own = position.hex[roster.target_of(event["unit"])]
        shots = shots_at(match.setup, events, place)
        assert [shot.target for shot in shots] == list(event["why"]["targets"])
        for shot in shots:
            assert shot.hex == lattice.name(own)
            is_far = lattice.distance(own, lattice.index(shot.target_hex)) > 1
            assert (shot.line is not None) == (is_far and event["why"]["ranged"])
            drawn += shot.line is not None
    assert drawn >= 2


def test_the_line_that_the_player_chose_is_the_line_of_the_shot() -> None:
    """Two hexes apart in a column the line may run on either side of the hex between them."""
    match, events = played()
    begun = events[: next(at for at, event in enumerate(events) if event["event"] == "round_began") + 1]
    red, blue = [loadout["id"] for side in match.setup.to_json()["sides"] for loadout in side["units"]]
    for unit, place, facing in ((red, "0604", 6), (blue, "0606", 0)):
        begun.append({"event": "moved", "unit": unit, "path": [place], "hex": place, "facing": facing, "mode": "walk"})
    why = {"order": "ranged", "ranged": True, "indirect": False, "value": "primary", "targets": {blue: {}}}
    begun.append({"event": "attack_resolved", "unit": red, "hit": [], "critical": None, "why": why})
    sides = {}
    for corners in (["0605@1", "0605@3", "0605@5"], ["0605@11", "0605@9", "0605@7"]):
        (shot,) = shots_at(match.setup, begun, len(begun) - 1, {blue: corners})
        sides[corners[0]] = shot.line
    assert sides == {"0605@1": (2, 0), "0605@11": (3, 5)}
    # A line that the rules refuse is not drawn.
    (shot,) = shots_at(match.setup, begun, len(begun) - 1, {blue: ["0605@1"]})
    assert (shot.hex, shot.target_hex, shot.line) == ("0604", "0606", None)
