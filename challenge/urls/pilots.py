"""Pilots' own pages, the off-board cycle, what phones claim."""

from __future__ import annotations

from django.urls import URLPattern, path

from challenge.views import claims, cycle, pilot

urlpatterns: list[URLPattern] = [
    path("off-board/", cycle.off_board, name="off_board"),
    path("pilots/<str:pilot>/", pilot.pilot, name="pilot"),
    path("pilots/<str:pilot>/cycle/", cycle.cycle, name="cycle"),
    path("pilots/<str:pilot>/plan/", cycle.plan, name="plan"),
    path("pilots/<str:pilot>/claim/", claims.claim, name="claim"),
    path("claims/", claims.answer, name="answer_claims"),
]
