"""The endpoints that show events: the list, one event with its standings, the standings as a table."""

from __future__ import annotations

from typing import Any

from django.http import StreamingHttpResponse
from drf_spectacular.utils import OpenApiExample, OpenApiResponse
from rest_framework import serializers
from rest_framework.response import Response

from api.description import describes, example
from api.endpoint import Pages, pages_of
from api.fields import Output, page_example
from api.files import CsvRenderer, TableQuery, table_response
from challenge.api.base import TOPIC, EventEndpoint
from challenge.feeds.tables import STANDINGS, standings_rows
from challenge.models import Event
from challenge.presenters.standings import StandingsLine, standings
from challenge.selectors.access import listed_events
from challenge.selectors.books import book_of
from web.tables import PLAIN


class EventOutput(Output):
    """An event. `written` is the number of the last entry in its book, `closed_at` null while it goes on."""

    slug = serializers.SlugField()
    name = serializers.CharField()
    opened_at = serializers.DateTimeField()
    closed_at = serializers.DateTimeField(allow_null=True)
    written = serializers.IntegerField()


class StandingsLineOutput(Output):
    """A pilot in the standings. `seat` says whether the pilot would sit down to the final; `mech` is null without one.

    `back_in` is the first turn in which a pilot who is off the board may come back, null for others.
    """

    place = serializers.IntegerField()
    pilot = serializers.CharField(source="pilot.id")
    player = serializers.CharField(source="pilot.player")
    mech = serializers.SerializerMethodField()
    kills = serializers.IntegerField(source="pilot.kills.total")
    solo = serializers.IntegerField(source="pilot.kills.solo")
    fame = serializers.IntegerField(source="pilot.fame")
    cp = serializers.IntegerField(source="pilot.cp")
    c_bills = serializers.IntegerField(source="pilot.c_bills")
    alive = serializers.BooleanField(source="pilot.alive")
    in_arena = serializers.BooleanField(source="pilot.is_in_arena")
    seat = serializers.BooleanField(source="has_seat")
    back_in = serializers.IntegerField(allow_null=True)

    def get_mech(self, line: StandingsLine) -> str | None:
        return line.pilot.mech.model.name if line.pilot.mech else None


class EventStandingsOutput(EventOutput):
    """An event with what follows from its book: the stage, the day, the turn of each table, and the standings."""

    stage = serializers.ChoiceField(choices=("qualifier", "final"))
    day = serializers.IntegerField()
    turns = serializers.DictField(child=serializers.IntegerField())
    standings = StandingsLineOutput(many=True)


EXAMPLE: dict[str, Any] = {
    "slug": "steel-night",
    "name": "Steel Night",
    "opened_at": "3061-05-02T09:00:00Z",
    "closed_at": None,
    "written": 412,
}
LINE: dict[str, Any] = {
    "place": 1, "pilot": "Anvil", "player": "Anvil", "mech": "Hunchback HBK-4G", "kills": 3, "solo": 2, "fame": 21,
    "cp": 14, "c_bills": 9400000, "alive": True, "in_arena": True, "seat": True, "back_in": None,
}  # fmt: skip


class Events(EventEndpoint):
    """The events."""

    @describes(
        "challenges",
        "The events of the Melee Challenge",
        TOPIC,
        answers=pages_of(EventOutput),
        asks=Pages,
        examples=[example("One event", page_example(EXAMPLE))],
    )
    def get(self, request: Any) -> Response:
        """List the events that are shown to everybody, and your own, the newest first."""
        return self.page_of(
            listed_events(request.user), self.asked(Pages), lambda rows: EventOutput(rows, many=True).data
        )


class EventItself(EventEndpoint):
    """An event."""

    @describes(
        "challenge",
        "An event with its standings",
        TOPIC,
        answers=EventStandingsOutput,
        tagged=True,
        examples=[
            example("In turn 7", {**EXAMPLE, "stage": "qualifier", "day": 1, "turns": {"Factory": 7},
                                  "standings": [LINE]})
        ],
    )  # fmt: skip
    def get(self, request: Any, event_slug: str) -> Response:
        """Return what everybody may read of an event. Ask again with its entity tag, as often as you like."""
        event = self.event(event_slug)
        return self.tagged(f"{event.pk}:{event.written}:{event.closed_at}", lambda: Response(_standings(event)))


def _standings(event: Event) -> dict[str, Any]:
    book = book_of(event)
    state = book.state
    found = {
        **EventOutput(event).data,
        "stage": state.stage,
        "day": state.day,
        "turns": {table.id: table.turn for table in state.tables.values()},
    }
    return {**found, "standings": StandingsLineOutput(standings(book), many=True).data}


ROW = "1,Anvil,Anvil,Hunchback HBK-4G,3,2,21,14,9400000,true,true,true"


class EventTable(EventEndpoint):
    """The standings of an event as a table."""

    renderer_classes = [CsvRenderer]

    @describes(
        "challenge_standings_csv",
        "The standings of an event as CSV",
        TOPIC,
        answers=OpenApiResponse(
            {"type": "string"},
            "UTF-8, with lines as in RFC 4180; the first line names the columns.",
            [OpenApiExample("Standings", f"{','.join(STANDINGS)}\r\n{ROW}\r\n", media_type="text/csv")],
        ),
        asks=TableQuery,
    )
    def get(self, request: Any, event_slug: str) -> StreamingHttpResponse:
        """Return a line for each pilot, best first, with the columns of the standings."""
        event = self.event(event_slug)
        form = self.asked(TableQuery).get("form", PLAIN)
        return table_response(f"{event.slug}-standings.csv", STANDINGS, standings_rows(book_of(event)), form)
