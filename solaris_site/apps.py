from importlib import import_module

from django.apps import AppConfig


class SolarisSiteConfig(AppConfig):
    """The app of the commands that know every process of the site; it has no models."""

    name = "solaris_site"

    def ready(self) -> None:
        """Register the check of the operator's own pages."""
        import_module("solaris_site.checks")
