"""Weight classes, their build totals, and the formats of the six cycles (R-BLD-03..06, R-CYC-01, R-CYC-02)."""

from __future__ import annotations

from collections.abc import Sequence

from rules.core.dice import Dice
from rules.core.words import CLASS_CAPS

WEIGHT_CLASSES = ("light", "medium", "heavy", "assault")
"""In ascending order; the rulebook calls their matches Featherweight, Lightweight, Middleweight, Heavyweight."""

MULTI_CLASS = "multi"
"""The class of a season whose cycles change class (R-STB-01, Q-160)."""

BUILD_TOTAL = CLASS_CAPS
"""Points a unit, its gear and its pilot may reach together, by class (R-BLD-03..08, Q-01)."""

FORMATS = ("standard", "team", "weapons_dead", "tag_team", "capture_the_flag", "grand_melee")
"""The formats of cycles 1 to 6, in the order of the rulebook (R-CYC-01)."""

TWO_UNIT_FORMATS = ("team", "tag_team", "capture_the_flag")
"""The formats in which a stable fields two units; capture the flag uses the rules of a team match (Q-152)."""

TEAM_FORMATS = ("team", "tag_team")
"""The formats that pay by the team purse (R-CYC-02, Q-128)."""

MATCH_MINUTES = {
    "standard": 20,
    "team": 40,
    "weapons_dead": 20,
    "tag_team": 40,
    "capture_the_flag": 40,
    "grand_melee": 60,
}
"""How long a match of a format lasts at a table, in minutes (R-FMT-22, Q-172)."""

SMALLEST_SEASON, LARGEST_SEASON = 2, 8
"""How many stables a season may have. The book speaks of four to eight; Q-127 and Q-159 allow two and three."""


def matches_per_cycle(format_name: str, stables: int) -> int:
    """Return the rounds of a cycle (R-CYC-03, Q-150): 1 for the grand melee, else 3, or 4 from seven stables on."""
    if format_name == "grand_melee":
        return 1
    return 3 if stables <= 6 else 4


def units_a_side(format_name: str) -> int:
    """Return how many units a stable fields in a match of a format (R-FMT-02, Q-152)."""
    return 2 if format_name in TWO_UNIT_FORMATS else 1


def draw_class_order(cycles: int, dice: Dice) -> tuple[str, ...]:
    """Return a class for each cycle of a multi-class season; none repeats until all four have come up (Q-160)."""
    order: list[str] = []
    urn: list[str] = []
    while len(order) < cycles:
        if not urn:
            urn = list(WEIGHT_CLASSES)
        order.append(urn.pop(dice.draw(len(urn), "class of a cycle")))
    return tuple(order)


def class_of_cycle(weight_class: str | None, order: Sequence[str], number: int) -> str:
    """Return the class of all matches of a cycle, numbered from 1 (Q-160).

    It is the season's `weight_class`. When that is None, `order` lists the classes cycle by cycle, and starts over at
    its end.
    """
    return weight_class if weight_class is not None else order[(number - 1) % len(order)]
