"""The endpoints of the catalogue: releases, their definitions by kind, a release as one file, and the published
schemas.

The content of a release never changes, so entity tags are made from its hash. A client that sends a tag that is still
current costs one query, or two for one definition.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from functools import cache
from typing import Any, ClassVar

from django.db.models import Count
from django.forms import IntegerField
from django.http import Http404
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter
from rest_framework.response import Response

from api.description import describes, example
from api.endpoint import Endpoint, Pages, pages_of
from api.fields import Query, StrictBoolean, StrictChoice, StrictInteger, searched
from catalogue.api.rows import (
    DEFINITION_EXAMPLES,
    ENTRIES,
    ENTRY_EXAMPLES,
    HASH,
    ROWS,
    CatalogueFileOutput,
    ReleaseDetailOutput,
    ReleaseOutput,
    SchemaNameOutput,
)
from catalogue.forms.listing import SORTS, CardFilter, UnitFilter
from catalogue.models import CatalogueEntry, CatalogueRelease
from catalogue.selectors.releases import entries, latest_release
from catalogue.services.collections import owned_miniatures
from catalogue.services.files import release_document
from rules.catalogue.publish import SCHEMA_FOLDER
from rules.catalogue.vocabulary import CLASSES, EQUIPMENT_PLACES, KINDS
from rules.core.words import PILOT_KINDS, RANGE_TYPES, RANKS

TOPIC = "Catalogue"
LATEST = "latest"
FOREVER = "public, max-age=31536000, immutable"
ASK_AGAIN = "public, no-cache"
OWN = "private, no-cache"

RELEASE = OpenApiParameter(
    "content_hash",
    {"type": "string", "pattern": f"^([0-9a-f]{{64}}|{LATEST})$"},
    OpenApiParameter.PATH,
    description="The hash of a release, or `latest` for the one that new seasons take.",
)
KEY = OpenApiParameter(
    "key",
    {"type": "string", "pattern": "^[A-Za-z0-9][A-Za-z0-9_-]{0,39}$"},
    OpenApiParameter.PATH,
    description="The id of the definition.",
)
RELEASE_EXAMPLE: dict[str, Any] = {
    "hash": HASH,
    "label": "House statistics",
    "comes_with_the_game": True,
    "is_complete": True,
    "offered_since": "3152-03-01T18:00:00Z",
    "loaded_at": "3152-03-01T18:00:00Z",
}


def _number(name: str, help_text: str = "") -> StrictInteger:
    """Return a number with the bounds of a field of the page's filter."""
    field = UnitFilter.base_fields[name]
    assert isinstance(field, IntegerField)
    least, most = field.min_value, field.max_value
    assert isinstance(least, int)
    assert isinstance(most, int)
    return StrictInteger(min_value=least, max_value=most, required=False, help_text=help_text)


class UnitsQuery(Pages):
    """Which units, and in which order."""

    search = searched("Words from the id, the name or the variant.")
    weight_class = StrictChoice(choices=CLASSES, required=False)
    rank = StrictChoice(choices=RANKS, required=False)
    type = StrictChoice(choices=RANGE_TYPES, required=False, help_text="Range type of either damage value.")
    equipment = StrictChoice(
        choices=sorted(EQUIPMENT_PLACES), required=False, help_text="This special equipment, anywhere on the dial."
    )
    points_min = _number("least")
    points_max = _number("most")
    reach_min = _number("reach", "Least value of the longest range, in hexsides.")
    shelf = StrictBoolean(required=False, help_text="`true`: only units whose miniatures stand on your shelf.")
    sort = StrictChoice(
        choices=list(SORTS), default="class", help_text="A minus reverses the order: the highest comes first."
    )


class CardsQuery(Pages):
    """Which definitions."""

    search = searched("Words from the id or the name.")


class PilotsQuery(CardsQuery):
    """Which pilots."""

    kind = StrictChoice(choices=PILOT_KINDS, required=False)


class ReleaseEndpoint(Endpoint):
    """An endpoint below the address of a release."""

    def release(self, content_hash: str) -> CatalogueRelease:
        """Return the release of the address, a hash or `latest`; one query. Anybody may read any release by its hash,
        as on the pages. Raises Http404.
        """
        if content_hash == LATEST:
            found = latest_release()
        else:
            found = CatalogueRelease.objects.filter(content_hash=content_hash, size__isnull=False).first()
        if found is None:
            raise Http404
        return found

    def lasting(
        self, release: CatalogueRelease, content_hash: str, version: str, answer: Callable[[], Response]
    ) -> Response:
        """Return an answer that depends on the release alone, with an entity tag made of `version`, or 304.

        Shared caches may keep the answer for good when the release was offered to new seasons. At `latest` they ask
        again each time, because it may mean another release at any time.
        """
        given = self.tagged(version, answer)
        kept = FOREVER if content_hash != LATEST else ASK_AGAIN
        given.headers["Cache-Control"] = kept if release.offered_at is not None else OWN
        return given


