"""The addresses of the catalogue; included by solaris_site.urls.api (`api:...`)."""

from __future__ import annotations

from django.urls import URLPattern, path

from catalogue.api import collections, imports, releases, shelf

RELEASE = "catalogue/releases/<slug:content_hash>/"
CALLED = {
    "pilots": ("pilots", "A pilot", releases.PilotsQuery),
    "gear": ("gear cards", "A gear card", releases.CardsQuery),
    "rally_cards": ("rally cards", "A rally card", releases.CardsQuery),
    "target_tokens": ("target tokens", "A target token", releases.CardsQuery),
    "arenas": ("arenas", "An arena", releases.CardsQuery),
}
"""Kind -> its name in the plural, a phrase with its name in the singular, and the query of its list."""


def _of(kind: str) -> list[URLPattern]:
    many, one, form = CALLED[kind]
    return [
        path(f"{RELEASE}{kind}/", releases.list_of(kind, many, form).as_view(), name=f"catalogue_{kind}"),
        path(f"{RELEASE}{kind}/<slug:key>/", releases.entry_of(kind, one).as_view(), name=f"catalogue_{kind}_entry"),
    ]


urlpatterns: list[URLPattern] = [
    path("catalogue/releases/", releases.Releases.as_view(), name="catalogue_releases"),
    path(RELEASE, releases.ReleaseItself.as_view(), name="catalogue_release"),
    path(f"{RELEASE}file/", releases.ReleaseFile.as_view(), name="catalogue_file"),
    path(f"{RELEASE}units/", releases.Units.as_view(), name="catalogue_units"),
    path(
        f"{RELEASE}units/<slug:key>/",
        releases.entry_of("units", "A unit").as_view(),
        name="catalogue_units_entry",
    ),
    *(pattern for kind in CALLED for pattern in _of(kind)),
    path("catalogue/schemas/", releases.Schemas.as_view(), name="catalogue_schemas"),
    path("catalogue/schemas/<slug:name>/", releases.SchemaItself.as_view(), name="catalogue_schema"),
    path("catalogue/collections/", collections.Collections.as_view(), name="catalogue_collections"),
    path(
        "catalogue/collections/<slug:slug>/",
        collections.CollectionItself.as_view(),
        name="catalogue_collection",
    ),
    path(
        "catalogue/collections/<slug:slug>/imports/",
        imports.CollectionImports.as_view(),
        name="catalogue_collection_imports",
    ),
    path(
        "catalogue/collections/<slug:slug>/sheets/",
        imports.CollectionSheets.as_view(),
        name="catalogue_collection_sheets",
    ),
    path("catalogue/shelf/checklist/", shelf.Checklists.as_view(), name="catalogue_checklist"),
    path("catalogue/imports/", imports.Imports.as_view(), name="catalogue_imports"),
    path("catalogue/imports/<uuid:public_id>/", imports.ImportItself.as_view(), name="catalogue_import"),
    path(
        "catalogue/imports/<uuid:public_id>/changes/",
        imports.ImportChanges.as_view(),
        name="catalogue_import_changes",
    ),
    path(
        "catalogue/imports/<uuid:public_id>/confirm/",
        imports.ImportConfirm.as_view(),
        name="catalogue_import_confirm",
    ),
]
