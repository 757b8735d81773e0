"""The addresses around a match in play: standing answers, coming back, absent rivals, free seats, finishing by AI.

matches.urls includes them (`matches:...`).
"""

from __future__ import annotations

from django.urls import URLPattern, path

from matches.views import finishing, open_seats, preset_answers

urlpatterns: list[URLPattern] = [
    path("<uuid:public_id>/finish/", finishing.finish, name="finish"),
    path("<uuid:public_id>/take-seat/", open_seats.take_seat, name="take_seat"),
    path("<uuid:public_id>/close-seat/", open_seats.close_seat, name="close_seat"),
    path("<uuid:public_id>/standing/", preset_answers.show, name="standing"),
    path("<uuid:public_id>/come-back/", preset_answers.come_back, name="come_back"),
    path("<uuid:public_id>/rival-away/", preset_answers.rival_away, name="rival_away"),
]
