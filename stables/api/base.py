"""The base of the endpoints of a season."""

from __future__ import annotations

from django.http import Http404

from api.endpoint import Endpoint
from people.services.accounts import Limit, count_attempt
from stables.models import Season, Stable
from stables.selectors.offices import organises
from stables.selectors.places import refuse_former_owner
from web.bounds import MOST_FILES
from web.places import client_place

FILES_OF_A_PLACE = Limit("season_file", MOST_FILES)


class SeasonEndpoint(Endpoint):
    """An endpoint at or below the address of a season."""

    def season(self) -> Season:
        """Return the season of the address, which the middleware found for an asker who may see it; no query.

        Raises Http404 when the middleware found none.
        """
        found = getattr(self.request._request, "season", None)
        if not isinstance(found, Season):
            raise Http404
        return found

    def count_file(self) -> None:
        """Count a file that is made for somebody without an account: it takes a processor for a while.

        Raises TooOften (too_often).
        """
        if not self.request.user.is_authenticated:
            count_attempt(FILES_OF_A_PLACE, client_place(self.request._request))

    def organised_season(self) -> Season:
        """Return the season of the address for its organiser or a co-organiser; at most one query.

        Raises Http404, and PermissionDenied for other people (NotAuthenticated without a login).
        """
        season = self.season()
        if not organises(self.request.user, season):
            self.permission_denied(self.request)
        return season

    def stable(self, slug: str) -> Stable:
        """Return a stable of the season by its slug, with its season; one query.

        Raises Http404, or SeasonRefused (stable_removed) for its former owner.
        """
        found = Stable.objects.filter(season=self.season(), slug=slug).first()
        if found is None:
            refuse_former_owner(self.request.user, self.season().slug, slug)
            raise Http404
        found.season = self.season()
        return found

    def own_stable(self, slug: str) -> Stable:
        """Return a stable of the season by its slug, for its owner; one query.

        Raises Http404, SeasonRefused (stable_passed_on, stable_removed) for its former owner, and PermissionDenied for
        other people (NotAuthenticated without a login).
        """
        found = self.stable(slug)
        if found.owner_id is None or found.owner_id != self.request.user.pk:
            refuse_former_owner(self.request.user, self.season().slug, slug)
            self.permission_denied(self.request)
        return found
