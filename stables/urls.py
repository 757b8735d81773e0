"""The addresses of the season: pages to look at, and what people may ask of it."""

from django.urls import include, path

from stables.views import jobs, line_ups, market, season

app_name = "stables"
SEASON = "seasons/<slug:season_slug>/"
STABLE = SEASON + "stables/<slug:stable_slug>/"
urlpatterns = [
    path("", include("stables.page_urls")),
    path("open-a-season/", season.open_season, name="open_season"),
    path(SEASON + "found", season.found_stable, name="found_stable"),
    path(SEASON + "start", season.start_season, name="start_season"),
    path(SEASON + "take-up-collection", season.take_up_collection, name="take_up_collection"),
    path(SEASON + "make-collection", season.make_collection, name="make_collection"),
    path(SEASON + "start-cycle", season.start_cycle, name="start_cycle"),
    path(SEASON + "call-time", season.call_time, name="call_time"),
    path(SEASON + "jobs/<int:job_id>/restart", jobs.restart_job, name="restart_job"),
    path(STABLE + "buy", market.buy, name="buy"),
    path(STABLE + "sell", market.sell, name="sell"),
    path(STABLE + "repair", market.repair, name="repair"),
    path(STABLE + "repair-order", market.order_repairs, name="repair_order"),
    path(STABLE + "line-up", line_ups.hand_in_line_up, name="line_up"),
]
