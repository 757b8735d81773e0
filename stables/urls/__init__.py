"""The addresses of seasons and stables: pages to look at, and forms to send."""

from django.urls import include, path

from stables.views.organising import decisions

app_name = "stables"
SEASON = "seasons/<slug:season_slug>/"
urlpatterns = [
    path("", include("stables.urls.pages")),
    path("", include("stables.urls.market")),
    path("", include("stables.urls.line_ups")),
    path("", include("stables.urls.season")),
    path("", include("stables.urls.titles")),
    path("", include("stables.urls.fixtures")),
    path("", include("stables.urls.calendars")),
    path("", include("stables.urls.results")),
    path("", include("stables.urls.tabletop")),
    path("", include("stables.urls.solo")),
    path("", include("stables.urls.charts")),
    path("", include("stables.urls.printing")),
    path("", include("stables.urls.webhooks")),
    path(SEASON + "jobs/<int:job_id>/restart", decisions.restart_job, name="restart_job"),
]
