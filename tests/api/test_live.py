"""The live stream: the same for the page and for programs, and nothing in it that its reader may not see."""

from __future__ import annotations

import json
import random
from typing import Any

import pytest
from django.core.cache import cache
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from matches.models import Match, MatchAction
from matches.presenters import live
from matches.presenters.live import news
from matches.presenters.match import event_views
from matches.selectors.matches import find_match, rebuild, sides_of
from matches.selectors.sides import names_in
from matches.services.answering import Seat
from matches.services.matches import create_match, play_action, resolve_with_bots
from rules.competition.match import Match as EngineMatch
from tests.matches.playing import match_at
from tests.rules.dealing import dealt
from tests.web.roles.world import World

pytestmark = [pytest.mark.django_db, pytest.mark.database]


@pytest.fixture(autouse=True)
def _forgetful() -> None:
    """What is remembered of a step belongs to the test before, which was taken back."""
    cache.clear()


SEED = b"a seed of 32 bytes, for streams."
WATCHERS = ("anonymous", "spectator", "organiser", "staff", "rival")
"""Everybody but the player; the rival is asked where the player decides."""

Reads = dict[str, str]


@pytest.fixture
def holding(world: World, api: Any) -> Match:
    """A match of a season in which both sides hold rally cards; the player is red, the rival blue."""
    people = [world.people["player"], world.people["rival"]]
    setup = dealt(3).to_json()
    seats = [Seat(side["id"], person.pk) for side, person in zip(setup["sides"], people, strict=True)]
    made = create_match(setup, SEED, f"fixture:{world.fixtures['running'].pk}", seats)
    assert all(loadout["hand"] for side in setup["sides"] for loadout in side["units"][:1])
    return made


def asked(match: Match) -> tuple[EngineMatch, Any]:
    match.refresh_from_db()
    engine = rebuild(match)
    return engine, engine.decision


def step(match: Match, rng: random.Random) -> bool:
    """Play any legal action; whether there was one."""
    engine, decision = asked(match)
    if decision is None:
        return False
    play_action(match.pk, decision.side, match.last_sequence, engine.sample_action(rng))
    return True


def address(match: Match, part: str = "live/") -> str:
    return f"matches/{match.public_id}/{part}"


# One stream for the page and for programs ----------------------------------------------------------------------------


def test_the_page_and_programs_hear_of_the_same(world: World, api: Any) -> None:
    match, rng = world.friendly, random.Random(4)
    page = f"{match.get_absolute_url()}play/changes/"
    cursor, version = "", ""
    heard = 0
    for _ in range(25):
        for name in ("player", "rival"):
            answer = api(name, "get", address(match), {"after": cursor} if cursor and name == "player" else {})
            changed = world.clients[name].get(page, {"version": version if name == "player" else ""})
            assert answer.status_code == changed.status_code
            if name == "player" and answer.status_code == 200:
                heard += 1
                cursor, version = answer.json()["cursor"], changed.json()["version"]
                assert cursor.endswith(f".{version}")
        assert api("player", "get", address(match), {"after": cursor}).status_code == 204
        assert world.clients["player"].get(page, {"version": version}).status_code == 204
        step(match, rng)
    assert heard > 20


def test_what_is_new_comes_once_and_in_the_words_of_the_pages(world: World, api: Any) -> None:
    match, rng, cursor = world.friendly, random.Random(4), ""
    heard: list[Any] = []
    for _ in range(30):
        answer = api("spectator", "get", address(match), {"after": cursor} if cursor else {})
        if answer.status_code == 200:
            document = answer.json()
            heard += document["events"]
            cursor = document["cursor"]
            assert document["waiting_for"] == asked(match)[1].side
            assert not document["waits_for_me"]
        step(match, rng)
    heard += api("spectator", "get", address(match), {"after": cursor}).json()["events"]
    engine, _ = asked(match)
    events = [event for batch in engine.events for event in batch]
    assert [each["facts"] for each in heard] == events
    assert [each["number"] for each in heard] == list(range(1, len(events) + 1))
    on_pages = [line.sentence for line in event_views(events, names_in(match.setup)) if line.sentence]
    said = {each["sentence"] for each in heard}
    assert len(on_pages) > 10
    assert set(on_pages) <= said
    listed = api("spectator", "get", address(match, "events/"), {"limit": 500}).json()
    assert [{**each, "explanation": None} for each in listed["results"]] == [
        {**each, "explanation": None} for each in heard
    ]


