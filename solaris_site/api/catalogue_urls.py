"""The addresses of the catalogue; included by solaris_site.api.urls (`api:...`)."""

from __future__ import annotations

from django.urls import URLPattern, path

from solaris_site.api import catalogue, catalogue_collections, catalogue_imports

RELEASE = "catalogue/releases/<slug:content_hash>/"
CALLED = {
    "pilots": ("pilots", "A pilot", catalogue.PilotsQuery),
    "gear": ("gear cards", "A gear card", catalogue.CardsQuery),
    "rally_cards": ("rally cards", "A rally card", catalogue.CardsQuery),
    "target_tokens": ("target tokens", "A target token", catalogue.CardsQuery),
    "arenas": ("arenas", "An arena", catalogue.CardsQuery),
}
"""Kind -> what many and one of it are called, and what its list is asked by."""


def _of(kind: str) -> list[URLPattern]:
    many, one, form = CALLED[kind]
    return [
        path(f"{RELEASE}{kind}/", catalogue.list_of(kind, many, form).as_view(), name=f"catalogue_{kind}"),
        path(f"{RELEASE}{kind}/<slug:key>/", catalogue.entry_of(kind, one).as_view(), name=f"catalogue_{kind}_entry"),
    ]


urlpatterns: list[URLPattern] = [
    path("catalogue/releases/", catalogue.Releases.as_view(), name="catalogue_releases"),
    path(RELEASE, catalogue.ReleaseItself.as_view(), name="catalogue_release"),
    path(f"{RELEASE}file/", catalogue.ReleaseFile.as_view(), name="catalogue_file"),
    path(f"{RELEASE}units/", catalogue.Units.as_view(), name="catalogue_units"),
    path(
        f"{RELEASE}units/<slug:key>/",
        catalogue.entry_of("units", "A unit").as_view(),
        name="catalogue_units_entry",
    ),
    *(pattern for kind in CALLED for pattern in _of(kind)),
    path("catalogue/schemas/", catalogue.Schemas.as_view(), name="catalogue_schemas"),
    path("catalogue/schemas/<slug:name>/", catalogue.SchemaItself.as_view(), name="catalogue_schema"),
    path("catalogue/collections/", catalogue_collections.Collections.as_view(), name="catalogue_collections"),
    path(
        "catalogue/collections/<slug:slug>/",
        catalogue_collections.CollectionItself.as_view(),
        name="catalogue_collection",
    ),
    path(
        "catalogue/collections/<slug:slug>/imports/",
        catalogue_imports.CollectionImports.as_view(),
        name="catalogue_collection_imports",
    ),
    path(
        "catalogue/collections/<slug:slug>/sheets/",
        catalogue_imports.CollectionSheets.as_view(),
        name="catalogue_collection_sheets",
    ),
    path("catalogue/imports/", catalogue_imports.Imports.as_view(), name="catalogue_imports"),
    path("catalogue/imports/<uuid:public_id>/", catalogue_imports.ImportItself.as_view(), name="catalogue_import"),
    path(
        "catalogue/imports/<uuid:public_id>/changes/",
        catalogue_imports.ImportChanges.as_view(),
        name="catalogue_import_changes",
    ),
    path(
        "catalogue/imports/<uuid:public_id>/confirm/",
        catalogue_imports.ImportConfirm.as_view(),
        name="catalogue_import_confirm",
    ),
]
