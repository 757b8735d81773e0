"""What tests of market and garage buy, and states that they put stables into."""

from __future__ import annotations

from typing import Any

import pytest

from rules.core.refusals import SeasonRefused
from rules.solaris.building import Combatant, card_problems, combatant_points
from stables.models import Asset, Cycle, Fixture, Season, Stable
from stables.selectors.definitions import catalogue_of, definition_of
from stables.services.base.ledger import Movement, post
from stables.services.fixtures import pairing
from stables.services.market import trading


def goods(season: Season, kind: str) -> list[dict[str, Any]]:
    """The catalogue's entries of a kind of asset, in order of key."""
    of_kind = {"unit": "units", "pilot": "pilots", "gear": "gear", "rally_card": "rally_cards"}[kind]
    return [entry for _, entry in sorted(catalogue_of(season).of_kind(of_kind).items())]


def common_unit(season: Season, match_class: str = "light", at_most: int = 130) -> dict[str, Any]:
    """A unit of the class that leaves points for cards and is no Unique."""
    return next(
        unit
        for unit in goods(season, "unit")
        if unit["class"] == match_class and unit["points"] <= at_most and unit["rank"] != "unique" and unit["variant"]
    )


def unique_unit(season: Season, match_class: str = "light", place: int = 0) -> dict[str, Any]:
    """A Unique of the class."""
    return [u for u in goods(season, "unit") if u["class"] == match_class and u["rank"] == "unique"][place]


def common_pilot(season: Season, match_class: str = "light", place: int = 0) -> dict[str, Any]:
    """A common pilot for units of the class without other requirements."""
    fitting = [
        pilot
        for pilot in goods(season, "pilot")
        if pilot["kind"] == "common"
        and not pilot["requires"].get("type")
        and match_class in (pilot["requires"].get("class") or [match_class])
    ]
    return fitting[place]


def fitting_gear(season: Season, unit: dict[str, Any], slots: tuple[str, ...], place: int = 0) -> dict[str, Any]:
    """Gear of one of the slots that the unit may carry alone."""
    fitting = [
        card
        for card in goods(season, "gear")
        if card["slot"] in slots and not card_problems(Combatant(unit, None, [_sided(card)]))
    ]
    return [card for card in fitting if combatant_points(Combatant(unit, None, [card])) <= 160][place]


def _sided(card: dict[str, Any]) -> dict[str, Any]:
    return {**card, "side": "primary"} if card["slot"] == "either" else card


def bought(stable: Stable, kind: str, entry: dict[str, Any]) -> Asset:
    """Buy it; the stable is given the Stones first, so that its capital does not change."""
    price = 10 if kind == "rally_card" else entry["points"]
    give(stable, price)
    return Asset.objects.get(pk=trading.buy(stable_id=stable.pk, kind=kind, key=entry["id"]).asset_id)


def give(stable: Stable, stones: int) -> None:
    """Post Stones; negative ones are taken."""
    number = stable.ledger.count()
    movement = Movement(stones, "reversal", f"test:{stable.pk}:{number}", {"reason": "a test"})
    post(stable_id=stable.pk, movements=[movement])
    stable.refresh_from_db(fields=["capital", "owed"])


def leave(stable: Stable, stones: int) -> None:
    """Leave the stable with so many Stones."""
    stable.refresh_from_db(fields=["capital"])
    if stones != stable.capital:
        give(stable, stones - stable.capital)


def hurt(unit: Asset, clicks: int = 1, *, eliminated: bool = False) -> None:
    """Damage a unit as a match would, or eliminate it."""
    dial = definition_of(unit.stable.season, unit)["dial"]
    unit.damage = len(dial) if eliminated else clicks
    unit.is_eliminated = eliminated
    unit.save(update_fields=["damage", "is_eliminated"])


def paired(season: Season, number: int = 1) -> list[Fixture]:
    """Close the market and pair a round; line-ups are called for."""
    Season.objects.filter(pk=season.pk).update(state=Season.State.RUNNING)
    drawn = pairing.pair_round(cycle_id=season.cycles.order_by("-number")[0].pk, number=number)
    return list(Fixture.objects.filter(pk__in=drawn.fixture_ids).order_by("number"))


def after_the_last_match(season: Season) -> None:
    """Put the season's cycle behind its last match: nothing is closed yet."""
    Season.objects.filter(pk=season.pk).update(state=Season.State.RUNNING)
    Cycle.objects.filter(season=season).update(state=Cycle.State.ROUNDS, rounds_planned=0, started_with=4)


def refused(call: Any, **arguments: Any) -> SeasonRefused:
    """The refusal of a call that must be refused."""
    with pytest.raises(SeasonRefused) as caught:
        call(**arguments)
    return caught.value
