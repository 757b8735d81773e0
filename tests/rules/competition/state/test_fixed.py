"""What a match shares with its bots cannot be written to: who tries fails, and nobody else is hurt."""

from __future__ import annotations

import copy
import random
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from typing import Any

import pytest

from rules import bots
from rules.bots.guard import RAISED, Guard
from rules.competition.formats import FORMATS
from rules.competition.match import Match
from rules.competition.state.match_state import Choice, MatchState
from rules.core.dice import SeededDice
from tests.rules.bots.test_guard import Obedient, sampled
from tests.rules.competition.formats.test_formats import setup_of
from tests.rules.dealing import dealt
from tests.rules.object_graph import CODE, PLAIN, difference, names_of, reachable


def begun() -> Match:
    return Match.start(dealt(3), SeededDice(3))


def _attack(table: MatchState) -> None:
    for fighter in table.roster.fighters:
        fighter.attack = ()


def _printed(table: MatchState) -> None:
    table.roster.fighters[0].printed["attack"] = ()  # type: ignore[index]


def _forgotten(table: MatchState) -> None:
    del table.roster.fighters[0].attack


def _ground(table: MatchState) -> None:
    table.roster.arena.passable = 0


def _lattice(table: MatchState) -> None:
    table.roster.lattice.mask = 0


def _hand(table: MatchState) -> None:
    for hand in table.roster.hands:
        hand.clear()  # type: ignore[attr-defined]


def _format(table: MatchState) -> None:
    table.roster.format.allows_ranged = False


def _kind(table: MatchState) -> None:
    assert table.open is not None
    table.open[0].name = "mine"


def _names(table: MatchState) -> None:
    table.roster.lattice._names.clear()


def _indices(table: MatchState) -> None:
    table.roster.lattice._indices["0101"] = 0


def _starts(table: MatchState) -> None:
    table.roster.arena.starts.pop("A")


def _units(table: MatchState) -> None:
    table.roster.unit_of.update(red=5)  # type: ignore[attr-defined]


WRITES = (_names, _indices, _starts, _units, _attack, _printed, _forgotten, _ground, _lattice, _hand, _format, _kind)


@pytest.mark.parametrize("write", WRITES)
def test_a_bot_that_writes_to_what_is_shared_fails_and_the_match_goes_on(write: Callable[[MatchState], None]) -> None:
    def writes(table: MatchState, rng: random.Random) -> Choice:
        choice = sampled(table, rng)
        write(table)
        return choice

    wild, calm = begun(), begun()
    guard, rng = Guard(wild), random.Random(2)
    for _ in range(8):
        answer = guard.ask(Obedient(writes), rng)
        assert answer.fault is not None
        assert answer.fault.code == RAISED
        guard.play(answer)
        calm.play_choice(answer.choice, answer.action)
    assert wild.events == calm.events


def test_a_bot_that_changes_what_it_alone_sees_leaves_the_next_one_a_whole_roster() -> None:
    def robs(table: MatchState, rng: random.Random) -> Choice:
        choice = sampled(table, rng)
        table.roster.fighters, table.roster.hands, table.roster.tokens = (), (), ()
        return choice

    match = begun()
    guard, rng = Guard(match), random.Random(2)
    for _ in range(8):
        answer = guard.ask(Obedient(robs), rng)
        assert answer.fault is None
        assert guard.ask(bots.get("greedy"), rng).fault is None
        guard.play(answer)


@pytest.mark.parametrize("format_key", FORMATS)
def test_no_object_that_a_match_shares_with_a_bots_table_can_be_written_to(format_key: str) -> None:
    """Nor are its containers any but what hexes and lines remember, and the documents of the setup."""
    match = Match.start(setup_of(format_key, 0), SeededDice(1))
    guard, rng = Guard(match), random.Random(1)
    seen: list[MatchState] = []

    def looks(table: MatchState, rng: random.Random) -> Choice:
        seen.append(table)
        return sampled(table, rng)

    for _ in range(30):
        if match.decision is None:
            break
        guard.play(guard.ask(Obedient(looks), rng))
    own = {id(value): value for value in reachable(match.table)}
    shared = [value for value in reachable(seen[-1]) if id(value) in own]
    assert len(shared) > 100
    assert [value for value in shared if _can_be_written(value)] == []
    arena, lattice = match.table.roster.arena, match.table.roster.lattice
    memos = [arena.line_flags, arena.line_memo, arena.line_memo_with_units]
    memos += [lattice.line_memo, lattice._discs, lattice._distances]
    known = {id(value) for root in (memos, arena.definition, match.setup) for value in reachable(root)}
    assert [value for value in shared if id(value) not in known and type(value) in (dict, list, set, bytearray)] == []


def _returned(sent: Any) -> Any:
    return sent


def test_what_is_fixed_travels_to_another_process_and_stays_fixed() -> None:
    """A bot may think in a process of its own."""
    table = begun().table
    assert table.open is not None
    with ProcessPoolExecutor(1) as pool:
        roster, kind = pool.submit(_returned, (table.roster, table.open[0])).result()
    assert difference(table.roster, roster) is None
    for write in (
        lambda: setattr(roster.fighters[0], "attack", ()),
        lambda: setattr(roster.arena, "passable", 0),
        lambda: roster.hands[0].clear(),
        lambda: setattr(kind, "name", ""),
    ):
        with pytest.raises((AttributeError, TypeError), match="fixed"):
            write()
    assert difference(copy.deepcopy(table.roster), table.roster) is None
    assert copy.copy(roster.unit_of) is roster.unit_of


def _can_be_written(value: Any) -> bool:
    if isinstance(value, (*PLAIN, *CODE)):
        return False
    for name in names_of(value):
        if hasattr(value, name):
            try:
                setattr(value, name, getattr(value, name))
            except (AttributeError, TypeError):
                continue
            return True
    return False
