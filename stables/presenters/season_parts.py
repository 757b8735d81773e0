"""Parts of a season that several pages and the interface show: cycles, fixtures, who decides."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from django.db.models import Prefetch, QuerySet
from django.urls import reverse
from django.utils.translation import gettext as _

from matches.text.match import word
from rules.campaign.results.corrections import stables_of, what_decided
from stables.models import Cycle, Fixture, FixtureSide, Placing, Round, Season, Stable
from stables.presenters.printing.plain_text import texts_of_round
from stables.presenters.standings import placing_decided
from stables.selectors.leaders import HEAVY
from stables.selectors.seeds import fixture_commitment
from stables.text import names as words
from stables.text.states import cycle_is_open, cycle_state, round_state, state_of
from web.crumbs import Link


def own_stable(user: Any, stables: Iterable[Stable]) -> Stable | None:
    if not user.is_authenticated:
        return None
    return next((stable for stable in stables if stable.owner_id == user.pk), None)


def home_crumb() -> Link:
    return Link(_("Seasons"), reverse("stables:home"))


def fixtures() -> QuerySet[Fixture]:
    """Return fixtures with sides, stables, match, result and its corrections (3 queries)."""
    sides = FixtureSide.objects.select_related("stable", "line_up").order_by("id")
    return (
        Fixture.objects.select_related("match", "result")
        .prefetch_related("result__corrections")
        .defer(*HEAVY)
        .prefetch_related(Prefetch("sides", queryset=sides))
        .order_by("number")
    )


def cycle_parts() -> tuple[Any, ...]:
    """Return what a page of cycles prefetches (5 queries)."""
    return (
        "rounds",
        Prefetch("rounds__fixtures", queryset=fixtures()),
        Prefetch("placings", queryset=Placing.current().select_related("stable").order_by("place")),
    )


def open_sides(cycle: Cycle) -> list[FixtureSide]:
    """Return the sides of a cycle's open fixtures, in order; no query if `cycle_parts` are prefetched."""
    return [
        side
        for each in sorted(cycle.rounds.all(), key=lambda each: each.number)
        for fixture in each.fixtures.all()
        if fixture.state != Fixture.State.SETTLED
        for side in fixture.sides.all()
    ]


def cycle_view(season: Season, cycle: Cycle) -> dict[str, Any]:
    """Return a cycle for its page. Fetch the season with its release, and the cycle with `cycle_parts`."""
    cycle.season = season
    return {
        "cycle": cycle,
        "state_name": cycle_state(cycle),
        "is_open": cycle_is_open(cycle),
        "format_name": words.word(words.FORMATS, cycle.format),
        "class_name": words.word(words.CLASSES, cycle.match_class),
        "rounds": [
            _round_view(season, cycle, each) for each in sorted(cycle.rounds.all(), key=lambda each: -each.number)
        ],
        "placings": [(placing, placing_decided(placing, cycle.placings.all())) for placing in cycle.placings.all()],
    }


def _round_view(season: Season, cycle: Cycle, shown: Round) -> dict[str, Any]:
    views = [
        fixture_view(fixture, fixture_commitment(season, cycle.number, shown.number, fixture.number))
        for fixture in shown.fixtures.all()
    ]
    return {
        "round": shown,
        "state_name": round_state(shown, shown.fixtures.all()),
        "fixtures": views,
        "texts": texts_of_round(season, cycle, shown, views),
    }


def fixture_view(fixture: Fixture, commitment: str) -> dict[str, Any]:
    """Return a fixture with the hash of its match's seed and each side's part of the result.

    "forfeits" of a side is that of the valid result, which a correction may have changed.
    """
    result = getattr(fixture, "result", None)
    document = result.current if result is not None else {}
    sides = []
    for side in fixture.sides.all():
        side_result = document.get("sides", {}).get(side.side, {})
        sides.append(
            {
                "side": side,
                "stable": side.stable,
                "won": bool(document) and document.get("winner") == side.side,
                "reputation": side_result.get("reputation"),
                "banked": side_result.get("banked"),
                "kills": side_result.get("kills"),
                "forfeits": _forfeit(side, document),
            }
        )
    return {
        "fixture": fixture,
        "state_name": state_of(fixture),
        "commitment": commitment,
        "sides": sides,
        "result": document,
        "match": fixture.match,
        "decided_by": decided_by(document),
    }


def _forfeit(side: FixtureSide, document: Mapping[str, Any]) -> FixtureSide.Forfeit | None:
    """Return why a side forfeits by the valid result, or without a result so far; None if it does not."""
    if document.get("ended_by") == "void":
        return None
    by_result = stables_of(document).get(side.stable.number, {}) if document else {}
    # Old documents do not say it.
    found = by_result.get("forfeits", side.forfeits)
    return FixtureSide.Forfeit(found) if found else None


def decided_by(document: Mapping[str, Any]) -> str:
    """Return in words what decided a match whose sides are even in reputation (rules.campaign.results.corrections)."""
    return word(what_decided(document))
