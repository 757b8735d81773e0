"""Advice on the page of play: against the AI alone, thought out once a step, taken over without being played."""

from __future__ import annotations

import random
import re
from collections.abc import Callable
from html import unescape
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from matches.account_exit import leave as leave_room
from matches.host import Surroundings
from matches.models import AskedAdvice, Match
from matches.selectors.matches import find_match, rebuild
from matches.services import advice
from matches.services.answering import Seat
from matches.services.matches import create_match, play_action
from people.models import User
from people.services.accounts import Limit, TooOften
from people.services.kept import own_data
from rules.bots.advice.advising import Advice, Advised
from rules.bots.advice.reason import Reason
from rules.bots.budget import Overran
from rules.competition.observation import Observation
from rules.core.refusals import Refused
from tests.architecture.pseudo_locale import speak_pseudo, untranslated
from tests.matches.playing import KINDS, Page, address_of, match_at, read

from .conftest import SEED

pytestmark = pytest.mark.database

MOST_QUERIES = 15
BUTTON = "What would a good player do here?"
WEIGHED = ("combat", "react")
"""Decisions at which the best adviser is asked, with its chances; at the others the quickest one is."""
HEADING = "What a good player would do here"


@pytest.fixture
def against_the_ai(setup_document: dict[str, Any], player: User) -> Match:
    return create_match(setup_document, SEED, None, [Seat("red", player.pk), Seat("blue", bot="greedy")])


@pytest.fixture
def mine(client: Client, player: User) -> Client:
    client.force_login(player)
    return client


def ask(client: Client, match: Match, address: str = "") -> Any:
    """Press the button on the page as it is."""
    text = read(client, address or address_of(match))
    form = re.search(r'<form\s+method="post"\s+action="([^"]*)">(?:(?!</form>).)*name="advice"', text, re.S)
    seen = re.search(r'name="seen"\s+value="(\w+)"', text)
    assert form is not None
    assert seen is not None
    return client.post(unescape(form[1]), {"advice": "ask", "seen": seen[1]})


def panel(text: str) -> str:
    return text.split('id="advice"')[1].split("</section>")[0]


def links(text: str) -> list[str]:
    return [unescape(found) for found in re.findall(r'<a\s+class="button"\s+href="(\?[^"]*)"\s+data-step', panel(text))]


# --- the page -----------------------------------------------------------------------------------------------------


def test_the_button_leads_to_advice_that_stays_until_the_match_goes_on(mine: Client, against_the_ai: Match) -> None:
    assert BUTTON in read(mine, address_of(against_the_ai))
    answer = ask(mine, against_the_ai)
    assert (answer.status_code, answer["Location"]) == (302, f"{address_of(against_the_ai)}#advice")
    text = read(mine, address_of(against_the_ai))
    assert HEADING in text
    assert BUTTON not in text
    assert "<li>" in panel(text)
    assert HEADING in read(mine, address_of(against_the_ai)), "a reload shows it again"
    engine = rebuild(against_the_ai)
    assert engine.decision is not None
    play_action(against_the_ai.pk, "red", against_the_ai.last_sequence, engine.sample_action(random.Random(1)))
    assert HEADING not in read(mine, address_of(against_the_ai))


def test_what_is_chosen_already_stays_chosen(mine: Client, player: User) -> None:
    match = match_at("combat", lambda side: Seat(side, player.pk) if side == "red" else Seat(side, bot="greedy"))
    if rebuild(match).decision is None or rebuild(match).decision.side != "red":  # type: ignore[union-attr]
        match = _mine_at("combat", player)
    address = f"{address_of(match)}?order=pass"
    assert ask(mine, match, address)["Location"].startswith(address)


def _mine_at(kind: str, player: User) -> Match:
    """A match at a decision of this kind which is the player's, all others being bots'."""
    match = match_at(kind, lambda side: Seat(side, bot="greedy"))
    decision = rebuild(match).decision
    assert decision is not None
    match.seats.filter(side=decision.side).update(bot="", user=player)
    return match


