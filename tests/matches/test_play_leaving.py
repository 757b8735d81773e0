"""Ending a match early on the page on which people play: by surrender, or because all agree."""

from __future__ import annotations

import random
import re

import pytest
from django.test import Client

from matches.models import Match
from matches.selectors.matches import rebuild
from matches.services.answering import Seat
from matches.services.matches import play_action
from people.models import User
from tests.markup import closed_up
from tests.matches.playing import (
    address_of,
    answer_once,
    leave,
    match_at,
    read,
)


class TestLeaving:
    def test_a_surrender_is_asked_for_twice(self, client: Client, player: User) -> None:
        match = match_at("move", lambda side: Seat(side, player.pk))
        client.force_login(player)
        first = leave(client, match, "surrender")
        assert first["Location"].endswith("?leave=surrender")
        asked = closed_up(read(client, first["Location"]))
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
