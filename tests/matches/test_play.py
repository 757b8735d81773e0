"""The page on which people play: every decision is answered through its plain links and its form."""

from __future__ import annotations

import random
import re
from html import unescape
from urllib.parse import parse_qs, urlencode

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from matches.models import Match
from matches.selectors import rebuild
from matches.services import Seat, create_match, play_action
from people.models import User
from tests.architecture.pseudo_locale import speak_pseudo, untranslated
from tests.matches.playing import (
    KINDS,
    Page,
    address_of,
    answer_once,
    filled_form,
    hot_seat,
    leave,
    match_at,
    open_links,
    read,
)

from .conftest import SEED, play_some

MOST_QUERIES = 15
ANSWERED = 40
"""Decisions of a match that are answered one by one; then the sides surrender. A duel ends before."""


@pytest.mark.parametrize("format_key", ["standard", "team", "tag_team", "capture_the_flag", "grand_melee"])
def test_a_match_is_played_to_its_end_through_links_and_forms_alone(
    format_key: str, client: Client, player: User
) -> None:
    match = hot_seat(format_key, player, 4)
    client.force_login(player)
    rng = random.Random(8)
    for _ in range(ANSWERED):
        if match.is_finished:
            break
        before = match.last_sequence
        answer_once(client, match, rng)
        match.refresh_from_db()
        assert match.last_sequence > before
    while not match.is_finished:
        assert leave(client, match, "surrender", confirm="yes").status_code == 302
        match.refresh_from_db()
    assert "The match is over" in read(client, address_of(match))


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_of_decision_is_asked_in_words_and_answered(kind: str, client: Client, player: User) -> None:
    match = match_at(kind, lambda side: Seat(side, player.pk))
    client.force_login(player)
    text = read(client, address_of(match))
    assert 'class="asked-why"' in text
    assert "{" not in text.split('class="asked"')[1].split("</section>")[0]
    answer_once(client, match, random.Random(3))
    match.refresh_from_db()
    assert len(rebuild(match).actions) == match.last_sequence


@pytest.mark.parametrize("kind", ["answering", "react", "special"])
def test_what_an_attack_comes_to_is_shown_before_it_is_made(kind: str, client: Client, player: User) -> None:
    rng = random.Random(1)
    match = match_at(kind, lambda side: Seat(side, player.pk))
    client.force_login(player)
    for _ in range(30):
        fields = filled_form(client, match, rng)
        kept = {key: word for key, word in fields.items() if key not in ("csrfmiddlewaretoken", "seen", "kind", "unit")}
        text = read(client, f"{address_of(match)}?{urlencode(kept)}")
        if "% to hit" in text:
            assert 'class="rule"' in text.split('id="preview"')[1]
            return
    raise AssertionError("no attack in thirty tries")


