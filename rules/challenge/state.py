"""What an event is at one moment: its pilots, tables, teams, and the lines of its book.

Everything here follows from the setup and the entries, and is thrown away with them. Only `Event.post` changes Fame,
CP and C-bills, and it writes a line that says why.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from rules.challenge.entries import Entry
from rules.challenge.mechs import Mech, MechModel
from rules.challenge.switches import Switches
from rules.challenge.tables import Ability, Effects, FameEvent, Membership, Tables
from rules.challenge.worth import NOTHING, Worth

FATAL_WOUNDS = 6
"""Hits on the pilot of which they die, once the GM confirms it (MCQ-DEATH-01)."""

ROLL_THAT_STANDS = "roll of the prison"
"""What is noted of a killed pilot whom the roll of Solaris Prison did not save, until Edge rolls again."""

MINIMUM_TURNS = 6
"""Turns on the field before a pilot may leave by a portal (MC-EXIT-01), unless the GM says otherwise."""

START = Worth(0, 10, 3_000_000)
GUNNERY, PILOTING = 3, 4
EDGE_HELD = 3
"""What a new pilot has, and the most Edge cards that a pilot holds (MC-PILOT-01, MC-EDGE-06)."""

STAGES = ("qualifier", "final")


class Line(NamedTuple):
    """A line of the book: what a pilot gained or paid, by which entry, and why.

    `reason` is a row of the event table (`kills.G`) or a code such as `death`; `why` holds the figures
    that its sentence needs.
    """

    entry: int
    table: str
    turn: int
    pilot: str
    reason: str
    worth: Worth
    why: Mapping[str, Any]


class Chip(NamedTuple):
    """An award that has not been cashed (MC-BET-02): its row, what it pays, and who earned it; None for the house."""

    row: str
    worth: Worth
    earned_by: str | None


@dataclass(slots=True)
class OwnedAbility:
    """An ability that a pilot bought, what they chose with it, and whether a wound suspends it."""

    ability: Ability
    choice: str | None = None
    suspended: bool = False
    waits: bool = False
    """Suspended only because an ability that it needs is (MCQ-ABIL-06)."""


@dataclass(slots=True)
class Loan:
    """Money that a pilot owes.

    From the underworld, `limit` is how far below 0 their cash may fall; `drawn` says whether it has. `owed` is what is
    to be repaid where the loan is paid out, and to a stablemate with the stable's share (MC-STSP-05).
    """

    limit: int = 0
    drawn: bool = False
    owed: int = 0
    lender: str | None = None
    stable: str | None = None


@dataclass(slots=True)
class Kills:
    """Kills of a pilot, alone and with others."""

    solo: int = 0
    assisted: int = 0

    def total(self, assist_weight: float = 1) -> float:
        """Return all kills, an assisted one as much as the event says (MCQ-RANK-01)."""
        return self.solo + self.assisted * assist_weight


@dataclass(slots=True)
class Pilot:
    """A pilot and all that they have."""

    id: str
    player: str
    fame: int = START.fame
    cp: int = START.cp
    c_bills: int = START.c_bills
    house: str | None = None
    abilities: list[OwnedAbility] = field(default_factory=list)
    tokens: set[str] = field(default_factory=set)
    stable: Membership | None = None
    sponsors: list[Membership] = field(default_factory=list)
    closed: set[str] = field(default_factory=set)
    """Stables and sponsors that never take the pilot again (MC-MEM-08)."""
    dropped: set[str] = field(default_factory=set)
    """Sponsors that dropped the pilot and take them again, without the gain (MC-ADVSP-07)."""
    favours: set[str] = field(default_factory=set)
    """Sponsors that a favour keeps at their next look (MC-ADVSP-05)."""
    loan: Loan | None = None
    debt: Worth = NOTHING
    """What a dismissal has cost beyond what was there; it bars from signing (MCQ-MEM-03)."""
    wounds: int = 0
    tough_hit_taken: bool = False
    edge: int = 1
    approved: bool = True
    """Whether a judge lets the pilot play (MC-GEN-03)."""
    card: int | None = None
    """The number of their initiative card."""
    sheets_in: bool = True
    """Whether a judge has the sheets of a pilot who is off the board (MC-GEN-05)."""
    forfeited: bool = False
    """Out of the tournament by the GM's word."""
    auto_eject: bool = True
    """Whether the sheet lets the 'Mech throw its pilot out (MC-EJECT-01)."""
    rebar: bool = False
    """Whether the 'Mech carries rebar as a club (MC-REBAR-02)."""
    mechs: list[Mech] = field(default_factory=list)
    coupon: bool = False
    team: str | None = None
    kills: Kills = field(default_factory=Kills)
    day_kills: Kills = field(default_factory=Kills)
    final_kills: Kills = field(default_factory=Kills)
    chips: list[Chip] = field(default_factory=list)
    alive: bool = True
    unconscious_since: int | None = None
    eliminated: bool = False
    """Out of the final for good."""
    table: str = "main"
    in_arena_since: int | None = None
    left_turns: dict[str, int] = field(default_factory=dict)
    """The turn of each table when the pilot left the arena; empty for a pilot who has not been in one (MCQ-OBC-01)."""
    portal: str | None = None
    cycle_step: int = 0
    """The step of the off-board cycle that the pilot has come to."""
    earned: int = 0
    """C-bills of awards and cashed chips since the pilot last entered an arena (MCQ-ADV-05)."""
    bonus_taken: bool = False
    prize_cp: int = 0
    """CP of Murdock that wait until chips are cashed (MCQ-BET-06)."""
    replacement_rolls: list[bool] = field(default_factory=list)
    """O'Neals' rolls in this cycle, and which succeeded."""
    overruns: int = 0
    forced_sales: list[Mech] = field(default_factory=list)
    """'Mechs sold because the pilot left who had let them be changed; they may come back (MC-MEM-09)."""
    noted: dict[str, tuple[tuple[str, int], ...]] = field(default_factory=dict)
    """What the pilot last did in which off-board cycle, for what may be done once in each."""

    @property
    def cycle_mark(self) -> tuple[tuple[str, int], ...]:
        """The turns in which the pilot left the arena, which no other off-board cycle has."""
        return tuple(sorted(self.left_turns.items()))

    def did(self, what: str) -> bool:
        """Return whether `what` has been noted in this off-board cycle."""
        return self.noted.get(what) == self.cycle_mark

    def note(self, what: str) -> None:
        """Note that `what` was done in this off-board cycle."""
        self.noted[what] = self.cycle_mark

    @property
    def mech(self) -> Mech | None:
        """The 'Mech that the pilot uses: the first of theirs."""
        return self.mechs[0] if self.mechs else None

    @property
    def is_in_arena(self) -> bool:
        """Whether the pilot is on the board."""
        return self.in_arena_since is not None

    @property
    def is_fatally_hit(self) -> bool:
        """Whether a living pilot has a fatal number of wounds: the GM decides (MCQ-DEATH-01)."""
        return self.alive and self.wounds >= FATAL_WOUNDS

    @property
    def memberships(self) -> list[Membership]:
        """The stable and the sponsors."""
        return [*([self.stable] if self.stable else []), *self.sponsors]

    @property
    def effects(self) -> list[Effects]:
        """The changes that stable and sponsors bring."""
        return [membership.effects for membership in self.memberships]

    def has(self, ability: str) -> bool:
        """Return whether the pilot has an ability that no wound suspends."""
        return any(owned.ability.id == ability and not owned.suspended for owned in self.abilities)

    def events_on(self, what: str) -> list[tuple[str, FameEvent]]:
        """Return what stable and sponsors give or take when `what` happens, each with the id of the giver."""
        return [(member.id, event) for member in self.memberships for event in member.events if event.on == what]

    @property
    def most_edge(self) -> int:
        """The most Edge cards that the pilot may hold (MC-EDGE-06)."""
        return max([EDGE_HELD, *(effects.most_edge for effects in self.effects)])

    @property
    def gunnery(self) -> int:
        """The gunnery skill; lower is better (MC-ABIL-08)."""
        return min([GUNNERY, *(owned.ability.gunnery or GUNNERY for owned in self.abilities if not owned.suspended)])

    @property
    def piloting(self) -> int:
        """The piloting skill; lower is better (MC-ABIL-08)."""
        skills = (owned.ability.piloting or PILOTING for owned in self.abilities if not owned.suspended)
        return min([PILOTING, *skills])


