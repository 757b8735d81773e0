"""The endpoints of the organisers' hand on a stable: remove, withdraw, give to the AI and back, pass on."""

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
from api.fields import Output, StrictBoolean, StrictChoice, StrictDateTime, StrictInteger, StrictString
from rules.core.refusals import Malformed, SeasonRefused
from stables.api.organising.base import LARGEST_ID, TOPIC, Organising
from stables.api.organising.reason import ReasonInput, reason_from
from stables.api.organising.settings import SAYS_SOMETHING, rules_refuse
from stables.models import HandOver, Stable
from stables.services.fixtures.hand_overs import LARGEST_LIMIT
from stables.services.running import guests, passing, stables
from stables.text.reasons import told_reason

LONGEST_USERNAME = 150
PASSING_ID = OpenApiParameter("passing_id", OpenApiTypes.INT64, OpenApiParameter.PATH)
WHY = {"reason": "no_show", "words": "Not seen since the first round."}


class SureInput(ReasonInput):
    """Why, and whether you are sure: the stable goes for good."""

    sure = StrictBoolean(help_text="true: nothing brings the stable back.")


class HandToAiInput(ReasonInput):
    """Why, until when the AI acts, what it may do, and how many Stones it may spend."""

    ends_at = StrictDateTime()
    scope = StrictChoice(choices=HandOver.Scope.values, default=HandOver.Scope.PLAY_AND_REPAIR.value)
    spending_limit = StrictInteger(
        min_value=0, max_value=LARGEST_LIMIT, required=False, allow_null=True, default=None, help_text="Null: no limit."
    )


class PassToInput(ReasonInput):
    """Why, and the account that gets the stable."""

    name = StrictString(
        max_length=LONGEST_USERNAME,
        validators=[SAYS_SOMETHING],
        help_text="The name of an account without a stable in the season.",
    )


class ManagedStableOutput(Output):
    """A stable after the act: its owner (null for a stable of the AI), whether the AI acts for the owner now, and the
    cycle in which it left (null while it takes part).
    """

    stable = serializers.SlugField()
    owner = serializers.CharField(allow_null=True)
    is_away = serializers.BooleanField()
    left_in_cycle = serializers.IntegerField(allow_null=True)


MANAGED: dict[str, Any] = {"stable": "kestrel-row", "owner": "anna", "is_away": False, "left_in_cycle": None}


class Managing(Organising):
    """An act of organisers on a stable."""

    def managed(self, slug: str) -> Stable:
        """Return a stable of the season by its slug, for its organisers; at most two queries.

        Raises Http404, and PermissionDenied for anybody but organisers.
        """
        self.organised_season()
        return self.stable(slug)

    def after(self, stable: Stable) -> Response:
        """Return the answer to an act that a stable outlives; two queries."""
        row = Stable.objects.select_related("owner").get(pk=stable.pk)
        facts = {
            "stable": row.slug,
            "owner": None if row.owner is None else row.owner.get_username(),
            "is_away": stables.is_away(row.pk),
            "left_in_cycle": row.left_in_cycle,
        }
        return Response(ManagedStableOutput(facts).data)


class RemoveStable(Managing):
    """The removal of a stable before the season begins."""

    @describes(
        "manage_remove",
        "Remove a stable before the season begins",
        TOPIC,
        sends=SureInput,
        answers=None,
        status=204,
        examples=[example("A typing error", {"reason": "typing_error", "sure": True}, sent=True)],
    )
    @idempotent(atomic=True)
    def post(self, request: Any, season_slug: str, stable_slug: str) -> Response:
        """Remove a stable of a draft or a recruiting season, also one of the AI. It leaves as if it had never joined:
        its name and its place are free. Its owner gets a notice that says why.

        Refused: reason_missing, stable_goes_for_good without `sure`, stable_stays.
        """
        stable, sent = self.managed(stable_slug), self.sent(SureInput)
        reason = _sure_reason(stable, sent)
        stables.remove(stable_id=stable.pk, reason=reason, user=request.user)
        return Response(status=204)

    def recheck_permission(self, **names: Any) -> None:
        # The stable is gone after the first call.
        self.organised_season()


