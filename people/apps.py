from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class PeopleConfig(AppConfig):
    name = "people"
    verbose_name = _("people")

    def ready(self) -> None:
        """Listen to log-ins, log-outs and changes of accounts, register checks, and what accounts keep."""
        from people import checks, kept  # noqa: F401, PLC0415 - models must be there
        from people.services import account_changes, log_ins, pushes  # noqa: F401, PLC0415
