"""The setup of a match: format, arena, sides with their loadouts, house rules, all definitions embedded.

A setup is the first half of a replay (the other half is seed and actions), so it round-trips through JSON and
holds every number that the match will use.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from rules.competition.ground.arena import Arena
from rules.competition.state.setup_shape import MOST_UNITS, require_different, require_setup
from rules.core.cards import SAME_VALUE, GearDefinition
from rules.core.codec import SCHEMA_VERSION
from rules.core.refusals import Malformed
from rules.core.units import PilotDefinition, UnitDefinition, total_points
from rules.solaris.building import SLOTS_OF_A_UNIT
from rules.solaris.cards import HAND_SIZE, RallyCardDefinition
from rules.solaris.house_rules import HouseRules
from rules.solaris.tokens import TokenDefinition


@dataclass(frozen=True)
class Loadout:
    """One unit as it enters the arena. `clicks` is damage carried over (R-BLD-19), 0 to dial length - 1.

    `gear` are catalogue cards, two-sided ones with their declared `side` (R-GER-05); `hand` the rally cards that this
    unit brings to its owner's hand (R-RAL-01).
    `owner` names the stable when two of them share a side (R-FMT-05, Q-168). Units of a side that name the same stable,
    or none, have one player.
    """

    key: str
    unit: Mapping[str, Any]
    pilot: Mapping[str, Any] | None
    gear: tuple[Mapping[str, Any], ...]
    clicks: int
    hand: tuple[Mapping[str, Any], ...] = ()
    owner: str | None = None

    @property
    def total(self) -> int:
        """Unit, gear and pilot points (R-BLD-08)."""
        return total_points(self.definition, self.pilot_definition, self.gear)

    @cached_property
    def definition(self) -> UnitDefinition:
        """The unit's definition, read from its document."""
        return UnitDefinition.from_json(self.unit, called=self.key)

    @cached_property
    def pilot_definition(self) -> PilotDefinition | None:
        """The pilot's definition, None without a pilot."""
        return PilotDefinition.from_json(self.pilot) if self.pilot else None

    @cached_property
    def gear_definitions(self) -> tuple[GearDefinition, ...]:
        """The definitions of the gear cards."""
        return tuple(GearDefinition.from_json(card) for card in self.gear)


@dataclass(frozen=True)
class SideSetup:
    """One side: its name in the match, its loadouts, the target tokens it adds to the pool (R-TGT-02)."""

    key: str
    units: tuple[Loadout, ...]
    tokens: tuple[Mapping[str, Any], ...]


