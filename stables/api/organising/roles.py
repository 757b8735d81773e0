"""The endpoints of invitations to a season, and of its co-organisers and referees."""

from __future__ import annotations

from typing import Any

from django.http import Http404
from django.urls import reverse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter
from rest_framework import serializers
from rest_framework.response import Response

from api.description import describes, example
from api.endpoint import Pages, idempotent, pages_of
from api.fields import Input, Output, StrictChoice, StrictInteger, StrictString
from people.models import User
from rules.core.refusals import Malformed
from stables.api.organising.base import TOPIC, Organising
from stables.api.organising.settings import SAYS_SOMETHING, rules_refuse
from stables.models import SeasonRole
from stables.presenters.organising.console import known_invitations
from stables.services.running import roles
from stables.services.season import invitations
from web.bounds import MOST_USES

LONGEST_USERNAME = 150
INVITATION_ID = OpenApiParameter("invitation_id", OpenApiTypes.INT64, OpenApiParameter.PATH)
ROLE_ID = OpenApiParameter("role_id", OpenApiTypes.INT64, OpenApiParameter.PATH)


class InvitationOutput(Output):
    """An invitation. `used` counts the stables founded with it. With null for `most_uses` it is good for as many
    stables as there are places. `revoked_at` is null until it is taken back.

    `code` and `link` are null when an idempotency key repeats an answer; the list has them.
    """

    id = serializers.IntegerField(source="pk")
    code = serializers.CharField(allow_null=True)
    link = serializers.SerializerMethodField(allow_null=True)
    most_uses = serializers.IntegerField(allow_null=True)
    used = serializers.IntegerField()
    made_at = serializers.DateTimeField(source="created_at")
    revoked_at = serializers.DateTimeField(allow_null=True)

    def get_link(self, invitation: Any) -> str | None:
        return str(self.context["request"].build_absolute_uri(reverse("stables:join", args=[invitation.code])))


class InvitationsQuery(Pages):
    """Which page."""


class InviteInput(Input):
    """The number of stables that the invitation is good for: as many as there are places when left out or null."""

    most_uses = StrictInteger(min_value=1, max_value=MOST_USES, allow_null=True, default=None)


INVITATION: dict[str, Any] = {
    "id": 7,
    "code": "b2Zm9kQ0xTn1aWvE",
    "link": "https://solaris.example/join/b2Zm9kQ0xTn1aWvE/",
    "most_uses": 4,
    "used": 1,
    "made_at": "3152-03-01T18:00:00Z",
    "revoked_at": None,
}


class Invitations(Organising):
    """The invitations of a season."""

    secrets = ("code", "link")

    @describes(
        "invitations_list",
        "The invitations of a season",
        TOPIC,
        answers=pages_of(InvitationOutput),
        asks=InvitationsQuery,
        examples=[example("One of them", {"count": 1, "page": 1, "pages": 1, "results": [INVITATION]})],
    )
    def get(self, request: Any, season_slug: str) -> Response:
        """List the invitations with their codes, the newest first, including those taken back. Only organisers may."""
        season, asked = self.organised_season(), self.asked(InvitationsQuery)
        return self.page_of(known_invitations(season), asked, self.invitation_documents)

    @describes(
        "invitations_make",
        "Make an invitation",
        TOPIC,
        sends=InviteInput,
        answers=InvitationOutput,
        status=201,
        examples=[
            example("For four stables", {"most_uses": 4}, sent=True),
            example("Made", {**INVITATION, "used": 0}, status=201),
        ],
    )
    @idempotent(atomic=True)
    def post(self, request: Any, season_slug: str) -> Response:
        """Make an invitation; hand out its link or its code.

        Refused: season_not_running, and bad_field beyond fifty invitations that are not taken back.
        """
        season = self.organised_season()
        most_uses = self.sent(InviteInput)["most_uses"]
        with rules_refuse():
            made = invitations.invite(season_id=season.pk, most_uses=most_uses, actor=request.user)
        return Response(
            self.invitation_documents(known_invitations(season).filter(pk=made.invitation_id))[0], status=201
        )

    def invitation_documents(self, rows: Any) -> Any:
        return InvitationOutput(rows, many=True, context={"request": self.request}).data


