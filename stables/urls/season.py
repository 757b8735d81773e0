"""The addresses for opening, joining and running a season; included by stables.urls, so the names are `stables:...`."""

from django.urls import path

from stables.views.organising import close_out, console, decisions, drafts, opening, stables
from stables.views.stable import joining, readiness, taking_over

SEASON = "seasons/<slug:season_slug>/"
STABLE = SEASON + "stables/<slug:stable_slug>/"
urlpatterns = [
    path("open-a-season/", opening.open_season, name="open_season"),
    path("join/", joining.enter_code, name="enter_code"),
    path("join/<str:code>/", joining.join, name="join"),
    path("join/<str:code>/wait", taking_over.wait_by_code, name="wait_by_code"),
    path("stable-link/", taking_over.take_over, name="take_over"),
    path("stable-links/<str:code>/", taking_over.open_link, name="open_link"),
    path("waiting/<int:waiting_id>/", taking_over.waiting_place, name="waiting_place"),
    path("waiting/<int:waiting_id>/leave", taking_over.leave_list, name="leave_list"),
    path(SEASON + "found", joining.found_stable, name="found_stable"),
    path(SEASON + "publish", decisions.publish_season, name="publish_season"),
    path(SEASON + "copy", drafts.copy_season, name="copy_season"),
    path(SEASON + "rename", drafts.rename_season, name="rename_season"),
    path(SEASON + "class", drafts.change_class, name="change_class"),
    path(SEASON + "wait", taking_over.wait, name="wait"),
    path(SEASON + "waiting-list/", stables.waiting_people, name="waiting_list"),
    path(SEASON + "waiting-list/pass-over", stables.pass_over, name="pass_over"),
    path(SEASON + "start", decisions.start_season, name="start_season"),
    path(SEASON + "take-up-collection", opening.take_up_collection, name="take_up_collection"),
    path(SEASON + "make-collection", opening.make_collection, name="make_collection"),
    path(SEASON + "start-cycle", decisions.start_cycle, name="start_cycle"),
    path(SEASON + "put-market-off", decisions.put_market_off, name="put_market_off"),
    path(SEASON + "call-time", decisions.call_time, name="call_time"),
    path(SEASON + "pair-ready", decisions.pair_ready, name="pair_ready"),
    path(SEASON + "pause", decisions.pause, name="pause"),
    path(SEASON + "resume", decisions.resume, name="resume"),
    path(SEASON + "cancel", decisions.cancel, name="cancel"),
    path(SEASON + "invitations/make", decisions.invite, name="invite"),
    path(SEASON + "invitations/revoke", decisions.revoke, name="revoke_invitation"),
    path(SEASON + "roles/give", decisions.give_role, name="give_role"),
    path(SEASON + "roles/take", decisions.take_role, name="take_role"),
    path(SEASON + "found-ai", decisions.found_ai_stable, name="found_ai_stable"),
    path(SEASON + "settings", decisions.change_settings, name="change_settings"),
    path(SEASON + "settings/take-back", decisions.take_settings_back, name="take_settings_back"),
    path(SEASON + "calendar", decisions.change_calendar, name="change_calendar"),
    path(SEASON + "deadline", decisions.move_deadline, name="move_deadline"),
    path(SEASON + "visibility", decisions.change_visibility, name="change_visibility"),
    path(SEASON + "organise/", console.console, name="console"),
    path(SEASON + "close-out/", close_out.close_out_page, name="close_out"),
    path(STABLE + "manage/", stables.manage, name="manage"),
    path(STABLE + "manage/revoke", stables.revoke_link, name="revoke_link"),
    path(STABLE + "ready", readiness.say_ready, name="say_ready"),
    path(STABLE + "ready/crew", readiness.say_ready_with_crew, name="say_ready_with_crew"),
    path(STABLE + "skip", joining.skip_cycle, name="skip_cycle"),
    path(STABLE + "withdraw", joining.withdraw, name="withdraw"),
]
