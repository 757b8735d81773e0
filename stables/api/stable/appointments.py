"""The endpoints of appointments: proposals when and how to play a match, and claims that a player did not come."""

from __future__ import annotations

from typing import Any

from django.http import Http404
from rest_framework import serializers
from rest_framework.response import Response

from api.description import describes, example
from api.endpoint import idempotent
from api.fields import Input, NullableChoice, Output, StrictChoice, StrictDateTime
from rules.core.refusals import Malformed
from stables.api.stable.base import (
    FIXTURE_ID,
    LARGEST_ID,
    PROPOSAL_ID,
    FixtureEndpoint,
    Line,
    names_are_refused,
)
from stables.models import Fixture, FixtureSide, NoShowClaim, Proposal
from stables.presenters.fixture import find_fixture, fixture_context
from stables.services.fixtures import no_shows
from stables.services.line_ups import appointments

TOPIC = "Cycles and fixtures"
LONGEST_SLUG = 70


class ProposeInput(Input):
    """A date, a mode, or both."""

    at = StrictDateTime(required=False, allow_null=True, default=None)
    mode = StrictChoice(choices=Fixture.Mode.values, required=False)


class AnswerProposalInput(Input):
    """An answer to a proposal; you can withdraw your own."""

    answer = StrictChoice(choices=("accept", "decline", "withdraw"))


class ProposedOutput(Output):
    """A proposal and its state now. It is open until every other person has accepted it, or it is declined or
    withdrawn.
    """

    proposal = serializers.IntegerField(source="proposal_id")
    state = serializers.ChoiceField(choices=Proposal.State.values)


class OpenProposalOutput(Output):
    """A proposal that waits for answers. `at` is null when it names no date."""

    proposal = serializers.IntegerField(source="pk")
    stable = serializers.SlugField(source="stable.slug", help_text="The stable that proposes.")
    at = serializers.DateTimeField(allow_null=True)
    mode = NullableChoice(choices=Fixture.Mode.values, help_text="Null: the proposal names no mode.")
    accepted_by = serializers.SerializerMethodField()

    def get_accepted_by(self, proposal: Proposal) -> list[str]:
        return [stable.slug for stable in proposal.accepted_by.all()]


class AppointmentsOutput(Output):
    """The mode and date of the match now (`scheduled_at`, null without one), and what is proposed.

    `play_due_at` is null when the round has no deadline.
    """

    is_open = serializers.BooleanField(help_text="Whether the match is still to be played.")
    mode = serializers.ChoiceField(choices=Fixture.Mode.values)
    scheduled_at = serializers.DateTimeField(allow_null=True)
    play_due_at = serializers.DateTimeField(allow_null=True, help_text="The latest date that is possible.")
    modes = serializers.ListField(
        child=serializers.ChoiceField(choices=Fixture.Mode.values), help_text="The modes that may be proposed."
    )
    proposals = OpenProposalOutput(many=True)


class ClaimInput(Input):
    """Who did not come, and the one new date."""

    absent = Line(
        max_length=LONGEST_SLUG,
        required=False,
        help_text="The address of the absent stable; between two it is the other one by default.",
    )
    new_date = StrictDateTime(required=False, allow_null=True, default=None, help_text="With the first claim.")


class AnswerClaimInput(Input):
    """An answer to a claim.

    "withdraw", "forfeit" and "stand_in" are for the player who made the claim, the last two once that player may
    choose. "here" is for the player who is claimed absent.
    """

    answer = StrictChoice(choices=("withdraw", "forfeit", "stand_in", "here"))


class ClaimedOutput(Output):
    """The state of a claim, and the one new date that it set; null when it set none."""

    state = serializers.ChoiceField(choices=NoShowClaim.State.values)
    new_date = serializers.DateTimeField(allow_null=True)


class ClaimOutput(ClaimedOutput):
    """A claim that a player did not come: who made it, and who is absent."""

    claimant = serializers.SlugField(source="claimant.slug")
    absent = serializers.SlugField(source="absent.slug")


class AbsenceOutput(Output):
    """The current claim (null when there is none, or it is withdrawn), and what you may do about an absent player."""

    claim = ClaimOutput(allow_null=True)
    may_claim = serializers.ListField(child=serializers.SlugField(), help_text="Stables that you may name as absent.")
    needs_new_date = serializers.BooleanField(help_text="Whether a claim brings the one new date.")
    may_answer = serializers.ListField(child=serializers.CharField(), help_text="What may be sent as `answer`.")


