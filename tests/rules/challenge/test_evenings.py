"""Evenings at random, all legal: the book and the pilots agree, and folding again gives the same."""

import random
from collections import Counter
from typing import Any

import pytest

from rules.challenge.entries import Entry, read_entry
from rules.challenge.folding import ChallengeRefused, enter, fold
from rules.challenge.kinds import KINDS
from rules.challenge.ranking import SEATS, ranking, seats
from rules.challenge.scenario.form import read_event
from rules.challenge.scenario.playing import outcome
from rules.challenge.state import Event
from rules.challenge.worth import Worth

MECHS = {
    "locust": {"tons": 20, "cost": 1512400},
    "hunchback": {"tons": 50, "cost": 3467875},
    "atlas": {"tons": 100, "cost": 9626000},
    "mad_cat": {"tons": 75, "tech": "clan", "cost": 24233125},
}
STABLES = (None, "fitzhugh", "bromley", "toranaga", "zellbriggen", "galahad")
SPONSORS: tuple[list[str], ...] = ([], ["ogs"], ["murdock"], ["warner", "ogs"], ["solaris_prison"])
TURNS = 14
HARMLESS = ("head_hit", "blown_off", "melee", "melee_weapon", "charge", "rear_attack", "crowd", "turret")


def evening(seed: int) -> dict[str, Any]:
    """Return the setup of an evening with twelve pilots on two tables."""
    chance = random.Random(seed)
    return {
        "game": "challenge",
        "event": {"options": ["knock_outs", *(["betting"] if seed % 2 else [])], "minimum_turns": 3},
        "mechs": MECHS,
        "pilots": {
            f"p{number}": {
                "mech": {"id": chance.choice(list(MECHS))},
                "stable": chance.choice(STABLES),
                "sponsors": chance.choice(SPONSORS),
                "fame": chance.randrange(40),
                "abilities": ["marksman", "toughness"],
                "table": ("main", "east")[number % 2],
            }
            for number in range(12)
        },
    }


def something(chance: random.Random, names: list[str], table: str, turn: int) -> dict[str, Any]:
    """Return an entry that may or may not be legal."""
    by, at = chance.choice(names), chance.choice(names)
    place = {"table": table, "turn": turn, "phase": chance.choice(("movement", "fire", "physical", "end"))}
    deed = {**place, "by": by, "at": at}
    return chance.choice(
        [
            {**deed, "what": "damage", "points": chance.randrange(90), "one_location": chance.random() < 0.3},
            {**deed, "what": chance.choice(HARMLESS)},
            {**deed, "what": "critical", "part": chance.choice(("engine", "weapon", "other"))},
            {**deed, "what": "death_from_above", "hit": chance.random() < 0.5},
            {**deed, "what": "cripple"},
            {**deed, "what": "kill", "by": sorted({by, chance.choice(names)})[: chance.randrange(3)]},
            {**place, "at": at, "what": "kill"},
            {**deed, "what": "knocked_out"},
            {**place, "at": at, "what": chance.choice(("wound", "eject", "standing_after_50", "conscious"))},
            {**place, "by": by, "what": chance.choice(("enter", "enter", "exit"))},
            {"do": "repair", "pilot": by, "mode": "full"},
            {"do": "cash_chips", "pilot": by},
        ]
    )


def played(seed: int) -> tuple[Event, list[Entry]]:
    """Play an evening; return the event and the entries that the rules allowed."""
    chance = random.Random(seed)
    event = read_event(evening(seed))
    names, allowed = list(event.pilots), []
    for turn in range(1, TURNS + 1):
        for table in ("main", "east"):
            here = [name for name in names if event.pilots[name].table == table]
            documents = [{"table": table, "turn": turn, "by": name, "what": "enter"} for name in here]
            documents += [something(chance, here, table, turn) for _ in range(20)]
            for document in [*documents, {"table": table, "turn": turn, "what": "end_turn"}]:
                entry = read_entry(document, KINDS)
                before = len(event.lines), event.applied
                try:
                    enter(event, entry)
                except ChallengeRefused:
                    assert (len(event.lines), event.applied) == before
                else:
                    allowed.append(entry)
    return event, allowed


@pytest.mark.parametrize("seed", range(8))
def test_the_book_and_the_pilots_agree(seed: int) -> None:
    setup, (event, entries) = read_event(evening(seed)), played(seed)
    assert len(entries) > 100
    for name, pilot in event.pilots.items():
        start = setup.pilots[name]
        moved = [line.worth for line in event.lines if line.pilot == name]
        total = Worth(*(sum(each) for each in zip(Worth(), *moved, strict=True)))
        assert (pilot.fame, pilot.cp, pilot.c_bills) == (
            start.fame + total.fame, start.cp + total.cp, start.c_bills + total.c_bills,
        )  # fmt: skip
    rows = Counter(line.pilot for line in event.lines if line.reason.startswith("kills.") and line.reason < "kills.O")
    kills = {name: pilot.kills.solo + pilot.kills.assisted for name, pilot in event.pilots.items()}
    assert {name: rows[name] for name in kills} == kills
    assert sum(kills.values()) > 0


@pytest.mark.parametrize("seed", range(4))
def test_folding_again_gives_the_same(seed: int) -> None:
    event, entries = played(seed)
    again = fold(read_event(evening(seed)), entries)
    assert outcome(again, None) == outcome(event, None)
    assert again.lines == event.lines


@pytest.mark.parametrize("seed", range(4))
def test_who_leads_has_the_most_kills_and_eight_sit_down(seed: int) -> None:
    event, _ = played(seed)
    kills = [event.pilots[name].kills.total() for name in ranking(event)]
    assert kills == sorted(kills, reverse=True)
    enter(event, read_entry({"what": "stage", "stage": "final"}, KINDS))
    assert list(event.finalists or ()) == seats(event)[:SEATS]
