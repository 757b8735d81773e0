"""A whole event as one JSON document: written, verified, and stored as an event of its own.

The document has every row of the book, and what everybody had whenever a turn was closed. Whoever reads it folds the
rows again and compares. It has no keys: who goes on with the event makes new ones.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from django.db import transaction

from challenge.models import LONGEST_NAME, Closing, Entry, Event
from challenge.services.books import LONGEST_CLIENT_ID, LONGEST_REASON
from challenge.services.events import free_address
from rules.challenge.book.balances import balances
from rules.challenge.book.rows import Row, fold_rows, read_row
from rules.core.refusals import Malformed
from rules.core.shape_checks import check_of, place, shown
from rules.core.shapes import ANYTHING, Schema, each, listed, or_null, record, text, whole, word
from web.bounds import LARGEST_FILE

FORMAT, VERSION = "solaris-challenge", 1
MOST_ENTRIES = 100_000
_NUMBER = whole(1, MOST_ENTRIES)
_LOOSE: Schema = {"type": "string", "maxLength": LONGEST_REASON}
DOCUMENT: Schema = record(
    {
        "format": word(FORMAT),
        "version": word(VERSION),
        "name": text(LONGEST_NAME),
        "opened_at": text(40),
        "closed_at": or_null(text(40)),
        "is_listed": {"type": "boolean"},
        "entries": listed(
            record(
                {
                    "number": _NUMBER,
                    "client_id": text(LONGEST_CLIENT_ID),
                    "kind": text(10),
                    "document": ANYTHING,
                    "undoes": or_null(_NUMBER),
                    "before": or_null(_NUMBER),
                    "reason": _LOOSE,
                    "role": text(10),
                    "by": _LOOSE,
                    "entered_at": text(40),
                }
            ),
            1,
            MOST_ENTRIES,
        ),
        "closings": listed(record({"number": _NUMBER, "balances": each(ANYTHING)}), 0, MOST_ENTRIES),
        "digest": text(64),
    }
)


def event_document(event: Event) -> dict[str, Any]:
    """Return an event as it is at `event.written`; two queries."""
    entries = Entry.objects.filter(event=event, number__lte=event.written).order_by("number").select_related("user")
    closings = Closing.objects.filter(event=event, number__lte=event.written).order_by("number")
    document = {
        "format": FORMAT,
        "version": VERSION,
        "name": event.name,
        "opened_at": event.opened_at.isoformat(),
        "closed_at": event.closed_at.isoformat() if event.closed_at else None,
        "is_listed": event.is_listed,
        "entries": [
            {
                "number": entry.number,
                "client_id": entry.client_id,
                "kind": entry.kind,
                "document": entry.document,
                "undoes": entry.undoes,
                "before": entry.before,
                "reason": entry.reason,
                "role": entry.role,
                "by": entry.name,
                "entered_at": entry.entered_at.isoformat(),
            }
            for entry in entries
        ],
        "closings": [{"number": closing.number, "balances": closing.balances} for closing in closings],
    }
    return {**document, "digest": digest_of(document)}


def digest_of(document: Mapping[str, Any]) -> str:
    """Return the SHA-256 of a document without its own digest."""
    plain = {name: value for name, value in document.items() if name != "digest"}
    return hashlib.sha256(json.dumps(plain, sort_keys=True, ensure_ascii=False).encode()).hexdigest()


def read_document(content: bytes) -> dict[str, Any]:
    """Return the document of a file after verifying all of it.

    Raises Malformed: bad_challenge for what cannot be read, event_damaged when the digest is not that of the content or
    the rows do not lead to what it says.
    """
    if len(content) > LARGEST_FILE:
        raise Malformed("file_too_large", limit=LARGEST_FILE)
    try:
        document = json.loads(content)
    except (ValueError, RecursionError) as error:
        written = shown(content.decode("utf-8", "replace"))
        raise Malformed("bad_challenge", field="file", problem="wrong_format", value=written) from error
    fault = next(check_of(DOCUMENT).faults(document), None)
    if fault is not None:
        raise Malformed("bad_challenge", field=place(fault.path)[1] or "", problem=fault.code, **fault.parameters)
    if digest_of(document) != document["digest"]:
        raise Malformed("event_damaged", entry=0)
    for name in ("opened_at", "closed_at"):
        if document[name] is not None:
            _moment(document[name], name)
    verify(_rows(document), document["closings"])
    return dict(document)


def _rows(document: Mapping[str, Any]) -> list[Row]:
    rows: list[Row] = []
    for number, entry in enumerate(document["entries"], start=1):
        undoes, before = entry["undoes"], entry["before"]
        if entry["number"] != number or max(undoes or 0, before or 0) >= number:
            raise Malformed("event_damaged", entry=number)
        _moment(entry["entered_at"], "entered_at")
        rows.append(read_row(number, entry["kind"], entry["document"], undoes, before))
    return rows


def _moment(value: str, name: str) -> datetime:
    try:
        found = datetime.fromisoformat(value)
    except ValueError as error:
        raise Malformed("bad_challenge", field=name, problem="wrong_format", value=shown(value)) from error
    if found.tzinfo is None:
        raise Malformed("bad_challenge", field=name, problem="wrong_format", value=shown(value))
    return found


def verify(rows: Sequence[Row], closings: Sequence[Mapping[str, Any]]) -> None:
    """Fold the rows as they were at the last closing and compare. Raises Malformed (event_damaged)."""
    try:
        fold_rows(rows)
        for closing in closings[-1:]:
            found = balances(fold_rows(rows[: closing["number"]]))
            if json.loads(json.dumps(found)) != closing["balances"]:
                raise Malformed("event_damaged", entry=closing["number"])
    except (LookupError, ValueError) as error:
        raise Malformed("event_damaged", entry=len(rows)) from error


@transaction.atomic
def store_document(document: Mapping[str, Any], owner: Any = None) -> Event:
    """Store a document that `read_document` returned as an event of its own, and return the event."""
    event = Event.objects.create(
        name=document["name"],
        slug=free_address(document["name"]),
        owner=owner,
        is_listed=document["is_listed"],
        written=len(document["entries"]),
        opened_at=_moment(document["opened_at"], "opened_at"),
        closed_at=_moment(document["closed_at"], "closed_at") if document["closed_at"] else None,
    )
    Entry.objects.bulk_create(
        [
            Entry(event=event, **{**row, "entered_at": _moment(row["entered_at"], "entered_at")})
            for row in document["entries"]
        ],
        batch_size=500,
    )
    closings = document["closings"]
    Closing.objects.bulk_create(
        [Closing(event=event, number=closing["number"], balances=closing["balances"]) for closing in closings],
        batch_size=100,
    )
    return event
