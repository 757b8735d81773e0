"""Every reason of an advice has a sentence, and every sentence a reason that gives it its parameters."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from rules.bots.owners.advice import DEEDS as ALL_DEEDS
from rules.wording.advice import MATCH_REASONS
from rules.wording.filling import MISSING
from rules.wording.stable_advice import DEEDS, STABLE_REASONS, deed_sentence, stable_reason

BOTS = Path(__file__).parents[3] / "rules" / "bots"
OF_MATCHES = (
    *("advice/attacks", "advice/heat", "advice/places", "advice/threats", "advice/reactions"),
    *("advice/explaining", "advice/advising"),
)
OF_STABLES = ("owners/advice", "owners/advice_reasons")


def words_of(names: tuple[str, ...]) -> set[str]:
    """Every string of some modules; a code need not stand in the very call."""
    trees = [ast.parse((BOTS / f"{name}.py").read_text(encoding="utf-8")) for name in names]
    return {
        node.value
        for tree in trees
        for node in ast.walk(tree)
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
    }


def codes_of(names: tuple[str, ...]) -> Iterator[str]:
    """The codes that stand in the calls of Reason themselves, choices between two included."""
    for name in names:
        for node in ast.walk(ast.parse((BOTS / f"{name}.py").read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "Reason" and node.args:
                yield from (part.value for part in _branches(node.args[0]) if isinstance(part.value, str))


def _branches(node: ast.expr) -> Iterator[ast.Constant]:
    if isinstance(node, ast.Constant):
        yield node
    elif isinstance(node, ast.IfExp):
        yield from (*_branches(node.body), *_branches(node.orelse))


ROOMS = [(OF_MATCHES, MATCH_REASONS), (OF_STABLES, STABLE_REASONS)]


@pytest.mark.parametrize(("modules", "sentences"), ROOMS, ids=["matches", "stables"])
def test_the_lists_of_reasons_are_closed(modules: tuple[str, ...], sentences: dict[str, str]) -> None:
    found = set(codes_of(modules))
    assert len(found) > 20
    assert sorted(found - set(sentences)) == [], "a reason without a sentence"
    assert sorted(set(sentences) - words_of(modules)) == [], "a sentence without a reason"


@pytest.mark.parametrize("sentences", [MATCH_REASONS, STABLE_REASONS], ids=["matches", "stables"])
def test_no_word_depends_on_a_number_beside_it(sentences: dict[str, str]) -> None:
    """A sentence whose number may be one says it after a colon; Stones come by the ten, targets by the two at least."""
    counted = re.compile(r"\{(distance|now|left|clicks|partner_left|points|missing|damage|share)\} (\w+)")
    words = {code: found[2] for code, text in sentences.items() if (found := counted.search(text))}
    plurals = {code for code, word in words.items() if word.endswith("s") and word not in ("is", "destroys")}
    assert plurals <= {"comes_to"}, "no combatant has one point"


def test_every_deed_has_its_line() -> None:
    assert set(DEEDS) == set(ALL_DEEDS)
    for deed in DEEDS:
        assert MISSING not in deed_sentence(deed, {"name": "Bull", "stones": 50, "unit": "Bear"})


def test_values_that_change_are_shown_before_and_after() -> None:
    sentence = stable_reason("restores", {"values": {"attack": [7, 9], "primary": [2, 3]}}, {})
    assert sentence == "This brings back: attack 7 → 9, primary damage 2 → 3."


def test_assets_and_entries_go_by_their_names() -> None:
    names = {"U-1": "Bull", "P-1": "Kai"}
    assert stable_reason("goes_with", {"others": ["U-1", "P-1"]}, names) == "It goes with Bull and Kai."
    assert stable_reason("adds", {"modifiers": {"attack": 1, "speed": -2}}, names) == "It adds: attack +1, speed −2."


def test_a_card_says_what_it_does() -> None:
    assert "attack" in stable_reason("card_for_hand", {"effect": "take_aim"}, {}).lower()


def test_a_code_that_nobody_knows_is_said_to_be_one() -> None:
    assert "no_such" in stable_reason("no_such", {}, {})


@pytest.mark.parametrize(("repairs", "said"), [(1, "That pays for 1 repair."), (3, "That pays for 3 repairs.")])
def test_one_repair_is_singular(repairs: int, said: str) -> None:
    assert stable_reason("repairs_ahead", {"stones": 100, "rule": "R-CRP-02", "repairs": repairs}, {}).endswith(said)
    assert "no_such" in deed_sentence("no_such", {})
