"""The endpoint of the secret address of the asker's calendar of a season."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers
from rest_framework.response import Response

from api.description import describes, example
from api.endpoint import idempotent
from api.fields import Output
from stables.api.base import SeasonEndpoint
from stables.feeds.calendar import feed_address
from stables.models import CalendarFeed
from stables.services.season import calendar_feeds

TOPIC = "Feeds and files"


class CalendarFeedOutput(Output):
    """The address at which a calendar can subscribe to the season's dates. Both fields are null while there is none.
    `address` is also null when an idempotency key repeats an answer.

    Whoever has the address can read the dates, so give it to your calendar alone.
    """

    address = serializers.URLField(allow_null=True)
    made_at = serializers.DateTimeField(allow_null=True)


EXAMPLE = {
    "address": f"https://circuit.example/seasons/spring-circuit/calendar/{'k' * 43}.ics",
    "made_at": "3152-03-01T18:00:00Z",
}


class OwnCalendar(SeasonEndpoint):
    """The asker's calendar of a season."""

    open_to_all = False
    secrets = ("address",)

    def recheck_permission(self, **names: Any) -> None:
        if self.request.method == "POST":
            self.require_part()

    def feed_response(self, found: CalendarFeed | None, status: int = 200) -> Response:
        absolute = self.request.build_absolute_uri
        address = None if found is None else feed_address(self.season(), found.key, absolute)
        made_at = None if found is None else found.created_at
        answer = Response(CalendarFeedOutput({"address": address, "made_at": made_at}).data, status=status)
        answer.headers["Cache-Control"] = "no-store, private"
        return answer

    def require_part(self) -> None:
        """Raise PermissionDenied for an asker who takes no part in the season or has left it; one query."""
        if not calendar_feeds.takes_part_still(self.request.user, self.season()):
            self.permission_denied(self.request)

    @describes(
        "calendar_feed_read",
        "The address of your calendar of a season",
        TOPIC,
        answers=CalendarFeedOutput,
        examples=[example("An address", EXAMPLE)],
    )
    def get(self, request: Any, season_slug: str) -> Response:
        """Return the address of your calendar. Only people who take part in the season may ask.

        The file at the address is iCalendar (RFC 5545) and needs no log-in.
        """
        self.require_part()
        return self.feed_response(calendar_feeds.feed_of(request.user, self.season()))

    @describes(
        "calendar_feed_make",
        "Make the address of your calendar",
        TOPIC,
        answers=CalendarFeedOutput,
        status=201,
        more={200: CalendarFeedOutput},
        examples=[example("An address", EXAMPLE, status=201)],
    )
    @idempotent(atomic=True)
    def post(self, request: Any, season_slug: str) -> Response:
        """Make the address of your calendar (201), or return the one that you already have (200).

        Only people who take part in the season may ask.
        """
        found, is_new = calendar_feeds.make_feed(user=request.user, season=self.season())
        return self.feed_response(found, 201 if is_new else 200)

    @describes("calendar_feed_revoke", "Take the address of your calendar back", TOPIC, answers=None, status=204)
    @idempotent(atomic=True)
    def delete(self, request: Any, season_slug: str) -> Response:
        """Take the address back: it stops working, and the next one is different. A second call changes nothing."""
        calendar_feeds.revoke_feed(user=request.user, season=self.season())
        return Response(status=204)
