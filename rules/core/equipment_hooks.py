"""What special equipment does, as small functions at named timings.

A timing is a point of the rules that asks "does any equipment at work here change this?". To add equipment, give it a
row in `rules.core.equipment` and a function here under the timing that it changes. Functions see a set of equipment
bits and plain values, never a hex. They ask a `SpatialView` about the ground.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol

from rules.core.equipment import BY_BIT, EQUIPMENT

Modifier = tuple[str, int]
"""The key of the source of a modifier, and its amount."""


class SpatialView(Protocol):
    """What equipment may ask of the ground."""

    def stands_in_hindering(self, unit: int) -> bool:
        """Return whether this unit's own place is hindering terrain."""


_HOOKS: dict[str, list[tuple[int, Callable[..., int]]]] = {}
_MASKS: dict[str, int] = {}


def at_timing(timing: str, key: str) -> Callable[[Callable[..., int]], Callable[..., int]]:
    """Register a function for one key at one timing."""

    def register(function: Callable[..., int]) -> Callable[..., int]:
        bit = EQUIPMENT[key].bit
        _HOOKS.setdefault(timing, []).append((bit, function))
        _MASKS[timing] = _MASKS.get(timing, 0) | bit
        return function

    return register


def timings_of(key: str) -> list[str]:
    """Return the timings at which this key has a function (for docs and for the test that each built key has one)."""
    bit = EQUIPMENT[key].bit
    return [timing for timing, hooks in _HOOKS.items() if any(own == bit for own, _ in hooks)]


def disable(key: str) -> Callable[[], None]:
    """Take a key's functions away and return the function that puts them back: for the mutation run."""
    bit = EQUIPMENT[key].bit
    hooks_before = {timing: list(hooks) for timing, hooks in _HOOKS.items()}
    masks_before = dict(_MASKS)
    for timing, hooks in _HOOKS.items():
        hooks[:] = [(own, function) for own, function in hooks if own != bit]
        _MASKS[timing] &= ~bit

    def restore() -> None:
        _MASKS.update(masks_before)
        for timing, hooks in hooks_before.items():
            _HOOKS[timing][:] = hooks

    return restore


def amounts(timing: str, active: int, *arguments: Any) -> tuple[Modifier, ...]:
    """Return what each item at work gives at a timing, leaving out those that give 0."""
    active &= _MASKS[timing]
    if not active:
        return ()
    found = []
    for bit, function in _HOOKS[timing]:
        if bit & active:
            amount = function(*arguments)
            if amount:
                found.append((BY_BIT[bit].key, amount))
    return tuple(found)


def mask_of(*timings: str) -> int:
    """Return the bits of every key that has a function at one of these timings."""
    mask = 0
    for timing in timings:
        mask |= _MASKS[timing]
    return mask


def present(timing: str, active: int) -> int:
    """Return the bits at work that have a function at a timing."""
    return active & _MASKS[timing]


# --- initiative -------------------------------------------------------------------------------------------------


@at_timing("initiative", "command")
def _command() -> int:
    """R-SEA-06."""
    return 1


def initiative_modifiers(active: int) -> tuple[Modifier, ...]:
    """Return modifiers to the initiative roll (R-INI-06)."""
    return amounts("initiative", active)


# --- orders and movement ----------------------------------------------------------------------------------------


@at_timing("only_moves_and_vents", "salvage")
def _salvage() -> int:
    """R-SEA-05, R-CMB-09."""
    return 1


def only_moves_and_vents(active: int) -> bool:
    """Return whether the unit may be given move and vent orders only."""
    return bool(present("only_moves_and_vents", active))


@at_timing("flat_entry_cost", "reconnaissance")
def _reconnaissance() -> int:
    """R-SEM-01."""
    return 1


def flat_entry_cost(active: int) -> int:
    """Return the equipment bits that make every hex cost 2 (0: terrain costs as printed)."""
    return present("flat_entry_cost", active)


@at_timing("jumps", "jump_jets")
def _jump_jets() -> int:
    """R-SEM-04."""
    return 1


def jumps(active: int) -> int:
    """Return the equipment bits that let the unit jump (0: it may not)."""
    return present("jumps", active)


@at_timing("break_away", "evade")
@at_timing("break_away", "jump_jets")
def _slips_away() -> int:
    """R-BRK-05: fails only on 1."""
    return 2


def break_away_minimum(active: int) -> tuple[int, int]:
    """Return the lowest modified roll that breaks away (R-BRK-02, R-BRK-05), and the bits that lowered it."""
    found = present("break_away", active)
    return (2, found) if found else (3, 0)


