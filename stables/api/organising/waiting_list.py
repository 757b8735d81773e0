"""The endpoints of a season's waiting list, for its organisers."""

from __future__ import annotations

from typing import Any

from django.http import Http404
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter
from rest_framework import serializers
from rest_framework.response import Response

from api.description import describes, example
from api.endpoint import Pages, idempotent, pages_of
from api.fields import Output
from rules.core.refusals import Malformed
from stables.api.organising.base import LARGEST_ID, TOPIC, Organising
from stables.api.organising.reason import ReasonInput, reason_from
from stables.services.running import waiting_list

WAITING_ID = OpenApiParameter("waiting_id", OpenApiTypes.INT64, OpenApiParameter.PATH)


class WaitingPersonOutput(Output):
    """A person who waits for a place. `offered_until` is null until one is offered to them."""

    id = serializers.IntegerField(source="pk")
    name = serializers.CharField(source="user.username")
    since = serializers.DateTimeField(source="created_at")
    offered_until = serializers.DateTimeField(allow_null=True)


class WaitingListQuery(Pages):
    """Which page."""


PERSON: dict[str, Any] = {"id": 4, "name": "carla", "since": "3152-03-01T18:00:00Z", "offered_until": None}


class WaitingPeople(Organising):
    """The people who wait for a place."""

    @describes(
        "waiting_list",
        "Who waits for a place",
        TOPIC,
        answers=pages_of(WaitingPersonOutput),
        asks=WaitingListQuery,
        examples=[example("One person", {"count": 1, "page": 1, "pages": 1, "results": [PERSON]})],
    )
    def get(self, request: Any, season_slug: str) -> Response:
        """List the people who wait, the first one first. Only organisers may."""
        season, asked = self.organised_season(), self.asked(WaitingListQuery)
        rows = season.waiting.select_related("user").order_by("id")
        return self.page_of(rows, asked, lambda own: WaitingPersonOutput(own, many=True).data)


class PassOver(Organising):
    """A person who is taken off the list."""

    @describes(
        "waiting_list_pass_over",
        "Pass over a person who waits",
        TOPIC,
        sends=ReasonInput,
        answers=None,
        status=204,
        parameters=[WAITING_ID],
        examples=[example("Why", {"words": "Plays in the other league already."}, sent=True)],
    )
    @idempotent(atomic=True)
    def post(self, request: Any, season_slug: str, waiting_id: int) -> Response:
        """Take a person off the waiting list. A notice says why, and a free place is offered to the next.

        Refused: reason_missing.
        """
        season, sent = self.organised_season(), self.sent(ReasonInput)
        if waiting_id > LARGEST_ID:
            raise Http404
        reason = reason_from(sent)
        try:
            waiting_list.pass_over(season_id=season.pk, waiting_id=waiting_id, reason=reason, user=request.user)
        except Malformed as unknown:
            raise Http404 from unknown
        return Response(status=204)
