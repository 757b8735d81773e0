"""The console of a season's organisers: whom the season waits for, its times, and everything they may decide."""

from __future__ import annotations

from typing import Any

from django.contrib.auth.views import redirect_to_login
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from rules.campaign.season.calendar import Calendar
from rules.campaign.season.settings import FIXED_ONCE_FOUNDED, FIXED_ONCE_STARTED, SeasonSettings
from rules.campaign.states import SEASON
from stables.forms.season import AiStableForm, CalendarForm, ChangeForm, InvitationForm
from stables.models import Season, SeasonRole
from stables.presenters.console import known_invitations, waiting
from stables.presenters.season_rules import announced_changes
from stables.text import names as words
from stables.text.calendar import warning
from stables.views.frame import organised
from web.crumbs import Link


@never_cache
@require_safe
def console(request: HttpRequest, season_slug: str) -> HttpResponse:
    """Show the console; organisers only (403), visitors are sent to log in. A constant number of queries."""
    if not request.user.is_authenticated:
        return redirect_to_login(request.get_full_path())
    season = organised(request, season_slug)
    found = waiting(season, request.user)
    is_open = SEASON.may("change_plan", season.state)
    context = {
        "season": season,
        "is_organiser": True,
        "is_open": is_open,
        "is_recruiting": season.state == Season.State.RECRUITING,
        "is_running": season.state == Season.State.RUNNING,
        "can_pause": SEASON.may("pause", season.state),
        "stables": found.stables,
        "now": found.now,
        "ready": found.ready,
        "jobs": found.jobs,
        "invitations": _invitations(request, season) if is_open else [],
        "roles": list(season.roles.select_related("user")),
        "visibility_choices": Season.Visibility.choices,
        "role_choices": SeasonRole.Role.choices,
        "ai_form": AiStableForm(auto_id="ai-%s"),
        "invitation_form": InvitationForm(auto_id="invitation-%s"),
        "announced": announced_changes(season) if season.pending_settings else [],
        "plan": [_planned(cycle) for cycle in found.plan.cycles],
        "warnings": [warning(each) for each in found.plan.warnings],
        "calendar": CalendarForm.showing(_calendar(season, request.user)),
        "change": _change(season) if is_open else None,
        "zone": timezone.get_current_timezone_name(),
        "crumbs": [
            Link(_("Seasons"), reverse("stables:home")),
            Link(season.name, season.get_absolute_url()),
        ],
    }
    return render(request, "stables/console.html", context)


def _calendar(season: Season, user: Any) -> Calendar:
    """Return the season's calendar; a season without one has a default calendar in the organiser's time zone."""
    return Calendar.from_json(season.calendar or {"time_zone": user.time_zone})


def _invitations(request: HttpRequest, season: Season) -> list[dict[str, Any]]:
    """Return the invitations with their links."""
    return [
        {"invitation": each, "link": request.build_absolute_uri(reverse("stables:join", args=[each.code]))}
        for each in known_invitations(season)
    ]


def _change(season: Season) -> ChangeForm:
    """Return the form of the settings that may still change, with announced values filled in."""
    form = ChangeForm(SeasonSettings.from_json({**season.settings, **season.pending_settings}))
    for name in {*FIXED_ONCE_FOUNDED, *(FIXED_ONCE_STARTED if season.state == Season.State.RUNNING else ())}:
        form.fields.pop(name, None)
    return form


def _planned(cycle: Any) -> dict[str, Any]:
    return {
        "number": cycle.number,
        "format": words.word(words.FORMATS, cycle.format),
        "closes": cycle.market_closes,
        "ends": cycle.ends,
    }
