"""Forecasts of many matches as one study, so that many workers can count them at once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from matches.services.forecasts import PART, ForecastRequest, keep, look_up, settle
from rules.measuring import studies
from rules.measuring.forecasts import Tally, together
from rules.measuring.studies import Executor, Progress, Study


@dataclass(frozen=True)
class CountedTogether:
    """The result of `count_together`: how many forecasts it completed and stored, and how many play-outs they took.

    `overtaken` counts forecasts that another worker continued meanwhile, so that their play-outs here were in vain.
    """

    forecasts: int
    play_outs: int
    overtaken: int


def count_together(
    questions: Sequence[ForecastRequest], way: Executor, tell: Progress = lambda done: None
) -> CountedTogether:
    """Count all play-outs that these questions lack in one study, and store them. Call it outside transactions.

    The result is the one that jobs reach one after the other. Questions without `given`, which no other process can
    count, are left to the jobs. `tell` hears of the progress. Raises the error of the executor `way`, and then keeps
    the forecasts that were stored before.
    """
    known = [(question, look_up(question)) for question in questions if question.given is not None]
    missing = [(question, before) for question, before in known if before.missing]
    for question, before in known:
        if not before.missing:
            settle(question, before)
    asked = [
        Study(
            "forecasts.play_outs",
            {**(question.given or {}), "begin": before.counted},
            before.missing,
            PART,
        )
        for question, before in missing
    ]
    kept = play_outs = 0
    for (question, before), study, found in zip(missing, asked, studies.run(asked, way, tell), strict=True):
        if keep(question, before, together(map(Tally.from_json, found))):
            kept += 1
            play_outs += study.count
    return CountedTogether(kept, play_outs, len(missing) - kept)


def planned(questions: Sequence[ForecastRequest]) -> int:
    """Return how many play-outs `count_together` would count for these questions; one query for each."""
    return sum(look_up(each).missing for each in questions if each.given is not None)
