"""The puzzle of a day: a job finds it ahead of time, visitors answer it, and a match goes on from its moment."""

from __future__ import annotations

from datetime import date
from functools import partial

from django.contrib.sessions.backends.base import SessionBase
from django.contrib.sessions.models import Session
from django.db import transaction
from django.db.models import F

from jobs.run import Run
from jobs.runner import give_way
from matches.models import Match, MatchAction, PuzzleCount
from matches.models import Puzzle as Stored
from matches.services.finished.continuing import begin_after
from people.models import User
from people.services.accounts import Limit, TooOften, count_attempt
from rules.competition.match import Match as EngineMatch
from rules.core.refusals import Refused
from rules.measuring.puzzles import MOST_MATCHES, Puzzle, puzzle_in

JOB = "matches.puzzle"

RIVAL = "greedy"
"""The AI of a match that goes on from a puzzle: the usual one, which answers at once."""

ANSWERS_OF_A_PLACE = Limit("puzzle", 60)
"""How many answers of one place count in an hour: a club behind one address, but no flood."""

ANSWERS = "puzzles"
"""Where the browser's session keeps which order was chosen, by day."""

MOST_KEPT = 100
"""How many answers a session keeps: the newest."""


def job_key(day: date) -> str:
    """Return the unique key of the job that finds the puzzle of a day."""
    return f"matches:puzzle:{day.isoformat()}"


def find(run: Run) -> None:
    """Find and store the puzzle of a day, in the job `run`. Payload: day. Call it outside transactions.

    Each duel is a step. After MOST_MATCHES without a puzzle the day has none. A second call changes nothing. Raises
    what `give_way` and `Run.once` raise.
    """
    seed = run.payload["day"]
    for number in range(MOST_MATCHES):
        name = f"duel {number}"
        is_new = not run.has_done(name)
        found = puzzle_in(seed, number) if is_new else None
        if run.once(name, partial(_store, date.fromisoformat(seed), found)):
            return
        if is_new:
            give_way(run)


def _store(day: date, puzzle: Puzzle | None) -> bool:
    """Store the puzzle of a day and say whether there is one."""
    if puzzle is None:
        return False
    Stored.objects.get_or_create(day=day, defaults={"document": puzzle.to_json()})
    return True


def answers_in(session: SessionBase) -> dict[str, int]:
    """Return the places of the orders that a visitor has chosen, by day."""
    return dict(session.get(ANSWERS, {}))


def take_answer(session: SessionBase, day: date, chosen: int, is_right: bool, place: str) -> None:
    """Keep which order a visitor chose in their session, and count it. The first answer of a session stays.

    An answer above the limit of its `place` (an address) is kept and not counted: they still see the solution.
    """
    with transaction.atomic():
        # Two requests of one session come one after the other, and the later one sees what the earlier one kept.
        list(Session.objects.select_for_update().filter(session_key=session.session_key))
        answers = answers_in(type(session)(session.session_key))
        if day.isoformat() in answers:
            return
        session[ANSWERS] = dict([*answers.items(), (day.isoformat(), chosen)][-MOST_KEPT:])
        session.save()
        try:
            count_attempt(ANSWERS_OF_A_PLACE, place)
        except TooOften:
            return
        PuzzleCount.objects.get_or_create(day=day)
        PuzzleCount.objects.filter(day=day).update(answered=F("answered") + 1, found=F("found") + int(is_right))


def moment_of(puzzle: Puzzle) -> EngineMatch:
    """Return the duel at the moment of a puzzle. Raises Refused (moment_of_other_rules)."""
    engine = puzzle.played()
    if engine is None:
        raise Refused("moment_of_other_rules")
    return engine


def play_on(puzzle: Puzzle, engine: EngineMatch, user: User) -> Match:
    """Begin a match of `user` against the AI that goes on from the moment of a puzzle, and return it.

    They play the side to order. `engine` comes from `moment_of`. Call it outside transactions. Raises TooOften
    (too_often).
    """
    units = {unit["id"]: side["id"] for side in puzzle.setup["sides"] for unit in side["units"]}
    steps = [MatchAction(sequence=0, events=engine.events[0])]
    for number, action in enumerate(engine.actions, start=1):
        side = units.get(str(action.get("unit")), "")
        steps.append(MatchAction(sequence=number, side=side, action=action, events=engine.events[number]))
    seed = bytes.fromhex(puzzle.seed)
    return begin_after(puzzle.whole_setup, seed, steps, user, str(puzzle.decision["side"]), RIVAL)
