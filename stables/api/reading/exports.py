"""The endpoint of a whole season as a file. Only the operator's shell can import one (`python manage.py
import_season`).
"""

from __future__ import annotations

import hashlib
import tempfile
from typing import IO, Any, cast

from django.http import FileResponse
from rest_framework import serializers
from rest_framework.response import Response

from api.description import describes, example
from api.fields import Output
from stables.api.base import SeasonEndpoint
from stables.documents.columns import PUBLISHED, REDACTED
from stables.documents.document import AFTER_MATCHES, FORMAT, SCHEMA, TABLES, open_contents, write
from stables.models import Season

IN_MEMORY = 8 * 1024 * 1024
"""A document of up to this many bytes stays in memory."""


class ExportedCatalogueOutput(Output):
    """The definitions that the season is played with, with their label, and their hash."""

    content_hash = serializers.CharField()
    definitions = serializers.DictField()

    def get_fields(self) -> dict[str, Any]:
        """Return the fields with `label`, which cannot be a class attribute: serializer fields have another attribute
        of that name.
        """
        return {**super().get_fields(), "label": serializers.CharField()}


class SeasonDocumentOutput(Output):
    """A season as a document: rows by table, named by numbers, codes and names instead of ids.

    `contents` is "published" for a finished season, otherwise "redacted": then the document lacks what nobody may see
    yet, and it cannot be imported.
    """

    format = serializers.ChoiceField(choices=[FORMAT])
    schema = serializers.IntegerField(min_value=SCHEMA, max_value=SCHEMA)
    contents = serializers.ChoiceField(choices=[PUBLISHED, REDACTED])
    season = serializers.DictField()
    people = serializers.ListField(child=serializers.CharField())
    catalogue = ExportedCatalogueOutput()

    def get_fields(self) -> dict[str, Any]:
        """Return the fields with a list of rows for every table."""
        tables = [table.name for table in (*TABLES, *AFTER_MATCHES)]
        rows = {name: serializers.ListField(child=serializers.DictField()) for name in (*tables, "matches")}
        return {**super().get_fields(), **rows}


EXAMPLE: dict[str, Any] = {
    "format": FORMAT,
    "schema": SCHEMA,
    "contents": PUBLISHED,
    "season": {"name": "Spring Circuit", "slug": "spring-circuit", "state": "finished"},
    "people": ["organiser", "player"],
    "catalogue": {"content_hash": "4f0c…", "label": "House statistics", "definitions": {"schema": 1}},
    **{table.name: [] for table in (*TABLES, *AFTER_MATCHES)},
    "stables": [{"number": 1, "name": "Iron Dogs", "capital": 1240}],
    "matches": [],
}


class SeasonExport(SeasonEndpoint):
    """A season as a document."""

    @describes(
        "season_export",
        "A whole season as one JSON document",
        "Feeds and files",
        answers=SeasonDocumentOutput,
        examples=[example("The beginning of one", EXAMPLE)],
        tagged=True,
    )
    def get(self, request: Any, season_slug: str) -> Response:
        """Return what everybody who may see the season can see of it; the document is the same for each of them.

        The operator of a site can import a finished season from it (`python manage.py import_season FILE`): it has the
        books, results and matches, and the import first plays the matches again. It leaves out baskets, saved line-ups,
        reports from tables, and secrets.
        """
        season = self.season()
        written = written_file(season)

        def answer() -> Response:
            # FileResponse counts the length from the present position.
            written.seek(0)
            file = FileResponse(
                written, as_attachment=True, filename=f"{season.slug}.json", content_type="application/json"
            )
            return cast(Response, file)

        # No single number changes with every change in a season, so the tag comes from the document itself.
        answered = self.tagged(digest_of(written), answer)
        if answered.status_code == 304:
            written.close()
        return answered


def written_file(season: Season) -> IO[bytes]:
    """Return a file with the whole document. It is complete before the answer begins, so that a failure gives a refusal
    and not half a file.
    """
    file = tempfile.SpooledTemporaryFile(IN_MEMORY, prefix="solaris-season-")  # noqa: SIM115 - the answer closes it
    try:
        write(season, open_contents(season), file)
    except BaseException:
        file.close()
        raise
    file.seek(0)
    return cast(IO[bytes], file)


def digest_of(file: IO[bytes]) -> str:
    """Return the SHA-256 of a file from its present position to its end, read in pieces."""
    digest = hashlib.sha256()
    while piece := file.read(65536):
        digest.update(piece)
    return digest.hexdigest()
