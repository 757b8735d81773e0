"""One settlement for every result, exactly once: reputation, kills, damage carried over, eliminations, deaths.

R-CYC-05, R-CYC-06, R-CRP-07, R-CRP-08, R-DTH-01, R-DTH-03, R-FOR-02, R-FOR-03, R-SUR-03, R-SUR-05;
Q-125, Q-129, Q-135, Q-140, Q-151, Q-157, Q-162, Q-165, Q-166.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db import transaction
from django.db.models import Max
from django.utils import timezone

from rules.campaign.results.corrections import dead_pilots, deeds_of
from rules.campaign.states import FIXTURE
from rules.core.refusals import SeasonRefused
from stables.models import Correction, Cycle, Fixture, FixtureSide, Result, Round
from stables.selectors.fixtures import SMALLEST_MATCH, lock_fixture, sides_with_line_ups
from stables.services.base.job_requests import ask_for
from stables.services.base.news import tell_result
from stables.services.base.standing_in import end_with_match
from stables.services.fixtures.rounds import settle_when_complete
from stables.services.results import result_books
from stables.services.results.effects import change
from stables.services.results.outcomes import forfeited, played


@dataclass(frozen=True)
class Settlement:
    """A settled fixture: its result document, and whether this call settled it."""

    fixture_id: int
    document: dict[str, Any]
    is_new: bool


def lock_played_in(fixture_id: int) -> tuple[Round, Fixture]:
    """Lock the round of a fixture, then the fixture, and return both, the fixture with round, cycle and season.

    Under the round's lock the second of two simultaneous settlements sees the first, so exactly one settles the round.
    Raises Fixture.DoesNotExist.
    """
    round_id = Fixture.objects.values_list("round_id", flat=True).get(pk=fixture_id)
    return Round.objects.select_for_update(no_key=True).get(pk=round_id), lock_fixture(fixture_id)


@transaction.atomic
def settle_fixture(*, fixture_id: int, now: datetime | None = None) -> Settlement:
    """Apply a fixture's result to its stables; a second call changes nothing and returns the valid document.

    It is the result of the finished match, or a forfeit if fewer than two sides are ready. Raises SeasonRefused
    (line_up_too_early) while there is neither, and before the fixture is sealed.
    """
    played_in, fixture = lock_played_in(fixture_id)
    known = Result.objects.filter(fixture=fixture).first()
    if known is not None:
        return Settlement(fixture_id, known.current, False)
    FIXTURE.require("settle", fixture.state, "line_up_too_early", state=fixture.state)
    sides = sides_with_line_ups(fixture)
    if fixture.match is not None and fixture.match.result is not None:
        document, source = played(fixture, sides, fixture.match.result, "engine"), Result.Source.ENGINE
    elif len({side.side for side in sides if not side.forfeits}) < SMALLEST_MATCH:
        document, source = forfeited(fixture, sides), Result.Source.FORFEIT
    else:
        raise SeasonRefused("line_up_too_early", state=fixture.state)
    return settle(played_in, fixture, sides, document, source, now=now)


def settle(
    played_in: Round,
    fixture: Fixture,
    sides: Iterable[FixtureSide],
    document: dict[str, Any],
    source: str,
    *,
    user: Any = None,
    now: datetime | None = None,
) -> Settlement:
    """Write a document into the books, settle the fixture and, with its last one, the round; return the settlement.

    A reopened fixture already has a result, which the document then replaces. `source` is stored with a first result,
    `user` with a replacement. Call it with round and fixture locked, and the fixture sealed. Fetch `sides` with their
    stables.
    """
    now = now or timezone.now()
    known = Result.objects.filter(fixture=fixture).prefetch_related("corrections").first()
    sides = list(sides)
    stables = result_books.lock_stables(side.stable for side in sides)
    if known is None:
        result = Result.objects.create(fixture=fixture, document=document, source=source)
        assets = result_books.assets_of(stables.values())
        causes = result_books.causes_of(document)
        result_books.enter(fixture, stables, assets, deeds_of(document), 0, causes)
        result_books.write_wear(assets, document)
        result_books.bury(fixture, stables, assets, dead_pilots(document), now)
        tell_result(fixture, sides, document)
    else:
        result = known
        change(fixture, known, stables, document, Correction.Kind.REPLACE, reason="", user=user, now=now)
    fixture.state = FIXTURE.next_state("settle", fixture.state)
    fixture.confirm_due_at = None
    fixture.save(update_fields=["state", "confirm_due_at"])
    if any(side.stand_in_id is not None for side in sides):
        # Not before the result, or the one that replaces it, so that it is known who stood in to the end.
        newest = result.corrections.aggregate(newest=Max("created_at"))["newest"]
        end_with_match(fixture, max(now, newest or result.settled_at))
    _settle_round(played_in, known)
    return Settlement(fixture.pk, document, True)


def _settle_round(played_in: Round, replaced: Result | None) -> None:
    """Settle the round if this was its last fixture, and ask for the next step.

    A round that was settled before a result was reopened stays so. Then the close is asked for if the cycle is over.
    """
    if played_in.state != Round.State.SETTLED:
        settle_when_complete(played_in)
        return
    cycle = Cycle.objects.select_related("season").get(pk=played_in.cycle_id)
    if replaced is not None and is_over(cycle):
        # The close may have been asked for before the result was reopened, and then waited for it.
        number = replaced.corrections.count()
        key = f"cycle:{cycle.pk}:close:result:{replaced.pk}:{number}"
        ask_for(cycle.season, "stables.close_cycle", key, cycle=cycle.pk)


def is_over(cycle: Cycle) -> bool:
    """Return whether all matches of a cycle are played and settled, reopened ones included."""
    planned = cycle.rounds_planned or 0
    return (
        planned > 0
        and cycle.rounds.filter(state=Round.State.SETTLED).count() == planned
        and not Fixture.objects.filter(round__cycle=cycle).exclude(state=Fixture.State.SETTLED).exists()
    )
