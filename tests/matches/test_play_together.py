"""The page on which people play with each other: who may answer, two tabs, waiting, and what stays hidden."""

from __future__ import annotations

import random
from html import unescape

import pytest
from django.test import Client
from django.urls import reverse

from matches.models import Match
from matches.selectors.matches import rebuild
from matches.services.answering import Seat
from matches.services.matches import play_action
from people.models import User
from tests.matches.playing import (
    Page,
    address_of,
    filled_form,
    match_at,
    open_links,
    read,
)

from .conftest import play_some


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
        assert 'id="commit"' not in read(other, address_of(waiting))
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
