"""The owner of an AI stable: {% ai_owner stable as owner %} gives stables.presenters.ai_owners.AiOwner, or None."""

from __future__ import annotations

from django import template

from stables.models import Stable
from stables.presenters.ai_owners import AiOwner, owner_of

register = template.Library()


@register.simple_tag
def ai_owner(stable: Stable) -> AiOwner | None:
    """Return the invented owner of an AI stable, None for a person's stable. Fetch the stable with its season."""
    return owner_of(stable)
