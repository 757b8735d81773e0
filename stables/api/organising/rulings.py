"""The endpoints of disputed results. Organisers and referees without a stable in the match decide."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, OpenApiResponse
from rest_framework import serializers
from rest_framework.response import Response

from api.description import PROBLEMS, describes, example
from api.endpoint import idempotent
from api.fields import Output, Problem
from rules.campaign.results.reports import Contest
from rules.core.refusals import Malformed
from stables.api.organising.base import TOPIC, Organising
from stables.api.organising.reason import ReasonOrTextInput, reason_from
from stables.api.organising.settings import rules_refuse
from stables.api.stable.reports import ReportInput
from stables.models import Fixture
from stables.selectors.fixtures import sides_with_line_ups
from stables.services.fixtures.pairing import SIDES
from stables.services.results import contests, outcomes, result_books, rulings
from web.problems import PROBLEM_TYPE

FIXTURE_ID = OpenApiParameter("fixture_id", OpenApiTypes.INT64, OpenApiParameter.PATH)
MAY_BE_REFUSED = {(409, PROBLEM_TYPE): OpenApiResponse(Problem, description=PROBLEMS[409])}


RESULT: dict[str, Any] = {
    "winner": "red",
    "sides": {"red": {"tokens": 5}},
    "units": {"red-1": {"clicks": 2, "kills": 1}, "blue-1": {"eliminated": True}},
}


class EffectsOutput(Output):
    """The changes of a correction or a decision, line by line.

    `what` is the kind of change. `stable` (a number) and `individual` (a code, empty for the stable itself) say whom it
    concerns. `amount` is by how much (Stones for `purse`, `repair_refund` and `owed`), or `before` and `after` say from
    what to what.
    """

    effects = serializers.ListField(child=serializers.DictField())


EFFECT: dict[str, Any] = {
    "what": "reputation",
    "stable": 1,
    "individual": "",
    "stable_name": "Kestrel Row",
    "amount": 80,
}


def require_known(contest: Contest, facts: Mapping[str, Any]) -> None:
    """Raise Malformed (bad_field) for a side or unit outside the match. A typing error would change the result."""
    for name, known in (("sides", contest.sides), ("units", contest.units)):
        for key in facts.get(name, {}):
            if key not in known:
                raise Malformed("bad_field", field=f"{name}.{key}")


# Disputes ------------------------------------------------------------------------------------------------------------


class CaseUnitOutput(Output):
    """A unit of the match: its side, the number of its stable, the clicks of its dial, the clicks of damage that it
    came with (`before`), and its points with pilot and gear (`total`).
    """

    name = serializers.CharField()
    side = serializers.ChoiceField(choices=SIDES)
    stable = serializers.IntegerField()
    dial = serializers.IntegerField()
    before = serializers.IntegerField()
    total = serializers.IntegerField()
    has_pilot = serializers.BooleanField()


class CaseOutput(Output):
    """The sides and units of a match, for a person who may decide its result."""

    fixture = serializers.IntegerField()
    format = serializers.CharField()
    sides = serializers.ListField(child=serializers.ChoiceField(choices=SIDES))
    units = CaseUnitOutput(many=True)


class DecideInput(ReasonOrTextInput):
    """How the match ended, and your reason."""

    result = ReportInput()


class DecidedOutput(Output):
    """The id of a fixture whose result was decided."""

    fixture = serializers.IntegerField()


class Deciding(Organising):
    """An endpoint for organisers and referees without a stable in the match."""

    def recheck_permission(self, **names: Any) -> None:
        self.case(names["fixture_id"])

    def case(self, fixture_id: int) -> Fixture:
        """Return a fixture for an asker who may decide its result.

        Raises Http404, PermissionDenied for an asker without an office, SeasonRefused (referee_takes_part) for an asker
        with a stable in the match.
        """
        fixture = self.fixture(fixture_id)
        rulings.require_office(self.request.user, fixture)
        return fixture


class Decide(Deciding):
    """The decision on the result of a match at a table."""

    @describes(
        "result_case",
        "A match that waits for a decision",
        TOPIC,
        answers=CaseOutput,
        parameters=[FIXTURE_ID],
        more=MAY_BE_REFUSED,
        examples=[
            example(
                "A duel",
                {
                    "fixture": 11,
                    "format": "standard",
                    "sides": ["red", "blue"],
                    "units": [
                        {
                            "name": "red-1",
                            "side": "red",
                            "stable": 1,
                            "dial": 9,
                            "before": 0,
                            "total": 128,
                            "has_pilot": True,
                        }
                    ],
                },
            )
        ],
    )
    def get(self, request: Any, season_slug: str, fixture_id: int) -> Response:
        """Return the sides and units of the match, for organisers and referees without a stable in it.

        Refused: referee_takes_part, and report_too_early before all line-ups are in or with fewer than two sides left.
        """
        fixture = self.case(fixture_id)
        contest = contests.contest_of(fixture, sides_with_line_ups(fixture))
        facts = {
            "fixture": fixture.pk,
            "format": contest.format,
            "sides": contest.sides,
            "units": [{"name": name, **vars(unit)} for name, unit in contest.units.items()],
        }
        return Response(CaseOutput(facts).data)

    @describes(
        "result_decide",
        "Decide a result",
        TOPIC,
        sends=DecideInput,
        answers=DecidedOutput,
        parameters=[FIXTURE_ID],
        examples=[
            example(
                "Red won",
                {"result": RESULT, "reason": "ruling", "words": "Both sheets show the last click."},
                sent=True,
            ),
            example("Settled", {"fixture": 11}),
        ],
    )
    @idempotent(atomic=True)
    def post(self, request: Any, season_slug: str, fixture_id: int) -> Response:
        """Decide the result, as an organiser or a referee without a stable in the match. Your decision counts, whatever
        was reported.

        Refused: referee_takes_part, fixture_settled, report_too_early, report_not_at_table, reason_missing, and a
        result that cannot be true (report_…) or is not clear (bad_field).
        """
        fixture = self.case(fixture_id)
        sent = self.sent(DecideInput)
        with rules_refuse():
            if fixture.state == Fixture.State.SEALED:
                require_known(contests.contest_of(fixture, sides_with_line_ups(fixture)), sent["result"])
            made = rulings.decide(
                fixture_id=fixture.pk, user=request.user, document=sent["result"], reason=reason_from(sent)
            )
        return Response(DecidedOutput({"fixture": made.fixture_id}).data)


class ForeseeDecision(Deciding):
    """The preview of a decision."""

    @describes(
        "result_decide_foresee",
        "What a decision would settle",
        TOPIC,
        sends=ReportInput,
        answers=EffectsOutput,
        parameters=[FIXTURE_ID],
        examples=[example("Red won", RESULT, sent=True), example("Its lines", {"effects": [EFFECT]})],
    )
    @idempotent(atomic=True)
    def post(self, request: Any, season_slug: str, fixture_id: int) -> Response:
        """Return what the decision would change. Nothing changes, and a die for a pilot is not rolled.

        Refused: referee_takes_part, fixture_settled, report_too_early, report_not_at_table, and a result that cannot be
        true (report_…) or is not clear (bad_field).
        """
        fixture = self.case(fixture_id)
        sent = self.sent(ReportInput)
        rulings.require_undecided(fixture)
        sides = sides_with_line_ups(fixture)
        stables = {side.stable.number: side.stable for side in sides}
        with rules_refuse():
            contest = contests.contest_of(fixture, sides)
            require_known(contest, sent)
            report = contests.read_report(contest, sent)
        document = contests.foreseen(fixture, sides, report)
        effects = outcomes.preview(document, stables, result_books.assets_of(stables.values()))
        return Response({"effects": effects})
