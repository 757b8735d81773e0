"""What others hold is nowhere in an observation: not in what leaves the house, not in an object that can be reached."""

import copy
import json
import random
from collections.abc import Mapping
from typing import Any

import pytest

from rules.competition.match import Match, determinise
from rules.competition.observation import Observation
from rules.competition.setups import read_setup
from rules.competition.units.rally import PLAY_RALLY
from rules.core.dice import SeededDice
from rules.scenario.playing import Scenario
from rules.solaris.cards import RallyCardDefinition
from rules.solaris.tokens import TokenDefinition
from tests.rules.board import CLICK, Json, decisions, duel, placed, token, unit
from tests.rules.dealing import card, dealt
from tests.rules.object_graph import difference, reachable

STEPS = 11
"""Every so many decisions an observation is looked through, and at each rally decision."""

ENOUGH = 30


def seed_of(number: int) -> bytes:
    return f"the seed of match {number:03}".encode()


def random_match(number: int) -> Match:
    """Three of four with two sides; of those every other with two stables a side."""
    sides, units = ((2, 2), (2, 5), (3, 6), (2, 6))[number % 4]
    return Match.start(dealt(number, sides, units, shared=number % 4 == 3), SeededDice(seed_of(number)))


def is_looked_at(match: Match, step: int) -> bool:
    return step % STEPS == 0 or (match.decision is not None and match.decision.kind == "rally")


def hidden_names(match: Match, viewer: str | None) -> tuple[set[str], set[str]]:
    """What `viewer` may not read anywhere, and what stands open: cards of the others' hands and faces of tokens."""
    roster, position = match.table.roster, match.table.position
    hidden, shown = set(), set()
    for side, setup in zip(roster.sides, roster.setup.sides, strict=True):
        for loadout in setup.units:
            own = {roster.unit_of[loadout.key], *roster.own_units[roster.unit_of[loadout.key]]}
            played = {name for _, who, name, _ in position.rallies if who in own}
            keys = {str(held["id"]) for held in loadout.hand}
            hidden |= set() if side == viewer else keys - played
            shown |= keys if side == viewer else keys & played
    for number, face in enumerate(roster.tokens):
        is_hidden = number in position.pool and roster.sides[roster.token_owner[number]] != viewer
        (hidden if is_hidden else shown).add(face.key)
    return hidden - shown, shown


def constants(match: Match) -> dict[int, Any]:
    """What a match shares with its observations and play never changes: units, ground, house rules."""
    roster = match.table.roster
    known: dict[int, Any] = {}
    for part in (roster.fighters, roster.arena, roster.format, roster.house_rules, roster.setup.arena):
        known.update((id(value), value) for value in reachable(part, known))
    return known


@pytest.mark.parametrize("number", range(4))
def test_r_tgt_03_q_153_nothing_hidden_can_be_reached_from_an_observation(number: int) -> None:
    """Hands, face-down tokens, dice to come, the seed, rally decisions; all six are where their owner may see them."""
    match = random_match(number)
    table, seed = match.table, seed_of(number)
    known = constants(match)
    looked = {"rally": 0, "other": 0}
    for step, now in enumerate(decisions(match, random.Random(number))):
        if not is_looked_at(now, step):
            continue
        assert table.open is not None
        looked["rally" if table.open[0] is PLAY_RALLY else "other"] += 1
        for viewer in (*table.roster.sides, None):
            observation = now.observe(viewer)
            hidden, shown = hidden_names(now, viewer)
            objects = list(reachable(observation, known))
            assert observation._table.position == table.position
            words = {value for value in objects if isinstance(value, str)}
            assert not hidden & words
            assert shown <= words
            text = json.dumps(observation.to_json())
            assert not [name for name in hidden if f'"{name}"' in text]
            assert not [value for value in objects if isinstance(value, SeededDice)]
            assert not [value for value in objects if value == seed or value == seed.hex()]
            cards = {id(value) for value in objects if isinstance(value, (RallyCardDefinition, TokenDefinition))}
            secret = [held for hand in table.roster.hands for held in hand.values() if held.key in hidden]
            secret_faces = [face for face in table.roster.tokens if face.key in hidden]
            assert not cards & {id(value) for value in (*secret, *secret_faces)}
            is_own = viewer == table.roster.sides[table.roster.side_of[table.open[1]]]
            if table.open[0] is PLAY_RALLY:
                assert any(value is PLAY_RALLY for value in objects) is is_own
                assert (observation.decision is not None) is is_own
    assert looked["other"]
    assert looked["rally"]


