"""The endpoint of an owner's answer whether they come to an evening."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers
from rest_framework.response import Response

from api.description import describes, example
from api.endpoint import idempotent
from api.fields import Input, Output, StrictBoolean
from stables.api.stable.base import OwnersEndpoint
from stables.services.running import coming

TOPIC = "Stables"


class ComingInput(Input):
    """Whether you come."""

    is_coming = StrictBoolean()


class OwnAnswerOutput(Output):
    """The moment at which the evening begins, and the answer."""

    at = serializers.DateTimeField()
    is_coming = serializers.BooleanField()


class Coming(OwnersEndpoint):
    """The owner's answer whether they come."""

    @describes(
        "stables_coming",
        "Say whether you come",
        TOPIC,
        sends=ComingInput,
        answers=OwnAnswerOutput,
        examples=[
            example("Yes", {"is_coming": True}, sent=True),
            example("Noted", {"at": "3152-03-08T18:00:00Z", "is_coming": True}),
        ],
    )
    @idempotent(atomic=True)
    def put(self, request: Any, season_slug: str, stable_slug: str) -> Response:
        """Answer the newest question of the organisers; you may change it until the evening begins.

        Refused: nothing_asked, stable_has_left, too_often.
        """
        stable, said = self.own_stable(stable_slug), self.sent(ComingInput)["is_coming"]
        asked = coming.answer_newest(stable_id=stable.pk, is_coming=said)
        return Response(OwnAnswerOutput({"at": asked.question.at, "is_coming": said}).data)
