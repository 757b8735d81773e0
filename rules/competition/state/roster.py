"""The constants of one match, compiled from its setup into tables: fighters, tokens, sides, arena.

Nothing here changes during play. Units, sides and tokens are small integers inside the engine, in the order of the
setup unless `listing` says otherwise; names appear only at the edge. A target is a unit's number, or TOKEN plus a
token's number.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from copy import copy
from dataclasses import replace
from typing import Any

from rules.competition.ground.arcs import (
    facings_by_corners,
    facings_by_side,
    front_corners,
    front_sides,
    rear_corners,
    rear_sides,
)
from rules.competition.ground.arena import Arena
from rules.competition.state.gear_tables import (
    EVERY_CHOICE,
    all_bits,
    bits_by_choice,
    circles,
    conflicts,
    free_items,
    given,
    modifiers,
)
from rules.competition.state.match_format import MatchFormat
from rules.competition.state.position import EQUIPMENT_STATE, GEAR_SHIFT, SHUTDOWN
from rules.competition.state.setup import Loadout, MatchSetup
from rules.core.card_hooks import Text
from rules.core.equipment import BALLISTIC, ENERGY, EQUIPMENT, LOCATIONS, OPTIONAL, SPEED
from rules.core.fixed import Fixed, FixedMap
from rules.core.refusals import Malformed
from rules.solaris.cards import RallyCardDefinition
from rules.solaris.tokens import TokenDefinition

TOKEN = 32
"""Targets from this number up are tokens."""

DAMAGE_LOCATIONS = ("primary", "secondary")
PRIMARY, SECONDARY, SPEED_LOCATION = 0, 1, 2

ROLLED_EFFECTS = (
    "avoid_ammunition_explosion_critical",
    "avoid_ammunition_explosion",
    "avoid_heat_sink_overload_critical",
    "avoid_heat_sink_overload",
    "avoid_shutdown_critical",
    "avoid_shutdown",
)


class Fighter(Fixed):
    """One loadout as tables, fixed.

    `damage` (of each value), `speed`, `attack_total` and `defense_total` have an index for the pilot state (0
    unconscious, 1 conscious), then, the first two only, for the heat step, and last for the click. The step after the
    heat dial's last is the three radiation symbols and shows no numbers. `equipment` is indexed by the bits of
    EQUIPMENT_STATE, heat step and click. All of these include what gear gives. `total` is in points; `clicks` and
    `steps` are the lengths of the dials. `effects` has by heat step the (location, effect) pairs that ask for a die,
    `jammed` whether each damage value is silenced. `single_use` has the bits of `circles` by click, `free_on_value`
    those of `free_items` by damage value and click.
    """

    __slots__ = (
        "attack",
        "attack_given",
        "attack_total",
        "best_damage",
        "card_keys",
        "clicks",
        "conflicts",
        "damage",
        "damage_by_heat",
        "defense",
        "defense_given",
        "defense_total",
        "effects",
        "equipment",
        "facings_by_corners",
        "facings_by_side",
        "free_on_value",
        "front_arc",
        "front_corners",
        "front_sides",
        "gear_keys",
        "jammed",
        "maximum",
        "minimum",
        "name",
        "no_run",
        "on_value",
        "owner",
        "pilot_attack",
        "pilot_defense",
        "pilot_key",
        "printed",
        "range_types",
        "rear_arc",
        "rear_corners",
        "rear_sides",
        "repair_markers",
        "side",
        "single_use",
        "speed",
        "steps",
        "targets",
        "texts",
        "title",
        "total",
        "vent",
    )  # fmt: skip

    def __init__(self, loadout: Loadout, side: int) -> None:
        unit = loadout.definition
        pilot = loadout.pilot_definition
        bonus = dict(pilot.modifiers) if pilot else {}
        self.name = loadout.key
        self.title = unit.name
        self.owner = loadout.owner
        self.side = side
        self.total = loadout.total
        self.clicks = len(unit.dial)
        self.steps = len(unit.heat)
        self.vent = unit.vent
        self.front_arc = unit.front_arc
        self.rear_arc = 0 if unit.front_arc == 360 else unit.rear_arc  # R-FAC-06
        values = (unit.primary, unit.secondary)
        self.range_types = tuple(value.range_type for value in values)
        self.targets = tuple(value.targets for value in values)
        self.minimum = tuple(value.minimum for value in values)
        self.maximum = tuple(value.maximum for value in values)
        self.attack = tuple(click.attack for click in unit.dial)
        self.defense = tuple(click.defense for click in unit.dial)
        self.repair_markers = tuple(click.repair_marker for click in unit.dial)
        self.pilot_key = pilot.key if pilot else None
        self.pilot_attack = bonus.get("attack", 0)
        self.pilot_defense = bonus.get("defense", 0)
        ability = pilot.ability_on(unit.key) if pilot else None
        self.printed: Mapping[str, tuple[int, ...]] = FixedMap(
            {name: tuple(getattr(click, name) for click in unit.dial) for name in LOCATIONS}
        )
        self.texts: tuple[Text, ...] = ((pilot.key, ability),) if pilot and ability else ()
        gear = loadout.gear_definitions
        self.gear_keys = tuple(card.key for card in gear)
        self.card_keys = frozenset(self.gear_keys)
        self.attack_given = modifiers(gear, pilot, unit.dial, "attack")
        self.defense_given = modifiers(gear, pilot, unit.dial, "defense")
        self.attack_total = _totals(self.attack, self.attack_given)
        self.defense_total = _totals(self.defense, self.defense_given)
        self.conflicts = tuple(conflicts(gear, click) for click in unit.dial)
        numbers = [(step.primary, step.secondary, step.speed) for step in unit.heat] + [(0, 0, 0)]
        printed = [(click.primary, click.secondary, click.speed) for click in unit.dial]

        def table(location: int, name: str) -> tuple[tuple[tuple[int, ...], ...], ...]:
            with_gear = [
                values[location] + sum(amount for _, amount in given(gear, click, name))
                for values, click in zip(printed, unit.dial, strict=True)
            ]

            def with_pilot(extra: int) -> tuple[tuple[int, ...], ...]:
                return tuple(
                    tuple([max(0, value + number[location] + extra) for value in with_gear]) for number in numbers
                )

            unconscious = with_pilot(0)
            return (unconscious, with_pilot(bonus[name]) if name in bonus else unconscious)

        self.damage = (table(PRIMARY, "primary"), table(SECONDARY, "secondary"))
        self.best_damage = tuple(map(max, self.damage[PRIMARY][1][0], self.damage[SECONDARY][1][0]))
        self.speed = table(SPEED_LOCATION, "speed")
        self.damage_by_heat = tuple(
            tuple(tuple(max(0, click[value] + number[value]) for click in printed) for number in numbers)
            for value in (PRIMARY, SECONDARY)
        )
        shown = [tuple(step.effects.get(name) for name in ("primary", "secondary", "speed")) for step in unit.heat]
        shown.append((None, None, None))
        self.effects = tuple(
            tuple((place, effect) for place, effect in enumerate(step) if effect in ROLLED_EFFECTS) for step in shown
        )
        silencers = {"ballistic": "ammunition_jam", "energy": "weapons_offline", "melee": ""}
        # An effect at one value silences the other value too when both have the same type (R-HEF-04, R-HEF-07).
        self.jammed = tuple(tuple(silencers[own] in step for own in self.range_types) for step in shown)
        self.no_run = tuple(step[SPEED_LOCATION] == "engine_overheat" for step in shown)
        by_choice = bits_by_choice(gear, unit.dial)
        self.single_use = tuple(circles(gear, click) for click in unit.dial)
        self.free_on_value = tuple(
            tuple(free_items(gear, click, name) for click in unit.dial) for name in DAMAGE_LOCATIONS
        )
        barred = []
        for step in shown:
            mask = 0
            if "ammunition_jam" in step:
                mask |= BALLISTIC
            if "weapons_offline" in step:
                mask |= ENERGY
            if "engine_overheat" in step:
                mask |= SPEED
            barred.append(mask)
        built: dict[tuple[bool, int], tuple[tuple[int, ...], ...]] = {}
        has_choice = any(self.conflicts)

        def at_work(state: int) -> tuple[tuple[int, ...], ...]:
            chosen = state >> GEAR_SHIFT if has_choice else 0
            is_shut = bool(state & SHUTDOWN)
            if (is_shut, chosen) not in built:
                keep = ~OPTIONAL if is_shut else -1
                keys = [all_bits(bits) for bits in by_choice[chosen]]
                built[is_shut, chosen] = tuple(tuple(key & ~off & keep for key in keys) for off in barred)
            return built[is_shut, chosen]

        self.equipment = tuple(at_work(state & EQUIPMENT_STATE) for state in range(EQUIPMENT_STATE + 1))
        self.on_value = tuple(
            tuple(tuple(bits.get(name, 0) for bits in by_choice[chosen]) for chosen in EVERY_CHOICE)
            for name in DAMAGE_LOCATIONS
        )
        self.front_corners = tuple(front_corners(unit.front_arc, facing) for facing in range(12))
        self.front_sides = tuple(front_sides(unit.front_arc, facing) for facing in range(12))
        self.facings_by_side = facings_by_side(unit.front_arc)
        self.facings_by_corners = facings_by_corners(unit.front_arc)
        self.rear_corners = tuple(rear_corners(self.rear_arc, facing) for facing in range(12))
        self.rear_sides = tuple(rear_sides(self.rear_arc, facing) for facing in range(12))
        self.fix()


def _totals(
    printed: tuple[int, ...], added: tuple[tuple[tuple[tuple[str, int], ...], ...], ...]
) -> tuple[tuple[int, ...], ...]:
    """Return printed values with their cards' modifiers, by pilot state and click."""
    return tuple(
        tuple(value + sum(amount for _, amount in more) for value, more in zip(printed, state, strict=True))
        for state in added
    )


