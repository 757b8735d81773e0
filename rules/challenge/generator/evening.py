"""An evening of the Challenge at random: two days and a final, one entry after another, each allowed when it comes.

    for document in evening(pilots=48, turns=60, seed=7):
        ...                       # entries as docs/scenarios.md describes them

The same arguments give the same entries.
"""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any

from rules.challenge.deeds.bets import HOUSE
from rules.challenge.deeds.doors import OFF_BOARD_TURNS
from rules.challenge.generator.arena import Arena
from rules.challenge.generator.cycle import cash, cycle
from rules.challenge.generator.scribe import Document, Entries, Scribe
from rules.challenge.generator.setting import event_of, setup
from rules.challenge.generator.workshop import customise
from rules.challenge.mechs import CLASSES
from rules.challenge.ranking import SEATS, seats
from rules.challenge.state import Event, Pilot

REST = OFF_BOARD_TURNS + 1
"""Turns in which nobody is on the board after all have left."""
LATECOMERS = 0.15
"""The share of the pilots who come when the evening has begun."""


def evening(
    pilots: int, turns: int, seed: int, tables: int = 2, event: Event | None = None
) -> Iterator[dict[str, Any]]:
    """Yield the entries of an evening of `pilots` players and at least `turns` turns at `tables` tables.

    `event` is the setup, without entries; without one it is that of `setup(seed, turns)`. Each entry has been applied
    to it when it is yielded.
    """
    scribe = Scribe(event or event_of(setup(seed, turns)), Random(f"evening {seed}"), tables)
    yield from _Evening(scribe, pilots, turns).play()