# --- worlds that look the same ----------------------------------------------------------------------------------


def useless(key: str) -> Json:
    return {**card(key), "requires": {"value": "attack", "below": 1, "state": "shutdown"}}


def other_world(match: Match, viewer: str | None, seed: bytes) -> Match:
    """The same match if the others held other cards, of no use to anybody, and other tokens, and had acted alike."""
    document = copy.deepcopy(match.setup.to_json())
    hidden, _ = hidden_names(match, viewer)
    roster = match.table.roster
    played = {(roster.owner_of[who], name) for _, who, name, _ in match.table.position.rallies}
    for side in document["sides"]:
        if side["id"] == viewer:
            continue
        for entry in side["units"]:
            owner = roster.owner_of[roster.unit_of[entry["id"]]]
            for place, held in enumerate(entry["hand"]):
                if (owner, held["id"]) not in played:
                    entry["hand"][place] = useless(f"other-{entry['id']}-{place}")
        for place, face in enumerate(side["tokens"]):
            if face["id"] in hidden:
                side["tokens"][place] = token(f"other-{side['id']}-{place}", defense=19, rp=2)
    twin = Match.start(read_setup(document), SeededDice(seed))
    for action in match.actions:
        _act(twin, action)
    return twin


def _act(match: Match, action: Mapping[str, Any]) -> None:
    """Play an action of a world in which more cards were of use: to keep them is nothing that is asked here."""
    decision = match.decision
    is_asked = decision is not None and (decision.kind, decision.unit) == ("rally", action["unit"])
    if is_asked or action.get("choose") != "rally":
        match.play(action)


def events_of(match: Match) -> list[Json]:
    return [event for batch in match.events for event in batch]


def waits_for(match: Match) -> str | None:
    return match.decision.side if match.decision is not None else None


@pytest.mark.parametrize("number", range(4, 8))
def test_r_ral_01_q_153_matches_that_differ_in_what_is_hidden_are_observed_alike(number: int) -> None:
    """Also while the others are asked for a card, and in another world for the order that follows."""
    match = random_match(number)
    seed = seed_of(number)
    compared, rallies = 0, 0
    for step, now in enumerate(decisions(match, random.Random(number))):
        if not is_looked_at(now, step):
            continue
        assert now.decision is not None
        viewers = [side for side in now.table.roster.sides if side != now.decision.side]
        for viewer in viewers[:1] if step % 2 else (viewers[0], None):
            other = other_world(now, viewer, seed)
            if now.decision.kind == "rally" and (
                events_of(other) != events_of(now) or waits_for(other) != now.decision.side
            ):
                continue  # what all can see differs: without a card to play nobody would have waited for this side
            one, two = now.observe(viewer), other.observe(viewer)
            assert difference(one, two) is None
            compared += 1
            rallies += now.decision.kind == "rally"
        if compared > ENOUGH:
            break
    assert compared > 10
    assert rallies


def phase(name: str, red: Mapping[str, Any] | None = None, **keys: Any) -> Json:
    """A duel in which red's unit may hold a card; both units have suffered one point."""
    hand = {"hands": {"red": {"a": [red]}}} if red else {}
    return duel(
        red={"clicks": 1}, blue={"clicks": 1}, **hand, start={"round": 1, "phase": name, "order": ["a", "b"]}, **keys
    )