def _numbers(names: Iterable[str]) -> FixedMap[str, int]:
    """Return the number of each name, from 0 in their order."""
    return FixedMap({name: number for number, name in enumerate(names)})


class Roster:
    """All constants of a match. `unit_of`, `side_of_name` and `token_of` turn names into numbers.

    Players are numbered as in the setup's `owners`; there are as many as sides unless stables share one (Q-168).
    `own_units[unit]`: all units of its player, itself included. `has_texts`: some pilot has an ability, or some hand a
    card. `has_cards`: some decision can be about cards. Both keep matches without cards fast.
    """

    __slots__ = (
        "arena",
        "fighters",
        "format",
        "hands",
        "has_cards",
        "has_texts",
        "house_rules",
        "last_round",
        "lattice",
        "opponents",
        "own_units",
        "owner_of",
        "setup",
        "side_of",
        "side_of_name",
        "side_totals",
        "side_units",
        "sides",
        "token_armor",
        "token_names",
        "token_of",
        "token_owner",
        "tokens",
        "unit_of",
        "units",
    )  # fmt: skip

    def __init__(
        self,
        setup: MatchSetup,
        match_format: MatchFormat[Any],
        token_names: tuple[str, ...] | None = None,
        listing: list[str] | None = None,
    ) -> None:
        """Compile a setup that is played in this format (rules.competition.setups finds it).

        `listing` gives the order of the units by name, None for side by side. `token_names` names the tokens, None for
        t1, t2 and so on.
        """
        self.setup = setup
        self.arena = Arena.of(setup.arena, setup.house_rules.elevated_ends_ignore_hindering)
        self.lattice = self.arena.lattice
        self.house_rules = setup.house_rules
        self.format = match_format
        self.last_round = self.format.last_round(setup.house_rules)
        self.sides = tuple(side.key for side in setup.sides)
        fighters = [Fighter(loadout, number) for number, side in enumerate(setup.sides) for loadout in side.units]
        if listing is not None:
            fighters.sort(key=lambda fighter: listing.index(fighter.name))
        self.fighters = tuple(fighters)
        self.units = range(len(self.fighters))
        owners = setup.owners
        self.hands = hands_of(setup) if setup.house_rules.rally_cards else tuple({} for _ in owners)
        self.has_texts = any(self.hands) or any(fighter.texts for fighter in self.fighters)
        self.has_cards = any(self.hands) or any(any(fighter.conflicts) for fighter in self.fighters)
        self.side_of = tuple(fighter.side for fighter in self.fighters)
        self.owner_of = tuple(owners.index((fighter.side, fighter.owner)) for fighter in self.fighters)
        self.own_units = tuple(
            tuple(unit for unit in self.units if self.owner_of[unit] == owner) for owner in self.owner_of
        )
        self.side_units = tuple(
            tuple(unit for unit in self.units if self.side_of[unit] == side) for side in range(len(self.sides))
        )
        self.opponents = tuple(
            tuple(other for other in self.units if self.side_of[other] != self.side_of[unit]) for unit in self.units
        )
        self.side_totals = tuple(sum(self.fighters[unit].total for unit in units) for units in self.side_units)
        documents = [(number, token) for number, side in enumerate(setup.sides) for token in side.tokens]
        self.tokens = tuple(TokenDefinition.from_json(token) for _, token in documents)
        self.token_owner = tuple(number for number, _ in documents)
        self.token_names = token_names or tuple(f"t{number + 1}" for number in range(len(self.tokens)))
        self.token_armor = tuple(EQUIPMENT[token.armor].bit if token.armor else 0 for token in self.tokens)
        self.unit_of = _numbers(fighter.name for fighter in self.fighters)
        self.side_of_name = _numbers(self.sides)
        self.token_of = _numbers(self.token_names)

    def with_tokens(self, tokens: Mapping[int, TokenDefinition]) -> Roster:
        """Return a copy with other definitions for some tokens (observations); its setup has only the ids of these."""
        twin = copy(self)
        sides = []
        number = 0
        for side in self.setup.sides:
            own = []
            for document in side.tokens:
                own.append({"id": tokens[number].key} if number in tokens else document)
                number += 1
            sides.append(replace(side, tokens=tuple(own)))
        twin.setup = replace(self.setup, sides=tuple(sides))
        twin.tokens = tuple(tokens.get(number, token) for number, token in enumerate(self.tokens))
        twin.token_armor = tuple(EQUIPMENT[token.armor].bit if token.armor else 0 for token in twin.tokens)
        return twin

    def with_hands(self, hands: Mapping[int, Mapping[str, RallyCardDefinition]]) -> Roster:
        """Return a copy with other hands for some players (observations); its setup has no cards of these players."""
        twin = copy(self)
        twin.hands = tuple(hands.get(owner, own) for owner, own in enumerate(self.hands))
        emptied = {player for owner, player in enumerate(self.setup.owners) if owner in hands}
        twin.setup = replace(
            self.setup,
            sides=tuple(
                replace(
                    side,
                    units=tuple(
                        replace(loadout, hand=()) if (number, loadout.owner) in emptied else loadout
                        for loadout in side.units
                    ),
                )
                for number, side in enumerate(self.setup.sides)
            ),
        )
        return twin

    def hand_of(self, unit: int) -> Mapping[str, RallyCardDefinition]:
        """Return the hand of a unit's player, by card."""
        return self.hands[self.owner_of[unit]]

    def target_of(self, name: object) -> int:
        """Return the number of a unit or token by its name. Raises Malformed("unknown_target")."""
        if isinstance(name, str):
            if name in self.unit_of:
                return self.unit_of[name]
            if name in self.token_of:
                return TOKEN + self.token_of[name]
        raise Malformed("unknown_target", target=name)

    def target_name(self, target: int) -> str:
        """Return the name of a unit or token."""
        return self.token_names[target - TOKEN] if target >= TOKEN else self.fighters[target].name


def hands_of(setup: MatchSetup) -> tuple[Mapping[str, RallyCardDefinition], ...]:
    """Return each player's hand by card: a player's units share their cards (Q-148), two stables do not (Q-168)."""
    hands: dict[tuple[int, str | None], dict[str, RallyCardDefinition]] = {player: {} for player in setup.owners}
    for number, side in enumerate(setup.sides):
        for loadout in side.units:
            for card in loadout.hand:
                hands[number, loadout.owner][str(card["id"])] = RallyCardDefinition.from_json(card)
    return tuple(FixedMap(hand) for hand in hands.values())
