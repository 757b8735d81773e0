"""The addresses of the companion at a real table; included by stables.urls (`stables:...`)."""

from __future__ import annotations

from django.urls import path

from stables.views import table

TABLE = "seasons/<slug:season_slug>/fixtures/<int:fixture_id>/table/"
urlpatterns = [
    path(TABLE, table.show, name="table"),
    path(TABLE + "mark", table.mark, name="table_mark"),
    path(TABLE + "marks", table.marks, name="table_marks"),
    path(TABLE + "guest", table.guest, name="table_guest"),
    path(TABLE + "confirm", table.confirm, name="table_confirm"),
    path("table-worker.js", table.worker, name="table_worker"),
]
