"""A crew that an owner puts together from what they have and what is for sale: its points, problems and Stones."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from django.utils.text import capfirst
from django.utils.translation import gettext

from matches.text.match import COMBAT_VALUES, heading, word
from rules.campaign.garage.gear import TWO_SIDED
from rules.campaign.garage.repair import ABLE, ELIMINATED, SALVAGE, UNDAMAGED
from rules.campaign.line_ups.checks import (
    Crew,
    MatchTerms,
    OwnedCard,
    OwnedGear,
    OwnedPilot,
    OwnedUnit,
    check_crew,
    check_hand,
    check_team,
    combatant_of,
)
from rules.competition.state.roster import Fighter
from rules.competition.state.setup import Loadout
from rules.core.refusals import Refusal
from rules.core.table_units import is_table_only
from rules.solaris.building import Combatant, card_problems, combatant_points
from rules.wording import sentence
from rules.wording.filling import signed
from rules.wording.isolation import name_of
from stables.models import Asset
from stables.presenters.market.assets import description_of
from stables.presenters.market.offers import unsold
from stables.presenters.market.outlook import Planned
from stables.presenters.market.table import Buyer
from stables.selectors.assets import holding_of
from stables.selectors.definitions import definition_of
from stables.selectors.windows import Window
from stables.text import names as words
from web.languages.reader import in_stones, translate

VALUES = ("attack", "defense", "speed", "primary", "secondary")
"""The values that pilot and gear change, in the order in which the builder shows them."""

KINDS_OF_CREW = ("unit", "pilot", "gear", "rally_card")
"""The fields of the builder and the kinds of asset that they choose."""


@dataclass(frozen=True)
class Good:
    """A thing that a crew may have. `price` is in Stones, 0 for what the stable has or will have by its sealed basket.

    `unit` is a unit before the next match, None for any other thing, and `aboard` the pilot and the gear that the
    garage put on it. `is_aboard` says that this is such a pilot or such gear, `is_sealed` that the sealed basket buys
    it. `offer` is what the market says of it,
    None for what is not for sale. `description` says what it does, "" before it was chosen.
    """

    kind: str
    key: str
    definition: Mapping[str, Any]
    price: int
    unit: OwnedUnit | None = None
    aboard: tuple[Good, ...] = ()
    is_aboard: bool = False
    is_sealed: bool = False
    offer: Mapping[str, Any] | None = None
    description: str = ""

    @property
    def name(self) -> str:
        return name_of(self.definition)

    @property
    def kind_name(self) -> str:
        """What it is, in the reader's language."""
        return capfirst(words.word(words.ASSET_KINDS, self.kind))

    @property
    def label(self) -> str:
        """Its name with its price, which is its points as well; for what the stable has, the points."""
        if self.price:
            return f"{self.called}, " + in_stones(self.price)
        points = f" {self.definition['points']}" if self.kind != Asset.Kind.RALLY_CARD else ""
        return f"{self.called}{points}, " + (gettext("in your sealed basket") if self.is_sealed else gettext("yours"))

    @property
    def called(self) -> str:
        """Its name, that of two-sided gear with its side."""
        side = self.definition.get("side")
        return f"{self.name} ({word(str(side))})" if side else self.name


@dataclass(frozen=True)
class Effect:
    """A value of the ’Mech on its first click: without pilot and gear, and with them while its pilot is awake."""

    name: str
    before: int
    after: int

    @property
    def change(self) -> str:
        """What pilot and gear change, with its sign; "" for nothing."""
        return signed(self.after - self.before) if self.after != self.before else ""


