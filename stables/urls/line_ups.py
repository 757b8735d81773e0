"""The addresses of line-ups; included by stables.urls, so the names are `stables:...`."""

from django.urls import path

from stables.views.stable import line_ups

STABLE = "seasons/<slug:season_slug>/stables/<slug:stable_slug>/"
urlpatterns = [
    path(STABLE + "line-ups/", line_ups.line_ups_page, name="line_ups"),
    path(STABLE + "line-up", line_ups.hand_in_line_up, name="line_up"),
    path(STABLE + "line-up/forfeit", line_ups.forfeit_match, name="line_up_forfeit"),
    path(STABLE + "line-up/take-back", line_ups.take_line_up_back, name="line_up_take_back"),
    path(STABLE + "line-up/save", line_ups.save_line_up, name="line_up_save"),
    path(STABLE + "line-up/delete", line_ups.delete_line_up, name="line_up_delete"),
]
