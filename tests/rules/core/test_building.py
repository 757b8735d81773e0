"""Building a combatant: classes, caps, pilots, copies, tokens (section BLD)."""

from typing import Any

import pytest

from rules.campaign.line_ups.tokens import check_tokens
from rules.catalogue import load_builtin
from rules.competition.setups import read_setup
from rules.core.refusals import Malformed
from rules.core.units import PilotDefinition
from rules.solaris.building import build_problems, class_of
from rules.solaris.house_rules import HouseRules
from tests.rules.board import duel_setup, loadout, pilot, setup_document, token, unit

CAPS = [
    pytest.param("light", 160, id="R-BLD-03 light"),
    pytest.param("medium", 210, id="R-BLD-04 medium"),
    pytest.param("heavy", 280, id="R-BLD-05 Q-01 heavy"),
    pytest.param("assault", 350, id="R-BLD-06 assault"),
]


def codes(
    definition: dict[str, Any], match_class: str | None, card: dict[str, Any] | None = None, **switches: Any
) -> list[str]:
    rules = HouseRules.from_json(switches)
    return [problem.code for problem in build_problems(definition, card, match_class, rules)]


@pytest.mark.parametrize(("match_class", "cap"), CAPS)
def test_r_bld_07_a_total_may_equal_the_cap_of_its_class_and_no_more(match_class: str, cap: int) -> None:
    keys: dict[str, Any] = {"class": match_class, "variant": f"TST-1-{match_class[0].upper()}"}
    assert codes(unit(points=cap, **keys), match_class) == []
    assert codes(unit(points=cap + 1, **keys), match_class) == ["over_build_total"]


def test_w_01_r_bld_08_r_cec_03_unit_and_pilot_are_added_up_against_the_cap() -> None:
    """210 is legal in a medium match and 211 is not; it is tested for each unit."""
    card = pilot(attack=1)
    assert codes(unit(points=200), "medium", card) == []
    assert codes(unit(points=201), "medium", card) == ["over_build_total"]
    assert codes(unit(points=201), "medium") == []


def test_r_bld_01_09_class_and_total_are_those_agreed_for_the_match() -> None:
    assert codes(unit(points=150), "light") == ["wrong_class"]
    assert codes(unit(points=170), "light") == ["wrong_class", "over_build_total"]
    assert codes(unit(points=150), "heavy") == ["wrong_class"]


def test_r_bld_16_points_only_matches_mix_classes() -> None:
    assert codes(unit(points=150), None) == []
    assert codes(unit(points=150), "heavy", points_only=True) == []
    assert codes(unit(points=150), None, build_total=140) == ["over_build_total"]


def test_r_bld_20_players_may_agree_another_total() -> None:
    assert codes(unit(points=250), "medium", build_total=250) == []
    assert codes(unit(points=200), "medium", build_total=199) == ["over_build_total"]


def test_r_bld_18_the_cap_is_per_unit() -> None:
    """Two units at the cap stand side by side in one team."""
    setup = duel_setup(
        sides={
            "red": [loadout("a", unit(points=210)), loadout("b", unit(points=210))],
            "blue": [loadout("c"), loadout("d")],
        }
    )
    assert [codes(dict(entry.unit), "medium") for entry in setup.sides[0].units] == [[], []]
    assert [entry.total for entry in setup.sides[0].units] == [210, 210]


@pytest.mark.parametrize(
    ("points", "expected"),
    [(1, "light"), (160, "light"), (161, "medium"), (210, "medium"), (211, "heavy"), (280, "heavy"), (281, "assault"),
     (350, "assault"), (351, None)],
)  # fmt: skip
def test_r_bld_14_q_115_units_without_a_variant_take_their_class_by_points(points: int, expected: str | None) -> None:
    old = {**unit(points=points), "variant": None, "class": None}
    assert class_of(old) == expected


def test_r_bld_14_a_class_that_is_said_of_a_unit_without_a_variant_does_not_count() -> None:
    old = {**unit(points=150), "variant": None, "class": "heavy"}
    assert class_of(old) == "light"
    assert codes(old, "light") == []
    assert codes(old, "heavy") == ["wrong_class"]


def test_r_bld_15_units_without_a_variant_carry_no_pilot() -> None:
    old = {**unit(points=150), "variant": None, "class": None}
    assert codes(old, "light") == []
    assert codes(old, "light", pilot()) == ["no_cards_without_variant"]


