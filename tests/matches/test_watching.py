"""Who may watch a match: all of its addresses give the same answer, and say nothing to a person who may not."""

from __future__ import annotations

import json
from typing import Any

import pytest
from django.test import Client

from matches.models import Match, MatchAction
from matches.services.answering import Seat
from matches.services.finished.write_ups import Sent, write
from matches.services.matches import create_match, reseat
from people.models import User
from rules.competition.match import Match as EngineMatch
from rules.competition.setups import read_setup
from rules.core.dice import SeededDice
from stables.models import Season
from tests.matches.leagues import INSIDE, ROLES, League, statuses
from tests.matches.pictures import picture
from tests.rules.dealing import dealt

from .conftest import SEED, play_some

pytestmark = pytest.mark.django_db

PAGES = ("", "?step=2", "sheets/", "replay.json", "verify/")


def said(league: League) -> str:
    """The address of the photo of a write-up of the match."""
    row = write(f"fixture:{league.fixture.pk}", league.people["owner"], Sent("We won.", picture(), "A table"))
    return f"/matches/write-ups/{row.pk}/photo.jpg"


@pytest.mark.parametrize("visibility", [Season.Visibility.PUBLIC, Season.Visibility.UNLISTED])
def test_matches_of_public_and_unlisted_seasons_are_for_everybody(league: League, visibility: str) -> None:
    photo, own = said(league), league.match.get_absolute_url()
    league.close(visibility)
    assert statuses(league.clients, own) == dict.fromkeys(ROLES, 200)
    for address in [*(own + page for page in PAGES), photo, league.fixture_url]:
        assert league.clients["anonymous"].get(address).status_code == 200, address


def test_matches_of_a_private_season_are_for_those_who_take_part_and_nobody_else(league: League) -> None:
    photo = said(league)
    league.close()
    expected = {role: 200 if role in (*INSIDE, "staff") else 404 for role in ROLES}
    own = league.match.get_absolute_url()
    assert statuses(league.clients, own) == statuses(league.clients, photo) == expected
    # The other addresses ask the same question; who may watch least and who may not stand for all.
    for page in PAGES:
        found = {role: league.clients[role].get(own + page).status_code for role in ("anonymous", "stranger", "rival")}
        assert found == {"anonymous": 404, "stranger": 404, "rival": 200}, page


def test_the_addresses_of_play_hide_a_private_match_too(league: League) -> None:
    league.close()
    own = league.match.get_absolute_url()
    stranger = league.clients["stranger"]
    assert stranger.get(f"{own}play/").status_code == 404
    assert stranger.post(f"{own}play/").status_code == 404
    assert stranger.get(f"{own}play/changes/").status_code == 404
    assert stranger.get(f"{own}actions/").status_code == 404
    assert stranger.post(f"{own}share").status_code == 404
    assert league.clients["organiser"].get(f"{own}play/").status_code == 302
    assert league.clients["organiser"].get(f"{own}play/changes/").status_code == 403


def test_who_may_not_watch_learns_what_everybody_learns_of_no_match(league: League) -> None:
    league.close()
    hidden = league.clients["stranger"].get(league.match.get_absolute_url())
    missing = league.clients["stranger"].get("/matches/00000000-0000-4000-8000-000000000000/")
    assert hidden.status_code == missing.status_code == 404
    assert hidden.context["sentence"] == missing.context["sentence"]
    assert "Ash" not in hidden.content.decode()


def test_players_in_seats_always_watch(league: League) -> None:
    """Also who plays for a stable without having a part in the season."""
    league.close()
    own = league.match.get_absolute_url()
    league.match.seats.filter(side="red").update(user=league.people["stranger"], bot="")
    for page in PAGES:
        assert league.clients["stranger"].get(own + page).status_code == 200
    # But what the match is part of stays closed, and no link leads there.
    shown = league.clients["stranger"].get(own).content.decode()
    assert league.season.get_absolute_url() not in shown


def test_friendly_matches_are_for_those_who_have_the_address(waiting: Match, client: Client) -> None:
    assert client.get(waiting.get_absolute_url()).status_code == 200


def test_a_match_of_a_sudden_death_follows_its_season(league: League, setup_document: dict[str, Any]) -> None:
    match = create_match(setup_document, SEED, f"season:{league.season.pk}:title:pilot", [Seat("red", bot="random")])
    league.close()
    own = match.get_absolute_url()
    expected = {role: 200 if role in (*INSIDE, "staff") else 404 for role in ROLES}
    assert statuses(league.clients, own) == expected


@pytest.mark.parametrize("key", ["fixture:", "fixture:x", "fixture:-1", "fixture:9²", "season:x:title:pilot", "else"])
def test_keys_that_no_season_knows_are_friendly_matches(
    key: str, setup_document: dict[str, Any], client: Client, db: None
) -> None:
    match = create_match(setup_document, SEED, key, [Seat("red", bot="random")])
    assert client.get(match.get_absolute_url()).status_code == 200


def test_search_engines_keep_out_of_what_is_not_public(league: League) -> None:
    own, organiser = league.match.get_absolute_url(), league.clients["organiser"]
    assert "X-Robots-Tag" not in organiser.get(own)
    league.close(Season.Visibility.UNLISTED)
    assert organiser.get(own)["X-Robots-Tag"] == "noindex"


