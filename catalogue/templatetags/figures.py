"""The silhouettes of units in templates: `{% load figures %}`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django import template

from catalogue.presenters.figures import SIZE, figure_of

register = template.Library()


@register.inclusion_tag("catalogue/figure.svg.html")
def figure(unit: Mapping[str, Any], size: int = 40) -> dict[str, Any]:
    """Return, for `{% figure definition 56 %}`, the silhouette of a unit's definition, `size` pixels wide and high."""
    return {"figure": figure_of(unit), "pixels": size, "corner": -SIZE / 2, "width": SIZE}
