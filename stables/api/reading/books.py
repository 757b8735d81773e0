"""The endpoints of a season's books, for everybody who may see the season: the ledgers of stables, and the log."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers
from rest_framework.response import Response

from api.description import describes, example
from api.endpoint import Pages, pages_of
from api.fields import Output, StrictChoice, page_example
from stables.api.base import SeasonEndpoint
from stables.api.references import cycle_filter
from stables.models import LedgerEntry, LogEntry
from stables.presenters.log import Line, named_parameters, with_people, worded
from stables.text.log import SENTENCES, shown_parameters
from stables.text.names import LEDGER_CAUSES, ledger_sentence

TOPIC = "Books"
SHOWN = ("name", "kind", "key", "state", "cycle", "place", "reason", "of")
"""The parameters of ledger entries that everybody sees. Others stay out: only the owner may know that the AI bought in
their absence.
"""


class LedgerEntryOutput(Output):
    """A movement of a stable's Stones. `amount` is positive for credits, `balance_after` is the capital after it.

    `sequence` counts a stable's entries from 1. `cause` and `parameters` say what the Stones are for, `sentence` says
    it in words.
    """

    sequence = serializers.IntegerField()
    amount = serializers.IntegerField()
    balance_after = serializers.IntegerField()
    cause = serializers.CharField()
    parameters = serializers.SerializerMethodField()
    sentence = serializers.SerializerMethodField()
    posted_at = serializers.DateTimeField(source="created_at")

    def get_parameters(self, entry: LedgerEntry) -> dict[str, Any]:
        return {name: entry.parameters[name] for name in SHOWN if name in entry.parameters}

    def get_sentence(self, entry: LedgerEntry) -> str:
        return ledger_sentence(entry.cause, entry.parameters)


class LedgerQuery(Pages):
    """Which entries of the ledger."""

    cause = StrictChoice(choices=list(LEDGER_CAUSES), required=False)


class LogEntryOutput(Output):
    """Something that happened in a season: its `code` and `parameters`, and the `sentence` that they make.

    `by` is the account that did it, null when the season did it by itself or the account is gone. `cycle` is the number
    of the cycle and `fixture` the id of the fixture that the entry is about; each is null when it is about none.
    """

    id = serializers.IntegerField()
    at = serializers.DateTimeField()
    code = serializers.CharField()
    parameters = serializers.DictField()
    sentence = serializers.CharField()
    cycle = serializers.IntegerField(allow_null=True)
    fixture = serializers.IntegerField(allow_null=True)
    by = serializers.CharField(allow_null=True)


class LogQuery(Pages):
    """Which entries of the log."""

    code = StrictChoice(choices=sorted(SENTENCES), required=False)
    cycle = cycle_filter()


LEDGER_EXAMPLE: dict[str, Any] = {
    "sequence": 2,
    "amount": -128,
    "balance_after": 322,
    "cause": "purchase",
    "parameters": {"name": 'Hellion "Laser Bait"', "kind": "unit", "key": "SOL002"},
    "sentence": 'Bought Hellion "Laser Bait"',
    "posted_at": "3152-03-02T18:05:00Z",
}
LOG_EXAMPLE: dict[str, Any] = {
    "id": 107,
    "at": "3152-03-06T19:40:00Z",
    "code": "match_won",
    "parameters": {"round": 1, "winner": "Ash & Sons", "others": "Birch Works", "reputation": 95, "kills": 1},
    "sentence": "Round 1: Ash & Sons beat Birch Works. Reputation 95, kills 1.",
    "cycle": 1,
    "fixture": 12,
    "by": None,
}


class Ledger(SeasonEndpoint):
    """The ledger of a stable."""

    @describes(
        "ledger_list",
        "The ledger of a stable",
        TOPIC,
        answers=pages_of(LedgerEntryOutput),
        asks=LedgerQuery,
        examples=[example("A purchase", page_example(LEDGER_EXAMPLE))],
    )
    def get(self, request: Any, season_slug: str, stable_slug: str) -> Response:
        """List the movements of the stable's Stones, the newest first. Their sum is the capital.

        Entries never change.
        """
        asked = self.asked(LedgerQuery)
        found = self.stable(stable_slug).ledger.order_by("-sequence")
        if "cause" in asked:
            found = found.filter(cause=asked["cause"])
        return self.page_of(found, asked, lambda rows: LedgerEntryOutput(rows, many=True).data)


class Log(SeasonEndpoint):
    """The log of a season."""

    @describes(
        "log_list",
        "The log of a season",
        TOPIC,
        answers=pages_of(LogEntryOutput),
        asks=LogQuery,
        examples=[example("A match was won", page_example(LOG_EXAMPLE))],
    )
    def get(self, request: Any, season_slug: str) -> Response:
        """List the entries of the season's log, the newest first."""
        asked = self.asked(LogQuery)
        found = with_people(LogEntry.objects.filter(season=self.season())).select_related("cycle", "actor")
        if "code" in asked:
            found = found.filter(code=asked["code"])
        if "cycle" in asked:
            found = found.filter(cycle__number=asked["cycle"])
        return self.page_of(
            found.order_by("-id"),
            asked,
            lambda rows: LogEntryOutput([_entry_document(line) for line in worded(rows)], many=True).data,
        )


def _entry_document(line: Line) -> dict[str, Any]:
    """Return a line of the log in the form of the interface, with the parameters of its sentence; no query."""
    entry = line.entry
    shown = shown_parameters(entry.code)
    return {
        "id": entry.pk,
        "at": entry.created_at,
        "code": entry.code,
        "parameters": {name: value for name, value in named_parameters(entry).items() if name in shown},
        "sentence": line.sentence,
        "cycle": entry.cycle.number if entry.cycle is not None else None,
        "fixture": entry.fixture_id,
        "by": entry.actor.get_username() if entry.actor is not None else None,
    }
