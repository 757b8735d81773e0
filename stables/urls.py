"""The addresses of the season: pages to look at, and what people may ask of it."""

from django.urls import include, path

from stables import views

app_name = "stables"
SEASON = "seasons/<slug:season_slug>/"
STABLE = SEASON + "stables/<slug:stable_slug>/"
urlpatterns = [
    path("", include("stables.page_urls")),
    path("open-a-season/", views.open_season, name="open_season"),
    path(SEASON + "found", views.found_stable, name="found_stable"),
    path(SEASON + "start", views.start_season, name="start_season"),
    path(SEASON + "take-up-collection", views.take_up_collection, name="take_up_collection"),
    path(SEASON + "make-collection", views.make_collection, name="make_collection"),
    path(SEASON + "start-cycle", views.start_cycle, name="start_cycle"),
    path(SEASON + "call-time", views.call_time, name="call_time"),
    path(STABLE + "buy", views.buy, name="buy"),
    path(STABLE + "sell", views.sell, name="sell"),
    path(STABLE + "repair", views.repair, name="repair"),
    path(STABLE + "repair-order", views.order_repairs, name="repair_order"),
    path(STABLE + "line-up", views.hand_in_line_up, name="line_up"),
]
