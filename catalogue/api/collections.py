"""The endpoints of collections: the list, one collection with its versions, a new one."""

from __future__ import annotations

from typing import Any

from django.core.validators import RegexValidator
from django.db.models import OuterRef, QuerySet, Subquery
from django.http import Http404
from django.urls import reverse
from rest_framework import serializers
from rest_framework.response import Response

from api.description import describes, example
from api.endpoint import Endpoint, Pages, idempotent, pages_of
from api.fields import Input, Output, Query, StrictChoice, StrictString
from catalogue.api.rows import HASH
from catalogue.models import Collection, CollectionVersion
from catalogue.services import collections

TOPIC = "Collections"
SHOWN_VERSIONS = 100
MADE_HERE = [Collection.Audience.KEEPER, Collection.Audience.EVERYBODY]
"""The audiences of collections that these endpoints make. A season has its own endpoint for its collections."""


class CollectionOutput(Output):
    """A collection of definitions. `version` and `release` (a hash) are those of its newest version, null without one.
    `season` is the address of the only season that may use it, null for other audiences. `keeper` is null when their
    account is gone.
    """

    slug = serializers.SlugField()
    name = serializers.CharField()
    audience = serializers.ChoiceField(choices=Collection.Audience.values)
    season = serializers.SerializerMethodField()
    keeper = serializers.SerializerMethodField()
    version = serializers.IntegerField(source="newest_number", allow_null=True)
    release = serializers.CharField(source="newest_release", allow_null=True)

    def get_season(self, collection: Collection) -> str | None:
        return collection.season or None

    def get_keeper(self, collection: Collection) -> str | None:
        return collection.keeper.get_username() if collection.keeper else None


class CollectionVersionOutput(Output):
    """One version of a collection. `release` is the hash that the catalogue's addresses take."""

    number = serializers.IntegerField()
    release = serializers.CharField(source="release.content_hash")
    source = serializers.CharField()  # type: ignore[assignment]
    made_at = serializers.DateTimeField(source="created_at")


class CollectionDetailOutput(CollectionOutput):
    """A collection with its versions, the newest first; a hundred at most."""

    versions = serializers.SerializerMethodField()

    def get_versions(self, collection: Collection) -> CollectionVersionOutput(many=True):  # type: ignore[valid-type]
        newest = collection.versions.select_related("release").order_by("-number")[:SHOWN_VERSIONS]
        return CollectionVersionOutput(newest, many=True).data


class MakeCollectionInput(Input):
    """A new collection, empty."""

    name = StrictString(max_length=80, validators=[RegexValidator(r"^[^\x00]*[^\s\x00][^\x00]*\Z")])
    audience = StrictChoice(
        choices=MADE_HERE, default=Collection.Audience.KEEPER, help_text="Whose seasons may use it."
    )


COLLECTION_EXAMPLE: dict[str, Any] = {
    "slug": "my-shelf",
    "name": "My shelf",
    "audience": "keeper",
    "season": None,
    "keeper": "mara",
    "version": 2,
    "release": HASH,
}
VERSION_EXAMPLE = {"number": 2, "release": HASH, "source": "shelf.json", "made_at": "3152-03-01T18:00:00Z"}


def with_newest(found: QuerySet[Collection]) -> QuerySet[Collection]:
    """Return a query of collections with keeper, `newest_number` and `newest_release` (a hash); both None for none."""
    newest = CollectionVersion.objects.filter(collection=OuterRef("pk")).order_by("-number")
    return found.select_related("keeper").annotate(
        newest_number=Subquery(newest.values("number")[:1]),
        newest_release=Subquery(newest.values("release__content_hash")[:1]),
    )


class Collections(Endpoint):
    """Collections."""

    @describes(
        "collections_list",
        "The collections that are listed for you",
        TOPIC,
        answers=pages_of(CollectionOutput),
        asks=Pages,
        examples=[example("One of them", {"count": 1, "page": 1, "pages": 1, "results": [COLLECTION_EXAMPLE]})],
    )
    def get(self, request: Any) -> Response:
        """List your own collections, everybody’s, and those of seasons that are listed for you, in order of name."""
        asked = self.asked(Pages)
        found = with_newest(collections.listed_to(request.user)).order_by("name", "pk")
        return self.page_of(found, asked, lambda rows: CollectionOutput(rows, many=True).data)

    @describes(
        "collections_make",
        "Make a collection",
        TOPIC,
        answers=CollectionOutput,
        status=201,
        sends=MakeCollectionInput,
        examples=[
            example("A collection of your own", {"name": "My shelf"}, sent=True),
            example("Made", {**COLLECTION_EXAMPLE, "version": None, "release": None}, status=201),
        ],
    )
    @idempotent(atomic=True)
    def post(self, request: Any) -> Response:
        """Make an empty collection that you keep. Collections for one season have an address below the season.

        Refused: too_many_collections.
        """
        sent = self.sent(MakeCollectionInput)
        made = collections.make_collection(name=sent["name"], keeper=request.user, audience=sent["audience"])
        made_collection = CollectionOutput(with_newest(Collection.objects.filter(pk=made.pk)).get()).data
        return Response(
            made_collection, status=201, headers={"Location": reverse("api:catalogue_collection", args=[made.slug])}
        )


class CollectionEndpoint(Endpoint):
    """An endpoint below the address of a collection."""

    def collection(self, slug: str) -> Collection:
        """Return the collection of the address, as `with_newest` does, for an asker who may see it; at most two
        queries.

        Raises Http404.
        """
        found = with_newest(collections.visible_to(self.request.user)).filter(slug=slug).first()
        if found is None:
            raise Http404
        return found


class CollectionItself(CollectionEndpoint):
    """One collection."""

    @describes(
        "collections_read",
        "A collection",
        TOPIC,
        answers=CollectionDetailOutput,
        examples=[example("A collection", {**COLLECTION_EXAMPLE, "versions": [VERSION_EXAMPLE]})],
    )
    def get(self, request: Any, slug: str) -> Response:
        """Return a collection with its versions. The hash of a version’s release opens its definitions in the
        catalogue.
        """
        self.asked(Query)
        return Response(CollectionDetailOutput(self.collection(slug)).data)
