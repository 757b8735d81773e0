"""The page of a table: its pilots as tiles, what the open turn gives each, claims that wait, and the last row."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime

from challenge.forms.feats import SECONDARY, TOKEN, WOUND, Chosen
from challenge.forms.reasons import NEVER_OVERRULED
from challenge.models import Claim, Deck, Event
from challenge.models import Entry as StoredEntry
from challenge.presenters.feats import called, deed_text
from challenge.selectors.books import Book
from rules.challenge.book.rows import DEED, Row
from rules.challenge.deeds.doors import may_exit_in, on_board
from rules.challenge.entries import Entry, read_entry
from rules.challenge.folding import ChallengeRefused, not_of_open_turn
from rules.challenge.kinds import KINDS
from rules.challenge.memberships import can_be_suspended
from rules.challenge.state import Event as EventState
from rules.challenge.state import Line, Pilot
from rules.challenge.trial import tried
from rules.challenge.worth import NOTHING, Worth
from rules.core.digits import whole_number
from rules.core.refusals import Refusal, Refused
from rules.wording import sentence
from rules.wording.challenge_lines import line_sentence
from rules.wording.challenge_words import ammunition_name, worth_words
from web.languages.reader import translate

NOT_UNDONE_HERE = frozenset({"new_pilot", "approve", "sheets_in", "forfeit", "give", "stage", "end_day"})
"""Deeds of the board that belong to the desk or the GM: the last row of a table is none of them."""
LETTERS = {"light": "L", "medium": "M", "heavy": "H", "assault": "A"}


@dataclass(frozen=True)
class Reason:
    """A line of what a turn gives: its sentence, and its worth."""

    sentence: str
    worth: Worth
    is_chip: bool

    @property
    def words(self) -> str:
        """What it is worth, in words."""
        return worth_words(self.worth, translate, with_sign=True)


@dataclass
class PilotTile:
    """A pilot at the table.

    `letter` is the class of their 'Mech, `crippled_since` the turn in which it was crippled, None for one that is
    whole. `feats` says what the open turn has of theirs, `reasons` what they get or lose, `worth` their sum. `is_here`
    is false for a pilot who left in this turn.
    """

    pilot: Pilot
    letter: str
    is_crippled: bool
    crippled_since: int | None
    is_here: bool
    feats: list[str] = field(default_factory=list)
    reasons: list[Reason] = field(default_factory=list)

    @property
    def worth(self) -> Worth:
        """What the turn gives in all."""
        return Worth(*(sum(amounts) for amounts in zip(NOTHING, *(each.worth for each in self.reasons), strict=True)))

    @property
    def words(self) -> str:
        """What the turn gives in all, in words."""
        return worth_words(self.worth, translate, with_sign=True)


@dataclass(frozen=True)
class LastRow:
    """The last row of a table: its number, what it says, when it was entered, and all rows of the same press."""

    number: int
    text: str
    entered_at: datetime
    press: tuple[int, ...]


@dataclass(frozen=True)
class WaitingClaim:
    """A claim that nobody has answered, as lines.

    `sharers` are the others who claim the same fall, or have it already: with them it is an assist. `refused` is why
    it cannot be taken, "" for one that nobody has tried; `is_late` says that its turn is closed.
    """

    claim: Claim
    texts: list[str]
    sharers: str = ""
    refused: str = ""
    is_late: bool = False
    may_be_overruled: bool = False

    @property
    def pressed(self) -> list[tuple[str, int]]:
        """The press that a GM's reason overrules the refusal with; none where that cannot be."""
        return [("accept", self.claim.pk)] if self.may_be_overruled else []


@dataclass(frozen=True)
class TableView:
    """What the page of a table shows."""

    table: str
    turn: int
    is_open: bool
    tiles: list[PilotTile]
    order: list[str]
    chosen: Chosen
    actor: PilotTile | None
    targets: list[PilotTile]
    next_pilot: str
    tokens: list[tuple[str, str]]
    wounds: list[tuple[str, str]]
    own_loads: list[tuple[str, str]]
    claims: list[WaitingClaim]
    last: LastRow | None
    may_leave_early: bool
    must_wait: int | None
    has_deck: bool
    plays_bets: bool
    bets: int

    @property
    def in_time(self) -> list[WaitingClaim]:
        """The claims of the open turn: those that can still be taken."""
        return [each for each in self.claims if not each.is_late]


def at_table(state: EventState, table: str) -> list[Pilot]:
    """Return the pilots on the board of a table and those who left it in the open turn, by their cards."""
    here = {pilot.id for pilot in on_board(state, table)}
    for fact in state.table(table).facts:
        here.update(name for name in (*fact.entry.by, fact.entry.at) if name in state.pilots)
    return sorted((state.pilots[name] for name in here), key=lambda pilot: (pilot.card or 99, pilot.id))


