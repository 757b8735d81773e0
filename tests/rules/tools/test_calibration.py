"""The report on forecasts: its score, its table, and the same fixtures whatever the number of processes."""

import random
import re
from collections.abc import Callable
from math import comb
from pathlib import Path
from typing import Any

import pytest

from rules import RULES_VERSION
from rules.bots.greedy import GreedyBot
from rules.catalogue import load_builtin
from rules.competition.state.match_state import Choice, MatchState
from rules.measuring import forecasts
from rules.tools import calibration
from rules.tools.calibration import Fixture, brier, factor, fixture, ideal, lean, main, report, rows, winner, worse
from rules.tools.season_setups import season_setup


def test_the_score_is_the_mean_square_of_what_was_missed() -> None:
    fixtures = [Fixture(1.0, True), Fixture(0.5, False), Fixture(0.0, True)]
    assert brier(fixtures) == pytest.approx((0 + 0.25 + 1) / 3)
    assert ideal(fixtures) == pytest.approx(0.25 / 3)


def test_a_sound_count_scores_so_much_more_the_fewer_its_play_outs() -> None:
    """Of 3 play-outs and a match of one true chance: all cases, weighed by how often they come."""
    chance, count = 0.3, 3
    missed = left = 0.0
    for wins in range(count + 1):
        often = comb(count, wins) * chance**wins * (1 - chance) ** (count - wins)
        share = wins / count
        missed += often * (chance * (1 - share) ** 2 + (1 - chance) * share**2)
        left += often * share * (1 - share)
    assert missed / left == pytest.approx(factor(count))


def test_the_table_sets_what_was_shown_beside_what_came() -> None:
    fixtures = [Fixture(0.25, True), Fixture(0.2, False), Fixture(1.0, True)]
    first, last = rows(fixtures)
    assert first.startswith("| 20% to 30% | 2 | 22.5% | 50.0% |")
    assert last.startswith("| 90% to 100% | 1 | 100.0% | 100.0% |")


def test_a_fixture_is_the_same_again_and_played_with_other_dice_than_it_is_forecast() -> None:
    found = [fixture(number, 3, 1) for number in DUELS[:8]]
    assert found == [fixture(number, 3, 1) for number in DUELS[:8]]
    assert {one.chance == float(one.won) for one in found} == {True, False}


DUELS = [number for number in range(120) if calibration.FORMATS[number % len(calibration.FORMATS)] == "weapons_dead"]
"""Fixtures of the format that is played most quickly."""


def favour_the_first(dealer: Callable[..., MatchState]) -> Callable[..., MatchState]:
    """A dealer who imagines that the units of all other sides are as good as destroyed."""

    def deal(seen: Any, rng: Any) -> MatchState:
        table = dealer(seen, rng)
        for unit, fighter in enumerate(table.roster.fighters):
            if table.roster.side_of[unit] != 0:
                table.position.clicks[unit] = fighter.clicks - 1
        return table

    return deal


def test_what_is_imagined_wrongly_worsens_the_score_and_is_seen_to_lean(monkeypatch: pytest.MonkeyPatch) -> None:
    """The real match is not dealt anew, so a bias of whoever deals cannot hide in it."""
    sound = [fixture(number, 5, 4) for number in DUELS]
    monkeypatch.setattr(forecasts, "possible_table", favour_the_first(forecasts.possible_table))
    biased = [fixture(number, 5, 4) for number in DUELS]
    assert [one.won for one in biased] == [one.won for one in sound], "the same real matches"
    assert brier(biased) > brier(sound) + 0.1
    assert worse(biased, 4).low > 0 > worse(sound, 4).low
    assert lean(biased).low > 0 > lean(sound).low


def test_the_real_match_has_the_true_hands_and_tokens_and_its_bots_do_not_see_them(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Nothing that was dealt in thought is in it, and what a side may not know its bot is not shown."""
    dealt = (season_setup(load_builtin(), random.Random(number), "weapons_dead") for number in range(99))
    truth = next(setup for setup in dealt if all(unit.hand for side in setup.sides for unit in side.units))
    asked: list[bool] = []

    class Onlooker(GreedyBot):
        def decide(self, table: MatchState, rng: random.Random) -> Choice:
            own = table.roster.side_of[table.open[1]]  # type: ignore[index]
            hands = [set(hand) for hand in table.roster.hands]
            true = [{str(card["id"]) for unit in side.units for card in unit.hand} for side in truth.sides]
            asked.append(hands[own] == true[own] and hands[1 - own] != true[1 - own])
            return super().decide(table, rng)

    monkeypatch.setattr(calibration.bots, "get", lambda name: Onlooker())
    assert winner(truth, "seed") in (0, 1)
    assert asked
    assert all(asked)


def test_the_command_writes_the_report(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    written = []
    for jobs in ("1", "2"):
        monkeypatch.setattr(calibration, "REPORT", tmp_path / f"{jobs}.md")
        assert main(["--fixtures", "6", "--play-outs", "2", "--seed", "4", "--jobs", jobs, "--write"]) == 0
        written.append((tmp_path / f"{jobs}.md").read_text(encoding="utf-8"))
    assert said(written[0]) == (6, 6)
    assert written[0] == written[1]
    assert capsys.readouterr().out == "".join(written)


def said(written: str) -> tuple[int, int]:
    """How many fixtures a report says that it is of, and how many are in its table."""
    asked = re.search(r"rules\.tools\.calibration --fixtures (\d+) --play-outs \d+ --seed \d+ --write`", written)
    assert asked is not None
    lines = [line for line in written.splitlines() if line.startswith("| ") and "% to" in line]
    return int(asked[1]), sum(int(line.split("|")[2]) for line in lines)


def test_a_report_says_how_far_the_score_is_from_that_of_a_sound_count() -> None:
    exact = [Fixture(0.5, number % 2 == 0) for number in range(100)]
    written = report(exact, 51, 7)
    assert said(written) == (100, 100)
    assert "Brier score: **0.2500**" in written
    assert "worse than that by -0.0100 (95%: -0.0100 to -0.0100)" in written
    assert "given 50.0% on average and won 50.0%. The difference is +0.0000" in written


def test_the_committed_report_is_one_of_this_command() -> None:
    """Its words are those of today, and what stands above the table follows from it, as far as that is rounded."""
    text = calibration.REPORT.read_text(encoding="utf-8")
    assert said(text) == (500, 500)
    words = re.sub(r"\{[^}]*\}", "\0", calibration.INTRODUCTION).split("\0")
    place = 0
    for piece in words:
        place = text.index(piece, place) + len(piece)
    assert f"(rules {RULES_VERSION})" in text
    chances, won = 0.0, 0
    for count, chance, share in re.findall(r"^\| \d+% to \d+% \| (\d+) \| ([\d.]+)% \| ([\d.]+)%", text, re.M):
        chances += int(count) * float(chance)
        won += round(int(count) * float(share) / 100)
    sentence = re.search(r"was given ([\d.]+)% on average and won ([\d.]+)%", text)
    assert sentence is not None
    assert chances / 500 == pytest.approx(float(sentence[1]), abs=0.11)
    assert 100 * won / 500 == pytest.approx(float(sentence[2]), abs=0.051)
