from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class StablesConfig(AppConfig):
    name = "stables"
    verbose_name = _("stables")
