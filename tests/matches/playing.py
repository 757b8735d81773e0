"""Help for tests of the page on which people play: reading it, answering through it, matches at a certain decision."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Callable
from functools import cache
from html import unescape
from html.parser import HTMLParser
from typing import Any

from django.http import HttpResponse
from django.test import Client
from django.urls import reverse

from matches.models import Match, MatchAction
from matches.services.answering import Seat
from matches.services.beginning.friendly import Wishes, friendly_setup
from matches.services.matches import create_match
from people.models import User
from rules.catalogue import load_builtin
from rules.competition.match import Match as EngineMatch
from rules.competition.setups import read_setup
from rules.core.dice import SeededDice
from rules.measuring.self_play import random_setup
from tests.rules.dealing import dealt

SEED = b"a seed of 32 bytes, for playing."

KINDS = {
    "active": "tag_team", "answering": "team", "cancel": "cards", "combat": "cards", "flag_drop": "capture_the_flag",
    "forced_drop": "capture_the_flag", "free_spin": "cards", "initiative": "cards", "move": "cards", "rally": "cards",
    "react": "team", "repair": "repair", "reroll": "cards", "restart": "cards", "revive": "cards", "source": "cards",
    "special": "cards", "spin": "cards", "split": "capture_the_flag", "start": "cards", "tag": "tag_team",
    "token": "cards", "corner": "cards",
}  # fmt: skip
"""Every kind of decision that the page tells apart, with the sort of match in which to look for one."""


class Page(HTMLParser):
    """The fields of the form that plays the answer, before the `mark`; None while something is open."""

    def __init__(self, text: str, mark: str = ' id="commit"') -> None:
        super().__init__()
        self.fields: dict[str, str] | None = None
        before, button, _ = text.partition(mark)
        if button:
            self.fields = {}
            # To parse the whole page takes longer than to make it.
            self.feed(before[before.rindex("<form") :])

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        found = dict(attrs)
        if tag == "input" and found.get("name") and self.fields is not None:
            self.fields[str(found["name"])] = str(found.get("value", ""))


def address_of(match: Match) -> str:
    return reverse("matches:play", args=[match.public_id])


def read(client: Client, address: str) -> str:
    """The page at an address; where the screen must be handed over before, it is."""
    answer = client.get(address)
    assert answer.status_code == 200
    text = str(answer.content.decode())
    if handed := re.search(r'name="take" value="(\w+)"', text):
        assert client.post(address.split("?")[0], {"take": handed[1]}).status_code == 302
        return read(client, address)
    return text


def leave(client: Client, match: Match, order: str, **fields: str) -> HttpResponse:
    """Press a button under "End the match early" on the page as it is; `fields` stand in for what the form says."""
    version = re.search(r'data-version="(\w+)"', read(client, address_of(match)))
    assert version is not None
    return client.post(address_of(match), {"leave": order, "seen": version[1], **fields})


def open_links(text: str) -> list[str]:
    """The links of the open question; on a page with a preview, those of the first thing that can be adjusted."""
    question = re.search(r'<div class="question question-(.*?)</div>', text, re.S)
    found = re.findall(r'href="(\?[^"]*)"', question[1]) if question else []
    return [unescape(each) for each in found]


PRESS = re.compile(r'<button type="submit" name="(\w+)" value="([^"]*)"\s*><span')
"""A button that plays an answer by one press."""


def presses(text: str) -> list[dict[str, str]]:
    """What the form sends with each button that plays an answer by one press."""
    found = []
    for press in PRESS.finditer(text):
        fields = Page(text, press[0]).fields or {}
        sent = {key: word for key, word in fields.items() if key != "always"}
        found.append({**sent, press[1]: unescape(press[2])})
    return found


def filled_form(client: Client, match: Match, rng: random.Random, start: str = "") -> dict[str, str]:
    """Follow links at random until there is a form, perhaps adjust something; the form's fields."""
    address = address_of(match)
    text = read(client, address + start)
    for _ in range(12):
        fields, links = Page(text).fields, open_links(text)
        if fields is not None and (not links or rng.random() < 0.7):
            return fields
        if (buttons := presses(text)) and (not links or rng.random() < 0.7):
            return rng.choice(buttons)
        assert links, "a question without options"
        text = read(client, address + rng.choice(links))
    fields = Page(text).fields
    assert fields is not None, "questions without end"
    return fields


