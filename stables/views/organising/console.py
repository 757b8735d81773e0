"""The console of a season's organisers: whom the season waits for, its times, and everything they may decide."""

from __future__ import annotations

from typing import Any

from django.contrib.auth.views import redirect_to_login
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from rules.campaign.season.calendar import Calendar
from rules.campaign.season.planning import PlannedCycle, PlayedCycle
from rules.campaign.season.settings import FIXED_ONCE_FOUNDED, FIXED_ONCE_STARTED, SeasonSettings
from rules.campaign.states import SEASON
from rules.core.refusals import Malformed, Refused
from rules.wording.isolation import bare
from stables.forms.ai_stables import AiStableForm
from stables.forms.managing import ClassForm, InvitationForm, NameForm
from stables.forms.putting_off import PutOffForm
from stables.forms.reason import ReasonForm
from stables.forms.season import ChangeCalendarForm, ChangeForm
from stables.models import Season, SeasonRole, Stable
from stables.presenters.organising.console import known_invitations, waiting
from stables.presenters.organising.managing import managed_on_console
from stables.presenters.season_rules import announced_changes
from stables.text import names as words
from stables.text.calendar import days_in_words, warning
from stables.text.states import cycle_state
from stables.views.frame import organised
from web.crumbs import Link
from web.problems import show_again
from web.reached import full_address


@never_cache
@require_safe
def console(request: HttpRequest, season_slug: str) -> HttpResponse:
    """Show the console; organisers only (403), visitors are sent to log in. A constant number of queries."""
    if not request.user.is_authenticated:
        return redirect_to_login(request.get_full_path())
    return show_console(request, organised(request, season_slug))


def show_console(
    request: HttpRequest,
    season: Season,
    calendar: ChangeCalendarForm | None = None,
    problem: Malformed | Refused | None = None,
) -> HttpResponse:
    """Show the console of a season that the reader organises, with a form of the calendar that was refused, if any."""
    found = waiting(season, request.user)
    is_open, is_running = SEASON.may("change_plan", season.state), season.state == Season.State.RUNNING
    invitations = _invitations(request, season) if is_open else []
    context = {
        "season": season,
        "is_organiser": True,
        "is_open": is_open,
        "is_recruiting": season.state == Season.State.RECRUITING,
        "is_running": is_running,
        "can_pause": SEASON.may("pause", season.state),
        "stables": found.stables,
        "managed": managed_on_console(season, found.stables),
        "is_before": SEASON.may("rename", season.state),
        "name_form": NameForm(initial={"name": bare(season.name)}, auto_id="rename-%s"),
        "copy_form": NameForm(auto_id="copy-%s"),
        "class_form": _class_form(season, found.stables),
        "now": found.now,
        "cycle_state": cycle_state(found.now.cycle) if found.now.cycle else "",
        "ready": found.ready,
        "market": [(each, words.word(words.MARKET_STATES, each.state)) for each in found.market],
        "closes_at": found.now.cycle.market_closes_at if is_running and found.now.cycle and found.market else None,
        "put_off": PutOffForm(),
        "deadline_reason": ReasonForm(prefix_of_ids="deadline"),
        "jobs": found.jobs,
        "invitations": invitations,
        "open_invitations": [line for line in invitations if line["invitation"].revoked_at is None],
        "roles": list(season.roles.select_related("user")),
        "visibility_choices": Season.Visibility.choices,
        "role_choices": SeasonRole.Role.choices,
        "ai_form": None if season.rules.table_only else AiStableForm(auto_id="ai-%s"),
        "invitation_form": InvitationForm(auto_id="invitation-%s"),
        "announced": announced_changes(season) if season.pending_settings else [],
        "can_close": SEASON.may("finish", season.state),
        "plan_closes_at": found.plan_closes_at,
        "plan": [_planned(cycle) for cycle in (found.plan.played, *found.plan.cycles) if cycle is not None],
        "days_off": [days_in_words(each) for each in found.days_off],
        "warnings": [warning(each) for each in found.plan.warnings],
        "calendar": calendar or ChangeCalendarForm.showing(_calendar(season, request.user)),
        "change": _change(season) if is_open else None,
        "zone": timezone.get_current_timezone_name(),
        "crumbs": [
            Link(_("Seasons"), reverse("stables:home")),
            Link(season.name, season.get_absolute_url()),
        ],
    }
    return show_again(request, "stables/console.html", context, problem)


def _class_form(season: Season, stables: list[Stable]) -> ClassForm | None:
    """Return the form of the class, None once a person has joined."""
    if any(not stable.is_ai for stable in stables):
        return None
    return ClassForm(initial={"weight_class": season.rules.season_class}, auto_id="class-%s")


def _calendar(season: Season, user: Any) -> Calendar:
    """Return the season's calendar; a season without one has a default calendar in the organiser's time zone."""
    return Calendar.from_json(season.calendar or {"time_zone": user.time_zone})


def _invitations(request: HttpRequest, season: Season) -> list[dict[str, Any]]:
    """Return the invitations with their links."""
    return [
        {"invitation": each, "link": full_address(request, reverse("stables:join", args=[each.code]))}
        for each in known_invitations(season)
    ]


def _change(season: Season) -> ChangeForm:
    """Return the form of the settings that may still change, with announced values filled in."""
    form = ChangeForm(SeasonSettings.from_json({**season.settings, **season.pending_settings}))
    for name in {*FIXED_ONCE_FOUNDED, *(FIXED_ONCE_STARTED if season.state == Season.State.RUNNING else ())}:
        form.fields.pop(name, None)
    return form


def _planned(cycle: PlannedCycle | PlayedCycle) -> dict[str, Any]:
    """Return a line of the plan; `closes` is None for a cycle whose market is closed."""
    return {
        "number": cycle.number,
        "format": words.word(words.FORMATS, cycle.format),
        "closes": getattr(cycle, "market_closes", None),
        "ends": cycle.ends,
    }
