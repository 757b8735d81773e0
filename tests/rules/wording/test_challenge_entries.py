"""Every row of a Challenge's book has a sentence."""

from __future__ import annotations

import re
from typing import Any

import pytest

from rules.challenge.book.rows import DEED, MECHS, SESSION, SETUP, UNDO, read_row
from rules.challenge.book.setup import event_of
from rules.challenge.kinds import KINDS
from rules.wording.challenge_entries import DEEDS, TRUTHS, entry_sentence
from rules.wording.challenge_surprises import SURPRISES
from rules.wording.filling import MISSING, placeholders
from rules.wording.language import English, Number

STATE = event_of({"tables": [{"id": "Factory"}]})


def said(document: dict[str, Any], kind: str = DEED, undoes: int | None = None, before: int | None = None) -> str:
    return entry_sentence(STATE, read_row(9, kind, document, undoes, before))


def test_every_kind_of_deed_has_its_sentences_and_no_other_has() -> None:
    assert sorted([*DEEDS, *SURPRISES]) == sorted(KINDS)


@pytest.mark.parametrize("name", KINDS)
def test_a_deed_with_everything_and_with_the_least_says_all_that_it_names(name: str) -> None:
    kind = KINDS[name]
    least: dict[str, Any] = (
        {"do": name, "pilot": "Ross"} if kind.off_board else {"what": name, "by": "Ross", "at": "Jo"}
    )
    for required in (least, {**least, **{fact: _some(kind.facts[fact]) for fact in kind.facts}}):
        document = {**{fact: _some(kind.facts[fact]) for fact in kind.required}, **required}
        if name == "damage" and "points" not in document:
            document["points"] = 40
        sentence = said(document)
        assert MISSING not in sentence
        assert sentence.endswith(".")
        assert "{" not in sentence


def _some(schema: dict[str, Any]) -> Any:
    if "enum" in schema:
        return schema["enum"][0]
    if "if" in schema:
        return "x"
    if "pattern" in schema and not re.search(schema["pattern"], "x"):
        return "kills.A"
    form = schema["type"][0] if isinstance(schema["type"], list) else schema["type"]
    if form == "array":
        return [_some(schema["items"])] * max(1, schema.get("minItems", 1))
    return {"boolean": True, "integer": schema.get("minimum", 1) or 1, "string": "x", "object": {}}[form]


def test_what_is_named_is_a_fact_or_a_place_of_an_entry() -> None:
    places = {"who", "claimants", "at", "subject", "turn", "other", "builder", "order", "worth"}
    for name, templates in DEEDS.items():
        for template in templates:
            assert set(placeholders(template)) <= places | set(KINDS[name].facts), name
    assert {fact for fact, _truth in TRUTHS} <= {fact for kind in KINDS.values() for fact in kind.facts}


@pytest.mark.parametrize(
    ("document", "sentence"),
    [
        ({"what": "damage", "by": "Ross", "at": "Jo", "points": 55, "one_location": True},
         "Ross does 55 damage to Jo. All of it hits one location."),
        ({"what": "damage", "by": "Ross", "at": "Jo", "band": "10-19"}, "Ross does 10 to 19 damage to Jo."),
        ({"what": "kill", "by": ["Ross", "Kim"], "at": "Jo", "method": "charge"},
         "The 'Mech of Jo is destroyed by Ross and Kim: charge."),
        ({"what": "kill", "at": "Jo"}, "The 'Mech of Jo is destroyed."),
        ({"what": "give", "at": "Jo", "fame": -2, "c_bills": 1_000_000, "reason": "prize"},
         "The GM gives Jo −2 Fame and +1,000,000 C-bills: prize."),
        ({"what": "exit", "by": "Jo", "overruled": "ill"}, "Jo leaves the arena. The GM overrules the rules: ill."),
        ({"what": "stage", "stage": "final", "finalists": ["Jo", "Kim"]}, "The final begins with Jo, Kim."),
        ({"do": "loan", "pilot": "Jo", "amount": 2_000_000}, "Jo takes out a loan of up to 2,000,000 C-bills."),
        ({"do": "buy_mech", "pilot": "Jo", "mech": "locust_lct_1v", "note": "the red one"},
         "Jo buys a Locust LCT-1V. Note: the red one."),
        ({"what": "turret_search", "class": "light", "die": 5, "weapon": "SRM 4", "dice": [6, 3], "place": "Hex 0512"},
         "Hex 0512: Light turret with SRM 4 (die 5) finds its target (6 + 3) and attacks with gunnery 5."),
        ({"what": "minefield", "density": 12, "note": "hidden"},
         "Minefield of density 12: more than the recommended 10 (MC-MINE-02). Note: hidden."),
    ],
)  # fmt: skip
def test_a_sentence_says_who_what_and_how(document: dict[str, Any], sentence: str) -> None:
    assert said(document) == sentence


def test_rows_that_are_no_deeds_have_sentences_too() -> None:
    assert said({}, UNDO, undoes=4) == "Entry 4 is undone."
    assert said({"tables": [{"id": "Factory"}, {"id": "Jungle"}]}, SETUP) == (
        "The settings of the event are written. Tables: Factory, Jungle."
    )
    assert "5,000,000" in said({"most_value": 5_000_000, "minimum_turns": 4}, SESSION)
    assert said({"mechs": {"a": None, "b": {"tons": 20, "cost": 1, "name": "Bee"}}}, MECHS) == (
        "The list of 'Mechs changes: a, Bee."
    )
    assert said({"what": "crowd", "by": "Jo"}, before=7) == ("The crowd goes wild for Jo. It counts before entry 7.")


class German(English):
    """A language with a few words."""

    def __call__(self, message: str, count: Number | None = None) -> str:
        words = {"agreed": "abgemacht", "has left": "gegangen", "light turret": "leichter Geschützturm"}
        return words.get(message, super().__call__(message, count))


@pytest.mark.parametrize(
    ("document", "word"),
    [
        ({"what": "exit", "by": "Jo", "overruled": "agreed"}, "abgemacht"),
        ({"what": "give", "at": "Jo", "fame": 1, "reason": "agreed"}, "abgemacht"),
        ({"what": "stage", "stage": "final", "finalists": ["Jo"], "absent": ["Kim"], "reason": "has left"}, "gegangen"),
        ({"what": "turret_damage", "class": "light", "points": 5}, "Leichter Geschützturm"),
    ],
)
def test_what_is_stored_as_a_key_is_said_in_the_readers_language(document: dict[str, Any], word: str) -> None:
    assert word in entry_sentence(STATE, read_row(9, DEED, document, None, None), German())


def test_seats_that_pass_down_and_lots_are_said() -> None:
    called = {"what": "stage", "stage": "final", "finalists": ["Jo"], "absent": ["Kim", "Ann"], "drawn": ["Jo"]}
    assert said(called) == "The final begins with Jo. Empty seats: Kim, Ann. Drawn by lot: Jo."
    assert "Empty seats: Kim, Ann (own words)." in said({**called, "reason": "own words"})
