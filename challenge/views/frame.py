"""What all views of an event begin with: the event, what the visitor is in it, its book."""

from __future__ import annotations

import uuid
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property, wraps
from typing import Any

from django.core.exceptions import PermissionDenied
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404
from django.utils import timezone

from challenge.models import Event
from challenge.selectors.access import Access, access_in, secrets_in
from challenge.selectors.books import Book, book_of
from rules.challenge.state import Event as EventState


@dataclass
class Visit:
    """A request to a page of an event."""

    request: HttpRequest
    event: Event
    who: Access

    @cached_property
    def book(self) -> Book:
        """The folded book as it was when the event was read."""
        return book_of(self.event)

    @property
    def state(self) -> EventState:
        """The event now; read it, never change it."""
        return self.book.state

    def context(self, **more: Any) -> dict[str, Any]:
        """Return what the frame of a page needs (`challenge/frame.html`), with more."""
        own = {"event": self.event, "who": self.who, "book": self.book, "read_at": timezone.now()}
        return {**own, "client_id": uuid.uuid4().hex, **more}


View = Callable[..., HttpResponseBase]


def of_event(view: View) -> View:
    """Let a view take a Visit in place of request and `event_slug`; two queries at most. 404 without such an event."""

    @wraps(view)
    def answer(request: HttpRequest, event_slug: str, *arguments: Any, **named: Any) -> HttpResponseBase:
        event = get_object_or_404(Event, slug=event_slug)
        who = access_in(event, request.user, secrets_in(request.session, event.slug))
        return view(Visit(request, event, who), *arguments, **named)

    return answer


def for_gms(view: View) -> View:
    """Let a view be for GMs alone: others get 403. It stands below `of_event`."""

    @wraps(view)
    def answer(visit: Visit, *arguments: Any, **named: Any) -> HttpResponseBase:
        if not visit.who.is_gm:
            raise PermissionDenied
        return view(visit, *arguments, **named)

    return answer


def for_agents(view: View) -> View:
    """Let a view be for those who run a table: others get 403. It stands below `of_event`."""

    @wraps(view)
    def answer(visit: Visit, *arguments: Any, **named: Any) -> HttpResponseBase:
        if not visit.who.is_agent:
            raise PermissionDenied
        return view(visit, *arguments, **named)

    return answer