def answer_once(client: Client, match: Match, rng: random.Random) -> None:
    """Answer the open decision through links and the form."""
    answer = client.post(address_of(match), filled_form(client, match, rng))
    assert (answer.status_code, answer["Location"]) == (302, address_of(match))


def hot_seat(format_key: str, player: User, seed: int) -> Match:
    """A friendly match of which one person plays every side."""
    setup = friendly_setup(load_builtin(), Wishes(format=format_key), random.Random(seed))
    return create_match(setup, SEED, None, [Seat(side["id"], player.pk) for side in setup["sides"]])


def near_its_end(match: Match, player: User, answers: int) -> Match:
    """A stored match with the setup of another one, played at random but for its last `answers` answers."""
    whole = play_at_random(match.setup)
    engine = EngineMatch.replay(read_setup(match.setup), SeededDice(SEED), whole.actions[:-answers])
    return store(match.setup, SEED, engine, [Seat(side["id"], player.pk) for side in match.setup["sides"]])


def play_at_random(setup: dict[str, Any]) -> EngineMatch:
    """A match played to its end, each answer drawn."""
    engine, rng = EngineMatch.start(read_setup(setup), SeededDice(SEED)), random.Random(1)
    while engine.decision is not None:
        engine.play(engine.sample_action(rng))
    return engine


def name_of(engine: EngineMatch) -> str:
    """The open decision by the name in KINDS."""
    assert engine.decision is not None
    kind, why = engine.decision.kind, engine.decision.why
    if kind == "token" and why["place"] == "corner":
        return "corner"
    if kind == "flag_drop" and why["forced"]:
        return "forced_drop"
    if kind == "free_spin" and "mover" not in why:
        return "spin"
    orders = set(engine.snapshot()["units"][engine.decision.unit]["orders"])
    return "answering" if kind == "combat" and orders & {"dig_in", "defend"} else kind


def setup_of(sort: str, number: int) -> dict[str, Any]:
    if sort == "cards":
        return dealt(number).to_json()
    setup = random_setup(load_builtin(), random.Random(number), "team" if sort == "repair" else sort, 2).to_json()
    if sort == "repair":
        mender = next(
            unit for unit in load_builtin().units.values() if '"attack": "repair"' in json.dumps(unit["dial"])
        )
        for side in setup["sides"]:
            for loadout in side["units"]:
                loadout |= {"unit": mender, "pilot": None, "clicks": 2}
    return setup


def mends(engine: EngineMatch) -> dict[str, Any] | None:
    """A close attack on a friend, if there is one."""
    decision = engine.decision
    assert decision is not None
    if decision.kind != "combat":
        return None
    friends = {unit for unit, state in engine.snapshot()["units"].items() if state["side"] == decision.side}
    return next((each for each in engine.legal_actions() if set(each.get("targets", ())) & friends), None)


def match_at(kind: str, sit: Callable[[str], Seat]) -> Match:
    """A stored match whose open decision is of this kind; `sit` gives a side its seat."""
    setup, seed, engine = engine_at(kind)
    return store(setup, seed, engine, [sit(side["id"]) for side in setup["sides"]])


@cache
def engine_at(kind: str) -> tuple[dict[str, Any], bytes, EngineMatch]:
    """A setup, a seed and a match that stands at a decision of this kind, found by playing at random; only for
    reading."""
    sort = KINDS[kind]
    for number in range(40):
        setup, seed = setup_of(sort, number), f"seed {number}".encode().ljust(32)
        engine = EngineMatch.start(read_setup(setup), SeededDice(seed))
        rng = random.Random(number)
        while engine.decision is not None and len(engine.actions) < 250:
            if name_of(engine) == kind and len(engine.legal_actions()) > 1:
                return setup, seed, engine
            engine.play((sort == "repair" and mends(engine)) or engine.sample_action(rng))
    raise AssertionError(f"no {kind}")


def store(setup: dict[str, Any], seed: bytes, engine: EngineMatch, seats: list[Seat]) -> Match:
    """A match as it stands in the engine, with nobody having answered for anybody."""
    match = create_match(setup, seed)
    for seat in seats:
        match.seats.create(side=seat.side, user_id=seat.user_id, bot=seat.bot)
    MatchAction.objects.bulk_create(
        MatchAction(match=match, sequence=number, action=action, events=engine.events[number])
        for number, action in enumerate(engine.actions, start=1)
    )
    match.last_sequence, match.state = len(engine.actions), Match.State.PLAYING
    match.save()
    return match
