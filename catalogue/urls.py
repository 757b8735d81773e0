"""Addresses under /catalogue/."""

from django.urls import path

from catalogue import editor, exchange, sheets, views

app_name = "catalogue"
urlpatterns = [
    path("", views.index, name="index"),
    path("check/", exchange.check, name="check"),
    path("editor/", editor.edit, name="editor"),
    path("sheets/", sheets.sheets, name="sheets"),
    path("shelf/", exchange.shelf, name="shelf"),
    path("export.json", exchange.export, {"form": "json"}, name="export_json"),
    path("export.csv", exchange.export, {"form": "csv"}, name="export_csv"),
    path("collections/", exchange.shelves, name="collections"),
    path("collections/<slug:slug>/", exchange.collection, name="collection"),
    path("imports/<uuid:public_id>/", exchange.preview, name="import"),
    path("units/<slug:key>/", views.unit, name="unit"),
    path("arenas/<slug:key>/", views.arena, name="arena"),
    *(
        path(f"{views.ADDRESSES[kind]}/", views.cards, {"kind": kind}, name=kind)
        for kind in ("pilots", "gear", "rally_cards", "target_tokens", "arenas")
    ),
    *(
        path(f"{views.ADDRESSES[kind]}/<slug:key>/", views.card, {"kind": kind}, name=f"{kind}_page")
        for kind in ("pilots", "gear", "rally_cards", "target_tokens")
    ),
]
