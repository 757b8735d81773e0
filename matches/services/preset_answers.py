"""Standing answers of a person's units: their reader and their only writer. Only the person ever sees them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.db import transaction

from matches.models import Match, MatchSeat, StandingAnswers
from matches.services.matches import answer_with_bots
from rules.bots.preset_answers import read_answers, standing_after
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
    seat = _own_seat(locked, user, unit)
    if seat is None:
        raise Refused("not_your_unit", unit=unit)
    _store(seat, unit, checked)


def keep_asking_no_more(match_id: int, user: Any, unit: str, key: str, action: Mapping[str, Any]) -> None:
    """Let the answer that a person has just given for their own unit stand until the match is over, and play on by it.

    `key` is that of rules.bots.preset_answers.key_of. Nothing happens in a match that is over, or for another's unit.
    Call it outside transactions. Raises Refused (stale_action) when others are faster three times.
    """
    with transaction.atomic():
        locked = Match.objects.select_for_update(of=("self",)).get(pk=match_id)
        seat = _own_seat(locked, user, unit)
        if locked.is_over or seat is None:
            return
        known = StandingAnswers.objects.filter(seat=seat, unit=unit).values_list("answers", flat=True).first()
        _store(seat, unit, read_answers(standing_after(key, action, known or {})))
    answer_with_bots(match_id)


def _store(seat: MatchSeat, unit: str, answers: Mapping[str, Any]) -> None:
    if answers:
        StandingAnswers.objects.update_or_create(seat=seat, unit=unit, defaults={"answers": answers})
    else:
        StandingAnswers.objects.filter(seat=seat, unit=unit).delete()


def _own_seat(match: Match, user: Any, unit: str) -> MatchSeat | None:
    """Return the person's seat of a unit's side; None for another's unit and for none."""
    own = {loadout["id"]: side["id"] for side in match.setup["sides"] for loadout in side["units"]}
    return MatchSeat.objects.filter(match=match, user=user, side=own.get(unit, "")).first()
