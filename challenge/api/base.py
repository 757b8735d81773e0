"""The base of the endpoints of an event."""

from __future__ import annotations

from django.http import Http404

from api.endpoint import Endpoint
from challenge.models import Event
from challenge.selectors.access import Access, access_in

TOPIC = "Melee Challenge"


class EventEndpoint(Endpoint):
    """An endpoint at or below the address of an event. Programs ask with the token of the GM's account."""

    write_scope = "organise"

    def event(self, slug: str) -> Event:
        """Return the event with this address; one query. Raises Http404."""
        found = Event.objects.filter(slug=slug).first()
        if found is None:
            raise Http404
        return found

    def run_event(self, slug: str) -> tuple[Event, Access]:
        """Return the event for its GM, and what they are in it.

        Raises Http404, and PermissionDenied for other people (NotAuthenticated without a login).
        """
        event = self.event(slug)
        who = access_in(event, self.request.user)
        if not who.is_gm:
            self.permission_denied(self.request)
        return event, who
