from django.apps import AppConfig


class HelpConfig(AppConfig):
    """An app for its template tags: `{% load help %}`."""

    name = "help"
