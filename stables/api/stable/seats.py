"""The endpoints of hand-overs: to the AI while the owner is away, and to a program when all others consent."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.http import Http404
from django.utils import timezone
from rest_framework import serializers
from rest_framework.response import Response

from api.description import describes, example
from api.endpoint import Pages, idempotent, pages_of
from api.fields import Input, Output, StrictChoice, StrictDateTime, StrictInteger
from stables.api.stable.base import (
    HAND_OVER_ID,
    LARGEST_ID,
    SEAT_ID,
    Line,
    OwnersEndpoint,
    names_are_refused,
)
from stables.models import ExternalSeat, HandOver
from stables.presenters.seats import programs_context, seat_of
from stables.services.fixtures import hand_overs, programs
from stables.services.fixtures.hand_overs import LARGEST_LIMIT

TOPIC = "Stables"
LONGEST_ACCOUNT = 150


class HandOverInput(Input):
    """From when to when the AI acts, what it may do, and how many Stones it may spend."""

    starts_at = StrictDateTime(required=False, allow_null=True, default=None, help_text="Null, or in the past: now.")
    ends_at = StrictDateTime()
    scope = StrictChoice(choices=HandOver.Scope.values, default=HandOver.Scope.PLAY_AND_REPAIR.value)
    spending_limit = StrictInteger(
        min_value=0, max_value=LARGEST_LIMIT, required=False, allow_null=True, default=None, help_text="Null: no limit."
    )


class HandOverOutput(Output):
    """A time in which the AI acts for the stable. `ended_at` is null unless the owner has taken it back."""

    hand_over = serializers.IntegerField(help_text="Its number on this site.")
    scope = serializers.ChoiceField(choices=HandOver.Scope.values)
    starts_at = serializers.DateTimeField()
    ends_at = serializers.DateTimeField()
    ended_at = serializers.DateTimeField(allow_null=True)


class KnownHandOverOutput(HandOverOutput):
    """A time in which the AI acts, or acted, for the stable, and how many Stones it may spend (null: no limit)."""

    spending_limit = serializers.IntegerField(allow_null=True)
    spent = serializers.IntegerField(help_text="Stones that the AI has spent in this time.")


class ProgramOutput(Output):
    """A program that plays or played for a stable, or is proposed for it: its account, and who consents.

    `ended_at` is null until it is ended.
    """

    seat = serializers.IntegerField(help_text="Its number on this site.")
    stable = serializers.SlugField()
    account = serializers.CharField(help_text="The account of the program.")
    proposed_at = serializers.DateTimeField()
    agreed_at = serializers.DateTimeField(
        allow_null=True, help_text="Since when everybody consents and the program plays."
    )
    ended_at = serializers.DateTimeField(allow_null=True)
    consents = serializers.ListField(child=serializers.SlugField(), help_text="Stables that consent.")
    waits_for = serializers.ListField(child=serializers.SlugField(), help_text="Stables that are still asked.")
    can_consent = serializers.BooleanField()
    can_end = serializers.BooleanField()


class ProposeProgramInput(Input):
    """A program's account."""

    account = Line(max_length=LONGEST_ACCOUNT, help_text="The name of an account without a stable in the season.")


class AnswerProgramInput(Input):
    """Consent to a program, or end it."""

    answer = StrictChoice(choices=("consent", "end"))


class ProgramSeatOutput(Output):
    """A program's seat: whether everybody consents, and whether it is over."""

    seat = serializers.IntegerField(source="seat_id")
    agreed = serializers.BooleanField()
    ended = serializers.BooleanField()


HAND_OVER = {
    "hand_over": 8,
    "scope": "play_and_repair",
    "starts_at": "3152-03-08T18:00:00Z",
    "ends_at": "3152-03-15T18:00:00Z",
    "ended_at": None,
}
PROGRAM = {
    "seat": 3,
    "stable": "iron-parish",
    "account": "parish-bot",
    "proposed_at": "3152-03-08T18:00:00Z",
    "agreed_at": None,
    "ended_at": None,
    "consents": [],
    "waits_for": ["kestrel-row"],
    "can_consent": True,
    "can_end": True,
}
SEAT = {"seat": 3, "agreed": False, "ended": False}
PAGE = {"count": 1, "page": 1, "pages": 1}


