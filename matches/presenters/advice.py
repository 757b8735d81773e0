"""Advice in a match and after it, as people read it: the answer in the page's own words, the chance, the reasons.

During a match a link puts the answer into the form and plays nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

from django.contrib.auth.models import AnonymousUser
from django.utils.translation import gettext

from matches.host import permissions_in
from matches.models import Match, MatchAction
from matches.presenters import questions
from matches.presenters.acts import line_of
from matches.presenters.odds import percent
from matches.presenters.play import PlayPage
from matches.presenters.replaying.replay import Step, cut_into_steps
from matches.selectors.permissions import subject_of
from matches.selectors.sides import names_in
from matches.services.advice import may_ask, stored_advice, times_asked
from matches.services.finished import turning_points
from matches.services.finished.turning_points import TurningPoint, TurningPoints
from rules.bots.advice.advising import Advice, Advised
from rules.competition.match import Match as EngineMatch
from rules.competition.narrowing import NONE, Narrowing, describe, narrow
from rules.wording.advice import match_reason
from web.languages.reader import translate

UNSAID = ("path",)
"""Questions whose answer the board shows better than a line."""

USUAL = {"mode": "walk", "cancel": NONE}
"""Usual answers; a line shows only answers that differ from them."""


@dataclass(frozen=True)
class Word:
    """A part of an answer in the page's words: the name of the question, and what is chosen.

    `is_own_name`: `value` is the name of a unit, a token or a card, which is not translated.
    """

    label: str
    value: str
    is_own_name: bool


@dataclass(frozen=True)
class AdviceOptionView:
    """One advised answer. `chance` and its `margin` to either side are in whole percent, None when unknown.

    `url` fills the answer into the form of the page.
    """

    words: tuple[Word, ...]
    chance: int | None
    margin: int | None
    reasons: tuple[str, ...]
    url: str

    @property
    def line(self) -> str:
        """The answer in one line."""
        labelled = (gettext("%(label)s: %(value)s") % {"label": word.label, "value": word.value} for word in self.words)
        return "; ".join(labelled)


@dataclass(frozen=True)
class AdviceView:
    """The best answer and others; `times` counts the decisions of this match at which the reader had advice."""

    best: AdviceOptionView
    others: tuple[AdviceOptionView, ...]
    times: int


def advice_context(page: PlayPage, engine: EngineMatch, sides: Sequence[str], user: Any) -> dict[str, Any]:
    """Return what the page of the player of `sides` shows about advice: whether they may ask, and the stored advice.

    Before there is advice (None) it also says whether the match could count for ratings; a match that is closed to
    others does not. Two queries at most, or one and those of the match's host; none when the player may not ask.
    """
    if page.choosing is None or not may_ask(page.match, sides, page.surroundings):
        return {"may_ask_advice": False, "advice": None}
    known = stored_advice(page.match, page.side.key)
    if known is None:
        is_open = permissions_in(subject_of(page.match), AnonymousUser()).is_open
        return {"may_ask_advice": True, "advice": None, "could_be_rated": is_open}
    names = names_in(engine.observe(page.side.key).setup)
    times = times_asked(page.match, user)
    return {"may_ask_advice": True, "advice": advice_view(known, engine, names, page.version, times)}


def advice_view(advice: Advice, engine: EngineMatch, names: Mapping[str, str], seen: str, times: int) -> AdviceView:
    """Return the advice for the open decision of `engine` as a page shows it; `names` and `seen` are the page's."""
    best, *others = _views(advice.options, engine, names, seen)
    return AdviceView(best, tuple(others), times)


