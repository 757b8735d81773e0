"""What must always be true of an event, whatever was entered: faults are defects of the rules, never of an entry.

    list(faults(event))                           # of one moment
    list(faults_of_folding(setup, entries))       # of every turn, of the book, and of folding a second time

Where the GM overruled the rules for a pilot, what the rules would have kept for that pilot is not asked.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import fields

from rules.challenge.cycle import BUY, PHASE_OF
from rules.challenge.entries import Entry
from rules.challenge.folding import apply, step_of
from rules.challenge.kinds import KINDS
from rules.challenge.memberships import MOST_SPONSORS
from rules.challenge.quotes.learning import COUNTED_TIERS, counted
from rules.challenge.ranking import SEATS, qualifier_ranking, ranking, seats
from rules.challenge.state import FATAL_WOUNDS, Event, Pilot, Team
from rules.challenge.worth import Worth

TURRET, FAMOUS = "kills.O", "kills.P"
"""Rows of the table of kills that count no kill (MCQ-RANK-01)."""


def faults(event: Event, excused: Collection[str] = ()) -> Iterator[str]:
    """Yield what is wrong with an event at one moment; nothing when all is well.

    `excused` are pilots for whom the GM set a rule aside.
    """
    for pilot in event.pilots.values():
        found = [*_of_places(event, pilot), *_of_memberships(event, pilot), *_of_kills(event, pilot)]
        if pilot.id not in excused:
            found += [*_of_limits(event, pilot), *_of_abilities(event, pilot)]
        yield from (f"{pilot.id}: {fault}" for fault in found)
    yield from _of_cards(event)
    for team in event.teams.values():
        yield from (f"{team.id}: {fault}" for fault in _of_team(event, team))
    yield from _of_tables(event)
    yield from _of_rankings(event)


def _of_places(event: Event, pilot: Pilot) -> Iterator[str]:
    """Yield what a pilot cannot be at once: on the board and off it, dead and on it."""
    if pilot.is_in_arena:
        barred = {
            "dead": not pilot.alive,
            "not approved": not pilot.approved,
            "out of the tournament": pilot.forfeited,
            "out of the final": pilot.eliminated,
            "without a 'Mech": pilot.mech is None,
            "in a destroyed 'Mech": pilot.mech is not None and pilot.mech.state == "destroyed",
            "at no table": pilot.table not in event.tables,
            "with the sheets at the judges'": pilot.sheets_in,
        }
        yield from (f"in the arena and {what}" for what, is_so in barred.items() if is_so)
        if (pilot.in_arena_since or 0) > event.table(pilot.table).turn:
            yield "in the arena since a turn that is to come"
        return
    held = {"a portal": pilot.portal, "rebar": pilot.rebar, "a faint": pilot.unconscious_since is not None}
    yield from (f"off the board with {what}" for what, is_so in held.items() if is_so)
    if not 0 <= pilot.cycle_step <= BUY:
        yield f"at step {pilot.cycle_step} of the off-board cycle"


def _of_limits(event: Event, pilot: Pilot) -> Iterator[str]:
    """Yield what a pilot has too much or too little of."""
    if pilot.cp < 0:
        yield f"{pilot.cp} CP"
    if event.switches.fame_floor and pilot.fame < 0:
        yield f"{pilot.fame} Fame in an event that keeps it from falling below 0"
    if not 0 <= pilot.edge <= pilot.most_edge:
        yield f"{pilot.edge} Edge cards of {pilot.most_edge}"
    if not 0 <= pilot.wounds <= FATAL_WOUNDS:
        yield f"{pilot.wounds} wounds"
    if pilot.debt.fame or pilot.debt.cp > 0 or pilot.debt.c_bills > 0:
        yield f"a debt of {pilot.debt}"
    if len(pilot.mechs) > 1 and not event.plays("several_mechs"):
        yield f"{len(pilot.mechs)} 'Mechs"
    if any(count < 0 for mech in pilot.mechs for count in mech.damage.values()):
        yield "less than no damage"


def _of_abilities(event: Event, pilot: Pilot) -> Iterator[str]:
    """Yield what a pilot cannot have learned (MC-ABIL-01 to 04), and what no wound can have suspended."""
    if not pilot.wounds and any(owned.suspended for owned in pilot.abilities):
        yield "abilities suspended without a wound"
    if len({owned.ability.id for owned in pilot.abilities}) < len(pilot.abilities):
        yield "an ability bought twice"
    if counted(pilot) > event.switches.max_abilities:
        yield f"{counted(pilot)} abilities"
    tiers = Counter(owned.ability.tier for owned in pilot.abilities)
    for number in COUNTED_TIERS:
        most = event.printed.tiers[number].most
        if most is not None and tiers[number] > most:
            yield f"{tiers[number]} abilities of tier {number}"
    if pilot.tokens - {owned.ability.id for owned in pilot.abilities if owned.ability.once}:
        yield "a token of an ability that has none"


def _of_memberships(event: Event, pilot: Pilot) -> Iterator[str]:
    """Yield what a pilot's stable, sponsors, team and loan cannot be."""
    names = [member.id for member in pilot.memberships]
    if len(set(names)) < len(names) or len(pilot.sponsors) > MOST_SPONSORS:
        yield f"sponsors {names}"
    if pilot.closed & set(names):
        yield f"back at {sorted(pilot.closed & set(names))}"
    if any(member.house not in (None, pilot.house) for member in pilot.memberships):
        yield f"of house {pilot.house} at {names}"
    if pilot.team is not None and pilot.id not in (
        event.teams[pilot.team].members if pilot.team in event.teams else ()
    ):
        yield f"not in the log of team {pilot.team}"
    if any(mech.team is not None and mech.team != pilot.team for mech in pilot.mechs):
        yield "a 'Mech of another team"
    builders = {None, *names}
    if not pilot.is_in_arena and any(mech.built_by not in builders for mech in pilot.mechs):
        yield "a changed 'Mech without its builder"
    if pilot.loan is not None and (pilot.loan.limit < 0 or pilot.loan.owed < 0):
        yield "a loan below 0"
    if pilot.loan is not None and pilot.loan.lender is not None and pilot.loan.lender not in event.pilots:
        yield "a loan of nobody"


