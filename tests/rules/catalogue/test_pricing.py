"""Prices of what stands on a sheet: twins with one thing changed, the fit, and the suggestion for a unit."""

import json
import random
from collections.abc import Mapping
from math import log, sqrt
from pathlib import Path
from typing import Any

import pytest
from scipy.special import expit

from rules.catalogue import load_builtin, pricing
from rules.catalogue.pricing import FEATURES, WORTHLESS_ALONE, features, price_parts, suggested_points
from rules.core.refusals import Malformed
from rules.core.units import UnitDefinition
from rules.core.words import CLASS_CAPS
from rules.measuring.balance.playing import Pairing, Played, Score, twin_pairings
from rules.measuring.balance.twins import CHANGES, find_unit, twin_of
from rules.tools.balance import __main__ as command
from rules.tools.balance.pricing import Evidence, evidence_of_twins, fit_prices, worth_of_twice, worths

CATALOGUE = load_builtin()


def light(count: int) -> list[str]:
    return [key for key, unit in CATALOGUE.units.items() if unit["class"] == "light"][:count]


@pytest.mark.parametrize("change", CHANGES)
def test_a_twin_is_better_in_one_thing_and_can_be_played(change: str) -> None:
    twins = [(unit, twin_of(unit, change)) for unit in CATALOGUE.units.values()]
    assert any(twin is not None for _, twin in twins)
    for unit, twin in twins:
        if twin is None:
            continue
        UnitDefinition.from_json(twin)
        assert twin["points"] == unit["points"]
        assert find_unit(CATALOGUE.units, twin["id"]) == twin
        before, after = features(unit), features(twin)
        assert all(after[name] >= before[name] - 1e-9 for name in FEATURES), unit["id"]
        differing = {key for key in unit if unit[key] != twin[key]} - {"id"}
        assert len(differing) == 1 or (change in ("reach", "targets") and differing == {"primary", "secondary"})
        markers = [sum(click["repair_marker"] for click in each["dial"]) for each in (unit, twin)]
        assert markers[0] == markers[1]


@pytest.mark.parametrize(
    ("change", "feature"),
    [
        ("early_click", "clicks"),
        ("middle_click", "second_weapon"),
        ("late_click", "toughness"),
        ("primary", "melee"),
        ("secondary", "firepower"),
        ("speed", "speed"),
        ("attack", "firepower"),
        ("defense", "toughness"),
        ("reach", "reach"),
        ("targets", "targets"),
        ("front_arc", "front_arc"),
        ("vent", "vent"),
        ("heat_step", "heat_steps"),
        ("primary_equipment", "damage_equipment"),
        ("speed_equipment", "speed_equipment"),
        ("attack_equipment", "attack_equipment"),
        ("defense_equipment", "defense_equipment"),
    ],
)
def test_each_feature_has_a_twin_that_has_more_of_it(change: str, feature: str) -> None:
    twins = [(unit, twin) for unit in CATALOGUE.units.values() if (twin := twin_of(unit, change)) is not None]
    assert any(features(twin)[feature] > features(unit)[feature] for unit, twin in twins)


def test_equipment_of_twins_is_of_every_kind_that_serves_alone() -> None:
    given = {
        key
        for unit in CATALOGUE.units.values()
        for change in CHANGES
        if change.endswith("equipment") and (twin := twin_of(unit, change)) is not None
        for click, before in zip(twin["dial"], unit["dial"], strict=True)
        for value, key in click["equipment"].items()
        if before["equipment"].get(value) != key
    }
    assert not given & WORTHLESS_ALONE
    assert len(given) > 15


def test_a_unit_with_a_full_front_arc_has_no_twin_with_a_wider_one() -> None:
    unit = next(unit for unit in CATALOGUE.units.values() if unit["front_arc"] == 360)
    assert twin_of(unit, "front_arc") is None
    with pytest.raises(KeyError):
        find_unit(CATALOGUE.units, f"{unit['id']}+front_arc")
    paired = [pairing.second for pairing in twin_pairings(CATALOGUE.units, 3, ["front_arc"])]
    assert unit["id"] not in paired
    assert all(pairing.bouts == 2 for pairing in twin_pairings(CATALOGUE.units, 3))


