"""The Celery application. The queue only wakes workers; the database decides who does what."""

import os

from celery import Celery

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "solaris_site.settings")

app = Celery("solaris_site")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()