def _of_kills(event: Event, pilot: Pilot) -> Iterator[str]:
    """Yield kills that the book does not have: each has its row (MC-AWD-04), chips and penalties too."""
    total = pilot.kills.solo + pilot.kills.assisted
    for name, kills in (("the day", pilot.day_kills), ("the final", pilot.final_kills)):
        if kills.solo > pilot.kills.solo or kills.assisted > pilot.kills.assisted:
            yield f"more kills of {name} than in all"
    if pilot.chips and not event.plays("betting"):
        yield "chips without betting"
    if total < 0 or pilot.earned < 0:
        yield "less than nothing earned"


def _of_cards(event: Event) -> Iterator[str]:
    """Yield cards and players that stand for two pilots."""
    living = [pilot for pilot in event.pilots.values() if pilot.alive]
    cards = Counter(pilot.card for pilot in living if pilot.card is not None)
    yield from (f"card {card} of {count} pilots" for card, count in cards.items() if count > 1)
    players = Counter(pilot.player for pilot in living)
    yield from (f"{player} plays {count} pilots" for player, count in players.items() if count > 1)


def _of_team(event: Event, team: Team) -> Iterator[str]:
    members = [event.pilots[name] for name in team.members]
    if any(member.team != team.id for member in members) or len(set(team.members)) < len(team.members):
        yield "members who are not in it"
    if min(team.fame, team.cp, team.c_bills) < 0:
        yield f"a log below 0: {team.fame} Fame, {team.cp} CP, {team.c_bills} C-bills"
    if len({member.stable.id for member in members if member.stable is not None}) > 1:
        yield "members in two stables"
    if team.sponsor is not None and any(team.sponsor in member.sponsors for member in members):
        yield "a sponsor of its own and of a member"


