"""The addresses of the help below /help/ (`help:...`)."""

from __future__ import annotations

from django.urls import URLPattern, path

from help import views

app_name = "help"
urlpatterns: list[URLPattern] = [
    path("", views.index, name="index"),
    path("rules/", views.rules, name="rules"),
    path("rules/challenge/", views.challenge_rules, name="challenge_rules"),
    path("rulings/challenge/", views.challenge_rulings, name="challenge_rulings"),
    path("first-evening/", views.first_evening, name="first_evening"),
    path("rules/<slug:group>/", views.rules_group, name="rules_group"),
    path("rulings/", views.rulings, name="rulings"),
    path("decisions/", views.decisions, name="decisions"),
    path("glossary/", views.glossary, name="glossary"),
    path("equipment/", views.equipment, name="equipment"),
    path("heat/", views.heat, name="heat"),
    path("formats/", views.formats, name="formats"),
    path("cards/", views.cards, name="cards"),
    path("who-sees-what/", views.who_sees_what, name="who_sees_what"),
    path("imprint/", views.operator_page, {"name": "imprint"}, name="imprint"),
    path("privacy/", views.operator_page, {"name": "privacy"}, name="privacy"),
    path("contact/", views.operator_page, {"name": "contact"}, name="contact"),
]
