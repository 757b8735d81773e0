"""The addresses of the season: pages to look at, and what people may ask of it."""

from django.urls import include, path

from stables.views import organising

app_name = "stables"
SEASON = "seasons/<slug:season_slug>/"
urlpatterns = [
    path("", include("stables.page_urls")),
    path("", include("stables.market_urls")),
    path("", include("stables.line_up_urls")),
    path("", include("stables.season_urls")),
    path("", include("stables.title_urls")),
    path("", include("stables.fixture_urls")),
    path("", include("stables.calendar_urls")),
    path("", include("stables.result_urls")),
    path("", include("stables.table_urls")),
    path("", include("stables.solo_urls")),
    path("", include("stables.picture_urls")),
    path("", include("stables.print_urls")),
    path("", include("stables.webhook_urls")),
    path(SEASON + "jobs/<int:job_id>/restart", organising.restart_job, name="restart_job"),
]
