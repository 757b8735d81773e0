"""Bots that think change with their partners in a tag team, and take flags, carry them home and put them down."""

import random
from collections import Counter

import pytest

from rules import bots
from rules.competition.match import Match
from tests.rules.board import Json, duel, flat, happened, placed, unit
from tests.rules.bots.deciding import THINKERS, answer_of, asked, matches, played_on, showdown

# --- tag team -------------------------------------------------------------------------------------------------------


def worn() -> Json:
    """A unit whose dial has come to nothing, although most of it is left."""
    return unit("wreck", clicks=8, click={"primary": 1, "secondary": 0, "attack": 0})


def partners(active: Json, waiting: Json) -> Match:
    """A tag team match in which red is asked for a change: a stands beside a2, the opponents are fresh."""
    units = [
        placed("a", "red", "0610", 0, active),
        placed("a2", "red", "0611", 0, waiting, active=False),
        placed("b", "blue", "0606", 6, unit("foe", clicks=8)),
        placed("b2", "blue", "0602", 6, unit("foe", clicks=8), active=False),
    ]
    return asked(duel(format="tag_team", units=units, start={"round": 2, "phase": "initiative"}), "a", "tag")


@pytest.mark.parametrize("name", THINKERS)
def test_r_fmt_09_a_unit_that_can_do_nothing_makes_room_for_its_fresh_partner(name: str) -> None:
    """The greedy bot counts what is left of the dial; a thinker sees what comes of staying."""
    match = partners(worn(), unit("fresh", clicks=8))
    assert answer_of("greedy", match)["with"] is None
    for seed in (1, 2):
        assert answer_of(name, match, seed)["with"] == "a2"
    match.play(answer_of(name, match))
    assert [event["with"] for event in happened(match, "tagged")] == ["a2"]
    assert match.snapshot()["units"]["a2"]["hex"] == "0610"


@pytest.mark.parametrize("name", THINKERS)
def test_r_fmt_09_a_fresh_unit_stays_before_a_partner_that_can_do_nothing(name: str) -> None:
    match = partners(unit("fresh", clicks=8), worn())
    assert answer_of(name, match)["with"] is None


def test_r_fmt_09_partners_change_in_tag_team_matches_between_thinkers() -> None:
    for match in matches("tag_team", (8, 7, 0, 9, 1, 2)):
        changes = happened(match, "tagged")
        asked_for = [action for action in match.actions if action.get("choose") == "tag" and action["with"]]
        assert [(event["unit"], event["with"]) for event in changes] == [
            (action["unit"], action["with"]) for action in asked_for
        ]
        if changes:
            return
    pytest.fail("no change in six matches")


# --- capture the flag -----------------------------------------------------------------------------------------------


def behind() -> Json:
    """Short guns and many points: without more reputation than the other side it loses."""
    guns = {"type": "energy", "targets": 1, "range": [0, 4]}
    return unit("short", primary=guns, secondary=guns, points=160, clicks=6, click={"primary": 4})


@pytest.mark.parametrize("name", THINKERS)
def test_r_fmt_15_a_flag_that_wins_is_tried_for_rather_than_a_shot_that_does_not(name: str) -> None:
    """Both have their own at home; the greedy bot goes for the helpless opponent, which has too much left to fall."""
    units = [
        placed("a", "red", "0607", 0, behind()),
        placed("b", "blue", "0601", 0, unit("foe", clicks=6), shutdown=True),
    ]
    flags = {"red": {"home": "0101", "hex": "0101"}, "blue": {"home": "0613", "hex": "0613"}}
    match = asked(showdown("move", format="capture_the_flag", units=units, flags=flags), "a", "move")
    assert "0613" not in answer_of("greedy", match)["path"]
    for seed in (1, 2):
        assert "0613" in answer_of(name, match, seed)["path"]
    match.play(answer_of(name, match))
    assert [(event["unit"], event["side"]) for event in happened(match, "flag_tried")] == [("a", "blue")]


