"""Standing answers of a person's units: their reader and their only writer. Only the person ever sees them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.db import transaction

from matches.models import Match, MatchSeat, StandingAnswers
from rules.bots.preset_answers import read_answers
from rules.core.refusals import Refused


def answers_of(match: Match, sides: tuple[str, ...]) -> dict[str, Mapping[str, Any]]:
    """Return the standing answers of each unit of these sides by its id, in the order of the setup (1 query).

    They are {} for a unit without any. `sides` must be those of the person who asks: nobody else may see them.
    """
    kept = StandingAnswers.objects.filter(seat__match=match, seat__side__in=sides).values_list("unit", "answers")
    known = dict(kept)
    return {
        loadout["id"]: known.get(loadout["id"], {})
        for side in match.setup["sides"]
        if side["id"] in sides
        for loadout in side["units"]
    }


@transaction.atomic
def keep(match: Match, user: Any, unit: str, answers: Mapping[str, Any]) -> None:
    """Store a person's standing answers for their own unit; {} removes them. They count from the next decision on.

    Raises Malformed (bad_standing_answer), Refused (match_over, not_your_unit).
    """
    checked = read_answers(answers)
    locked = Match.objects.select_for_update(of=("self",)).get(pk=match.pk)
    if locked.is_over:
        raise Refused("match_over")
    own = {loadout["id"]: side["id"] for side in locked.setup["sides"] for loadout in side["units"]}
    seat = MatchSeat.objects.filter(match=locked, user=user, side=own.get(unit, "")).first()
    if seat is None:
        raise Refused("not_your_unit", unit=unit)
    if checked:
        StandingAnswers.objects.update_or_create(seat=seat, unit=unit, defaults={"answers": checked})
    else:
        StandingAnswers.objects.filter(seat=seat, unit=unit).delete()
