"""Turns at the tables."""

from __future__ import annotations

from django.urls import URLPattern, path

from challenge.views import table, table_end, table_falls, table_initiative
from challenge.views.arena import beside

urlpatterns: list[URLPattern] = [
    path("tables/<str:table>/", table.table, name="table"),
    path("tables/<str:table>/feat/", table.enter_feat, name="table_feat"),
    path("tables/<str:table>/undo/", table.undo, name="table_undo"),
    path("tables/<str:table>/claims/", table.answer_claims, name="table_claims"),
    path("tables/<str:table>/beside/", beside.beside, name="table_beside"),
    path("tables/<str:table>/fall/", table_falls.fall, name="table_fall"),
    path("tables/<str:table>/end/", table_end.end_turn, name="table_end"),
    path("tables/<str:table>/initiative/", table_initiative.initiative, name="table_initiative"),
    path("tables/<str:table>/enter/", table_initiative.enter_arena, name="table_enter"),
    path("tables/<str:table>/draw/", table_initiative.draw, name="table_draw"),
    path("tables/<str:table>/order/", table_initiative.type_order, name="table_order"),
]
