"""The addresses of the season: pages to look at, and what people may ask of it."""

from django.urls import include, path

from stables.views import jobs, line_ups

app_name = "stables"
SEASON = "seasons/<slug:season_slug>/"
STABLE = SEASON + "stables/<slug:stable_slug>/"
urlpatterns = [
    path("", include("stables.page_urls")),
    path("", include("stables.market_urls")),
    path("", include("stables.season_urls")),
    path("", include("stables.title_urls")),
    path("", include("stables.fixture_urls")),
    path("", include("stables.result_urls")),
    path(SEASON + "jobs/<int:job_id>/restart", jobs.restart_job, name="restart_job"),
    path(STABLE + "line-up", line_ups.hand_in_line_up, name="line_up"),
    path(STABLE + "line-up/forfeit", line_ups.forfeit_match, name="line_up_forfeit"),
    path(STABLE + "line-up/save", line_ups.save_line_up, name="line_up_save"),
    path(STABLE + "line-up/delete", line_ups.delete_line_up, name="line_up_delete"),
]
