"""A player's turning points: the decisions of a finished match that have cost them most, by the advice.

A job looks at all of their own decisions at a glance and at the few that seem to have cost most more closely, each as
a step of its own: what is found is stored with the job, so nothing is thought twice. The adviser gets what the side
could see at that moment. Only the player reads what the job found.
"""

from __future__ import annotations

import logging
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from django.db import transaction
from django.db.models import QuerySet

from jobs.models import Job, JobStep
from jobs.run import Run
from jobs.runner import give_way
from jobs.services import enqueue, requeue
from matches.models import Match, MatchAction
from matches.selectors.matches import sides_of, stored_steps
from people.models import User
from people.services.accounts import Limit, count_attempt
from rules.bots.advice.hindsight import GLANCE, LOOK, Hindsight, Thoroughness, has_choice, look_back
from rules.competition.match import Match as EngineMatch
from rules.competition.setups import read_setup
from rules.core.codec import content_hash
from rules.core.dice import dice_of
from rules.core.refusals import IllegalAction, Malformed, Refused

logger = logging.getLogger(__name__)

JOB = "matches.turning_points"
COUNT = "decisions"
"""The step of the job whose output is how many decisions it looks at."""

MOST_SHOWN = 3
MOST_LOOKED_AT = 8
"""How many decisions are looked at more closely."""
MOST_GLANCES = 60
"""How many decisions are looked at at all: the first ones of a match that has more."""

PAUSE = timedelta(minutes=5)
"""After this time a job that failed may be asked for again."""

OF_A_PERSON = Limit("turning_points", 30)
"""How often one person may ask in an hour."""


@dataclass(frozen=True)
class Decided:
    """A decision of the player: the number of its action, their side, and the match just before it."""

    sequence: int
    side: str
    action: Mapping[str, Any]
    engine: EngineMatch


@dataclass(frozen=True)
class TurningPoint:
    """A decision that cost. `origin` is the hex of its unit, `why` what the question was about, `given` the answer."""

    sequence: int
    side: str
    unit: str
    origin: str
    why: Mapping[str, Any]
    given: Mapping[str, Any]
    seen: Hindsight


@dataclass(frozen=True)
class TurningPoints:
    """What is found so far: `glances` of `decisions` were looked at, and `looks` of them more closely; `decisions` is
    None until they are counted. `points` are complete when it `is_done`."""

    is_done: bool
    has_failed: bool
    glances: int
    decisions: int | None
    looks: int
    points: tuple[TurningPoint, ...]


def may_ask(match: Match, user: Any) -> bool:
    """Return whether a person may have their turning points in a match from `find_match`: they played it to its end."""
    return match.is_finished and bool(sides_of(match, user))


def ask(match: Match, user: User) -> None:
    """Ask for a person's turning points, once for each match; a job that failed is tried again after PAUSE.

    Raises Refused (match_not_finished; no_turning_points for a person who did not play), TooOften (too_often).
    """
    if not match.is_finished:
        raise Refused("match_not_finished")
    if not may_ask(match, user):
        raise Refused("no_turning_points")
    count_attempt(OF_A_PERSON, str(user.pk))
    with transaction.atomic():
        job = enqueue(JOB, {"match": match.pk, "user": user.pk}, unique_key=_key(match, user))
        if job.state == Job.State.FAILED:
            requeue(job, PAUSE)


def asked_by(user: User) -> QuerySet[Job]:
    """Return the jobs of a person's turning points; what they found is stored with them."""
    return Job.objects.filter(name=JOB, payload__user=user.pk)


def _key(match: Match, user: Any) -> str:
    return f"matches:{match.pk}:turning:{user.pk}"


def found_for(match: Match, user: Any) -> TurningPoints | None:
    """Return what is found of a person's turning points, None before they asked; two queries."""
    job = Job.objects.filter(unique_key=_key(match, user)).first()
    if job is None:
        return None
    outputs = dict(JobStep.objects.filter(job=job).values_list("name", "output"))
    looked = [output for name, output in outputs.items() if name.startswith("look ") and output]
    points = [_read(output) for output in looked]
    # What may have cost nothing, within its doubt, is no turning point.
    sure = sorted((point for point in points if point.seen.cost > point.seen.margin), key=lambda each: -each.seen.cost)
    return TurningPoints(
        job.state == Job.State.DONE,
        job.state == Job.State.FAILED,
        sum(name.startswith("glance ") for name in outputs),
        outputs.get(COUNT),
        sum(name.startswith("look ") for name in outputs),
        tuple(sure[:MOST_SHOWN]),
    )


