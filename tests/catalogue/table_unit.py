"""A unit for real tables only, as tests use it."""

from __future__ import annotations

from typing import Any

FIGURE: dict[str, Any] = {
    "table_only": True,
    "id": "ICE001",
    "set": "ICE",
    "number": 1,
    "name": "Frostbite",
    "variant": "FRB-1-L",
    "class": "light",
    "rank": "veteran",
    "points": 96,
    "clicks": 8,
}
"""A figure whose dial nobody has typed, with the number of its clicks."""

UNCOUNTED: dict[str, Any] = {key: FIGURE[key] for key in ("table_only", "class", "points")} | {
    "id": "002-Old-Frost",
    "number": 2,
    "name": "Old Frost",
}
"""Another one, of which only name, number, class and points are known. Its id follows from its number and
its name."""
