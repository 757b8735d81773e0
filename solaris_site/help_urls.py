"""The addresses of the help: rules, rulings, glossary (`help:...`)."""

from __future__ import annotations

from django.urls import URLPattern, path

from solaris_site import help_views

app_name = "help"
urlpatterns: list[URLPattern] = [
    path("", help_views.index, name="index"),
    path("rules/", help_views.rules, name="rules"),
    path("rules/<slug:group>/", help_views.rules_group, name="rules_group"),
    path("rulings/", help_views.rulings, name="rulings"),
    path("decisions/", help_views.decisions, name="decisions"),
    path("glossary/", help_views.glossary, name="glossary"),
    path("equipment/", help_views.equipment, name="equipment"),
    path("heat/", help_views.heat, name="heat"),
    path("formats/", help_views.formats, name="formats"),
    path("cards/", help_views.cards, name="cards"),
    path("who-sees-what/", help_views.who_sees_what, name="who_sees_what"),
]