PROPOSED = {"proposal": 5, "state": "open"}
APPOINTMENTS = {
    **{"is_open": True, "mode": "browser", "scheduled_at": None, "play_due_at": "3152-03-14T18:00:00Z"},
    "modes": ["ai", "browser", "table"],
    "proposals": [
        {"proposal": 5, "stable": "iron-parish", "at": "3152-03-09T18:00:00Z", "mode": None, "accepted_by": []}
    ],
}
CLAIMED = {"state": "new_date", "new_date": "3152-03-10T18:00:00Z"}
CLAIM = {**CLAIMED, "claimant": "iron-parish", "absent": "kestrel-row"}


class Appointments(FixtureEndpoint):
    """The proposed dates and modes of a match."""

    @describes(
        "appointments_list",
        "The proposals for your match",
        TOPIC,
        answers=AppointmentsOutput,
        parameters=[FIXTURE_ID],
        examples=[example("A date is proposed", APPOINTMENTS)],
    )
    def get(self, request: Any, season_slug: str, fixture_id: int) -> Response:
        """Return the mode and date of the match and its open proposals, for the owners of its stables."""
        self.own_side(fixture_id)
        fixture = find_fixture(season_slug, fixture_id)
        shown = fixture_context(fixture, request.user)
        arranging = shown["arranging"] or {"modes": (), "proposals": ()}
        facts = {
            "is_open": shown["is_open"],
            "mode": fixture.mode,
            "scheduled_at": fixture.scheduled_at,
            "play_due_at": fixture.play_due_at,
            "modes": [mode for mode, _ in arranging["modes"]],
            "proposals": [each["proposal"] for each in arranging["proposals"]],
        }
        return Response(AppointmentsOutput(facts).data)

    @describes(
        "appointments_propose",
        "Propose a date or a mode",
        TOPIC,
        answers=ProposedOutput,
        status=201,
        sends=ProposeInput,
        parameters=[FIXTURE_ID],
        examples=[
            example("A date", {"at": "3152-03-09T18:00:00Z"}, sent=True),
            example("In the browser", {"mode": "browser"}, sent=True),
            example("The others are asked", PROPOSED, status=201),
        ],
    )
    @idempotent(atomic=True)
    @names_are_refused
    def post(self, request: Any, season_slug: str, fixture_id: int) -> Response:
        """Propose a date, a mode or both. Your earlier open proposal is withdrawn. With nobody to ask it holds at once.

        Refused: appointment_over, match_is_made, table_needs_people, nothing_to_change, date_not_ahead, date_too_far,
        date_after_deadline, bad_field.
        """
        side, fields = self.own_side(fixture_id), self.sent(ProposeInput)
        made = appointments.propose(
            stable_id=side.stable_id,
            fixture_id=fixture_id,
            mode=fields.get("mode", ""),
            at=fields["at"],
            actor=request.user,
        )
        return Response(ProposedOutput(made).data, status=201)


class AnswerProposal(FixtureEndpoint):
    """The answer to a proposal."""

    @describes(
        "appointments_answer",
        "Accept, decline or withdraw a proposal",
        TOPIC,
        answers=ProposedOutput,
        sends=AnswerProposalInput,
        parameters=[FIXTURE_ID, PROPOSAL_ID],
        examples=[
            example("Accept", {"answer": "accept"}, sent=True),
            example("It holds", {"proposal": 5, "state": "accepted"}),
        ],
    )
    @idempotent(atomic=True)
    def post(self, request: Any, season_slug: str, fixture_id: int, proposal_id: int) -> Response:
        """Accept or decline another stable's proposal, or withdraw your own. One refusal ends a proposal.

        Refused: no_fixture_of_yours, proposal_closed, appointment_over; for “accept” also match_is_made,
        table_needs_people, date_not_ahead, date_too_far, date_after_deadline.
        """
        side = self.own_side(fixture_id)
        if proposal_id > LARGEST_ID or not Proposal.objects.filter(pk=proposal_id, fixture=fixture_id).exists():
            raise Http404
        word, named = (
            self.sent(AnswerProposalInput)["answer"],
            {"stable_id": side.stable_id, "proposal_id": proposal_id},
        )
        if word == "withdraw":
            return Response(ProposedOutput(appointments.withdraw(**named)).data)
        answer = appointments.accept if word == "accept" else appointments.decline
        return Response(ProposedOutput(answer(**named, actor=request.user)).data)


