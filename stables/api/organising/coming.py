"""The endpoint of the evenings: who comes, the organisers' question, and the answers."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers
from rest_framework.response import Response

from api.description import describes, example
from api.endpoint import idempotent
from api.fields import Input, Output, StrictDateTime
from stables.api.organising.base import TOPIC, Organising
from stables.selectors.coming import who_comes
from stables.services.running import coming


class AskInput(Input):
    """The moment at which the evening begins."""

    at = StrictDateTime()


class AskedOutput(Output):
    """The number of owners who got a link."""

    people = serializers.IntegerField()


class ComingOutput(Output):
    """A stable of a person, and whether it comes; null without an answer."""

    stable = serializers.SlugField()
    is_coming = serializers.BooleanField(allow_null=True)


class WhoComesOutput(Output):
    """The newest question with its answers. `at` is null, and there are no answers, if nothing is asked."""

    at = serializers.DateTimeField(allow_null=True)
    answers = ComingOutput(many=True)


class WhoComes(Organising):
    """Who comes to an evening."""

    @describes(
        "season_who_comes",
        "Read who comes",
        TOPIC,
        answers=WhoComesOutput,
        examples=[
            example(
                "One answer",
                {"at": "3152-03-08T18:00:00Z", "answers": [{"stable": "iron-parish", "is_coming": False}]},
            )
        ],
    )
    def get(self, request: Any, season_slug: str) -> Response:
        """Return the newest question and the answers, until a day after its evening."""
        found = who_comes(self.organised_season())
        if found is None:
            return Response({"at": None, "answers": []})
        answers = [{"stable": stable.slug, "is_coming": said} for stable, said in found.answers]
        return Response(WhoComesOutput({"at": found.question.at, "answers": answers}).data)

    @describes(
        "season_ask_who_comes",
        "Ask who comes",
        TOPIC,
        sends=AskInput,
        answers=AskedOutput,
        examples=[
            example("Friday", {"at": "3152-03-08T18:00:00Z"}, sent=True),
            example("Asked", {"people": 7}),
        ],
    )
    @idempotent(atomic=True)
    def post(self, request: Any, season_slug: str) -> Response:
        """Send each owner a notice with a link that answers by one tap.

        Refused: season_not_running, date_not_ahead, date_too_far, nobody_to_write_to, too_often.
        """
        season = self.organised_season()
        asked = coming.ask(season_id=season.pk, at=self.sent(AskInput)["at"], user=request.user)
        return Response({"people": asked.people})
