"""The endpoints of a person's own place on a waiting list, and of a stable that a link passes on."""

from __future__ import annotations

from typing import Any

from django.http import Http404
from rest_framework import serializers
from rest_framework.response import Response

from api.description import describes, example
from api.endpoint import idempotent
from api.fields import Input, Output
from people.services.accounts import count_attempt
from stables.api.stable.base import Line, OwnersEndpoint, names_are_refused
from stables.models import Stable, WaitingPlace
from stables.models.membership import LONGEST_CODE
from stables.services.running import passing, waiting_list
from stables.services.season import invitations
from web.places import client_place

TOPIC = "Stables"


class OwnPlaceOutput(Output):
    """Your place on the waiting list of a season: how many wait before you, and until when a free place is kept for you
    (null while none is).
    """

    season = serializers.SlugField()
    before = serializers.IntegerField()
    offered_until = serializers.DateTimeField(allow_null=True)


OWN_PLACE: dict[str, Any] = {"season": "spring-circuit", "before": 1, "offered_until": None}


def _own_place(place: WaitingPlace) -> dict[str, Any]:
    before = WaitingPlace.objects.filter(season=place.season_id, pk__lt=place.pk).count()
    return {"season": place.season.slug, "before": before, "offered_until": place.offered_until}


class OwnPlace(OwnersEndpoint):
    """Your place on the waiting list of a season."""

    @describes(
        "waiting_own",
        "Your place on the waiting list",
        TOPIC,
        answers=OwnPlaceOutput,
        examples=[example("The second", OWN_PLACE)],
    )
    def get(self, request: Any, season_slug: str) -> Response:
        """Return your place; 404 if you do not wait."""
        place = WaitingPlace.objects.filter(season=self.season(), user=request.user.pk).select_related("season").first()
        if place is None:
            raise Http404
        return Response(OwnPlaceOutput(_own_place(place)).data)

    @describes(
        "waiting_begin",
        "Wait for a place",
        TOPIC,
        answers=OwnPlaceOutput,
        status=201,
        examples=[example("The second", OWN_PLACE, status=201)],
    )
    @idempotent(atomic=True)
    def put(self, request: Any, season_slug: str) -> Response:
        """Put yourself on the waiting list of a full season; a second call changes nothing. When a place is free for
        you, a notice comes, and you have 48 hours to found a stable.

        Refused: place_is_free, already_owner_here, invitation_needed, waiting_list_full, season_closed_to_newcomers.
        """
        place = waiting_list.wait(season_id=self.season().pk, user=request.user)
        return Response(OwnPlaceOutput(_own_place(place)).data, status=201)

    @describes("waiting_end", "Leave the waiting list", TOPIC, answers=None, status=204)
    @idempotent(atomic=True)
    def delete(self, request: Any, season_slug: str) -> Response:
        """Leave the list. A place that was offered to you goes to the next. A second call changes nothing."""
        waiting_list.leave(season_id=self.season().pk, user=request.user)
        return Response(status=204)


class CodeInput(Input):
    """A code."""

    code = Line(max_length=LONGEST_CODE)


class _ByCode(OwnersEndpoint):
    """An endpoint that takes a code, and counts the attempts of a network address before any look-up."""

    def initial(self, request: Any, *arguments: Any, **names: Any) -> None:
        """Count the attempt, so that right, wrong and refused codes count alike. Raises TooOften (too_often)."""
        super().initial(request, *arguments, **names)
        if request.method == "POST":
            count_attempt(self.limit, client_place(request))

    limit = invitations.LOOKS_OF_A_PLACE


class WaitByCode(_ByCode):
    """A place on the waiting list of the season of an invitation."""

    @describes(
        "waiting_begin_by_code",
        "Wait for a place by an invitation",
        TOPIC,
        sends=CodeInput,
        answers=OwnPlaceOutput,
        status=201,
        examples=[
            example("A code", {"code": "Zk3vQ0bR1xT7hYpA"}, sent=True),
            example("The second", OWN_PLACE, status=201),
        ],
    )
    @idempotent(atomic=True)
    @names_are_refused
    def post(self, request: Any) -> Response:
        """Put yourself on the waiting list of the season of an invitation, even if you cannot see that season.

        Refused: unknown_invitation, invitation_revoked, invitation_used_up, place_is_free, already_owner_here,
        waiting_list_full, season_closed_to_newcomers. Answers 429 when you try too many codes.
        """
        place = waiting_list.wait_by_code(code=self.sent(CodeInput)["code"], user=request.user)
        return Response(OwnPlaceOutput(_own_place(place)).data, status=201)


class TakenOverOutput(Output):
    """A stable that is yours now: the addresses of its season and of itself in it."""

    season = serializers.SlugField()
    stable = serializers.SlugField()


class TakeOver(_ByCode):
    """A stable that a link passes on."""

    limit = passing.LOOKS_OF_A_PLACE

    @describes(
        "stables_take_over",
        "Take over a stable by a link",
        TOPIC,
        sends=CodeInput,
        answers=TakenOverOutput,
        examples=[
            example("The code of a link", {"code": "b2Zm9kQ0xTn1aWvEb2Zm9kQ0xTn1aWvE"}, sent=True),
            example("Yours", {"season": "spring-circuit", "stable": "kestrel-row"}),
        ],
    )
    @idempotent(atomic=True)
    @names_are_refused
    def post(self, request: Any) -> Response:
        """Become the owner of the stable of a link, with everything that it has and has planned. A link works once.

        Refused: unknown_passing, link_used, link_revoked, link_expired, already_owner_here, program_has_stable,
        stand_in_plays, season_not_running, stable_has_left. Answers 429 when you try too many codes.
        """
        found = passing.find(self.sent(CodeInput)["code"])
        passed = passing.take_over(passing_id=found.pk, user=request.user)
        stable = Stable.objects.select_related("season").get(pk=passed.stable_id)
        return Response(TakenOverOutput({"season": stable.season.slug, "stable": stable.slug}).data)
