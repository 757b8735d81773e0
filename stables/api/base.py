"""The base of the endpoints of a season."""

from __future__ import annotations

from django.http import Http404

from api.endpoint import Endpoint
from stables.models import Season, Stable
from stables.selectors.offices import organises


class SeasonEndpoint(Endpoint):
    """An endpoint at or below the address of a season."""

    def season(self) -> Season:
        """Return the season of the address, if the middleware has found it visible to the asker; no query. Raises
        Http404.
        """
        found = getattr(self.request._request, "season", None)
        if not isinstance(found, Season):
            raise Http404
        return found

    def organised_season(self) -> Season:
        """Return the season of the address, if the asker runs it. Raises Http404, PermissionDenied."""
        season = self.season()
        if not organises(self.request.user, season):
            self.permission_denied(self.request)
        return season

    def stable(self, slug: str) -> Stable:
        """Return a stable of the season; one query. Raises Http404."""
        found = Stable.objects.filter(season=self.season(), slug=slug).first()
        if found is None:
            raise Http404
        found.season = self.season()
        return found

    def own_stable(self, slug: str) -> Stable:
        """Return a stable of the season, if the asker owns it. Raises Http404, PermissionDenied."""
        found = self.stable(slug)
        if found.owner_id is None or found.owner_id != self.request.user.pk:
            self.permission_denied(self.request)
        return found
