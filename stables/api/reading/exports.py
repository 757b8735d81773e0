"""The endpoint of a whole season as a file. Only the operator's shell can import one (`python manage.py
import_season`).
"""

from __future__ import annotations

import hashlib
import io
import tempfile
import zlib
from typing import IO, Any, cast

from django.core.cache import cache
from django.http import FileResponse
from rest_framework import serializers
from rest_framework.response import Response

from api.description import describes, example
from api.fields import Output
from stables.api.base import SeasonEndpoint
from stables.documents.columns import PUBLISHED, REDACTED
from stables.documents.document import AFTER_MATCHES, FORMAT, SCHEMA, TABLES, open_contents, write
from stables.models import LogEntry, Season
from stables.selectors.standings_version import standings_version

IN_MEMORY = 8 * 1024 * 1024
"""A document of up to this many bytes stays in memory."""
KEPT_SECONDS = 60
"""Seconds for which a document is kept for people without an account, unless books or log of the season go on."""


class ExportedCatalogueOutput(Output):
    """The release that the season is played with: its hash, its label and its definitions."""

    content_hash = serializers.CharField()
    definitions = serializers.DictField()

    def get_fields(self) -> dict[str, Any]:
        """Return the fields and a `label`. It cannot be a class attribute, because serializers have an attribute of
        that name already.
        """
        return {**super().get_fields(), "label": serializers.CharField()}


class SeasonDocumentOutput(Output):
    """A season as a document: the rows of each table, which refer to each other by numbers, codes and names instead of
    ids.

    `contents` is "published" for a finished or cancelled season, and otherwise "redacted". A redacted document lacks
    secrets of the running game and cannot be imported.
    """

    format = serializers.ChoiceField(choices=[FORMAT])
    schema = serializers.IntegerField(min_value=SCHEMA, max_value=SCHEMA)
    contents = serializers.ChoiceField(choices=[PUBLISHED, REDACTED])
    season = serializers.DictField()
    people = serializers.ListField(child=serializers.CharField())
    catalogue = ExportedCatalogueOutput()

    def get_fields(self) -> dict[str, Any]:
        """Return the fields and a list of rows for every table and for the matches."""
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
        """Return the season as a document. It is the same for everybody who may see the season.

        The document has the books, results and matches. It leaves out what only some people may see: invitations,
        hand-overs, baskets, saved line-ups, proposals, and marks and reports from tables. The operator of a site can
        import a finished season from it (`python manage.py import_season FILE`). The import first plays the matches
        matches again.

        Without an account you may get a document that is a minute old, and a place gets at most 60 new ones an hour.
        """
        season = self.season()
        digest, written = self._fresh(season) if request.user.is_authenticated else self._kept(season)

        def answer() -> Response:
            # FileResponse counts the length from the present position.
            written.seek(0)
            file = FileResponse(
                written, as_attachment=True, filename=f"{season.slug}.json", content_type="application/json"
            )
            return cast(Response, file)

        # No single number changes with every change in a season, so the tag comes from the document itself.
        answered = self.tagged(digest, answer)
        if answered.status_code == 304:
            written.close()
        return answered

    def _fresh(self, season: Season) -> tuple[str, IO[bytes]]:
        """Return a new document, and its digest. Raises TooOften (too_often) for a place without an account."""
        self.count_file()
        written = written_file(season)
        return digest_of(written), written

    def _kept(self, season: Season) -> tuple[str, IO[bytes]]:
        """Return the document as it was in the last KEPT_SECONDS, or a new one, and its digest; three queries if kept.

        Raises TooOften (too_often).
        """
        log = LogEntry.objects.filter(season=season).count()
        shown = hashlib.sha256(f"{standings_version(season)}:{log}:{season.state}:{season.name}".encode())
        key = f"api:export:{season.pk}:{shown.hexdigest()}"
        kept = cache.get(key)
        if kept is not None:
            return kept[0], io.BytesIO(zlib.decompress(kept[1]))
        digest, written = self._fresh(season)
        if written.tell() <= IN_MEMORY:
            written.seek(0)
            cache.set(key, (digest, zlib.compress(written.read(), level=1)), KEPT_SECONDS)
        return digest, written


def written_file(season: Season) -> IO[bytes]:
    """Return an open file with the whole document, at its start; the caller closes it. The file is complete before the
    answer begins, so that an error never sends half a file.
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
    """Return the SHA-256 of a file as 64 hex digits, from the present position to the end, and move to the end."""
    digest = hashlib.sha256()
    while piece := file.read(65536):
        digest.update(piece)
    return digest.hexdigest()