def test_what_changes_are_worth_is_measured(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def three_in_four(schedule: list[Pairing], *others: Any) -> list[Played]:
        assert all(first.partition("+")[0] == second for first, second, _ in schedule)
        return [Played(first, second, (Score(1, 1), Score(1, 0)) * 200) for first, second, _ in schedule]

    monkeypatch.setattr(command, "play", three_in_four)
    assert command.main(["--twins"]) == 0
    said = capsys.readouterr().out.splitlines()
    rows = {line.split()[0]: line.split() for line in said}
    for change in CHANGES:
        twins = sum(twin_of(unit, change) is not None for unit in CATALOGUE.units.values())
        assert rows[change][1:3] == [str(800 * twins), "75.0%"]
        assert float(rows[change][3].rstrip(",")) == pytest.approx(log(3), abs=0.01)
    worths = [log(3) * log(2) / log(1 + 1 / len(unit["dial"])) for unit in CATALOGUE.units.values()]
    assert min(worths) < float(said[-1].split()[3]) < max(worths)


# --- prices of features ------------------------------------------------------------------------------------------


def sheets(count: int, rng: random.Random) -> list[dict[str, float]]:
    """Features of units in which speed and armour, made to fit, go against each other."""
    found = []
    for _ in range(count):
        clicks = float(rng.randint(9, 18))
        skill = rng.uniform(-6, 6)
        found.append({"clicks": clicks, "speed": 8 * clicks + skill, "armour": 3 * clicks - skill, "same": 4.0})
    return found


TRUE_PRICES = {"clicks": 4.0, "speed": 0.5, "armour": 1.2, "same": 0.0}
FASTER = {"clicks": 0.0, "speed": 12.0, "armour": 0.0, "same": 0.0}
TOUGHER = {"clicks": 0.0, "speed": 0.0, "armour": 5.0, "same": 0.0}


def priced(sheet: Mapping[str, float]) -> float:
    return sum(TRUE_PRICES[name] * amount for name, amount in sheet.items())


def test_twins_price_what_house_units_leave_open() -> None:
    rng = random.Random(2)
    house = [Evidence(sheet, 20 + priced(sheet) + rng.gauss(0, 2), 2.0, True) for sheet in sheets(40, rng)]
    changes = [FASTER, TOUGHER] * 8
    twins = [Evidence(change, priced(change) + rng.gauss(0, 2), 2.0, False) for change in changes]
    alone, together = fit_prices(house), fit_prices([*house, *twins])
    for found in (alone, together):
        assert 1 < found.miss < 4
        assert found.points["same"] == 0
        for clicks in (10.0, 17.0):
            usual = {"clicks": clicks, "speed": 8 * clicks, "armour": 3 * clicks, "same": 4.0}
            fitted = found.constant + sum(found.points[name] * amount for name, amount in usual.items())
            assert fitted == pytest.approx(20 + priced(usual), abs=2)
    assert together.points["speed"] == pytest.approx(0.5, rel=0.2)
    assert together.points["armour"] == pytest.approx(1.2, rel=0.2)
    # Alone, the house units show no more than the difference of the two prices.
    assert alone.points["speed"] < 0.2
    with pytest.raises(ValueError, match="three units"):
        fit_prices([*house[:2], *twins])


def test_prices_are_not_below_zero_and_doubtful_ones_are_near_it() -> None:
    rng = random.Random(5)
    house = [Evidence(sheet, 11.5 * sheet["clicks"], 4.0, True) for sheet in sheets(20, rng)]
    found = fit_prices([*house, Evidence(FASTER, -8.0, 3.0, False), Evidence(TOUGHER, 20.0, 40.0, False)])
    assert found.points["speed"] == 0
    assert 0 <= 5 * found.points["armour"] < 2


def test_the_usual_miss_is_that_of_units_left_out() -> None:
    rng = random.Random(3)
    names = ("clicks", *"abcdefghijkl")
    house = [Evidence({name: rng.random() for name in names}, rng.gauss(100, 20), 1.0, True) for _ in range(24)]
    # Twelve features explain half of what chance made of 24 units, and nothing of the next.
    assert fit_prices(house).miss > 18


def test_what_changes_are_worth_comes_from_all_twins_that_have_them() -> None:
    one, two = light(2)
    results = [
        Played(f"{one}+speed", one, (Score(1, 1), Score(1, 0))),
        Played(f"{two}+speed", two, (Score(1, 1), Score(0, 0.5))),
        Played(f"{one}+vent", one, (Score(1, 1),)),
    ]
    found = worths(results)
    assert (found["speed"].matches, found["speed"].rate) == (8, 5.5 / 8)
    assert found["speed"].log_odds == pytest.approx(log(6 / 3))
    assert found["speed"].error == pytest.approx(1 / sqrt(8 * 2 / 9))
    assert 1 < found["vent"].log_odds < 3
    speed, vent = evidence_of_twins(CATALOGUE.units, results, 0.05)
    assert speed.points == pytest.approx(log(2) / 0.05)
    clicks = [len(CATALOGUE.units[key]["dial"]) for key in (one, two)]
    assert {name: amount for name, amount in speed.features.items() if amount} == {"speed": sum(clicks) / 2}
    assert {name: amount for name, amount in vent.features.items() if amount} == {"vent": 1}


def test_the_worth_of_twice_the_clicks() -> None:
    clicks = {"a": 9, "b": 18}
    results = [
        Played(f"{unit}+early_click", unit, (Score(rate, rate),) * 50)
        for unit, count in clicks.items()
        for rate in [expit(3.0 * log(1 + 1 / count) / log(2))]
    ]
    found, error = worth_of_twice(clicks, results)
    assert found == pytest.approx(3.0)
    assert 0.5 < error < 1.5


def test_prices_are_written_with_their_command_and_price_units(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def by_points(schedule: list[Pairing], *others: Any) -> list[Played]:
        found = []
        for first, second, bouts in schedule:
            better = 0.4 if "+" in first else 0.0
            gap = find_unit(CATALOGUE.units, first)["points"] - CATALOGUE.units[second]["points"]
            found.append(Played(first, second, (Score(*[expit(0.03 * gap + better)] * 2),) * bouts))
        return found

    monkeypatch.setattr(command, "play", by_points)
    path = tmp_path / "prices.json"
    command.main(["--seed", "3", "--matches", "40", "--prices", str(path), "--json", str(tmp_path / "all")])
    assert "adjusted" in capsys.readouterr().out
    written = json.loads(path.read_text())
    assert written["source"] == "python -m rules.tools.balance --matches 40 --seed 3 --prices"
    assert written["units"] == len(CATALOGUE.units)
    assert list(written["points"]) == ["constant", *FEATURES]
    assert 0 < written["usual_miss"] < 20
    assert list(json.loads((tmp_path / "all").read_text())["classes"]) == list(CLASS_CAPS)
    monkeypatch.setattr(pricing, "PRICES_FILE", path)
    pricing._prices.cache_clear()
    try:
        ratios = [suggested_points(unit) / unit["points"] for unit in CATALOGUE.units.values()]
    finally:
        pricing._prices.cache_clear()
    assert 0.8 < min(ratios) < max(ratios) < 1.2


def test_more_of_what_helps_is_more_of_a_feature() -> None:
    unit = CATALOGUE.units[light(1)[0]]
    better = {
        **unit,
        "front_arc": 360,
        "vent": unit["vent"] + 1,
        "heat": [unit["heat"][0], *unit["heat"]],
        "primary": {**unit["primary"], "type": "energy", "targets": 3, "range": [0, 20]},
        "dial": [
            {
                **click,
                **{value: click[value] + 1 for value in ("primary", "secondary", "speed", "attack", "defense")},
                "equipment": {
                    "primary": "pulse",
                    "speed": "evade",
                    "attack": "command",
                    "defense": "decoy",
                },
            }
            for click in [unit["dial"][0], *unit["dial"]]
        ],
    }
    before, after = features(unit), features(better)
    assert list(before) == list(FEATURES)
    assert all(after[name] > before[name] for name in FEATURES)


@pytest.mark.parametrize("unit", CATALOGUE.units.values(), ids=lambda unit: unit["id"])
def test_a_sheet_is_priced_near_its_points_without_looking_at_them(unit: dict[str, Any]) -> None:
    suggested = suggested_points(unit)
    assert suggested == suggested_points({**unit, "points": 1, "class": None})
    assert suggested == round(sum(price_parts(unit).values()))
    assert abs(suggested / unit["points"] - 1) < 0.25


def test_a_sheet_that_cannot_be_read_has_no_price() -> None:
    with pytest.raises(Malformed):
        suggested_points({"id": "X", "dial": []})
