"""The addresses of running a season; included by solaris_site.api_urls (`api:...`).

The address of an act ends with the same word as on the pages. A season is opened at the address of the list of seasons
(stables.api.urls.reading).
"""

from __future__ import annotations

from django.urls import path

from stables.api.organising import (
    absent,
    ai_stables,
    coming,
    console,
    corrections,
    drafts,
    fixtures,
    jobs,
    messages,
    opening,
    roles,
    rulings,
    season,
    stables,
    starting,
    sudden_death,
    waiting_list,
)
from stables.api.organising.base import SEASON

FIXTURE = SEASON + "fixtures/<int:fixture_id>/"
STABLE = SEASON + "stables/<slug:stable_slug>/"
urlpatterns = [
    path(SEASON + "organise/", console.Console.as_view(), name="season_console"),
    path(SEASON + "close-out/", console.SeasonCloseOut.as_view(), name="season_close_out"),
    path(SEASON + "publish", opening.Publish.as_view(), name="season_publish"),
    path(SEASON + "again", opening.NextSeason.as_view(), name="season_again"),
    path(SEASON + "copy", drafts.CopySeason.as_view(), name="season_copy"),
    path(SEASON + "name/", drafts.SeasonName.as_view(), name="season_name"),
    path(SEASON + "absent/", absent.Absent.as_view(), name="season_absent"),
    path(SEASON + "who-comes/", coming.WhoComes.as_view(), name="season_who_comes"),
    path(STABLE + "absent", absent.ChooseForAbsent.as_view(), name="stable_choose_for_absent"),
    path(SEASON + "page/", messages.SeasonPage.as_view(), name="season_page"),
    path(SEASON + "message", messages.WriteToAll.as_view(), name="season_message"),
    path(SEASON + "class/", drafts.SeasonClass.as_view(), name="season_class"),
    path(SEASON + "waiting-list/", waiting_list.WaitingPeople.as_view(), name="waiting_list"),
    path(
        SEASON + "waiting-list/<int:waiting_id>/pass-over",
        waiting_list.PassOver.as_view(),
        name="waiting_list_pass_over",
    ),
    path(STABLE + "manage/remove", stables.RemoveStable.as_view(), name="manage_remove"),
    path(STABLE + "manage/withdraw", stables.WithdrawStable.as_view(), name="manage_withdraw"),
    path(STABLE + "manage/hand-to-ai", stables.HandToAi.as_view(), name="manage_hand_to_ai"),
    path(STABLE + "manage/take-back", stables.TakeBackFromAi.as_view(), name="manage_take_back"),
    path(STABLE + "manage/pass-to", stables.PassTo.as_view(), name="manage_pass_to"),
    path(STABLE + "manage/links/", stables.StableLinks.as_view(), name="manage_links"),
    path(STABLE + "manage/links/<int:passing_id>/", stables.StableLinkItself.as_view(), name="manage_link"),
    path(SEASON + "take-up-collection", opening.TakeUpCollection.as_view(), name="season_take_up_collection"),
    path(SEASON + "make-collection", opening.MakeCollection.as_view(), name="season_make_collection"),
    path(SEASON + "start", starting.Start.as_view(), name="season_start"),
    path(SEASON + "start-cycle", starting.StartCycle.as_view(), name="season_start_cycle"),
    path(SEASON + "put-market-off", starting.PutMarketOff.as_view(), name="season_put_market_off"),
    path(SEASON + "call-time", season.CallTime.as_view(), name="season_call_time"),
    path(SEASON + "pair-ready", season.PairReady.as_view(), name="season_pair_ready"),
    path(SEASON + "pause", season.Pause.as_view(), name="season_pause"),
    path(SEASON + "resume", season.Resume.as_view(), name="season_resume"),
    path(SEASON + "close", season.Close.as_view(), name="season_close"),
    path(SEASON + "cancel", season.Cancel.as_view(), name="season_cancel"),
    path(SEASON + "found-ai", ai_stables.FoundAiStable.as_view(), name="season_found_ai"),
    path(SEASON + "settings/", season.Settings.as_view(), name="season_settings"),
    path(SEASON + "settings/announced/", season.AnnouncedSettings.as_view(), name="season_announced_settings"),
    path(SEASON + "calendar/", season.SeasonCalendar.as_view(), name="season_calendar"),
    path(SEASON + "deadline", season.Deadline.as_view(), name="season_deadline"),
    path(SEASON + "visibility/", season.Visibility.as_view(), name="season_visibility"),
    path(SEASON + "invitations/", roles.Invitations.as_view(), name="invitations"),
    path(SEASON + "invitations/<int:invitation_id>/", roles.InvitationItself.as_view(), name="invitation"),
    path(SEASON + "roles/", roles.Roles.as_view(), name="roles"),
    path(SEASON + "roles/<int:role_id>/", roles.RoleItself.as_view(), name="role"),
    path(SEASON + "sudden-death/", sudden_death.SuddenDeath.as_view(), name="sudden_death"),
    path(SEASON + "last-call", season.LastCall.as_view(), name="season_last_call"),
    path(STABLE + "sudden-death", sudden_death.Appear.as_view(), name="stable_sudden_death"),
    path(STABLE + "waive-debt", corrections.WaiveDebt.as_view(), name="stable_waive_debt"),
    path(FIXTURE + "organise/", fixtures.FixtureActs.as_view(), name="fixture_acts"),
    path(FIXTURE + "direct", fixtures.Direct.as_view(), name="fixture_direct"),
    path(FIXTURE + "excuse", fixtures.Excuse.as_view(), name="fixture_excuse"),
    path(FIXTURE + "forfeit", fixtures.Forfeit.as_view(), name="fixture_forfeit"),
    path(FIXTURE + "line-up/reopen", fixtures.ReopenLineUp.as_view(), name="fixture_line_up_reopen"),
    path(FIXTURE + "swap", fixtures.Swap.as_view(), name="fixture_swap"),
    path(FIXTURE + "decide", rulings.Decide.as_view(), name="result_decide"),
    path(FIXTURE + "decide/foresee", rulings.ForeseeDecision.as_view(), name="result_decide_foresee"),
    path(FIXTURE + "correct", corrections.Correct.as_view(), name="result_correct"),
    path(FIXTURE + "correct/foresee", corrections.ForeseeCorrection.as_view(), name="result_correct_foresee"),
    path(SEASON + "jobs/", jobs.Jobs.as_view(), name="jobs"),
    path(SEASON + "jobs/<int:job_id>/", jobs.JobItself.as_view(), name="job"),
    path(SEASON + "jobs/<int:job_id>/restart", jobs.RestartJob.as_view(), name="restart_job"),
]
