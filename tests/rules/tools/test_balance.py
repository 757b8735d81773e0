"""What points are held against: the statistics on matches of known strength, and the command on real ones."""

import random
from collections import Counter
from collections.abc import Mapping
from itertools import combinations
from math import log
from types import SimpleNamespace
from typing import Any

import pytest
from scipy.special import expit

from rules.catalogue import load_builtin
from rules.measuring.balance import playing
from rules.measuring.balance.playing import Bout, Pairing, Played, Score, pairings, play, setup_of
from rules.measuring.self_play import wilson_interval
from rules.measuring.studies import in_processes
from rules.tools.balance.fitting import (
    CLICK_WORTH,
    LEAST_SLOPE,
    Slope,
    adjusted_rate,
    click_slope,
    clustering,
    fit,
    fit_one,
)

CATALOGUE = load_builtin()


def names(count: int) -> list[str]:
    return [f"u{number:02d}" for number in range(count)]


def expected(strengths: Mapping[str, float], bouts: int) -> list[Played]:
    """Results without chance: each match is won by its chance."""
    return [
        Played(one, other, (Score(rate, rate),) * bouts)
        for one, other in combinations(sorted(strengths), 2)
        for rate in [float(expit(strengths[one] - strengths[other]))]
    ]


def drawn(strengths: Mapping[str, float], matches: int, rng: random.Random, ground: float = 0.0) -> list[Played]:
    """Results by chance; the ground of a bout favours one of the two by a log-odds of this spread."""
    found = []
    for one, other, bouts in pairings(sorted(strengths), matches):
        scores = []
        for _ in range(bouts):
            rate = expit(strengths[one] - strengths[other] + rng.gauss(0, ground))
            scores.append(Score(float(rng.random() < rate), float(rng.random() < rate)))
        found.append(Played(one, other, tuple(scores)))
    return found


