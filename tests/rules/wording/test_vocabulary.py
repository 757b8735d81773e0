"""Words of the rules have names."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

from rules.catalogue.wording import NAMES as CATALOGUE_NAMES
from rules.competition.attacks.fixed_modifiers import RULE_OF
from rules.competition.formats import FORMATS
from rules.competition.state.position import ORDER_NAMES, PHASE_NAMES
from rules.core.equipment import EQUIPMENT
from rules.wording import NAMES, all_codes, name
from rules.wording.attacks import AGAINST, MODIFIER, RESULT
from rules.wording.event_templates import BY_FIELD, TEMPLATES
from rules.wording.events import UNKNOWN_KIND, WALKED
from rules.wording.filling import fill, joined, one_of, signed
from rules.wording.refusals import UNKNOWN_CODE, templates
from tests.languages import MadeUp

ROOT = Path(__file__).parents[3]

WORDS = (
    *RULE_OF,
    *ORDER_NAMES.values(),
    *PHASE_NAMES,
    *FORMATS,
    *EQUIPMENT,
    *CATALOGUE_NAMES,
    *("last_side", "time_limit", "agreement", "surrender", "total", "die"),
    *("hindering", "blocking", "water", "elevated", "abrupt", "clear", "charge_line", "death_from_above"),
)


@pytest.mark.parametrize("word", sorted(set(WORDS)))
def test_a_word_of_the_rules_has_a_name(word: str) -> None:
    assert word in NAMES
    assert "_" not in name(word)


def test_no_name_holds_a_name_of_the_code() -> None:
    assert [shown for shown in NAMES.values() if re.search("[a-z][A-Z]", shown)] == []


def test_an_unknown_word_is_shown_without_underscores() -> None:
    assert name("radical_heat_sink") == "radical heat sink"


def test_a_name_is_translated() -> None:
    assert name("jump_jets", MadeUp(lambda text: {"Jump Jets": "Sprungdüsen"}[text])) == "Sprungdüsen"


def test_filling_leaves_strange_braces_alone() -> None:
    assert fill("{a} {} {b!r} {{a}}", {"a": 1}) == "1 {} {b!r} {1}"


@pytest.mark.parametrize(
    ("words", "text"), [([], ""), (["a"], "a"), (["a", "b"], "a and b"), (list("abc"), "a, b and c")]
)
def test_names_in_a_row(words: list[str], text: str) -> None:
    assert joined(words, MadeUp(str)) == text
    assert one_of(words, MadeUp(str)) == text.replace(" and ", " or ")


def test_amounts_carry_a_sign() -> None:
    assert [signed(amount) for amount in (2, 0, -1)] == ["+2", "0", "−1"]


TEXTS_OF = {"gettext_noop": slice(0, 1), "ngettext_noop": slice(0, 2), "pgettext_noop": slice(1, 2)}
"""Marks, and which of their arguments are texts."""


def _marked() -> set[str]:
    """Every text that stands in a call that makemessages looks at."""
    found = set()
    for path in (ROOT / "rules").rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            name = getattr(node.func, "id", "") if isinstance(node, ast.Call) else ""
            if isinstance(node, ast.Call) and name in TEXTS_OF:
                for text in node.args[TEXTS_OF[name]]:
                    assert isinstance(text, ast.Constant), f"{path}:{node.lineno}"
                    found.add(text.value)
    return found


def test_every_template_is_marked_for_the_translators() -> None:
    shown = {*NAMES.values(), *TEMPLATES.values(), UNKNOWN_KIND, UNKNOWN_CODE, AGAINST, MODIFIER, RESULT}
    shown |= {template for code in all_codes() for template in templates(code)}
    shown |= {template for _, choices in BY_FIELD.values() for template in choices.values() if template}
    shown |= {template for message in WALKED.values() for template in (message, message.several)}
    assert shown <= _marked()
