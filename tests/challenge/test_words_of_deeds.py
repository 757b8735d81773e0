"""Forms have a name for each kind of entry and for each fact of one."""

from __future__ import annotations

from challenge.forms.deed_words import FACT_NAMES, GROUPS
from rules.challenge.kinds import KINDS


def test_every_kind_has_a_name_in_one_group() -> None:
    names = [name for _title, words in GROUPS.values() for name in words]
    assert sorted(names) == sorted(KINDS)


def test_every_fact_has_a_name() -> None:
    assert {fact for kind in KINDS.values() for fact in kind.facts} <= set(FACT_NAMES)
