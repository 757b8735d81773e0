"""The Celery application. The queue only notifies workers; the database decides who does what."""

import os
from typing import Any

from celery import Celery
from celery.signals import setup_logging

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "solaris_site.settings")

app = Celery("solaris_site")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()


@setup_logging.connect
def keep_the_log(**details: Any) -> None:
    """Do nothing. Because this receiver exists, Celery sets up no log of its own and writes to the site's log."""
