"""The jobs of matches that people play."""

from __future__ import annotations

from datetime import UTC, timedelta

from django.conf import settings
from django.utils import timezone

from jobs.registry import job, periodic
from jobs.run import Run
from jobs.services import enqueue
from matches.models import Match
from matches.selectors import time_banks
from matches.selectors.puzzles import shipped
from matches.services import finishing, forecasts, matches, puzzles, turns
from matches.services.finished import turning_points
from people.models import User


@job("matches.tell_turn")
def tell_turn(run: Run) -> None:
    """Write the notice of a turn, once, if a person still must decide. Payload: match, sequence."""
    match_id = run.payload["match"]
    person = turns.whose_turn(match_id, run.payload["sequence"])
    if person is not None:
        run.once("tell", lambda: turns.tell_turn(match_id, person))


@periodic("matches.turns")
def scan_for_turns() -> None:
    """Enqueue a notice for each turn that waits, once a turn."""
    for match_id, sequence in turns.waiting_turns():
        payload = {"match": match_id, "sequence": sequence}
        enqueue("matches.tell_turn", payload, unique_key=turns.job_key(match_id, sequence))


@job("matches.time_up")
def time_up(run: Run) -> None:
    """Let the AI answer for a side if its time has run out since the step. Payload: match, sequence, seat."""
    matches.answer_expired(run.payload["match"], run.payload["sequence"], run.payload["seat"])


@periodic("matches.time_banks")
def scan_for_empty_banks() -> None:
    """Enqueue an answer for each side whose time ran out, once for a bank at a step."""
    for each in time_banks.run_out():
        payload = {"match": each.match_id, "sequence": each.sequence, "seat": each.seat_id}
        key = f"matches:{each.match_id}:time:{each.sequence}:{each.seat_id}:{each.bank_seconds}"
        enqueue("matches.time_up", payload, unique_key=key)


@job(finishing.JOB)
def finish(run: Run) -> None:
    """Play a match to its end for a person who still may give it to the AI. Payload: match, user.

    Raises Refused (stale_action) when the person plays on at the same time; then the job is tried again.
    """
    match = Match.objects.filter(pk=run.payload["match"]).first()
    user = User.objects.filter(pk=run.payload["user"]).first()
    if match is not None and user is not None and finishing.may_finish(match, user):
        finishing.play_out_for(match, user.pk)


@job(turning_points.JOB, priority="low")
def look_through(run: Run) -> None:
    """Look for the turning points of a person in a finished match. Payload: match, user."""
    turning_points.look_through(run)


@job(forecasts.JOB, priority="lower")
def forecast(run: Run) -> None:
    """Count the play-outs of all rounds of a match that have begun by now. Payload: match.

    A finished match is left to `forecast_afterwards`. Raises what `count_on` raises.
    """
    match = Match.objects.filter(pk=run.payload["match"]).first()
    if match is None:
        return
    if match.is_over:
        forecasts.pass_on(forecasts.AFTERWARDS, forecasts.curve_key(match.pk, "afterwards"), match=match.pk)
    else:
        forecasts.count_on(run, forecasts.of_match(match))


@job(forecasts.AFTERWARDS, priority="lowest")
def forecast_afterwards(run: Run) -> None:
    """Count the play-outs of all rounds of a finished match. Payload: match. Raises what `count_on` raises."""
    match = Match.objects.filter(pk=run.payload["match"]).first()
    if match is not None:
        forecasts.count_on(run, forecasts.of_match(match))


@periodic("matches.forecasts")
def scan_for_missing_forecasts() -> None:
    """Ask for the forecasts that the newest finished matches lack."""
    forecasts.ask_for_missing()


@job(puzzles.JOB, priority="lowest")
def find_puzzle(run: Run) -> None:
    """Find the puzzle of a day. Payload: day."""
    puzzles.find(run)


@periodic("matches.puzzles")
def scan_for_missing_puzzles() -> None:
    """Ask for the puzzles of this day and the next, once for each day (UTC), unless the setting PUZZLES is off."""
    if not settings.PUZZLES:
        return
    today = timezone.now().astimezone(UTC).date()
    for day in (today, today + timedelta(days=1)):
        if day not in shipped():
            enqueue(puzzles.JOB, {"day": day.isoformat()}, unique_key=puzzles.job_key(day))
