"""The settings of a season: their names, defaults, readable values, and which of them this version can play."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from typing import Any

from rules.campaign.capital import capital_for_one_crew, starting_capital
from rules.campaign.classes import (
    FORMATS,
    LARGEST_SEASON,
    MULTI_CLASS,
    SMALLEST_SEASON,
    WEIGHT_CLASSES,
    class_of_cycle,
    matches_per_cycle,
)
from rules.campaign.market.prices import TABLE
from rules.campaign.season.closing import CLOSING_HOURS, LONGEST_CLOSING_HOURS
from rules.campaign.season.unplayed import AI
from rules.campaign.standings.places import RANK_BY
from rules.core.refusals import Malformed, Refusal, SeasonRefused
from rules.solaris.house_rules import HouseRules

ONE_CREW = "one_crew"
"""The starting capital is the price of one crew and one repair, not the book's."""


@dataclass(frozen=True)
class SeasonSettings:
    """One season's settings. Exactly one of weight_class and multi_class_order is given.

    cycles: formats in order of play. matches_per_cycle: rounds of each cycle, None for the book's number.
    absence_pays: reputation for a stable that does not appear (R-FOR-03, Q-157). emergency_hire: None follows the
    house rule pilot_death. places: how many stables there may be at a time. closing_hours: how long results may still
    be corrected after the last one, 0 for not at all. house_rules: the switches of matches by name; those left out have
    their defaults. dials: "house" offers all units with a dial, "printed" none with house statistics; "table" offers
    units without a dial too, and the season is played at real tables only. standing_answers: with "routine" the units
    of a person who sits down in a match begin with the standing answers rules.bots.preset_answers.ROUTINE (between
    people ROUTINE_BETWEEN_PEOPLE), with "none" without any. Programs are asked everything. starting_stones: "book", or
    "one_crew" for the price of one crew of the first cycle's class and one repair.
    """

    weight_class: str | None = None
    multi_class_order: tuple[str, ...] = ()
    cycles: tuple[str, ...] = FORMATS
    matches_per_cycle: int | None = None
    loser_keeps_reputation: bool = False
    absence_pays: int = 30
    unplayed: str = "forfeit"
    unique_market: str = "per_stable"
    buy_between_matches: bool = False
    emergency_hire: bool | None = None
    sponsor_grant: bool = False
    purse_team4_lightweight: str = "corrected"
    purse_rank_by: str = "cycle_reputation"
    dials: str = "house"
    places: int = LARGEST_SEASON
    closing_hours: int = CLOSING_HOURS
    standing_answers: str = "none"
    starting_stones: str = "book"
    house_rules: Mapping[str, Any] = field(default_factory=dict)

    @property
    def season_class(self) -> str:
        """The class that sets the starting capital: the season's weight class, or "multi"."""
        return self.weight_class if self.weight_class is not None else MULTI_CLASS

    @property
    def table_only(self) -> bool:
        """Whether everybody plays at a real table: no AI acts in the season, and no match is played here."""
        return self.dials == TABLE

    @property
    def capital(self) -> int:
        """Starting capital in Stones: by the book (R-STB-01), or for one crew and one repair."""
        if self.starting_stones == ONE_CREW:
            return capital_for_one_crew(self.class_of(1))
        return starting_capital(self.season_class)

    def class_of(self, cycle: int) -> str:
        """Return the class of all matches of a cycle, numbered from 1 (R-STB-02, Q-160)."""
        return class_of_cycle(self.weight_class, self.multi_class_order, cycle)

    def rounds_of(self, cycle: int, stables: int) -> int:
        """Return how many rounds a cycle, numbered from 1, has with so many stables; a grand melee has 1 (R-CYC-03)."""
        format_name = self.cycles[cycle - 1]
        if self.matches_per_cycle is None or format_name == "grand_melee":
            return matches_per_cycle(format_name, stables)
        return self.matches_per_cycle

    @classmethod
    def from_json(cls, document: object) -> SeasonSettings:
        """Read settings from JSON; missing keys take their defaults.

        It checks neither the house rules nor whether the season can be played (`unbuilt`).
        Raises Malformed (settings_not_an_object, unknown_setting, setting_out_of_range).
        """
        if not isinstance(document, Mapping):
            raise Malformed("settings_not_an_object")
        known = {entry.name for entry in fields(cls)}
        values: dict[str, Any] = {}
        for key, value in document.items():
            if key not in known:
                raise Malformed("unknown_setting", setting=str(key))
            if not _readable(key, value):
                raise Malformed("setting_out_of_range", setting=key, value=value)
            values[key] = tuple(value) if isinstance(value, list) else value
        settings = cls(**values)
        if (settings.weight_class is None) == (not settings.multi_class_order):
            raise Malformed("setting_out_of_range", setting="weight_class", value=settings.weight_class)
        if settings.multi_class_order and len(settings.multi_class_order) < len(settings.cycles):
            raise Malformed("setting_out_of_range", setting="multi_class_order", value=list(settings.multi_class_order))
        if settings.table_only and settings.unplayed == AI:
            raise Malformed("setting_out_of_range", setting="unplayed", value=settings.unplayed)
        return settings

    def to_json(self) -> dict[str, Any]:
        """Return every setting as JSON values; `from_json` reads it back equal."""
        document = {entry.name: getattr(self, entry.name) for entry in fields(self)}
        return {key: list(value) if isinstance(value, tuple) else value for key, value in document.items()}

    def differences(self, other: SeasonSettings) -> dict[str, Any]:
        """Return the settings in which `other` differs, with its values as JSON."""
        before, after = self.to_json(), other.to_json()
        return {key: value for key, value in after.items() if value != before[key]}

    def changes_to(self, other: SeasonSettings) -> list[dict[str, Any]]:
        """Return what differs in `other`, one by one: {"setting", "before", "after"}, with values as JSON.

        A switch of the matches is "house_rules." and its name; one that neither names has its default in both.
        """
        before, after = self.to_json(), other.to_json()
        defaults = HouseRules().to_json()
        for values in (before, after):
            switches = {**defaults, **values.pop("house_rules")}
            values.update({f"house_rules.{name}": value for name, value in switches.items()})
        return [
            {"setting": name, "before": before.get(name), "after": value}
            for name, value in after.items()
            if value != before.get(name)
        ]

    def unbuilt(self) -> list[Refusal]:
        """Return what this version cannot play yet, as refusals (setting_not_built); empty when all can be played."""
        defaults = HouseRules()
        return [
            Refusal("setting_not_built", {"setting": name, "value": self.house_rules[name]})
            for name in SWITCHES_WITHOUT_EFFECT
            if self.house_rules.get(name, getattr(defaults, name)) != getattr(defaults, name)
        ]

    def refuse_unbuilt(self) -> None:
        """Raise SeasonRefused (setting_not_built) for the first setting that is not built, if any."""
        for problem in self.unbuilt():
            raise SeasonRefused(problem.code, **problem.parameters)


