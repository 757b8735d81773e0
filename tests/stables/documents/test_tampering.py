"""A document that was changed is refused, with the place of the first thing that is not as it should be."""

from __future__ import annotations

import json
from typing import Any

import pytest

from matches.models import Match
from rules.core.refusals import Malformed, Refused
from stables.documents.checks import look_at
from stables.documents.columns import FULL, PUBLISHED
from stables.documents.reading import SeasonText
from stables.documents.storing import import_season
from stables.models import Season
from tests.stables.documents.changes import CHANGES, Document, change_seed, more, set_at
from tests.stables.documents.conftest import Played

pytestmark = pytest.mark.database


def refusal(content: bytes) -> tuple[str, str]:
    """The code and the place of what is wrong."""
    with pytest.raises((Refused, Malformed)) as caught:
        import_season(SeasonText.of(content), slug="moved")
    assert not Season.objects.filter(slug="moved").exists()
    return caught.value.code.removeprefix("season_document_"), str(caught.value.parameters.get("place", ""))


@pytest.mark.parametrize("name", CHANGES)
def test_a_changed_document_is_refused_with_the_place(played: Played, name: str) -> None:
    change, code, place = CHANGES[name]
    document = played.document()
    change(document)
    found_code, found_place = refusal(json.dumps(document).encode())
    assert found_code == code
    assert found_place.startswith(place)


def test_a_corrected_result_is_compared_with_the_books(played: Played) -> None:
    document = played.document()
    stable = next(iter(document["corrections"][0]["document"]["stables"].values()))
    stable["banked"] += 5
    assert refusal(json.dumps(document).encode())[0] == "reputation_differs"


@pytest.mark.parametrize(
    "content",
    [b"", b"[]", b"{", b'{"a": 1} x', b"\xff\xfe", b'{"a": NaN}', b'{"a": 1e999}', b'{"a": 1, "a": 2}', b"[" * 99_999],
)
def test_a_file_that_is_not_a_season_document_is_refused(content: bytes) -> None:
    with pytest.raises(Malformed) as caught:
        SeasonText.of(content)
    assert caught.value.code == "season_document_unreadable"


def test_a_name_that_stands_twice_is_refused(played: Played) -> None:
    text = played.full.decode()
    for table in ('"stables": [', '"matches": ['):
        at = text.index('"bot":"', text.index(table))
        with pytest.raises(Malformed) as caught:
            SeasonText(text[:at] + '"bot":"x",' + text[at:])
        assert caught.value.code == "season_document_unreadable"


def test_the_order_of_names_and_the_spaces_do_not_matter(played: Played) -> None:
    document = played.document(PUBLISHED)
    turned = json.dumps(dict(reversed(document.items())), indent=3).encode()
    assert look_at(SeasonText.of(turned)).verified == len(document["matches"])


def of_other_rules(document: Document) -> bytes:
    document["matches"][0]["rules_version"] = "0.0.1-older"
    return json.dumps(document).encode()


def refused_of_other_rules(document: Document) -> tuple[str, str]:
    with pytest.raises((Refused, Malformed)) as caught:
        look_at(SeasonText.of(of_other_rules(document)), allow_other_rules=True)
    return caught.value.code.removeprefix("season_document_"), str(caught.value.parameters.get("place", ""))


def test_matches_of_other_rules_are_taken_only_if_that_is_allowed(played: Played) -> None:
    document = played.document()
    assert refusal(of_other_rules(document))[0] == "other_rules"
    looked = look_at(SeasonText.of(of_other_rules(document)), allow_other_rules=True)
    assert (looked.verified, looked.other_rules) == (len(document["matches"]) - 1, 1)
    # The hash of the seed holds whatever the rules were.
    change_seed(document)
    assert refused_of_other_rules(document)[0] == "seed_differs"


@pytest.mark.parametrize(
    ("path", "value", "place"),
    [
        ("result.winner", lambda winner: {"red": "blue", "blue": "red"}[winner], "matches[0].result"),
        ("result.rounds", more(1), "matches[0].result"),
        ("result", None, "matches[0].result"),
        ("steps.0.events", [], "matches[0].steps[0].events"),
    ],
)
def test_a_match_of_other_rules_ends_as_its_events_say(played: Played, path: str, value: Any, place: str) -> None:
    document = played.document()
    set_at(f"matches.0.{path}", value)(document)
    assert refused_of_other_rules(document) == ("match_differs", place)


def test_looking_stores_nothing(played: Played, django_assert_num_queries: Any) -> None:
    before = (Season.objects.count(), Match.objects.count())
    with django_assert_num_queries(0):
        look_at(SeasonText.of(played.full))
    assert (Season.objects.count(), Match.objects.count()) == before
    assert played.document(FULL)["contents"] == FULL
