"""Addresses under /catalogue/."""

from django.urls import path

from catalogue.views import browsing, dial, editor, imports, miniatures, sheets, shelf

app_name = "catalogue"
urlpatterns = [
    path("", browsing.index, name="index"),
    path("check/", imports.check, name="check"),
    path("editor/", editor.edit, name="editor"),
    path("editor/dial/", dial.type_dial, name="dial"),
    path("sheets/", sheets.sheets, name="sheets"),
    path("true-size/tokens/", sheets.token_sheet, name="token_sheet"),
    path("shelf/", imports.owned_miniatures, name="shelf"),
    path("shelf/checklist/", shelf.checklist, name="checklist"),
    path("miniatures/", miniatures.miniatures, name="miniatures"),
    path("miniatures/<slug:key>.jpg", miniatures.photo, name="miniature_photo"),
    path("miniatures/<slug:key>/remove", miniatures.remove, name="remove_miniature"),
    path("export.json", imports.export, {"form": "json"}, name="export_json"),
    path("export.csv", imports.export, {"form": "csv"}, name="export_csv"),
    path("mappings/<slug:mapping>.json", imports.mapping_file, name="mapping"),
    path("collections/", imports.collection_list, name="collections"),
    path("collections/<slug:slug>/", imports.collection, name="collection"),
    path("imports/<uuid:public_id>/", imports.preview, name="import"),
    path("units/<slug:key>/", browsing.unit, name="unit"),
    path("units/<slug:key>/picture.png", browsing.unit_picture, name="unit_picture"),
    path("arenas/<slug:key>/", browsing.arena, name="arena"),
    path("arenas/<slug:key>/true-size/", sheets.arena_tiles, name="arena_tiles"),
    *(
        path(f"{browsing.ADDRESSES[kind]}/", browsing.cards, {"kind": kind}, name=kind)
        for kind in ("pilots", "gear", "rally_cards", "target_tokens", "arenas")
    ),
    *(
        path(f"{browsing.ADDRESSES[kind]}/<slug:key>/", browsing.card, {"kind": kind}, name=f"{kind}_page")
        for kind in ("pilots", "gear", "rally_cards", "target_tokens")
    ),
]
