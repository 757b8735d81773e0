"""Reports from a table: what is filled in, what cannot be true, and the result that follows."""

from __future__ import annotations

from typing import Any

import pytest

from rules.campaign.results.report_checks import problems
from rules.campaign.results.reports import (
    Contest,
    Entrant,
    as_match_result,
    elimination_points,
    read,
    score,
    sources,
    winners,
)
from rules.core.dice import ScriptedDice, SeededDice
from rules.core.refusals import Malformed

TOKENS = [(5, 0), (10, 5), (15, 5), (5, 5), (10, 0), (15, 10)]


def duel(red: int = 150, blue: int = 140, **changes: Any) -> Contest:
    units = {
        "red-1": Entrant("red", 1, 10, 2, red, True),
        "blue-1": Entrant("blue", 2, 12, 0, blue, True),
    }
    return Contest(**{"format": "standard", "sides": ("red", "blue"), "units": units, "tokens": TOKENS, **changes})


def teams() -> Contest:
    units = {
        "red-1": Entrant("red", 1, 10, 0, 150, True),
        "red-2": Entrant("red", 1, 10, 0, 100, True),
        "blue-1": Entrant("blue", 2, 10, 0, 120, True),
        "blue-2": Entrant("blue", 2, 10, 0, 120, True),
    }
    return Contest("team", ("red", "blue"), units, TOKENS)


def melee() -> Contest:
    sides = ("red", "blue", "green", "gold")
    units = {f"{side}-1": Entrant(side, number, 10, 0, 100, True) for number, side in enumerate(sides, 1)}
    return Contest("grand_melee", sides, units, TOKENS)


def codes(contest: Contest, document: dict[str, Any]) -> list[str]:
    return [problem.code for problem in problems(contest, read(document, contest))]


RED_WINS = {"units": {"red-1": {"clicks": 4, "kills": 1}, "blue-1": {"eliminated": True}}}


def test_a_short_report_is_filled_in_from_the_line_ups_and_the_rules() -> None:
    contest = duel()
    report = read({**RED_WINS, "sides": {"red": {"tokens": "15"}}}, contest)
    assert problems(contest, report) == []
    assert (report.ended_by, report.winner, report.sides["red"].eliminations) == ("last_side", "red", 70)
    assert (report.units["red-1"].clicks, report.units["blue-1"].clicks) == (4, 12)
    assert read({"winner": "red"}, contest).units["red-1"].clicks == 2
    assert read(report.to_json(), contest) == report


@pytest.mark.parametrize(("killer", "fallen", "points"), [(150, 149, 70), (150, 150, 80), (150, 151, 80)])
def test_r_end_05_06_an_elimination_pays_by_the_totals(killer: int, fallen: int, points: int) -> None:
    contest = duel(killer, fallen)
    assert read(RED_WINS, contest).sides["red"].eliminations == points
    wrong = {**RED_WINS, "winner": "red", "sides": {"red": {"eliminations": 150 - points}}}
    assert codes(contest, wrong) == ["report_eliminations_unlikely"]


def test_r_end_05_of_two_killers_each_sum_is_believed_and_a_doubt_is_asked() -> None:
    contest = teams()
    units = {"red-1": {"kills": 1}, "red-2": {"kills": 1}, "blue-1": {"eliminated": 1}, "blue-2": {"eliminated": True}}
    units["blue-1"] = {"eliminated": True}
    assert read({"units": units}, contest).sides["red"].eliminations == 150
    mixed = {
        **contest.units,
        "blue-1": Entrant("blue", 2, 10, 0, 90, True),
        "blue-2": Entrant("blue", 2, 10, 0, 160, True),
    }
    doubtful = Contest("team", contest.sides, mixed, TOKENS)
    one = {"red-1": {"kills": 1}, "blue-1": {"eliminated": True}, "blue-2": {"eliminated": True}}
    assert elimination_points(doubtful, read({"units": one, "sides": {"red": {"eliminations": 70}, "blue": {"eliminations": 0}}}, doubtful)) == {(70, 0), (80, 0)}  # fmt: skip # noqa: E501
    with pytest.raises(Malformed) as caught:
        read({"units": one}, doubtful)
    assert (caught.value.code, caught.value.parameters) == ("bad_field", {"field": "sides.red.eliminations"})


