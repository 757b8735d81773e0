"""Every switch has words, and they name the rulings that it turns."""

from __future__ import annotations

import ast
import inspect
import itertools
import re
from dataclasses import fields

from challenge.text.switches import GROUPS, SWITCH_TEXTS
from rules.challenge import switches
from rules.challenge.switches import WORDS, Switches


def documented() -> dict[str, tuple[str, ...]]:
    """Return the rulings that the docstring of each switch names."""
    tree = ast.parse(inspect.getsource(switches))
    body = next(node for node in tree.body if isinstance(node, ast.ClassDef)).body
    found = {}
    for node, after in itertools.pairwise(body):
        if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name) and isinstance(after, ast.Expr):
            text = ast.literal_eval(after.value)
            found[node.target.id] = tuple(re.findall(r"MCQ?-[A-Z]+-\d+", text))
    return found


def test_every_switch_has_words_in_one_group() -> None:
    assert sum(len(group) for _title, group in GROUPS) == len(SWITCH_TEXTS)
    assert set(SWITCH_TEXTS) == {each.name for each in fields(Switches)}


def test_the_words_name_the_rulings_that_the_switch_turns() -> None:
    assert {name: text.rulings for name, text in SWITCH_TEXTS.items()} == documented()


def test_every_answer_has_words_with_the_ruling_first() -> None:
    for name, text in SWITCH_TEXTS.items():
        assert tuple(text.answers) == WORDS.get(name, ())
        if text.answers:
            assert next(iter(text.answers)) == getattr(Switches(), name)
