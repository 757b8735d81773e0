"""The organisers' page of one stable, and the waiting list of a season."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _

from stables.forms.managing import ManageForm, NameForm
from stables.models import Season, Stable, WaitingPlace
from stables.presenters.season_parts import home_crumb
from stables.selectors.seating import hand_over_of
from stables.services.running.passing import open_links
from stables.services.season.seasons import open_for_newcomers
from stables.text.reasons import told_reason
from web.crumbs import Link


def managed(stable: Stable, form: ManageForm | None = None, *, is_away: bool) -> dict[str, Any]:
    """Return a stable with the form of what an organiser may do with it; no query.

    `is_away` says that the AI acts for its owner now. Fetch `stable` with its owner and season.
    """
    state, may_hand_to_ai = stable.season.state, not stable.season.rules.table_only
    is_running = state == Season.State.RUNNING
    return {
        "stable": stable,
        "form": form or ManageForm(stable),
        "may_remove": state in (Season.State.DRAFT, Season.State.RECRUITING),
        "may_pass": is_running or state == Season.State.RECRUITING,
        "may_seat_guest": stable.owner is None or stable.owner.is_guest,
        "may_withdraw": is_running,
        "may_stand_in": is_running and stable.owner_id is not None and not stable.is_ai,
        "may_hand_to_ai": may_hand_to_ai and is_running and stable.owner_id is not None and not is_away,
        "may_take_back": is_running and is_away,
    }


def managed_on_console(season: Season, stables: list[Stable]) -> list[dict[str, Any]]:
    """Return the stables of a season that have not left, each as `managed`; [] when nothing can be done. No query.

    The stables come from presenters.organising.console.waiting.
    """
    if season.state not in (Season.State.DRAFT, Season.State.RECRUITING, Season.State.RUNNING):
        return []
    for stable in stables:
        stable.season = season
    there = [stable for stable in stables if stable.left_in_cycle is None]
    return [managed(stable, is_away=getattr(stable, "is_away", False)) for stable in there]


def manage_context(stable: Stable, form: ManageForm | None = None, now: datetime | None = None) -> dict[str, Any]:
    """Return what the organisers' page of a stable shows; two queries. Fetch `stable` with its owner and season."""
    now = now or timezone.now()
    is_there = stable.left_in_cycle is None
    return {
        "season": stable.season,
        "stable": stable,
        "line": managed(stable, form, is_away=hand_over_of(stable.pk, now) is not None) if is_there else None,
        "links": [{"link": link, "reason": told_reason(link.reason)} for link in open_links(stable.pk, now)],
        "crumbs": _crumbs(stable.season),
    }


def waiting_list_context(season: Season) -> dict[str, Any]:
    """Return the people who wait for a place in a season, the first one first; one query."""
    return {
        "season": season,
        "places": list(season.waiting.select_related("user").order_by("id")),
        "crumbs": _crumbs(season),
    }


def found_for_guest_context(season: Season, form: NameForm) -> dict[str, Any]:
    """Return what the page that founds stables for guests shows; at most one query."""
    return {
        "season": season,
        "form": form,
        "enters": open_for_newcomers(season),
        "crumbs": _crumbs(season),
    }


def own_place_context(place: WaitingPlace) -> dict[str, Any]:
    """Return what a person sees of their own place on a list; three queries. Fetch `place` with its season."""
    return {
        "season": place.season,
        "place": place,
        "before": WaitingPlace.objects.filter(season=place.season, pk__lt=place.pk).count(),
        "enters": open_for_newcomers(place.season) or 1,
        "crumbs": [home_crumb()],
    }


def _crumbs(season: Season) -> list[Link]:
    return [
        home_crumb(),
        Link(season.name, season.get_absolute_url()),
        Link(_("Organise"), reverse("stables:console", args=[season.slug])),
    ]
