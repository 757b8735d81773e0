"""The tool that counts which rule is held by which test, on small examples of its own."""

import pytest

from tests.tools.rules_coverage import (
    RULES,
    RULINGS,
    excused,
    functions_in,
    ids_in_name,
    ids_in_text,
    named_by_tests,
    problems,
    stated,
)


@pytest.mark.parametrize(
    ("name", "rules"),
    [
        ("test_r_mov_02_each_hex", ["R-MOV-02"]),
        ("test_r_ast_02_07_buy", ["R-AST-02", "R-AST-07"]),
        ("test_r_pur_02_to_05_cells", ["R-PUR-02", "R-PUR-03", "R-PUR-04", "R-PUR-05"]),
        ("test_r_lof_10_and_11_walls", ["R-LOF-10", "R-LOF-11"]),
        ("test_w_16_r_tgt_05_q_120_six", ["R-TGT-05"]),
        ("test_r_ini_02_r_ini_03_both", ["R-INI-02", "R-INI-03"]),
        ("test_d_55_surrender", []),
        ("test_r_mov_2", []),
        ("test_mc_awd_07_mc_tank_01_to_02", ["MC-AWD-07", "MC-TANK-01", "MC-TANK-02"]),
    ],
)
def test_rules_in_names(name: str, rules: list[str]) -> None:
    assert sorted(ids_in_name(name)) == rules


@pytest.mark.parametrize(
    ("text", "rules"),
    [
        ("R-MOV-02 costs", ["R-MOV-02"]),
        ("R-FOR-02-03-W-18", ["R-FOR-02", "R-FOR-03"]),
        ("R-CHG-01 to R-CHG-03", ["R-CHG-01", "R-CHG-02", "R-CHG-03"]),
        ("R-CHG-01 to R-CHG-02, R-PIN-06", ["R-CHG-01", "R-CHG-02", "R-PIN-06"]),
        ("R-PUR-02, R-PUR-04", ["R-PUR-02", "R-PUR-04"]),
        ("D-51, Q-120, r-mov-02", []),
        ("MC-LMS-01 to 03, MC-BET-05, MCQ-BET-01", ["MC-BET-05", "MC-LMS-01", "MC-LMS-02", "MC-LMS-03"]),
    ],
)
def test_rules_in_texts(text: str, rules: list[str]) -> None:
    assert sorted(ids_in_text(text)) == rules


def test_a_test_names_rules_in_its_name_docstring_decorators_and_their_tables() -> None:
    source = """
# R-AAA-01 in a comment does not count
TABLE = [("R-AAA-02 a case", 1)]
OTHER = ["R-AAA-03 not used"]

def helper():
    "R-AAA-04 is no test"

@parametrize("x", TABLE + [param(1, id="R-AAA-05")])
def test_r_aaa_06_it(x):
    "R-AAA-07."
    assert "R-AAA-08"
"""
    assert [(name, sorted(rules)) for name, rules in functions_in(source)] == [
        ("test_r_aaa_06_it", ["R-AAA-02", "R-AAA-05", "R-AAA-06", "R-AAA-07"])
    ]


def test_excuses_stand_in_the_first_column_of_two_sections() -> None:
    text = """# Rulings
## Numbers
| R-AAA-01 | no |
## Not built yet
R-AAA-02 in the text
| R-AAA-03 to R-AAA-04 | as R-AAA-05 |
## Nothing to test
| R-AAA-06 | |
"""
    assert sorted(excused(text)) == ["R-AAA-03", "R-AAA-04", "R-AAA-06"]


def test_what_is_wrong_is_said() -> None:
    named = {"R-AAA-01": ["one"], "R-AAA-02": ["two"], "R-ZZZ-01": ["three"]}
    found = problems(["R-AAA-01", "R-AAA-02", "R-AAA-03", "R-AAA-04"], named, {"R-AAA-02", "R-AAA-03", "R-ZZZ-02"})
    assert found == [
        "R-AAA-02 is excused, but two names it",
        "R-AAA-04 has neither a test nor an excuse",
        "R-ZZZ-01 is in no document, but three names it",
        "R-ZZZ-02 is in no document, but it is excused",
    ]
    assert problems(["R-AAA-01"], {"R-AAA-01": ["one"]}, set()) == []


def test_the_real_documents_can_be_read() -> None:
    arena, challenge = (stated(path.read_text(encoding="utf-8")) for path in RULES)
    rules = [*arena, *challenge]
    assert len(rules) == len(set(rules))
    assert (len(arena), len(challenge)) == (591, 247)
    assert excused(RULINGS.read_text(encoding="utf-8")) <= set(rules)
    assert "R-MOV-02" in named_by_tests()
