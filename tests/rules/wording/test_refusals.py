"""Every refusal has a sentence, and every sentence a refusal."""

from __future__ import annotations

import re
import subprocess
import sys
from typing import Any

import pytest

from rules.campaign import refusals as campaign
from rules.campaign.wording.refusals import SENTENCES as CAMPAIGN_SENTENCES
from rules.catalogue.wording import SENTENCES as CATALOGUE_SENTENCES
from rules.competition.ground import arena, line_of_fire, paths
from rules.wording import REFUSAL_CODES, all_codes, sentence
from rules.wording.document import document
from rules.wording.filling import MISSING, placeholders
from rules.wording.refusals import UNKNOWN_CODE, templates
from tests.languages import MadeUp
from tests.rules.wording.codes_in_source import ROOT, named_in_source, raised_codes


def test_the_source_is_read() -> None:
    codes = {found.code for found in raised_codes()}
    assert {"not_in_front_arc", "direct_line_open", "out_of_range", "value_rises", "not_json"} <= codes
    assert len(raised_codes()) > 100


def test_every_code_that_is_raised_has_a_sentence() -> None:
    without = sorted({f"{found.place} {found.code}" for found in raised_codes() if not list(templates(found.code))})
    assert without == [], "put them into rules/wording/refusals.py (or the campaign's or catalogue's wording)"


def test_every_sentence_is_for_a_code_that_is_raised() -> None:
    codes = set(all_codes()) - {found.code for found in raised_codes()}
    assert sorted(codes - named_in_source(codes)) == []


def test_every_place_gives_the_parameters_of_a_sentence() -> None:
    lacking = [
        f"{found.place} {found.code} {sorted(found.parameters)}"
        for found in raised_codes()
        if found.parameters is not None
        and not any(set(placeholders(one)) <= found.parameters for one in templates(found.code))
    ]
    assert lacking == []


@pytest.mark.parametrize(
    "codes",
    [
        campaign.REFUSAL_CODES,
        campaign.MALFORMED_CODES,
        paths.REFUSAL_CODES,
        line_of_fire.REFUSAL_CODES,
        arena.MALFORMED_CODES,
    ],
)
def test_the_lists_of_the_rooms_have_sentences(codes: tuple[str, ...]) -> None:
    assert sorted(set(codes) - set(all_codes())) == []


def test_codes_that_two_rooms_share_differ_by_their_parameters() -> None:
    shared = (set(REFUSAL_CODES) & set(CATALOGUE_SENTENCES)) | (set(CAMPAIGN_SENTENCES) & set(CATALOGUE_SENTENCES))
    shared |= set(REFUSAL_CODES) & set(CAMPAIGN_SENTENCES)
    for code in shared:
        wanted = [frozenset(placeholders(template)) for template in templates(code)]
        assert len(set(wanted)) == len(wanted), code
    assert "version 7" in sentence("unknown_schema", {"schema": 7}).lower()
    assert "reads version 1" in sentence("unknown_schema", {"found": 7, "known": 1})


def test_a_state_in_a_sentence_stands_in_quotes_because_its_words_may_be_a_sentence_themselves() -> None:
    bare = {code for code in all_codes() for one in templates(code) if re.search(r"(?<![“(]){state}", one)}
    assert bare == set()
    said = sentence("report_too_early", {"state": "line-ups are called"})
    assert said == "The state of this match is “line-ups are called”, so it cannot be reported now."


@pytest.mark.parametrize("code", all_codes())
def test_a_sentence_never_raises_and_never_shows_a_brace(code: str) -> None:
    assert sentence(code, {})
    for template in templates(code):
        keys = placeholders(template)
        text = sentence(code, {key: 3 for key in keys})
        assert "{" not in text
        assert MISSING not in text
        assert text[0] == text[0].upper()
        assert text.endswith((".", ")."))
        assert sentence(code, {key: None for key in keys})
        assert sentence(code, {key: ["light", {"x": 1}] for key in keys})


def test_an_unknown_code_is_shown_with_a_readable_sentence() -> None:
    assert "a_new_code" in sentence("a_new_code", {"x": 1})
    assert (
        sentence("a_new_code", {}, MadeUp(lambda text: "Nein ({code})" if text == UNKNOWN_CODE else text))
        == "Nein (a_new_code)"
    )


def test_a_missing_parameter_shows_an_ellipsis() -> None:
    assert sentence("path_too_long", {"cost": 12}).count(MISSING) == 1


@pytest.mark.parametrize(
    ("code", "by", "one", "several"),
    [
        ("line_not_shortest", "length", "1 edge long", "2 edges long"),
        ("report_end_unlikely", "left", "1 side still", "2 sides still"),
        ("report_kills_unlikely", "kills", "1 kill and", "2 kills and"),
    ],
)
def test_a_sentence_counts_in_the_form_of_its_number(code: str, by: str, one: str, several: str) -> None:
    assert one in sentence(code, {by: 1})
    assert several in sentence(code, {by: 2})


def test_names_and_words_take_the_place_of_ids_and_keys() -> None:
    names = {"red-1": "Hellion", "blue-1": "Solitaire"}
    parameters = {"unit": "red-1", "expected": "blue-1"}
    assert sentence("not_your_decision", parameters, names=names) == (
        "It is not the turn of Hellion. The game waits for: Solitaire."
    )
    assert "primary damage" in sentence("value_jammed", {"value": "primary"})
    assert "Jump Jets" in sentence("cannot_cancel", {"unit": "a", "equipment": "jump_jets"})
    assert "light" in sentence("wrong_class", {"unit": "Shutdown", "class": "light", "needed": "heavy"})


def test_what_was_sent_is_repeated_as_it_was() -> None:
    assert "“value” cannot be primary" in sentence("bad_field", {"field": "value", "value": "primary"})
    assert "{field}" in sentence("bad_field", {"field": "x", "value": "{field}"})


def test_a_template_is_translated_before_it_is_filled() -> None:
    german = {REFUSAL_CODES["unknown_hex"]: "Die Arena hat kein Feld {hex}.", "ballistic": "ballistisch"}
    spoken = MadeUp(lambda text: german.get(text, text))
    assert sentence("unknown_hex", {"hex": "9999"}, spoken) == "Die Arena hat kein Feld 9999."


def test_the_page_of_codes_is_up_to_date() -> None:
    written = (ROOT / "docs" / "refusals.md").read_text(encoding="utf-8")
    assert written == document(), "python -m rules.wording > docs/refusals.md"


def test_the_command_writes_the_page() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "rules.wording"], cwd=ROOT, capture_output=True, check=True, encoding="utf-8"
    )
    assert done.stdout == document()


@pytest.mark.parametrize(
    ("code", "values", "said"),
    [
        ("no_such_wounds", {"pilot": "Jo", "wounds": 1}, "Jo has 1 wound to heal (MC-REP-08)."),
        ("no_such_wounds", {"pilot": "Jo", "wounds": 2}, "Jo has 2 wounds to heal (MC-REP-08)."),
        ("edge_full", {"pilot": "Jo", "most": 1}, "Jo may hold 1 Edge card (MC-EDGE-06)."),
        ("too_many_places", {"most": 1}, "This card goes at most 1 place later."),
        ("too_few_stables", {"stables": 1, "smallest": 2}, "The season has 1 stable and needs at least 2 to start."),
    ],
)
def test_a_refusal_counts_one_as_one(code: str, values: dict[str, Any], said: str) -> None:
    assert sentence(code, values) == said