@dataclass(slots=True)
class Team:
    """A team's log and its members (MC-TEAM-01)."""

    id: str
    members: list[str]
    fame: int = 0
    cp: int = 0
    c_bills: int = 0
    sponsor: Membership | None = None


@dataclass(slots=True)
class Bet:
    """A bet on one event: who holds against whom, None for the house, and what each has staked."""

    id: str
    by: str
    against: str | None
    on: str
    stakes: tuple[Chip, Chip | None]


class Fact(NamedTuple):
    """An entry of the open turn, and its number among all entries."""

    number: int
    entry: Entry


@dataclass(slots=True)
class Table:
    """A table of the event: its turn, and what has been entered in that turn."""

    id: str
    turn: int = 1
    facts: list[Fact] = field(default_factory=list)
    """The entries of the open turn."""
    order: list[str] = field(default_factory=list)
    """The pilots in the initiative order of the open turn, once it is known."""
    models: dict[str, MechModel] = field(default_factory=dict)
    """The 'Mech with which each pilot last entered here."""
    crippled_before: set[str] = field(default_factory=set)
    """Pilots whose 'Mechs were crippled when the turn began (MC-AWD-08)."""


@dataclass(slots=True)
class Event:
    """An event: its switches and lists, its pilots and tables, and its book."""

    switches: Switches = field(default_factory=Switches)
    options: frozenset[str] = frozenset()
    minimum_turns: int = MINIMUM_TURNS
    most_value: int | None = None
    """The greatest book cost of a 'Mech in this session (MC-LIMIT-01)."""
    allowed_class: str | None = None
    chip_colours: Mapping[str, str] = field(default_factory=dict)
    """The colours of chips by table of the event table, where the GM has others than the suggested ones (MC-BET-01)."""
    early_leaving: Worth | None = None
    """What leaving before the least turns costs; None: nobody may (MC-EXIT-02, MCQ-EXIT-02)."""
    stage: str = "qualifier"
    finalists: tuple[str, ...] | None = None
    """The pilots of the final in the order of their seats; None where nobody has been seated."""
    models: dict[str, MechModel] = field(default_factory=dict)
    pilots: dict[str, Pilot] = field(default_factory=dict)
    teams: dict[str, Team] = field(default_factory=dict)
    tables: dict[str, Table] = field(default_factory=dict)
    bets: dict[str, Bet] = field(default_factory=dict)
    day: int = 1
    day_winners: dict[int, str] = field(default_factory=dict)
    """Who won each day that is over (MC-RANK-01)."""
    lines: list[Line] = field(default_factory=list)
    applied: int = 0
    """How many entries have been folded in."""

    @property
    def printed(self) -> Tables:
        """The printed tables."""
        return Tables.of(self.switches.table_printing)

    def plays(self, option: str) -> bool:
        """Return whether an optional rule is in play."""
        return option in self.options

    def table(self, name: str) -> Table:
        """Return a table; a name that is new opens one."""
        return self.tables.setdefault(name, Table(name))

    def post(self, pilot: Pilot, reason: str, worth: Worth, /, **why: Any) -> None:
        """Change what a pilot has, and write the line that says why."""
        if self.switches.fame_floor and pilot.fame + worth.fame < 0:
            worth = worth._replace(fame=-pilot.fame)
        pilot.fame += worth.fame
        pilot.cp += worth.cp
        pilot.c_bills += worth.c_bills
        turn = self.table(pilot.table).turn
        self.lines.append(Line(self.applied, pilot.table, turn, pilot.id, reason, worth, why))
        self._settle_loan(pilot)

    def _settle_loan(self, pilot: Pilot) -> None:
        """Note a drawn loan, and erase one that is covered again (MC-LOAN-06, MCQ-LOAN-02)."""
        loan = pilot.loan
        if loan is None or not loan.limit:
            return
        if pilot.c_bills < 0:
            loan.drawn = True
        elif loan.drawn and (pilot.c_bills > 0 or not self.switches.loan_erased_above_zero):
            pilot.loan = None
