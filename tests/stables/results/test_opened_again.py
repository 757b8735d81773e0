"""The words about a result that is opened again: what it changes, for the log and for each rival."""

from __future__ import annotations

import pytest

from people.models import Notice
from people.text.notices import notice_sentence
from stables.models import Correction, Fixture, LogEntry
from tests.stables.results.test_reports import by_silence, fixture, reopen, season
from tests.stables.tabletop_matches import sides_of

__all__ = ["fixture", "season"]
pytestmark = pytest.mark.database


def test_opening_again_says_what_it_changes_in_the_log_and_to_each_rival_of_their_own(fixture: Fixture) -> None:
    by_silence(fixture)
    Notice.objects.all().delete()
    reopen(fixture)
    effects = LogEntry.objects.get(code="result_reopened").parameters["effects"]
    assert effects == Correction.objects.get().effects
    red, _ = sides_of(fixture)
    told = Notice.objects.get(code="result_reopened")
    assert told.user == red.stable.owner
    assert told.parameters["effects"] == [each for each in effects if each["stable"] == red.stable.number] != effects
    said = notice_sentence(told.code, told.parameters)
    assert "What it changes for you: " in said
    assert f"{red.stable.name}: −75 reputation." in said
    assert said.endswith("The reason: “I was away”.")
