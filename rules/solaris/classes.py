"""Weight classes by points."""

from __future__ import annotations

from rules.core.words import CLASS_CAPS


def points_class(points: int) -> str | None:
    """Return the smallest class whose cap holds `points` (Q-115), None above 350.

    >>> points_class(160), points_class(161), points_class(351)
    ('light', 'medium', None)
    """
    for weight_class, cap in CLASS_CAPS.items():
        if points <= cap:
            return weight_class
    return None