def opened(document: Json) -> Match:
    """A scenario after its actions, at its decision."""
    scenario = Scenario(document)
    for action in document["actions"]:
        scenario.match.play(action)
    table = scenario.match.table
    table.pause_at = frozenset()
    table.advance()
    return scenario.match


@pytest.mark.parametrize("name", ["move", "combat"])
@pytest.mark.parametrize("viewer", ["blue", None])
def test_r_ral_03_q_153_nobody_can_tell_the_offer_of_a_card_from_that_of_an_order(name: str, viewer: str) -> None:
    asked, spared = opened(phase(name, card("R-1"))), opened(phase(name, card("R-2", below=1)))
    assert asked.decision is not None
    assert spared.decision is not None
    assert (asked.decision.kind, spared.decision.kind) == ("rally", name)
    assert asked.observe(viewer).to_json() == spared.observe(viewer).to_json()
    assert difference(asked.observe(viewer), spared.observe(viewer)) is None
    twin = determinise(asked.observe(viewer), random.Random(1))
    assert twin.decision is not None
    assert (twin.decision.kind, twin.decision.side) == (name, "red")
    own = asked.observe("red")
    assert own.decision == asked.decision.to_json()
    assert determinise(own, random.Random(1)).decision == asked.decision


def under_fire(held: Json, shutdown: bool) -> Match:
    """`b` with attack 8 and `c` with 10 are declared the targets of one attack; blue holds one card."""
    click = {"primary": {"type": "ballistic", "targets": 2, "range": [0, 8]}}
    return opened(
        duel(
            units=[
                placed("a", "red", "0610", 0, unit("a", **click)),
                placed("b", "blue", "0606", 6, unit("b", click={**CLICK, "attack": 8}), clicks=1, shutdown=shutdown),
                placed("c", "blue", "0706", 6, unit("c", click={**CLICK, "attack": 10}), clicks=1, shutdown=shutdown),
            ],
            hands={"blue": {"b": [held]}},
            start={"round": 1, "phase": "combat", "order": ["a", "b", "c"]},
            actions=[{"unit": "a", "order": "ranged", "value": "primary", "targets": ["b", "c"]}],
        )
    )


@pytest.mark.parametrize("shutdown", [False, True])
@pytest.mark.parametrize("viewer", ["red", None])
def test_q_153_nobody_can_tell_which_target_is_offered_a_card(viewer: str | None, shutdown: bool) -> None:
    """Shut down targets are asked for nothing else, so all may know that it is a card; not which unit's."""
    first = under_fire(card("R-1", below=9), shutdown)
    second = under_fire(card("R-2", below=11), shutdown)
    second.play({"unit": "b", "choose": "rally", "card": None})
    assert first.decision is not None
    assert second.decision is not None
    assert (first.decision.kind, first.decision.unit) == ("rally", "b")
    assert (second.decision.kind, second.decision.unit) == ("rally", "c")
    assert difference(first.observe(viewer), second.observe(viewer)) is None
    for match in (first, second):
        twin = determinise(match.observe(viewer), random.Random(4))
        for _ in decisions(twin, random.Random(5)):
            pass
        assert twin.result is not None


@pytest.mark.parametrize("number", range(4))
def test_every_possible_whole_can_be_played_to_its_end(number: int) -> None:
    """From each rally decision, as everybody sees it, with the dice and hands that chance deals."""
    match = random_match(number)
    seen = 0
    for now in decisions(match, random.Random(number)):
        if now.decision is None or now.decision.kind != "rally" or seen > 4:
            continue
        seen += 1
        for viewer in (*now.table.roster.sides, None):
            observation: Observation = now.observe(viewer)
            twin = determinise(observation, random.Random(seen))
            assert [len(hand) for hand in twin.table.roster.hands] == [len(hand) for hand in now.table.roster.hands]
            for _ in decisions(twin, random.Random(seen)):
                pass
            assert twin.result is not None
    assert seen
