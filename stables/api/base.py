"""What every address of a season stands on."""

from __future__ import annotations

from django.http import Http404

from api.endpoint import Endpoint
from stables.models import Season, Stable
from stables.selectors.offices import organises


class SeasonEndpoint(Endpoint):
    """An address at or below a season."""

    def season(self) -> Season:
        """Return the season of the address, which the middleware has found visible to a person who asks; no query.

        Raises Http404.
        """
        found = getattr(self.request._request, "season", None)
        if not isinstance(found, Season):
            raise Http404
        return found

    def organised_season(self) -> Season:
        """Return the season of the address for a person who runs it. Raises PermissionDenied."""
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
        """Return a stable of the season that belongs to a person who asks. Raises Http404, PermissionDenied."""
        found = self.stable(slug)
        if found.owner_id is None or found.owner_id != self.request.user.pk:
            self.permission_denied(self.request)
        return found
