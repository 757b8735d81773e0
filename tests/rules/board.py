"""What the engine's tests are built of: plain units, small scenarios, random setups and positions, play-outs."""

import copy
import itertools
import json
import random
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any

from rules.catalogue import load_builtin
from rules.competition.ground.arena import Arena
from rules.competition.match import Match
from rules.competition.setups import read_setup
from rules.competition.state.match_state import MatchState
from rules.competition.state.setup import MatchSetup
from rules.core.dice import ScriptedDice, SeededDice
from rules.scenario.playing import Scenario, load, play

SCENARIOS = Path(__file__).parent / "scenarios"

Json = dict[str, Any]

CLICK = {"primary": 3, "secondary": 2, "speed": 8, "attack": 9, "defense": 19}
STEP = {"primary": 0, "secondary": 0, "speed": 0}


def unit(
    name: str = "anvil", *, clicks: int = 5, steps: int = 4, click: Mapping[str, Any] | None = None, **keys: Any
) -> Json:
    """A plain unit: ballistic 3 at 0-8, energy 2 at 0-10, speed 8, attack 9, defense 19; `click` is for every click."""
    document: Json = {
        "id": name, "set": "TST", "number": 1, "name": name.title(), "variant": "TST-1-M", "class": "medium",
        "rank": "veteran", "points": 150, "front_arc": 180, "rear_arc": 90, "vent": 2,
        "primary": {"type": "ballistic", "targets": 1, "range": [0, 8]},
        "secondary": {"type": "energy", "targets": 1, "range": [0, 10]},
        "dial": [{**CLICK, "equipment": {}, **(click or {})} for _ in range(clicks)],
        "heat": [{**STEP, "effects": {}} for _ in range(steps)],
    }  # fmt: skip
    document.update(keys)
    return document


def pilot(**modifiers: int) -> Json:
    """A common pilot of 10 points with these modifiers and no requirement."""
    return {"id": "P-900", "kind": "common", "name": "Test Pilot", "points": 10, "modifiers": modifiers}


def token(name: str = "t1", **keys: Any) -> Json:
    """A target token of defense 15 that pays 10 for ballistic and 5 else."""
    return {
        "id": name,
        "name": name,
        "defense": 15,
        "armor": None,
        "method": "ballistic",
        "rp": 10,
        "else_rp": 5,
        **keys,
    }


def placed(name: str, side: str, place: str, facing: int = 0, definition: Json | None = None, **keys: Any) -> Json:
    """A unit of a scenario."""
    return {"id": name, "side": side, "unit": definition or unit(name), "hex": place, "facing": facing, **keys}


def duel(**keys: Any) -> Json:
    """A scenario of two plain units four hexes apart, looking at each other; `red` and `blue` change the units."""
    red, blue = keys.pop("red", {}), keys.pop("blue", {})
    document = {
        "format": "standard",
        "arena": {"hexes": {}},
        "units": [{**placed("a", "red", "0610"), **red}, {**placed("b", "blue", "0606", 6), **blue}],
        "start": {"round": 1, "phase": "combat", "order": ["a", "b"]},
        "dice": [],
        "actions": [],
        "expect": {},
    }
    return {**document, **keys}


def ran(document: Mapping[str, Any]) -> Scenario:
    """The scenario, played; fails the test when it differs from what it expects."""
    scenario, difference = play(document)
    assert difference is None, difference
    assert scenario is not None
    return scenario


def difference(document: Mapping[str, Any]) -> str | None:
    """The first difference between a scenario and the engine."""
    return play(document)[1]


def happened(match: Match, kind: str) -> list[Json]:
    """The events of one kind."""
    return [event for batch in match.events for event in batch if event["event"] == kind]


def flat(match: Match) -> list[Json]:
    """All events."""
    return [event for batch in match.events for event in batch]


def dice_in(events: Iterable[Json]) -> list[int]:
    """The dice that events tell, in their order."""
    found: list[int] = []
    for event in events:
        if event["event"] == "die_rerolled":  # its `die` says which of the three
            found.append(event["to"])
        elif "dice" in event:
            found.extend(event["dice"])
        elif "die" in event:
            found.append(event["die"])
    return found


@cache
def scenario_files() -> tuple[Path, ...]:
    """All conformance scenarios, sorted."""
    return tuple(sorted(SCENARIOS.glob("*/*.json")))


@cache
def scenario_documents() -> tuple[tuple[str, Json], ...]:
    """Name and content of all conformance scenarios whose position can be set up."""
    files = [path for path in scenario_files() if path.parent.name != "set_up"]
    return tuple((path.relative_to(SCENARIOS).as_posix(), load(path)) for path in files)


@cache
def _scenario_texts() -> tuple[str, ...]:
    """Units, tokens and hands of each of these scenarios as JSON."""
    parts = ("units", "tokens", "hands")
    return tuple(json.dumps([document.get(part) for part in parts]) for _, document in scenario_documents())


@cache
def scenarios_naming(word: str) -> tuple[tuple[str, Json], ...]:
    """The scenarios in whose units, tokens or hands a word stands."""
    texts = zip(scenario_documents(), _scenario_texts(), strict=True)
    return tuple(scenario for scenario, text in texts if f'"{word}"' in text)


# --- setups -----------------------------------------------------------------------------------------------------


@cache
def triples() -> tuple[tuple[Json, ...], ...]:
    """Every three target tokens of the catalogue worth 30 together."""
    tokens = load_builtin().target_tokens.values()
    return tuple(group for group in itertools.combinations(tokens, 3) if sum(one["rp"] for one in group) == 30)