def test_r_plt_01_12_w_15_a_graduate_of_the_robinson_academy_needs_a_light_unit() -> None:
    card = next(one for one in load_builtin().pilots.values() if "Robinson" in one["name"])
    light = unit(points=100, **{"class": "light", "variant": "TST-1-L"})
    assert codes(light, "light", card) == []
    assert codes(unit(points=100), "medium", card) == ["pilot_requirement"]


def test_r_plt_02_r_bld_11_common_pilots_and_plain_units_may_come_twice() -> None:
    """One side, the same unit and the same pilot two times: nothing in the rules of the match forbids it."""
    one = pilot(attack=1)
    setup = duel_setup(
        sides={"red": [loadout("a", unit(), pilot=one), loadout("b", unit(), pilot=one)], "blue": [loadout("c")]}
    )
    assert [entry.total for entry in setup.sides[0].units] == [160, 160]


def test_r_bld_13_both_sides_may_field_the_same_unique() -> None:
    unique = unit("yen-lo-wang", rank="unique")
    setup = duel_setup(red=unique, blue=unique)
    assert [side.units[0].unit["rank"] for side in setup.sides] == ["unique", "unique"]


def test_w_17_a_pilot_ability_that_is_not_played_is_refused_not_ignored() -> None:
    with pytest.raises(Malformed) as caught:
        PilotDefinition.from_json({**pilot(), "kind": "legendary", "ability": "order_tokens"})
    assert caught.value.code == "unknown_ability"


# --- tokens -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("worths", "is_legal"),
    [
        pytest.param((10, 10, 10), True, id="D-43 legal"),
        pytest.param((5, 5, 20), True, id="uneven"),
        pytest.param((10, 10, 15), False, id="D-43 illegal"),
        pytest.param((15, 15), False, id="two"),
        pytest.param((10, 10, 5, 5), False, id="four"),
        pytest.param((), False, id="none"),
    ],
)
def test_r_tgt_02_q_123_three_tokens_worth_thirty(worths: tuple[int, ...], is_legal: bool) -> None:
    tokens = [token(f"t{number}", rp=worth, else_rp=0) for number, worth in enumerate(worths)]
    assert [problem.code for problem in check_tokens(tokens)] == ([] if is_legal else ["tokens_not_allowed"])


def test_d_43_the_sum_counts_the_preferred_value_and_can_be_agreed_otherwise() -> None:
    tokens = [token(f"t{number}", rp=10, else_rp=30) for number in range(3)]
    assert check_tokens(tokens) == []
    assert [problem.parameters["pool"] for problem in check_tokens(tokens, 45)] == [45]


# --- what cannot be read ----------------------------------------------------------------------------------------


BLUE = [loadout("b")]


def broken(**changes: Any) -> dict[str, Any]:
    document = setup_document({"red": [loadout("a")], "blue": [loadout("b")]})
    document.update(changes)
    return document


@pytest.mark.parametrize(
    ("document", "code"),
    [
        pytest.param(broken(schema=2), "unknown_schema", id="schema"),
        pytest.param(broken(format="poker"), "unknown_format", id="format"),
        pytest.param(broken(sides=[]), "bad_setup", id="no sides"),
        pytest.param(broken(sides=None), "bad_setup", id="sides of no kind"),
        pytest.param(setup_document({"red": [loadout("a")], "blue": []}), "bad_setup", id="an empty side"),
        pytest.param(setup_document({"red": [loadout("a")], "blue": [loadout("a")]}), "bad_setup", id="a name twice"),
        pytest.param(
            setup_document({f"s{number}": [loadout(f"u{number}")] for number in range(9)}), "bad_setup", id="nine sides"
        ),
        pytest.param(setup_document({"red": [loadout("a", clicks=5)], "blue": BLUE}), "bad_setup", id="clicks"),
        pytest.param(
            setup_document({"red": [loadout("a", gear=[{"id": "G-001"}])], "blue": BLUE}), "bad_gear", id="gear"
        ),
        pytest.param(broken(house_rules={"fair_play": True}), "unknown_house_rule", id="house rule"),
    ],
)  # fmt: skip
def test_setups_that_cannot_be_played_are_refused(document: dict[str, Any], code: str) -> None:
    with pytest.raises(Malformed) as caught:
        read_setup(document)
    assert caught.value.code == code
