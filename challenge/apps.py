from importlib import import_module

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class ChallengeConfig(AppConfig):
    name = "challenge"
    verbose_name = _("Solaris Melee Challenge")
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        """Register notices, the exit of accounts, what is kept about people, and copies when turns close."""
        import_module("challenge.account_exit")
        import_module("challenge.kept")
        import_module("challenge.receivers")
        import_module("challenge.text.notices").register()
