"""The document that the webhook of an event gets: what happened, and the standings as everybody reads them then."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.conf import settings
from django.urls import reverse

from challenge.models import Event
from challenge.presenters.standings import StandingsLine, standings
from challenge.selectors.books import Book, book_at

VERSION = 1


def news_document(event: Event, asked: Mapping[str, Any]) -> dict[str, Any]:
    """Return the document that a job asks for: `id`, `code`, `time`, and `number` of the row after which it is so.

    `table` and `turn` are those of a closed turn, `day` that of a closed day, or else the open one.
    """
    book = book_at(event, asked["number"])
    return {
        "id": asked["id"],
        "version": VERSION,
        "code": asked["code"],
        "time": asked["time"],
        "event": {
            "slug": event.slug,
            "name": event.name,
            "url": f"{settings.SITE_URL}{reverse('challenge:event', args=[event.slug])}",
        },
        "number": asked["number"],
        **_place(book, asked["code"]),
        "stage": book.state.stage,
        "finalists": None if book.state.finalists is None else list(book.state.finalists),
        "standings": [_line(line) for line in standings(book)],
    }


def _place(book: Book, code: str) -> dict[str, Any]:
    entry = book.rows[-1].entry if code == "turn_closed" and book.rows else None
    return {
        "table": entry.table if entry is not None else None,
        "turn": entry.turn if entry is not None else None,
        "day": book.state.day - (code == "day_closed"),
    }


def _line(line: StandingsLine) -> dict[str, Any]:
    pilot = line.pilot
    return {
        "place": line.place,
        "pilot": pilot.id,
        "mech": pilot.mech.model.name if pilot.mech else None,
        "kills": int(pilot.kills.total()),
        "solo": pilot.kills.solo,
        "fame": pilot.fame,
        "c_bills": pilot.c_bills,
        "alive": pilot.alive,
        "seat": line.has_seat,
    }