class _Evening:
    """The run of an evening."""

    def __init__(self, scribe: Scribe, pilots: int, turns: int) -> None:
        self.scribe = scribe
        self.turns = turns
        first = max(1, pilots - round(pilots * LATECOMERS))
        self.players = [f"player {number:02}" for number in range(1, pilots + 1)]
        self.latecomers = self.players[first:]
        self.late = {player: scribe.chance.randint(2, max(2, turns // 2)) for player in self.latecomers}

    def play(self) -> Entries:
        """Play two days of the qualifier and the final."""
        for player in self.players:
            if player not in self.latecomers:
                yield from self._come(player)
        half = self.turns * 2 // 5
        final = self.turns - max(2, self.turns // 5)
        yield from self._day(half)
        yield from self._customise()
        yield from self._day(final)
        yield from self._final()

    # --- days --------------------------------------------------------------------------------------------------------

    def _day(self, last: int) -> Entries:
        """Play a day up to its turn `last`, in which all leave; then nobody fights until all have rested."""
        scribe = self.scribe
        while scribe.turn <= last:
            stays = scribe.turn + scribe.event.minimum_turns < last
            yield from self._turn(scribe.tables, stays, scribe.turn == last)
        yield from self._clear()
        yield from self._end_day()
        for _ in range(REST):
            yield from self._turn(scribe.tables, False, False)

    def _clear(self) -> Entries:
        """Play on without attacks until all have left, as soon as the rules let them."""
        while any(self.scribe.here(table) for table in self.scribe.tables):
            yield from self._turn(self.scribe.tables, False, True)

    def _turn(self, tables: tuple[str, ...], may_enter: bool, all_leave: bool) -> Entries:
        """Play one turn at each table, and after it what those do who are off the board."""
        scribe = self.scribe
        for player in [player for player, turn in self.late.items() if turn == scribe.turn]:
            yield from self._come(player)
        for name in tables:
            arena = Arena(scribe, name)
            yield from self._bet(name)
            yield from arena.play(may_enter, all_leave)
            yield from self._settle(all_leave)
            yield from arena.end()
        scribe.turn += 1
        yield from self._between()

    def _between(self) -> Entries:
        """Let pilots off the board go on with their cycles, the dead come back, and the GM decide what they decide."""
        scribe = self.scribe
        for pilot in list(scribe.event.pilots.values()):
            if pilot.is_in_arena or pilot.forfeited:
                continue
            if not pilot.alive:
                yield from self._after_death(pilot)
            elif not pilot.approved:
                yield from self._approve(pilot)
            elif scribe.cycled.get(pilot.id) != pilot.cycle_mark:
                scribe.cycled[pilot.id] = pilot.cycle_mark
                yield from cycle(scribe, pilot)
            elif pilot.mech is None or scribe.happens(0.02):
                yield from cycle(scribe, pilot)
            if scribe.happens(0.003):
                yield from scribe.write({"what": "forfeit", "by": pilot.id, "reason": "left without a word"})
        sold = [pilot for pilot in scribe.outside() if pilot.forced_sales]
        for pilot in scribe.some(sold or scribe.outside(), 1) if scribe.happens(0.4 if sold else 0.1) else []:
            gift = {"fame": scribe.chance.randint(1, 8), "cp": 10, "c_bills": 4_000_000}
            yield from self._give(pilot, gift, "the crowd's vote")

    def _end_day(self) -> Entries:
        for bet in list(self.scribe.event.bets):
            yield from self.scribe.write({"what": "settle_bet", "bet": bet, "won": self.scribe.happens(0.5)})
        for pilot in list(self.scribe.event.pilots.values()):
            yield from cash(self.scribe, pilot)
        yield from self.scribe.write({"what": "end_day"})

    def _customise(self) -> Entries:
        """Let pilots change their 'Mechs at the start of a day."""
        for pilot in self.scribe.outside():
            if self.scribe.happens(0.5):
                yield from customise(self.scribe, pilot)

    def _final(self) -> Entries:
        """Play the final at the first table, until all turns are played or one pilot is left."""
        scribe = self.scribe
        ticked = [name for name in seats(scribe.event) if scribe.event.pilots[name].mech][:SEATS]
        document: Document = {"what": "stage", "stage": "final"}
        if ticked and scribe.happens(0.5):
            document["finalists"] = ticked
        yield from scribe.write(document)
        for name in scribe.event.finalists or ():
            scribe.seats[name] = scribe.tables[0]
        begins = scribe.turn
        while scribe.turn <= max(self.turns, begins + 1):
            yield from self._turn(scribe.tables[:1], scribe.turn == begins, False)
        yield from self._clear()
        yield from self._end_day()

    # --- who comes ---------------------------------------------------------------------------------------------------

    def _come(self, player: str, name: str | None = None) -> Entries:
        """Let a player come with a pilot, and get all that they need before they first enter."""
        scribe = self.scribe
        name = name or player.replace("player", "pilot")
        facts: Document = {"player": player, "table": scribe.chance.choice(scribe.tables)}
        if scribe.happens(0.2):
            facts["approved"] = False
        if scribe.happens(0.3):
            facts["class"] = scribe.chance.choice(CLASSES)
        if not (yield from scribe.write({"what": "new_pilot", "by": name, **facts})):
            return
        pilot = scribe.event.pilots[name]
        scribe.seats[name] = facts["table"]
        if not pilot.approved:
            yield from self._approve(pilot)
        if scribe.happens(0.35):
            gift = {"fame": scribe.chance.randint(5, 25), "cp": scribe.chance.randint(10, 60)}
            gift["c_bills"] = scribe.chance.randint(1, 12) * 1_000_000
            yield from self._give(pilot, gift, "carried over from the last event")
        if pilot.approved:
            yield from cycle(scribe, pilot)

    def _approve(self, pilot: Pilot) -> Entries:
        card = {"card": self.scribe.chance.randint(1, 99)} if self.scribe.happens(0.3) else {}
        if self.scribe.happens(0.8):
            yield from self.scribe.write({"what": "approve", "by": pilot.id, **card})

    def _give(self, pilot: Pilot, gift: dict[str, int], reason: str) -> Entries:
        yield from self.scribe.write({"what": "give", "by": pilot.id, "reason": reason, **gift})

    def _after_death(self, pilot: Pilot) -> Entries:
        """Let Solaris Prison roll late, or the player come back with another pilot."""
        scribe = self.scribe
        if scribe.happens(0.1):
            yield from scribe.off(pilot, "prison_roll", dice=scribe.dice())
        if not pilot.alive and scribe.happens(0.3):
            yield from self._come(pilot.player, f"{pilot.id} b")

    # --- bets --------------------------------------------------------------------------------------------------------

    def _bet(self, table: str) -> Entries:
        """Let a pilot at the table offer a bet on what this turn brings."""
        scribe = self.scribe
        holders = [each for each in scribe.here(table) if each.chips]
        for pilot in scribe.some(holders, 1) if scribe.happens(0.5) else []:
            others = [each for each in holders if each is not pilot]
            against = scribe.chance.choice([HOUSE, *(each.id for each in others)])
            scribe.bets += 1
            facts: Document = {
                "on": "who falls first this turn", "bet": f"bet {scribe.bets}",
                "chip": scribe.chance.choice(pilot.chips).row,
            }  # fmt: skip
            if against != HOUSE:
                facts["against_chip"] = scribe.chance.choice(scribe.event.pilots[against].chips).row
            elif scribe.happens(0.5):
                facts["against_chip"] = facts["chip"]
            yield from scribe.write({"what": "bet", "by": pilot.id, "table": table, "with": against, **facts})
            if scribe.happens(0.2):
                edge: Document = {"on": facts["on"], "bets": list(scribe.event.bets)[-1:]}
                yield from scribe.write({"what": "edge", "by": pilot.id, "table": table, **edge})

    def _settle(self, all_of_them: bool) -> Entries:
        for bet in list(self.scribe.event.bets):
            if all_of_them or self.scribe.happens(0.6):
                yield from self.scribe.write({"what": "settle_bet", "bet": bet, "won": self.scribe.happens(0.5)})
