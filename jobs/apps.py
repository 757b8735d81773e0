from django.apps import AppConfig
from django.utils.module_loading import autodiscover_modules
from django.utils.translation import gettext_lazy as _


class JobsConfig(AppConfig):
    name = "jobs"
    verbose_name = _("jobs")

    def ready(self) -> None:
        """Import every app's `jobs`, so that their functions are registered in each process."""
        autodiscover_modules("jobs")
