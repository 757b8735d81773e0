"""Forms have a name for each kind of entry and for each fact of one."""

from __future__ import annotations

from challenge.forms.any_deed import DeedForm
from challenge.forms.deed_words import FACT_NAMES, GROUPS, kinds_to_choose
from rules.challenge.book.setup import event_of
from rules.challenge.kinds import KINDS
from rules.wording.challenge_deeds import deed_name
from rules.wording.challenge_surprises import CONTENTS, TURRETS


def test_every_kind_has_a_name_in_one_group() -> None:
    names = [name for _title, kinds in GROUPS for name in kinds]
    assert sorted(names) == sorted(KINDS)


def test_every_fact_has_a_name() -> None:
    assert {fact for kind in KINDS.values() for fact in kind.facts} <= set(FACT_NAMES)


def test_a_form_calls_a_kind_what_a_plan_and_a_claim_call_it() -> None:
    offered = {kind: name for _title, kinds in kinds_to_choose() for kind, name in kinds.items()}
    assert offered == {kind: deed_name(kind) for kind in KINDS}
    assert offered["blown_off"] == "Limb or head blown off"


def test_what_turrets_and_tanks_are_is_asked_in_words() -> None:
    state = event_of({"tables": [{"id": "Factory"}]})
    for kind, fact, words in (("turret_search", "class", TURRETS), ("tank_damage", "contents", CONTENTS)):
        offered = dict(DeedForm(state, KINDS[kind]).fields[fact].choices)
        assert offered == {"": "–", **words}
