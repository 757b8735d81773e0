"""Secret addresses of matches: who makes and revokes them, what they open, and what they never show."""

from __future__ import annotations

import re

import pytest
from django.test import Client

from matches.models import Match
from matches.services.answering import Seat
from matches.services.finished.write_ups import Sent, write
from matches.services.matches import create_match
from people.models import User
from stables.models import Season
from tests.matches.leagues import ROLES, League
from tests.matches.pictures import picture

from .conftest import SEED

pytestmark = [pytest.mark.django_db, pytest.mark.database]

MAY_SHARE = ("organiser", "helper")
"""In a season whose match bots played; who sits in the match may, too."""


def shared(match: Match) -> str:
    match.refresh_from_db()
    assert match.share_key is not None
    return f"/matches/shared/{match.share_key}/"


def test_who_may_make_a_secret_address(league: League) -> None:
    league.close()
    own = league.match.get_absolute_url()
    found = {role: league.clients[role].post(f"{own}share").status_code for role in ROLES if role not in MAY_SHARE}
    assert found == {"anonymous": 302, "stranger": 404, "owner": 403, "rival": 403, "referee": 403, "staff": 403}
    league.match.refresh_from_db()
    assert league.match.share_key is None
    for role in MAY_SHARE:
        assert league.clients[role].post(f"{own}share").status_code == 302
        assert len(shared(league.match)) == len("/matches/shared//") + 43
        assert league.clients[role].get(f"{own}share").status_code == 405
        assert league.clients[role].post(f"{own}revoke").status_code == 302
        league.match.refresh_from_db()
        assert league.match.share_key is None


def test_who_sits_in_a_match_shares_it(league: League) -> None:
    league.close()
    league.match.seats.filter(side="red").update(user=league.people["owner"], bot="")
    own = league.match.get_absolute_url()
    assert 'action="' + own + 'share"' in league.clients["owner"].get(own).content.decode()
    assert league.clients["owner"].post(f"{own}share").status_code == 302
    assert shared(league.match) in league.clients["owner"].get(own).content.decode()
    # Who may watch but not share reads no key.
    assert league.match.share_key not in league.clients["rival"].get(own).content.decode()


def test_making_it_twice_keeps_it_and_revoking_makes_another(league: League) -> None:
    own, organiser = league.match.get_absolute_url(), league.clients["organiser"]
    organiser.post(f"{own}share")
    first = shared(league.match)
    organiser.post(f"{own}share")
    assert shared(league.match) == first
    organiser.post(f"{own}revoke")
    organiser.post(f"{own}revoke")
    assert league.clients["anonymous"].get(first).status_code == 404
    organiser.post(f"{own}share")
    assert shared(league.match) != first
    assert league.clients["anonymous"].get(first).status_code == 404


@pytest.mark.parametrize("visibility", [Season.Visibility.UNLISTED, Season.Visibility.PRIVATE])
def test_with_the_key_anybody_watches_and_every_link_keeps_it(league: League, visibility: str) -> None:
    row = write(f"fixture:{league.fixture.pk}", league.people["owner"], Sent("Close.", picture(), "A table"))
    league.close(visibility)
    own, anybody = league.match.get_absolute_url(), league.clients["anonymous"]
    league.clients["organiser"].post(f"{own}share")
    address = shared(league.match)
    for page in ("", "?step=3", "sheets/", "replay.json", "verify/", f"write-ups/{row.pk}/photo.jpg"):
        answer = anybody.get(address + page)
        assert (answer.status_code, answer.headers.get("X-Robots-Tag", "noindex")) == (200, "noindex"), page
        assert "photo" in page or answer.headers["Cache-Control"] == "private, no-store", page
    shown = anybody.get(address, {"step": "3"}).content.decode()
    assert "Close." in shown
    for part in ("sheets/", "replay.json", "verify/", f"write-ups/{row.pk}/photo.jpg"):
        assert address + part in shown
    # Steps are links within the page, so they and the link to a moment stay below the key.
    assert re.search(r'data-step="moment" href="\?step=3#replay"', shown)
    assert f'href="{own}' not in shown
    assert address in anybody.get(f"{address}verify/").content.decode()
    assert address in anybody.get(f"{address}sheets/").content.decode()


def test_a_guest_sees_the_match_and_nothing_of_the_season(league: League) -> None:
    league.close()
    league.clients["organiser"].post(f"{league.match.get_absolute_url()}share")
    for role in ("anonymous", "stranger"):
        shown = league.clients[role].get(shared(league.match)).content.decode()
        assert league.season.get_absolute_url() not in shown
        assert "Season of secrets" not in shown
        assert "Ash" in shown
        assert league.match.share_key is not None
        assert f"/{league.match.public_id}/" not in shown
        assert 'action="/matches/' not in shown
    assert league.clients["anonymous"].get(league.match.get_absolute_url()).status_code == 404


@pytest.mark.parametrize("key", ["x", "None", "null", "%00", "a" * 43, "é"])
def test_a_wrong_key_leads_nowhere(key: str, finished: Match, client: Client) -> None:
    for page in ("", "sheets/", "replay.json", "verify/", "write-ups/1/photo.jpg"):
        assert client.get(f"/matches/shared/{key}/{page}").status_code == 404


def test_a_key_opens_the_photos_of_its_own_match_alone(league: League, setup_document: dict) -> None:  # type: ignore[type-arg]
    row = write(f"fixture:{league.fixture.pk}", league.people["owner"], Sent("Close.", picture(), "A table"))
    league.close()
    other = create_match(setup_document, SEED, None, [Seat("red", bot="random")])
    Match.objects.filter(pk=other.pk).update(share_key="k" * 43)
    assert league.clients["anonymous"].get(f"{shared(other)}write-ups/{row.pk}/photo.jpg").status_code == 404


def test_a_shared_match_shows_no_seed_before_its_end(waiting: Match, player: User, client: Client) -> None:
    own = Client()
    own.force_login(player)
    assert own.post(f"{waiting.get_absolute_url()}share").status_code == 302
    address = shared(waiting)
    for page in ("", "sheets/"):
        shown = client.get(address + page).content.decode()
        assert SEED.hex() not in shown
        assert SEED.decode() not in shown
    assert "secret until the match is over" in client.get(address).content.decode()
    for page in ("replay.json", "verify/"):
        answer = client.get(address + page)
        assert answer.status_code == 409
        assert SEED.hex() not in answer.content.decode()


def test_the_form_is_offered_where_not_everybody_may_watch(league: League) -> None:
    own, organiser = league.match.get_absolute_url(), league.clients["organiser"]
    form = f'action="{own}share"'
    assert form not in organiser.get(own).content.decode()
    league.close()
    assert form in organiser.get(own).content.decode()
    assert form not in league.clients["owner"].get(own).content.decode()
