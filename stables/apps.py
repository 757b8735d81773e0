from importlib import import_module

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class StablesConfig(AppConfig):
    name = "stables"
    verbose_name = _("stables")

    def ready(self) -> None:
        """Register the answers to lower rooms, notices, settings, titles, receivers, and the exit of accounts."""
        import_module("stables.account_exit")
        import_module("stables.kept.kinds")
        import_module("stables.matches_host.receivers")
        import_module("stables.receivers")
        import_module("stables.matches_host.host").register()
        import_module("stables.text.notices").register()
        import_module("stables.presenters.season_rules").register()
        import_module("stables.services.standings.titles").register()
        import_module("stables.selectors.notices.acts").register()
