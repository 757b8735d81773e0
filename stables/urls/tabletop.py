"""The addresses of the companion at a real table; included by stables.urls, so the names are `stables:...`."""

from __future__ import annotations

from django.urls import path

from stables.views.fixtures import table_pins, tabletop

TABLE = "seasons/<slug:season_slug>/fixtures/<int:fixture_id>/table/"
urlpatterns = [
    path(TABLE, tabletop.show, name="table"),
    path(TABLE + "mark", tabletop.mark, name="table_mark"),
    path(TABLE + "marks", tabletop.marks, name="table_marks"),
    path(TABLE + "guest", tabletop.guest, name="table_guest"),
    path(TABLE + "confirm", tabletop.confirm, name="table_confirm"),
    path(TABLE + "pin", table_pins.pins, name="table_pins"),
    path("table-worker.js", tabletop.worker, name="table_worker"),
]