class InvitationItself(Organising):
    """One invitation."""

    @describes(
        "invitations_revoke",
        "Take an invitation back",
        TOPIC,
        answers=None,
        status=204,
        parameters=[INVITATION_ID],
    )
    @idempotent(atomic=True)
    def delete(self, request: Any, season_slug: str, invitation_id: int) -> Response:
        """Take the invitation back. Stables that were founded with it stay. A second call changes nothing."""
        season = self.organised_season()
        try:
            invitations.revoke(season_id=season.pk, invitation_id=invitation_id, actor=request.user)
        except Malformed as unknown:
            raise Http404 from unknown
        return Response(status=204)


class SeasonRoleOutput(Output):
    """A role that a person has in a season. The season's own organiser has no such role."""

    id = serializers.IntegerField(source="pk")
    name = serializers.CharField(source="user.username")
    role = serializers.ChoiceField(choices=SeasonRole.Role.values)


class SeasonRolesQuery(Pages):
    """Which page."""


class GiveRoleInput(Input):
    """The name of an account, in upper or lower case, and what the account may do."""

    name = StrictString(max_length=LONGEST_USERNAME, validators=[SAYS_SOMETHING])
    role = StrictChoice(choices=SeasonRole.Role.values)


ROLE: dict[str, Any] = {"id": 3, "name": "marshal", "role": "referee"}


class Roles(Organising):
    """The roles in a season."""

    @describes(
        "roles_list",
        "Who helps to run a season",
        TOPIC,
        answers=pages_of(SeasonRoleOutput),
        asks=SeasonRolesQuery,
        examples=[example("A referee", {"count": 1, "page": 1, "pages": 1, "results": [ROLE]})],
    )
    def get(self, request: Any, season_slug: str) -> Response:
        """List the helpers. Co-organisers may do what the organiser may; referees decide disputed results."""
        season, asked = self.organised_season(), self.asked(SeasonRolesQuery)
        rows = season.roles.select_related("user").order_by("id")
        return self.page_of(rows, asked, lambda own: SeasonRoleOutput(own, many=True).data)

    @describes(
        "roles_give",
        "Make somebody co-organiser or referee",
        TOPIC,
        sends=GiveRoleInput,
        answers=SeasonRoleOutput,
        status=201,
        examples=[
            example("A referee", {"name": "marshal", "role": "referee"}, sent=True),
            example("Given", ROLE, status=201),
        ],
    )
    @idempotent(atomic=True)
    def post(self, request: Any, season_slug: str) -> Response:
        """Give the role; the person gets a notice. Refused: unknown_person, role_taken. 429 (`too_often`) for too many
        within an hour, or to one person.
        """
        season = self.organised_season()
        sent = self.sent(GiveRoleInput)
        with rules_refuse():
            given = roles.give_role(season_id=season.pk, name=sent["name"], role=sent["role"], actor=request.user)
        row = SeasonRole(pk=given.role_id, user=User(username=given.name), role=given.role)
        return Response(SeasonRoleOutput(row).data, status=201)


class RoleItself(Organising):
    """One role."""

    @describes("roles_take", "Take a role back", TOPIC, answers=None, status=204, parameters=[ROLE_ID])
    @idempotent(atomic=True)
    def delete(self, request: Any, season_slug: str, role_id: int) -> Response:
        """Take the role back; the person gets a notice. Webhooks that a co-organiser made are turned off."""
        season = self.organised_season()
        try:
            roles.take_role(season_id=season.pk, role_id=role_id, actor=request.user)
        except Malformed as unknown:
            raise Http404 from unknown
        return Response(status=204)