SWITCHES_WITHOUT_EFFECT = ("clock_seconds",)
"""Match switches that have no effect in a season yet (a clock needs a live match). Only their default is allowed."""

CHOICES: Mapping[str, tuple[str, ...]] = {
    "unplayed": ("forfeit", "ai", "extend"),
    "unique_market": ("per_stable", "one_in_campaign"),
    "purse_team4_lightweight": ("corrected", "printed"),
    "purse_rank_by": RANK_BY,
    "dials": ("house", "printed", TABLE),
    "standing_answers": ("none", "routine"),
    "starting_stones": ("book", ONE_CREW),
}
"""The values of the settings that are chosen from a list; the first is the default."""


def _readable(key: str, value: Any) -> bool:
    if key in CHOICES:
        return value in CHOICES[key] if isinstance(value, str) else False
    if key == "weight_class":
        return value is None or value in WEIGHT_CLASSES
    if key in ("multi_class_order", "cycles"):
        allowed = FORMATS if key == "cycles" else WEIGHT_CLASSES
        if not isinstance(value, (list, tuple)) or any(entry not in allowed for entry in value):
            return False
        return bool(value) and len(set(value)) == len(value) if key == "cycles" else True
    if key == "places":
        return _whole(value) and SMALLEST_SEASON <= value <= LARGEST_SEASON
    if key == "matches_per_cycle":
        return value is None or (_whole(value) and 1 <= value <= 12)
    if key == "absence_pays":
        return _whole(value) and 0 <= value <= 30
    if key == "closing_hours":
        return _whole(value) and 0 <= value <= LONGEST_CLOSING_HOURS
    if key == "emergency_hire":
        return value is None or isinstance(value, bool)
    if key == "house_rules":
        return isinstance(value, Mapping) and all(isinstance(name, str) for name in value)
    return isinstance(value, bool)


def _whole(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


FIXED_ONCE_FOUNDED = ("weight_class", "multi_class_order", "unique_market", "dials", "starting_stones")
"""Settings that never change once the season has a stable or runs: capital and units depend on them."""

FIXED_ONCE_STARTED = ("places",)
"""Further settings that stay once the season runs. All others may change from the next cycle on, after notice. The
current cycle and its market keep the settings with which they opened."""

AT_THE_END = frozenset({"closing_hours"})
"""Settings that count once the last cycle is closed: when no cycle is to come they hold at once."""


def check_changes(
    now: SeasonSettings, wanted: SeasonSettings, is_running: bool, *, has_stables: bool, begun: int
) -> list[Refusal]:
    """Return why settings may not be changed from `now` to `wanted`; empty when they may.

    `begun` counts the cycles that a running season has opened. Their formats stay; later ones may be changed or dropped
    (R-CYC-04). The code is setting_fixed.
    """
    fixed = {*(FIXED_ONCE_FOUNDED if has_stables or is_running else ()), *(FIXED_ONCE_STARTED if is_running else ())}
    problems = [Refusal("setting_fixed", {"setting": name}) for name in now.differences(wanted) if name in fixed]
    if is_running and wanted.cycles[:begun] != now.cycles[:begun]:
        problems.append(Refusal("setting_fixed", {"setting": "cycles"}))
    return problems
