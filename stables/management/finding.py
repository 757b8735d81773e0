"""Finding the season that a command's argument names."""

from __future__ import annotations

from django.core.management.base import CommandError
from django.db.models import Q
from django.utils.translation import gettext as _

from rules.core.digits import whole_number
from stables.models import Season


def season_named(name: str) -> Season:
    """Return the season with this address or id, with its release. An address of digits is tried before an id.

    Raises CommandError when there is none.
    """
    number = whole_number(name)
    by_id = Q(pk__in=[] if number is None else [number])
    found = Season.objects.filter(Q(slug=name) | by_id).select_related("release").order_by("id")
    # An address may consist of digits: it goes first.
    season = next((each for each in found if each.slug == name), None) or found.first()
    if season is None:
        raise CommandError(_("There is no season %(name)s.") % {"name": name})
    return season
