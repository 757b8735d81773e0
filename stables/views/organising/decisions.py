"""The decisions of a season's organisers on its console, one POST for each."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.utils.translation import gettext, ngettext

from jobs.models import Job
from jobs.services import restart
from rules.campaign.season.settings import SeasonSettings
from rules.core.refusals import Malformed, Refused, SeasonRefused
from stables.forms.ai_stables import AiStableForm
from stables.forms.managing import InvitationForm
from stables.forms.putting_off import PutOffForm
from stables.forms.reason import ReasonForm
from stables.forms.season import ChangeCalendarForm, ChangeForm
from stables.models import Season
from stables.services.fixtures import pairing, rounds
from stables.services.running import calendars, pauses, roles
from stables.services.season import (
    calendar,
    endings,
    invitations,
    opening,
    putting_off,
    seasons,
    settings,
    visibility,
)
from stables.views.frame import answer, for_people, organised
from stables.views.organising.console import show_console
from web.reading import moment_of, number_of, text_of, yes_of


def to_console(request: HttpRequest, season: Season, sentence: str) -> HttpResponse:
    """Redirect to the console, which shows the sentence."""
    return answer(request, sentence, reverse("stables:console", args=[season.slug]))


def ask_to_start(request: HttpRequest, season: Season, refused: SeasonRefused) -> HttpResponse:
    """Name the stables that are not prepared, and ask again, with status 409. Raise any other refusal again."""
    if refused.code != "stables_unprepared":
        raise refused
    newest = season.cycles.order_by("-number").first()
    context = {
        "season": season,
        "address": request.path,
        "is_season": season.state == Season.State.RECRUITING,
        "without_crew": refused.parameters["without_crew"],
        "unsealed": refused.parameters["unsealed"],
        "closes_at": None if newest is None else newest.market_closes_at,
        "put_off": PutOffForm(),
    }
    return render(request, "stables/confirm_start.html", context, status=409)


@for_people
def start_season(request: HttpRequest, season_slug: str) -> HttpResponse:
    """Start a recruiting season. Optional field: sure ("yes": with stables that are not prepared, too)."""
    season = organised(request, season_slug)
    is_sure = yes_of(request.POST.dict(), "sure", False)
    try:
        seasons.start_season(season_id=season.pk, actor=request.user, is_sure=is_sure)
    except SeasonRefused as refused:
        return ask_to_start(request, season, refused)
    return answer(request, gettext("The season has begun."), season.get_absolute_url())


@for_people
def publish_season(request: HttpRequest, season_slug: str) -> HttpResponse:
    """Publish a draft: recruiting begins."""
    season = organised(request, season_slug)
    opening.publish_season(season_id=season.pk, actor=request.user)
    sentence = gettext("The season is published and recruits now. Invite others, and start it.")
    return answer(request, sentence, season.get_absolute_url())


@for_people
def start_cycle(request: HttpRequest, season_slug: str) -> HttpResponse:
    """Close the open market of a running season and start its cycle, without waiting for those who still shop.

    Optional field: sure ("yes": with stables that are not prepared, too).
    """
    season = organised(request, season_slug)
    try:
        seasons.start_cycle(season_id=season.pk, is_sure=yes_of(request.POST.dict(), "sure", False))
    except SeasonRefused as refused:
        return ask_to_start(request, season, refused)
    return answer(request, gettext("The cycle has begun."), season.get_absolute_url())


@for_people
def put_market_off(request: HttpRequest, season_slug: str) -> HttpResponse:
    """Let the open market close later. Fields: those of PutOffForm."""
    season = organised(request, season_slug)
    form = PutOffForm(request.POST.dict())
    with form.in_words():
        hours, reason = form.hours(), form.reason_text(may_lack=True)
    putting_off.put_market_off(season_id=season.pk, hours=hours, reason=reason, actor=request.user)
    return to_console(request, season, gettext("The market closes later; every owner is told from when to when."))


@for_people
def call_time(request: HttpRequest, season_slug: str) -> HttpResponse:
    """Stop waiting for line-ups of the newest round. Raises SeasonRefused (no_round_to_call)."""
    season = organised(request, season_slug)
    newest = rounds.newest_round(season.pk)
    if newest is None:
        raise SeasonRefused("no_round_to_call", state=season.state)
    rounds.call_time(round_id=newest.pk)
    return answer(request, gettext("Time is up for line-ups of this round."), season.get_absolute_url())


@for_people
def pair_ready(request: HttpRequest, season_slug: str) -> HttpResponse:
    """Pair the stables that have played, without waiting for late matches."""
    season = organised(request, season_slug)
    paired = pairing.pair_ready(season_id=season.pk)
    count = len(paired.paired)
    sentence = ngettext("{count} stable is paired.", "{count} stables are paired.", count).format(count=count)
    return to_console(request, season, sentence)


@for_people
def pause(request: HttpRequest, season_slug: str) -> HttpResponse:
    """Pause a season: no deadline passes."""
    season = organised(request, season_slug)
    pauses.pause(season_id=season.pk, actor=request.user)
    return to_console(request, season, gettext("The season is paused."))


@for_people
def resume(request: HttpRequest, season_slug: str) -> HttpResponse:
    """Let a paused season go on."""
    season = organised(request, season_slug)
    pauses.resume(season_id=season.pk, actor=request.user)
    return to_console(request, season, gettext("The season goes on."))


@for_people
def cancel(request: HttpRequest, season_slug: str) -> HttpResponse:
    """Cancel a season for good. Field, unless the season recruits: sure ("yes")."""
    season = organised(request, season_slug)
    is_sure = yes_of(request.POST.dict(), "sure", False)
    endings.cancel_season(season_id=season.pk, is_sure=is_sure, actor=request.user)
    return answer(request, gettext("The season is cancelled."), season.get_absolute_url())


@for_people
def invite(request: HttpRequest, season_slug: str) -> HttpResponse:
    """Make an invitation. Optional field: that of InvitationForm."""
    season = organised(request, season_slug)
    invitations.invite(season_id=season.pk, actor=request.user, **InvitationForm(request.POST).read())
    return to_console(request, season, gettext("The invitation is made; hand out its link or its code."))


@for_people
def revoke(request: HttpRequest, season_slug: str) -> HttpResponse:
    """Take an invitation back. Field: invitation, its id."""
    season = organised(request, season_slug)
    number = number_of(request.POST.dict(), "invitation")
    invitations.revoke(season_id=season.pk, invitation_id=number, actor=request.user)
    return to_console(request, season, gettext("The invitation is taken back."))


@for_people
def give_role(request: HttpRequest, season_slug: str) -> HttpResponse:
    """Make a person co-organiser or referee. Fields: name of the account, role ("co_organiser", "referee")."""
    season = organised(request, season_slug)
    fields = request.POST.dict()
    name, role = text_of(fields, "name"), text_of(fields, "role")
    roles.give_role(season_id=season.pk, name=name, role=role, actor=request.user)
    return to_console(request, season, gettext("The role is given."))


@for_people
def take_role(request: HttpRequest, season_slug: str) -> HttpResponse:
    """Take a role back. Field: role, its id."""
    season = organised(request, season_slug)
    roles.take_role(season_id=season.pk, role_id=number_of(request.POST.dict(), "role"), actor=request.user)
    return to_console(request, season, gettext("The role is taken back."))


@for_people
def found_ai_stable(request: HttpRequest, season_slug: str) -> HttpResponse:
    """Found a stable of the AI. Optional fields: those of AiStableForm."""
    season = organised(request, season_slug)
    form = AiStableForm(request.POST.dict())
    with form.in_words():
        opening.found_ai_stable(season_id=season.pk, **form.read())
    return to_console(request, season, gettext("A stable of the AI is founded."))


@for_people
def change_settings(request: HttpRequest, season_slug: str) -> HttpResponse:
    """Change settings from the next cycle on, or at once before the season starts. Fields: those of ChangeForm."""
    season = organised(request, season_slug)
    shown = SeasonSettings.from_json({**season.settings, **season.pending_settings})
    form = ChangeForm(shown, request.POST.dict())
    with form.in_words():
        announced = settings.change_settings(season_id=season.pk, changes=form.settings(), actor=request.user)
    sentence = gettext("The settings are announced and hold from cycle {cycle} on.").format(cycle=announced.from_cycle)
    return to_console(request, season, sentence)


@for_people
def take_settings_back(request: HttpRequest, season_slug: str) -> HttpResponse:
    """Take announced settings back."""
    season = organised(request, season_slug)
    settings.take_back(season_id=season.pk, actor=request.user)
    return to_console(request, season, gettext("The announced settings are taken back."))


@for_people
def change_visibility(request: HttpRequest, season_slug: str) -> HttpResponse:
    """Change who may see the season. Field: visibility ("public", "unlisted", "private")."""
    season = organised(request, season_slug)
    chosen = text_of(request.POST.dict(), "visibility")
    changed = visibility.change_visibility(season_id=season.pk, visibility=chosen, actor=request.user)
    sentences = {
        Season.Visibility.PUBLIC: gettext("The season is listed, and everybody may see it."),
        Season.Visibility.UNLISTED: gettext("The season is not listed; whoever knows its address may see it."),
        Season.Visibility.PRIVATE: gettext("Only those who take part may see the season."),
    }
    return to_console(request, season, sentences[Season.Visibility(changed.visibility)])


@for_people
def change_calendar(request: HttpRequest, season_slug: str) -> HttpResponse:
    """Change the calendar for what opens from now on. Fields: those of ChangeCalendarForm.

    A form that is refused is shown again on the console, as it was filled in.
    """
    season = organised(request, season_slug)
    form = ChangeCalendarForm(request.POST.dict(), auto_id="calendar-%s")
    try:
        with form.in_words():
            wanted, moves = form.calendar(), form.read()["moves_deadlines"]
            moved = calendars.change_calendar(
                season_id=season.pk, calendar=wanted, moves_deadlines=moves, actor=request.user
            )
    except (Malformed, Refused) as refused:
        return show_console(request, season, form, refused)
    text = gettext("The calendar holds for what opens from now on.")
    if moves:
        text += " " + ngettext("{count} deadline has moved.", "{count} deadlines have moved.", moved)
    return to_console(request, season, text.format(count=moved))


@for_people
def move_deadline(request: HttpRequest, season_slug: str) -> HttpResponse:
    """Move a deadline that is open. Fields: what ("market", "line_ups", "play", "confirm"), at (ISO 8601), and those of
    ReasonForm, which may be empty.
    """
    season = organised(request, season_slug)
    fields = request.POST.dict()
    at = moment_of(fields, "at")
    if at is None:
        raise Malformed("bad_field", field="at")
    reason = ReasonForm(fields).reason_text(may_lack=True)
    what = text_of(fields, "what")
    calendar.move_deadline(season_id=season.pk, what=what, at=at, reason=reason, actor=request.user)
    return to_console(request, season, gettext("The deadline is moved."))


@for_people
def restart_job(request: HttpRequest, season_slug: str, job_id: int) -> HttpResponse:
    """Start a failed job of the season again; its organisers only. Another job of it is refused (job_not_failed)."""
    season = organised(request, season_slug)
    restart(get_object_or_404(Job, pk=job_id, payload__season=season.pk))
    return answer(request, gettext("The job was started again."), season.get_absolute_url())