class WithdrawStable(Managing):
    """The withdrawal of a stable by an organiser."""

    @describes(
        "manage_withdraw",
        "Withdraw a stable",
        TOPIC,
        sends=SureInput,
        answers=ManagedStableOutput,
        examples=[
            example("A player who is gone", {**WHY, "sure": True}, sent=True),
            example("It left in the second cycle", {**MANAGED, "left_in_cycle": 2}),
        ],
    )
    @idempotent(atomic=True)
    def post(self, request: Any, season_slug: str, stable_slug: str) -> Response:
        """Take a stable out of a running season for good, as its owner may. It forfeits its open matches. Its
        owner gets a notice that says why.

        Refused: reason_missing, stable_goes_for_good without `sure`, season_not_running, stable_has_left,
        cycle_is_closing; organiser_takes_part if you play in the season and another organiser does not.
        """
        stable, sent = self.managed(stable_slug), self.sent(SureInput)
        stables.withdraw(stable_id=stable.pk, reason=_sure_reason(stable, sent), user=request.user)
        return self.after(stable)


class HandToAi(Managing):
    """The hand-over of an absent owner's stable to the AI."""

    @describes(
        "manage_hand_to_ai",
        "Hand a stable to the AI",
        TOPIC,
        sends=HandToAiInput,
        answers=ManagedStableOutput,
        examples=[
            example("For a week", {**WHY, "ends_at": "3152-03-15T18:00:00Z", "spending_limit": 200}, sent=True),
            example("The AI acts", {**MANAGED, "is_away": True}),
        ],
    )
    @idempotent(atomic=True)
    def post(self, request: Any, season_slug: str, stable_slug: str) -> Response:
        """Let the AI act for the owner of a stable from now on. The owner gets a notice that says why, and may take the
        stable back.

        Refused: reason_missing, season_not_running, stable_has_left, organiser_takes_part, nobody_to_stand_in_for,
        hand_over_takes_no_time, hand_over_too_long, hand_over_overlaps.
        """
        stable, sent = self.managed(stable_slug), self.sent(HandToAiInput)
        asked = {name: sent[name] for name in ("ends_at", "scope", "spending_limit")}
        stables.hand_to_ai(stable_id=stable.pk, reason=reason_from(sent), user=request.user, **asked)
        return self.after(stable)


class TakeBackFromAi(Managing):
    """The end of a hand-over by an organiser."""

    @describes(
        "manage_take_back",
        "Give a stable back to its owner",
        TOPIC,
        sends=ReasonInput,
        answers=ManagedStableOutput,
        examples=[example("Agreed", {"reason": "agreed"}, sent=True), example("The owner decides", MANAGED)],
    )
    @idempotent(atomic=True)
    def post(self, request: Any, season_slug: str, stable_slug: str) -> Response:
        """End the hand-over that runs, so that the owner decides again, and gets a notice that says why.

        Refused: reason_missing, not_handed_over, season_not_running, stable_has_left, organiser_takes_part.
        """
        stable, sent = self.managed(stable_slug), self.sent(ReasonInput)
        stables.take_back_from_ai(stable_id=stable.pk, reason=reason_from(sent), user=request.user)
        return self.after(stable)


class PassTo(Managing):
    """The passing of a stable to an account."""

    @describes(
        "manage_pass_to",
        "Pass a stable to an account",
        TOPIC,
        sends=PassToInput,
        answers=ManagedStableOutput,
        examples=[
            example("To a reserve player", {**WHY, "name": "ben"}, sent=True),
            example("Theirs", {**MANAGED, "owner": "ben"}),
        ],
    )
    @idempotent(atomic=True)
    def post(self, request: Any, season_slug: str, stable_slug: str) -> Response:
        """Make an account the owner of a stable at once, with everything that the stable has and has planned: also
        sealed baskets and line-ups. Both owners get a notice that says why. Hand-overs, the seat of a program and open
        links end.

        Refused: reason_missing, unknown_person, taker_has_stable, program_has_stable, stand_in_plays,
        season_not_running, stable_has_left, organiser_takes_part. 429 (`too_often`) for too many within an hour, or to
        one person.
        """
        stable, sent = self.managed(stable_slug), self.sent(PassToInput)
        with rules_refuse():
            passing.pass_to(stable_id=stable.pk, name=sent["name"], reason=reason_from(sent), user=request.user)
        return self.after(stable)


class MakeLinkInput(ReasonInput):
    """Why, and whether the link is for a guest, who needs no account."""

    for_guest = StrictBoolean(
        default=False,
        help_text=(
            "true: for a stable of the AI or of a guest. Whoever opens the link on a phone plays the stable there as a "
            "guest; an account that sends its code to `/stable-link` gets it as by any link."
        ),
    )


