"""The addresses of the endpoints of matches; included by solaris_site.urls.api (`api:...`)."""

from __future__ import annotations

from django.urls import URLPattern, path

from matches.api import advice, forecasts, matches, playing, watching

MATCH = "matches/<uuid:public_id>/"
urlpatterns: list[URLPattern] = [
    path("matches/", matches.Matches.as_view(), name="matches"),
    path(MATCH, matches.MatchItself.as_view(), name="match"),
    path(f"{MATCH}seat/", matches.Seat.as_view(), name="match_seat"),
    path(f"{MATCH}seat/ai/", matches.SeatForTheAI.as_view(), name="match_seat_ai"),
    path(f"{MATCH}finish/", matches.Finish.as_view(), name="match_finish"),
    path(f"{MATCH}come-back/", matches.ComeBack.as_view(), name="match_come_back"),
    path(f"{MATCH}rival-away/", matches.RivalAway.as_view(), name="match_rival_away"),
    path(f"{MATCH}decision/", playing.OpenDecision.as_view(), name="match_decision"),
    path(f"{MATCH}legal-actions/", playing.LegalActions.as_view(), name="match_legal_actions"),
    path(f"{MATCH}actions/", playing.Actions.as_view(), name="match_actions"),
    path(f"{MATCH}actions/check/", playing.CheckedActions.as_view(), name="match_actions_check"),
    path(f"{MATCH}advice/", advice.MatchAdvice.as_view(), name="match_advice"),
    path(f"{MATCH}standing/", playing.PresetAnswers.as_view(), name="match_standing"),
    path(f"{MATCH}observation/", watching.Observed.as_view(), name="match_observation"),
    path(f"{MATCH}events/", watching.Events.as_view(), name="match_events"),
    path(f"{MATCH}forecasts/", forecasts.Forecasts.as_view(), name="match_forecasts"),
    path(f"{MATCH}live/", watching.Live.as_view(), name="match_live"),
    path(f"{MATCH}replay/", watching.Replay.as_view(), name="match_replay"),
    path(f"{MATCH}verify/", watching.Verify.as_view(), name="match_verify"),
]
