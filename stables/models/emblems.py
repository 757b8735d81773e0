"""The emblems and colours that a stable may carry: our own drawings, as SVG paths in a square of 24 by 24 units."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _


@dataclass(frozen=True)
class Emblem:
    """A drawing: its name, and the SVG path that is filled with the second colour."""

    name: str | Promise
    path: str


EMBLEMS: Mapping[str, Emblem] = {
    "anvil": Emblem(_("anvil"), "M3 7h18v3l-6 3v3l3 2v2H6v-2l3-2v-3L3 10z"),
    "arrow": Emblem(_("arrow"), "M12 3l8 9h-5v9H9v-9H4z"),
    "bolt": Emblem(_("bolt"), "M13 2 5 14h5l-2 8 10-13h-6z"),
    "crown": Emblem(_("crown"), "M3 7l5 4 4-7 4 7 5-4-2 12H5z"),
    "diamond": Emblem(_("diamond"), "M12 2l9 10-9 10-9-10z"),
    "eye": Emblem(_("eye"), "M12 5c5 0 9 4 10 7-1 3-5 7-10 7S3 15 2 12c1-3 5-7 10-7zm0 3a4 4 0 1 0 0 8 4 4 0 0 0 0-8z"),
    "gate": Emblem(_("gate"), "M4 21V9l8-6 8 6v12h-5v-7H9v7z"),
    "hexagon": Emblem(_("hexagon"), "M7 3h10l5 9-5 9H7l-5-9zm2 4-3 5 3 5h6l3-5-3-5z"),
    "mountain": Emblem(_("mountain"), "M2 20 9 6l4 7 2-3 7 10z"),
    "star": Emblem(_("star"), "M12 2l3 7 7 .6-5.3 4.8L18.3 22 12 17.8 5.7 22l1.6-7.6L2 9.6 9 9z"),
    "sun": Emblem(
        _("sun"), "M11 2h2v4h-2zM11 18h2v4h-2zM2 11h4v2H2zM18 11h4v2h-4zM12 7a5 5 0 1 1 0 10 5 5 0 0 1 0-10z"
    ),
    "wave": Emblem(_("wave"), "M2 8q5-5 10 0t10 0v4q-5 5-10 0T2 12zM2 15q5-5 10 0t10 0v4q-5 5-10 0T2 19z"),
}

FIELDS = ("#8c2f1b", "#1f4e79", "#2e5d34", "#5b3a7a", "#7a5a12", "#1d5c63", "#6b2346", "#3c4652")
"""The colours of which a new stable gets one for the ground of its emblem. The emblem itself is LIGHT at first."""

LIGHT = "#f4efe3"


def first_look(name: str) -> dict[str, str]:
    """Return the first "colour", "second_colour" and "emblem" for a name, the same ones each time.

    Another name mostly gets others. Upper and lower case count as equal.
    """
    number = sum(place * ord(letter) for place, letter in enumerate(name.casefold(), 1))
    keys = sorted(EMBLEMS)
    return {
        "colour": FIELDS[number % len(FIELDS)],
        "second_colour": LIGHT,
        "emblem": keys[number // len(FIELDS) % len(keys)],
    }