@dataclass(frozen=True)
class CrewPlan:
    """What was chosen, with what the garage put on the ’Mech. `points` are those of the ’Mech with pilot and gear (0
    without a ’Mech), `ceiling` how many it may reach (None for no limit), `problems` why it may not fight so or cannot
    be paid.

    `price` is what is still to be bought, in Stones, `capital` what the stable has now, without the Stones of a sealed
    basket. `effects` is empty without a
    ’Mech with a dial, and where its cards may not go together.
    """

    parts: tuple[Good, ...]
    points: int
    ceiling: int | None
    problems: tuple[str, ...]
    price: int
    capital: int
    effects: tuple[Effect, ...] = ()

    @property
    def to_buy(self) -> tuple[Good, ...]:
        """The parts that are still to be bought; () for a crew with a problem, and one that Stones are missing for."""
        return () if self.problems else tuple(part for part in self.parts if part.price)

    @property
    def fits(self) -> bool:
        """Whether there is a ’Mech that may fight so in the next match, and can be paid."""
        return any(part.kind == Asset.Kind.UNIT for part in self.parts) and not self.problems

    @property
    def left(self) -> int:
        """The capital after buying all of it; below 0 the Stones that are missing."""
        return self.capital - self.price


Goods = Mapping[str, Mapping[str, Good]]


def goods_for(buyer: Buyer, window: Window, planned: Planned | None = None) -> Goods:
    """Return what a crew may be made of, by kind and key, what the stable has first. At most one query.

    Of several copies of a unit it is the one that is best before the next match; equals in the order of purchase. What
    a sealed basket buys costs nothing more.
    """
    season = buyer.stable.season
    found: dict[str, dict[str, Good]] = {kind: {} for kind in KINDS_OF_CREW}
    alive = [asset for asset in unsold(buyer.assets) if asset.died_at is None]
    holding = holding_of(season, alive, cycle=window.cycle, round_number=window.next_round)
    own = {asset.pk: Good(asset.kind, asset.catalogue_key, definition_of(season, asset), 0) for asset in alive}
    aboard: dict[int | None, list[Good]] = {}
    for asset in alive:
        aboard.setdefault(asset.assigned_to_id, []).append(replace(own[asset.pk], is_aboard=True))
    for asset in alive:
        good = own[asset.pk]
        if asset.kind == Asset.Kind.UNIT:
            good = replace(good, unit=holding.units[asset.pk], aboard=tuple(aboard.get(asset.pk, ())))
        kept = found[asset.kind].get(asset.catalogue_key)
        if kept is None or _readiness(good) < _readiness(kept):
            found[asset.kind][asset.catalogue_key] = good
    for kind, key, entry in _sealed(planned):
        found[kind].setdefault(key, Good(kind, key, entry, 0, _new(kind, key, entry), is_sealed=True))
    for row in buyer.rows({"class": window.match_class}):
        offer = row.offer
        if not any(problem.code != "capital_too_small" for problem in offer["refusals"]):
            kind, key, entry = offer["kind"], offer["key"], offer["definition"]
            found[kind].setdefault(key, Good(kind, key, entry, offer["price"], _new(kind, key, entry), offer=offer))
    return found


def _sealed(planned: Planned | None) -> list[tuple[str, str, Mapping[str, Any]]]:
    """Return kind, key and definition of what a basket buys, if it is sealed."""
    lines = planned.lines if planned is not None and planned.is_sealed else ()
    return [(*line.ware, line.definition) for line in lines]


def _new(kind: str, key: str, entry: Mapping[str, Any]) -> OwnedUnit | None:
    """Return a unit as it is bought; None for any other thing."""
    return OwnedUnit(key, entry, UNDAMAGED) if kind == Asset.Kind.UNIT else None


def _readiness(good: Good) -> tuple[bool, int]:
    """Return by what copies of a thing are compared: the smaller, the better before the next match."""
    if good.unit is None:
        return False, 0
    return good.unit.sits_out, (UNDAMAGED, ABLE, SALVAGE, ELIMINATED).index(good.unit.state)


