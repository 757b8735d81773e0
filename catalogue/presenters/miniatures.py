"""How a page shows a unit of somebody: by the owner's photo of the miniature, or else by our own silhouette."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext

from catalogue.presenters.figures import Figure, figure_of
from rules.wording.isolation import name_of


@dataclass(frozen=True)
class Miniature:
    """A unit to look at. `url` is the address of the photo, "" without one; `alt` says what it shows."""

    figure: Figure
    url: str
    alt: str


def miniature_of(unit: Mapping[str, Any], whose: str, url: str) -> Miniature:
    """Return a unit's definition as a page shows it. `whose` names its stable or its side."""
    return Miniature(figure_of(unit), url, gettext("%(unit)s of %(whose)s") % {"unit": name_of(unit), "whose": whose})
