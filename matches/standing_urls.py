"""Addresses beside a match in play: standing answers, coming back, rivals away, free seats, giving it to the AI."""

from __future__ import annotations

from django.urls import URLPattern, path

from matches import finishing, open_seats, standing_views

urlpatterns: list[URLPattern] = [
    path("<uuid:public_id>/finish/", finishing.finish, name="finish"),
    path("<uuid:public_id>/take-seat/", open_seats.take_seat, name="take_seat"),
    path("<uuid:public_id>/close-seat/", open_seats.close_seat, name="close_seat"),
    path("<uuid:public_id>/standing/", standing_views.show, name="standing"),
    path("<uuid:public_id>/come-back/", standing_views.come_back, name="come_back"),
    path("<uuid:public_id>/rival-away/", standing_views.rival_away, name="rival_away"),
]
