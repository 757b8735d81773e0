"""Every address of the site. The season's pages own the root."""

from importlib.util import find_spec

from django.contrib import admin
from django.urls import include, path

from solaris_site.views import health

urlpatterns = [
    path("healthz", health, name="health"),
    path("admin/", admin.site.urls),
    path("i18n/", include("django.conf.urls.i18n")),
    path("people/", include("people.urls")),
]
for prefix, room in (("catalogue/", "catalogue.urls"), ("matches/", "matches.urls"), ("", "stables.urls")):
    try:
        if find_spec(room):
            urlpatterns.append(path(prefix, include(room)))
    except ModuleNotFoundError as missing:
        if not str(missing.name).startswith("rules."):
            raise
