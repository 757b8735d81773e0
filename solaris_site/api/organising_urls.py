"""The addresses of running a season; included by solaris_site.api.urls (`api:...`).

What is done has the last word that it has on the pages; a season is opened where all of them are listed (season_urls).
"""

from __future__ import annotations

from django.urls import path

from solaris_site.api import (
    ai_stables,
    console,
    correcting,
    helping,
    officiating,
    opening,
    organising,
    sudden_death,
    work,
)
from solaris_site.api.course import SEASON

FIXTURE = SEASON + "fixtures/<int:fixture_id>/"
STABLE = SEASON + "stables/<slug:stable_slug>/"
urlpatterns = [
    path(SEASON + "organise/", console.Console.as_view(), name="season_console"),
    path(SEASON + "close-out/", console.SeasonCloseOut.as_view(), name="season_close_out"),
    path(SEASON + "publish", opening.Publish.as_view(), name="season_publish"),
    path(SEASON + "again", opening.Again.as_view(), name="season_again"),
    path(SEASON + "take-up-collection", opening.TakeUpCollection.as_view(), name="season_take_up_collection"),
    path(SEASON + "make-collection", opening.MakeCollection.as_view(), name="season_make_collection"),
    path(SEASON + "start", organising.Start.as_view(), name="season_start"),
    path(SEASON + "start-cycle", organising.StartCycle.as_view(), name="season_start_cycle"),
    path(SEASON + "call-time", organising.CallTime.as_view(), name="season_call_time"),
    path(SEASON + "pair-ready", organising.PairReady.as_view(), name="season_pair_ready"),
    path(SEASON + "pause", organising.Pause.as_view(), name="season_pause"),
    path(SEASON + "resume", organising.Resume.as_view(), name="season_resume"),
    path(SEASON + "cancel", organising.Cancel.as_view(), name="season_cancel"),
    path(SEASON + "found-ai", ai_stables.FoundAiStable.as_view(), name="season_found_ai"),
    path(SEASON + "settings/", organising.Settings.as_view(), name="season_settings"),
    path(SEASON + "settings/announced/", organising.AnnouncedSettings.as_view(), name="season_announced_settings"),
    path(SEASON + "calendar/", organising.SeasonCalendar.as_view(), name="season_calendar"),
    path(SEASON + "deadline", organising.Deadline.as_view(), name="season_deadline"),
    path(SEASON + "visibility/", organising.Visibility.as_view(), name="season_visibility"),
    path(SEASON + "invitations/", helping.Invitations.as_view(), name="invitations"),
    path(SEASON + "invitations/<int:invitation_id>/", helping.InvitationItself.as_view(), name="invitation"),
    path(SEASON + "roles/", helping.Roles.as_view(), name="roles"),
    path(SEASON + "roles/<int:role_id>/", helping.RoleItself.as_view(), name="role"),
    path(SEASON + "sudden-death/", sudden_death.SuddenDeath.as_view(), name="sudden_death"),
    path(SEASON + "last-call", organising.LastCall.as_view(), name="season_last_call"),
    path(STABLE + "sudden-death", sudden_death.Appear.as_view(), name="stable_sudden_death"),
    path(STABLE + "waive-debt", correcting.WaiveDebt.as_view(), name="stable_waive_debt"),
    path(FIXTURE + "decide", officiating.Decide.as_view(), name="result_decide"),
    path(FIXTURE + "decide/foresee", officiating.ForeseeDecision.as_view(), name="result_decide_foresee"),
    path(FIXTURE + "correct", correcting.Correct.as_view(), name="result_correct"),
    path(FIXTURE + "correct/foresee", correcting.ForeseeCorrection.as_view(), name="result_correct_foresee"),
    path(SEASON + "jobs/", work.Jobs.as_view(), name="jobs"),
    path(SEASON + "jobs/<int:job_id>/", work.JobItself.as_view(), name="job"),
    path(SEASON + "jobs/<int:job_id>/restart", work.RestartJob.as_view(), name="restart_job"),
]