def setup_document(sides: Mapping[str, list[Json]], **keys: Any) -> Json:
    """A setup from loadouts by side, over open ground."""
    document: Json = {
        "schema": 1,
        "format": "standard",
        "arena": keys.pop("arena", {"starts": {"A": ["0402", "0813"], "B": ["0602", "0613"], "C": ["0902", "0314"]}}),
        "house_rules": keys.pop("house_rules", {}),
        "sides": [
            {"id": side, "units": loadouts, "tokens": keys.get("tokens", [token(f"T{n}") for n in range(3)])}
            for side, loadouts in sides.items()
        ],
    }
    return document


def loadout(name: str, definition: Json | None = None, **keys: Any) -> Json:
    """One unit of a setup."""
    return {"id": name, "unit": definition or unit(name), **keys}


def duel_setup(**keys: Any) -> MatchSetup:
    """Two plain units, `a` of red and `b` of blue."""
    sides = keys.pop("sides", None) or {
        "red": [loadout("a", keys.pop("red", None))],
        "blue": [loadout("b", keys.pop("blue", None))],
    }
    return read_setup(setup_document(sides, **keys))


def random_setup(rng: random.Random, sides: int, units: int, **house_rules: Any) -> Json:
    """Units, pilots, tokens and an arena of the built-in catalogue, dealt out; some units bring damage along."""
    catalogue = load_builtin()
    definitions, pilots = list(catalogue.units.values()), list(catalogue.pilots.values())
    members: list[list[Json]] = [[] for _ in range(sides)]
    for number in range(units):
        definition = rng.choice(definitions)
        fitting = [one for one in pilots if definition.get("class") in one["requires"]["class"]]
        members[number if number < sides else rng.randrange(sides)].append(
            {
                "id": f"u{number}",
                "unit": definition,
                "pilot": rng.choice([None, *fitting]) if definition.get("variant") else None,
                "clicks": rng.choice((0, 0, 0, len(definition["dial"]) // 2)),
            }
        )
    return {
        "schema": 1,
        "format": "standard",
        "arena": rng.choice(list(catalogue.arenas.values())),
        "house_rules": house_rules,
        "sides": [
            {"id": f"s{side}", "units": loadouts, "tokens": list(rng.choice(triples()))}
            for side, loadouts in enumerate(members)
        ],
    }


def random_match(number: int, *, sides: int = 2, units: int = 2, **house_rules: Any) -> Match:
    """A match of a random setup with seeded dice, at its first decision."""
    setup = read_setup(random_setup(random.Random(number), sides, units, **house_rules))
    return Match.start(setup, SeededDice(number))


def random_scenario(rng: random.Random, sides: int, units: int) -> Json:
    """Units of the catalogue dropped close together anywhere in an arena, in any state, at the start of any phase."""
    document = random_setup(rng, sides, units)
    arena = document["arena"]
    lattice, ground = Arena.of(arena).lattice, Arena.of(arena)
    free = [place for place in lattice.hexes if ground.passable >> place & 1]
    middle = rng.choice(free)
    free.sort(key=lambda place: (lattice.distance(middle, place), rng.random()))
    places = rng.sample(free[: max(3 * units, 12)], units + 1)
    listed = []
    for side in document["sides"]:
        for entry in side["units"]:
            dial, heat = entry["unit"]["dial"], entry["unit"]["heat"]
            step = rng.choice((0, 0, rng.randrange(len(heat) + 1)))
            listed.append(
                {
                    "id": entry["id"], "side": side["id"], "unit": entry["unit"], "pilot": entry["pilot"],
                    "hex": lattice.name(places.pop()), "facing": rng.randrange(12), "clicks": rng.randrange(len(dial)),
                    "heat": step, "shutdown": step == len(heat) or rng.random() < 0.1,
                    "unconscious": entry["pilot"] is not None and rng.random() < 0.15,
                    "damage_die": rng.choice((0, 0, 1, 2, 9)), "heat_die": rng.choice((0, 0, 1, 3)),
                }
            )  # fmt: skip
    rng.shuffle(listed)
    names = [entry["id"] for entry in listed]
    phase = rng.choice(("initiative", "move", "move", "combat", "combat", "combat", "cleanup"))
    start: Json = {"round": rng.randrange(1, 10), "phase": phase}
    if phase != "initiative":
        start["order"] = rng.sample(names, len(names))
    some = rng.choice(list(load_builtin().target_tokens.values()))
    return {
        "format": "standard",
        "arena": arena,
        "units": listed,
        "tokens": [{**some, "id": "t1", "hex": lattice.name(places.pop())}],
        "start": start,
        "dice": [],
        "actions": [],
        "expect": {},
    }


class Dropped(Scenario):
    """A scenario with seeded dice that goes on to its first decision and beyond."""

    def __init__(self, document: Mapping[str, Any], seed: int) -> None:
        self.seed = seed
        super().__init__(document)

    def _table(self) -> MatchState:
        table = super()._table()
        table.dice = SeededDice(self.seed)
        table.pause_at = frozenset()
        return table


def random_position(number: int, *, sides: int = 2, units: int = 2) -> Match:
    """A match at the first decision of a random scenario, with seeded dice."""
    return Dropped(random_scenario(random.Random(number), sides, units), number).match


def decisions(match: Match, rng: random.Random, limit: int = 10_000) -> Iterator[Match]:
    """Play at random; yields the match at every decision before it is answered."""
    for _ in range(limit):
        if match.decision is None:
            return
        yield match
        if match.decision is not None:
            match.play(match.sample_action(rng))


def scripted(setup: MatchSetup, dice: list[int], actions: list[Json]) -> Match:
    """A match from its beginning with these dice, after these actions."""
    match = Match.start(setup, ScriptedDice(dice))
    for action in actions:
        match.play(action)
    return match


def changed(document: Json, change: Callable[[Json], None]) -> Json:
    """A deep copy with a change."""
    twin = copy.deepcopy(document)
    change(twin)
    return twin
