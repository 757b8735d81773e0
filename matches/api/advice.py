"""The endpoint of advice: a good player's choice in a match against the AI."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from drf_spectacular.utils import OpenApiResponse
from rest_framework import serializers
from rest_framework.response import Response

from api.description import PROBLEMS, describes, example
from api.fields import Output, Problem
from matches.api.answers import TurnOutput
from matches.api.base import MOVE_EXAMPLE, PLAY, TURN_EXAMPLE, MatchEndpoint
from matches.api.forms import ActionField
from matches.api.rows import turn_document
from matches.host import surroundings_of
from matches.presenters.advice import AdviceOptionView, AdviceView, advice_view
from matches.selectors.sides import names_in
from matches.services.advice import ask, times_asked
from matches.services.programs import turn_of
from web.problems import PROBLEM_TYPE

MAY_BE_REFUSED = {(409, PROBLEM_TYPE): OpenApiResponse(Problem, description=PROBLEMS[409])}


class AdviceReasonOutput(Output):
    """A reason: a code with its parameters, and the sentence. Chances are in whole percent, damage is in points."""

    code = serializers.CharField()
    parameters = serializers.DictField()
    detail = serializers.CharField()


class AdvisedOutput(Output):
    """One answer: `action` is ready to be played, `told` sums it up in the words of the page.

    `chance` is the estimated chance that your side wins after it, 0 to 1; null from a bot that does not estimate.
    `margin` is its error: of 20 chances 19 lie within their margin of the true value; null where it is unknown. Both
    are rounded to hundredths.
    """

    action = ActionField()
    told = serializers.CharField()
    chance = serializers.FloatField(allow_null=True, min_value=0, max_value=1)
    margin = serializers.FloatField(allow_null=True, min_value=0, max_value=1)
    reasons = AdviceReasonOutput(many=True)


class AdviceOutput(TurnOutput):
    """What a good player would do now, the best answer first, then up to three others.

    `bot` gives the advice; `times` counts the decisions of this match for which you had advice.
    """

    bot = serializers.CharField()
    times = serializers.IntegerField()
    options = AdvisedOutput(many=True)


REASON = {
    "code": "threat_falls",
    "parameters": {"then": 0.4, "now": 2.1},
    "detail": "From where they stand opponents would deal it 0.4 damage there on average, instead of 2.1 where it is.",
}
ADVISED = {
    "action": MOVE_EXAMPLE,
    "told": "Order: move; Hex: 0503; Facing: 4 o’clock",
    "chance": 0.61,
    "margin": 0.04,
    "reasons": [REASON],
}
ADVICE: dict[str, Any] = {**TURN_EXAMPLE, "bot": "strong", "times": 3, "options": [ADVISED]}


class MatchAdvice(MatchEndpoint):
    """A good player's choice. For tokens only: a link that somebody posts must not ask in a player's name."""

    open_to_all = False
    token_only = True

    def scope_of(self, method: str) -> str:
        """Return "play", even for reading: advice is for a player, and asking for it is recorded."""
        return "play"

    @describes(
        "matches_advice",
        "What a good player would do",
        PLAY,
        answers=AdviceOutput,
        more=MAY_BE_REFUSED,
        examples=[example("One answer", ADVICE)],
    )
    def get(self, request: Any, public_id: UUID) -> Response:
        """Return the best answers to your open decision with chances and reasons, from what your side may see.

        Advice is worked out once for each decision, usually within two seconds: a second request gives the same. Only
        you see how often you asked. This takes a token: a session is refused (403, `token_needed`), so that no link can
        ask for you. 409 in matches that are not against the AI alone (`advice_against_people`), while another side
        decides (`others_decide`) or a seat is free (`seat_open`), after the end (`match_over`), and when no bot answers
        within its budget (`no_advice`). 429 (`too_often`) when you ask too often.
        """
        watch = self.seated(public_id)
        asked, person = turn_of(watch.match, watch.sides), self.person()
        found = ask(watch.match, asked.engine, watch.sides, surroundings_of(watch.match), person)
        times = times_asked(watch.match, person)
        names = names_in(asked.engine.observe(asked.side).setup)
        view = advice_view(found, asked.engine, names, asked.version, times)
        document = {
            **turn_document(asked),
            "bot": found.bot,
            "times": times,
            "options": [
                {
                    "action": dict(option.action),
                    "told": seen.line,
                    # Rounded as on the page: more digits would claim more than the margin allows.
                    "chance": None if seen.chance is None else seen.chance / 100,
                    "margin": None if seen.margin is None else seen.margin / 100,
                    "reasons": [
                        {**reason.to_json(), "detail": detail}
                        for reason, detail in zip(option.reasons, seen.reasons, strict=True)
                    ],
                }
                for option, seen in zip(found.options, _all(view), strict=True)
            ],
        }
        return Response(AdviceOutput(document).data)


def _all(view: AdviceView) -> list[AdviceOptionView]:
    return [view.best, *view.others]