def choices_of(goods: Mapping[str, Good]) -> list[tuple[str, str]]:
    """Return goods as choices of a form; two-sided gear has one for each side ("G-001:primary")."""
    found = []
    for key, good in goods.items():
        if good.kind == Asset.Kind.GEAR and good.definition["slot"] == TWO_SIDED:
            values = [f"{key}:{side}" for side in Asset.Side]
            found += [(value, _picked({key: good}, value).label) for value in values]
        else:
            found.append((key, good.label))
    return found


def plan_of(
    buyer: Buyer,
    goods: Goods,
    chosen: Mapping[str, Sequence[str]],
    terms: MatchTerms,
    planned: Planned | None = None,
) -> CrewPlan:
    """Return the crew of what was chosen (by kind, values of `choices_of`) under the terms of a match. No query.

    What the garage put on the unit counts too: all its gear, and its pilot unless another one was chosen.
    """
    picked = {kind: [_picked(goods[kind], value) for value in chosen[kind]] for kind in KINDS_OF_CREW}
    unit = next((good.unit for good in picked["unit"]), None)
    keys = {good.key for good in picked["gear"]}
    aboard = [good for each in picked["unit"] for good in each.aboard]
    picked["pilot"] = picked["pilot"] or [good for good in aboard if good.kind == Asset.Kind.PILOT]
    picked["gear"] += [good for good in aboard if good.kind == Asset.Kind.GEAR and good.key not in keys]
    refusals: list[Refusal] = []
    points = 0
    effects: tuple[Effect, ...] = ()
    if unit is not None:
        pilot = next((OwnedPilot(good.key, good.definition) for good in picked["pilot"]), None)
        gear = [OwnedGear(good.key, good.definition) for good in picked["gear"]]
        combatant = combatant_of(unit, pilot, gear)
        points = combatant_points(combatant)
        effects = _effects(combatant)
        refusals += check_crew(unit, pilot, terms, gear=gear)
        refusals += check_team([Crew(unit.key, None, points, True, (), combatant)], terms)
    refusals += check_hand([[OwnedCard(good.key, good.definition) for good in picked["rally_card"]]], buyer.stable.name)
    named = {} if unit is None else {"unit": name_of(unit.definition)}
    problems = [sentence(refusal.code, {**refusal.parameters, **named}, translate) for refusal in refusals]
    season = buyer.stable.season
    parts = tuple(
        replace(good, description=description_of(season, kind, good.definition))
        for kind in KINDS_OF_CREW
        for good in picked[kind]
    )
    price = sum(good.price for good in parts)
    capital = planned.capital_after if planned is not None and planned.is_sealed else buyer.stable.capital
    if price > capital:
        problems.append(gettext("For all of it you are short by {missing}.").format(missing=in_stones(price - capital)))
    return CrewPlan(parts, points, None if unit is None else terms.ceiling, tuple(problems), price, capital, effects)


def _effects(combatant: Combatant) -> tuple[Effect, ...]:
    """Return the values of a combatant on its first click, as a match counts them; () where it would count none."""
    unit, pilot, gear = combatant
    if is_table_only(unit) or card_problems(combatant):
        return ()
    bare, whole = (
        Fighter(Loadout(str(unit["id"]), unit, *cards, 0), 0) for cards in ((None, ()), (pilot, tuple(gear)))
    )
    rows = {name: (_first(bare, name), _first(whole, name)) for name in VALUES}
    return tuple(Effect(heading(COMBAT_VALUES, name), *values) for name, values in rows.items())


def _first(fighter: Fighter, value: str) -> int:
    """Return a value on the first click without heat, the pilot awake (1)."""
    if value in ("attack", "defense"):
        return (fighter.attack_total if value == "attack" else fighter.defense_total)[1][0]
    tables = {"primary": fighter.damage[0], "secondary": fighter.damage[1], "speed": fighter.speed}
    return tables[value][1][0][0]


def _picked(goods: Mapping[str, Good], value: str) -> Good:
    """Return the good of a value of `choices_of`; two-sided gear with its side."""
    key, _, side = value.partition(":")
    good = goods[key]
    return replace(good, definition={**good.definition, "side": side}) if side else good
