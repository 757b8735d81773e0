from importlib import import_module

from django.apps import AppConfig


class HelpConfig(AppConfig):
    """An app for its template tags: `{% load help %}`."""

    name = "help"

    def ready(self) -> None:
        """Register the check of the operator's own pages."""
        import_module("help.checks")
