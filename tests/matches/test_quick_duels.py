"""Duels that begin at a press: for visitors, who become guests of their browser, and for people with an account."""

from __future__ import annotations

import random
import re
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from ladder.models import RatedMatch
from ladder.services import rate_match
from matches.models import Match, MatchAction
from matches.selectors.matches import rebuild
from matches.services import advice, finishing
from matches.services.beginning import quick_duels
from matches.services.beginning.friendly import BY_LINK, Wishes, start_friendly
from matches.services.matches import play_action
from people.models import Attempt, User
from people.services import guests
from solaris_site import retention as outlived
from tests.matches.playing import address_of, answer_once, read
from tests.people.test_accounts import SIGN_UP
from web import retention

pytestmark = [pytest.mark.django_db, pytest.mark.database]

FIGHT, FRIEND = "/matches/fight/", "/matches/fight-a-friend/"
STRONG = {"tactical", "strong"}
STAYS = (retention.GUEST_SESSIONS - timedelta(days=1)).total_seconds()


def guest_of(client: Client) -> User:
    return User.objects.get(pk=client.session["_auth_user_id"])


def press(client: Client, match: Match, name: str, **fields: str) -> Any:
    return client.post(reverse(f"matches:{name}", args=[match.public_id]), fields)


def test_a_visitor_fights_at_once_as_a_guest_of_the_browser(client: Client) -> None:
    page = read(client, "/")
    assert f'action="{FIGHT}"' in page
    assert client.get(FIGHT).status_code == 405
    assert not User.objects.exists()
    answer = client.post(FIGHT)
    match, guest = Match.objects.get(), guest_of(client)
    assert answer["Location"] == address_of(match)
    assert (guest.is_guest, guest.has_usable_password()) == (True, False)
    assert {seat.side: (seat.user_id, seat.bot) for seat in match.seats.all()} == {
        "red": (guest.pk, ""), "blue": (None, "greedy"),
    }  # fmt: skip
    assert " data-mine" in read(client, answer["Location"])
    assert client.session.get_expiry_age() > STAYS
    # The same guest fights again, and sees both matches on the desk.
    assert client.post(FIGHT).status_code == 302
    assert (User.objects.count(), guest.match_seats.count()) == (1, 2)
    assert read(client, "/").count("/play/") == 2


def test_the_fight_needs_the_token_of_its_form() -> None:
    strict = Client(enforce_csrf_checks=True)
    assert [strict.post(address).status_code for address in (FIGHT, FRIEND)] == [403, 403]
    assert not User.objects.exists()


@pytest.mark.parametrize("number", range(5))
def test_the_first_decision_of_a_fight_is_an_order_with_the_other_mech_in_front(player: User, number: int) -> None:
    match = quick_duels.fight(player)
    engine = rebuild(match)
    assert quick_duels.may_shoot(engine)
    shots = [action for action in engine.legal_actions() if action["order"] == "ranged"]
    assert any("blue-1" in shot["targets"] for shot in shots)
    own = match.actions.filter(side="red").values_list("cause", flat=True)
    assert set(own) <= {MatchAction.Cause.OPENING, MatchAction.Cause.ONLY}
    assert {unit["unit"]["class"] for side in match.setup["sides"] for unit in side["units"]} == {"light"}


