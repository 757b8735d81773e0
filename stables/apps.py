from importlib import import_module

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class StablesConfig(AppConfig):
    name = "stables"
    verbose_name = _("stables")

    def ready(self) -> None:
        """Listens to the end of matches; answers the catalogue for records and hidden seasons, and who may watch."""
        import_module("stables.matches_host.corrections")
        import_module("stables.account_exit")
        import_module("stables.matches_host.surroundings")
        import_module("stables.matches_host.receivers")
        import_module("stables.selectors.records")
        import_module("stables.selectors.access")
        import_module("stables.matches_host.rights")
        import_module("stables.selectors.pauses")