@pytest.mark.parametrize("kind", KINDS)
def test_every_visible_text_of_the_page_is_translated(
    kind: str, client: Client, player: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    match = match_at(kind, lambda side: Seat(side, player.pk))
    client.force_login(player)
    speak_pseudo(monkeypatch)
    rng = random.Random(6)
    text = read(client, address_of(match))
    for _ in range(6):
        assert untranslated(text) == []
        links = open_links(text)
        if not links:
            break
        text = read(client, address_of(match) + rng.choice(links))


class TestPermissions:
    def test_who_does_not_play_is_led_to_the_public_page(self, client: Client, waiting: Match) -> None:
        assert client.get(address_of(waiting))["Location"] == waiting.get_absolute_url()
        client.force_login(User.objects.create_user("stranger", "stranger@example.org", "secret words"))
        assert client.get(address_of(waiting))["Location"] == waiting.get_absolute_url()

    def test_who_does_not_play_can_change_nothing(self, client: Client, waiting: Match) -> None:
        for name in (None, "stranger"):
            if name:
                client.force_login(User.objects.create_user(name, "stranger@example.org", "secret words"))
            assert client.post(address_of(waiting), {"seen": "x"}).status_code == 403
            assert client.post(address_of(waiting), {"leave": "agree"}).status_code == 403
            assert client.get(reverse("matches:changes", args=[waiting.public_id])).status_code == 403
        waiting.refresh_from_db()
        assert waiting.last_sequence == 0

    def test_a_rival_cannot_answer_for_another(self, client: Client, waiting: Match, player: User, rival: User) -> None:
        asked = rebuild(waiting).decision
        assert asked is not None
        users = {"red": player, "blue": rival}
        client.force_login(users[asked.side])
        fields = filled_form(client, waiting, random.Random(1))
        other = Client()
        other.force_login(users["blue" if asked.side == "red" else "red"])
        assert "commit" not in read(other, address_of(waiting))
        assert other.post(address_of(waiting), fields).status_code == 409
        waiting.refresh_from_db()
        assert waiting.last_sequence == 0

    def test_wrong_methods_and_addresses(self, client: Client, waiting: Match, player: User) -> None:
        client.force_login(player)
        assert client.put(address_of(waiting)).status_code == 405
        assert client.get("/matches/00000000-0000-0000-0000-000000000000/play/").status_code == 404


class TestTwoTabs:
    def test_one_order_is_played_once_and_the_late_tab_keeps_what_it_chose(self, client: Client, player: User) -> None:
        match = match_at("move", lambda side: Seat(side, player.pk))
        client.force_login(player)
        fields = filled_form(client, match, random.Random(2), "?order=move")
        assert client.post(address_of(match), fields).status_code == 302
        match.refresh_from_db()
        after = match.last_sequence
        late = client.post(address_of(match), fields)
        assert late.status_code == 409
        assert "too late" in late.content.decode()
        match.refresh_from_db()
        assert match.last_sequence == after

    def test_the_answer_is_kept_when_the_same_is_still_asked(self, client: Client, player: User, rival: User) -> None:
        users = {}
        match = match_at("move", lambda side: Seat(side, users.setdefault(side, (player, rival)[len(users)]).pk))
        asked = rebuild(match).decision
        assert asked is not None
        client.force_login(users[asked.side])
        fields = filled_form(client, match, random.Random(2), "?order=pass")
        other = next(side for side in users if side != asked.side)
        unit = next(entry["id"] for side in match.setup["sides"] if side["id"] == other for entry in side["units"])
        play_action(match.pk, other, match.last_sequence, {"unit": unit, "order": "agree"})
        late = client.post(address_of(match), fields)
        assert late.status_code == 409
        assert Page(late.content.decode()).fields["order"] == "pass"

    def test_an_old_address_chooses_nothing_and_says_so(self, client: Client, waiting: Match, player: User) -> None:
        match = play_some(waiting, 1)
        match.seats.update(user=player)
        client.force_login(player)
        text = read(client, f"{address_of(match)}?at=0123456789abcdef&order=pass")
        assert "has gone on" in text
        assert "Chosen so far" not in text

    def test_half_an_answer_leads_back_to_the_question(self, client: Client, player: User) -> None:
        match = match_at("move", lambda side: Seat(side, player.pk))
        client.force_login(player)
        seen = filled_form(client, match, random.Random(2), "?order=pass")["seen"]
        answer = client.post(address_of(match), {"seen": seen, "order": "move"})
        assert answer["Location"] == f"{address_of(match)}?order=move"
        assert open_links(read(client, answer["Location"]))


class TestWaiting:
    def changes(self, client: Client, match: Match, version: str) -> int:
        address = reverse("matches:changes", args=[match.public_id])
        return client.get(address, {"version": version}).status_code

    def version(self, client: Client, match: Match) -> str:
        return read(client, address_of(match)).split('data-version="')[1].split('"')[0]

    def test_nothing_is_sent_until_somebody_has_decided(
        self, client: Client, waiting: Match, player: User, rival: User
    ) -> None:
        for user in (player, rival):
            client.force_login(user)
            version = self.version(client, waiting)
            assert self.changes(client, waiting, version) == 204
            assert self.changes(client, waiting, "older") == 200
        play_some(waiting, 1)
        assert self.changes(client, waiting, version) == 200

    def test_the_page_says_who_is_waited_for_and_not_for_what(
        self, client: Client, waiting: Match, player: User, rival: User
    ) -> None:
        asked = rebuild(waiting).decision
        assert asked is not None
        client.force_login(rival if asked.side == "red" else player)
        text = read(client, address_of(waiting))
        assert f"Waiting for {(player if asked.side == 'red' else rival).username}" in text
        assert "Where does" not in text

    def test_a_rival_never_learns_that_somebody_is_asked_for_a_rally_card(
        self, client: Client, player: User, rival: User
    ) -> None:
        users: dict[str, User] = {}
        match = match_at("rally", lambda side: Seat(side, users.setdefault(side, (player, rival)[len(users)]).pk))
        asked = rebuild(match).decision
        assert asked is not None
        client.force_login(next(user for side, user in users.items() if side != asked.side))
        before, version = read(client, address_of(match)), self.version(client, match)
        play_action(match.pk, asked.side, match.last_sequence, rebuild(match).default_action())
        match.refresh_from_db()
        after = rebuild(match).decision
        assert after is not None
        assert (after.side, after.kind) != (asked.side, "rally")
        if after.side == asked.side:
            assert self.changes(client, match, version) == 204
            assert without_tokens(read(client, address_of(match))) == without_tokens(before)


def without_tokens(text: str) -> str:
    """A page without what guards its forms against other sites, which is different every time."""
    lines = [line for line in text.splitlines() if "csrfmiddlewaretoken" not in line]
    return "\n".join(lines)


class TestHidden:
    @pytest.mark.parametrize("kind", ["move", "rally", "combat"])
    def test_no_page_holds_a_rivals_hand_or_face_down_tokens(
        self, kind: str, client: Client, player: User, rival: User
    ) -> None:
        users: dict[str, User] = {}
        match = match_at(kind, lambda side: Seat(side, users.setdefault(side, (player, rival)[len(users)]).pk))
        engine = rebuild(match)
        played = {card for _, _, card, _ in engine.table.position.rallies}
        pool = {engine.table.roster.tokens[token].name for token in engine.table.position.pool}
        for side, user in users.items():
            client.force_login(user)
            texts = [read(client, address_of(match)), read(client, match.get_absolute_url())]
            for text in map(unescape, texts):
                for other in match.setup["sides"]:
                    if other["id"] == side:
                        continue
                    cards = [card["id"] for loadout in other["units"] for card in loadout["hand"]]
                    assert not [card for card in cards if card not in played and card in text]
                    assert not [
                        token["name"] for token in other["tokens"] if token["name"] in pool and token["name"] in text
                    ]
            own = next(each for each in match.setup["sides"] if each["id"] == side)
            cards = [card["name"] for loadout in own["units"] for card in loadout["hand"]]
            assert all(card in texts[0] for card in cards)

    def test_ones_own_hand_says_what_each_card_does_and_asks(self, client: Client, player: User) -> None:
        match = match_at("rally", lambda side: Seat(side, player.pk))
        client.force_login(player)
        hand = read(client, address_of(match)).split('id="hand-heading"')[1].split("</ul>")[0]
        lines = hand.split("<li>")[1:]
        assert lines
        assert all(": " in line and "below" in line for line in lines)

    def test_the_number_of_steps_stands_nowhere(self, client: Client, waiting: Match, player: User) -> None:
        match = play_some(waiting, 7)
        match.seats.update(user=player)
        client.force_login(player)
        fields = filled_form(client, match, random.Random(1))
        assert not fields["seen"].isdigit()


class TestLeaving:
    def test_a_surrender_is_asked_for_twice(self, client: Client, player: User) -> None:
        match = match_at("move", lambda side: Seat(side, player.pk))
        client.force_login(player)
        first = leave(client, match, "surrender")
        assert first["Location"].endswith("?leave=surrender")
        asked = read(client, first["Location"])
        assert re.search(
            r'name="confirm" value="yes"><input type="hidden" name="seen" value="\w+".*Yes, surrender', asked
        )
        match.refresh_from_db()
        assert not match.is_finished
        leave(client, match, "surrender", confirm="yes")
        match.refresh_from_db()
        assert match.is_finished

    def test_a_match_ends_when_all_agree(self, client: Client, player: User, rival: User) -> None:
        users: dict[str, User] = {}
        match = match_at("move", lambda side: Seat(side, users.setdefault(side, (player, rival)[len(users)]).pk))
        for user in users.values():
            client.force_login(user)
            assert leave(client, match, "agree").status_code == 302
        text = read(client, address_of(match))
        assert "would end the match now" in text
        assert "You have agreed" in text
        again = leave(client, match, "agree")
        assert again.status_code == 409
        assert re.search(rf"{user.username} \([^)]+\) has already agreed", again.content.decode())
        assert 'id="play"' in again.content.decode()

    def test_nobody_surrenders_while_another_must_decide(self, client: Client, player: User, rival: User) -> None:
        users: dict[str, User] = {}
        match = match_at("move", lambda side: Seat(side, users.setdefault(side, (player, rival)[len(users)]).pk))
        asked = rebuild(match).decision
        assert asked is not None
        client.force_login(next(user for side, user in users.items() if side != asked.side))
        assert leave(client, match, "surrender", confirm="yes").status_code == 409

    @pytest.mark.parametrize("order", ["agree", "surrender"])
    def test_a_stale_tab_and_a_second_press_change_nothing(self, order: str, client: Client, player: User) -> None:
        match = match_at("move", lambda side: Seat(side, player.pk))
        client.force_login(player)
        text = read(client, address_of(match))
        (seen,) = re.findall(r'<details class="leave">.*?name="seen" value="(\w+)"', text, re.S)
        answer_once(client, match, random.Random(1))
        match.refresh_from_db()
        before = match.last_sequence
        for fields in ({"seen": seen}, {"seen": ""}, {}):
            late = client.post(address_of(match), {"leave": order, "confirm": "yes", **fields})
            assert (late.status_code, "too late" in late.content.decode()) == (409, True)
        match.refresh_from_db()
        assert match.last_sequence == before
        (fresh,) = re.findall(
            r'<details class="leave">.*?name="seen" value="(\w+)"', read(client, address_of(match)), re.S
        )
        presses = [client.post(address_of(match), {"leave": order, "confirm": "yes", "seen": fresh}) for _ in range(2)]
        assert [press.status_code for press in presses] == [302, 409]
        assert 'id="play"' in presses[1].content.decode()

    def test_a_step_that_nobody_may_see_makes_no_page_stale(self, client: Client, player: User, rival: User) -> None:
        users: dict[str, User] = {}
        match = match_at("rally", lambda side: Seat(side, users.setdefault(side, (player, rival)[len(users)]).pk))
        engine = rebuild(match)
        assert engine.decision is not None
        other = next(side for side in users if side != engine.decision.side)
        client.force_login(users[other])
        kept = next(each for each in engine.legal_actions() if not each.get("card"))
        before = re.findall(r'name="seen" value="(\w+)"', read(client, address_of(match)))
        play_action(match.pk, engine.decision.side, match.last_sequence, kept)
        assert before
        match.refresh_from_db()
        after = match.last_sequence
        assert client.post(address_of(match), {"leave": "agree", "seen": before[0]}).status_code == 302
        match.refresh_from_db()
        assert match.last_sequence > after

    def test_other_words_are_refused(self, client: Client, waiting: Match, player: User) -> None:
        client.force_login(player)
        for word in ("", "time_up", "pass", "Surrender"):
            assert leave(client, waiting, word, confirm="yes").status_code == 400
        waiting.refresh_from_db()
        assert waiting.last_sequence == 0


def test_the_page_takes_few_queries_whatever_has_been_played(client: Client, waiting: Match, player: User) -> None:
    client.force_login(player)
    counts = set()
    for _ in range(3):
        with CaptureQueriesContext(connection) as queries:
            read(client, address_of(waiting))
        counts.add(len(queries))
        play_some(waiting, 6)
    assert len(counts) == 1
    assert max(counts) <= MOST_QUERIES


def test_the_ai_answers_at_once_and_its_doings_are_told(client: Client, player: User, setup_document: dict) -> None:
    match = create_match(setup_document, SEED, None, [Seat("red", player.pk), Seat("blue", bot="greedy")])
    client.force_login(player)
    rng = random.Random(4)
    for _ in range(6):
        answer_once(client, match, rng)
        match.refresh_from_db()
        assert match.is_finished or rebuild(match).decision.side == "red"
    assert "Since your last decision" in read(client, address_of(match))


def test_the_screen_is_handed_over_before_a_hand_is_shown(client: Client, player: User) -> None:
    match = match_at("rally", lambda side: Seat(side, player.pk))
    decision = rebuild(match).decision
    assert decision is not None
    cards = {
        card["name"]
        for side in match.setup["sides"]
        for loadout in side["units"]
        for card in loadout.get("hand") or ()
        if side["id"] == decision.side
    }
    client.force_login(player)
    text = client.get(address_of(match)).content.decode()
    assert 'name="take"' in text
    assert not any(card in text for card in cards)
    # Pressing for another side does not help; pressing for this one does, until another side is asked.
    client.post(address_of(match), {"take": "nobody"})
    assert 'name="take"' in client.get(address_of(match)).content.decode()
    client.post(address_of(match), {"take": decision.side})
    text = client.get(address_of(match)).content.decode()
    assert 'name="take"' not in text
    assert any(card in text for card in cards)
    client.session.flush()


def test_without_hands_nobody_hands_over_the_screen(client: Client, player: User) -> None:
    match = hot_seat("standard", player, 4)
    client.force_login(player)
    assert 'name="take"' not in client.get(address_of(match)).content.decode()


def test_every_stage_of_choosing_has_a_way_back_by_one_and_to_the_start(client: Client, player: User) -> None:
    match = match_at("move", lambda side: Seat(side, player.pk))
    client.force_login(player)
    text = read(client, address_of(match))
    assert 'class="way-back"' not in text
    for _ in range(4):
        links = [link for link in open_links(text) if "order=move" in link] or open_links(text)
        if not links or Page(text).fields is not None:
            break
        text = read(client, address_of(match) + links[0])
        way = re.search(r'class="way-back".*?href="([^"]*)".*?href="([^"]*)"', text, re.S)
        assert way is not None
        assert parse_qs(unescape(way[2])[1:]).keys() == {"at"}
        chosen = re.findall(r'aria-label="Take back', text)
        back = read(client, address_of(match) + unescape(way[1]))
        assert len(re.findall(r'aria-label="Take back', back)) < len(chosen)