@pytest.mark.parametrize(
    ("document", "code"),
    [
        ({"units": {"red-1": {"clicks": 11}}, "winner": "red"}, "report_clicks_out_of_dial"),
        ({"units": {"red-1": {"kills": 1}}, "winner": "red"}, "report_kills_unlikely"),
        ({"units": {"red-1": {"kills": 1, "eliminated": True}}, "winner": "blue"}, "report_kills_unlikely"),
        ({"units": {"red-1": {"kills": 2}, "blue-1": {"eliminated": True}}, "winner": "red"}, "report_kills_unlikely"),
        ({**RED_WINS, "sides": {"red": {"tokens": 7}}}, "report_tokens_unlikely"),
        ({**RED_WINS, "sides": {"red": {"tokens": 60}, "blue": {"tokens": 5}}}, "report_tokens_too_many"),
        ({**RED_WINS, "sides": {"red": {"flags": 30}}}, "report_flags_unlikely"),
        ({**RED_WINS, "winner": "blue"}, "report_winner_unlikely"),
        ({**RED_WINS, "ended_by": "time_limit"}, "report_end_unlikely"),
        ({"ended_by": "last_side", "winner": "red"}, "report_end_unlikely"),
        ({"ended_by": "surrender", "winner": "red"}, "report_end_unlikely"),
        ({"units": {"red-1": {"died": "yes"}}, "winner": "red"}, "report_death_impossible"),
        ({**RED_WINS, "units": {**RED_WINS["units"], "blue-1": {"eliminated": True, "died": "yes"}}},
         "report_death_impossible"),
    ],
)  # fmt: skip
def test_what_cannot_be_is_said(document: dict[str, Any], code: str) -> None:
    assert code in codes(duel(), document)


@pytest.mark.parametrize(
    ("document", "code"),
    [
        ([], "not_an_object"),
        ({}, "bad_field"),
        ({"winner": "green"}, "bad_field"),
        ({"ended_by": "sunset"}, "bad_field"),
        ({"units": []}, "bad_field"),
        ({"units": {"red-1": 3}}, "bad_field"),
        ({"units": {"red-1": {"clicks": -1}}}, "not_a_number"),
        ({"units": {"red-1": {"clicks": "four"}}}, "not_a_number"),
        ({"units": {"red-1": {"eliminated": "perhaps"}}}, "bad_field"),
        ({"units": {"red-1": {"died": "perhaps"}}}, "bad_field"),
        ({"units": {"red-1": {"died": ["yes"]}}}, "bad_field"),
        ({"units": {"red-1": {"died": 1}}}, "bad_field"),
        ({"units": {"red-1": {"eliminated": 0}}}, "bad_field"),
        ({**RED_WINS, "winner": []}, "bad_field"),
        ({**RED_WINS, "ended_by": False}, "bad_field"),
        ({"sides": {"red": {"tokens": True}}}, "not_a_number"),
    ],
)
def test_what_cannot_be_read_is_malformed(document: Any, code: str) -> None:
    with pytest.raises(Malformed) as caught:
        read(document, duel())
    assert caught.value.code == code


def test_q_65_a_unit_that_nobody_eliminated_is_nobodys_kill() -> None:
    contest = duel()
    own_fault = {"units": {"blue-1": {"eliminated": True}}, "sides": {"blue": {"tokens": 10}}}
    report = read(own_fault, contest)
    assert problems(contest, report) == []
    assert (report.winner, report.ended_by) == ("blue", "last_side")  # R-END-08: survivor or not


def test_r_cyc_06_r_for_05_q_138_a_kill_of_a_unit_that_is_gone_fits_once_and_pays_by_its_total() -> None:
    contest = duel(gone={"green-1": Entrant("green", 3, 10, 0, 160, True)})
    kills = {"units": {"red-1": {"kills": 1}}}
    assert "report_kills_unlikely" in codes(duel(), {**kills, "winner": "red"})
    report = read(kills, contest)
    assert (report.ended_by, report.winner, report.sides["red"].eliminations) == ("time_limit", "red", 80)
    assert problems(contest, report) == []
    assert "report_kills_unlikely" in codes(contest, {"units": {"red-1": {"kills": 2}}, "winner": "red"})
    # A partner of the unit cannot have killed it.
    partners = duel(gone={"red-2": Entrant("red", 3, 10, 0, 160, True)})
    assert "report_kills_unlikely" in codes(partners, {**kills, "winner": "red"})