class NoShow(FixtureEndpoint):
    """The claim that a player did not come."""

    open_to_all = True

    @describes(
        "no_shows_read",
        "The claim that somebody did not come",
        TOPIC,
        answers=AbsenceOutput,
        parameters=[FIXTURE_ID],
        examples=[
            example("A new date is set", {"claim": CLAIM, "may_claim": [], "needs_new_date": False, "may_answer": []})
        ],
    )
    def get(self, request: Any, season_slug: str, fixture_id: int) -> Response:
        """Return the claim that a player did not come. The owners of stables in the match also see what they may do
        now.
        """
        self.fixture_id(fixture_id)
        shown = fixture_context(find_fixture(season_slug, fixture_id), request.user)["no_show"] or {}
        can = {
            "withdraw": shown.get("can_withdraw"),
            "forfeit": shown.get("can_choose") and shown.get("can_forfeit"),
            "stand_in": shown.get("can_choose"),
            "here": shown.get("can_appear"),
        }
        facts = {
            "claim": shown.get("claim"),
            "may_claim": [stable.slug for stable in shown.get("can_claim", ())],
            "needs_new_date": bool(shown.get("is_first")),
            "may_answer": [word for word, may in can.items() if may],
        }
        return Response(AbsenceOutput(facts).data)

    @describes(
        "no_shows_claim",
        "Say that somebody did not come",
        TOPIC,
        answers=ClaimedOutput,
        status=201,
        sends=ClaimInput,
        parameters=[FIXTURE_ID],
        examples=[
            example("A first claim", {"absent": "kestrel-row", "new_date": "3152-03-10T18:00:00Z"}, sent=True),
            example("The new date is set", CLAIMED, status=201),
        ],
    )
    @idempotent(atomic=True)
    @names_are_refused
    def post(self, request: Any, season_slug: str, fixture_id: int) -> Response:
        """Say that another player did not come. The first claim sets one new date, the second lets you choose. You may
        choose at once when the player's time to think has run out in three rounds.

        Refused: appointment_over, season_is_paused, mode_needs_no_date, claim_needs_line_up, no_date_to_miss,
        claim_too_early, no_show_claimed, no_show_decided, date_not_ahead, date_too_far, date_after_deadline, bad_field.
        """
        side, fields = self.own_side(fixture_id), self.sent(ClaimInput)
        absent_id = None
        if "absent" in fields:
            others = FixtureSide.objects.filter(fixture=fixture_id, stable__slug=fields["absent"])
            absent_id = others.values_list("stable", flat=True).first()
            if absent_id is None:
                raise Malformed("bad_field", field="absent")
        made = no_shows.claim(
            stable_id=side.stable_id,
            fixture_id=fixture_id,
            absent_id=absent_id,
            new_date=fields["new_date"],
            actor=request.user,
        )
        return Response(ClaimedOutput(made).data, status=201)


class AnswerNoShow(FixtureEndpoint):
    """The answer to a claim."""

    @describes(
        "no_shows_answer",
        "Withdraw, decide or contradict a claim",
        TOPIC,
        answers=ClaimedOutput,
        sends=AnswerClaimInput,
        parameters=[FIXTURE_ID],
        examples=[
            example("I am here", {"answer": "here"}, sent=True),
            example("The claim is off", {"state": "withdrawn", "new_date": "3152-03-10T18:00:00Z"}),
        ],
    )
    @idempotent(atomic=True)
    def post(self, request: Any, season_slug: str, fixture_id: int) -> Response:
        """Withdraw your claim, choose what happens once you may choose, or say that you are here.

        Refused: claim_not_yours, no_show_decided, appointment_over; for “forfeit” and “stand_in” also
        season_is_paused, for “forfeit” forfeit_not_possible.
        """
        side, word = self.own_side(fixture_id), self.sent(AnswerClaimInput)["answer"]
        named = {"stable_id": side.stable_id, "fixture_id": fixture_id, "actor": request.user}
        if word == "withdraw":
            done = no_shows.withdraw(**named)
        elif word == "here":
            done = no_shows.appear(**named)
        else:
            done = no_shows.choose(**named, forfeit=word == "forfeit")
        return Response(ClaimedOutput(done).data)
