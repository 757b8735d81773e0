"""The results of a run of the balance, as text for people and as JSON."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from rules import RULES_VERSION
from rules.catalogue.pricing import suggested_points
from rules.measuring.balance.playing import BOT, Played
from rules.measuring.balance.twins import Unit
from rules.tools.balance.fitting import HIGHEST_RATE, LOWEST_RATE, ClassFit, UnitFit, Z
from rules.tools.balance.keeping import units_hash
from rules.tools.balance.pricing import worth_of_twice, worths

EXPLANATION = (
    "Each unit meets every other of its class, one against one, without pilot and gear, in the Standard format. Arenas",
    "and legal target tokens are drawn, and each unit is red as often as blue. A match that ends with equal reputation",
    "is half a win for both. The adjusted rate is the chance to beat the field at equal points. Its 95% interval is a",
    "score interval of the logistic model with the point difference as offset. `rules/tools/balance/fitting.py` has",
    "the formulas. Fitted points are the points that go with a unit's strength on the line of its class.",
)


SHOWN = 16
"""Digits of a hash that the report shows."""


class ClassRun(NamedTuple):
    """One class as it was played and fitted, with its units by id; `ground` is the hash of arenas and tokens."""

    weight_class: str
    units: Mapping[str, Unit]
    results: Sequence[Played]
    fit: ClassFit
    ground: str


def document(runs: Sequence[ClassRun], command: str, seed: int) -> str:
    """Return the report that is committed, in Markdown; the same arguments give the same text."""
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
    inside = sum(unit.is_inside for unit in fit.units)
    return [
        "| unit | points | matches | win rate | adjusted | 95% interval | fitted points | 95% interval |",
        "|---|---:|---:|---:|---:|---:|---:|---:|",
        *(_unit_row(unit, run.units[unit.unit]["name"]) for unit in fit.units),
        "",
        f"- {inside} of {len(fit.units)} units have their interval inside {LOWEST_RATE:.0%} to {HIGHEST_RATE:.0%}.",
        _slope_line(fit),
        f"- {fit.draws:.1%} of the matches are draws, and red wins {fit.red:.1%}. The variance of a bout counts as "
        f"{fit.clustering:.2f} times that of two separate matches, and never as less.",
        f"- Hash of the units `{units_hash(run.units.values())[:SHOWN]}`, hash of arenas and target tokens "
        f"`{run.ground[:SHOWN]}`.",
    ]


def _slope_line(fit: ClassFit) -> str:
    worth, _, line, weight = fit.slope
    ten = f"- Ten points are worth {10 * worth:.2f} in log-odds"
    if weight == 0:
        return f"{ten}, by the worth of a click."
    return (
        f"{ten}. The line through the units says {10 * line:.2f} with a weight of {weight:.0%} against a click's worth."
    )


def _unit_row(unit: UnitFit, name: str) -> str:
    mark = "" if unit.is_inside else " (outside)"
    return (
        f"| {unit.unit} {name} | {unit.points} | {unit.matches} | {unit.rate:.1%} | {unit.adjusted:.1%} "
        f"| {unit.low:.1%} to {unit.high:.1%}{mark} | {unit.fitted:.0f} "
        f"| {unit.fitted_low:.0f} to {unit.fitted_high:.0f} |"
    )


def screen(run: ClassRun) -> str:
    """Return a class for the terminal; a unit whose interval is not inside is marked with an exclamation mark."""
    labels = [f"{unit.unit} {run.units[unit.unit]['name']}" for unit in run.fit.units]
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


def suggestions(run: ClassRun) -> str:
    """Return a table for the author of units: present, fitted and suggested points, the easiest and the hardest rival.

    If fitted points are out of proportion to the clicks, the dial should change.
    """
    lines = ["id      now  fitted  change  by sheet  clicks  fitted a click  best against  worst against"]
    for unit in run.fit.units:
        document = run.units[unit.unit]
        clicks = len(document["dial"])
        rates = _rates_against(run.results, unit.unit)
        best, worst = max(rates, key=lambda other: rates[other]), min(rates, key=lambda other: rates[other])
        lines.append(
            f"{unit.unit:<6} {unit.points:4d}  {unit.fitted:6.0f}  {unit.fitted - unit.points:+6.0f}  "
            f"{suggested_points(document):8d}  {clicks:6d}  {unit.fitted / clicks:14.1f}  "
            f"{best} {rates[best]:4.0%}   {worst} {rates[worst]:4.0%}"
        )
    return "\n".join(lines)


def _rates_against(results: Sequence[Played], unit: str) -> dict[str, float]:
    """Return the share of its matches that a unit won against each opponent, 0 to 1."""
    rates = {}
    for first, second, scores in results:
        rate = sum(as_red + as_blue for as_red, as_blue in scores) / (2 * len(scores))
        if unit == first:
            rates[second] = rate
        elif unit == second:
            rates[first] = 1 - rate
    return rates


def twin_lines(units: Mapping[str, Unit], results: Sequence[Played]) -> list[str]:
    """Return lines with what each change won for its twins, and what twice the clicks are worth by those wins."""
    lines = ["change                matches  win rate  log-odds, 95% interval"]
    for change, worth in worths(results).items():
        low, high = (worth.log_odds + part * Z * worth.error for part in (-1, 1))
        lines.append(
            f"{change:<20}  {worth.matches:7d}  {worth.rate:8.1%}  {worth.log_odds:8.2f}, {low:.2f} to {high:.2f}"
        )
    clicks = {key: len(unit["dial"]) for key, unit in units.items()}
    mean, error = worth_of_twice(clicks, [played for played in results if played.first.endswith("_click")])
    low, high = mean - Z * error, mean + Z * error
    return [*lines, f"Twice the clicks: {mean:.2f} in log-odds, 95% interval {low:.2f} to {high:.2f}"]


def to_json(runs: Sequence[ClassRun], seed: int, matches: int) -> dict[str, Any]:
    """Return the JSON of the command: `classes` by name, each with its units and its pairings."""
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
        "units_hash": units_hash(run.units.values()),
        "ground_hash": run.ground,
        "slope": fit.slope._asdict(),
        "clustering": fit.clustering,
        "draws": fit.draws,
        "red": fit.red,
        "units": {
            unit.unit: {
                "name": run.units[unit.unit]["name"],
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
