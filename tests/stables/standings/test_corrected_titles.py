"""Whoever corrects a result at the end of a season sees beforehand who is champion by it; titles are logged as keys."""

from __future__ import annotations

import json
from typing import Any

import pytest

from jobs.services import run_pending
from people.models import Notice
from people.text.notices import notice_sentence
from rules.wording.isolation import bare
from stables.documents.shapes import require_shape
from stables.models import Correction, Season
from stables.services.results import corrections
from stables.text.log import log_sentence
from stables.text.results import TITLES, effect_lines
from tests.architecture.pseudo_locale import speak_pseudo
from tests.stables.results.test_corrections import correct
from tests.stables.standings.test_open_results import LOSES, TIES, WINS, played, season, shown, winner
from tests.stables.tabletop_matches import fixture_of, person

__all__ = ["played", "season", "shown"]
pytestmark = [pytest.mark.django_db, pytest.mark.database]


def titles(season: Season, wanted: corrections.Wanted) -> list[Any]:
    """What the preview of a correction of the first match says of the stables' title."""
    fixture = fixture_of(season)
    seen = corrections.foresee(fixture_id=fixture.pk, wanted=wanted, user=person("organiser"))
    return [each for each in seen.effects if each["what"] in TITLES and each["title"] == "stable"]


def test_the_preview_of_a_correction_names_the_other_champion(shown: Season) -> None:
    first, second = winner(shown, 1), winner(shown, 2)
    found = titles(shown, WINS)
    assert sorted((each["what"], each["stable"]) for each in found) == [
        ("title_lost", second.number), ("title_won", first.number),
    ]  # fmt: skip
    assert set(effect_lines(found)) == {
        f"{second.name} does not hold the title “champion stable” any more.",
        f"The title “champion stable” goes to {first.name}.",
    }
    assert titles(shown, LOSES) == []
    require_shape("corrections", "effects", json.loads(json.dumps(found)), "here")


def test_the_preview_names_who_is_tied_and_the_owners_hear_of_it(shown: Season) -> None:
    tied = sorted(winner(shown, match).number for match in (1, 2))
    assert sorted((each["what"], each["stable"]) for each in titles(shown, TIES)) == [
        ("title_tied", number) for number in tied
    ]
    made = correct(fixture_of(shown), TIES)
    assert Correction.objects.get().effects == list(made.effects)
    told = Notice.objects.get(code="correction_made", user=winner(shown, 2).owner)
    assert "is tied for the title “champion stable”" in bare(notice_sentence(told.code, told.parameters))


def test_a_correction_before_the_last_result_says_nothing_of_titles(season: Season) -> None:
    Season.objects.filter(pk=season.pk).update(state="running")
    assert titles(season, WINS) == []


def test_titles_are_logged_as_keys_and_read_in_the_language_of_the_reader(
    season: Season, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as elsewhere:
        speak_pseudo(elsewhere)
        run_pending()
    entry = season.log.filter(code="title_provisional").last()
    assert (entry.parameters["title"], entry.parameters["how"]) == ("stable", "reputation")
    told = f"The title “champion stable” goes to {winner(season, 2).name}, provisionally. Decided by: reputation."
    assert bare(log_sentence(entry.code, entry.parameters)) == told
