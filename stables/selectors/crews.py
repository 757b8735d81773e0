"""Whether stables have a crew for a coming match, from assets already read; and what an open market waits for."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from rules.campaign.garage.repair import UNDAMAGED
from rules.campaign.line_ups.checks import MatchTerms, OwnedPilot, OwnedUnit
from rules.campaign.market.advice import Roster, why_no_match
from rules.core.refusals import Refusal
from rules.solaris.house_rules import HouseRules
from stables.models import Asset, Basket, Cycle, HandOver, Season, Stable
from stables.selectors.assets import holding_of
from stables.selectors.entrants import entering
from stables.selectors.seating import handed_over

Ware = tuple[str, Mapping[str, Any]]
"""The kind and the definition of an asset."""

FIRST_ROUND = 1
"""The round before which a market is open."""


def ready_mark(cycle: int) -> str:
    """Return the value of Stable.ready_for once its owner has finished with the market of a cycle."""
    return f"market:{cycle}"


def roster_of(
    season: Season,
    assets: Iterable[Asset],
    *,
    cycle: int,
    round_number: int,
    match_class: str,
    format_name: str,
    sits_out_repaired: bool = False,
) -> Roster:
    """Return what a stable could take to the match of a round, from its assets; no query."""
    holding = holding_of(season, assets, cycle=cycle, round_number=round_number)
    house_rules = HouseRules.from_json(season.rules.house_rules)
    return Roster(
        tuple(holding.units.values()),
        tuple(holding.pilots.values()),
        MatchTerms(match_class, format_name, house_rules),
        pilots_die=house_rules.pilot_death,
        sits_out_repaired=sits_out_repaired,
    )


def why_no_crew(cycle: Cycle, assets: Iterable[Asset], bought: Iterable[Ware] = ()) -> Refusal | None:
    """Return why a stable can field nobody in the first match of a cycle whose market is open; None if it can.

    The answer is that of `why_no_match`. `bought` are things that it does not have yet. Fetch `cycle` with its season
    and release. No query.
    """
    own = roster_of(
        cycle.season,
        assets,
        cycle=cycle.number,
        round_number=FIRST_ROUND,
        match_class=cycle.match_class,
        format_name=cycle.format,
    )
    return why_no_match(with_wares(own, bought))


def with_wares(roster: Roster, bought: Iterable[Ware]) -> Roster:
    """Return a roster with the units and pilots among things that are bought, under the keys "new:1", "new:2", ..."""
    units, pilots = list(roster.units), list(roster.pilots)
    for number, (kind, entry) in enumerate(bought, 1):
        if kind == "unit":
            units.append(OwnedUnit(f"new:{number}", entry, UNDAMAGED))
        elif kind == "pilot":
            pilots.append(OwnedPilot(f"new:{number}", entry))
    return replace(roster, units=tuple(units), pilots=tuple(pilots))


@dataclass(frozen=True)
class InMarket:
    """A stable that takes part in a cycle whose market is open, as its organisers may see it.

    `shops_itself` is False where the AI shops when the market closes. `has_open_basket`: something lies in a basket
    that is not sealed. `lacks_crew`: with what it has, it can field nobody in the coming match. What lies in a basket
    is secret, so nothing in a basket counts.
    """

    stable: Stable
    shops_itself: bool
    is_ready: bool
    has_open_basket: bool
    has_sealed_basket: bool
    lacks_crew: bool

    @property
    def state(self) -> str:
        """One of MARKET_STATES."""
        if not self.shops_itself:
            return "ai"
        if self.has_open_basket:
            return "basket_open"
        if self.is_ready:
            return "ready"
        return "basket_sealed" if self.has_sealed_basket else "shopping"

    @property
    def is_without_crew(self) -> bool:
        """Whether it can field nobody and no sealed basket may mend that."""
        return self.shops_itself and self.lacks_crew and not self.has_sealed_basket


MARKET_STATES = ("ai", "shopping", "basket_open", "basket_sealed", "ready")
"""What a stable does in an open market: the AI shops for it, its owner still shops, has a basket that is not sealed,
has sealed it, or has said that they are ready."""


def left_to_the_ai(season_id: int) -> set[int]:
    """Return the ids of the stables that are handed over to the AI with everything; one query."""
    return {pk for pk, found in handed_over(season_id).items() if found.scope == HandOver.Scope.EVERYTHING}


def in_market(cycle: Cycle, stables: Iterable[Stable], away: Collection[int]) -> list[InMarket]:
    """Return the stables that take part in a cycle whose market is open; two queries.

    Fetch `cycle` with its season and release, and `stables` with `skipped` prefetched. `away` are the ids of those
    that are left to the AI (`left_to_the_ai`).
    """
    part = entering(stables, cycle.number)
    # Not even the organiser's pages read what lies in a basket.
    filled = Basket.objects.filter(cycle=cycle, filled_at=None).exclude(lines=[]).values_list("stable", "sealed_at")
    sealed = {stable_id: sealed_at is not None for stable_id, sealed_at in filled}
    owned = _owned(part)
    return [
        InMarket(
            stable,
            stable.owner_id is not None and stable.pk not in away,
            stable.ready_for == ready_mark(cycle.number),
            sealed.get(stable.pk) is False,
            sealed.get(stable.pk) is True,
            why_no_crew(cycle, owned.get(stable.pk, ())) is not None,
        )
        for stable in part
    ]


def _owned(stables: Sequence[Stable]) -> dict[int, list[Asset]]:
    """Return the units, pilots and gear of stables by the ids of the stables; one query."""
    kinds = (Asset.Kind.UNIT, Asset.Kind.PILOT, Asset.Kind.GEAR)
    found: dict[int, list[Asset]] = {}
    listed = Asset.objects.filter(stable__in=[stable.pk for stable in stables], kind__in=kinds, sold_at=None)
    for asset in listed.order_by("id"):
        found.setdefault(asset.stable_id, []).append(asset)
    return found
