"""The endpoint that founds a stable of the AI in a season of people, with the bot that plays its matches."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers
from rest_framework.response import Response

from api.description import describes, example
from api.endpoint import idempotent
from api.fields import Input, Output, StrictChoice
from rules.bots.owners.evenings import DIFFICULTY_OF
from stables.api.organising.base import TOPIC, Organising
from stables.api.organising.settings import rules_refuse
from stables.models import Stable
from stables.services.season import opening

BOTS = list(DIFFICULTY_OF)
IN_WORDS = ", ".join(f"`{bot}` is {difficulty}" for bot, difficulty in DIFFICULTY_OF.items())


def who_plays(text: str) -> StrictChoice:
    """Return the field for the bot of an AI stable; its description is `text` and how hard each bot is."""
    return StrictChoice(
        choices=BOTS,
        default=opening.USUAL_BOT,
        help_text=f"{text} As the difficulties of solo seasons: {IN_WORDS}.",
    )


class FoundAiStableInput(Input):
    """How the AI runs the stable. Without a `character` the three characters take turns."""

    character = StrictChoice(choices=Stable.Character.values, required=False)
    bot = who_plays("Who plays its matches.")


class FoundedAiStableOutput(Output):
    """A new stable and its starting capital in Stones."""

    slug = serializers.SlugField()
    number = serializers.IntegerField()
    capital = serializers.IntegerField()


class FoundAiStable(Organising):
    """A stable of the AI."""

    @describes(
        "season_found_ai",
        "Found a stable of the AI",
        TOPIC,
        sends=FoundAiStableInput,
        answers=FoundedAiStableOutput,
        status=201,
        examples=[
            example("A thrifty one that plans ahead", {"character": "thrifty", "bot": "tactical"}, sent=True),
            example("Founded", {"slug": "iron-parish", "number": 3, "capital": 500}, status=201),
        ],
    )
    @idempotent(atomic=True)
    def post(self, request: Any, season_slug: str) -> Response:
        """Found a stable of the AI under the next free name.

        Refused: season_closed_to_newcomers, season_full, place_is_kept, stable_name_taken.
        """
        season = self.organised_season()
        sent = self.sent(FoundAiStableInput)
        with rules_refuse():
            made = opening.found_ai_stable(season_id=season.pk, character=sent.get("character", ""), bot=sent["bot"])
        return Response(FoundedAiStableOutput(made).data, status=201)
