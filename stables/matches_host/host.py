"""The answers of seasons to the rooms below: about matches (`matches.host`) and definitions (`catalogue.host`)."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

from django.db.models import QuerySet

import catalogue.host
import matches.host
from catalogue.host import Offer, Record
from matches.host import MatchPermissions, Stops, Surroundings
from matches.models import Match
from stables.matches_host import corrections, permissions, surroundings
from stables.models import Fixture
from stables.presenters.market import offer_page
from stables.selectors import access, pauses, records


class SeasonHost:
    """The answers of seasons about the matches of fixtures and sudden deaths."""

    def surroundings_of(self, match: Match) -> Surroundings | None:
        """Return season, round (or title) and stables of a match, None for a friendly match; at most five queries.

        Fetch the match with its seats and their users.
        """
        return surroundings.surroundings(match)

    def permissions_in(self, subject: str, user: Any) -> MatchPermissions | None:
        """Return what the user may do about a fixture or a sudden death; at most five queries.

        None for any other subject.
        """
        return permissions.permissions_in_a_season(subject, user)

    def stops_of(self, match_ids: Collection[int]) -> Mapping[int, Stops]:
        """Return the pauses and days off of the seasons of these matches, by match id; two queries."""
        stops = pauses.stops_of_seasons(match_ids)
        return {match_id: Stops(paused_at, clock) for match_id, (paused_at, clock) in stops.items()}

    def listed_matches(self, user: Any) -> QuerySet[Any, Any]:
        """Return the ids of the matches of fixtures in the seasons that lists show the user, as a subquery."""
        shown = access.listed_seasons(user).values("pk")
        played = Fixture.objects.filter(round__cycle__season__in=shown, match__isnull=False)
        return played.order_by().values("match")

    def corrected_results(self, played: QuerySet[Match]) -> Mapping[int, Mapping[str, Any]]:
        """Return the valid result of each of these matches whose result was corrected, by match id; two queries."""
        return corrections.corrected(played)


class DefinitionHost:
    """The answers of seasons to the catalogue."""

    def hidden_seasons(self, user: Any, in_lists: bool) -> Any:
        """Return the addresses of the seasons that a person may not see, as a subquery.

        With `in_lists` they are the seasons that lists do not show the person.
        """
        return access.hidden_from(user, in_lists)

    def records_of(self, kind: str, key: str) -> list[Record]:
        """Return the records of all copies of a unit or pilot in public seasons, newest season first.

        [] for any other kind of definition. At most three queries.
        """
        return records.records_of(kind, key)

    def offer_of(self, user: Any, kind: str, key: str, release: str, asked: Mapping[str, str]) -> Offer | None:
        """Return the offer of a definition in the person's own market, which `asked` names (`market`, `query`).

        None for any other market or release, and for what it does not sell now. At most twelve queries, none without a
        market.
        """
        return offer_page.offer_of(user, kind, key, release, asked)


def register() -> None:
    """Register the answers of seasons in this process; call it once."""
    matches.host.register(SeasonHost())
    catalogue.host.register(DefinitionHost())
