"""A season tells which results of its matches were corrected, and that one was, to whoever rates them."""

from __future__ import annotations

from typing import Any

import pytest

from jobs.models import Job
from jobs.services import run_pending
from matches.host import corrected_results
from matches.models import Match
from stables.services.results import corrections
from stables.services.results.corrections import Wanted
from tests.stables.duels import open_club

pytestmark = [pytest.mark.django_db, pytest.mark.database]


def test_a_voided_match_of_a_season_hears_of(release: Any) -> None:
    club = open_club(release, mode="ai")
    fixture = club.fixture("machines", "anna", mode="ai")
    club.hand_in(fixture, "machines", "anna")
    run_pending()
    fixture.refresh_from_db()
    assert fixture.match is not None
    matches = Match.objects.filter(pk=fixture.match_id)
    assert corrected_results(matches) == {}
    of_ladder = Job.objects.filter(name="ladder.follow_correction")
    organiser = club.people["organiser"]
    seen = corrections.foresee(fixture_id=fixture.pk, wanted=Wanted("void"), user=organiser)
    assert not of_ladder.exists(), "what is only looked at corrects nothing"
    corrections.correct(
        fixture_id=fixture.pk, wanted=Wanted("void"), reason="the wrong arena", seal=seen.seal, user=organiser
    )
    assert [job.payload for job in of_ladder] == [{"match": fixture.match_id}]
    (held,) = corrected_results(matches).values()
    assert (held["ended_by"], held["winner"], held["places"]) == ("void", None, [])
    assert set(held["sides"]) == set(fixture.match.result["sides"])
    assert corrected_results(Match.objects.exclude(pk=fixture.match_id)) == {}
    run_pending()