def _read(output: Mapping[str, Any]) -> TurningPoint:
    fields = {key: output[key] for key in ("sequence", "side", "unit", "origin", "why", "given")}
    return TurningPoint(**fields, seen=Hindsight.from_json(output["seen"]))


def look_through(run: Run) -> None:
    """Look at the decisions of a person in a match, in the job `run`. Payload: match, user. Call it outside
    transactions.

    Raises Later after a decision when it is the turn of others (`give_way`), LeaseLost when another attempt owns the
    job.
    """
    match = Match.objects.prefetch_related("seats").filter(pk=run.payload["match"]).first()
    if match is None or not match.is_finished:
        return
    run.once(COUNT, lambda: sum(1 for _ in _decisions(match, run.payload["user"])))
    costs = {}
    for decided in _decisions(match, run.payload["user"]):
        costs[decided.sequence] = _once(run, f"glance {decided.sequence}", decided, GLANCE)
    dearest = sorted(
        (sequence for sequence, seen in costs.items() if seen and _cost(seen) > 0),
        key=lambda sequence: -_cost(costs[sequence]),
    )[:MOST_LOOKED_AT]
    for decided in _decisions(match, run.payload["user"]):
        if decided.sequence in dearest:
            _once(run, f"look {decided.sequence}", decided, LOOK)


def _cost(output: Mapping[str, Any]) -> float:
    return Hindsight.from_json(output["seen"]).cost


def _once(run: Run, name: str, decided: Decided, way: Thoroughness) -> Any:
    """Return what is seen of a decision, None if it cost nothing; it is thought out before the transaction.

    Raises Later when it is the turn of others after a new one.
    """
    is_new = not run.has_done(name)
    thought = _thought(decided, way) if is_new else None
    output = run.once(name, lambda: thought)
    if is_new:
        give_way(run)
    return output


def _thought(decided: Decided, way: Thoroughness) -> dict[str, Any] | None:
    observed = decided.engine.observe(decided.side)
    try:
        seen = look_back(observed, decided.action, content_hash(observed.to_json()), way)
    except Exception:
        # A bot that fails, or spends its budget, must not keep back what is found about the other decisions.
        logger.exception("the decision at action %s could not be looked at", decided.sequence)
        return None
    decision = decided.engine.decision
    if seen is None or decision is None:
        return None
    return {
        "sequence": decided.sequence,
        "side": decided.side,
        "unit": decision.unit,
        "origin": decided.engine.snapshot()["units"][decision.unit]["hex"] or "",
        "why": dict(decision.why),
        "given": dict(decided.action),
        "seen": seen.to_json(),
    }


def _decisions(match: Match, user_id: int) -> Iterator[Decided]:
    """Yield a person's own decisions in a match that had more than one answer, MOST_GLANCES at most, in order.

    What the AI or a standing answer decided for them is left out, what was played before they sat down, and what was
    taken back. It ends where the present rules play the match otherwise.
    """
    since = {seat.side: seat.taken_at for seat in match.seats.all() if seat.user_id == user_id}
    steps = stored_steps(match)
    try:
        engine = _at_opening(match)
        undone = _taken_back(match, steps)
    except Malformed:
        return
    count = 0
    for step in steps[1:]:
        decision = engine.decision
        if decision is None or count == MOST_GLANCES:
            return
        action: Mapping[str, Any] = step.action or {}
        is_own = step.cause == "" and step.side == decision.side and step.sequence > since.get(step.side, len(steps))
        if is_own and step.sequence not in undone and has_choice(engine):
            count += 1
            yield Decided(step.sequence, step.side, action, engine)
        if not _plays(engine, step):
            return


def _at_opening(match: Match) -> EngineMatch:
    return EngineMatch.start(read_setup(match.setup), dice_of(bytes(match.seed)))


def _taken_back(match: Match, steps: Sequence[MatchAction]) -> set[int]:
    """Return the numbers of the steps that took others back, and of all that they took back.

    It ends where the present rules play the match otherwise. Raises Malformed when they cannot read the setup.
    """
    undone: set[int] = set()
    if not any(_goes_back(step) for step in steps):
        return undone
    engine = _at_opening(match)
    for step in steps[1:]:
        own = engine.steps_to_take_back(step.side) if _goes_back(step) else []
        if not _plays(engine, step):
            break
        if own:
            undone.update(range(own[-engine.actions[-1]["answers"]], step.sequence + 1))
    return undone


def _goes_back(step: MatchAction) -> bool:
    return (step.action or {}).get("order") == "take_back"


def _plays(engine: EngineMatch, step: MatchAction) -> bool:
    """Play a stored step, and return whether the present rules give its events."""
    try:
        return engine.play(step.action or {}) == step.events
    except (IllegalAction, Malformed):
        return False
