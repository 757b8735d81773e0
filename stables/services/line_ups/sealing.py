"""Shared by all ways of handing in a line-up: the open side, the assets that its stable may use, and storing it sealed.

R-CYC-12, Q-153.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from rules.campaign.line_ups.checks import MatchTerms
from rules.campaign.line_ups.tokens import TokenChoices
from rules.campaign.states import FIXTURE
from rules.core.refusals import Malformed, SeasonRefused
from rules.solaris.house_rules import HouseRules
from stables.models import Asset, Crew, CrewCard, Cycle, Fixture, FixtureSide, LineUp, Season, Stable
from stables.selectors.assets import Holding, holding_of
from stables.selectors.definitions import catalogue_of


@dataclass(frozen=True)
class CrewChoice:
    """A unit and its pilot by asset id; a unit from before Age of Destruction has no pilot.

    `gear_ids` None means all the gear that the garage put on the unit. `hand_ids` are the unit's rally cards.
    """

    unit_id: int
    pilot_id: int | None
    gear_ids: tuple[int, ...] | None = None
    hand_ids: tuple[int, ...] = ()


@dataclass(frozen=True)
class Called:
    """A side whose line-up is called for, with the assets that its stable may use and the terms of the match."""

    side: FixtureSide
    fixture: Fixture
    stable: Stable
    holding: Holding
    terms: MatchTerms

    @property
    def cycle(self) -> Cycle:
        """The cycle of the fixture."""
        return self.fixture.round.cycle

    @property
    def tokens(self) -> Mapping[str, dict[str, Any]]:
        """The target tokens of the season's catalogue."""
        return catalogue_of(self.cycle.season).target_tokens

    def triples(self) -> TokenChoices:
        """Return the legal choices of three target tokens; empty in a match without tokens."""
        return token_choices(self.cycle.season, self.terms)


def token_choices(season: Season, terms: MatchTerms) -> TokenChoices:
    """Return the choices of three target tokens that a match allows; empty in a match without tokens."""
    tokens = catalogue_of(season).target_tokens.values() if terms.takes_tokens else ()
    return TokenChoices.of(tokens, terms.house_rules.token_pool_rp)


def call_for(fixture: Fixture, stable: Stable) -> Called:
    """Return the side whose line-up a stable must hand in for a locked fixture; two queries.

    Raises SeasonRefused (line_up_sealed, line_up_too_early), or Malformed (unknown_asset) for a stable that is not in
    the fixture.
    """
    sides = sides_of(fixture)
    side = side_in(sides, stable.pk)
    if is_ready(side):
        raise SeasonRefused("line_up_sealed")
    require_called(fixture)
    return called_of(fixture, side, stable, sides)


def require_called(fixture: Fixture) -> None:
    """Raise SeasonRefused (line_up_too_early) unless the line-ups of a fixture are called for."""
    FIXTURE.require("hand_in", fixture.state, "line_up_too_early", state=fixture.state)


def sides_of(fixture: Fixture) -> list[FixtureSide]:
    """Return the sides of a fixture in order, with their line-ups; one query."""
    return list(FixtureSide.objects.filter(fixture=fixture).select_related("line_up").order_by("id"))


def side_in(sides: Iterable[FixtureSide], stable_id: int) -> FixtureSide:
    """Return the side of a stable. Raises Malformed (unknown_asset) if it has none."""
    side = next((each for each in sides if each.stable_id == stable_id), None)
    if side is None:
        raise Malformed("unknown_asset")
    return side


def is_ready(side: FixtureSide) -> bool:
    """Return whether a side has handed in its line-up or forfeits; no query if it was fetched with its line-up."""
    return bool(side.forfeits) or hasattr(side, "line_up")


def called_of(
    fixture: Fixture,
    side: FixtureSide,
    stable: Stable,
    sides: Sequence[FixtureSide],
    assets: Iterable[Asset] | None = None,
) -> Called:
    """Return a side with its usable assets and the terms of its match; one query, none with the stable's `assets`."""
    sharing = sum(each.side == side.side for each in sides)
    holding = holding_before(fixture, stable, assets)
    return Called(side, fixture, stable, holding, terms_for(fixture.round.cycle, sharing))


def terms_for(cycle: Cycle, sharing: int = 1) -> MatchTerms:
    """Return the terms of line-ups for the matches of a cycle.

    `sharing` is the number of stables on one side. Fetch the cycle with its season.
    """
    house_rules = HouseRules.from_json(cycle.season.rules.house_rules)
    return MatchTerms(cycle.match_class, cycle.format, house_rules, sharing)


def holding_before(fixture: Fixture, stable: Stable, assets: Iterable[Asset] | None = None) -> Holding:
    """Return the assets that a stable can use in a fixture's match; one query, none with `assets` in order of id."""
    cycle = fixture.round.cycle
    if assets is None:
        assets = Asset.objects.filter(stable=stable, sold_at=None, died_at=None).order_by("id")
    return holding_of(cycle.season, assets, cycle=cycle.number, round_number=fixture.round.number)


def write_line_up(called: Called, crews: Sequence[CrewChoice], tokens: Sequence[str], source: str) -> LineUp:
    """Store and return a checked line-up, with the gear and the hand of each unit; the side must not have one yet."""
    holding = called.holding
    line_up = LineUp.objects.create(side=called.side, tokens=list(tokens), source=source)
    written = Crew.objects.bulk_create(
        Crew(
            line_up=line_up,
            position=position,
            unit_id=choice.unit_id,
            pilot_id=choice.pilot_id,
            damage=holding.units[choice.unit_id].clicks,
        )
        for position, choice in enumerate(crews, 1)
    )
    cards = []
    for crew, choice in zip(written, crews, strict=True):
        for asset_id in gear_of(holding, choice):
            side = str(holding.gear[asset_id].definition.get("side") or "")
            cards.append(CrewCard(crew=crew, asset_id=asset_id, side=side))
        cards += [CrewCard(crew=crew, asset_id=asset_id) for asset_id in choice.hand_ids]
    CrewCard.objects.bulk_create(cards)
    return line_up


def gear_of(holding: Holding, choice: CrewChoice) -> tuple[int, ...]:
    """Return the asset ids of the gear that goes with a crew: those of the choice, where () is no gear.

    For None in the choice it is all the gear that the garage put on the unit.
    """
    if choice.gear_ids is not None:
        return choice.gear_ids
    carried = {card.key for card in holding.units[choice.unit_id].gear}
    return tuple(asset_id for asset_id, card in holding.gear.items() if card.key in carried)
