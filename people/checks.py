"""The check of `manage.py check --deploy` on how mails are sent."""

from typing import Any

from django.conf import settings
from django.core.checks import CheckMessage, Tags, Warning, register

from people.services.mails import are_sent

CONSOLE = "django.core.mail.backends.console.EmailBackend"


@register(Tags.security, deploy=True)
def mails_reach_people(**options: Any) -> list[CheckMessage]:
    """Warn where mails reach nobody: they are dropped (people.W001), or printed with their secrets (people.W002)."""
    hint = "Set EMAIL_URL to smtp://, smtp+tls:// or smtp+ssl://; docs/operations.md says how."
    if not are_sent():
        text = "No mail is sent: nobody can confirm an address, choose a forgotten password or get notices by mail."
        return [Warning(text, hint=hint, id="people.W001")]
    if settings.EMAIL_BACKEND == CONSOLE:
        text = "Mails are printed, so the log holds addresses, and links that open accounts."
        return [Warning(text, hint=hint, id="people.W002")]
    return []