class Releases(Endpoint):
    """The releases that new seasons may take."""

    @describes(
        "catalogue_releases_list",
        "The releases of the catalogue",
        TOPIC,
        answers=pages_of(ReleaseOutput),
        asks=Pages,
        examples=[example("One release", {"count": 1, "page": 1, "pages": 1, "results": [RELEASE_EXAMPLE]})],
    )
    def get(self, request: Any) -> Response:
        """List the releases that were offered to new seasons, the newest offer first. New seasons take the first
        complete one. Releases of collections are not listed: a season names its release, and the hash opens it.
        """
        asked = self.asked(Pages)
        found = CatalogueRelease.objects.filter(offered_at__isnull=False).order_by("-offered_at", "-pk")
        return self.page_of(found, asked, lambda rows: ReleaseOutput(rows, many=True).data)


class ReleaseItself(ReleaseEndpoint):
    """One release."""

    @describes(
        "catalogue_releases_read",
        "A release, and how much is in it",
        TOPIC,
        answers=ReleaseDetailOutput,
        parameters=[RELEASE],
        tagged=True,
        examples=[example("The release", {**RELEASE_EXAMPLE, "counts": dict.fromkeys(KINDS, 12)})],
    )
    def get(self, request: Any, content_hash: str) -> Response:
        """Return a release with the number of definitions of each kind."""
        release = self.release(content_hash)

        def answer() -> Response:
            own = CatalogueEntry.objects.filter(release=release).order_by().values("kind")
            counted = {row["kind"]: row["number"] for row in own.annotate(number=Count("pk"))}
            counts = {kind: counted.get(kind, 0) for kind in KINDS}
            return Response({**ReleaseOutput(release).data, "counts": counts})

        # The time of the offer may change, and it is part of this answer; the content of the release never changes.
        given = self.tagged(f"{release.content_hash}:{release.offered_at}", answer)
        given.headers["Cache-Control"] = ASK_AGAIN if release.offered_at is not None else OWN
        return given


class ReleaseFile(ReleaseEndpoint):
    """A release as one file."""

    @describes(
        "catalogue_releases_file",
        "A release as one file",
        TOPIC,
        answers=CatalogueFileOutput,
        parameters=[RELEASE],
        tagged=True,
        examples=[
            example(
                "Without its definitions",
                {"schema": 1, **{kind: [] for kind in KINDS}},
            )
        ],
    )
    def get(self, request: Any, content_hash: str) -> Response:
        """Return every definition of the release, in the form that imports read."""
        release = self.release(content_hash)

        def answer() -> Response:
            name = f"solaris-circuit-catalogue-{release.content_hash[:12]}.json"
            disposition = {"Content-Disposition": f'attachment; filename="{name}"'}
            return Response(release_document(release), headers=disposition)

        return self.lasting(release, content_hash, release.content_hash, answer)


class EntryList(ReleaseEndpoint):
    """The definitions of one kind; each kind is a class of its own (`list_of`)."""

    kind: ClassVar[str]

    def listed(self, content_hash: str, form: type[Query], chosen: Callable[[Any, Mapping[str, Any]], Any]) -> Response:
        """Return one page of the entries that `chosen` selects. Three queries, or one when the asker has the page
        already. A filter by the shelf takes one more and gets no entity tag.
        """
        asked = self.asked(form)
        release = self.release(content_hash)

        def answer() -> Response:
            rows = chosen(entries(release, self.kind), asked)
            return self.page_of(rows, asked, lambda found: ROWS[self.kind](found, many=True).data)

        if asked.get("shelf"):
            # The answer depends on the asker's shelf, so the tag of the release does not fit it.
            return answer()
        return self.lasting(release, content_hash, release.content_hash, answer)


class Units(EntryList):
    """The units."""

    kind = "units"

    @describes(
        "catalogue_units_list",
        "The units of a release",
        TOPIC,
        answers=pages_of(ROWS["units"]),
        asks=UnitsQuery,
        parameters=[RELEASE],
        tagged=True,
        examples=[example("One unit", {"count": 1, "page": 1, "pages": 1, "results": [ENTRY_EXAMPLES["units"]]})],
    )
    def get(self, request: Any, content_hash: str) -> Response:
        """List units with the facts of their base and first click, filtered and sorted as on the site's own list. A
        unit's own address has its whole dial; the file of the release has all dials.
        """
        return self.listed(content_hash, UnitsQuery, self._chosen)

    def _chosen(self, units: Any, asked: Mapping[str, Any]) -> Any:
        words = {"search": "q", "weight_class": "unit_class", "points_min": "least", "points_max": "most"}
        words |= {"reach_min": "reach"} | {name: name for name in ("rank", "type", "equipment", "shelf", "sort")}
        form = UnitFilter({own: asked[name] for name, own in words.items() if name in asked}, has_shelf=True)
        form.is_valid()
        return form.select(units, owned_miniatures(self.request.user) if asked.get("shelf") else set())


