"""Evenings at random from the generator: allowed by the rules, never broken, with every kind of entry."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import cache
from itertools import islice
from typing import Any

import pytest

from rules.challenge.checking import faults, faults_of_book, faults_of_folding
from rules.challenge.entries import read_entry
from rules.challenge.folding import enter
from rules.challenge.generator.evening import evening
from rules.challenge.generator.setting import event_of, setup
from rules.challenge.kinds import KINDS
from rules.challenge.state import Bet, Event, OwnedAbility, Team
from rules.challenge.worth import Worth

PILOTS, TURNS = 20, 24
RICH = (26, 48, 0)
"""Seeds whose evenings have every kind of entry, as the rules are now; where they no longer have, others may."""
MOST_EVENINGS = 40


@cache
def entries_of(seed: int) -> tuple[dict[str, Any], ...]:
    return tuple(evening(PILOTS, TURNS, seed))


@cache
def start_of_an_evening() -> tuple[dict[str, Any], ...]:
    """Return the entries of an evening up to a moment at which pilots are in the arena."""
    return tuple(islice(evening(PILOTS, TURNS, 0), 300))


@pytest.mark.parametrize("seed", range(5))
def test_an_evening_is_allowed_and_nothing_breaks(seed: int) -> None:
    documents = entries_of(seed)
    assert documents[-1] == {"what": "end_day"}
    entries = [read_entry(document, KINDS) for document in documents]
    event = event_of(setup(seed, TURNS))
    for entry in entries:
        enter(event, entry)
    assert list(faults_of_folding(lambda: event_of(setup(seed, TURNS)), entries)) == []
    assert event.finalists
    assert len(event.day_winners) == 3


def test_the_same_arguments_give_the_same_entries_and_another_seed_others() -> None:
    assert list(evening(PILOTS, TURNS, 3)) == list(entries_of(3)) != list(entries_of(4))


def test_the_generator_changes_the_event_by_its_entries_alone() -> None:
    event = event_of(setup(2, TURNS))
    documents = list(evening(PILOTS, TURNS, 2, event=event))
    again = event_of(setup(2, TURNS))
    for document in documents:
        enter(again, read_entry(document, KINDS))
    assert again == event


def test_tables_are_as_many_as_asked_for() -> None:
    tables = {document.get("table", "main") for document in evening(9, 8, 1, tables=3)}
    assert tables == {"main", "table 2", "table 3"}


def test_every_kind_of_entry_comes() -> None:
    missing = set(KINDS)
    for seed in (*RICH, *range(MOST_EVENINGS)):
        missing -= {document.get("do") or document["what"] for document in entries_of(seed)}
        if not missing:
            break
    assert missing == set()


def _dead_in_the_arena(event: Event) -> None:
    next(pilot for pilot in event.pilots.values() if pilot.is_in_arena).alive = False


def _too_much_edge(event: Event) -> None:
    event.pilots["pilot 01"].edge = 5


def _in_debt_of_cp(event: Event) -> None:
    event.pilots["pilot 01"].cp = -1


def _seven_wounds(event: Event) -> None:
    event.pilots["pilot 01"].wounds = 7


def _suspended_without_a_wound(event: Event) -> None:
    pilot = event.pilots["pilot 01"]
    pilot.wounds, pilot.abilities = 0, [OwnedAbility(event.printed.abilities["dodge"], suspended=True)]


def _two_of_tier_1(event: Event) -> None:
    abilities = event.printed.abilities
    event.pilots["pilot 01"].abilities = [
        OwnedAbility(abilities[name]) for name in ("mighty_cleave", "range_expert_is")
    ]


def _one_card_for_two(event: Event) -> None:
    event.pilots["pilot 01"].card = event.pilots["pilot 02"].card


def _two_pilots_of_a_player(event: Event) -> None:
    event.pilots["pilot 01"].player = "player 02"


def _one_sponsor_twice(event: Event) -> None:
    event.pilots["pilot 01"].sponsors = [event.printed.memberships["ogs"]] * 2


def _back_where_the_door_is_closed(event: Event) -> None:
    pilot = event.pilots["pilot 01"]
    pilot.sponsors, pilot.closed = [event.printed.memberships["ogs"]], {"ogs"}


def _a_team_in_debt(event: Event) -> None:
    event.teams["red"] = Team("red", [], c_bills=-1)


def _a_bet_of_nobody(event: Event) -> None:
    event.bets["x"] = Bet("x", "nobody", None, "y", (None, None))  # type: ignore[arg-type]


def _more_of_the_day_than_in_all(event: Event) -> None:
    event.pilots["pilot 01"].day_kills.solo = 99


@pytest.mark.parametrize(
    ("breaks", "fault"),
    [
        (_dead_in_the_arena, "in the arena and dead"),
        (_too_much_edge, "5 Edge cards of 3"),
        (_in_debt_of_cp, "-1 CP"),
        (_seven_wounds, "7 wounds"),
        (_suspended_without_a_wound, "abilities suspended without a wound"),
        (_two_of_tier_1, "2 abilities of tier 1"),
        (_one_card_for_two, "of 2 pilots"),
        (_two_pilots_of_a_player, "player 02 plays 2 pilots"),
        (_one_sponsor_twice, "sponsors ['ogs', 'ogs']"),
        (_back_where_the_door_is_closed, "back at ['ogs']"),
        (_a_team_in_debt, "a log below 0"),
        (_a_bet_of_nobody, "bet x of nobody"),
        (_more_of_the_day_than_in_all, "more kills of the day than in all"),
    ],
)
def test_what_is_broken_is_found(breaks: Callable[[Event], None], fault: str) -> None:
    event = event_of(setup(0, TURNS))
    for document in start_of_an_evening():
        enter(event, read_entry(document, KINDS))
    assert list(faults(event)) == []
    breaks(event)
    assert any(fault in found for found in faults(event)), list(faults(event))


def test_a_line_that_the_book_lacks_is_found() -> None:
    event = event_of(setup(0, TURNS))
    starts = {}
    for document in start_of_an_evening():
        enter(event, read_entry(document, KINDS))
        if document.get("what") == "new_pilot":
            pilot = event.pilots[document["by"]]
            starts[pilot.id] = Worth(pilot.fame, pilot.cp, pilot.c_bills)
    assert list(faults_of_book(event, starts)) == []
    line = next(line for line in event.lines if line.worth.c_bills)
    event.lines[event.lines.index(line)] = line._replace(worth=line.worth._replace(c_bills=line.worth.c_bills + 1))
    assert [found.partition(":")[0] for found in faults_of_book(event, starts)] == [line.pilot]


def test_a_step_back_in_the_cycle_is_found() -> None:
    entries = [
        read_entry(document, KINDS)
        for document in (
            {"what": "new_pilot", "by": "ross"},
            {"do": "buy_mech", "pilot": "ross", "mech": "locust_lct_1v"},
            {"do": "join_sponsor", "pilot": "ross", "sponsor": "glass_tower"},
        )
    ]
    assert any("join_sponsor at step 9" in fault for fault in faults_of_folding(lambda: event_of({}), entries))
    overruled = [*entries[:2], replace(entries[2], overruled="the judge forgot")]
    assert not any("at step" in fault for fault in faults_of_folding(lambda: event_of({}), overruled))
