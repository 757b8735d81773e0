from importlib import import_module

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class CatalogueConfig(AppConfig):
    name = "catalogue"
    verbose_name = _("catalogue")

    def ready(self) -> None:
        """Register the notices."""
        import_module("catalogue.text.notices").register()