def test_attacks_come_with_their_arithmetic(world: World, api: Any) -> None:
    events: list[Any] = []
    while (
        len(events) == len(set(range(len(events))))
        and (
            page := api(
                "anonymous", "get", address(world.finished, "events/"), {"after": len(events), "limit": 500}
            ).json()
        )["results"]
    ):
        events += page["results"]
    attacks = [each for each in events if each["event"] == "attack_resolved"]
    assert attacks
    for attack in attacks:
        why = attack["explanation"]
        assert (len(why["dice"]), why["roll"]) == (len(attack["facts"]["why"]["dice"]), attack["facts"]["why"]["roll"])
        for target in why["targets"]:
            printed, terms = target["printed_defense"], target["defense_terms"]
            assert target["name"]
            assert isinstance(printed, int)
            assert all(term["name"] and term["amount"] for term in terms)
    assert all(each["explanation"] is None for each in events if each["event"] != "attack_resolved")


def test_a_long_stream_comes_in_parts(world: World, api: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(live, "MOST_AT_ONCE", 7)
    count = api("spectator", "get", address(world.finished, "events/")).json()["count"]
    cursor, numbers = "", []
    for _ in range(count):
        answer = api("spectator", "get", address(world.finished), {"after": cursor} if cursor else {})
        if answer.status_code == 204:
            break
        document = answer.json()
        assert len(document["events"]) <= 7
        numbers += [each["number"] for each in document["events"]]
        assert document["more"] is (numbers[-1] < count)
        cursor = document["cursor"]
    assert numbers == list(range(1, count + 1))


@pytest.mark.parametrize("after", ["999999999.000000000000", "0.ffffffffffff"])
def test_a_cursor_of_nobody_is_answered_with_what_is_now(world: World, api: Any, after: str) -> None:
    document = api("spectator", "get", address(world.friendly), {"after": after}).json()
    now = api("spectator", "get", address(world.friendly)).json()
    assert bool(document["events"]) is after.startswith("0")
    assert document["cursor"].rpartition(".")[2] == now["cursor"].rpartition(".")[2]
    assert api("spectator", "get", address(world.friendly), {"after": now["cursor"]}).status_code == 204


@pytest.mark.parametrize(
    "after", ["x", "1", "1.", ".0123456789ab", "1.0123456789AB", "1.0123456789ab ", "-1.0123456789ab"]
)
def test_a_text_that_is_not_a_cursor_is_refused(world: World, api: Any, after: str) -> None:
    assert api("spectator", "get", address(world.friendly), {"after": after}).status_code == 400


# What may not be told ------------------------------------------------------------------------------------------------


def hidden_of(match: Match, engine: EngineMatch, side: str) -> set[str]:
    """Names of the cards in a side's hand that nobody has seen played; names of tokens tell nothing of hands."""
    played = {card for _, _, card, _ in engine.table.position.rallies}
    return {
        card["name"]
        for each in match.setup["sides"]
        if each["id"] == side
        for loadout in each["units"]
        for card in loadout["hand"]
        if card["id"] not in played
    }


def marked(match: Match) -> None:
    """Give every card and token of a match a name that stands nowhere else."""
    for side in match.setup["sides"]:
        cards = [card for loadout in side["units"] for card in loadout["hand"]]
        for kind, things in (("Hand", cards), ("Facedown", side["tokens"])):
            for number, thing in enumerate(things):
                thing["name"] = f"{kind} {side['id']} {number};"
    Match.objects.filter(pk=match.pk).update(setup=match.setup)


def face_down(match: Match, engine: EngineMatch) -> dict[str, str]:
    """The names of the tokens that nobody has turned up, with the side that brought them."""
    tokens = [(token["name"], side["id"]) for side in match.setup["sides"] for token in side["tokens"]]
    return {name: side for number, (name, side) in enumerate(tokens) if number in engine.table.position.pool}


@pytest.mark.parametrize("role", ["spectator", "rival"])
def test_hands_and_what_is_face_down_are_in_no_answer(world: World, api: Any, holding: Match, role: str) -> None:
    marked(holding)
    rng, own = random.Random(6), holding.setup["sides"][1]["id"] if role == "rival" else ""
    first = set(face_down(holding, asked(holding)[0]))
    for _ in range(30):
        engine, _ = asked(holding)
        text = "".join(
            api(role, "get", address(holding, part)).content.decode()
            for part in ("", "live/", "decision/", "legal-actions/", "observation/")
        )
        hidden = {name for side in holding.setup["sides"] if side["id"] != own
                  for name in hidden_of(holding, engine, side["id"])}  # fmt: skip
        hidden |= {name for name, side in face_down(holding, engine).items() if side != own}
        assert [name for name in hidden if name in text] == []
        if not step(holding, rng):
            break
    assert first - set(face_down(holding, asked(holding)[0])), "no token was ever turned up, so nothing was tried"
    mine = api("player", "get", address(holding, "observation/")).content.decode()
    assert f"Hand {holding.setup['sides'][0]['id']} 0;" in mine, "else the names would stand nowhere"


@pytest.fixture
def tempted(world: World, api: Any) -> tuple[Match, str]:
    """A match of a season in which the player is asked for a rally card, and the rival waits; the player's side."""
    match = match_at("rally", lambda side: Seat(side))
    Match.objects.filter(pk=match.pk).update(fixture_key=f"fixture:{world.fixtures['running'].pk}")
    side = asked(match)[1].side
    match.seats.filter(side=side).update(user=world.people["player"])
    match.seats.exclude(side=side).update(user=world.people["rival"])
    return match, side


PARTS = (
    "",
    "decision/",
    "legal-actions/",
    "observation/",
    "events/?limit=500",
    "live/",
    "standing/",
    "replay/",
    "verify/",
)


@pytest.mark.parametrize("role", WATCHERS)
def test_a_hidden_step_changes_nothing_that_others_read(
    world: World, api: Any, tempted: tuple[Match, str], role: str
) -> None:
    match, side = tempted
    cursor = api(role, "get", address(match)).json()["cursor"]
    own = api("player", "get", address(match)).json()["cursor"]
    before = [api(role, "get", address(match, part)).content for part in PARTS]
    decision = asked(match)[1]
    assert decision.kind == "rally"
    play_action(match.pk, side, match.last_sequence, {"unit": decision.unit, "choose": "rally", "card": None})
    following = asked(match)[1]
    assert (following.side, match.actions.get(sequence=match.last_sequence).events) == (side, [])
    for _ in range(2):  # at once, and when everything is remembered
        assert api(role, "get", address(match), {"after": cursor}).status_code == 204
        assert [api(role, "get", address(match, part)).content for part in PARTS] == before
    assert api("player", "get", address(match), {"after": own}).status_code == 200
    assert following.kind not in api(role, "get", address(match)).json()


@pytest.mark.parametrize("role", WATCHERS)
def test_what_a_rival_is_asked_is_not_shown(world: World, api: Any, tempted: tuple[Match, str], role: str) -> None:
    match, side = tempted
    document = api(role, "get", address(match)).json()
    assert set(document) == {"cursor", "more", "state", "waiting_for", "waits_for_me", "events"}
    assert (document["waiting_for"], document["waits_for_me"]) == (side, False)
    assert "rally" not in json.dumps({**document, "events": []})


def test_everybody_who_only_watches_reads_the_same(world: World, api: Any, holding: Match) -> None:
    rng = random.Random(1)
    for _ in range(12):
        step(holding, rng)
        for part in ("live/", "decision/", "legal-actions/", "observation/"):
            roles = ("anonymous", "spectator", "organiser", "staff")
            assert len({api(role, "get", address(holding, part)).content for role in roles}) == 1


def test_events_that_are_for_one_side_are_for_it_alone(world: World, holding: Match) -> None:
    match = find_match(holding.public_id)
    for see, sides, sees in (
        ("all", (), True),
        ("red", (), False),
        ("red", ("blue",), False),
        ("red", ("red",), True),
        ("red", ("red", "blue"), True),
    ):
        assert live.may_see({"event": "told", "see": see}, match, sides) is sees
    match.state = Match.State.FINISHED
    assert live.may_see({"event": "told", "see": "red"}, match, ())


def test_hidden_events_are_not_counted(world: World, holding: Match, monkeypatch: pytest.MonkeyPatch) -> None:
    match = find_match(holding.public_id)
    whole = live.count_of(match, ())
    is_hidden = [1, 3]
    seen: list[Any] = []

    def may_see(event: Any, match: Any, sides: Any) -> bool:
        seen.append(event)
        return len(seen) - 1 not in is_hidden

    monkeypatch.setattr(live, "may_see", may_see)
    found = news(match, (), "")
    assert found is not None
    assert [each.number for each in found.events] == list(range(1, whole - 1))
    assert found.cursor.startswith(f"{whole - 2}.")


@pytest.mark.parametrize(("cause", "others"), [("standing", ""), ("only", ""), ("time", "time"), ("given", "given")])
def test_why_a_step_was_not_a_persons_own_is_shown_as_on_the_pages(
    world: World, api: Any, cause: str, others: str
) -> None:
    match, rng = world.friendly, random.Random(8)
    while True:
        engine, decision = asked(match)
        action = engine.sample_action(rng)
        if engine.play(action) and decision.side == "red":
            break
        play_action(match.pk, decision.side, match.last_sequence, action)
    number = match.last_sequence + 1
    MatchAction.objects.create(
        match=match, sequence=number, side="red", action=action, events=engine.events[number], cause=cause
    )
    Match.objects.filter(pk=match.pk).update(last_sequence=number)
    for role, shown_cause in (("player", cause), ("rival", others), ("spectator", others)):
        events = api(role, "get", address(match, "events/"), {"limit": 500}).json()["results"]
        assert {each["answered"] for each in events} - {""} == {shown_cause} - {""}


# How much it takes ---------------------------------------------------------------------------------------------------


def test_asking_takes_few_queries_however_long_the_match_is(world: World, api: Any) -> None:
    match, rng, counts = world.friendly, random.Random(2), []
    for _ in range(3):
        for _ in range(8):
            assert step(match, rng)
        cursor = api("player", "get", address(match)).json()["cursor"]
        for query in ({"after": cursor}, {}):
            cache.clear()
            with CaptureQueriesContext(connection) as first:
                api("player", "get", address(match), query)
            with CaptureQueriesContext(connection) as again:
                api("player", "get", address(match), query)
            counts.append((len(first), len(again)))
    assert counts[:2] == counts[2:4] == counts[4:6]
    assert max(max(pair) for pair in counts) <= 12


def test_the_stream_says_when_the_match_is_over(world: World, api: Any) -> None:
    match = create_match(
        world.friendly.setup, SEED, None, [Seat("red", world.people["player"].pk), Seat("blue", bot="random")]
    )
    cursor = api("player", "get", address(match)).json()["cursor"]
    resolve_with_bots(match.pk, {"red": "random", "blue": "random"})
    document = api("player", "get", address(match), {"after": cursor}).json()
    assert (document["state"], document["waiting_for"], document["waits_for_me"]) == ("finished", None, False)
    assert document["events"]
    assert sides_of(find_match(match.public_id), world.people["player"]) == ("red",)


def test_who_may_not_watch_hears_nothing(world: World, api: Any, holding: Match) -> None:
    Match.objects.filter(pk=holding.pk).update(fixture_key=f"fixture:{world.fixtures['private'].pk}")
    for role, status in (("spectator", 404), ("anonymous", 404), ("organiser", 200), ("player", 200)):
        assert api(role, "get", address(holding)).status_code == status
    page = Client().get(f"{holding.get_absolute_url()}play/changes/")
    assert page.status_code == 404


def test_what_an_action_brings_beyond_one_answer_comes_with_the_next(
    world: World, api: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    match, rng = world.friendly, random.Random(4)
    while (decision := asked(match)[1]).kind != "move":
        step(match, rng)
    player = "player" if decision.side == "red" else "rival"
    monkeypatch.setattr(live, "MOST_AT_ONCE", 0)
    turn = api(player, "get", address(match, "legal-actions/")).json()
    body = {"seen": turn["seen"], "action": turn["legal_actions"][0]}
    cursor = api(player, "post", address(match, "actions/"), body).json()["cursor"]
    monkeypatch.undo()
    assert api(player, "get", address(match), {"after": cursor}).json()["events"]
