"""The outermost room: settings, addresses and the processes that serve the site."""

from solaris_site.celery import app as celery_app

__all__ = ["celery_app"]