def after_turn(state: EventState, table: str, more: Iterable[Entry] = ()) -> EventState:
    """Return what would be if the open turn of a table ended now, after more entries. Raises ChallengeRefused."""
    return tried(state, [*more, Entry("end_turn", table=table, turn=state.table(table).turn)])


def reasons_of(state: EventState, lines: Iterable[Line]) -> dict[str, list[Reason]]:
    """Return lines by pilot, each with its sentence; of a chip the worth is that of the chip."""
    found: dict[str, list[Reason]] = {}
    for line in lines:
        is_chip = bool(line.why.get("chip"))
        worth = state.printed.rows[line.reason].worth if is_chip and line.reason in state.printed.rows else line.worth
        found.setdefault(line.pilot, []).append(Reason(line_sentence(state, line, translate), worth, is_chip))
    return found


def lines_of_turn(book: Book, table: str, turn: int) -> list[Line]:
    """Return the lines that deeds on the board of a table have written in one of its turns."""
    deeds = [row.entry for row in book.counting if row.entry is not None]
    return [
        line
        for line in book.state.lines
        if line.turn == turn
        and line.entry < len(deeds)
        and deeds[line.entry].table == table
        and not KINDS[deeds[line.entry].what].off_board
        and deeds[line.entry].what not in NOT_UNDONE_HERE
    ]


def crippled_since(book: Book, name: str) -> int | None:
    """Return the turn in which a pilot's 'Mech was last crippled, None where the book does not say."""
    for row in reversed(book.counting):
        entry = row.entry
        if entry is not None and entry.what == "cripple" and entry.at == name:
            return entry.turn
    return None


def tiles_of(book: Book, table: str) -> list[PilotTile]:
    """Return the tiles of a table, with what the open turn gives each pilot so far."""
    state = book.state
    found = {pilot.id: _tile(book, table, pilot) for pilot in at_table(state, table)}
    for fact in state.table(table).facts:
        if fact.entry.what not in ("enter", "initiative"):
            for name in fact.entry.by or ([fact.entry.at] if fact.entry.at else []):
                if name in found:
                    found[name].feats.append(deed_text(state, fact.entry))
    numbers = {fact.number for fact in state.table(table).facts}
    booked = [line for line in lines_of_turn(book, table, state.table(table).turn) if line.entry in numbers]
    lines = [*booked, *_lines_at_end(state, table)]
    for name, reasons in reasons_of(state, lines).items():
        if name in found:
            found[name].reasons.extend(reasons)
    return list(found.values())


def _lines_at_end(state: EventState, table: str) -> Sequence[Line]:
    try:
        return after_turn(state, table).lines
    except ChallengeRefused:
        return ()


def _tile(book: Book, table: str, pilot: Pilot) -> PilotTile:
    model = book.state.table(table).models.get(pilot.id) or (pilot.mech.model if pilot.mech else None)
    is_crippled = pilot.mech is not None and pilot.mech.state == "crippled"
    return PilotTile(
        pilot,
        LETTERS[model.weight_class] if model is not None else "",
        is_crippled,
        crippled_since(book, pilot.id) if is_crippled else None,
        pilot.is_in_arena and pilot.table == table,
    )


def last_row(book: Book, table: str) -> Row | None:
    """Return the last row that stands at a table, None where there is nothing to undo."""
    found = [
        row
        for row in book.counting
        if row.entry is not None
        and row.kind == DEED
        and row.before is None
        and row.entry.table == table
        and not KINDS[row.entry.what].off_board
        and row.entry.what not in NOT_UNDONE_HERE
    ]
    return found[-1] if found else None


def last_press(event: Event, book: Book, table: str) -> LastRow | None:
    """Return the last row of a table with all rows of the press that wrote it; one query."""
    row = last_row(book, table)
    if row is None or row.entry is None:
        return None
    stored = list(
        StoredEntry.objects.filter(event=event, number__gt=row.number - MOST_OF_A_PRESS, number__lte=row.number)
        .order_by("-number")
        .values_list("number", "client_id", "entered_at")
    )
    own = press_of(stored[0][1])
    press = []
    for number, client_id, _at in stored:
        if press_of(client_id) != own:
            break
        if number not in book.undone:
            press.append(number)
    return LastRow(row.number, deed_text(book.state, row.entry), stored[0][2], tuple(press))


MOST_OF_A_PRESS = 60
"""Rows that one press may write and its undo looks at."""


def press_of(client_id: str) -> str:
    """Return what the client ids of all rows of one press begin with.

    >>> press_of("7f3a-0") == press_of("7f3a-1")
    True
    """
    head, dash, tail = client_id.rpartition("-")
    return head if dash and whole_number(tail) is not None else client_id


