"""The silhouettes and photos of units in templates: `{% load figures %}`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django import template

from catalogue.presenters.figures import SIZE, figure_of
from catalogue.presenters.miniatures import Miniature

register = template.Library()


@register.inclusion_tag("catalogue/figure.svg.html")
def figure(unit: Mapping[str, Any], size: int = 40) -> dict[str, Any]:
    """Return, for `{% figure definition 56 %}`, the silhouette of a unit's definition, `size` pixels wide and high."""
    return {"figure": figure_of(unit), "pixels": size, "corner": -SIZE / 2, "width": SIZE}


@register.inclusion_tag("catalogue/miniature.html")
def miniature(shown: Miniature, size: int = 56) -> dict[str, Any]:
    """Return, for `{% miniature view.miniature 56 %}`, a unit's photo or silhouette, `size` pixels wide and high."""
    return {"miniature": shown, "pixels": size, "corner": -SIZE / 2, "width": SIZE}
