"""The endpoints of founding a stable, in an open season or by invitation, and of its part in the season."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers
from rest_framework.response import Response

from api.description import describes, example
from api.endpoint import idempotent
from api.fields import Input, Output, StrictBoolean, StrictInteger
from people.services.accounts import count_attempt
from rules.core.refusals import SeasonRefused
from stables.api.stable.base import Line, OwnersEndpoint, names_are_refused
from stables.models import Stable
from stables.models.membership import LONGEST_CODE
from stables.services.running import participation
from stables.services.season import invitations
from stables.services.season.seasons import LONGEST_NAME, FoundedStable
from web.places import client_place

TOPIC = "Stables"
MOST_CYCLES = 99


class FoundInput(Input):
    """A new stable."""

    name = Line(
        max_length=LONGEST_NAME, help_text="Its name; no other stable of the season may have one that looks the same."
    )


class JoinInput(FoundInput):
    """A new stable, and the code of an invitation."""

    code = Line(max_length=LONGEST_CODE, help_text="The code of an invitation.")


class FoundedOutput(Output):
    """A stable that was founded just now."""

    season = serializers.SlugField(help_text="The season's address.")
    stable = serializers.SlugField(help_text="The stable's address in the season.")
    number = serializers.IntegerField(help_text="Its number in the season.")
    capital = serializers.IntegerField(help_text="Its Stones.")


class SkipInput(Input):
    """A cycle, and whether the stable sits it out."""

    cycle = StrictInteger(min_value=1, max_value=MOST_CYCLES)
    skip = StrictBoolean(default=True)


class WithdrawInput(Input):
    """Whether the owner is sure to leave for good."""

    sure = StrictBoolean(help_text="true: nothing brings the stable back.")


class OwnPartOutput(Output):
    """A stable's part in its season: the numbers of the cycles that it sits out, and of the cycle in which it left
    (null while it takes part).
    """

    skipped = serializers.ListField(child=serializers.IntegerField())
    left_in_cycle = serializers.IntegerField(allow_null=True)


FOUNDED = {"season": "spring-circuit", "stable": "iron-parish", "number": 3, "capital": 1000}


def founded(made: FoundedStable) -> Response:
    """Return the answer to a newly founded stable (201); one query."""
    stable = Stable.objects.select_related("season").get(pk=made.stable_id)
    facts = {"season": stable.season.slug, "stable": made.slug, "number": made.number, "capital": made.capital}
    return Response(FoundedOutput(facts).data, status=201)


class Found(OwnersEndpoint):
    """The founding of a stable in an open season."""

    @describes(
        "stables_found",
        "Found a stable",
        TOPIC,
        answers=FoundedOutput,
        status=201,
        sends=FoundInput,
        examples=[
            example("A name", {"name": "Iron Parish"}, sent=True),
            example("The third stable", FOUNDED, status=201),
        ],
    )
    @idempotent(atomic=True)
    @names_are_refused
    def post(self, request: Any, season_slug: str) -> Response:
        """Found your stable in a season that is open to everybody, or that you organise. It gets its starting capital
        at once.

        A person whom the waiting list offers a place needs no invitation. Refused: invitation_needed,
        season_closed_to_newcomers, season_full, place_is_kept, already_owner_here, stable_name_taken,
        stable_name_missing.
        """
        season, fields = self.season(), self.sent(FoundInput)
        return founded(invitations.found_by_person(season_id=season.pk, name=fields["name"], owner=request.user))


class Join(OwnersEndpoint):
    """The founding of a stable by the code of an invitation."""

    def initial(self, request: Any, *arguments: Any, **names: Any) -> None:
        """Count the attempt before any look-up, so that right, wrong and refused codes count alike.

        Raises TooOften (too_often).
        """
        super().initial(request, *arguments, **names)
        if request.method == "POST":
            count_attempt(invitations.LOOKS_OF_A_PLACE, client_place(request))

    @describes(
        "stables_join",
        "Found a stable by an invitation",
        TOPIC,
        answers=FoundedOutput,
        status=201,
        sends=JoinInput,
        examples=[
            example("A code and a name", {"code": "Zk3vQ0bR1xT7hYpA", "name": "Iron Parish"}, sent=True),
            example("The third stable", FOUNDED, status=201),
        ],
    )
    @idempotent(atomic=True)
    @names_are_refused
    def post(self, request: Any) -> Response:
        """Found your stable in the season of the invitation, even if you could not see that season before.

        Refused: unknown_invitation, invitation_revoked, invitation_used_up, season_closed_to_newcomers, season_full,
        place_is_kept, already_owner_here, stable_name_taken, stable_name_missing. Answers 429 when you try too many
        codes.
        """
        fields = self.sent(JoinInput)
        return founded(invitations.join(code=fields["code"], name=fields["name"], owner=request.user))


class Skip(OwnersEndpoint):
    """The wish to sit out a cycle."""

    @describes(
        "stables_skip",
        "Sit out a cycle",
        TOPIC,
        answers=OwnPartOutput,
        sends=SkipInput,
        examples=[
            example("The third cycle", {"cycle": 3, "skip": True}, sent=True),
            example("One cycle", {"skipped": [3], "left_in_cycle": None}),
        ],
    )
    @idempotent(atomic=True)
    @names_are_refused
    def post(self, request: Any, season_slug: str, stable_slug: str) -> Response:
        """Sit out a whole cycle that has not begun, or take that back.

        Refused: season_not_running, stable_has_left, cycle_begun, unknown_cycle.
        """
        stable, fields = self.own_stable(stable_slug), self.sent(SkipInput)
        part = participation.skip_cycle(stable_id=stable.pk, number=fields["cycle"], skips=fields["skip"])
        return Response(OwnPartOutput(part).data)


class Withdraw(OwnersEndpoint):
    """The withdrawal from a season."""

    @describes(
        "stables_withdraw",
        "Leave a season for good",
        TOPIC,
        answers=OwnPartOutput,
        sends=WithdrawInput,
        examples=[
            example("Sure", {"sure": True}, sent=True),
            example("Left in the second cycle", {"skipped": [], "left_in_cycle": 2}),
        ],
    )
    @idempotent(atomic=True)
    def post(self, request: Any, season_slug: str, stable_slug: str) -> Response:
        """Take your stable out of its season for good. It forfeits its open matches; you can still read the season.

        Refused: not_sure_to_leave, season_not_running, cycle_is_closing.
        """
        stable = self.own_stable(stable_slug)
        if not self.sent(WithdrawInput)["sure"]:
            raise SeasonRefused("not_sure_to_leave")
        return Response(OwnPartOutput(participation.withdraw(stable_id=stable.pk, actor=request.user)).data)