def _handed_over(made: hand_overs.HandedOver) -> dict[str, Any]:
    times = {"starts_at": made.starts_at, "ends_at": made.ends_at, "ended_at": made.ended_at}
    return dict(HandOverOutput({"hand_over": made.hand_over_id, "scope": made.scope, **times}).data)


def _known(made: HandOver, spent: int) -> dict[str, Any]:
    names = ("scope", "starts_at", "ends_at", "ended_at", "spending_limit")
    return {"hand_over": made.pk, "spent": spent, **{name: getattr(made, name) for name in names}}


def _program(view: Mapping[str, Any]) -> dict[str, Any]:
    seat = view["seat"]
    return {
        "seat": seat.pk,
        "stable": seat.stable.slug,
        "account": seat.user.get_username(),
        "proposed_at": seat.proposed_at,
        "agreed_at": seat.agreed_at,
        "ended_at": seat.ended_at,
        "consents": [stable.slug for stable in view["consents"]],
        "waits_for": [stable.slug for stable in view["waits_for"]],
        "can_consent": view["can_consent"],
        "can_end": view["can_end"] or view["can_step_down"],
    }


class HandOvers(OwnersEndpoint):
    """The asker's hand-overs of a stable."""

    @describes(
        "hand_overs_list",
        "Your hand-overs",
        TOPIC,
        answers=pages_of(KnownHandOverOutput),
        asks=Pages,
        examples=[example("One", {**PAGE, "results": [{**HAND_OVER, "spending_limit": 200, "spent": 50}]})],
    )
    def get(self, request: Any, season_slug: str, stable_slug: str) -> Response:
        """List the times in which the AI acts, acted or will act for your stable, the newest first. For the owner
        alone.
        """
        stable = self.own_stable(stable_slug)
        spent = hand_overs.spent_by_hand_over(stable.pk)
        return self.page_of(
            HandOver.objects.filter(stable=stable).order_by("-starts_at", "-id"),
            self.asked(Pages),
            lambda rows: KnownHandOverOutput([_known(each, spent.get(each.pk, 0)) for each in rows], many=True).data,
        )

    @describes(
        "hand_overs_give",
        "Hand your stable over to the AI",
        TOPIC,
        answers=HandOverOutput,
        status=201,
        sends=HandOverInput,
        examples=[
            example("A week", {"ends_at": "3152-03-15T18:00:00Z", "spending_limit": 200}, sent=True),
            example("The AI acts", HAND_OVER, status=201),
        ],
    )
    @idempotent(atomic=True)
    @names_are_refused
    def post(self, request: Any, season_slug: str, stable_slug: str) -> Response:
        """Let the AI act for your stable while you are away. You can take the stable back whenever you want.

        Refused: hand_over_takes_no_time, hand_over_too_long, date_too_far, hand_over_overlaps.
        """
        stable, fields = self.own_stable(stable_slug), self.sent(HandOverInput)
        made = hand_overs.hand_over(
            stable_id=stable.pk,
            starts_at=fields["starts_at"] or timezone.now(),
            ends_at=fields["ends_at"],
            scope=fields["scope"],
            spending_limit=fields["spending_limit"],
            actor=request.user,
        )
        return Response(_handed_over(made), status=201)


class TakeBack(OwnersEndpoint):
    """The end of a hand-over."""

    @describes(
        "hand_overs_take_back",
        "Take your stable back",
        TOPIC,
        answers=HandOverOutput,
        parameters=[HAND_OVER_ID],
        examples=[example("Taken back", {**HAND_OVER, "ended_at": "3152-03-09T08:00:00Z"})],
    )
    @idempotent(atomic=True)
    def post(self, request: Any, season_slug: str, stable_slug: str, hand_over_id: int) -> Response:
        """Take your stable back at once, or cancel a coming hand-over. A second call changes nothing."""
        stable = self.own_stable(stable_slug)
        if hand_over_id > LARGEST_ID or not HandOver.objects.filter(pk=hand_over_id, stable=stable).exists():
            raise Http404
        ended = hand_overs.take_back(stable_id=stable.pk, hand_over_id=hand_over_id, actor=request.user)
        return Response(_handed_over(ended))


