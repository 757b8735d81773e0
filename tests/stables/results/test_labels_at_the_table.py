"""A phone at the table asks for the secret of the person who plays, also of a stand-in."""

from __future__ import annotations

import pytest

from people.services.guests import make_guest
from stables.models import FixtureSide
from stables.services.results import reports
from tests.stables.duels import Club
from tests.stables.tabletop_matches import red_wins

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("is_guest", [False, True])
def test_labels_at_the_table_name_the_stand_in(club: Club, is_guest: bool) -> None:
    fixture = club.fixture("anna", "ben", mode="table")
    club.hand_in(fixture, "anna", "ben")
    player = make_guest() if is_guest else club.people["spectator"]
    FixtureSide.objects.filter(fixture=fixture, stable=club.stables["anna"]).update(stand_in=player)
    reports.file_report(
        fixture_id=fixture.pk, stable_id=club.stable_id("ben"), document=red_wins(), user=club.people["ben"]
    )
    page = " ".join(club.client("ben").get(club.address("table", fixture)).content.decode().split())
    assert f'PIN of <span translate="no">{player.get_username()}</span>' in page
    assert (f'Password of <span translate="no">{player.get_username()}</span>' in page) != is_guest
    assert 'of <span translate="no">anna</span>' not in page