def list_of(kind: str, called: str, form: type[CardsQuery]) -> type[EntryList]:
    """Return the endpoint that lists one kind other than units. `called` is the name of the kind in the plural, `form`
    describes the query.
    """

    class Listed(EntryList):
        @describes(
            f"catalogue_{kind}_list",
            f"The {called} of a release",
            TOPIC,
            answers=pages_of(ROWS[kind]),
            asks=form,
            parameters=[RELEASE],
            tagged=True,
            examples=[example("One of them", {"count": 1, "page": 1, "pages": 1, "results": [ENTRY_EXAMPLES[kind]]})],
        )
        def get(self, request: Any, content_hash: str) -> Response:
            """List the definitions of this kind in order of id, with the filters of the site's own list. The address of
            a definition has its details.
            """
            return self.listed(content_hash, form, self._chosen)

        def _chosen(self, found: Any, asked: Mapping[str, Any]) -> Any:
            words = {"q": asked.get("search", ""), "kind": asked.get("kind", "")}
            chosen = CardFilter(words, has_kinds=kind == "pilots")
            chosen.is_valid()
            return chosen.select(found)

    Listed.kind = kind
    return Listed


def entry_of(kind: str, called: str) -> type[ReleaseEndpoint]:
    """Return the endpoint of one definition of a kind. `called` is the name of the kind in the singular."""

    class One(ReleaseEndpoint):
        @describes(
            f"catalogue_{kind}_read",
            f"{called}, with its whole definition",
            TOPIC,
            answers=ENTRIES[kind],
            parameters=[RELEASE, KEY],
            tagged=True,
            examples=[
                example(called, {**ENTRY_EXAMPLES[kind], "release": HASH, "definition": DEFINITION_EXAMPLES[kind]})
            ],
        )
        def get(self, request: Any, content_hash: str, key: str) -> Response:
            """Return a definition, in the form of the published schema of its kind. `content_hash` is the hash of the
            definition alone: equal hashes in two releases mean equal definitions.
            """
            release = self.release(content_hash)
            found = CatalogueEntry.objects.filter(release=release, kind=kind, key=key).first()
            if found is None:
                raise Http404
            found.release = release
            return self.lasting(release, content_hash, found.content_hash, lambda: Response(ENTRIES[kind](found).data))

    return One


SCHEMAS: Mapping[str, str] = {
    path.name.partition(".")[0].replace("_", "-"): path.name for path in sorted(SCHEMA_FOLDER.glob("*.json"))
}
"""Name of a published schema -> its file."""


@cache
def schema_named(name: str) -> dict[str, Any]:
    """Return a published schema; its file is read once. `name` is a key of SCHEMAS."""
    found: dict[str, Any] = json.loads((SCHEMA_FOLDER / SCHEMAS[name]).read_text(encoding="utf-8"))
    return found


class Schemas(Endpoint):
    """The published schemas."""

    @describes(
        "catalogue_schemas_list",
        "The published schemas",
        TOPIC,
        answers=SchemaNameOutput(many=True),
        examples=[example("One of them", {"name": "unit", "title": "A 'Mech: its base, combat dial and heat dial"})],
    )
    def get(self, request: Any) -> Response:
        """List the names and titles of the published JSON Schemas (draft 2020-12): one for each kind of definition, and
        one for the document that holds them.
        """
        self.asked(Query)
        given = Response([{"name": name, "title": schema_named(name)["title"]} for name in SCHEMAS])
        given.headers["Cache-Control"] = ASK_AGAIN
        return given


class SchemaItself(Endpoint):
    """One published schema."""

    @describes(
        "catalogue_schemas_read",
        "A published schema",
        TOPIC,
        answers=OpenApiTypes.OBJECT,
        parameters=[OpenApiParameter("name", str, OpenApiParameter.PATH, enum=list(SCHEMAS))],
        tagged=True,
        examples=[example("Its head", {"$schema": "https://json-schema.org/draft/2020-12/schema", "type": "object"})],
    )
    def get(self, request: Any, name: str) -> Response:
        """Return a published JSON Schema. Check definitions with it before you import them."""
        if name not in SCHEMAS:
            raise Http404
        found = schema_named(name)
        given = self.tagged(json.dumps(found), lambda: Response(found))
        given.headers["Cache-Control"] = ASK_AGAIN
        return given
