"""The endpoints of stand-ins: people who play a match, or an evening, for the owner of a stable."""

from __future__ import annotations

from typing import Any

from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter
from rest_framework import serializers
from rest_framework.response import Response

from api.description import describes, example
from api.endpoint import idempotent
from api.fields import Output, StrictDateTime, StrictInteger
from stables.api.organising.reason import ReasonOrTextInput, reason_from
from stables.api.stable.base import LARGEST_ID, Line, OwnersEndpoint, names_are_refused
from stables.models import Stable, StandIn
from stables.selectors.offices import organises
from stables.selectors.standing_in import may_line_up, open_stand_ins
from stables.services.line_ups import line_ups
from stables.services.running import standing_in

TOPIC = "Stables"
LONGEST_ACCOUNT = 150
STAND_IN_ID = OpenApiParameter("stand_in_id", OpenApiTypes.INT64, OpenApiParameter.PATH)


class NameStandInInput(ReasonOrTextInput):
    """Who plays, what, and why: one match (`fixture`), or all that are called for before `until`."""

    account = Line(max_length=LONGEST_ACCOUNT, help_text="The name of an account; not of a program.")
    fixture = StrictInteger(min_value=1, max_value=LARGEST_ID, required=False, allow_null=True, default=None)
    until = StrictDateTime(required=False, allow_null=True, default=None)


class PersonStandingInOutput(Output):
    """A person who plays for the owner: one match (`fixture`), or all that are called for before `until`.

    `account` is null while nobody has used the link for it.
    """

    stand_in = serializers.IntegerField(source="pk", help_text="Its number on this site.")
    account = serializers.CharField(source="user.username", allow_null=True, default=None)
    fixture = serializers.IntegerField(source="fixture_id", allow_null=True)
    until = serializers.DateTimeField(allow_null=True)
    ended_at = serializers.DateTimeField(allow_null=True)


class PeopleStandingInOutput(Output):
    """Who stands in now."""

    stand_ins = PersonStandingInOutput(many=True)


STAND_IN = {"stand_in": 4, "account": "carla", "fixture": 11, "until": None, "ended_at": None}


class OfStandIns(OwnersEndpoint):
    """An endpoint for the owner of a stable and for organisers."""

    def named_stable(self, slug: str) -> Stable:
        """Return a stable of the season by its slug for its owner or an organiser; at most two queries.

        Raises Http404, and PermissionDenied for other people (NotAuthenticated without a login).
        """
        found, user = self.stable(slug), self.request.user
        is_owner = user.pk is not None and found.owner_id == user.pk
        if not is_owner and not organises(user, self.season()):
            self.permission_denied(self.request)
        return found

    def recheck_permission(self, **names: Any) -> None:
        self.named_stable(names["stable_slug"])


class StandIns(OfStandIns):
    """The stand-ins of a stable."""

    @describes(
        "stand_ins_list",
        "Who stands in for the owner",
        TOPIC,
        answers=PeopleStandingInOutput,
        examples=[example("One match", {"stand_ins": [STAND_IN]})],
    )
    def get(self, request: Any, season_slug: str, stable_slug: str) -> Response:
        """List who plays for the owner now. For the owner and organisers."""
        return Response(PeopleStandingInOutput({"stand_ins": open_stand_ins(self.named_stable(stable_slug))}).data)

    @describes(
        "stand_ins_name",
        "Let a person stand in",
        TOPIC,
        answers=PersonStandingInOutput,
        status=201,
        sends=NameStandInInput,
        examples=[
            example("One match", {"account": "carla", "fixture": 11, "words": "Ill."}, sent=True),
            example("They stand in", STAND_IN, status=201),
        ],
    )
    @idempotent(atomic=True)
    @names_are_refused
    def post(self, request: Any, season_slug: str, stable_slug: str) -> Response:
        """Let an account play one match of a stable, or all that are called for before a time. They hand in the line-up
        on their page of it, play the match, or report and confirm it. It ends with each match.

        Refused: guest_may_not, season_not_running, stable_has_left, organiser_takes_part, nobody_to_stand_in_for,
        stand_in_without_match, stand_in_is_ai, stand_in_plays, program_has_stable, unknown_person, reason_missing,
        date_not_ahead, date_too_far, bad_field (not exactly one of `fixture` and `until`).
        """
        stable, fields = self.named_stable(stable_slug), self.sent(NameStandInInput)
        made = standing_in.name_person(
            stable_id=stable.pk,
            name=fields["account"],
            reason=reason_from(fields),
            user=request.user,
            fixture_id=fields["fixture"],
            until=fields["until"],
        )
        return Response(PersonStandingInOutput(made).data, status=201)


class EndStandIn(OwnersEndpoint):
    """The end of a stand-in."""

    @describes(
        "stand_ins_end",
        "End a stand-in",
        TOPIC,
        answers=None,
        status=204,
        parameters=[STAND_IN_ID],
    )
    @idempotent(atomic=True)
    @names_are_refused
    def post(self, request: Any, season_slug: str, stable_slug: str, stand_in_id: int) -> Response:
        """End a stand-in before the match: the owner, an organiser, or who stands in. A second call changes nothing.

        Refused: bad_field (a number that is none of the stable's).
        """
        stable = self.stable(stable_slug)
        known = stand_in_id if StandIn.objects.filter(pk=min(stand_in_id, LARGEST_ID), stable=stable).exists() else 0
        standing_in.end(season_id=stable.season_id, stand_in_id=known, user=request.user)
        return Response(status=204)

    def recheck_permission(self, **names: Any) -> None:
        self.stable(names["stable_slug"])


class CalledEndpoint(OwnersEndpoint):
    """An endpoint for a person who decides the line-up of an open match: the stable's owner, or a stand-in."""

    def called_stable(self, slug: str) -> Stable:
        """Return a stable of the season as `own_stable` does, also to a stand-in for its open match."""
        found = self.stable(slug)
        if found.owner_id == self.request.user.pk or self.request.user.pk is None:
            return self.own_stable(slug)
        return (
            found if may_line_up(self.request.user, found, line_ups.open_fixture_of(found)) else self.own_stable(slug)
        )

    def recheck_permission(self, **names: Any) -> None:
        self.called_stable(names["stable_slug"])
