"""The endpoints of what organisers write: the season's own page, and messages to all."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers
from rest_framework.response import Response

from api.description import describes, example
from api.endpoint import idempotent
from api.fields import Input, Output, StrictString
from stables.api.base import SeasonEndpoint
from stables.api.organising.base import TOPIC, Organising
from stables.api.organising.settings import SAYS_SOMETHING, rules_refuse
from stables.services.season import messages


class SeasonPageInput(Input):
    """The season's own page in Markdown; an empty text removes it."""

    text = StrictString(max_length=messages.LONGEST_PAGE, allow_blank=True)


class SeasonPageOutput(Output):
    """The season's own page in Markdown as its organisers wrote it, empty for none. HTML in it is text."""

    text = serializers.CharField(allow_blank=True)


PAGE = "# Where\n\nThe club room, Fridays at 19:00.\n\n# Prizes\n\nA blister for every champion."


class SeasonPage(SeasonEndpoint):
    """The season's own page: place, time, prizes."""

    write_scope = "organise"

    @describes(
        "season_page",
        "Read a season’s own page",
        TOPIC,
        answers=SeasonPageOutput,
        examples=[example("Place and prizes", {"text": PAGE})],
    )
    def get(self, request: Any, season_slug: str) -> Response:
        """Return the page that the organisers wrote."""
        return Response({"text": self.season().page})

    @describes(
        "season_write_page",
        "Write a season’s own page",
        TOPIC,
        sends=SeasonPageInput,
        answers=SeasonPageOutput,
        examples=[
            example("Place and prizes", {"text": PAGE}, sent=True),
            example("Written", {"text": PAGE}),
        ],
    )
    @idempotent(atomic=True)
    def put(self, request: Any, season_slug: str) -> Response:
        """Write the page at any time; the log says that it changed. Refused: page_too_long."""
        season = self.organised_season()
        text = self.sent(SeasonPageInput)["text"]
        with rules_refuse():
            return Response({"text": messages.write_page(season_id=season.pk, text=text, actor=request.user)})

    def recheck_permission(self, **names: Any) -> None:
        self.organised_season()


class MessageInput(Input):
    """A message to all."""

    text = StrictString(max_length=messages.LONGEST_MESSAGE, validators=[SAYS_SOMETHING])


class SentMessageOutput(Output):
    """The number of people who got a notice."""

    people = serializers.IntegerField()


class WriteToAll(Organising):
    """A message to all in a season."""

    @describes(
        "season_message",
        "Write to all of a season",
        TOPIC,
        sends=MessageInput,
        answers=SentMessageOutput,
        examples=[
            example("A word", {"text": "We begin half an hour later tonight."}, sent=True),
            example("Sent", {"people": 7}),
        ],
    )
    @idempotent(atomic=True)
    def post(self, request: Any, season_slug: str) -> Response:
        """Send everybody in the season a notice: owners, stand-ins, organisers, referees, and who waits for a place.
        The log and the webhooks say it, too.

        Refused: nobody_to_write_to, message_missing, too_often.
        """
        season = self.organised_season()
        text = self.sent(MessageInput)["text"]
        with rules_refuse():
            return Response({"people": messages.write_to_all(season_id=season.pk, text=text, actor=request.user)})