# --- who plays whom ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("units", "matches", "each"),
    [
        (2, 400, 400),
        (4, 400, 400),
        (10, 400, 400),
        (11, 400, 400),
        (12, 400, 400),
        (12, 2, 2),
        (13, 400, 400),
        (5, 1, 4),  # one bout each does not come out for five: two each
        (7, 401, 404),
        (4, 3, 4),
    ],
)
def test_every_unit_plays_as_many_matches_as_evenly_as_it_can(units: int, matches: int, each: int) -> None:
    schedule = pairings(names(units), matches)
    played: Counter[str] = Counter()
    for first, second, bouts in schedule:
        assert first < second
        played[first] += 2 * bouts
        played[second] += 2 * bouts
    assert set(played.values()) == {each}
    assert len(played) == units
    full = [pairing.bouts for pairing in schedule]
    assert max(full) - (min(full) if len(full) == units * (units - 1) // 2 else 0) <= 1


@pytest.mark.parametrize(("units", "matches"), [(1, 400), (0, 400), (4, 0)])
def test_no_schedule_without_units_or_matches(units: int, matches: int) -> None:
    with pytest.raises(ValueError, match="at least"):
        pairings(names(units), matches)


# --- strengths, slope, fitted points -----------------------------------------------------------------------------


@pytest.mark.parametrize("worth", [0.02, 0.04, 0.06])
@pytest.mark.parametrize("points", [(100, 110, 120, 130), (104, 109, 112, 118, 121, 127, 129, 131)])
def test_points_that_match_strengths_are_recovered(worth: float, points: tuple[int, ...]) -> None:
    prices = dict(zip(names(len(points)), points, strict=True))
    mean = sum(points) / len(points)
    found = fit(prices, expected({unit: worth * (price - mean) for unit, price in prices.items()}, 200))
    assert found.slope.worth == pytest.approx(worth, rel=0.06)
    for unit in found.units:
        assert unit.strength == pytest.approx(worth * (unit.points - mean), abs=0.01)
        assert unit.fitted == pytest.approx(unit.points, abs=0.7)
        assert unit.fitted_low < unit.points < unit.fitted_high
        assert unit.adjusted == pytest.approx(0.5, abs=0.01)
        assert unit.is_inside


@pytest.mark.parametrize(("change", "is_inside"), [(-8, True), (8, True), (-40, False), (40, False)])
def test_a_unit_at_a_wrong_price_is_found_out_and_priced(change: int, is_inside: bool) -> None:
    worth = 0.055
    points = {unit: 100 + 3 * number for number, unit in enumerate(names(12))}
    strengths = {unit: worth * (price - 116) for unit, price in points.items()}
    strengths["u05"] += worth * change
    found = fit(points, expected(strengths, 18), Slope(worth))
    wrong = found.units[5]
    assert (wrong.adjusted > 0.5) == (change > 0)
    assert wrong.is_inside is is_inside
    # The class's mean strength moves by a twelfth of the change, and no more can be known.
    assert wrong.fitted - wrong.points == pytest.approx(change * 11 / 12, abs=1)
    assert all(unit.is_inside for unit in found.units if unit.unit != "u05")


def test_points_that_mean_nothing_are_not_excused_by_a_flat_line() -> None:
    points = {unit: 100 + 3 * number for number, unit in enumerate(names(12))}
    found = fit(points, expected(dict.fromkeys(points, 0.0), 100))
    by_click = click_slope(sum(points.values()) / 12)
    assert found.slope.line == pytest.approx(0, abs=1e-6)
    assert LEAST_SLOPE * by_click <= found.slope.worth < 0.7 * by_click
    assert found.units[0].adjusted > 0.54 > 0.46 > found.units[-1].adjusted


@pytest.mark.parametrize("points", [(110, 110, 110, 110), (100, 130)])
def test_without_a_line_the_worth_of_a_click_is_the_slope(points: tuple[int, ...]) -> None:
    prices = dict(zip(names(len(points)), points, strict=True))
    found = fit(prices, expected(dict.fromkeys(prices, 0.0), 50))
    assert found.slope == Slope(click_slope(sum(points) / len(points)))
    assert click_slope(115) * 115 * log(2) == pytest.approx(CLICK_WORTH)


def test_scatter_draws_the_slope_to_the_worth_of_a_click() -> None:
    points = {unit: 100 + 3 * number for number, unit in enumerate(names(12))}
    near, far = (
        fit(points, expected({u: 0.06 * (p - 116) + (-1) ** n * off for n, (u, p) in enumerate(points.items())}, 50))
        for off in (0.1, 1.0)
    )
    assert click_slope(116.5) < far.slope.worth < near.slope.worth < 0.062
    assert near.slope.weight > 0.9 > far.slope.weight


@pytest.mark.parametrize("change", [-12, 0, 20])
def test_one_unit_alone_is_priced_by_the_others_points(change: int) -> None:
    points = {unit: 100 + 3 * number for number, unit in enumerate(names(12))}
    strengths = {unit: click_slope(116.5) * (price - 116.5) for unit, price in points.items()}
    strengths["u03"] += click_slope(116.5) * change
    own = [played for played in expected(strengths, 18) if "u03" in played[:2]]
    (found,) = fit_one("u03", points, own).units
    assert found.matches == 11 * 36
    assert found.points == 109
    assert found.fitted == pytest.approx(109 + change, abs=0.5)
    assert found.strength == pytest.approx(strengths["u03"], abs=0.02)
    assert found.fitted_low < 109 + change < found.fitted_high


# --- adjusted win rate and its interval --------------------------------------------------------------------------


@pytest.mark.parametrize(("won", "matches"), [(0, 10), (3, 10), (5, 10), (10, 10), (140, 400), (399, 400)])
def test_at_equal_points_the_interval_is_wilsons(won: int, matches: int) -> None:
    half = matches // 2
    opponents = [(0.0, half, min(won, half)), (0.0, matches - half, max(0, won - half))]
    rate, low, high = adjusted_rate(opponents, Slope(0.06))
    assert rate == pytest.approx(won / matches, abs=1e-6)
    assert (low, high) == pytest.approx(wilson_interval(won, matches), abs=1e-5)


@pytest.mark.parametrize("difference", [-20, 0, 15])
@pytest.mark.parametrize("rate", [0.3, 0.5, 0.6])
def test_the_point_difference_is_taken_out(difference: int, rate: float) -> None:
    worth = 0.05
    seen = expit(log(rate / (1 - rate)) + worth * difference)
    found, low, high = adjusted_rate([(difference, 400, 400 * seen)], Slope(worth))
    assert found == pytest.approx(rate, abs=1e-6)
    assert low < rate < high


def test_doubt_about_slope_and_clustering_widens_the_interval() -> None:
    def width(slope: Slope, widening: float, difference: float = 20) -> float:
        _, low, high = adjusted_rate([(difference, 400, 220)], slope, widening)
        return high - low

    plain = width(Slope(0.05), 1.0)
    assert width(Slope(0.05), 1.5) == pytest.approx(plain * 1.5**0.5, rel=0.02)
    assert width(Slope(0.05, spread=0.01), 1.0) > 1.5 * plain
    assert width(Slope(0.05, spread=0.01), 1.0, 0) == pytest.approx(width(Slope(0.05), 1.0, 0))
    with pytest.raises(ValueError, match="no matches"):
        adjusted_rate([], Slope(0.05))


@pytest.mark.parametrize(
    ("ground", "clusters"), [(0.0, False), (1.5, True)], ids=["independent matches", "grounds that favour one"]
)
def test_the_interval_holds_the_truth_in_about_95_of_100_classes(ground: float, clusters: bool) -> None:
    rng = random.Random(f"coverage/{ground}")
    points = {unit: 100 + 5 * number for number, unit in enumerate(names(8))}
    strengths = {unit: 0.05 * (price - 117.5) + rng.gauss(0, 0.3) for unit, price in points.items()}
    # With a ground the chance over all grounds is nearer to a half: the truth is the mean of very many classes.
    many = drawn(strengths, 40_000, rng, ground) if ground else expected(strengths, 100)
    truth = {unit.unit: unit for unit in fit(points, many).units}
    held = fitted = total = 0
    seen = 0.0
    for _ in range(120):
        found = fit(points, drawn(strengths, 140, rng, ground))
        seen += found.clustering / 120
        for unit in found.units:
            held += unit.low <= truth[unit.unit].adjusted <= unit.high
            error = (unit.fitted_high - unit.fitted_low) / 2 * found.slope.worth
            fitted += abs(unit.strength - truth[unit.unit].strength) <= error
            total += 1
    assert 0.93 <= held / total <= 0.985
    assert 0.93 <= fitted / total <= 0.985
    assert (seen > 1.15) is clusters


@pytest.mark.parametrize(("scores", "widening"), [((1, 1, 0, 0), 2), ((1, 0, 1, 0), 1), ((1, 0.5, 0.5, 0.5), 1)])
def test_clustering_is_the_variance_of_bouts_over_that_of_single_matches(
    scores: tuple[float, ...], widening: float
) -> None:
    one, other = Score(scores[0], scores[1]), Score(scores[2], scores[3])
    found = clustering([Played("a", "b", (one, other) * 200)])
    assert found == pytest.approx(widening, rel=0.01)


def test_clustering_of_independent_matches_is_one_in_short_pairings_too() -> None:
    rng = random.Random(4)
    games = [Played("a", "b", tuple(Score(*rng.choices((0.0, 1.0), k=2)) for _ in range(3))) for _ in range(4000)]
    assert clustering(games) == pytest.approx(1, abs=0.04)


def test_a_unit_that_wins_everything_has_a_finite_strength() -> None:
    strengths = {"a": 30.0, "b": 0.0, "c": 0.0}
    found = fit({"a": 110, "b": 110, "c": 110}, expected(strengths, 10))
    best = found.units[0]
    assert 3 < best.strength < 15
    assert best.high == pytest.approx(1)
    assert best.low == pytest.approx(wilson_interval(40, 40)[0], abs=0.001)


# --- matches -----------------------------------------------------------------------------------------------------


def light(count: int) -> list[str]:
    return [key for key, unit in CATALOGUE.units.items() if unit["class"] == "light"][:count]


def test_r_bld_17_a_bout_swaps_sides_on_the_same_ground_with_the_same_tokens(monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[Any] = []

    def red_wins(setup: Any, seed: str, faults: Any) -> float:
        seen.append((setup, seed))
        return 1.0

    monkeypatch.setattr(playing, "play_match", red_wins)
    first, second = light(2)
    assert playing.play_bout(CATALOGUE, Bout(first, second, 3, 1), []) == (1.0, 0.0)
    (one, one_seed), (other, other_seed) = seen
    assert one_seed != other_seed
    assert one.arena == other.arena
    assert [side.tokens for side in one.sides] == [side.tokens for side in other.sides]
    units = [[side.units[0].unit["id"] for side in setup.sides] for setup in (one, other)]
    assert units == [[first, second], [second, first]]
    for side in one.sides:
        assert sum(token["rp"] for token in side.tokens) == 30
        assert side.units[0].pilot is None
        assert side.units[0].total == side.units[0].unit["points"]


def test_each_bout_has_ground_and_dice_of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    seeds: list[str] = []
    setups: list[Any] = []

    def note(setup: Any, seed: str, faults: Any) -> float:
        seeds.append(seed)
        setups.append(setup)
        return 0.0

    monkeypatch.setattr(playing, "play_match", note)
    for number in range(20):
        playing.play_bout(CATALOGUE, Bout(*light(2), number, 1), [])
    assert len(set(seeds)) == 40
    assert len({setup.arena["id"] for setup in setups}) > 2


def test_arenas_and_tokens_vary() -> None:
    units = tuple(CATALOGUE.units[key] for key in light(2))
    setups = [setup_of(CATALOGUE, (units[0], units[1]), random.Random(number)) for number in range(60)]
    assert {setup.arena["id"] for setup in setups} == set(CATALOGUE.arenas)
    assert len({tuple(token["id"] for token in setup.sides[0].tokens) for setup in setups}) > 20


@pytest.mark.parametrize(
    ("winner", "tie_break", "won"),
    [("red", None, 1), ("blue", None, 0), ("red", "total", 0.5), ("blue", "die", 0.5)],
)
def test_r_end_09_a_tie_that_points_or_a_die_break_is_a_draw(
    winner: str, tie_break: str | None, won: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    over = SimpleNamespace(table=SimpleNamespace(open=None), result=SimpleNamespace(winner=winner, tie_break=tie_break))
    monkeypatch.setattr(playing.Match, "start", lambda *arguments, **options: over)
    setup = setup_of(CATALOGUE, (CATALOGUE.units[light(1)[0]],) * 2, random.Random(1))
    assert playing.play_match(setup, "any", []) == won


def test_results_depend_on_seed_and_pairing_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(playing, "PART_SIZE", 1)
    first, second, third = light(3)
    schedule = [Pairing(first, second, 2), Pairing(first, third, 1)]
    alone = play(schedule, 5)
    counts: list[tuple[int, int]] = []
    assert play(schedule, 5, in_processes(2), progress=lambda *numbers: counts.append(numbers)) == alone
    assert counts == [(2, 6), (4, 6), (6, 6)]
    assert play([Pairing(first, third, 1)], 5) == alone[1:]
    assert play(schedule, 6) != alone
