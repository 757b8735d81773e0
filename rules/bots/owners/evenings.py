"""The solo evenings: how long they last, and how hard the rivals made of code are."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from rules.campaign.classes import FORMATS, units_a_side
from rules.campaign.season.settings import ONE_CREW, SeasonSettings

RIVALS = 3
"""The stables of the AI. With the player's there are four: nobody has a bye."""

THREE, SIX, FULL = "three", "six", "full"
LENGTHS = (THREE, SIX, FULL)

DUELS = tuple(name for name in FORMATS if units_a_side(name) == 1)
"""The formats with one unit a side."""

LENGTH_SETTINGS: Mapping[str, Mapping[str, Any]] = {
    THREE: {"cycles": DUELS, "matches_per_cycle": 1, "starting_stones": ONE_CREW},
    SIX: {"cycles": FORMATS, "matches_per_cycle": 1},
    FULL: {"cycles": FORMATS, "matches_per_cycle": None},
}
"""Length -> settings of the season: three cycles of one round, with few Stones; six cycles of one round; six cycles by
the book.

In the shortest a crew that was eliminated fights on: repaired after the last match of a cycle it does not sit out
(R-CRP-09), and a purse and a market come before the next match."""


@dataclass(frozen=True)
class Difficulty:
    """A difficulty: the bot that plays the rivals' matches, the characters of their owners, settings of the season."""

    bot: str
    characters: tuple[str, ...]
    settings: Mapping[str, Any] = field(default_factory=dict)


GENEROUS = {"loser_keeps_reputation": True, "sponsor_grant": True, "emergency_hire": True}

DIFFICULTIES: Mapping[str, Difficulty] = {
    "easy": Difficulty("random", ("thrifty", "balanced", "thrifty"), GENEROUS),
    "fair": Difficulty("greedy", ("balanced", "thrifty", "reckless"), GENEROUS),
    "firm": Difficulty("quick", ("balanced", "thrifty", "balanced"), GENEROUS),
    "hard": Difficulty("tactical", ("balanced", "balanced", "balanced"), {"loser_keeps_reputation": False}),
}
"""The difficulties by name, the easiest first. The bot of "firm" tries a few orders in play-outs, the bot of "hard"
plans the round ahead. "hard" has none of the generous settings."""

DIFFICULTY_OF: Mapping[str, str] = {level.bot: name for name, level in DIFFICULTIES.items()}
"""Bot -> its difficulty, for the bots that may play for stables of the AI, the easiest first."""


def evening_settings(
    length: str, difficulty: str, weight_class: str, standing_answers: str = "routine"
) -> dict[str, Any]:
    """Return the settings of a season (rules.campaign.season.settings) for an evening, as JSON.

    `length` is one of LENGTHS, `difficulty` one of DIFFICULTIES. Raises Malformed (setting_out_of_range) for another
    class, and for other standing answers than the settings know.
    """
    wanted = {
        "weight_class": weight_class,
        "absence_pays": 0,
        "places": 1 + RIVALS,
        "standing_answers": standing_answers,
        **LENGTH_SETTINGS[length],
        **DIFFICULTIES[difficulty].settings,
    }
    return SeasonSettings.from_json(wanted).to_json()


def matches_of(length: str) -> int:
    """Return how many matches a stable plays in an evening of this length."""
    settings = SeasonSettings.from_json(evening_settings(length, "fair", "light"))
    return sum(settings.rounds_of(number, 1 + RIVALS) for number in range(1, len(settings.cycles) + 1))
