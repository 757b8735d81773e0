"""The addresses of running a stable, its market, garage and line-ups; included by solaris_site.urls.api (`api:...`).

The address of a thing ends with a slash, the address of an act does not.
"""

from __future__ import annotations

from django.urls import path

from stables.api.stable import (
    advice,
    appointments,
    baskets,
    coming,
    founding,
    garage,
    line_ups,
    market,
    places,
    readiness,
    reports,
    saved_line_ups,
    seats,
    stand_ins,
)

SEASON = "seasons/<slug:season_slug>/"
STABLE = SEASON + "stables/<slug:stable_slug>/"
FIXTURE = SEASON + "fixtures/<int:fixture_id>/"

urlpatterns = [
    path("join/", founding.Join.as_view(), name="join"),
    path("stable-link", places.TakeOver.as_view(), name="take_over"),
    path("waiting-place", places.WaitByCode.as_view(), name="wait_by_code"),
    path(SEASON + "waiting-place/", places.OwnPlace.as_view(), name="waiting_place"),
    path(SEASON + "stables/found", founding.Found.as_view(), name="found_stable"),
    path(STABLE + "ready", readiness.Ready.as_view(), name="say_ready"),
    path(STABLE + "ready/crew", readiness.ReadyWithCrew.as_view(), name="say_ready_with_crew"),
    path(STABLE + "coming/", coming.Coming.as_view(), name="stable_coming"),
    path(STABLE + "skip", founding.Skip.as_view(), name="skip_cycle"),
    path(STABLE + "withdraw", founding.Withdraw.as_view(), name="withdraw"),
    path(STABLE + "market/", market.Market.as_view(), name="market"),
    path(STABLE + "market/advice/", advice.MarketAdvice.as_view(), name="market_advice"),
    path(STABLE + "buy", market.Buy.as_view(), name="buy"),
    path(STABLE + "buy-crew", market.BuyCrew.as_view(), name="buy_crew"),
    path(STABLE + "sell", market.Sell.as_view(), name="sell"),
    path(STABLE + "basket/", baskets.BasketItself.as_view(), name="basket"),
    path(STABLE + "basket/advice", baskets.PutAdviceIn.as_view(), name="basket_advice"),
    path(STABLE + "basket/seal", baskets.Seal.as_view(), name="basket_seal"),
    path(STABLE + "basket/unseal", baskets.Unseal.as_view(), name="basket_unseal"),
    path(STABLE + "garage/", garage.Garage.as_view(), name="garage"),
    path(STABLE + "garage/advice/", advice.GarageAdvice.as_view(), name="garage_advice"),
    path(STABLE + "repair", garage.Repair.as_view(), name="repair"),
    path(STABLE + "repair-all", garage.RepairAll.as_view(), name="repair_all"),
    path(STABLE + "repair-order/", garage.RepairOrder.as_view(), name="repair_order"),
    path(STABLE + "assign", garage.Assign.as_view(), name="assign"),
    path(STABLE + "unassign", garage.Unassign.as_view(), name="unassign"),
    path(STABLE + "line-up/", line_ups.LineUpItself.as_view(), name="line_up"),
    path(STABLE + "line-up/nearest", line_ups.NearestLineUp.as_view(), name="line_up_nearest"),
    path(STABLE + "line-up/take-back", line_ups.TakeLineUpBack.as_view(), name="line_up_take_back"),
    path(STABLE + "line-up/decline", line_ups.DeclineLineUp.as_view(), name="line_up_decline"),
    path(STABLE + "saved-line-ups/", saved_line_ups.SavedLineUps.as_view(), name="saved_line_ups"),
    path(
        STABLE + "saved-line-ups/<slug:weight_class>/<slug:format_name>/",
        saved_line_ups.SavedLineUpItself.as_view(),
        name="saved_line_up",
    ),
    path(STABLE + "hand-overs/", seats.HandOvers.as_view(), name="hand_overs"),
    path(STABLE + "hand-overs/<int:hand_over_id>/take-back", seats.TakeBack.as_view(), name="take_back"),
    path(STABLE + "stand-ins/", stand_ins.StandIns.as_view(), name="stand_ins"),
    path(STABLE + "stand-ins/<int:stand_in_id>/end", stand_ins.EndStandIn.as_view(), name="end_stand_in"),
    path(STABLE + "programs", seats.ProposeProgram.as_view(), name="propose_program"),
    path(STABLE + "programs/<int:seat_id>/answer", seats.AnswerProgram.as_view(), name="answer_program"),
    path(SEASON + "programs/", seats.Programs.as_view(), name="programs"),
    path(FIXTURE + "reports/", reports.Reports.as_view(), name="reports"),
    path(FIXTURE + "reports/confirm", reports.ConfirmReport.as_view(), name="confirm_report"),
    path(FIXTURE + "reports/reopen", reports.ReopenResult.as_view(), name="reopen_result"),
    path(FIXTURE + "appointments/", appointments.Appointments.as_view(), name="appointments"),
    path(
        FIXTURE + "appointments/<int:proposal_id>/answer",
        appointments.AnswerProposal.as_view(),
        name="answer_proposal",
    ),
    path(FIXTURE + "no-show/", appointments.NoShow.as_view(), name="no_show"),
    path(FIXTURE + "no-show/answer", appointments.AnswerNoShow.as_view(), name="answer_no_show"),
]