def test_a_running_match_shows_spectators_nothing_that_lies_face_down(
    player: User, rival: User, client: Client
) -> None:
    """Neither hands nor tokens that are not drawn stand anywhere in the page or in the sheets."""
    setup = dealt(3).to_json()
    match = create_match(setup, SEED, None, [Seat("red", player.pk), Seat("blue", rival.pk)])
    play_some(match, 6)
    events = [event for step in match.actions.order_by("sequence") for event in step.events]
    events_text = json.dumps(events)
    hands = [card for side in setup["sides"] for unit in side["units"] for card in unit["hand"]]
    assert hands
    engine = EngineMatch.replay(
        read_setup(setup),
        SeededDice(SEED),
        list(match.actions.filter(sequence__gt=0).order_by("sequence").values_list("action", flat=True)),
    )
    pool = {engine.table.roster.token_names[token] for token in engine.table.position.pool}
    tokens = [token for side in setup["sides"] for token in side["tokens"]]
    hidden = {token["name"] for number, token in enumerate(tokens, start=1) if f"t{number}" in pool}
    hidden -= {token["name"] for number, token in enumerate(tokens, start=1) if f"t{number}" not in pool}
    secrets = hidden | {card["name"] for card in hands if card["id"] not in events_text}
    assert secrets
    for page in ("", "?step=1", "?step=3", "sheets/"):
        shown = client.get(match.get_absolute_url() + page).content.decode()
        assert not [secret for secret in secrets if secret in shown], page
        assert SEED.hex() not in shown
    for page in ("replay.json", "verify/"):
        assert client.get(match.get_absolute_url() + page).status_code == 409


def test_a_running_match_has_one_score_and_says_that_somebody_decides(waiting: Match, client: Client) -> None:
    play_some(waiting, 12)
    page = client.get(waiting.get_absolute_url()).content.decode()
    assert "reputation 0, kills" in page
    assert 'data-label="Reputation"' not in page
    assert "somebody is deciding" in page
    assert "somebody is deciding" not in client.get(f"{waiting.get_absolute_url()}?step=2").content.decode()


def test_how_a_step_was_answered_is_shown_and_during_a_match_not_all_of_it(waiting: Match, client: Client) -> None:
    """That a unit had a standing answer, or but one answer, is its player's business until the end."""
    play_some(waiting, 2)
    engine = EngineMatch.replay(
        read_setup(waiting.setup),
        SeededDice(SEED),
        list(waiting.actions.filter(sequence__gt=0).order_by("sequence").values_list("action", flat=True)),
    )
    copy = create_match(waiting.setup, SEED, None, [Seat("red"), Seat("blue")])
    MatchAction.objects.bulk_create(
        MatchAction(match=copy, sequence=number, action=action, events=engine.events[number], cause=cause)
        for number, (action, cause) in enumerate(zip(engine.actions, ("time", "standing"), strict=True), start=1)
    )
    Match.objects.filter(pk=copy.pk).update(last_sequence=2, state=Match.State.PLAYING)

    def shown() -> str:
        pages = [client.get(copy.get_absolute_url(), {"step": step}).content.decode() for step in range(1, 9)]
        return "".join(pages)

    before = shown()
    assert "time was up: the AI answered" in before
    assert "standing answer" not in before
    result = {"winner": "red", "ended_by": "surrender", "tie_break": None, "rounds": 1, "sides": {}}
    Match.objects.filter(pk=copy.pk).update(
        state=Match.State.FINISHED, result=result, finished_at="2030-01-01T00:00:00Z"
    )
    assert "standing answer" in shown()


def test_a_page_leads_to_the_matches_before_and_after(league: League) -> None:
    shown = league.clients["anonymous"].get(league.match.get_absolute_url()).context["page"].surroundings
    matches = [fixture.match for fixture in league.season_fixtures]
    place = [match.pk for match in matches].index(league.match.pk)
    assert shown.previous.url == matches[place - 1].get_absolute_url()
    assert (shown.next.url if shown.next else None) == (
        matches[place + 1].get_absolute_url() if place + 1 < len(matches) else None
    )


def test_pages_take_few_queries_for_everybody(league: League, django_assert_max_num_queries: Any) -> None:
    photo = said(league)
    league.close()
    for role in ("owner", "organiser", "staff"):
        for page in (league.match.get_absolute_url(), f"{league.match.get_absolute_url()}verify/", photo):
            with django_assert_max_num_queries(16):  # one of them for all photos of miniatures
                assert league.clients[role].get(page).status_code == 200
        with django_assert_max_num_queries(15):
            assert league.clients[role].get(league.fixture_url).status_code == 200


def test_seats_given_away_take_the_view_along(league: League) -> None:
    league.close()
    Match.objects.filter(pk=league.match.pk).update(state=Match.State.PLAYING, result=None, finished_at=None)
    reseat(league.match.pk, [Seat("red", league.people["stranger"].pk)])
    own = league.match.get_absolute_url()
    assert league.clients["stranger"].get(own).status_code == 200
    reseat(league.match.pk, [Seat("red", bot="random")])
    assert league.clients["stranger"].get(own).status_code == 404
