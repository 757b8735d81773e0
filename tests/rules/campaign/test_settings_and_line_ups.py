"""Season settings, line-ups, and that every code has its sentence."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

import rules.campaign
from rules.campaign.line_ups.checks import (
    OwnedPilot,
    OwnedUnit,
    build_points,
    check_crew,
    crews,
    must_play,
)
from rules.campaign.market.prices import price_of
from rules.campaign.refusals import MALFORMED_CODES, REFUSAL_CODES
from rules.campaign.season.settings import SWITCHES_WITHOUT_EFFECT, SeasonSettings
from rules.campaign.wording.refusals import SENTENCES
from rules.core.refusals import Malformed, SeasonRefused
from rules.solaris.house_rules import HouseRules
from rules.wording import all_codes


def unit(key: str, points: int = 120, weight_class: str = "light", **other: Any) -> dict[str, Any]:
    return {
        "id": key,
        "name": key,
        "variant": "X-1-L",
        "class": weight_class,
        "rank": "green",
        "points": points,
        **other,
    }


def pilot(key: str, points: int = 15, **other: Any) -> dict[str, Any]:
    return {"id": key, "name": key, "kind": "common", "points": points, **other}


def test_settings_round_trip_and_defaults() -> None:
    settings = SeasonSettings.from_json({"weight_class": "light"})
    assert SeasonSettings.from_json(settings.to_json()) == settings
    assert (settings.absence_pays, settings.loser_keeps_reputation, settings.purse_team4_lightweight) == (
        30,
        False,
        "corrected",
    )
    assert settings.rounds_of(1, 8) == 4
    assert settings.rounds_of(6, 8) == 1
    assert settings.capital == 1000


@pytest.mark.parametrize(
    ("document", "code"),
    [
        ([], "settings_not_an_object"),
        ({"weight_class": "light", "colour": 1}, "unknown_setting"),
        ({"weight_class": "feather"}, "setting_out_of_range"),
        ({}, "setting_out_of_range"),
        ({"weight_class": "light", "absence_pays": True}, "setting_out_of_range"),
        ({"weight_class": "light", "absence_pays": -1}, "setting_out_of_range"),
        ({"weight_class": "light", "unplayed": "sometimes"}, "setting_out_of_range"),
        ({"weight_class": "light", "cycles": []}, "setting_out_of_range"),
        ({"weight_class": "light", "cycles": ["standard", "standard"]}, "setting_out_of_range"),
        ({"weight_class": "light", "cycles": [["standard"]]}, "setting_out_of_range"),
        ({"weight_class": ["light"]}, "setting_out_of_range"),
        ({"multi_class_order": ["light"], "cycles": ["standard", "team"]}, "setting_out_of_range"),
        ({"weight_class": "light", "loser_keeps_reputation": "yes"}, "setting_out_of_range"),
        ({"weight_class": "light", "house_rules": []}, "setting_out_of_range"),
    ],
)
def test_unreadable_settings_are_malformed(document: object, code: str) -> None:
    with pytest.raises(Malformed) as caught:
        SeasonSettings.from_json(document)
    assert caught.value.code == code


@pytest.mark.parametrize(
    ("document", "code"),
    [
        ({"house_rules": {"clock_seconds": 60}}, "setting_not_built"),
    ],
)
def test_what_is_not_built_is_refused(document: dict[str, object], code: str) -> None:
    settings = SeasonSettings.from_json({"weight_class": "light", "cycles": ["standard"], **document})
    with pytest.raises(SeasonRefused) as caught:
        settings.refuse_unbuilt()
    assert caught.value.code == code
    asked = document.get("house_rules", document)
    assert isinstance(asked, dict)
    assert caught.value.parameters.get("setting", "cycle") in {*asked, "cycle"}


def test_every_switch_that_a_season_accepts_is_read_somewhere() -> None:
    """A switch that no module reads must be refused, or it would pretend."""
    source = "".join(
        path.read_text(encoding="utf-8")
        for room in ("rules/solaris", "rules/competition", "rules/campaign", "stables")
        for path in (Path(rules.campaign.__file__).parents[2] / room).rglob("*.py")
        if path.name != "settings.py"
    )
    unread = {name for name in HouseRules().to_json() if not re.search(rf"house_rules\.{name}\b", source)}
    # The round limit is read through HouseRules.rounds.
    assert unread - {"time_limit_rounds"} <= set(SWITCHES_WITHOUT_EFFECT)


@pytest.mark.parametrize(
    "document",
    [
        {},
        HouseRules().to_json(),
        {"rally_cards": False},
        {"time_limit_rounds": 6},
        {"points_only": True},
        {"build_total_per": "team"},
        {"build_total_per": "team", "build_total": 400},
    ],
)
def test_the_defaults_spelled_out_and_what_is_played_are_accepted(document: dict[str, object]) -> None:
    season = {"weight_class": "light", "cycles": ["standard"], "house_rules": document}
    SeasonSettings.from_json(season).refuse_unbuilt()


def test_r_cyc_04_a_shortened_season_is_built() -> None:
    SeasonSettings.from_json({"weight_class": "light", "cycles": ["standard"]}).refuse_unbuilt()


def test_q_160_a_multi_class_season_follows_its_published_order() -> None:
    settings = SeasonSettings.from_json({"multi_class_order": ["heavy", "light"], "cycles": ["standard", "team"]})
    assert (settings.capital, settings.class_of(1), settings.class_of(2)) == (3000, "heavy", "light")


def test_d_51_q_110_alternative_points_count_on_the_preferred_unit() -> None:
    card = pilot("GS-008", 15, kind="gunslinger", alternative={"points": 25, "unit": "SOL002"})
    assert build_points(unit("SOL002", 128), card) == 153
    assert build_points(unit("SOL003", 128), card) == 143
    assert price_of("pilot", card) == 15


@pytest.mark.parametrize(
    ("owned", "crewed_by", "codes"),
    [
        pytest.param(OwnedUnit("u", unit("u", 145), "undamaged"), pilot("p"), [], id="R-BLD-07-equal"),
        pytest.param(
            OwnedUnit("u", unit("u", 146), "undamaged"), pilot("p"), ["over_build_total"], id="R-BLD-07-one-more"
        ),
        pytest.param(OwnedUnit("u", unit("u"), "eliminated"), pilot("p"), ["unit_eliminated"], id="R-CRP-08"),
        pytest.param(OwnedUnit("u", unit("u"), "undamaged", 0, True), pilot("p"), ["unit_sits_out"], id="R-CRP-09"),
        pytest.param(
            OwnedUnit("u", unit("u", weight_class="heavy"), "undamaged"), pilot("p"), ["wrong_class"], id="R-BLD-09"
        ),
        pytest.param(OwnedUnit("u", unit("u"), "undamaged"), None, ["pilot_missing"], id="R-STB-03"),
        pytest.param(OwnedUnit("u", unit("u", variant=None), "undamaged"), None, [], id="R-STB-03-before-aod"),
        pytest.param(
            OwnedUnit("u", unit("u", variant=None), "undamaged"),
            pilot("p"),
            ["no_cards_without_variant"],
            id="R-BLD-15",
        ),
        pytest.param(OwnedUnit("u", unit("u"), "salvage", 7), pilot("p"), [], id="Q-155-salvage-by-choice"),
        pytest.param(
            OwnedUnit("u", unit("u"), "undamaged"),
            pilot("p", requires={"class": ["heavy"]}),
            ["pilot_requirement"],
            id="requires",
        ),
    ],
)
def test_check_crew(owned: OwnedUnit, crewed_by: dict[str, Any] | None, codes: list[str]) -> None:
    crew = None if crewed_by is None else OwnedPilot("p", crewed_by)
    assert [problem.code for problem in check_crew(owned, crew, "light")] == codes


def test_r_for_04_q_139_q_155_duty_to_play() -> None:
    pilots = [OwnedPilot("p", pilot("p"))]
    assert must_play([OwnedUnit("u", unit("u"), "able", 3)], pilots, "light")
    assert not must_play([OwnedUnit("u", unit("u"), "salvage", 8)], pilots, "light")
    assert crews([OwnedUnit("u", unit("u"), "salvage", 8)], pilots, "light")
    assert not must_play([OwnedUnit("u", unit("u"), "able", 3)], [], "light")


def test_every_code_has_a_sentence_and_every_code_raised_is_listed() -> None:
    assert set(SENTENCES) == set(REFUSAL_CODES) | set(MALFORMED_CODES)
    source = "\n".join(path.read_text() for path in Path(rules.campaign.__file__).parent.rglob("*.py"))
    raised = set(re.findall(r'(?:Refusal|SeasonRefused|Malformed)\(\s*"([a-z_0-9]+)"', source))
    # Codes about cards have their sentence where the match has it too.
    assert raised <= set(all_codes())
