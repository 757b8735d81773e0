"""What rally cards do, as small functions at named timings. They work until the round ends unless they act at once.

To add an effect: name it in EFFECTS, or in AT_ONCE and carry it out in `rules.competition.rally`. The effects are this
game's own; no card's text is in the rulebooks.
"""

from __future__ import annotations

from rules.core.card_hooks import CardFacts, at_timing

AT_ONCE = ("shed_heat", "patch_up", "restart", "wake_up")
"""Effects that act when the card is played and are over."""

EFFECTS = (
    "take_aim",
    "brace",
    "press_the_attack",
    "full_throttle",
    "second_look",
    "keep_running",
    "shrug_off",
    "slip_free",
    *AT_ONCE,
)
"""The closed list of effects."""


@at_timing("attack", "take_aim")
def _take_aim(facts: CardFacts) -> int:
    return 2


@at_timing("defense", "brace")
def _brace(facts: CardFacts) -> int:
    return 2


@at_timing("damage", "press_the_attack")
def _press_the_attack(is_ranged: bool) -> int:
    return 1


@at_timing("speed", "full_throttle")
def _full_throttle() -> int:
    return 3


@at_timing("rerolls_attack", "second_look")
def _second_look() -> int:
    return 1


@at_timing("ignores_heat_effect", "keep_running")
def _keep_running(kind: str) -> int:
    return int(kind == "shutdown")


@at_timing("reduces", "shrug_off")
def _shrug_off(is_ranged: bool, range_type: str | None) -> int:
    return -1


@at_timing("break_away", "slip_free")
def _slip_free() -> int:
    """The least roll that breaks away: any."""
    return 1
