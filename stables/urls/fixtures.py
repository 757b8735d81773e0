"""The addresses of fixtures, seats and stand-ins; included by stables.urls, so the names are `stables:...`."""

from django.urls import path

from stables.views.fixtures import fixtures
from stables.views.organising import fixtures as organising
from stables.views.stable import seats, standing_in

SEASON = "seasons/<slug:season_slug>/"
FIXTURE = SEASON + "fixtures/<int:fixture_id>/"
STABLE = SEASON + "stables/<slug:stable_slug>/"
urlpatterns = [
    path(FIXTURE, fixtures.show, name="fixture"),
    path(FIXTURE + "propose", fixtures.propose, name="propose_appointment"),
    path(FIXTURE + "answer-proposal", fixtures.answer_proposal, name="answer_proposal"),
    path(FIXTURE + "claim-no-show", fixtures.claim_no_show, name="claim_no_show"),
    path(FIXTURE + "answer-no-show", fixtures.answer_no_show, name="answer_no_show"),
    path(FIXTURE + "organise/", organising.organise_fixture, name="organise_fixture"),
    path(FIXTURE + "direct", organising.direct, name="direct_fixture"),
    path(FIXTURE + "excuse", organising.excuse, name="excuse_stable"),
    path(FIXTURE + "excuse/withdraw", organising.withdraw_excuse, name="withdraw_excuse"),
    path(FIXTURE + "forfeit", organising.forfeit, name="declare_forfeit"),
    path(FIXTURE + "line-up/reopen", organising.reopen_line_up, name="reopen_line_up"),
    path(FIXTURE + "swap", organising.swap, name="swap_sides"),
    path(SEASON + "programs/", seats.programs, name="programs"),
    path(STABLE + "hand-over/", seats.hand_over, name="hand_over"),
    path(STABLE + "hand-over/<int:hand_over_id>/", seats.hand_over_summary, name="hand_over_summary"),
    path(STABLE + "hand-over/<int:hand_over_id>/take-back", seats.take_back, name="take_back"),
    path(STABLE + "stand-ins/", standing_in.stand_ins, name="stand_ins"),
    path(STABLE + "stand-ins/end", standing_in.end_stand_in, name="end_stand_in"),
    path(STABLE + "propose-program", seats.propose_program, name="propose_program"),
    path(STABLE + "programs/<int:seat_id>", seats.answer_program, name="answer_program"),
]
