"""The endpoints of corrections: previews, the correction of a settled result with a reason, and waived debts."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.core.validators import RegexValidator
from rest_framework import serializers
from rest_framework.response import Response

from api.description import describes, example
from api.endpoint import idempotent
from api.fields import Input, Output, Query, StrictChoice, StrictInteger, StrictString
from stables.api.organising.base import TOPIC, Organising
from stables.api.organising.reason import ReasonOrTextInput, reason_from
from stables.api.organising.rulings import (
    EFFECT,
    FIXTURE_ID,
    MAY_BE_REFUSED,
    RESULT,
    EffectsOutput,
    require_known,
)
from stables.api.organising.settings import rules_refuse
from stables.api.stable.reports import ReportInput
from stables.models import Fixture
from stables.selectors.fixtures import sides_with_line_ups
from stables.services.results import contests, corrections

SEAL = RegexValidator(r"^[!-~]*$")
MOST_FORFEITS = 8
NUMBERS = RegexValidator(r"^[1-9][0-9]{0,2}(,[1-9][0-9]{0,2}){0,7}$")


class WantedInput(Input):
    """A correction of a settled result.

    “void” takes back everything that the result brought. “correct” and “replace” put `result` in its place. “replace”
    may name the numbers of stables in `forfeits` instead: these stables forfeit the match.
    """

    kind = StrictChoice(choices=[kind.value for kind in corrections.KINDS])
    result = ReportInput(required=False)
    forfeits = serializers.ListField(
        child=StrictInteger(min_value=1, max_value=999),
        max_length=MOST_FORFEITS,
        required=False,
        help_text="For “replace”.",
    )


class CorrectInput(WantedInput, ReasonOrTextInput):
    """The correction, its reason, and the seal of its preview."""

    seal = StrictString(max_length=80, validators=[SEAL], help_text="The seal from the preview of the same correction.")


class ForeseeQuery(Query):
    """A wanted correction without a new result: void, or forfeits."""

    kind = StrictChoice(choices=["void", "replace"])
    forfeits = StrictString(
        required=False,
        max_length=31,
        validators=[NUMBERS],
        help_text="Numbers of stables, separated by commas, for “replace”.",
    )


class ForeseenOutput(EffectsOutput):
    """What a correction would change, and the seal with which it is applied."""

    seal = serializers.CharField()


class CorrectionMadeOutput(EffectsOutput):
    """A correction that was made: its number among those of the result, and what it changed."""

    number = serializers.IntegerField()


def wanted_of(fixture: Fixture, sent: Mapping[str, Any]) -> corrections.Wanted:
    """Return the wanted correction in the form of the services; three queries with a result, none without.

    Raises Malformed (bad_field) for a side or unit outside the match, SeasonRefused (report_too_early) for a fixture
    without all line-ups.
    """
    if sent.get("result"):
        require_known(contests.contest_of(fixture, sides_with_line_ups(fixture)), sent["result"])
    return corrections.Wanted(sent["kind"], sent.get("result", {}), tuple(sent.get("forfeits", ())))


FORESEEN = {"effects": [EFFECT], "seal": "5c1f0f9a"}


class Correcting(Organising):
    """An endpoint that previews or makes a correction."""

    def foreseen(self, fixture: Fixture, sent: Mapping[str, Any]) -> Response:
        """Return the changes of a correction and its seal; the correction is made and rolled back.

        Raises PermissionDenied, and Refused with the codes of `Correct.post` except correction_changed.
        """
        with rules_refuse():
            wanted = wanted_of(fixture, sent)
            found = corrections.foresee(fixture_id=fixture.pk, wanted=wanted, user=self.request.user)
        return Response(ForeseenOutput({"effects": found.effects, "seal": found.seal}).data)


class Correct(Correcting):
    """The correction of a settled result."""

    @describes(
        "result_foresee",
        "What a void result or forfeits would change",
        TOPIC,
        asks=ForeseeQuery,
        answers=ForeseenOutput,
        parameters=[FIXTURE_ID],
        more=MAY_BE_REFUSED,
        examples=[example("A void result", FORESEEN)],
    )
    def get(self, request: Any, season_slug: str, fixture_id: int) -> Response:
        """Return what the correction would change, and the seal to make it with. Nothing changes.

        Refused whenever the correction itself would be refused.
        """
        self.organised_season()
        fixture, asked = self.fixture(fixture_id), self.asked(ForeseeQuery)
        numbers = [int(number) for number in asked.get("forfeits", "").split(",") if number]
        return self.foreseen(fixture, {"kind": asked["kind"], "forfeits": numbers})

    @describes(
        "result_correct",
        "Correct a result",
        TOPIC,
        sends=CorrectInput,
        answers=CorrectionMadeOutput,
        parameters=[FIXTURE_ID],
        examples=[
            example(
                "One click less",
                {"kind": "correct", "result": RESULT, "reason": "typing_error", "seal": "5c1f0f9a"},
                sent=True,
            ),
            example("Made", {"effects": [EFFECT], "number": 1}),
        ],
    )
    @idempotent(atomic=True)
    def post(self, request: Any, season_slug: str, fixture_id: int) -> Response:
        """Correct the result. First ask for a preview of the correction, and send the seal from its answer. If the
        changes are different by now, nothing is done.

        Refused: correction_changed, result_not_settled, cycle_is_closing, results_are_final, titles_decided,
        forfeit_of_nobody, referee_takes_part, reason_missing, report_too_early (a new result for a match without all
        line-ups), and a result that cannot be true (report_…) or is not clear (bad_field).
        """
        self.organised_season()
        fixture, sent = self.fixture(fixture_id), self.sent(CorrectInput)
        with rules_refuse():
            made = corrections.correct(
                fixture_id=fixture.pk,
                wanted=wanted_of(fixture, sent),
                reason=reason_from(sent),
                seal=sent["seal"],
                user=request.user,
            )
        return Response(CorrectionMadeOutput({"effects": made.effects, "number": made.number}).data)


class ForeseeCorrection(Correcting):
    """The preview of a correction."""

    @describes(
        "result_correct_foresee",
        "What a correction would change",
        TOPIC,
        sends=WantedInput,
        answers=ForeseenOutput,
        parameters=[FIXTURE_ID],
        examples=[
            example("One click less", {"kind": "correct", "result": RESULT}, sent=True),
            example("Its lines", FORESEEN),
        ],
    )
    @idempotent(atomic=True)
    def post(self, request: Any, season_slug: str, fixture_id: int) -> Response:
        """Return what the correction would change, and the seal to make it with. Nothing changes.

        Refused whenever the correction itself would be refused.
        """
        self.organised_season()
        return self.foreseen(self.fixture(fixture_id), self.sent(WantedInput))


class WaiveInput(ReasonOrTextInput):
    """Why the debt is waived."""


class WaivedOutput(Output):
    """The waived debt in Stones."""

    stable = serializers.SlugField()
    amount = serializers.IntegerField()


class WaiveDebt(Organising):
    """The debt of a stable after corrections."""

    @describes(
        "stable_waive_debt",
        "Waive what a stable owes",
        TOPIC,
        sends=WaiveInput,
        answers=WaivedOutput,
        examples=[
            example("Why", {"reason": "typing_error", "words": "The error was ours."}, sent=True),
            example("Waived", {"stable": "kestrel-row", "amount": 40}),
        ],
    )
    @idempotent(atomic=True)
    def post(self, request: Any, season_slug: str, stable_slug: str) -> Response:
        """Waive the debt, as an organiser of the season. Refused: nothing_owed, reason_missing."""
        self.organised_season()
        stable = self.stable(stable_slug)
        sent = self.sent(WaiveInput)
        waived = corrections.waive_debt(stable_id=stable.pk, reason=reason_from(sent), user=request.user)
        return Response({"stable": stable.slug, "amount": waived.amount})
