from importlib import import_module

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class StablesConfig(AppConfig):
    name = "stables"
    verbose_name = _("stables")

    def ready(self) -> None:
        """Listens to the end of matches, and answers the catalogue's question for records."""
        import_module("stables.receivers")
        import_module("stables.records")
