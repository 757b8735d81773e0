"""Make the key with which the site signs messages to browsers."""

from typing import Any

from django.core.management.base import BaseCommand

from webhooks.web_push import new_private_key


class Command(BaseCommand):
    help = "Print a new key for VAPID_PRIVATE_KEY. With another key every browser must be switched on again."
    requires_system_checks: list[str] = []

    def handle(self, *arguments: Any, **options: Any) -> None:
        """Print the key alone on a line; nothing of it is stored."""
        self.stdout.write(new_private_key())
