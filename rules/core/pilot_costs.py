"""The pilots that cost their base points in every unit (R-PLT-07, R-PLT-11, Q-111).

The list is data. Change it when the players disagree with it on a pilot's usefulness (R-PLT-09).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

BASE_COST_ONLY: Mapping[str, str] = {
    "GS-008": "Enlil Searcy",
    "GS-012": "Gabriel Smith",
    "GS-018": "Charles Westerfield",
    "GS-022": "Abeni Zikhali",
    "GS-023": 'Julie "Julz" Kolchak',
    "GS-028": 'Julie "Julz" Kolchak',
    "GS-032": "Fortuna Panichello",
    "GS-033": "Gloria Panichello",
    "GS-035": "Yulri Wolf",
    "GS-043": "Yulri Wolf",
    "GS-037": "Reo Jones",
    "GS-038": "Anastasia Kerensky",
    "GS-045": "Anastasia Kerensky",
    "GS-039": "Toni Rivera",
    "GS-041": "Abasi Sadat",
    "GS-042": "Wiley Rollins",
    "GS-047": 'Richard "Dickie" Wojciehowski',
    "GS-048": "Lorccan Dillon",
    "GS-051": 'Robert "Skippy" Wilson',
    "GS-058": "Shizuka Findlay",
    "GS-061": "Chris Hart",
    "GS-062": "Colleen Sawyer",
    "GS-A03": 'Jason "Grim" Buyaki',
    "GS-A06": '"Lizzie" Willick',
    "GS-A23": "Garry Pedersen",
    "L-002": "Duke Aaron Sandoval",
    "L-010": "Katsuro Sutoku",
    "L-014": "Inese Lassonde",
    "L-015": "Consuela Dagmar",
    "L-016": "Moriko Horiama",
    "L-022": "Reign O'Broin",
    "L-024": 'Dot "Patches" Nostra',
    "L-026": "Katan Tormark",
    "L-028": "Kisho Nova Cat",
    "L-032": "Drogo Miraborg",
    "L-036": "Ragna Olsen",
    "L-043": "Phelan Kell",
    "L-059": "Barnum Drummond",
    "L-069": "Katherine Steiner-Davion",
    "L-070": "Gwin Fetladral",
    "L-073": "Tung Cho",
    "L-076": "Nikki Raddick",
    "L-077": "Rudolph Tseng",
}
"""Collector's number and name of the pilots whose printed ability has no use in this game."""


_PLAIN = str.maketrans({"“": '"', "”": '"', "„": '"', "’": "'", "‘": "'"})


def is_useless(number: str, name: str, ability: str | None) -> bool:
    """Return whether a pilot's text does nothing here: the pilot is on the list and has no ability of this game.

    Quotation marks, capitals and spaces may differ, because many hands type in cards.
    """
    listed = BASE_COST_ONLY.get(number)
    return ability is None and listed is not None and _plain(name) == _plain(listed)


def _plain(name: str) -> str:
    return " ".join(name.translate(_PLAIN).casefold().split())


def pilot_points(pilot: Mapping[str, Any], unit_key: str) -> int:
    """Return the points of a pilot on a unit: the alternative cost on the preferred unit (R-PLT-06, Q-110).

    `pilot` is a catalogue document; `unit_key` is the unit's id, its set symbol and number (R-PLT-05). A pilot whose
    text does nothing here costs the base points on every unit.
    """
    alternative = pilot.get("alternative") or {}
    if alternative.get("unit") != unit_key:
        return int(pilot["points"])
    useless = is_useless(str(pilot.get("id")), str(pilot.get("name")), pilot.get("ability"))
    return int(pilot["points"] if useless else alternative["points"])