def _views(
    options: Iterable[Advised], engine: EngineMatch, names: Mapping[str, str], seen: str
) -> list[AdviceOptionView]:
    decision = engine.decision
    assert decision is not None, "the match is over"
    origin = engine.snapshot()["units"][decision.unit]["hex"] or ""
    legal = engine.legal_actions()
    views = []
    for option in options:
        found = chosen_by(legal, origin, option.action)
        views.append(
            AdviceOptionView(
                words=_words(found, decision.why, names),
                chance=None if option.chance is None else percent(option.chance),
                margin=None if option.margin is None else round(100 * option.margin),
                reasons=tuple(
                    match_reason(reason.code, {"unit": decision.unit, **reason.parameters}, names, translate)
                    for reason in option.reasons
                ),
                url=f"?{urlencode({'at': seen, **found.answers})}",
            )
        )
    return views


def chosen_by(legal: list[dict[str, Any]], origin: str, action: Mapping[str, Any]) -> Narrowing:
    """Return the answers on the page that choose an action, or one that differs from it only in its path.

    `legal` are all legal actions, and `origin` is the hex of the unit, "" outside the arena.
    """
    proposals = {"path": "", "mode": "walk", "cancel": NONE}
    words = describe(action, origin)
    found = narrow(legal, origin, words, proposals)
    question = found.question
    if question is not None and question.key == "variant":
        same = next((option for option in question.options if option.actions[0] == action), question.options[0])
        found = narrow(legal, origin, {**words, "variant": same.word}, proposals)
    return found


def _words(found: Narrowing, why: Mapping[str, Any], names: Mapping[str, str]) -> tuple[Word, ...]:
    lines = [
        (step.key, step.chosen)
        for step in found.steps
        if step.chosen is not None and step.key not in UNSAID and USUAL.get(step.key) != step.chosen
    ]
    # If every word is usual, show them all.
    lines = lines or [(step.key, step.chosen) for step in found.steps if step.chosen is not None]
    return tuple(
        Word(
            questions.question_label(key),
            questions.label_of(key, word, why, names),
            questions.is_own_name(key, word),
        )
        for key, word in lines
    )


# Turning points -------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class TurningPointView:
    """A decision that cost its player most. `step` is that of the replay, and `at` the action before the decision.

    `given` and `advised` are the answers, the chances to win and the `cost` with its `margin` in whole percent.
    """

    step: int
    round: int
    at: int
    side: str
    unit: str
    given: str
    advised: str
    chance_given: int
    chance_advised: int
    cost: int
    margin: int


@dataclass(frozen=True)
class TurningPage:
    """What the player of a finished match sees of their turning points; `found` is None before they asked."""

    found: TurningPoints | None
    points: tuple[TurningPointView, ...]


def turning_page(match: Match, steps: Sequence[MatchAction], user: Any) -> TurningPage | None:
    """Return the turning points of a person in a match from `find_match`, None for a person who may not ask for any.

    `steps` come from `stored_steps`. Two queries, none when there is nothing to ask.
    """
    if not turning_points.may_ask(match, user):
        return None
    found = turning_points.found_for(match, user)
    if found is None or not found.points:
        return TurningPage(found, ())
    cut = cut_into_steps(event for step in steps for event in step.events)
    names = names_in(match.setup)
    return TurningPage(found, tuple(_turning_point(point, steps, cut, names, match.setup) for point in found.points))


def _turning_point(
    point: TurningPoint,
    steps: Sequence[MatchAction],
    cut: Sequence[Step],
    names: Mapping[str, str],
    setup: Mapping[str, Any],
) -> TurningPointView:
    place = sum(len(step.events) for step in steps[: point.sequence])
    step = next((each for each in cut if each.stop > place), cut[-1])
    seen = point.seen
    friends = [unit["id"] for side in setup["sides"] if side["id"] == point.side for unit in side["units"]]
    return TurningPointView(
        step=step.number,
        round=step.round,
        at=point.sequence - 1,
        side=point.side,
        unit=names.get(point.unit, point.unit),
        given=line_of(point.given, point.origin, point.why, names, friends),
        advised=line_of(seen.advised, point.origin, point.why, names, friends),
        chance_given=percent(seen.given),
        chance_advised=percent(seen.chance),
        cost=max(1, round(100 * seen.cost)),
        margin=max(1, round(100 * seen.margin)),
    )
