from importlib import import_module

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class MatchesConfig(AppConfig):
    name = "matches"
    verbose_name = _("Matches")
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        """Take part in deleting accounts, and say what notices of matches tell."""
        import_module("matches.account_exit")
        import_module("matches.text.notices").register()
