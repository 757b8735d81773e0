"""The endpoints of an owner's word that they have finished with the market."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers
from rest_framework.response import Response

from api.description import describes, example
from api.endpoint import idempotent
from api.fields import Input, Output, StrictBoolean
from stables.api.stable.base import OwnersEndpoint
from stables.services.ai import advice
from stables.services.market import readiness

TOPIC = "Stables"


class ReadyInput(Input):
    """Whether the owner has finished with the market, and whether they go on without a crew for the coming match."""

    ready = StrictBoolean(default=True)
    without_crew = StrictBoolean(default=False)


class ReadyOutput(Output):
    """Whether the stable is ready for the cycle, whether the cycle begins now, and whether this sealed the basket."""

    ready = serializers.BooleanField(source="ready_for")
    begins = serializers.BooleanField()
    seals = serializers.BooleanField()


READY = {"ready": True, "begins": False, "seals": True}


class Ready(OwnersEndpoint):
    """The owner's word that they are done with the market."""

    @describes(
        "stables_ready",
        "Say that you are ready",
        TOPIC,
        answers=ReadyOutput,
        sends=ReadyInput,
        examples=[
            example("Ready", {"ready": True}, sent=True),
            example("Others shop on", READY),
        ],
    )
    @idempotent(atomic=True)
    def post(self, request: Any, season_slug: str, stable_slug: str) -> Response:
        """Say that you have finished with the market, or that you have not after all.

        A basket that is not sealed is sealed, unless one of its lines cannot be bought; `ready` false opens it again.
        When every person is ready, the cycle of a running season begins by itself. Refused: no_open_market,
        takes_no_part, basket_not_valid, and no_crew_for_match if nobody could be fielded in the coming match with the
        basket bought. Send `without_crew` true to go on all the same.
        """
        stable, sent = self.own_stable(stable_slug), self.sent(ReadyInput)
        said = readiness.say_ready(stable_id=stable.pk, is_ready=sent["ready"], without_crew=sent["without_crew"])
        return Response(ReadyOutput(said).data)


class ReadyWithCrew(OwnersEndpoint):
    """The owner's word that they are done with the market, with the suggested crew."""

    @describes(
        "stables_ready_with_crew",
        "Buy the suggested crew and be ready",
        TOPIC,
        answers=ReadyOutput,
        examples=[example("Others shop on", READY)],
    )
    @idempotent(atomic=True)
    def post(self, request: Any, season_slug: str, stable_slug: str) -> Response:
        """Put the crew that the advice needs at the end of your basket, seal it, and say that you are ready.

        `market/advice` shows the crew: what it would buy and marks as needed. Refused: no_crew_suggested,
        no_open_market, takes_no_part, market_closed, basket_too_long, basket_not_valid.
        """
        stable = self.own_stable(stable_slug)
        return Response(ReadyOutput(advice.say_ready_with_crew(stable_id=stable.pk)).data)
