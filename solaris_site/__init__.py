"""The outermost room: settings, urls and the processes that serve the site."""

from solaris_site.celery import app as celery_app

__all__ = ["celery_app"]
