"""What comes after a finished match: a rematch by one press, and a match that goes on from any of its moments."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.core.cache import cache
from django.test import Client
from django.urls import reverse

from ladder.services import rate_match
from matches.models import Match, MatchAction
from matches.presenters.replaying.replay import cut_into_steps
from matches.presenters.replaying.verifying import finding_on
from matches.selectors.matches import rebuild, stored_steps
from matches.services.answering import Seat
from matches.services.beginning import friendly
from matches.services.beginning.demonstration import demonstration_setup
from matches.services.finished import continuing
from matches.services.finished.continuing import moment_after, play_on
from matches.services.finishing import finish_for
from matches.services.matches import create_match, resolve_with_bots
from people.models import Notice, User
from people.services import leaving
from rules.core.refusals import Refused

pytestmark = [pytest.mark.django_db, pytest.mark.database]


def press(client: Client, match: Match, name: str, **fields: Any) -> Any:
    return client.post(reverse(f"matches:{name}", args=[match.public_id]), fields)


def newest() -> Match:
    return Match.objects.order_by("-id")[0]


# --- play on ----------------------------------------------------------------------------------------------------------


def test_a_match_goes_on_from_a_moment_with_what_was_played_before_and_other_dice(
    finished: Match, player: User
) -> None:
    """Of many that go on from the middle, each begins as the first one did, is verified, and ends differently."""
    at = finished.last_sequence // 2
    before = stored_steps(finished)[: at + 1]
    ends = set()
    for _ in range(3):
        match = play_on(finished, player, at, "red")
        steps = stored_steps(match)[: at + 1]
        assert [(step.side, step.action, step.events) for step in steps] == [
            (step.side, step.action, step.events) for step in before
        ]
        assert not match.is_over
        assert match.fixture_key is None
        assert [(seat.side, seat.user_id, seat.bot) for seat in match.seats.all()] == [
            ("red", player.pk, ""),
            ("blue", None, "random"),
        ]
        done = finish_for(Match.objects.get(pk=match.pk), player)
        assert done.is_finished
        assert finding_on(done).outcome == "ok"
        ends.add(tuple(str(step.events) for step in stored_steps(done)))
    assert len(ends) == 3


def test_whoever_watches_plays_on_from_the_shown_step(finished: Match, client: Client, player: User) -> None:
    steps = stored_steps(finished)
    cut = cut_into_steps([event for step in steps for event in step.events])
    shown = cut[len(cut) // 2]
    address = f"{finished.get_absolute_url()}?step={shown.number}"
    assert 'name="at"' not in client.get(address).content.decode()
    assert press(client, finished, "play_on", at=1, side="red").headers["Location"].startswith("/people/log-in")
    client.force_login(player)
    at = re.search(r'name="at" value="(\d+)"', client.get(address).content.decode())
    assert at is not None
    answer = press(client, finished, "play_on", at=at[1], side="blue")
    match = newest()
    assert answer.headers["Location"] == reverse("matches:play", args=[match.public_id])
    assert client.get(answer.headers["Location"]).status_code == 200
    events = [event for step in stored_steps(match) for event in step.events]
    assert events[: shown.stop] == [event for step in steps for event in step.events][: shown.stop]


def test_the_step_is_complete_with_the_action_that_it_names() -> None:
    steps = [MatchAction(sequence=number, events=[{}] * count) for number, count in enumerate((3, 2, 0, 4))]
    assert [moment_after(events, steps) for events in (1, 3, 4, 5, 6, 9)] == [0, 0, 1, 1, 3, 3]


@pytest.mark.parametrize(
    ("at", "side"), [("-1", "red"), ("x", "red"), ("", "red"), ("9999", "red"), ("99999999", "red"), ("1", "green")]
)
def test_a_moment_that_is_not_there_is_refused_and_nothing_begins(
    finished: Match, client: Client, player: User, at: str, side: str
) -> None:
    client.force_login(player)
    answer = press(client, finished, "play_on", at=at, side=side)
    assert (answer.status_code, Match.objects.count()) == (409, 1)
    assert "no such moment" in answer.content.decode()


def test_a_match_that_is_being_played_reveals_nothing_by_being_played_on(waiting: Match, player: User) -> None:
    with pytest.raises(Refused, match="match_not_finished"):
        play_on(waiting, player, 0, "red")


def test_a_match_that_today_s_rules_play_otherwise_does_not_go_on(finished: Match, player: User) -> None:
    """Other dice stand for other rules: the stored events do not come out."""
    Match.objects.filter(pk=finished.pk).update(seed=b"another seed of thirty-two bytes")
    with pytest.raises(Refused, match="moment_of_other_rules"):
        play_on(Match.objects.get(pk=finished.pk), player, 4, "red")
    assert Match.objects.count() == 1


def test_a_match_goes_on_twice_and_from_its_earlier_moments_ever_again(finished: Match, player: User) -> None:
    match = finished
    for at in (2, 6):
        match = finish_for(Match.objects.get(pk=play_on(match, player, at, "red").pk), player)
    with pytest.raises(Refused, match="moment_too_late"):
        play_on(match, player, match.last_sequence - 1, "red")
    assert play_on(match, player, 2, "red").last_sequence >= 2


def test_it_counts_for_no_ladder_even_from_the_opening(finished: Match, player: User) -> None:
    begun = play_on(finished, player, 0, "red")
    done = resolve_with_bots(begun.pk, {"red": "greedy", "blue": "random"})
    assert (finished.is_continued, done.is_continued) == (False, True)
    assert rate_match(done.pk) is None
    # The same match without what went before would count.
    Match.objects.filter(pk=done.pk).update(seed=b"s" * 32)
    assert rate_match(done.pk) == 1


@pytest.mark.parametrize(
    ("at", "sentence"),
    [
        (0, "goes on from the opening of another match, whose dice were known"),
        (1, "its first decision was played there, and the dice up to it were known"),
        (7, "its first 7 decisions were played there, and their dice were known"),
    ],
)
def test_its_pages_say_what_was_played_and_rolled_before_it(
    client: Client, finished: Match, player: User, at: int, sentence: str
) -> None:
    fresh = client.get(finished.get_absolute_url()).content.decode()
    assert "goes on from" not in fresh
    assert "All dice of a match come from one secret number" in fresh
    done = finish_for(play_on(finished, player, at, "red"), player)
    # A seat that changed hands later does not change what was copied.
    done.seats.filter(user=player).update(taken_at=99)
    page = " ".join(client.get(done.get_absolute_url()).content.decode().split())
    billing, fairness = page.split('id="fairness"')
    for text in (billing, fairness, " ".join(verified(client, done).split())):
        assert sentence in text
    assert "All dice of a match come from one secret number" not in page
    assert "before the match" not in fairness + verified(client, done).split('id="file"')[0]
    assert "goes on from" not in verified(client, finished)


def verified(client: Client, match: Match) -> str:
    return str(client.get(reverse("matches:verify", args=[match.public_id])).content.decode())


def test_a_match_that_was_played_on_has_no_rematch(client: Client, finished: Match, player: User) -> None:
    """Its sides may be those of a private season, and a rematch would be listed for everybody."""
    done = finish_for(play_on(finished, player, 3, "red"), player)
    client.force_login(player)
    for page in (done.get_absolute_url(), reverse("matches:play", args=[done.public_id])):
        assert 'id="rematch"' not in client.get(page).content.decode()
    assert press(client, done, "rematch").status_code == 403
    assert Match.objects.count() == 2


def test_stables_are_not_named_where_others_play_for_them(finished: Match, player: User) -> None:
    setup = finished.setup
    for side in setup["sides"]:
        side["name"] = "Ash & Sons"
        side["units"][0]["owner"] = "Ash & Sons"
    Match.objects.filter(pk=finished.pk).update(setup=setup)
    match = play_on(Match.objects.get(pk=finished.pk), player, 3, "red")
    assert "Ash" not in str(match.setup)
    assert rebuild(match).actions == [step.action for step in stored_steps(match)[1:]]


def test_a_guest_of_a_season_is_offered_nothing_that_they_may_not_press(
    client: Client, player: User, finished: Match
) -> None:
    match = ended(Seat("red", player.pk), Seat("blue", bot="greedy"))
    User.objects.filter(pk=player.pk).update(is_guest=True)
    client.force_login(player)
    shown = client.get(f"{match.get_absolute_url()}?step=2").content.decode()
    shown += client.get(reverse("matches:play", args=[match.public_id])).content.decode()
    assert [mark in shown for mark in ('id="rematch"', 'name="at"', "turning-points")] == [False] * 3


# --- rematch ----------------------------------------------------------------------------------------------------------


def ended(*seats: Seat) -> Match:
    match = create_match(demonstration_setup(), b"s" * 32, None, seats, 3600)
    done = resolve_with_bots(match.pk, {seat.side: "random" for seat in seats})
    return Match.objects.get(pk=done.pk)


def test_one_press_begins_the_rematch_against_the_same_ai(client: Client, player: User) -> None:
    match = ended(Seat("red", player.pk), Seat("blue", bot="greedy"))
    client.force_login(player)
    for page in (match.get_absolute_url(), reverse("matches:play", args=[match.public_id])):
        assert 'id="rematch"' in client.get(page).content.decode()
    answer = press(client, match, "rematch")
    again = newest()
    assert answer.headers["Location"] == reverse("matches:play", args=[again.public_id])
    assert (again.setup, again.seconds_a_round) == (match.setup, match.seconds_a_round)
    assert bytes(again.seed) != bytes(match.seed)
    assert [(seat.user_id, seat.bot) for seat in again.seats.all()] == [(player.pk, ""), (None, "greedy")]
    # A second press leads to the same match, and after its end to the next one.
    assert press(client, match, "rematch").headers["Location"] == answer.headers["Location"]
    finish_for(again, player)
    press(client, match, "rematch")
    assert Match.objects.count() == 3


def test_a_rival_is_asked_and_sits_down_by_the_same_press(client: Client, player: User, rival: User) -> None:
    match = ended(Seat("red", player.pk), Seat("blue", rival.pk))
    Notice.objects.all().delete()
    client.force_login(player)
    press(client, match, "rematch")
    again = newest()
    assert [seat.user_id for seat in again.seats.all()] == [player.pk, None]
    notice = Notice.objects.get(code="rematch")
    assert (notice.user, notice.url, notice.parameters["person"]) == (rival, again.get_absolute_url(), "player")
    client.force_login(rival)
    assert "“player” asks for a rematch of" in client.get(reverse("people:notices")).content.decode()
    assert press(client, match, "rematch").status_code == 302
    assert [seat.user_id for seat in again.seats.all()] == [player.pk, rival.pk]
    assert Match.objects.count() == 2
    # Nothing shows later who had asked, once they have left.
    leaving.end(player)
    assert not Notice.objects.filter(code="rematch").exists()


def test_a_guest_gets_no_notice_of_a_rematch(player: User, rival: User) -> None:
    User.objects.filter(pk=rival.pk).update(is_guest=True)
    match = ended(Seat("red", player.pk), Seat("blue", rival.pk))
    continuing.rematch(match, player)
    assert not Notice.objects.filter(code="rematch").exists()


def test_two_guests_have_their_rematch_by_one_press_each(player: User, rival: User, settings: Any) -> None:
    User.objects.update(is_guest=True)
    match = ended(Seat("red", player.pk), Seat("blue", rival.pk))
    settings.GUEST_MATCHES = {"place": 3, "all": 9}
    for person in (player, rival):
        browser = Client()
        browser.force_login(person)
        assert 'id="rematch"' in browser.get(match.get_absolute_url()).content.decode()
        assert press(browser, match, "rematch").status_code == 302
        assert press(browser, match, "rematch").status_code == (302 if person == player else 429)
    assert [seat.user_id for seat in newest().seats.all()] == [player.pk, rival.pk]
    assert Match.objects.count() == 2


def test_only_who_played_a_friendly_match_has_a_rematch(client: Client, player: User, rival: User) -> None:
    match = ended(Seat("red", player.pk), Seat("blue", bot="quick"))
    client.force_login(rival)
    assert 'id="rematch"' not in client.get(match.get_absolute_url()).content.decode()
    assert press(client, match, "rematch").status_code == 403
    client.force_login(player)
    Match.objects.filter(pk=match.pk).update(fixture_key="fixture:1")
    assert press(client, match, "rematch").status_code == 403
    assert Match.objects.count() == 1


def test_nobody_floods_the_site_with_rematches(
    client: Client, player: User, finished: Match, monkeypatch: pytest.MonkeyPatch
) -> None:
    cache.clear()
    monkeypatch.setattr(continuing, "FRIENDLY_MATCHES", friendly.Limit("friendly_match", 1))
    client.force_login(player)
    assert press(client, finished, "play_on", at=3, side="red").status_code == 302
    assert press(client, finished, "play_on", at=3, side="red").status_code == 429


# --- a nod ------------------------------------------------------------------------------------------------------------


def test_one_press_says_well_played_to_the_other_person_once(client: Client, player: User, rival: User) -> None:
    match = ended(Seat("red", player.pk), Seat("blue", rival.pk))
    Notice.objects.all().delete()
    client.force_login(player)
    pages = (match.get_absolute_url(), reverse("matches:play", args=[match.public_id]))
    for page in pages:
        shown = client.get(page).content.decode()
        assert 'id="nod"' in shown
        assert "<q>Well played</q>" not in shown
    for _ in range(2):
        assert press(client, match, "nod").headers["Location"] == match.get_absolute_url()
    for page in pages:
        shown = client.get(page).content.decode()
        assert 'id="nod"' not in shown
        assert shown.count("<q>Well played</q>") == 1
    notice = Notice.objects.get(code="nod")
    assert (notice.user, notice.url) == (rival, match.get_absolute_url())
    client.force_login(rival)
    assert "“player” says “well played” after" in client.get(reverse("people:notices")).content.decode()
    assert press(client, match, "nod").status_code == 302
    assert list(match.seats.values_list("has_nodded", flat=True)) == [True, True]


def test_guests_say_well_played_too_and_get_no_notice(client: Client, player: User, rival: User) -> None:
    match = ended(Seat("red", player.pk), Seat("blue", rival.pk))
    Notice.objects.all().delete()
    User.objects.filter(pk=player.pk).update(is_guest=True)
    client.force_login(User.objects.get(pk=player.pk))
    assert press(client, match, "nod").status_code == 302
    continuing.nod(match, rival)
    assert [(notice.user, notice.code) for notice in Notice.objects.all()] == [(rival, "nod")]


def test_nobody_nods_to_the_ai_nor_before_the_end_nor_to_a_match_of_others(
    client: Client, player: User, rival: User
) -> None:
    alone = ended(Seat("red", player.pk), Seat("blue", bot="greedy"))
    of_others = ended(Seat("red", rival.pk), Seat("blue", User.objects.create_user("third").pk))
    open_match = create_match(demonstration_setup(), b"s" * 32, None, (Seat("red", player.pk), Seat("blue", rival.pk)))
    client.force_login(player)
    assert [press(client, match, "nod").status_code for match in (alone, of_others, open_match)] == [403, 403, 409]
    assert 'id="nod"' not in client.get(alone.get_absolute_url()).content.decode()
    assert not any(match.seats.filter(has_nodded=True).exists() for match in (alone, of_others, open_match))