class Programs(OwnersEndpoint):
    """The programs of a season."""

    open_to_all = True

    @describes(
        "programs_list",
        "The programs that play in a season",
        TOPIC,
        answers=pages_of(ProgramOutput),
        asks=Pages,
        examples=[example("One is proposed", {**PAGE, "results": [PROGRAM]})],
    )
    def get(self, request: Any, season_slug: str) -> Response:
        """List the programs that play or played for stables, or are proposed for them, the newest first. Everybody who
        may see the season may read the list.
        """
        shown = programs_context(self.season(), request.user)["programs"]
        return self.page_of(
            shown, self.asked(Pages), lambda rows: ProgramOutput([_program(view) for view in rows], many=True).data
        )


class ProposeProgram(OwnersEndpoint):
    """The proposal of a program for a stable."""

    @describes(
        "programs_propose",
        "Let a program play for your stable",
        TOPIC,
        answers=ProgramSeatOutput,
        status=201,
        sends=ProposeProgramInput,
        examples=[
            example("An account", {"account": "parish-bot"}, sent=True),
            example("The others are asked", SEAT, status=201),
        ],
    )
    @idempotent(atomic=True)
    def post(self, request: Any, season_slug: str, stable_slug: str) -> Response:
        """Name the account of a program. It plays your matches once every other person with a stable in the season
        consents. Pages show that it is a program.

        Refused: appointment_over, program_unknown, program_has_stable, program_seat_taken. 429 (`too_often`) for too
        many within an hour.
        """
        stable, fields = self.own_stable(stable_slug), self.sent(ProposeProgramInput)
        made = programs.propose(stable_id=stable.pk, username=fields["account"], actor=request.user)
        return Response(ProgramSeatOutput(made).data, status=201)


class AnswerProgram(OwnersEndpoint):
    """The consent to a program, or its end."""

    def recheck_permission(self, **names: Any) -> None:
        if self._own_seat(**names) is None:
            super().recheck_permission(**names)

    def _own_seat(self, season_slug: str, stable_slug: str, seat_id: int) -> ExternalSeat | None:
        return None if seat_id > LARGEST_ID else seat_of(self.request.user, season_slug, stable_slug, seat_id)

    @describes(
        "programs_answer",
        "Consent to a program, or end it",
        TOPIC,
        answers=ProgramSeatOutput,
        sends=AnswerProgramInput,
        parameters=[SEAT_ID],
        examples=[
            example("Consent", {"answer": "consent"}, sent=True),
            example("It plays", {**SEAT, "agreed": True}),
        ],
    )
    @idempotent(atomic=True)
    def post(self, request: Any, season_slug: str, stable_slug: str, seat_id: int) -> Response:
        """Consent to a rival's program, or end a program. Every person with a stable in the season may end one.

        The account of a program may end its own seat, at the address of the stable that it plays for. Refused:
        program_seat_over and appointment_over for a consent, no_fixture_of_yours for a consent to your own.
        """
        own_seat = self._own_seat(season_slug, stable_slug, seat_id)
        if own_seat is not None and self.sent(AnswerProgramInput)["answer"] == "end":
            return Response(ProgramSeatOutput(programs.step_down(seat_id=seat_id, account=request.user)).data)
        stable = self.own_stable(stable_slug)
        if seat_id > LARGEST_ID or not ExternalSeat.objects.filter(pk=seat_id, stable__season=self.season()).exists():
            raise Http404
        word = self.sent(AnswerProgramInput)["answer"]
        answer = programs.consent if word == "consent" else programs.end
        return Response(ProgramSeatOutput(answer(seat_id=seat_id, stable_id=stable.pk, actor=request.user)).data)