@at_timing("run_heat", "evade")
def _evade_run() -> int:
    """R-SEM-03."""
    return 0


def run_heat(active: int) -> tuple[int, int]:
    """Return the heat of the run option (R-HET-01), and the bits that spare it."""
    found = present("run_heat", active)
    return (0, found) if found else (1, 0)


# --- attacks ----------------------------------------------------------------------------------------------------


@at_timing("defense", "camouflage")
def _camouflage(view: SpatialView, unit: int, is_ranged: bool) -> int:
    """R-SEM-02, Q-99."""
    return 2 if is_ranged and view.stands_in_hindering(unit) else 0


@at_timing("defense", "evade")
def _evade(view: SpatialView, unit: int, is_ranged: bool) -> int:
    """R-SEM-03."""
    return 2 if is_ranged else 0


def defense_modifiers(active: int, view: SpatialView, unit: int, is_ranged: bool) -> tuple[Modifier, ...]:
    """Return modifiers to the target's defense value against one attack (R-ATK-10)."""
    return amounts("defense", active, view, unit, is_ranged)


@at_timing("reroll", "improved_targeting")
def _improved_targeting() -> int:
    """R-SEA-04."""
    return 1


def may_reroll(active: int) -> int:
    """Return the bits that let one attack die be rolled again (0: none)."""
    return present("reroll", active)


@at_timing("damage", "brawling")
def _brawling(is_ranged: bool) -> int:
    """R-SED-17."""
    return 0 if is_ranged else 1


def damage_modifiers(active: int, is_ranged: bool) -> tuple[Modifier, ...]:
    """Return modifiers to the attacker's damage value, before any halving (Q-55)."""
    return amounts("damage", active, is_ranged)


@at_timing("ignores_armor", "armor_piercing")
def _armor_piercing() -> int:
    """R-SED-03."""
    return 1


def ignores_armor(active_on_value: int, is_ranged: bool) -> int:
    """Return the bits on the attacking value that ignore armor (0: armor counts)."""
    return present("ignores_armor", active_on_value) if is_ranged else 0


@at_timing("caps_scored", "agility")
def _agility(is_ranged: bool) -> int:
    """R-SED-16."""
    return 0 if is_ranged else 1


@at_timing("armor", "reflective_armor")
def _reflective_armor(is_ranged: bool, range_type: str | None) -> int:
    """R-SEF-03."""
    return -2 if is_ranged and range_type == "energy" else 0


@at_timing("armor", "reactive_armor")
def _reactive_armor(is_ranged: bool, range_type: str | None) -> int:
    """R-SEF-04."""
    return -2 if is_ranged and range_type == "ballistic" else 0


@at_timing("armor", "hardened_armor")
def _hardened_armor(is_ranged: bool, range_type: str | None) -> int:
    """R-SEF-05."""
    return -2


@at_timing("armor", "heavy_armor")
def _heavy_armor(is_ranged: bool, range_type: str | None) -> int:
    """R-SEF-06."""
    return -1


def is_armor(active: int) -> bool:
    """Return whether any of this equipment is armor."""
    return bool(present("armor", active))


def reductions(active: int, scored: int, is_ranged: bool, range_type: str | None, pierced: bool) -> list[Modifier]:
    """Return what the target's equipment takes off damage scored by a close or ranged attack, in order.

    The amounts are negative; the damage never falls below 0. A cap (Agility) replaces the number, so it comes before
    armor, which modifies it.
    """
    if not scored:
        return []
    found: list[Modifier] = []
    left = scored
    for key, cap in amounts("caps_scored", active, is_ranged):
        if left > cap:
            found.append((key, cap - left))
            left = cap
    if not pierced:
        for key, amount in amounts("armor", active, is_ranged, range_type):
            taken = max(amount, -left)
            if taken:
                found.append((key, taken))
                left += taken
    return found


def impact_reductions(active: int, scored: int) -> list[Modifier]:
    """Return what equipment takes off impact damage: not armor, only equipment that names impacts (R-DMG-07)."""
    return reductions(active, scored, False, None, True)


def helps_target(active: int, view: SpatialView, unit: int, is_ranged: bool) -> int:
    """Return the bits that would change the unit's defense against one attack or cap its damage (R-SEG-08).

    The unit's owner may cancel them. Second rolls and anti-missile systems are not among them.
    """
    relevant = 0
    for key, _ in (*amounts("defense", active, view, unit, is_ranged), *amounts("caps_scored", active, is_ranged)):
        relevant |= EQUIPMENT[key].bit
    return relevant
