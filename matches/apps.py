from importlib import import_module

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class MatchesConfig(AppConfig):
    name = "matches"
    verbose_name = _("Matches")
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        """Register what happens to matches when an account is deleted, their notices, and when a turn is played."""
        import_module("matches.account_exit")
        import_module("matches.kept")
        import_module("matches.text.notices").register()
        import_module("matches.selectors.turns").register()
