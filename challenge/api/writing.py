"""The endpoints of a GM's program: the rows of a book, new ones, and the whole event as a document."""

from __future__ import annotations

from typing import Any

from django.http import HttpResponse, JsonResponse
from drf_spectacular.utils import OpenApiResponse
from rest_framework import serializers
from rest_framework.response import Response

from api.description import describes, example
from api.endpoint import Pages, idempotent, pages_of
from api.fields import Input, Output, StrictChoice, StrictInteger, StrictString, page_example
from api.problems import senseless_is_refused
from challenge.api.base import TOPIC, EventEndpoint
from challenge.documents import digest_of, event_document
from challenge.models import Entry
from challenge.services.books import LONGEST_CLIENT_ID, LONGEST_REASON, MOST_WISHES, Wish, write
from rules.challenge.book.rows import ROW_KINDS

LARGEST_NUMBER = 2**31 - 1


class EntryOutput(Output):
    """A row of the book. `undoes` is the row that it undoes, `before` the row before which it counts, null for none."""

    number = serializers.IntegerField()
    client_id = serializers.CharField()
    kind = serializers.ChoiceField(choices=ROW_KINDS)
    document = serializers.DictField()
    undoes = serializers.IntegerField(allow_null=True)
    before = serializers.IntegerField(allow_null=True)
    reason = serializers.CharField()
    role = serializers.CharField()
    by = serializers.CharField(source="name")
    entered_at = serializers.DateTimeField()


class WishInput(Input):
    """A row to write. `client_id` is yours: the same one again is the same row. `reason` corrects a closed turn.

    docs/scenarios.md describes the document of a deed. That of an undoing is empty.
    """

    client_id = StrictString(max_length=LONGEST_CLIENT_ID)
    kind = StrictChoice(choices=ROW_KINDS, required=False, default="deed")
    document = serializers.DictField()
    undoes = StrictInteger(min_value=1, max_value=LARGEST_NUMBER, required=False, allow_null=True, default=None)
    before = StrictInteger(min_value=1, max_value=LARGEST_NUMBER, required=False, allow_null=True, default=None)
    reason = StrictString(max_length=LONGEST_REASON, required=False, allow_blank=True, default="")


class WishesInput(Input):
    """Rows to write, in their order: all of them or none."""

    entries = serializers.ListField(child=WishInput(), min_length=1, max_length=MOST_WISHES)


class NumbersOutput(Output):
    """The numbers of the rows that were sent, in their order."""

    numbers = serializers.ListField(child=serializers.IntegerField())


ENTRY: dict[str, Any] = {
    "number": 17,
    "client_id": "7f3a9c",
    "kind": "deed",
    "document": {"what": "head_hit", "by": "Anvil", "at": "Flint", "table": "Factory", "turn": 4, "phase": "fire"},
    "undoes": None,
    "before": None,
    "reason": "",
    "role": "gm",
    "by": "anna",
    "entered_at": "3061-05-02T10:12:00Z",
}
_NEW: dict[str, Any] = {
    "format": "solaris-challenge",
    "version": 1,
    "name": "Steel Night",
    "opened_at": "3061-05-02T09:00:00+00:00",
    "closed_at": None,
    "is_listed": True,
    "entries": [
        {**ENTRY, "number": 1, "client_id": "opening", "kind": "setup", "document": {"tables": [{"id": "Factory"}]}}
    ],
    "closings": [],
}
DOCUMENT = {**_NEW, "digest": digest_of(_NEW)}
SENT = {"entries": [{"client_id": ENTRY["client_id"], "document": ENTRY["document"]}]}


class Entries(EventEndpoint):
    """The rows of an event's book."""

    @describes(
        "challenge_entries",
        "The rows of an event’s book",
        TOPIC,
        answers=pages_of(EntryOutput),
        asks=Pages,
        examples=[example("One row", page_example(ENTRY))],
    )
    def get(self, request: Any, event_slug: str) -> Response:
        """List the rows in the order in which they were written, for the GM. Undone ones are among them."""
        event, _who = self.run_event(event_slug)
        rows = Entry.objects.filter(event=event).order_by("number").select_related("user")
        return self.page_of(rows, self.asked(Pages), lambda found: EntryOutput(found, many=True).data)

    @describes(
        "challenge_write",
        "Write rows into an event’s book",
        TOPIC,
        answers=NumbersOutput,
        sends=WishesInput,
        examples=[example("A hit on the head", SENT, sent=True), example("Its number", {"numbers": [17]})],
    )
    @idempotent(atomic=True)
    def post(self, request: Any, event_slug: str) -> Response:
        """Write deeds, undoings and settings as the GM. The rules refuse what they forbid, and then nothing is written.

        With `overruled` in the document of a deed the GM sets a rule aside and says why. 409 too for a document that
        has no form of docs/scenarios.md (`bad_entry`, `bad_challenge`).
        """
        event, who = self.run_event(event_slug)
        wishes = [Wish(**wish) for wish in self.sent(WishesInput)["entries"]]
        with senseless_is_refused():
            return Response({"numbers": write(event.pk, who, wishes)})

    def recheck_permission(self, **names: Any) -> None:
        """Raise unless the asker still runs the event."""
        self.run_event(names["event_slug"])


class EventDocument(EventEndpoint):
    """An event as one document."""

    @describes(
        "challenge_document",
        "An event as one document",
        TOPIC,
        answers=OpenApiResponse({"type": "object"}, "The document; `import_challenge` verifies and stores it."),
        examples=[example("An event that has just begun", DOCUMENT)],
    )
    def get(self, request: Any, event_slug: str) -> HttpResponse:
        """Return every row of the book, and what everybody had after each closed turn, for the GM."""
        event, _who = self.run_event(event_slug)
        return JsonResponse(event_document(event), json_dumps_params={"ensure_ascii": False})
