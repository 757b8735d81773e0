"""The ruler and the threat on the page of play, and its log: whose lines they are, by round."""

from __future__ import annotations

import random
import re
from html import unescape

import pytest
from django.template.loader import render_to_string
from django.test import Client
from django.utils.html import strip_tags

from matches.models import Match
from matches.presenters.match import event_views
from matches.presenters.play import play_page
from matches.selectors.matches import find_match, rebuild
from matches.services.answering import Seat
from people.models import User
from rules.competition.measures import measure, threatened
from tests.rules.board import Dropped, duel

from .playing import address_of, answer_once, match_at, read

pytestmark = pytest.mark.django_db


@pytest.fixture
def player(client: Client) -> User:
    user = User.objects.create_user("player", "player@example.org", "secret words")
    client.force_login(user)
    return user


@pytest.fixture
def match(player: User) -> Match:
    return match_at("combat", lambda side: Seat(side, player.pk))


def said(text: str) -> str:
    """What the ruler says, as a reader reads it."""
    found = re.search(r'<div id="ruler".*?</div>', text, re.S)
    assert found is not None
    return re.sub(r"\s+", " ", unescape(strip_tags(found[0]))).strip()


def test_two_hexes_are_measured_without_a_script(client: Client, match: Match) -> None:
    text = read(client, f"{address_of(match)}?ruler_from=0101&ruler_to=0103")
    assert "0101 – 0103: range 2 hexsides R-LOF-06" in said(text)
    assert 'class="fire"' in text
    assert "arc of a ’Mech and the reach of its weapons are not looked at" in said(text)


def measured(hexes: dict[str, str], start: str, end: str) -> str:
    """What the ruler says in an arena with these hexes, far from all units."""
    away = {"red": {"hex": "1114"}, "blue": {"hex": "1115"}}
    match = Dropped(duel(arena={"id": "tried", "hexes": hexes}, **away), 1).match
    context = {"measuring": {"end": end, "found": measure(match, start, end)}}
    return said(render_to_string("matches/play_measure.html", context))


def test_r_lof_14_both_ends_elevated_are_named_as_the_reason_that_nothing_blocks() -> None:
    wall = dict.fromkeys(["0504", "0505", "0605", "0705", "0704"], "blocking")
    up = {"0603": "clear+elevated", "0607": "clear+elevated"}
    words = "Both ends are elevated, so blocking terrain does not block. R-LOF-14"
    assert words in (text := measured({**wall, **up}, "0603", "0607"))
    assert "A line of fire is open." in text
    assert words not in measured(wall, "0603", "0607")


def test_r_lof_18_the_rim_is_named_as_the_reason_where_a_way_beyond_it_would_be_open() -> None:
    wall, words = {"0401": "blocking", "0402": "blocking"}, "Ways beyond the rim of the map do not count. R-LOF-18"
    assert words in (text := measured(wall, "0101", "0701"))
    assert "Blocked by terrain." in text
    assert words not in measured({"0407": "blocking", "0408": "blocking", "0406": "blocking"}, "0107", "0707")


def test_a_hex_that_is_not_there_is_named_and_the_page_stays(client: Client, match: Match) -> None:
    text = read(client, f"{address_of(match)}?ruler_from=0101&ruler_to=9999")
    assert "The arena has no hex called 9999." in said(text)
    assert "asked-heading" in text


def test_to_measure_keeps_what_is_chosen(client: Client, match: Match) -> None:
    link = re.search(r'href="\?([^"]*order=[^"]*)" data-step', read(client, address_of(match)))
    assert link is not None
    text = read(client, f"{address_of(match)}?{unescape(link[1])}&ruler_from=0101&ruler_to=0103")
    fields = re.search(r'<form method="get".*?</form>', text, re.S)
    assert fields is not None
    assert 'type="hidden" name="order"' in fields[0]
    assert "Take back:" in text


def test_the_hexes_in_which_the_unit_could_be_attacked_are_marked_when_asked_for(client: Client, match: Match) -> None:
    engine = rebuild(find_match(match.public_id))
    assert engine.decision is not None
    marked = threatened(engine, engine.decision.unit)
    assert '<g class="threat"' not in read(client, address_of(match))
    text = read(client, f"{address_of(match)}?threat=now")
    layer = re.search(r'<g class="threat".*?</g>', text, re.S)
    assert (layer[0].count("<polygon") if layer else 0) == len(marked)
    assert all(code in text for code in marked)


def test_the_log_says_by_round_whose_line_it_is(client: Client, match: Match) -> None:
    rng = random.Random(4)
    for _ in range(4):
        answer_once(client, match, rng)
    text = read(client, address_of(match))
    section = re.search(r'<section aria-labelledby="since-heading">.*?</section>', text, re.S)
    assert section is not None
    assert re.findall(r"<h4>\s*(Round \d+)\s*</h4>", section[0])
    lines = re.findall(r'<li class="event-.*?</li>', section[0], re.S)
    assert any('class="side-mark' in line for line in lines)


def test_every_line_has_its_round_and_the_side_of_its_unit(match: Match) -> None:
    stored = find_match(match.public_id)
    engine = rebuild(stored)
    page = play_page(stored, engine, tuple(side["id"] for side in stored.setup["sides"]), {})
    sides = {view.key: view for view in page.sides}
    owners = {unit: sides[state["side"]] for unit, state in engine.snapshot()["units"].items()}
    events = [event for batch in engine.events for event in batch]
    lines = list(event_views(events, {}, None, owners))
    rounds = [line.round for line in lines]
    assert rounds == sorted(rounds)
    assert rounds[-1] == engine.snapshot()["round"]
    moved = [event["unit"] for event in events if event["event"] == "moved"]
    assert [line.side for line in lines if line.kind == "moved"] == [owners[unit] for unit in moved]


def test_r_end_05_what_a_kill_brings_stands_on_the_line_of_the_side_that_gains_it(match: Match) -> None:
    stored = find_match(match.public_id)
    page = play_page(stored, rebuild(stored), tuple(side["id"] for side in stored.setup["sides"]), {})
    winner, loser = page.sides
    kill = {"event": "kill", "side": winner.key, "unit": "fallen", "by": "first", "reputation": 70}
    (line,) = event_views([kill], {}, None, {"fallen": loser, "first": winner, winner.key: winner, loser.key: loser})
    assert line.side == winner


def test_nothing_is_played_while_an_answer_is_being_chosen(match: Match) -> None:
    stored = find_match(match.public_id)
    engine, sides = rebuild(stored), tuple(side["id"] for side in stored.setup["sides"])
    assert play_page(stored, engine, sides, {}).playback is not None
    assert play_page(stored, engine, sides, {"order": "pass"}).playback is None
