"""Questions that one press answers, answers that stand for the rest of a match, and those with which it begins."""

from __future__ import annotations

import html
import re

import pytest
from django.test import Client
from django.urls import reverse

from matches.models import Match, StandingAnswers
from matches.selectors.matches import rebuild
from matches.services import preset_answers
from matches.services.answering import Seat
from matches.services.beginning.friendly import Wishes, start_friendly
from people.models import User
from rules.bots.preset_answers import ROUTINE
from rules.core.refusals import Refused
from tests.matches.playing import address_of, match_at, presses, read

pytestmark = [pytest.mark.django_db, pytest.mark.database]


def asked(kind: str, player: User, client: Client) -> tuple[Match, str]:
    """A match in which the player of every side is asked for this, and the page."""
    match = match_at(kind, lambda side: Seat(side, player.pk))
    client.force_login(player)
    return match, read(client, address_of(match))


@pytest.mark.parametrize(
    "kind", ["initiative", "react", "cancel", "revive", "restart", "rally", "reroll", "source", "repair", "corner"]
)
def test_one_press_answers_a_question_of_one_choice(kind: str, client: Client, player: User) -> None:
    match, text = asked(kind, player, client)
    engine = rebuild(match)
    buttons = presses(text)
    assert len(buttons) > 1
    assert 'id="commit"' not in text
    # The script gives the form the focus; its name is the question.
    named = re.search('class="presses" tabindex="-1"\\s+aria-labelledby="([^"]+)"', text)
    assert named is not None
    assert f'id="{named[1]}"' in text
    legal = engine.legal_actions()
    answer = client.post(address_of(match), buttons[-1])
    assert (answer.status_code, answer["Location"]) == (302, address_of(match))
    played = match.actions.get(sequence=match.last_sequence + 1).action
    assert played in legal
    assert not StandingAnswers.objects.exists()


@pytest.mark.parametrize("kind", ["move", "combat", "special", "start", "free_spin", "tag"])
def test_orders_places_and_turns_are_looked_at_before_they_are_played(kind: str, client: Client, player: User) -> None:
    assert presses(asked(kind, player, client)[1]) == []


@pytest.mark.parametrize(
    ("kind", "field", "word", "stands"),
    [
        ("react", "react", "none", {"react": {"leave": 100}}),
        ("rally", "card", "none", {"rally": "never"}),
        ("revive", "attempt", "no", {"revive": "never"}),
        ("restart", "attempt", "yes", {"restart": 0}),
    ],
)
def test_the_same_press_lets_the_answer_stand(
    kind: str, field: str, word: str, stands: dict[str, object], client: Client, player: User
) -> None:
    match, text = asked(kind, player, client)
    assert re.search('name="always" value="yes">\\s*Do not ask again in this match', text)
    decision = rebuild(match).decision
    assert decision is not None
    sent = next(each for each in presses(text) if each[field] == word)
    assert client.post(address_of(match), {**sent, "always": "yes"}).status_code == 302
    kept = StandingAnswers.objects.get()
    assert (kept.seat.side, kept.unit, kept.answers) == (decision.side, decision.unit, stands)
    # A form that comes too late changes neither the match nor what stands.
    StandingAnswers.objects.all().delete()
    assert client.post(address_of(match), {**sent, "always": "yes"}).status_code == 409
    assert not StandingAnswers.objects.exists()


def test_n_bug_13_an_answer_that_was_looked_at_can_stand_too_and_a_tick_before_is_kept(
    client: Client, player: User
) -> None:
    match, text = asked("react", player, client)
    details = html.unescape(re.findall(r'<a class="small" href="([^"]*)" data-step', text)[0])
    for ticked in ("", "&always=yes"):
        looked = client.get(address_of(match) + details + ticked).content.decode()
        (box,) = re.findall(r'<input type="checkbox" name="always" value="yes" form="answer"([^>]*)>', looked)
        assert ("checked" in box) == bool(ticked)
    (form,) = re.findall(r'<form[^>]* id="answer">.*?</form>', looked, re.DOTALL)
    sent = dict(re.findall(r'<input\s+type="hidden" name="(\w+)" value="([^"]*)"', form))
    sent.pop("csrfmiddlewaretoken", None)
    assert client.post(address_of(match), {**sent, "always": "yes"}).status_code == 302
    assert "react" in StandingAnswers.objects.get().answers


def test_an_answer_that_was_played_is_never_called_too_late(
    client: Client, player: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Others play on faster than the bots once the answer stands: it is played, and it stands."""
    match, text = asked("rally", player, client)

    def overtaken(match_id: int) -> None:
        raise Refused("stale_action")

    monkeypatch.setattr(preset_answers, "answer_with_bots", overtaken)
    sent = next(each for each in presses(text) if each["card"] == "none")
    answer = client.post(address_of(match), {**sent, "always": "yes"})
    assert (answer.status_code, answer["Location"]) == (302, address_of(match))
    assert match.actions.filter(sequence=match.last_sequence + 1).exists()
    assert StandingAnswers.objects.get().answers == {"rally": "never"}


def test_a_match_against_the_ai_begins_with_the_answers_of_solo_play_and_no_other_does(
    client: Client, player: User
) -> None:
    client.force_login(player)
    sent = {"format": "standard", "opponent": "greedy"}
    assert client.post(reverse("matches:new"), sent).status_code == 302
    match = Match.objects.get()
    kept = StandingAnswers.objects.filter(seat__match=match)
    assert {(each.seat.side, each.unit): each.answers for each in kept} == {("red", "red-1"): ROUTINE}
    for opponent in ("self", "link"):
        match = start_friendly(player, Wishes(opponent=opponent), standing=ROUTINE)
        assert not StandingAnswers.objects.filter(seat__match=match).exists()


def test_the_heading_says_what_is_offered_and_how_the_dice_lie(client: Client, player: User) -> None:
    match, text = asked("reroll", player, client)
    table = rebuild(match).table
    assert re.search(r"You rolled \d, \d, \d: they (hit|miss) ", text)
    assert table.open is not None
    match, text = asked("special", player, client)
    offered = {action["order"] for action in rebuild(match).legal_actions()}
    for order, words in (("pin", "pin an opponent"), ("charge", "charge"), ("death_from_above", "strike from above")):
        told = text[text.index("It can ") : text.index(" now, or pass")]
        assert (words in told) == (order in offered)
