"""Every address of the site. The season's pages own the root."""

from django.contrib import admin
from django.urls import include, path

from solaris_site.views import health

handler500 = "solaris_site.views.server_error"

urlpatterns = [
    path("healthz", health, name="health"),
    path("admin/", admin.site.urls),
    path("i18n/", include("django.conf.urls.i18n")),
    path("people/", include("people.urls")),
    path("catalogue/", include("catalogue.urls")),
    path("matches/", include("matches.urls")),
    path("", include("stables.urls")),
]
