"""The purses of a cycle by format, size of the field, class and place (R-PUR-01..08, Q-02, Q-126..Q-128, Q-174)."""

from __future__ import annotations

from collections.abc import Mapping

from rules.campaign.classes import TEAM_FORMATS, WEIGHT_CLASSES

Row = tuple[int, ...]
Table = Mapping[str, Row]


def _table(light: Row, medium: Row, heavy: Row, assault: Row) -> Table:
    return dict(zip(WEIGHT_CLASSES, (light, medium, heavy, assault), strict=True))


ONE_ON_ONE: Mapping[int, Table] = {
    4: _table((400, 325, 250, 200), (450, 375, 300, 250), (500, 450, 400, 350), (600, 550, 500, 450)),
    6: _table(
        (400, 350, 300, 250, 225, 200),
        (450, 400, 350, 325, 275, 250),
        (500, 475, 425, 400, 375, 350),
        (600, 575, 525, 500, 475, 450),
    ),
    8: _table(
        (400, 370, 340, 310, 270, 250, 230, 200),
        (450, 410, 380, 360, 320, 300, 280, 250),
        (500, 475, 455, 435, 415, 380, 360, 350),
        (600, 575, 555, 535, 515, 480, 460, 450),
    ),
}
"""Stones by number of stables, class and place: R-PUR-02 (four), R-PUR-03 (six), R-PUR-04 (eight)."""

TEAM: Mapping[int, Table] = {
    4: _table((550, 500, 450, 400), (750, 690, 595, 500), (950, 890, 795, 700), (1200, 1100, 1000, 900)),
    6: _table(
        (550, 520, 490, 460, 430, 400),
        (750, 700, 650, 600, 550, 500),
        (950, 900, 850, 800, 750, 700),
        (1200, 1150, 1100, 1025, 950, 900),
    ),
    8: _table(
        (550, 525, 500, 480, 460, 440, 420, 400),
        (750, 720, 685, 660, 625, 575, 530, 500),
        (950, 920, 885, 860, 825, 775, 730, 700),
        (1200, 1160, 1120, 1060, 1020, 980, 940, 900),
    ),
}
"""Stones by number of stables, class and place: R-PUR-05 (four), R-PUR-06 (six), R-PUR-07 (eight).

The Lightweight row of four stables is the corrected one.
"""

TEAM_4_LIGHTWEIGHT: Mapping[str, Row] = {"corrected": (750, 690, 595, 500), "printed": (750, 500, 450, 500)}
"""The Lightweight row of four stables by the setting purse_team4_lightweight: Middleweight less 200, or as printed
(Q-02, R-PUR-08, Q-174: an editorial reconstruction)."""


def table_size(stables: int) -> int:
    """Return the size of the table for 2 to 8 stables, the next larger one (Q-127). Raises ValueError for others."""
    if not 2 <= stables <= 8:
        raise ValueError(f"no purse table for {stables} stables")
    return next(size for size in sorted(ONE_ON_ONE) if stables <= size)


def purse_row(format_name: str, match_class: str, stables: int, lightweight: str = "corrected") -> Row:
    """Return the purses in Stones from first place down; the row may be longer than the field (Q-127).

    `stables` is the number that started the cycle (Q-159), `lightweight` the setting purse_team4_lightweight.
    Raises ValueError unless there are 2 to 8 stables.
    """
    size = table_size(stables)
    if format_name not in TEAM_FORMATS:
        return ONE_ON_ONE[size][match_class]
    if size == 4 and match_class == "medium":
        return TEAM_4_LIGHTWEIGHT[lightweight]
    return TEAM[size][match_class]


def purse(format_name: str, match_class: str, stables: int, place: int, lightweight: str = "corrected") -> int:
    """Return the purse in Stones of `place` (from 1) among 2 to 8 `stables` (R-PUR-01). Raises ValueError for other
    numbers of stables and for a place that the table does not have.

    >>> purse("standard", "light", 4, place=1), purse("standard", "light", 4, place=4)
    (400, 200)
    """
    row = purse_row(format_name, match_class, stables, lightweight)
    if not 1 <= place <= len(row):
        raise ValueError(f"no purse for place {place}")
    return row[place - 1]
