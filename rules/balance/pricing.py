"""The prices of `rules.catalogue.pricing`, fitted to what units won: points as a sum of features of the sheet."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from math import sqrt
from typing import Any, NamedTuple

from rules.balance.fitting import inverse_of

PENALTIES = (0.01, 0.03, 0.1, 0.3, 1.0, 3.0, 10.0, 30.0)
"""How strongly prices are held near zero; the one that foretells units left out best is taken."""


class Prices(NamedTuple):
    """Points by feature, and the constant. `error` is the usual miss, in points, for a unit left out of the fit."""

    constant: float
    points: Mapping[str, float]
    penalty: float
    error: float


def fit_prices(sheets: Sequence[Mapping[str, float]], points: Sequence[float]) -> Prices:
    """Fit a price a feature to units with these points.

    Features of many units go together, so prices are shrunk (ridge regression on features of equal spread): without
    it they would balance each other in large amounts of opposite sign. Raises ValueError for fewer than three units.
    """
    if len(sheets) < 3:
        raise ValueError("at least three units")
    penalty = min(PENALTIES, key=lambda tried: _miss(sheets, points, tried))
    constant, prices = _ridge(sheets, points, penalty)
    return Prices(constant, prices, penalty, _miss(sheets, points, penalty))


def _ridge(
    sheets: Sequence[Mapping[str, float]], points: Sequence[float], penalty: float
) -> tuple[float, dict[str, float]]:
    count = len(sheets)
    level = sum(points) / count
    means = {name: sum(sheet[name] for sheet in sheets) / count for name in sheets[0]}
    spreads = {name: sqrt(sum((sheet[name] - mean) ** 2 for sheet in sheets) / count) for name, mean in means.items()}
    names = [name for name, spread in spreads.items() if spread > 1e-9]
    rows = [[(sheet[name] - means[name]) / spreads[name] for name in names] for sheet in sheets]
    square = [
        [sum(row[i] * row[j] for row in rows) + (penalty if i == j else 0.0) for j in range(len(names))]
        for i in range(len(names))
    ]
    right = [sum(row[i] * (paid - level) for row, paid in zip(rows, points, strict=True)) for i in range(len(names))]
    solved = [sum(a * b for a, b in zip(row, right, strict=True)) for row in inverse_of(square)]
    prices = dict.fromkeys(means, 0.0)
    for name, worth in zip(names, solved, strict=True):
        prices[name] = worth / spreads[name]
    return level - sum(prices[name] * means[name] for name in means), prices


def _miss(sheets: Sequence[Mapping[str, float]], points: Sequence[float], penalty: float) -> float:
    """The root mean square of what each unit's points differ from the prices fitted to all others."""
    total = 0.0
    for left_out, (sheet, paid) in enumerate(zip(sheets, points, strict=True)):
        others = [other for number, other in enumerate(sheets) if number != left_out]
        constant, prices = _ridge(others, [other for number, other in enumerate(points) if number != left_out], penalty)
        total += (constant + sum(prices[name] * amount for name, amount in sheet.items()) - paid) ** 2
    return sqrt(total / len(points))


def document(prices: Prices, command: str, units: int) -> str:
    """The data file: prices with the command that fitted them."""
    content: dict[str, Any] = {
        "source": command,
        "units": units,
        "usual_miss": round(prices.error, 2),
        "points": {
            "constant": round(prices.constant, 3),
            **{name: round(worth, 4) for name, worth in prices.points.items()},
        },
    }
    return json.dumps(content, indent=2) + "\n"
