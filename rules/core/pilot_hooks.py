"""What legendary pilots and gunslingers can do on their preferred unit, as small functions at named timings.

To add an ability, name it in ABILITIES, give it words in `rules.wording.cards`, and write its function here under the
timing that it changes. The abilities are this game's own; no card's text is repeated.
"""

from __future__ import annotations

from rules.core.card_hooks import CardFacts, at_timing

ABILITIES = (
    "close_quarters",
    "sharpshooter",
    "backstabber",
    "giant_killer",
    "token_hunter",
    "woodsman",
    "running_gun",
    "heavy_hand",
    "weaver",
    "infighter",
    "insulated",
    "slippery",
    "quick_start",
    "steady_nerves",
    "second_aim",
    "tinkerer",
    "sprinter",
    "cool_hand",
    "heat_sleeves",
    "cold_magazine",
    "second_wind",
    "sure_hands",
    "iron_jaw",
    "hard_head",
)
"""The closed list of abilities (R-PLT-05)."""

ONCE_A_ROUND = frozenset({"insulated", "steady_nerves", "second_aim"})
"""Abilities that work once a round."""


# --- attacks ------------------------------------------------------------------------------------------------------


@at_timing("attack", "close_quarters")
def _close_quarters(facts: CardFacts) -> int:
    return 0 if facts.is_ranged else 1


@at_timing("attack", "sharpshooter")
def _sharpshooter(facts: CardFacts) -> int:
    return int(facts.is_ranged and not facts.has_moved)


@at_timing("attack", "backstabber")
def _backstabber(facts: CardFacts) -> int:
    return int(facts.is_rear)


@at_timing("attack", "giant_killer")
def _giant_killer(facts: CardFacts) -> int:
    return int(facts.is_unit and facts.is_outweighed)


@at_timing("attack", "token_hunter")
def _token_hunter(facts: CardFacts) -> int:
    return 0 if facts.is_unit else 2


@at_timing("attack", "woodsman")
def _woodsman(facts: CardFacts) -> int:
    """Take back the -1 of R-RMD-01."""
    return int(facts.is_hindered)


@at_timing("attack", "running_gun")
def _running_gun(facts: CardFacts) -> int:
    """Take back the -1 of R-ASL-05."""
    return int(facts.is_assault)


@at_timing("damage", "heavy_hand")
def _heavy_hand(is_ranged: bool) -> int:
    return 0 if is_ranged else 1


@at_timing("rerolls_attack", "second_aim")
def _second_aim() -> int:
    return 1


@at_timing("spares_damage", "sure_hands")
def _sure_hands(cause: str) -> int:
    return int(cause == "critical_miss")


# --- being attacked -----------------------------------------------------------------------------------------------


@at_timing("defense", "weaver")
def _weaver(facts: CardFacts) -> int:
    return int(facts.is_ranged and facts.has_moved)


@at_timing("defense", "infighter")
def _infighter(facts: CardFacts) -> int:
    return 0 if facts.is_ranged else 1


@at_timing("reduces", "insulated")
def _insulated(is_ranged: bool, range_type: str | None) -> int:
    return -1 if is_ranged and range_type == "energy" else 0


@at_timing("stays_awake", "iron_jaw")
def _iron_jaw() -> int:
    """Keep a pilot who is awake from being knocked out (R-CRT-02)."""
    return 1


# --- moving, heat, initiative, waking -----------------------------------------------------------------------------


@at_timing("speed", "second_wind")
def _second_wind(is_worn: bool) -> int:
    return 2 if is_worn else 0


@at_timing("break_away", "slippery")
def _slippery() -> int:
    """Return the lowest roll that breaks away."""
    return 2


@at_timing("initiative", "quick_start")
def _quick_start() -> int:
    return 1


@at_timing("rerolls_heat_effect", "steady_nerves")
def _steady_nerves() -> int:
    return 1


@at_timing("vent", "tinkerer")
def _tinkerer() -> int:
    return 1


@at_timing("spares_heat", "sprinter")
def _sprinter(cause: str) -> int:
    return int(cause == "run")


@at_timing("spares_heat", "cool_hand")
def _cool_hand(cause: str) -> int:
    return int(cause in ("dodge", "defend"))


@at_timing("spares_heat", "heat_sleeves")
def _heat_sleeves(cause: str) -> int:
    return int(cause == "energy_hit")


@at_timing("ignores_heat_effect", "cold_magazine")
def _cold_magazine(kind: str) -> int:
    return int(kind == "explosion")


@at_timing("revive", "hard_head")
def _hard_head() -> int:
    """Add 1 to the roll to wake up; the ability works on an unconscious pilot too."""
    return 1
