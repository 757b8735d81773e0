"""Stored rows of an event for its log."""

from __future__ import annotations

from collections.abc import Iterator

from django.core.paginator import Page, Paginator

from challenge.models import Entry, Event

ROWS_A_PAGE = 50


def log_page(event: Event, number: str) -> tuple[Page[int], list[Entry]]:
    """Return a page of row numbers, newest first, and its stored entries; one query."""
    page = Paginator(range(event.written, 0, -1), ROWS_A_PAGE).get_page(number)
    entries = (
        Entry.objects.filter(event=event, number__in=list(page.object_list)).order_by("-number").select_related("user")
    )
    return page, list(entries)


def all_entries(event: Event) -> Iterator[Entry]:
    """Yield the stored entries of an event up to `event.written`, oldest first; one query."""
    return (
        Entry.objects.filter(event=event, number__lte=event.written)
        .order_by("number")
        .select_related("user")
        .iterator()
    )