def waiting_claims(
    event: Event, state: EventState, table: str, refused: Mapping[int, Refused] | None = None
) -> list[WaitingClaim]:
    """Return the feats that wait for an answer at a table, with the refusals of those just tried; one query."""
    claims = Claim.objects.filter(event=event, table=table, kind=Claim.Kind.FEAT, state=Claim.State.WAITING).order_by(
        "pk"
    )
    read = [(claim, [read_entry(each, KINDS) for each in claim.documents]) for claim in claims]
    late = {claim.pk: refusal for claim, entries in read if (refusal := late_refusal(state, entries)) is not None}
    falls: dict[tuple[str | None, str | None], dict[str, None]] = {}
    for entry in [
        *(fact.entry for fact in state.table(table).facts),
        *(entry for claim, entries in read if claim.pk not in late for entry in entries),
    ]:
        if entry.what == "kill":
            falls.setdefault((entry.at, entry.phase), {}).update(dict.fromkeys(entry.by))
    found = []
    for claim, entries in read:
        own = [(entry.at, entry.phase) for entry in entries if entry.what == "kill" and claim.pk not in late]
        others = dict.fromkeys(name for fall in own for name in falls[fall] if name != claim.pilot)
        problem: Refusal | Refused | None = (refused or {}).get(claim.pk) or late.get(claim.pk)
        found.append(
            WaitingClaim(
                claim,
                [deed_text(state, entry) for entry in entries],
                ", ".join(called(state, name) for name in others),
                sentence(problem.code, problem.parameters, translate) if problem is not None else "",
                claim.pk in late,
                problem is not None and problem.code not in {*NEVER_OVERRULED, "turn_open_at_table"},
            )
        )
    return found


def late_refusal(state: EventState, entries: Iterable[Entry]) -> Refusal | None:
    """Return why a claim can never be taken any more: the turn of one of its feats is closed."""
    refusals = (refusal for entry in entries for refusal in not_of_open_turn(state, entry))
    return next((refusal for refusal in refusals if refusal.code == "turn_closed"), None)


def table_view(
    event: Event, book: Book, table: str, chosen: Chosen, refused: Mapping[int, Refused] | None = None
) -> TableView:
    """Return the page of a table, with the refusals of claims that were just tried; three queries."""
    state = book.state
    tiles = tiles_of(book, table)
    names = [tile.pilot.id for tile in tiles if tile.is_here]
    actor = next((tile for tile in tiles if tile.pilot.id == chosen.by), None)
    wait = None
    if actor is not None and actor.is_here and not actor.pilot.has("inside_contact"):
        first = may_exit_in(state, actor.pilot)
        wait = first if first > state.table(table).turn else None
    return TableView(
        table=table,
        turn=state.table(table).turn,
        is_open=bool(state.table(table).facts),
        tiles=tiles,
        order=[name for name in state.table(table).order if name in state.pilots],
        chosen=chosen,
        actor=actor,
        targets=[tile for tile in tiles if tile is not actor],
        next_pilot=following(names, chosen.by),
        tokens=[(f"{TOKEN}{owned.ability.id}", owned.ability.name) for owned in actor.pilot.abilities
                if owned.ability.id in actor.pilot.tokens] if actor else [],
        wounds=[(f"{WOUND}{ability}", name) for ability, name in lost_to_a_wound(actor.pilot)] if actor else [],
        own_loads=[(f"{SECONDARY}{kind}", ammunition_name(kind, translate)) for kind in _own_loads(actor.pilot)]
        if actor else [],
        claims=waiting_claims(event, state, table, refused),
        last=last_press(event, book, table),
        may_leave_early=wait is not None and state.early_leaving is not None,
        must_wait=wait,
        has_deck=Deck.objects.filter(event=event, table=table, turn=state.table(table).turn).exists(),
        plays_bets=state.plays("betting"),
        bets=len(state.bets),
    )  # fmt: skip


def lost_to_a_wound(pilot: Pilot) -> list[tuple[str, str]]:
    """Return the abilities of which the player chooses one for a wound, none where there is no choice (MC-WOUND-01)."""
    found = can_be_suspended(pilot)
    return [(owned.ability.id, translate(owned.ability.name)) for owned in found] if len(found) > 1 else []


def _own_loads(pilot: Pilot) -> list[str]:
    """Return the special loads with which a pilot's stable gives no row for secondary targets (MC-STAB-08)."""
    return [
        kind
        for member in pilot.memberships
        if member.effects.no_award_with_own_ammunition
        for kind in member.ammunition
    ]


def following(names: Sequence[str], name: str) -> str:
    """Return who comes after a pilot by their cards, the first after the last; "" for nobody."""
    if not names:
        return ""
    return names[(names.index(name) + 1) % len(names)] if name in names else names[0]
