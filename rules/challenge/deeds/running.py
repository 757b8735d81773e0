"""What the GM and the agents enter to run the event: gifts, new pilots, the end of a turn and of a day, the stage."""

from __future__ import annotations

from collections.abc import Iterator

from rules.challenge.awards import give_awards
from rules.challenge.deeds.desk import admit
from rules.challenge.deeds.doors import leave, on_board
from rules.challenge.entries import AMOUNT, NAME, SENTENCE, TRUTH, Entry, Kind
from rules.challenge.mechs import CLASSES
from rules.challenge.memberships import check_stable_fame
from rules.challenge.newcomers import start_of_newcomer
from rules.challenge.ranking import SEATS, day_ranking, seats
from rules.challenge.shared_checks import living_of, needs_one, not_in_arena, subject_of, unknown
from rules.challenge.state import STAGES, Event, Pilot
from rules.challenge.worth import Worth
from rules.core.refusals import Refusal
from rules.core.shapes import listed, text, whole, word


def _check_pilot(event: Event, entry: Entry) -> Iterator[Refusal]:
    yield from needs_one(event, entry)
    yield from unknown(event, entry)


def _give(event: Event, entry: Entry) -> None:
    """Give or take Fame, CP or C-bills, with the GM's reason."""
    worth = Worth(entry.facts.get("fame", 0), entry.facts.get("cp", 0), entry.facts.get("c_bills", 0))
    event.post(subject_of(event, entry), "given", worth, reason=entry.facts.get("reason", ""))


def _check_new(event: Event, entry: Entry) -> Iterator[Refusal]:
    """Refuse a name that serves already, and a second pilot for a player whose first one lives (MC-DEATH-02)."""
    yield from needs_one(event, entry)
    if entry.pilot in event.pilots:
        yield Refusal("pilot_name_taken", {"pilot": entry.pilot})
    player = entry.facts.get("player")
    living = living_of(event, player)
    if player is not None and living is not None:
        yield Refusal("player_has_pilot", {"player": player, "pilot": living.id})


def _new_pilot(event: Event, entry: Entry) -> None:
    """Open the record of a pilot (MC-PILOT-01); a newcomer may start with more (MC-NEW-01, MC-NEW-02).

    With `approved` false a player has written themselves in, and a judge has yet to approve (MC-GEN-03).
    """
    name = entry.pilot or ""
    start = start_of_newcomer(event, entry.facts.get("class"))
    pilot = event.pilots[name] = Pilot(
        name, entry.facts.get("player", name), start.fame, start.cp, start.c_bills, edge=0, approved=False,
        table=entry.table,
    )  # fmt: skip
    if entry.facts.get("approved", True):
        admit(event, pilot)


def _end_turn(event: Event, entry: Entry) -> None:
    """Give the awards of the turn (MC-AWD-01), remove who stays unconscious (MC-KO-01), and begin the next turn."""
    table = event.table(entry.table)
    give_awards(event, table)
    if event.switches.stable_drop == "at_once" and event.plays("advanced_stables"):
        for pilot in event.pilots.values():
            check_stable_fame(event, pilot)
    if event.plays("knock_outs") and event.stage != "final":
        for pilot in on_board(event, table.id):
            if pilot.unconscious_since is not None and pilot.unconscious_since < table.turn:
                leave(event, pilot)
    table.facts.clear()
    table.order.clear()
    table.turn += 1
    table.crippled_before = {
        pilot.id for pilot in on_board(event, table.id) if pilot.mech and pilot.mech.state == "crippled"
    }


def _turns_open(event: Event) -> Iterator[Refusal]:
    for table in event.tables.values():
        if table.facts:
            yield Refusal("turn_open_at_table", {"table": table.id, "turn": table.turn})


def _check_end_day(event: Event, entry: Entry) -> Iterator[Refusal]:
    """Refuse to end a day within a turn, with bets open, or with chips that are not cashed (MC-BET-08).

    The dead have closed their records: their chips lapse.
    """
    yield from _turns_open(event)
    for bet in event.bets:
        yield Refusal("bet_open", {"bet": bet})
    for pilot in event.pilots.values():
        if pilot.chips and pilot.alive:
            yield Refusal("chips_left", {"pilot": pilot.id, "chips": len(pilot.chips)})


def _end_day(event: Event, entry: Entry) -> None:
    """Close the day: its winner is kept (MC-RANK-01), its kills, Edge and tokens begin again (MC-EDGE-01, 07)."""
    winner = next((name for name in day_ranking(event) if not event.pilots[name].forfeited), None)
    if winner is not None:
        event.day_winners[event.day] = winner
    event.day += 1
    for pilot in event.pilots.values():
        pilot.day_kills.solo = pilot.day_kills.assisted = 0
        if event.switches.reset_period == "day":
            deal_anew(pilot)


def deal_anew(pilot: Pilot) -> None:
    """Give a pilot one Edge card in place of what they held, and the tokens of their abilities."""
    pilot.edge = 1
    pilot.tokens = {owned.ability.id for owned in pilot.abilities if owned.ability.once}


def _check_stage(event: Event, entry: Entry) -> Iterator[Refusal]:
    """Refuse a new stage within a turn, and finalists without a right to a seat (MC-RANK-02, MCQ-RANK-03)."""
    yield from _turns_open(event)
    names = entry.facts.get("finalists", [])
    for name in names:
        if name not in event.pilots:
            yield Refusal("pilot_unknown", {"pilot": name})
        elif name not in seats(event):
            yield Refusal("no_seat", {"pilot": name})


def _stage(event: Event, entry: Entry) -> None:
    """Begin the qualifier or the final: in the final nobody comes back (MC-EXIT-03).

    The finalists are those whom the GM has ticked as present, or else the first eight (MC-RANK-02).
    """
    if entry.facts["stage"] == "final":
        event.finalists = tuple(entry.facts.get("finalists") or seats(event)[:SEATS])
    else:
        event.finalists = None
    event.stage = entry.facts["stage"]
    for pilot in event.pilots.values():
        pilot.eliminated = False
        pilot.final_kills.solo = pilot.final_kills.assisted = 0


def _check_overrun(event: Event, entry: Entry) -> Iterator[Refusal]:
    refusals = list(_check_pilot(event, entry))
    yield from refusals
    if not refusals:
        yield from not_in_arena(subject_of(event, entry))


def _overrun(event: Event, entry: Entry) -> None:
    """Note that a movement took longer than its minute (MC-AREA-05)."""
    subject_of(event, entry).overruns += 1


def _nothing(event: Event, entry: Entry) -> None:
    """Change nothing: a note earns nothing."""


_FINALISTS = {**listed(NAME, 1, SEATS), "uniqueItems": True}
_STAGE = {
    "stage": word(*STAGES), "finalists": _FINALISTS, "absent": _FINALISTS, "reason": SENTENCE, "drawn": _FINALISTS,
}  # fmt: skip
"""`absent` are those of the first eight who are not there, `reason` says why, `drawn` are those with a seat by lot."""
KINDS = (
    Kind("give", _give, _check_pilot, {"fame": AMOUNT, "cp": AMOUNT, "c_bills": AMOUNT, "reason": text(200)}),
    Kind("new_pilot", _new_pilot, _check_new, {"player": NAME, "class": word(*CLASSES), "approved": TRUTH}),
    Kind("stage", _stage, _check_stage, _STAGE, ("stage",)),
    Kind("end_turn", _end_turn),
    Kind("end_day", _end_day, _check_end_day),
    Kind("overrun", _overrun, _check_overrun),
    Kind("noted", _nothing, facts={"text": text(200), "points": whole(0, 999)}),
)
