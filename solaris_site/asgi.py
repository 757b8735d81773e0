"""The ASGI entry point for a production server."""

import os

import django

from web.utf8 import UTF8ASGIHandler

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "solaris_site.settings")

django.setup(set_prefix=False)
application = UTF8ASGIHandler()
