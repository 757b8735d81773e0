"""The endpoints of the sudden death between stables tied for a title: its state, and saying “I am here”."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers
from rest_framework.response import Response

from api.description import describes, example
from api.endpoint import idempotent
from api.fields import Input, Output, StrictChoice, StrictInteger
from stables.api.base import SeasonEndpoint
from stables.api.organising.base import LARGEST_ID, TOPIC
from stables.api.organising.settings import rules_refuse
from stables.api.stable.base import OwnersEndpoint
from stables.models import Title
from stables.presenters.sudden_death import sudden_death_view
from stables.services.standings import sudden_deaths


class ContenderOutput(Output):
    """A tied stable, or the stable of a tied pilot. `fighter` is null until a tied stable has named one or the fight
    begins.
    """

    stable = serializers.SlugField()
    fighter = serializers.CharField(allow_null=True)
    is_there = serializers.BooleanField()


class SuddenDeathOutput(Output):
    """The open sudden death. When there is none, `title` is null and `contenders` is empty.

    `due_at` is null while there is no last date. `has_begun` is true once the fighters are settled.
    """

    title = serializers.ChoiceField(choices=Title.Kind.values, allow_null=True)
    due_at = serializers.DateTimeField(allow_null=True)
    has_begun = serializers.BooleanField()
    contenders = ContenderOutput(many=True)


class SuddenDeath(SeasonEndpoint):
    """The open sudden death of a season."""

    @describes(
        "season_sudden_death",
        "The open sudden death",
        TOPIC,
        answers=SuddenDeathOutput,
        examples=[
            example(
                "Two stables",
                {
                    "title": "stable",
                    "due_at": "3152-06-01T18:00:00Z",
                    "has_begun": False,
                    "contenders": [
                        {"stable": "kestrel-row", "fighter": "Hellion", "is_there": True},
                        {"stable": "northlight", "fighter": None, "is_there": False},
                    ],
                },
            )
        ],
    )
    def get(self, request: Any, season_slug: str) -> Response:
        """Return who is tied for which title, and whose player is there."""
        shown = sudden_death_view(self.season(), None)
        facts: dict[str, Any] = {"title": None, "due_at": None, "has_begun": False, "contenders": []}
        if shown is not None:
            facts = {
                "title": shown["row"].kind,
                "due_at": shown["row"].due_at,
                "has_begun": shown["is_begun"],
                "contenders": [
                    {"stable": line["stable"].slug, "fighter": line["names"] or None, "is_there": line["is_there"]}
                    for line in shown["lines"]
                ],
            }
        return Response(SuddenDeathOutput(facts).data)


class AppearInput(Input):
    """The asset that fights, by its id, and whether you or a bot plays it.

    For the title of the stables any able asset of yours may fight; left out, the best one does. For the title of the
    pilots it is your tied individual that `plays` is about; left out, your first one. Bots play your others.
    """

    fighter = StrictInteger(min_value=1, max_value=LARGEST_ID, required=False)
    plays = StrictChoice(choices=[sudden_deaths.OWNER, sudden_deaths.BOT], default=sudden_deaths.BOT)


class AppearedOutput(Output):
    """The title, the fighter of the stable, and who plays."""

    title = serializers.ChoiceField(choices=Title.Kind.values, source="kind")
    fighter = serializers.CharField()
    plays = serializers.CharField()


class Appear(OwnersEndpoint):
    """The presence of a tied stable's owner."""

    @describes(
        "stable_sudden_death",
        "Say “I am here” for a tied stable",
        TOPIC,
        sends=AppearInput,
        answers=AppearedOutput,
        examples=[
            example("I play it", {"plays": "owner"}, sent=True),
            example("You are there", {"title": "stable", "fighter": "Hellion", "plays": "owner"}),
        ],
    )
    @idempotent(atomic=True)
    def post(self, request: Any, season_slug: str, stable_slug: str) -> Response:
        """Say, as the owner, that you are here and who fights. You may change your answer until the fight begins.

        Refused: no_sudden_death, sudden_death_begun, cannot_fight, unknown_asset.
        """
        stable = self.own_stable(stable_slug)
        sent = self.sent(AppearInput)
        with rules_refuse():
            appearance = sudden_deaths.appear(stable_id=stable.pk, fighter=sent.get("fighter"), plays=sent["plays"])
        return Response(AppearedOutput(appearance).data)
