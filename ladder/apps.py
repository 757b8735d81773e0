from importlib import import_module

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class LadderConfig(AppConfig):
    name = "ladder"
    verbose_name = _("ladder")
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        """Listen to the ends and corrections of matches, and take part in the deletion of accounts."""
        import_module("ladder.account_exit")
        import_module("ladder.kept")
        import_module("ladder.receivers")
