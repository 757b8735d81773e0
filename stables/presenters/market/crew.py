"""A crew that an owner puts together from what they have and what is for sale: its points, problems and Stones."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext

from matches.text.match import word
from rules.campaign.garage.gear import TWO_SIDED, ceiling_of, check_loadout
from rules.campaign.garage.repair import UNDAMAGED
from rules.campaign.line_ups.checks import OwnedCard, check_hand
from rules.core.refusals import Refusal
from rules.solaris.building import Combatant, combatant_points
from rules.solaris.house_rules import HouseRules
from rules.wording import sentence
from rules.wording.isolation import name_of
from stables.models import Asset
from stables.presenters.market.offers import unsold
from stables.presenters.market.table import Shelf
from stables.selectors.assets import state_of
from stables.selectors.definitions import definition_of
from stables.text import names as words

KINDS_OF_CREW = ("unit", "pilot", "gear", "rally_card")
"""The fields of the builder and the kinds of asset that they choose."""


@dataclass(frozen=True)
class Good:
    """A thing that a crew may have. `price` is in Stones, 0 for what the stable has; `state` is that of its unit.

    `offer` is what the market says of it, None for what is not for sale.
    """

    kind: str
    key: str
    definition: Mapping[str, Any]
    price: int
    state: str = UNDAMAGED
    offer: Mapping[str, Any] | None = None

    @property
    def name(self) -> str:
        return name_of(self.definition)

    @property
    def kind_name(self) -> str:
        """What it is, in the reader's language."""
        return words.word(words.ASSET_KINDS, self.kind)

    @property
    def label(self) -> str:
        """Its name with its points, and whether the stable has it."""
        price = gettext("yours") if not self.price else gettext("{price} Stones").format(price=self.price)
        points = f" {self.definition['points']}" if self.kind != Asset.Kind.RALLY_CARD else ""
        return f"{self.name}{points}, {price}"


@dataclass(frozen=True)
class CrewPlan:
    """What was chosen. `points` are those of the ’Mech with pilot and gear (0 without a ’Mech), `ceiling` how many it
    may reach (None for no limit), `problems` why it may not fight so or cannot be paid.

    `price` is what is still to be bought, in Stones, and `capital` what the stable has now.
    """

    parts: tuple[Good, ...]
    points: int
    ceiling: int | None
    problems: tuple[str, ...]
    price: int
    capital: int

    @property
    def left(self) -> int:
        """The capital after buying all of it; below 0 the Stones that are missing."""
        return self.capital - self.price


Goods = Mapping[str, Mapping[str, Good]]


def goods_for(shelf: Shelf, match_class: str) -> Goods:
    """Return what a crew may be made of, by kind and key, what the stable has first. At most one query."""
    season = shelf.stable.season
    found: dict[str, dict[str, Good]] = {kind: {} for kind in KINDS_OF_CREW}
    for asset in unsold(shelf.assets):
        if asset.died_at is None:
            state = state_of(season, asset) if asset.kind == Asset.Kind.UNIT else UNDAMAGED
            good = Good(asset.kind, asset.catalogue_key, definition_of(season, asset), 0, state)
            kept = found[asset.kind].get(asset.catalogue_key)
            if kept is None or kept.state != UNDAMAGED:
                found[asset.kind][asset.catalogue_key] = good
    for row in shelf.rows({"class": match_class}):
        offer = row.offer
        if not any(problem.code != "capital_too_small" for problem in offer["refusals"]):
            good = Good(offer["kind"], offer["key"], offer["definition"], offer["price"], offer=offer)
            found[offer["kind"]].setdefault(offer["key"], good)
    return found


def choices_of(goods: Mapping[str, Good]) -> list[tuple[str, str]]:
    """Return goods as choices of a form; two-sided gear has one for each side ("G-001:primary")."""
    found = []
    for key, good in goods.items():
        if good.kind == Asset.Kind.GEAR and good.definition["slot"] == TWO_SIDED:
            found += [(f"{key}:{side}", f"{good.label} ({word(str(side))})") for side in Asset.Side]
        else:
            found.append((key, good.label))
    return found


def plan_of(shelf: Shelf, goods: Goods, chosen: Mapping[str, Sequence[str]]) -> CrewPlan:
    """Return the crew of what was chosen: by kind, values of `choices_of`. No query."""
    picked = {
        kind: [(goods[kind][value.partition(":")[0]], value.partition(":")[2]) for value in chosen[kind]]
        for kind in KINDS_OF_CREW
    }
    rules = HouseRules.from_json(shelf.stable.season.rules.house_rules)
    unit = next((good for good, _ in picked["unit"]), None)
    pilot = next((good.definition for good, _ in picked["pilot"]), None)
    gear = [{**good.definition, "side": side} if side else good.definition for good, side in picked["gear"]]
    refusals: list[Refusal] = []
    points, ceiling = 0, None
    if unit is not None:
        refusals += check_loadout(unit.definition, unit.state, pilot, gear, rules)
        points, ceiling = combatant_points(Combatant(unit.definition, pilot, gear)), ceiling_of(unit.definition, rules)
    refusals += check_hand(
        [[OwnedCard(good.key, good.definition) for good, _ in picked["rally_card"]]], shelf.stable.name
    )
    named = {} if unit is None else {"unit": unit.name}
    problems = [sentence(refusal.code, {**refusal.parameters, **named}, gettext) for refusal in refusals]
    parts = tuple(good for kind in KINDS_OF_CREW for good, _ in picked[kind])
    price = sum(good.price for good in parts)
    capital = shelf.stable.capital
    if price > capital:
        problems.append(gettext("{missing} Stones are missing for all of it.").format(missing=price - capital))
    return CrewPlan(parts, points, ceiling, tuple(problems), price, capital)
