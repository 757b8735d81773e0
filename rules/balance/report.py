"""What a run of the balance says, as text for people (Markdown) and as JSON."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from rules import RULES_VERSION
from rules.balance.fitting import HIGHEST_RATE, LOWEST_RATE, ClassFit, UnitFit
from rules.balance.playing import BOT, Played
from rules.catalogue import Catalogue
from rules.core.codec import content_hash

EXPLANATION = (
    "Each unit meets every other of its class, one against one, without pilot and gear, in the Standard format, on",
    "any arena with any legal target tokens, as often red as blue. A match that ends with equal reputation is half a",
    "win for both. The adjusted rate is the chance to beat the field at equal points; its 95% interval is a score",
    "interval of the logistic model with the point difference as offset (`rules/balance/fitting.py` has the formulas).",
    "Fitted points are those that go with a unit's strength on the line of its class.",
)


class ClassRun(NamedTuple):
    """One class as it was played and fitted; `names` are the units' names by id, `played_with` the catalogue's hash."""

    weight_class: str
    names: Mapping[str, str]
    results: Sequence[Played]
    fit: ClassFit
    played_with: str


def catalogue_hash(catalogue: Catalogue, weight_class: str) -> str:
    """The hash of everything in a catalogue that decides the matches of a class: its units, tokens and arenas."""
    units = [unit for unit in catalogue.units.values() if unit["class"] == weight_class]
    return content_hash([units, list(catalogue.target_tokens.values()), list(catalogue.arenas.values())])


def document(runs: Sequence[ClassRun], command: str, seed: int) -> str:
    """The report that is committed: Markdown, the same for the same arguments."""
    lines = [
        "# Balance of the units",
        "",
        f"Written by `{command}` (rules {RULES_VERSION}, bot {BOT}, seed {seed}).",
        "",
        *EXPLANATION,
    ]
    for run in runs:
        lines += ["", f"## {run.weight_class.capitalize()}", "", *_class_lines(run)]
    return "\n".join(lines) + "\n"


def _class_lines(run: ClassRun) -> list[str]:
    fit = run.fit
    slope = fit.slope
    found = "found from the printed points" if slope.is_fitted else "set: the printed points do not show one"
    inside = sum(unit.is_inside for unit in fit.units)
    return [
        "| unit | points | matches | win rate | adjusted | 95% interval | fitted points | 95% interval |",
        "|---|---:|---:|---:|---:|---:|---:|---:|",
        *(_unit_row(unit, run.names[unit.unit]) for unit in fit.units),
        "",
        f"- {inside} of {len(fit.units)} units lie inside {LOWEST_RATE:.0%} to {HIGHEST_RATE:.0%} with their interval.",
        f"- Ten points are worth {10 * slope.worth:.2f} in log-odds ({found}).",
        f"- {fit.draws:.1%} of the matches are draws; red wins {fit.red:.1%}. Variance of a bout over that of two lone "
        f"matches: {fit.clustering:.2f}.",
        f"- Played with units, tokens and arenas of hash `{run.played_with[:16]}`.",
    ]


def _unit_row(unit: UnitFit, name: str) -> str:
    mark = "" if unit.is_inside else " (outside)"
    return (
        f"| {unit.unit} {name} | {unit.points} | {unit.matches} | {unit.rate:.1%} | {unit.adjusted:.1%} "
        f"| {unit.low:.1%} to {unit.high:.1%}{mark} | {unit.fitted:.0f} "
        f"| {unit.fitted_low:.0f} to {unit.fitted_high:.0f} |"
    )


def screen(run: ClassRun) -> str:
    """A class for the terminal; a unit whose interval is not inside is marked with an exclamation mark."""
    labels = [f"{unit.unit} {run.names[unit.unit]}" for unit in run.fit.units]
    width = max(map(len, labels))
    lines = [f"{run.weight_class:<{width}}  points  win rate  adjusted, 95% interval     fitted points, 95% interval"]
    for label, unit in zip(labels, run.fit.units, strict=True):
        mark = " " if unit.is_inside else "!"
        interval = f"{unit.low:.1%} to {unit.high:.1%}"
        lines.append(
            f"{label:<{width}}  {unit.points:6d}  {unit.rate:8.1%}  {unit.adjusted:8.1%}, {interval:<14}{mark}  "
            f"{unit.fitted:6.0f}, {unit.fitted_low:.0f} to {unit.fitted_high:.0f}"
        )
    return "\n".join([*lines, *_class_lines(run)[-4:-1]])


def to_json(runs: Sequence[ClassRun], seed: int, matches: int) -> dict[str, Any]:
    """The JSON of the command: `classes` by name, each with its units and its pairings."""
    return {
        "seed": seed,
        "matches": matches,
        "bot": BOT,
        "rules_version": RULES_VERSION,
        "classes": {run.weight_class: _class_json(run) for run in runs},
    }


def _class_json(run: ClassRun) -> dict[str, Any]:
    fit = run.fit
    return {
        "catalogue": run.played_with,
        "slope": {"log_odds_a_point": fit.slope.worth, "spread": fit.slope.spread, "fitted": fit.slope.is_fitted},
        "clustering": fit.clustering,
        "draws": fit.draws,
        "red": fit.red,
        "units": {
            unit.unit: {
                "name": run.names[unit.unit],
                "points": unit.points,
                "matches": unit.matches,
                "rate": unit.rate,
                "adjusted": {"rate": unit.adjusted, "low": unit.low, "high": unit.high, "inside": unit.is_inside},
                "strength": unit.strength,
                "fitted_points": {"points": unit.fitted, "low": unit.fitted_low, "high": unit.fitted_high},
            }
            for unit in fit.units
        },
        "pairings": [
            {
                "units": [played.first, played.second],
                "matches": 2 * len(played.scores),
                "won_by_first": sum(as_red + as_blue for as_red, as_blue in played.scores),
            }
            for played in run.results
        ],
    }
