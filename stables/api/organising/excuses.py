"""The endpoint of an excuse that organisers withdraw."""

from __future__ import annotations

from typing import Any

from rest_framework.response import Response

from api.description import describes, example
from api.endpoint import idempotent
from stables.api.organising.base import TOPIC
from stables.api.organising.fixtures import ExcusedOutput, OnFixture
from stables.api.organising.reason import ReasonOrTextInput, reason_from
from stables.api.organising.rulings import FIXTURE_ID
from stables.api.organising.settings import rules_refuse
from stables.services.fixtures import excuses


class WithdrawExcuseInput(ReasonOrTextInput):
    """Your reason to withdraw the excuse of a match."""


class WithdrawExcuse(OnFixture):
    """Withdrawing an excuse."""

    @describes(
        "fixture_excuse_withdraw",
        "Withdraw the excuse of a match",
        TOPIC,
        sends=WithdrawExcuseInput,
        answers=ExcusedOutput,
        parameters=[FIXTURE_ID],
        examples=[
            example("Well again", {"reason": "agreed", "words": "Well again."}, sent=True),
            example(
                "The round's times",
                {
                    "fixture": 11,
                    "line_ups_due_at": "3152-03-10T18:00:00Z",
                    "play_due_at": "3152-03-13T18:00:00Z",
                },
            ),
        ],
    )
    @idempotent(atomic=True)
    def post(self, request: Any, season_slug: str, fixture_id: int) -> Response:
        """Take an excuse back, so that the times of the round hold again. All of them must be ahead.

        Refused: organiser_owns_side, decide_instead, appointment_over, excuse_unknown, excuse_still_needed,
        reason_missing.
        """
        fixture = self.organised_fixture(fixture_id)
        sent = self.sent(WithdrawExcuseInput)
        with rules_refuse():
            made = excuses.withdraw(fixture_id=fixture.pk, reason=reason_from(sent), user=request.user)
        return Response(ExcusedOutput(made).data)
