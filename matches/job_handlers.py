"""The jobs of matches that people play."""

from __future__ import annotations

from jobs.registry import job, search
from jobs.runner import Run
from jobs.services import enqueue
from matches import turns


@job("matches.tell_turn")
def tell_turn(run: Run) -> None:
    """Tell a person that it is their turn, once. Payload: match, sequence."""
    match_id = run.payload["match"]
    person = turns.whose_turn(match_id, run.payload["sequence"])
    if person is not None:
        run.once("tell", lambda: turns.tell_turn(match_id, person))


@search("matches.turns")
def look_for_turns() -> None:
    """Ask to tell the turns that wait; the same turn asks once."""
    for match_id, sequence in turns.waiting_turns():
        payload = {"match": match_id, "sequence": sequence}
        enqueue("matches.tell_turn", payload, unique_key=f"matches:{match_id}:turn:{sequence}")
