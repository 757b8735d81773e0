"""The log with its corrections, gifts, the end of a day, the final."""

from __future__ import annotations

from django.urls import path

from challenge.views import corrections, days, gifts, log

urlpatterns = [
    path("log/", log.log, name="log"),
    path("log/undo/", log.undo, name="undo"),
    path("log/<int:number>/", corrections.correct, name="correct"),
    path("log/<int:number>/add/", corrections.add, name="add"),
    path("give/", gifts.give, name="give"),
    path("day/", days.day, name="day"),
    path("day/end/", days.end_day, name="end_day"),
    path("day/final/", days.final, name="final"),
    path("day/close/", days.close, name="close"),
]
