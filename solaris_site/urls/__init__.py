"""Every address of the site. The season's pages own the root."""

from django.contrib import admin
from django.urls import include, path

from people.views import languages
from solaris_site import installing, metrics
from solaris_site.views import health, ready

handler400 = "solaris_site.views.bad_request"
handler500 = "solaris_site.views.server_error"

urlpatterns = [
    path("healthz", health, name="health"),
    path("readyz", ready, name="ready"),
    path("metrics", metrics.show, name="metrics"),
    path("manifest.webmanifest", installing.manifest, name="manifest"),
    path("push-worker.js", installing.push_worker, name="push_worker"),
    path("api/", include("solaris_site.urls.api")),
    path("api/", include("api.document_urls")),
    path("admin/", admin.site.urls),
    path("i18n/setlang/", languages.set_language, name="set_language"),
    path("people/", include("people.urls")),
    path("help/", include("help.urls")),
    path("catalogue/", include("catalogue.urls")),
    path("matches/", include("matches.urls")),
    path("puzzle/", include("matches.urls.puzzles")),
    path("ladder/", include("ladder.urls")),
    path("challenge/", include("challenge.urls")),
    path("", include("stables.urls")),
]