def _of_tables(event: Event) -> Iterator[str]:
    for table in event.tables.values():
        if table.turn < 1:
            yield f"{table.id}: turn {table.turn}"
        if set(table.order) - set(event.pilots) or len(set(table.order)) < len(table.order):
            yield f"{table.id}: an order of {table.order}"
        numbers = [fact.number for fact in table.facts]
        if numbers != sorted(set(numbers)) or any(number >= event.applied for number in numbers):
            yield f"{table.id}: facts out of order"
    for bet in event.bets.values():
        if bet.by not in event.pilots or (bet.against is not None and bet.against not in event.pilots):
            yield f"bet {bet.id} of nobody"


def _of_rankings(event: Event) -> Iterator[str]:
    names = sorted(event.pilots)
    if sorted(qualifier_ranking(event)) != names:
        yield "a ranking that leaves a pilot out"
    here = names if event.finalists is None or event.stage != "final" else sorted(event.finalists)
    if sorted(ranking(event)) != here:
        yield "a ranking that is not of the stage"
    players = [event.pilots[name].player for name in seats(event)]
    if len(set(players)) < len(players):
        yield "two seats for one player"
    if event.finalists is not None and len(event.finalists) > SEATS:
        yield f"{len(event.finalists)} in the final"


# --- the whole book --------------------------------------------------------------------------------------------------


def faults_of_folding(setup: Callable[[], Event], entries: Sequence[Entry]) -> Iterator[str]:
    """Yield what is wrong while entries are folded, each time a turn or day ends and at the end, with its number.

    `setup` makes the event without entries, each time a new one. The book is added up, and all is folded twice.
    """
    event = setup()
    starts = {name: _has(pilot) for name, pilot in event.pilots.items()}
    excused: set[str] = set()
    for number, entry in enumerate(entries):
        if entry.overruled is not None:
            excused |= {entry.pilot or "", entry.subject or ""}
        yield from (f"{number}: {fault}" for fault in _of_order(event, entry))
        apply(event, entry)
        if entry.what == "new_pilot" and entry.pilot is not None:
            starts[entry.pilot] = _has(event.pilots[entry.pilot])
        if entry.what == "give" and entry.facts.get("cp", 0) < 0:
            excused.add(entry.subject or "")
        if entry.what in ("end_turn", "end_day"):
            yield from (f"{number}: {fault}" for fault in faults(event, excused))
    yield from faults(event, excused)
    yield from faults_of_book(event, starts)
    again = setup()
    for entry in entries:
        apply(again, entry)
    yield from (f"folded again, other {name}" for name in _differences(event, again))


def _has(pilot: Pilot) -> Worth:
    return Worth(pilot.fame, pilot.cp, pilot.c_bills)


def _of_order(event: Event, entry: Entry) -> Iterator[str]:
    """Yield a step of the off-board cycle that goes back, unless the GM let it (MC-OBC-02)."""
    kind, pilot = KINDS[entry.what], event.pilots.get(entry.pilot or "")
    step = step_of(event, kind)
    if step is None or pilot is None or entry.overruled is not None:
        return
    if pilot.is_in_arena or step < pilot.cycle_step:
        yield f"{pilot.id}: {entry.what} at step {pilot.cycle_step} ({PHASE_OF[step]})"


def faults_of_book(event: Event, starts: Mapping[str, Worth]) -> Iterator[str]:
    """Yield pilots who have something else than they started with and the lines of the book moved."""
    moved = {name: list(start) for name, start in starts.items()}
    kills: Counter[str] = Counter()
    for line in event.lines:
        for place, amount in enumerate(line.worth):
            moved[line.pilot][place] += amount
        kills[line.pilot] += line.reason.startswith("kills.") and line.reason not in (TURRET, FAMOUS)
    for pilot in event.pilots.values():
        if Worth(*moved[pilot.id]) != _has(pilot):
            yield f"{pilot.id}: has {_has(pilot)}, the book says {Worth(*moved[pilot.id])}"
        counted_kills = pilot.kills.solo + pilot.kills.assisted
        if event.switches.penalty_rows and kills[pilot.id] != counted_kills:
            yield f"{pilot.id}: {counted_kills} kills, the book says {kills[pilot.id]}"


def _differences(event: Event, again: Event) -> Iterable[str]:
    """Return the names of what differs between two events."""
    return [found.name for found in fields(Event) if getattr(event, found.name) != getattr(again, found.name)]