@pytest.mark.parametrize("name", THINKERS)
def test_r_fmt_16_r_fmt_17_a_flag_is_carried_home_and_put_down_for_its_points(name: str) -> None:
    """R-FMT-19: 30 for the own flag and 60 for the other one at home beat 75, 30 for the carried one would not."""
    units = [
        placed("a", "red", "0607", 0, unit("own", clicks=6)),
        placed("b", "blue", "0601", 6, unit("foe", clicks=6)),
    ]
    flags = {"red": {"home": "0612", "hex": "0612"}, "blue": {"home": "0101", "carrier": "a"}}
    reputation = {"red": 0, "blue": 75}
    match = asked(
        showdown("move", format="capture_the_flag", units=units, flags=flags, reputation=reputation), "a", "move"
    )
    move, drop = played_on(name, match)
    assert move["order"] == "move"
    assert drop == {"unit": "a", "choose": "flag_drop", "hex": "0612"}
    while match.decision is not None:
        match.play(match.default_action())
    assert {event["cause"]: event["amount"] for event in happened(match, "reputation")} == {
        "own_flag_home": 30,
        "other_flag_home": 60,
    }
    assert match.result is not None
    assert match.result.winner == "red"


def at_home() -> Json:
    """a stands beside its home with nobody near, long before the end of the match."""
    units = [
        placed("a", "red", "0611", 6, unit("own", clicks=6)),
        placed("b", "blue", "0101", 6, unit("foe", clicks=6)),
    ]
    flags = {"red": {"home": "0612", "hex": "0612"}, "blue": {"home": "0202", "hex": "0202"}}
    start = {"round": 2, "phase": "move", "order": ["a", "b"]}
    return duel(format="capture_the_flag", units=units, flags=flags, start=start)


@pytest.mark.parametrize("place", ["0609", "0608", "0607", "0509", "0708"])
def test_r_fmt_17_nobody_ends_in_the_own_area_where_a_flag_cannot_be_put_down(place: str) -> None:
    """The own flag is away, so the area is free to stand in. Nobody is near, so the errand alone leads the greedy bot:
    beside the area."""
    document = at_home()
    document["units"][0]["hex"] = place
    document["flags"] = {"red": {"home": "0612", "carrier": "b"}, "blue": {"home": "0202", "carrier": "a"}}
    match = asked(document, "a", "move")
    _, drop = played_on("greedy", match)
    assert drop == {"unit": "a", "choose": "flag_drop", "hex": "0612"}


@pytest.mark.parametrize("name", THINKERS)
@pytest.mark.parametrize("flag", ["red", "blue"])
def test_r_fmt_17_r_fmt_19_whatever_is_carried_is_put_down_at_home_at_any_time(flag: str, name: str) -> None:
    document = at_home()
    document["flags"][flag] = {"home": document["flags"][flag]["home"], "carrier": "a"}
    turn = {"unit": "a", "order": "move", "path": [], "facing": 3}
    match = asked(document, "a", "flag_drop", turn)
    for seed in (1, 2, 3):
        assert answer_of(name, match, seed)["hex"] == "0612"


@pytest.mark.parametrize("name", THINKERS)
def test_r_fmt_19_the_own_flag_is_left_at_home(name: str) -> None:
    """It pays 30 there and 15 in the field."""
    match = asked(at_home(), "a", "move")
    assert any("0612" in action.get("path", ()) for action in match.legal_actions())
    for considered in bots.get(name).consider(match.table, random.Random(1)):  # type: ignore[attr-defined]
        assert "0612" not in match.action_of(considered.choice).get("path", ())


def test_r_fmt_15_r_fmt_16_flags_are_taken_and_carried_in_matches_between_thinkers() -> None:
    done = Counter[str]()
    for match in matches("capture_the_flag", (6, 21, 15, 1, 5, 16)):
        done += flags_in(match)
        if all(done[what] for what in ("taken", "carried", "paid")):
            return
    pytest.fail(f"only {done} in six matches")


def flags_in(match: Match) -> Counter[str]:
    """What became of opposing flags in a match."""
    side_of = {unit: entry["side"] for unit, entry in match.snapshot()["units"].items()}
    carriers: dict[str, str] = {}
    done = Counter[str]()
    for event in flat(match):
        if event["event"] == "flag_captured" and side_of[event["unit"]] != event["side"]:
            carriers[event["side"]] = event["unit"]
            done["taken"] += 1
        elif event["event"] == "flag_dropped":
            carriers.pop(event["side"], None)
            done["put down"] += event["cause"] == "home" and side_of[event["unit"]] != event["side"]
        elif event["event"] == "moved":
            done["carried"] += event["unit"] in carriers.values()
        elif event["event"] == "reputation":
            done["paid"] += event["cause"] in ("other_flag_home", "other_flag_carried")
    return done