@pytest.mark.parametrize("kind", KINDS)
def test_do_this_takes_the_answer_over_into_the_form_and_plays_nothing(
    kind: str, mine: Client, player: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    if kind not in WEIGHED:
        monkeypatch.setattr(advice, "ADVISERS", (advice.RESERVE,))
    match = _mine_at(kind, player)
    before = match.last_sequence
    assert ask(mine, match).status_code == 302
    (stored,) = AskedAdvice.objects.values_list("document", flat=True)
    with monkeypatch.context() as spoken:
        speak_pseudo(spoken)
        text = read(mine, address_of(match))
    assert untranslated(text) == []
    first, *_ = links(text)
    fields = Page(read(mine, address_of(match) + first)).fields
    assert fields is not None, "nothing is left to be chosen"
    match.refresh_from_db()
    assert match.last_sequence == before
    assert mine.post(address_of(match), fields).status_code == 302
    played = list(match.actions.filter(sequence=before + 1).values_list("action", flat=True))
    assert [_without_way(each) for each in played] == [_without_way(stored["options"][0]["action"])]


def _without_way(action: dict[str, Any]) -> dict[str, Any]:
    """An action but for the hexes on its way: there can be several ways to the same end."""
    return {**action, "path": action["path"][-1:]} if action.get("path") else action


def test_the_chance_of_a_bot_that_weighs_and_three_others_are_shown(
    mine: Client, against_the_ai: Match, monkeypatch: pytest.MonkeyPatch
) -> None:
    engine = rebuild(against_the_ai)
    actions = engine.legal_actions()[:4]
    options = tuple(
        Advised(action, 0.61 - 0.1 * number, (Reason("starts_from_middle", {"distance": number + 2}),))
        for number, action in enumerate(actions)
    )
    monkeypatch.setattr(advice, "advise", lambda *_: Advice("strong", options))
    ask(mine, against_the_ai)
    text = panel(read(mine, address_of(against_the_ai)))
    assert [int(found) for found in re.findall(r"(\d+) % to win", text)] == [61, 51, 41, 31]
    assert "3 other answers" in text
    assert "Hexes from its start to the middle of the arena: 2." in text


def test_the_doubt_of_a_chance_is_shown_beside_it(
    mine: Client, against_the_ai: Match, monkeypatch: pytest.MonkeyPatch
) -> None:
    one, other = rebuild(against_the_ai).legal_actions()[:2]
    options = (Advised(one, 0.6123, (), 0.04), Advised(other, 0.35, (), None))
    monkeypatch.setattr(advice, "advise", lambda *_: Advice("strong", options))
    ask(mine, against_the_ai)
    text = panel(read(mine, address_of(against_the_ai)))
    assert "61 % ± 4 to win" in text
    assert "35 % to win" in text
    assert "19 times in 20 the true chance lies within the ±." in text
    assert "<ul" not in text, "where there are no reasons there is no list of them"


def test_what_is_thought_depends_on_what_is_seen_and_on_nothing_else(
    player: User, against_the_ai: Match, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A rival who was asked for a rally card and kept it makes one more step, which nobody may tell from the advice."""
    seeds = []

    def note(observed: Observation, seed: str, bot: str) -> Advice:
        seeds.append(seed)
        return Advice("strong", (Advised(engine.legal_actions()[0], 0.5, ()),))

    monkeypatch.setattr(advice, "advise", note)
    match = find_match(against_the_ai.public_id)
    engine = rebuild(match)
    for sequence in (match.last_sequence, match.last_sequence + 1):
        match.last_sequence = sequence
        advice.ask(match, engine, ("red",), Surroundings(), player)
    match.last_sequence += 1
    engine.play(engine.sample_action(random.Random(1)))
    while engine.decision is not None and engine.decision.side != "red":
        engine.play(engine.sample_action(random.Random(1)))
    advice.ask(match, engine, ("red",), Surroundings(), player)
    first, second, after = seeds
    assert first == second != after


def test_a_late_press_changes_nothing(mine: Client, against_the_ai: Match) -> None:
    text = read(mine, address_of(against_the_ai))
    seen = re.search(r'name="seen"\s+value="(\w+)"', text)
    assert seen is not None
    engine = rebuild(against_the_ai)
    play_action(against_the_ai.pk, "red", against_the_ai.last_sequence, engine.sample_action(random.Random(1)))
    assert mine.post(address_of(against_the_ai), {"advice": "ask", "seen": seen[1]}).status_code == 409
    assert not AskedAdvice.objects.exists()


def test_the_page_stays_within_its_queries(mine: Client, against_the_ai: Match) -> None:
    ask(mine, against_the_ai)
    read(mine, address_of(against_the_ai))
    with CaptureQueriesContext(connection) as queries:
        read(mine, address_of(against_the_ai))
    assert len(queries) <= MOST_QUERIES


# --- who may ask --------------------------------------------------------------------------------------------------


def refused(match: Match, sides: tuple[str, ...], surroundings: Surroundings | None = None) -> str:
    found = find_match(match.public_id)
    with pytest.raises(Refused) as caught:
        advice.require_may_ask(found, sides, surroundings or Surroundings())
    return caught.value.code


def test_against_a_person_there_is_none(mine: Client, waiting: Match) -> None:
    assert 'id="advice"' not in read(mine, address_of(waiting))
    assert refused(waiting, ("red",)) == "advice_against_people"
    seen = re.search(r'name="seen"\s+value="(\w+)"', read(mine, address_of(waiting)))
    answer = mine.post(address_of(waiting), {"advice": "ask", "seen": seen[1] if seen else ""})
    assert answer.status_code == 409
    assert not AskedAdvice.objects.exists()


def test_where_one_plays_both_sides_there_is_none(player: User, setup_document: dict[str, Any]) -> None:
    both = create_match(setup_document, SEED, None, [Seat("red", player.pk), Seat("blue", player.pk)])
    assert refused(both, ("red", "blue")) == "advice_against_people"


def test_while_a_seat_is_free_there_is_none(player: User, setup_document: dict[str, Any]) -> None:
    free = create_match(setup_document, SEED, None, [Seat("red", player.pk), Seat("blue")])
    assert refused(free, ("red",)) == "seat_open"


def test_who_watches_gets_none(client: Client, against_the_ai: Match) -> None:
    stranger = User.objects.create_user("stranger", "stranger@example.org", "secret words")
    client.force_login(stranger)
    assert client.post(address_of(against_the_ai), {"advice": "ask", "seen": "x"}).status_code == 403
    assert HEADING not in client.get(against_the_ai.get_absolute_url()).content.decode()
    assert refused(against_the_ai, ()) == "advice_against_people"


def test_a_stable_of_a_person_for_whom_the_ai_stands_in_counts_as_a_person(against_the_ai: Match) -> None:
    assert advice.may_ask(find_match(against_the_ai.public_id), ("red",), Surroundings(people=frozenset({"red"})))
    surroundings = Surroundings(people=frozenset({"red", "blue"}))
    assert refused(against_the_ai, ("red",), surroundings) == "advice_against_people"


def test_a_finished_match_has_none(finished: Match) -> None:
    assert refused(finished, ("red",)) == "match_over"


# --- once a step, not too often, and nobody else's business ---------------------------------------------------------


def asked(match: Match, user: User) -> Advice:
    found = find_match(match.public_id)
    return advice.ask(found, rebuild(found), ("red",), Surroundings(), user)


def test_it_is_thought_out_once_a_step(against_the_ai: Match, player: User, monkeypatch: pytest.MonkeyPatch) -> None:
    first = asked(against_the_ai, player)
    monkeypatch.setattr(advice, "advise", lambda *_: pytest.fail("thought out again"))
    assert asked(against_the_ai, player) == first
    assert AskedAdvice.objects.count() == 1


def test_who_asks_all_the_time_has_to_wait(
    mine: Client, against_the_ai: Match, player: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(advice, "ADVICE_OF_A_PERSON", Limit("match_advice", 1))
    asked(against_the_ai, player)
    asked(against_the_ai, player)  # nothing to think out, nothing to count
    engine = rebuild(against_the_ai)
    play_action(against_the_ai.pk, "red", against_the_ai.last_sequence, engine.sample_action(random.Random(1)))
    with pytest.raises(TooOften):
        asked(against_the_ai, player)
    answer = ask(mine, against_the_ai)
    assert answer.status_code == 429
    assert "too often" in answer.content.decode()
    assert BUTTON in answer.content.decode(), "the page goes on"


def test_an_adviser_that_fails_is_reported_and_replaced(
    against_the_ai: Match, player: User, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    real = advice.advise

    def failing(observation: Any, seed: str, bot: str = "") -> Advice:
        if not bot:
            raise ZeroDivisionError
        return real(observation, seed, bot)

    monkeypatch.setattr(advice, "advise", failing)
    assert asked(against_the_ai, player).bot == advice.RESERVE
    assert "the adviser of choice failed" in caplog.text


def failing_all(*_: Any) -> Advice:
    raise ZeroDivisionError


def overrunning_all(*_: Any) -> Advice:
    raise Overran


@pytest.mark.parametrize("adviser", [failing_all, overrunning_all])
def test_where_the_reserve_fails_too_the_page_goes_on_without_advice(
    mine: Client,
    against_the_ai: Match,
    player: User,
    monkeypatch: pytest.MonkeyPatch,
    adviser: Callable[..., Advice],
) -> None:
    monkeypatch.setattr(advice, "advise", adviser)
    with pytest.raises(Refused) as caught:
        asked(against_the_ai, player)
    assert caught.value.code == "no_advice"
    assert not AskedAdvice.objects.exists()
    answer = ask(mine, against_the_ai)
    assert answer.status_code == 409
    assert "The adviser found no answer this time." in answer.content.decode()
    assert BUTTON in answer.content.decode(), "the page goes on"


def test_the_secret_seed_and_the_dice_do_not_reach_the_adviser(
    setup_document: dict[str, Any], player: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two matches of other seeds whose observation is the same get the same advice."""
    handed_over = []
    monkeypatch.setattr(
        advice, "advise", lambda observed, seed, *_: handed_over.append((observed, seed)) or Advice("greedy", ())
    )
    match = create_match(setup_document, SEED, None, [Seat("red", player.pk), Seat("blue", bot="greedy")])
    asked(match, player)
    ((observed, seed),) = handed_over
    assert observed.side == "red"
    assert SEED.hex() not in seed
    assert SEED.decode() not in seed


def test_the_note_is_the_players_alone(mine: Client, against_the_ai: Match, player: User) -> None:
    asked(against_the_ai, player)
    text = read(mine, address_of(against_the_ai))
    assert "You had advice at 1 decision of this match; nobody else sees that." in text
    public = Client().get(against_the_ai.get_absolute_url()).content.decode().lower()
    assert "advice" not in public
    (note,) = own_data(player)["matches"]["advice"]
    assert (note["match"], note["side"]) == (str(against_the_ai.public_id), "red")
    leave_room(player, delete_texts=False)
    assert not AskedAdvice.objects.exists()
