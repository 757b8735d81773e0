"""The effects of rally cards, as small functions at named timings. They last until the end of the round unless they act
at once.

To add an effect: name it in EFFECTS, or in AT_ONCE and carry it out in `rules.competition.units.rally`. The effects are
this game's own; no card's text is in the rulebooks.
"""

from __future__ import annotations

from rules.core.card_hooks import CardFacts, at_timing

AT_ONCE = ("shed_heat", "patch_up", "restart", "wake_up", "swing_round")
"""Effects that act once, when the card is played."""

EFFECTS = (
    "take_aim",
    "brace",
    "press_the_attack",
    "underdog",
    "haymaker",
    "play_to_the_crowd",
    "jink",
    "hold_the_ring",
    "full_throttle",
    "second_look",
    "keep_running",
    "steady_the_reactor",
    "cold_blooded",
    "open_the_vents",
    "shrug_off",
    "grit_teeth",
    "slip_free",
    *AT_ONCE,
)
"""The closed list of effects."""

ORDERS_THAT_HEAT = frozenset({"run", "close", "ranged", "assault", "dodge", "defend", "dig_in"})
"""Causes of heat that a unit's own orders have in the move and the combat phase (R-HET-01 to R-HET-07)."""


@at_timing("attack", "take_aim")
def _take_aim(facts: CardFacts) -> int:
    return 2


@at_timing("defense", "brace")
def _brace(facts: CardFacts) -> int:
    return 2


@at_timing("damage", "press_the_attack")
def _press_the_attack(is_ranged: bool) -> int:
    return 1


@at_timing("attack", "underdog")
def _underdog(facts: CardFacts) -> int:
    return 3 if facts.is_unit and facts.is_outweighed else 0


@at_timing("damage", "haymaker")
def _haymaker(is_ranged: bool) -> int:
    return 0 if is_ranged else 2


@at_timing("attack", "play_to_the_crowd")
def _play_to_the_crowd(facts: CardFacts) -> int:
    return 0 if facts.is_unit else 3


@at_timing("defense", "jink")
def _jink(facts: CardFacts) -> int:
    return 3 if facts.is_ranged and facts.has_moved else 0


@at_timing("defense", "hold_the_ring")
def _hold_the_ring(facts: CardFacts) -> int:
    return 0 if facts.is_ranged else 3


@at_timing("speed", "full_throttle")
def _full_throttle(is_worn: bool) -> int:
    return 3


@at_timing("rerolls_attack", "second_look")
def _second_look() -> int:
    return 1


@at_timing("ignores_heat_effect", "keep_running")
def _keep_running(kind: str) -> int:
    return int(kind == "shutdown")


@at_timing("rerolls_heat_effect", "steady_the_reactor")
def _steady_the_reactor() -> int:
    return 1


@at_timing("spares_heat", "cold_blooded")
def _cold_blooded(cause: str) -> int:
    return int(cause in ORDERS_THAT_HEAT)


@at_timing("vent", "open_the_vents")
def _open_the_vents() -> int:
    return 3


@at_timing("stays_awake", "grit_teeth")
def _grit_teeth() -> int:
    """Keep a pilot who is awake from being knocked out, as a pilot's ability does (R-CRT-02)."""
    return 1


@at_timing("reduces", "shrug_off")
def _shrug_off(is_ranged: bool, range_type: str | None) -> int:
    return -1


@at_timing("break_away", "slip_free")
def _slip_free() -> int:
    """Return 1 as the least roll that breaks away: every roll succeeds."""
    return 1
