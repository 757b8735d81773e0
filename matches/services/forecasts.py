"""Forecasts in the database: play-outs that jobs count and store, a part at a time.

A row holds the first play-outs of a question. Each job adds the next ones by a conditional update, so a worker that is
late, or killed, neither doubles nor loses any stored ones. Play-outs are numbered, so the result does not depend on who
counts them, on interruptions, or on the speed of the machine. Pages only read.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from datetime import timedelta
from functools import partial
from typing import Any

from django.conf import settings
from django.db import IntegrityError, transaction
from django.db.models import Count, F, Q
from django.db.models.functions import Now
from django.utils import timezone

from jobs.models import Job
from jobs.registry import registry
from jobs.run import Later, Run
from jobs.runner import due, give_way
from jobs.services import enqueue, requeue
from matches.models import Counted, Match, MatchAction, MatchForecast
from rules import RULES_VERSION
from rules.competition.setups import read_setup
from rules.competition.state.setup import MatchSetup
from rules.core.codec import canonical_json
from rules.core.refusals import Malformed
from rules.measuring.forecasts import BOT, Tally, code_hash, play_outs, play_outs_from, round_starts

JOB = "matches.forecast"
"""The job that counts the rounds of a match in play."""

AFTERWARDS = "matches.forecast_afterwards"
"""The job that counts the rounds of a finished match, after all forecasts of undecided ones."""

A_ROUND = 24
"""Play-outs from the beginning of each round of a match."""

PART = 10
"""Play-outs after which a job checks whether others wait. In duels they take a third of a second."""

WHILE_OFF = timedelta(minutes=10)
"""How long a job waits when forecasts are off."""

PAUSE = timedelta(hours=1)
"""How long after the end of its job an incomplete forecast is asked for again. By then an obstacle may be gone, and a
forecast that nobody can count does not keep the workers busy."""

_is_wanted: ContextVar[bool] = ContextVar("forecasts", default=True)


def is_on() -> bool:
    """Return whether forecasts are made: the setting FORECASTS is on, and this is not inside `without_forecasts`."""
    return bool(settings.FORECASTS) and _is_wanted.get()


@contextmanager
def without_forecasts() -> Iterator[None]:
    """Switch forecasts off inside the `with` block, in this thread, so that playing whole seasons is quick.

    Nobody asks for forecasts there, and their jobs wait.
    """
    token = _is_wanted.set(False)
    try:
        yield
    finally:
        _is_wanted.reset(token)


# Requests -------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class ForecastRequest:
    """A question for play-outs: `count(first, count)` plays them, `wanted` says how many there should be.

    They are stored in the row of `model` with the fields `row`. `given` is what another process needs to play them
    (`rules.measuring.forecasts.play_numbers`); None when it cannot. A question that `stays` is about something
    finished: once complete it is not counted again, even under other rules and code.
    """

    model: type[Counted]
    row: Mapping[str, Any]
    fingerprint: str
    wanted: int
    count: Callable[[int, int], Tally]
    given: Mapping[str, Any] | None = None
    stays: bool = False


def fingerprint_of(setup: MatchSetup, seed: str, events: int = 0, counted: Counted | None = None) -> str:
    """Return what play-outs depend on apart from their number, as 64 hex digits.

    It covers the setup, the number of the match's earlier events, the seed, the bot, the version of the rules and the
    code of both. The last three are the present ones, or those of the row `counted`.
    """
    if counted is None:
        of_then = [RULES_VERSION, BOT, code_hash()]
    else:
        of_then = [counted.rules_version, counted.bot, counted.code]
    # Old rows have no hash of the code.
    known = [*filter(None, of_then), seed, events, setup.to_json()]
    return hashlib.sha256(canonical_json(known).encode()).hexdigest()


def of_setup(
    model: type[Counted], row: Mapping[str, Any], setup: MatchSetup, seed: str, wanted: int, stays: bool = False
) -> ForecastRequest:
    """Return the request for play-outs of a match from its setup, even if the match has begun or ended since.

    `row` names the row of `model` in which they are stored.
    """
    given = {"setup": setup.to_json(), "seed": seed, "bot": BOT}
    return ForecastRequest(
        model, row, fingerprint_of(setup, seed), wanted, partial(play_outs, setup, seed), given, stays
    )


def readable(setup: Mapping[str, Any]) -> MatchSetup | None:
    """Return a stored setup, None when the present rules cannot read it."""
    try:
        return read_setup(setup)
    except Malformed:
        return None


def of_match(match: Match) -> Iterator[ForecastRequest]:
    """Yield the questions of a stored match, one for each round that has begun, as a spectator saw it; one query.

    Nothing when the present rules cannot read its setup.
    """
    setup = readable(match.setup)
    if setup is None:
        return
    steps = MatchAction.objects.filter(match=match).order_by("sequence").values_list("events", flat=True)
    for start in round_starts(setup, [event for events in steps for event in events]):
        seed = f"{match.public_id}/{start.round}"
        yield ForecastRequest(
            MatchForecast,
            {"match": match, "round": start.round},
            fingerprint_of(setup, seed, start.stop),
            A_ROUND,
            partial(play_outs_from, start.seen, seed),
            stays=match.is_over,
        )


# Counting -------------------------------------------------------------------------------------------------------------


def count_on(run: Run, questions: Iterable[ForecastRequest]) -> None:
    """Count and store the missing play-outs of these questions in the job `run`. Call it outside transactions.

    Of the jobs with one name, one counts at a time, and jobs of a higher priority come first. A job for finished
    matches waits while any other forecast is due or being counted. Raises Later when forecasts are off, or when it is
    not this job's turn, or no longer; stored play-outs stay. Raises LeaseLost when another attempt owns the job, and
    Overran as `go_on` does.
    """
    if not is_on():
        raise Later(WHILE_OFF)
    is_last = run.name in registry.lowest_priority
    if (is_last and _is_anything_open()) or not run.takes_turn():
        raise Later(timedelta(seconds=settings.JOB_SWEEP_SECONDS))
    for question in questions:
        while not go_on(question):
            give_way(run)


def _is_anything_open() -> bool:
    """Return whether a forecast of something unfinished is due or being counted; at most two queries."""
    names = registry.low_priority - registry.lowest_priority
    running = Job.objects.filter(name__in=names, state=Job.State.RUNNING, lease_until__gte=Now())
    return due().filter(name__in=names).exists() or running.exists()


def go_on(question: ForecastRequest) -> bool:
    """Count the next part of a question (PART) and store it, unless somebody else was first.

    Return whether all play-outs are counted. A row with another fingerprint begins again, except a complete one that
    stays. Raises Overran (`rules.bots.budget`), and then stores nothing of the part.
    """
    known = look_up(question)
    if not known.missing:
        settle(question, known)
        return True
    return keep(question, known, question.count(known.counted, min(PART, known.missing)))


def settle(question: ForecastRequest, known: Known) -> None:
    """Lower the `wanted` of a complete question's row to its `counted`.

    Now fewer play-outs may be wanted than when the row began.
    """
    row = known.row
    if row is not None and known.counted < row.wanted:
        rows = question.model._default_manager.filter(**question.row)
        rows.filter(fingerprint=row.fingerprint, counted=row.counted).update(wanted=row.counted)


@dataclass(frozen=True)
class Known:
    """The row of a question and its usable tally; each is None when there is none.

    A tally is usable if its row has the question's fingerprint, or is complete and the question stays. `wanted` is how
    many play-outs there should be in the end; a complete row that stays wants no more than it has.
    """

    row: Counted | None
    tally: Tally | None
    wanted: int

    @property
    def counted(self) -> int:
        return 0 if self.tally is None else self.tally.play_outs

    @property
    def missing(self) -> int:
        return max(0, self.wanted - self.counted)


def look_up(question: ForecastRequest) -> Known:
    """Return what is counted of a question so far; one query."""
    row = question.model._default_manager.filter(**question.row).first()
    if row is None:
        return Known(None, None, question.wanted)
    # Finished matches want fewer play-outs than unfinished ones, so an incomplete row may hold enough of them.
    if question.stays and row.counted >= min(row.wanted, question.wanted):
        return Known(row, Tally.from_json(row.tally), row.counted)
    is_current = row.fingerprint == question.fingerprint
    return Known(row, Tally.from_json(row.tally) if is_current else None, question.wanted)


def keep(question: ForecastRequest, known: Known, tally: Tally) -> bool:
    """Store the play-outs that follow the known ones. Return whether this completes the question.

    Return False, and write nothing, when somebody else was first. Then the caller should look the question up again.
    """
    if known.tally is not None:
        tally = known.tally + tally
    values = {
        "fingerprint": question.fingerprint,
        "rules_version": RULES_VERSION,
        "bot": BOT,
        "code": code_hash(),
        "wanted": question.wanted,
        "counted": tally.play_outs,
        "tally": tally.to_json(),
    }
    if known.row is not None:
        rows = question.model._default_manager.filter(**question.row)
        unchanged = rows.filter(fingerprint=known.row.fingerprint, counted=known.row.counted)
        is_kept = bool(unchanged.update(**values, changed_at=timezone.now()))
    else:
        is_kept = _create(question, values)
    return is_kept and tally.play_outs >= question.wanted


def _create(question: ForecastRequest, values: Mapping[str, Any]) -> bool:
    try:
        with transaction.atomic():
            question.model._default_manager.create(**question.row, **values)
    except IntegrityError:
        return False
    return True


# Asking ---------------------------------------------------------------------------------------------------------------


def ask(job_name: str, unique_key: str, turn: str = "", **payload: int) -> None:
    """Enqueue the job of a forecast in the caller's transaction, once for each key; do nothing while forecasts are off.

    The next tick hands it to the workers, after all other work, because nobody waits for a forecast. `turn` is that of
    `enqueue`.
    """
    if is_on():
        enqueue(job_name, payload, unique_key=unique_key, not_before=timezone.now(), turn=turn)


def ask_for_what_is_missing(job_name: str, unique_key: str, turn: str = "", **payload: int) -> None:
    """Ask for a forecast that is not complete: a job that is done or failed is queued again after PAUSE.

    There are never two jobs with one key. While forecasts are off nothing happens.
    """
    if is_on():
        job = enqueue(job_name, payload, unique_key=unique_key, not_before=timezone.now(), turn=turn)
        requeue(job, PAUSE)


def pass_on(job_name: str, unique_key: str, turn: str = "", **payload: int) -> None:
    """Hand a forecast over to the job `job_name` for finished matches, because the match has ended meanwhile.

    Raises Later while forecasts are off.
    """
    if not is_on():
        raise Later(WHILE_OFF)
    ask_for_what_is_missing(job_name, unique_key, turn, **payload)


def ask_for_curve(match: Match, what: str) -> None:
    """Ask for the forecasts of all rounds that have begun, in the caller's transaction.

    `what` is the reason: the number of the round that has begun, or "end".
    """
    ask(AFTERWARDS if match.is_over else JOB, curve_key(match.pk, what), match=match.pk)


def curve_key(match_id: int, what: str) -> str:
    """Return the unique key of the job that counts a match's curve; `what` is that of `ask_for_curve`."""
    return f"matches:{match_id}:forecast:{what}"


MOST_LOOKED_AT = 24
"""How many of the newest finished matches get the forecasts that they lack, for instance after an import."""


def ask_for_missing() -> None:
    """Ask for the missing or incomplete curves of the newest finished matches; one query when none is missing.

    While forecasts are off nothing happens, without a query.
    """
    if not is_on():
        return
    newest = Match.objects.filter(state=Match.State.FINISHED).order_by("-id").values("pk")[:MOST_LOOKED_AT]
    complete = Count("forecasts", filter=Q(forecasts__counted__gte=F("forecasts__wanted")))
    found = Match.objects.filter(pk__in=newest).annotate(complete=complete).order_by("-id")
    for match_id, count, rounds in found.values_list("pk", "complete", "result__rounds"):
        if count < (rounds or 1):
            ask_for_what_is_missing(AFTERWARDS, curve_key(match_id, "end"), match=match_id)