def test_no_guest_meets_a_strong_bot(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    asked, advise = [], advice.advise

    def noted(observed: Any, seed: Any, bot: str) -> Any:
        asked.append(bot)
        return advise(observed, seed, bot)

    monkeypatch.setattr(advice, "advise", noted)
    address = client.post(FIGHT)["Location"]
    version = re.search('data-version="([^"]+)"', read(client, address))
    assert version is not None
    assert client.post(address, {"advice": "yes", "seen": version[1]}).status_code == 302
    assert asked == ["greedy"]
    client.post(FRIEND)
    for match in Match.objects.all():
        assert not STRONG & {seat.bot for seat in match.seats.all()}
    assert client.post("/matches/new/", {"format": "standard", "opponent": "strong"}).status_code == 403


def test_sign_up_takes_the_matches_along_and_begins_another_session(client: Client) -> None:
    client.post(FIGHT)
    match, guest = Match.objects.get(), guest_of(client)
    key, elsewhere = client.session.session_key, Client()
    elsewhere.cookies = client.cookies.copy()
    assert "matches come along" in read(client, reverse("people:sign_up"))
    answer = client.post(reverse("people:sign_up"), {**SIGN_UP, "next": address_of(match)})
    assert answer["Location"] == address_of(match)
    person = User.objects.get()
    assert (person.pk, person.username, person.is_guest) == (guest.pk, "Kai", False)
    assert person.check_password(SIGN_UP["password1"])
    assert (person.new_email, person.mail_digest, person.notices.count()) == ("kai@example.org", True, 0)
    assert client.session.session_key != key
    assert client.session.get_expiry_age() < STAYS
    assert " data-mine" in read(client, address_of(match))
    # What the guest's cookie opened is shut.
    assert elsewhere.get(address_of(match))["Location"] == match.get_absolute_url()


def test_a_guest_fights_to_the_end_and_once_more(client: Client, settings: Any) -> None:
    client.post(FIGHT)
    match = Match.objects.get()
    page = read(client, address_of(match))
    assert ("the AI opened for the player" in page, "the AI finished the match" in page) == (True, False)
    answer_once(client, match, random.Random(1))
    match.refresh_from_db()
    while not match.is_over:
        engine = rebuild(match)
        assert engine.decision is not None
        play_action(match.pk, engine.decision.side, match.last_sequence, engine.default_action())
        match.refresh_from_db()
    page = read(client, address_of(match))
    assert "The match is over" in page
    assert f'action="{reverse("matches:rematch", args=[match.public_id])}"' not in page
    assert f'href="{reverse("people:sign_up")}?next={match.get_absolute_url()}"' in page
    assert 'id="fight-now"' in page
    settings.GUEST_MATCHES = {"place": 2, "all": 9}
    replay = read(client, match.get_absolute_url())
    assert f'href="{reverse("people:sign_up")}?next={match.get_absolute_url()}"' in replay
    assert 'id="fight-now"' in replay
    assert 'id="with-an-account"' not in read(Client(), match.get_absolute_url())
    # What needs an account is not offered, and is refused in words.
    assert press(client, match, "rematch").status_code == 403
    for act in ("play_on", "turning_points"):
        address = reverse(f"matches:{act}", args=[match.public_id])
        assert f'action="{address}"' not in replay
        refused = client.post(address, {"at": "1", "side": "red"})
        assert (refused.status_code, refused.context["code"]) == (403, "guest_may_not")
    # The same person may do all of it once they signed up.
    elsewhere = Client()
    elsewhere.cookies = client.cookies.copy()
    elsewhere.post(reverse("people:sign_up"), SIGN_UP)
    for act in ("turning_points", "play_on", "rematch"):
        assert press(elsewhere, match, act, at="1", side="red").status_code == 302
    client = Client()
    assert [client.post(FIGHT).status_code for _ in range(2)] == [302, 429]


def test_a_refused_sign_up_leaves_the_guest_as_they_were(client: Client, rival: User) -> None:
    client.post(FIGHT)
    guest = guest_of(client)
    answer = client.post(reverse("people:sign_up"), {**SIGN_UP, "username": "rival"})
    assert answer.context["form"].errors
    assert guest_of(client) == guest
    assert User.objects.get(pk=guest.pk).is_guest


def test_matches_of_guests_are_limited_by_address_and_in_all(settings: Any) -> None:
    settings.GUEST_MATCHES = {"place": 2, "all": 3}
    here, there = Client(REMOTE_ADDR="192.0.2.1"), Client(REMOTE_ADDR="192.0.2.2")
    assert [here.post(FIGHT).status_code for _ in range(3)] == [302, 302, 429]
    assert Client(REMOTE_ADDR="192.0.2.1").post(FRIEND).status_code == 429
    assert [there.post(FIGHT).status_code for _ in range(2)] == [302, 429]
    # A refusal makes neither guest nor match, and is not counted.
    assert (User.objects.count(), Match.objects.count()) == (2, 3)
    assert Attempt.objects.filter(purpose__startswith="guest_match").count() == 6


def test_two_friends_without_accounts_fight_by_a_link() -> None:
    host, friend, late = Client(), Client(), Client()
    answer = host.post(FRIEND)
    match = Match.objects.get()
    waiting = read(host, answer["Location"])
    assert f"http://testserver{match.get_absolute_url()}" in waiting
    assert 'class="qr"' in waiting
    page = read(friend, match.get_absolute_url())
    assert (page.count("Take the seat"), User.objects.count()) == (1, 1)
    assert press(friend, match, "take_seat")["Location"] == address_of(match)
    assert {seat.user for seat in match.seats.all()} == {guest_of(host), guest_of(friend)}
    assert sum(" data-mine" in read(each, address_of(match)) for each in (host, friend)) == 1
    # Nobody becomes a guest for a seat that is gone, and a second press of the friend changes nothing.
    assert press(late, match, "take_seat").status_code == 409
    assert press(friend, match, "take_seat")["Location"] == address_of(match)
    assert User.objects.count() == 2


def forget(after: timedelta) -> dict[str, int]:
    return outlived.forget_outlived(timezone.now() + after)


def test_unfinished_duels_of_guests_go_after_seven_days_and_the_guests_with_them(client: Client) -> None:
    client.post(FIGHT)
    assert forget(retention.UNFINISHED_DUELS - timedelta(minutes=1))["duels of guests"] == 0
    gone = forget(retention.UNFINISHED_DUELS + timedelta(minutes=1))
    assert (gone["duels of guests"], gone["guests"]) == (1, 1)
    assert not Match.objects.exists()
    assert not MatchAction.objects.exists()
    assert not User.objects.exists()
    assert client.get("/").status_code == 200


def test_matches_of_accounts_and_finished_ones_stay(client: Client, player: User) -> None:
    start_friendly(player, Wishes())
    shared = start_friendly(player, Wishes(opponent=BY_LINK))
    press(client, shared, "take_seat")
    client.post(FIGHT)
    guest = guest_of(client)
    finished = Match.objects.latest("pk")
    finishing.finish_for(finished, guest)
    gone = forget(retention.UNFINISHED_DUELS + timedelta(days=1))
    assert (gone["duels of guests"], gone["guests"], Match.objects.count()) == (0, 0, 3)
    # Nobody can come back as this guest any more: the match stays without a name.
    assert forget(retention.GUEST_SESSIONS + timedelta(days=1))["guests"] == 1
    guest.refresh_from_db()
    assert guest.left_at is not None
    assert finished.seats.filter(user=guest).exists()


def test_a_guest_who_plays_for_a_stable_neither_signs_up_nor_goes(client: Client, player: User) -> None:
    guest = guests.make_guest()
    client.force_login(guest)
    match = start_friendly(player, Wishes())
    Match.objects.filter(pk=match.pk).update(fixture_key="a fixture of a season")
    match.seats.filter(side="blue").update(user=guest, bot="")
    for answer in (client.get(reverse("people:sign_up")), client.post(reverse("people:sign_up"), SIGN_UP)):
        assert (answer.status_code, answer.context["code"]) == (403, "guest_may_not")
        assert "Log out first" in answer.context["sentence"]
    # Nothing offers what is refused: the desk, the question before the log-out, the end of a duel.
    assert "Sign up and keep" not in read(client, "/")
    assert "Sign up and keep" not in client.post(reverse("people:log_out")).content.decode()
    client.post(FIGHT)
    duel = Match.objects.latest("pk")
    finishing.finish_for(duel, guest)
    page = read(client, address_of(duel))
    assert ("Sign up and keep" in page, 'id="fight-now"' in page) == (False, True)
    assert User.objects.get(pk=guest.pk).is_guest
    duel.seats.filter(user=guest).update(user=None, bot="greedy")
    assert forget(retention.GUEST_SESSIONS + timedelta(days=1))["guests"] == 0


def test_the_ladder_counts_no_duel_of_a_guest(client: Client, player: User) -> None:
    client.post(FIGHT)
    match = Match.objects.get()
    finishing.finish_for(match, guest_of(client))
    assert rate_match(match.pk) is None
    assert not RatedMatch.objects.exists()
