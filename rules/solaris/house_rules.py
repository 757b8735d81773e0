"""House rules: the switches of a season or a friendly match, in one frozen object with public keys.

All other rulings are fixed. A switch that means nothing in a match, such as target tokens in capture the flag, is
accepted and has no effect.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from typing import Any

from rules.core.refusals import Malformed

ROUNDS_BY_FORMAT: Mapping[str, int] = {
    "standard": 10,
    "weapons_dead": 10,
    "team": 20,
    "tag_team": 20,
    "capture_the_flag": 20,
    "grand_melee": 30,
}
"""Default time limits in rounds: half a round a minute of R-FMT-22."""


@dataclass(frozen=True)
class HouseRules:
    """The house rules of a match.

    None means the format's default for `time_limit_rounds`, no clock for `clock_seconds`, and the caps of the weight
    classes for `build_total`.
    """

    target_tokens: bool = True
    rally_cards: bool = True
    pilot_death: bool = False
    time_limit_rounds: int | None = None
    clock_seconds: int | None = None
    shutdown_may_vent: bool = False
    dig_in_target_modifier: int = 1
    critical_hit_extra_damage: int = 0
    target_inside_hindering: bool = False
    token_pool_rp: int = 30  # Q-123, reputation points a player's three tokens must add up to
    build_total: int | None = None  # R-BLD-20, points; None: by class
    build_total_per: str = "unit"  # unit or team
    points_only: bool = False  # R-BLD-16
    elevated_ends_ignore_hindering: bool = False

    def rounds(self, format_key: str) -> int:
        """Return the time limit in rounds, by default that of the format (Q-27, Q-172).

        It says nothing of a clock: a match with a clock and no limit of its own in rounds has no last round.
        """
        return self.time_limit_rounds or ROUNDS_BY_FORMAT[format_key]

    def to_json(self) -> dict[str, Any]:
        """Return all switches, for a setup document."""
        return asdict(self)

    @classmethod
    def from_json(cls, document: Mapping[str, Any]) -> HouseRules:
        """Read house rules. Raises Malformed (unknown_house_rule, bad_house_rule)."""
        known = {field.name: field for field in fields(cls)}
        for key, value in document.items():
            if key not in known:
                raise Malformed("unknown_house_rule", key=key)
            _require_kind(key, value)
        return cls(**document)


_CHOICES: Mapping[str, tuple[Any, ...]] = {
    "dig_in_target_modifier": (1, -1),
    "critical_hit_extra_damage": (0, 1),
    "build_total_per": ("unit", "team"),
}
_POSITIVE_OR_NONE = ("time_limit_rounds", "clock_seconds", "build_total")


def _require_kind(key: str, value: Any) -> None:
    if key in _CHOICES:
        good = any(type(value) is type(choice) and value == choice for choice in _CHOICES[key])
    elif key in _POSITIVE_OR_NONE:
        good = value is None or (isinstance(value, int) and not isinstance(value, bool) and value > 0)
    elif key == "token_pool_rp":
        good = isinstance(value, int) and not isinstance(value, bool) and value >= 0
    else:
        good = isinstance(value, bool)
    if not good:
        raise Malformed("bad_house_rule", key=key, value=value)
