from importlib import import_module

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class StablesConfig(AppConfig):
    name = "stables"
    verbose_name = _("stables")

    def ready(self) -> None:
        """Listens to the end of matches; answers the catalogue for records and hidden seasons, and who may watch."""
        import_module("stables.corrected_results")
        import_module("stables.leaving")
        import_module("stables.matches_host.surroundings")
        import_module("stables.receivers")
        import_module("stables.records")
        import_module("stables.visibility")
        import_module("stables.watching")
        import_module("stables.match_time")