@pytest.mark.parametrize(("earned", "kept"), [(25, 13), (30, 15), (0, 0)])
def test_r_sur_03_05_06_q_166_a_surrender_halves_pays_seventy_and_cannot_win(earned: int, kept: int) -> None:
    contest = duel()
    document = {"sides": {"blue": {"tokens": earned, "surrendered": True}, "red": {"tokens": 5}}}
    report = read(document, contest)
    assert (report.ended_by, report.winner) == ("surrender", "red")
    assert problems(contest, report) == []
    assert (score(contest, report, "red"), score(contest, report, "blue")) == (75, kept)
    assert sources(contest, report, "blue")["surrender"] == kept - earned
    assert sources(contest, report, "red")["surrender"] == 70
    assert codes(contest, {**document, "winner": "blue"}) == ["report_winner_unlikely"]


@pytest.mark.parametrize(
    ("red", "blue", "could_be", "tie_break"),
    [
        pytest.param(140, 150, ["red"], "total", id="R-END-09"),
        pytest.param(150, 150, ["red", "blue"], "die", id="R-END-10"),
    ],
)
def test_ties_are_broken_by_the_total_and_a_die_is_believed(
    red: int, blue: int, could_be: list[str], tie_break: str
) -> None:
    contest = duel(red, blue)
    report = read({"ended_by": "agreement", "winner": could_be[-1]}, contest)
    assert winners(contest, report) == (could_be, tie_break)
    assert problems(contest, report) == []
    if tie_break == "die":
        with pytest.raises(Malformed):
            read({"ended_by": "agreement"}, contest)


@pytest.mark.parametrize(
    ("flags", "is_likely"),
    [((30, 30), True), ((90, 0), True), ((60, 0), True), ((45, 0), True), ((20, 0), False), ((90, 30), False)],
)
def test_r_fmt_19_q_145_flags_pay_by_where_they_are(flags: tuple[int, int], is_likely: bool) -> None:
    contest = duel(format="capture_the_flag", tokens=[])
    sides = {side: {"flags": points} for side, points in zip(("red", "blue"), flags, strict=True)}
    report = read({"ended_by": "time_limit", "sides": sides, "winner": "red"}, contest)
    found = [problem.code for problem in problems(contest, report)]
    assert ("report_flags_unlikely" not in found) == is_likely


def test_q_166_a_side_that_surrendered_gets_no_flag_bonus() -> None:
    contest = duel(format="capture_the_flag", tokens=[])
    document = {"sides": {"red": {"flags": 30}, "blue": {"surrendered": True}}}
    assert codes(contest, document) == []
    assert score(contest, read(document, contest), "red") == 100
    document["sides"]["blue"]["flags"] = 30
    assert codes(contest, document) == ["report_flags_unlikely"]


def test_q_167_places_of_a_reported_melee() -> None:
    contest = melee()
    units = {
        "red-1": {"eliminated": True},
        "blue-1": {"kills": 1},
        "green-1": {},
        "gold-1": {"eliminated": True},
    }
    document = {"units": units, "sides": {"red": {"tokens": 10}, "green": {"tokens": 5}}, "ended_by": "time_limit"}
    report = read(document, contest)
    assert problems(contest, report) == []
    result = as_match_result(contest, report, {}, ScriptedDice([]))
    assert result["places"] == ["blue", "red", "green", "gold"]
    tied = read({**document, "sides": {}}, contest)
    drawn = {tuple(as_match_result(contest, tied, {}, SeededDice(seed))["places"]) for seed in range(40)}
    assert len(drawn) == 6
    assert {places[0] for places in drawn} == {"blue"}


@pytest.mark.parametrize(("died", "rolled", "is_dead"), [("no", True, False), ("yes", False, True), ("roll", True, True), ("roll", False, False)])  # fmt: skip # noqa: E501
def test_q_165_a_table_names_the_dead_or_leaves_the_die_to_the_server(died: str, rolled: bool, is_dead: bool) -> None:
    contest = duel(pilot_death=True)
    units = {**RED_WINS["units"], "blue-1": {"eliminated": True, "died": died}}
    report = read({"units": units}, contest)
    assert problems(contest, report) == []
    result = as_match_result(contest, report, {"blue-1": rolled}, ScriptedDice([]))
    assert result["units"]["blue-1"]["pilot_dead"] == is_dead
    assert read(RED_WINS, contest).units["blue-1"].died == "roll"
