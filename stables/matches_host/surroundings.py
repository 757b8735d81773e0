"""The season around a match, for the page of the match: names, links, and what each side banked."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial

from django.db.models import Prefetch
from django.urls import reverse
from django.utils.translation import gettext as _

from matches.host import Surroundings
from matches.models import Match
from stables.matches_host.permissions import neighbours
from stables.models import Fixture, FixtureSide, Season, Stable
from stables.presenters.season_parts import home_crumb
from stables.presenters.sudden_death import surroundings_of_sudden_death
from stables.selectors.leaders import ranks_of
from stables.text import names as words
from web.crumbs import Link


def surroundings(match: Match) -> Surroundings | None:
    """Return season, cycle and round of a fixture's match, the stables of its sides, and what they banked and
    where they stand.

    For the match of a sudden death, return its season, its title and its stables. None for a friendly match. At most
    five queries. Fetch the match with its seats and their users.
    """
    if match.fixture_key is None:
        return None
    fixture = (
        Fixture.objects.select_related("round__cycle__season", "result")
        .prefetch_related("result__corrections")
        .defer("round__cycle__season__secret")
        .prefetch_related(Prefetch("sides", queryset=FixtureSide.objects.select_related("stable")))
        .filter(match=match)
        .first()
    )
    if fixture is None:
        return surroundings_of_sudden_death(match, home_crumb())
    cycle, found = fixture.round.cycle, fixture.round.cycle.season
    values = {
        "cycle": cycle.number,
        "format": words.word(words.FORMATS, cycle.format),
        "round": fixture.round.number,
        "number": fixture.number,
    }
    links: dict[str, Link] = {}
    owners: dict[str, dict[str, int | None]] = {}
    for side in fixture.sides.all():
        side.stable.season = found
        links[side.side] = Link(side.stable.name, side.stable.get_absolute_url())
        owners.setdefault(side.side, {})[side.stable.name] = side.stable.owner_id
    settled = fixture.result.current["sides"] if hasattr(fixture, "result") else {}
    before, after = neighbours(match, found)
    return Surroundings(
        previous=before,
        next=after,
        kept={key: side["banked"] for key, side in settled.items()},
        crumbs=(
            home_crumb(),
            Link(found.name, found.get_absolute_url()),
            Link(_("Match"), reverse("stables:fixture", args=[found.slug, fixture.pk])),
        ),
        sides=links,
        # A user who does not own a stable of the side is a program that plays for one, by everybody's consent.
        programs={
            seat.side: seat.user.get_username()
            for seat in match.seats.all()
            if seat.user is not None and seat.side in owners and seat.user_id not in owners[seat.side].values()
        },
        people=frozenset(side for side, own in owners.items() if set(own.values()) - {None}),
        owners=owners,
        onward=Link(_("What is next"), reverse("stables:after_match", args=[found.slug, fixture.pk])),
        meaning=partial(_meaning, found, [side.stable for side in fixture.sides.all()]) if settled else tuple,
        subtitle=_("Cycle %(cycle)s (%(format)s), round %(round)s, match %(number)s") % values,
    )


def _meaning(season: Season, stables: Iterable[Stable]) -> tuple[str, ...]:
    """Return a sentence for each stable on its place in the season now; one query."""
    ranks = ranks_of(season)
    return tuple(
        _("%(name)s is in place %(place)s of %(count)s with %(reputation)s reputation in the season.")
        % {
            "name": stable.name,
            "place": ranks[stable.number].rank,
            "count": len(ranks),
            "reputation": ranks[stable.number].reputation,
        }
        for stable in stables
        if stable.number in ranks
    )