@dataclass(frozen=True)
class MatchSetup:
    """Everything that is fixed before the first die."""

    format: str
    arena: Mapping[str, Any]
    sides: tuple[SideSetup, ...]
    house_rules: HouseRules

    @property
    def owners(self) -> tuple[tuple[int, str | None], ...]:
        """The players as (number of the side, owner), side by side; one a side unless stables share it (Q-168)."""
        return tuple(
            dict.fromkeys((number, loadout.owner) for number, side in enumerate(self.sides) for loadout in side.units)
        )

    @classmethod
    def from_json(cls, document: Mapping[str, Any]) -> MatchSetup:
        """Read a setup without the checks of its format (`rules.competition.setups.read_setup` makes them).

        Raises Malformed: bad_setup, unknown_schema, too_many_cards, gear_side_missing, gear_on_same_value,
        hand_too_large, hand_copy, and the codes of the readers of arenas, units, cards, tokens and house rules.
        """
        require_setup(document)
        schema = document.get("schema", SCHEMA_VERSION)
        if schema != SCHEMA_VERSION:
            raise Malformed("unknown_schema", schema=schema)
        setup = cls(
            format=document["format"],
            arena=document["arena"],
            sides=tuple(_side(side) for side in document["sides"]),
            house_rules=HouseRules.from_json(document.get("house_rules") or {}),
        )
        setup._validate()
        return setup

    def to_json(self) -> dict[str, Any]:
        """Return the setup as a complete document, JSON-ready."""
        return {
            "schema": SCHEMA_VERSION,
            "format": self.format,
            "arena": dict(self.arena),
            "sides": [
                {
                    "id": side.key,
                    "units": [
                        {
                            "id": loadout.key,
                            "unit": dict(loadout.unit),
                            "pilot": dict(loadout.pilot) if loadout.pilot else None,
                            "gear": [dict(card) for card in loadout.gear],
                            "clicks": loadout.clicks,
                            "hand": [dict(card) for card in loadout.hand],
                            **({"owner": loadout.owner} if loadout.owner is not None else {}),
                        }
                        for loadout in side.units
                    ],
                    "tokens": [dict(token) for token in side.tokens],
                }
                for side in self.sides
            ],
            "house_rules": self.house_rules.to_json(),
        }

    def _validate(self) -> None:
        Arena.of(self.arena)  # refuses an arena that cannot be read
        require_different({f"sides[{number}].id": side.key for number, side in enumerate(self.sides)})
        units = {
            f"sides[{number}].units[{place}]": loadout
            for number, side in enumerate(self.sides)
            for place, loadout in enumerate(side.units)
        }
        require_different({f"{field}.id": loadout.key for field, loadout in units.items()})
        if len(units) > MOST_UNITS:
            count = {"count": len(units), "least": len(self.sides), "most": MOST_UNITS}
            raise Malformed("bad_setup", field="sides", problem="wrong_count", **count)
        for field, loadout in units.items():
            last = len(loadout.definition.dial) - 1
            if loadout.clicks > last:
                found = {"value": loadout.clicks, "least": 0, "most": last}
                raise Malformed("bad_setup", field=f"{field}.clicks", problem="out_of_range", **found)
            _require_cards(loadout)
        for side in self.sides:
            for token in side.tokens:
                TokenDefinition.from_json(token)
            _require_hand(side)


def _require_cards(loadout: Loadout) -> None:
    """Raise Malformed unless the cards fit the slots and gear has its declared side, on different values (R-GER-04).

    Two gear cards may share a value when one of them allows it. The codes are too_many_cards, gear_side_missing and
    gear_on_same_value.
    """
    pilot, gear = loadout.pilot_definition, loadout.gear_definitions
    count = len(gear) + (pilot is not None)
    if count > SLOTS_OF_A_UNIT:
        raise Malformed("too_many_cards", unit=loadout.key, count=count)
    for card in gear:
        if card.location is None:
            raise Malformed("gear_side_missing", gear=card.name)
    is_double = len(gear) == SLOTS_OF_A_UNIT and gear[0].location == gear[1].location
    if is_double and SAME_VALUE not in gear[0].allows | gear[1].allows:
        raise Malformed("gear_on_same_value", gear=[card.name for card in gear], value=gear[0].location)


def _require_hand(side: SideSetup) -> None:
    """Raise Malformed for too many cards a unit (R-RAL-01), or two copies in an owner's hand (R-RAL-02, Q-148).

    The codes are hand_too_large, hand_copy and those of reading a card.
    """
    held: set[tuple[str | None, str]] = set()
    for loadout in side.units:
        if len(loadout.hand) > HAND_SIZE:
            raise Malformed("hand_too_large", unit=loadout.key, count=len(loadout.hand), most=HAND_SIZE)
        for card in loadout.hand:
            key = RallyCardDefinition.from_json(card).key
            if (loadout.owner, key) in held:
                raise Malformed("hand_copy", side=loadout.owner or side.key, card=key)
            held.add((loadout.owner, key))


def _side(document: Mapping[str, Any]) -> SideSetup:
    return SideSetup(
        key=document["id"],
        units=tuple(_loadout(entry) for entry in document["units"]),
        tokens=tuple(document.get("tokens") or ()),
    )


def _loadout(document: Mapping[str, Any]) -> Loadout:
    return Loadout(
        key=document["id"],
        unit=document["unit"],
        pilot=document.get("pilot"),
        gear=tuple(document.get("gear") or ()),
        clicks=document.get("clicks", 0),
        hand=tuple(document.get("hand") or ()),
        owner=document.get("owner"),
    )