class StableLinkOutput(Output):
    """A link that passes a stable on once, until it expires. `code` and `link` are null except in the answer that made
    it: only the hash of the code is stored.
    """

    id = serializers.IntegerField()
    for_guest = serializers.BooleanField()
    reason = serializers.CharField()
    made_at = serializers.DateTimeField()
    expires_at = serializers.DateTimeField()
    code = serializers.CharField(allow_null=True)
    link = serializers.CharField(allow_null=True)


LINK: dict[str, Any] = {
    "id": 5,
    "for_guest": False,
    "reason": "agreed",
    "made_at": "3152-03-01T18:00:00Z",
    "expires_at": "3152-03-15T18:00:00Z",
    "code": None,
    "link": None,
}


def _link(row: Any, code: str | None = None, link: str | None = None) -> dict[str, Any]:
    said = {"reason": told_reason(row.reason), "made_at": row.created_at, "expires_at": row.expires_at}
    return {"id": row.pk, "for_guest": row.for_guest, **said, "code": code, "link": link}


class StableLinksQuery(Pages):
    """Which page."""


class StableLinks(Managing):
    """The links that pass a stable on."""

    secrets = ("code", "link")

    @describes(
        "manage_links_list",
        "The open links of a stable",
        TOPIC,
        answers=pages_of(StableLinkOutput),
        asks=StableLinksQuery,
        examples=[example("One of them", {"count": 1, "page": 1, "pages": 1, "results": [LINK]})],
    )
    def get(self, request: Any, season_slug: str, stable_slug: str) -> Response:
        """List the links that can still be used, without their codes. Only organisers may."""
        rows = passing.open_links(self.managed(stable_slug).pk)
        asked = self.asked(StableLinksQuery)
        return self.page_of(rows, asked, lambda own: StableLinkOutput([_link(row) for row in own], many=True).data)

    @describes(
        "manage_links_make",
        "Make a link that passes a stable on",
        TOPIC,
        sends=MakeLinkInput,
        answers=StableLinkOutput,
        status=201,
        examples=[
            example("Agreed", {"reason": "agreed"}, sent=True),
            example("For a guest", {"reason": "agreed", "for_guest": True}, sent=True),
            example(
                "Made",
                {
                    **LINK,
                    "code": "b2Zm9kQ0xTn1aWvEb2Zm9kQ0xTn1aWvE",
                    "link": "https://solaris.example/stable-links/b2Zm9kQ0xTn1aWvEb2Zm9kQ0xTn1aWvE/",
                },
                status=201,
            ),
        ],
    )
    @idempotent(atomic=True)
    def post(self, request: Any, season_slug: str, stable_slug: str) -> Response:
        """Make a link. Whoever opens it and confirms becomes the owner, once, within 14 days; programs send its code to
        `/stable-link`. A link for a guest takes back the other links of the stable.

        Refused: reason_missing, too_many_links, season_not_running, stable_has_left, organiser_takes_part; for a guest
        seat_has_owner, too_many_guests. 429 (`too_often`) for too many links for guests within an hour.
        """
        stable, sent = self.managed(stable_slug), self.sent(MakeLinkInput)
        make = guests.make_seat_link if sent["for_guest"] else passing.make_link
        made = make(stable_id=stable.pk, reason=reason_from(sent), user=request.user)
        row = passing.open_links(stable.pk).get(pk=made.passing_id)
        link = request.build_absolute_uri(reverse("stables:open_link", args=[made.code]))
        return Response(StableLinkOutput(_link(row, made.code, link)).data, status=201)


class StableLinkItself(Managing):
    """One link."""

    @describes(
        "manage_links_revoke",
        "Take a link to a stable back",
        TOPIC,
        answers=None,
        status=204,
        parameters=[PASSING_ID],
    )
    @idempotent(atomic=True)
    def delete(self, request: Any, season_slug: str, stable_slug: str, passing_id: int) -> Response:
        """Take the link back. A link that was used stays used. A second call changes nothing."""
        stable = self.managed(stable_slug)
        try:
            if passing_id > LARGEST_ID:
                raise Http404
            passing.revoke_link(season_id=stable.season_id, passing_id=passing_id, user=request.user)
        except Malformed as unknown:
            raise Http404 from unknown
        return Response(status=204)


def _sure_reason(stable: Stable, sent: dict[str, Any]) -> str:
    """Return the reason of an act that cannot be undone.

    Raises SeasonRefused (reason_missing, stable_goes_for_good).
    """
    if not sent["sure"]:
        raise SeasonRefused("stable_goes_for_good", name=stable.name)
    return reason_from(sent)
