"""Answers other than JSON: their media types, and answers with tables for spreadsheets (web.tables).

A client that accepts none of an address's media types gets 406. Every refusal is a problem document, whichever media
type the client asked for.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from django.conf import settings
from django.http import StreamingHttpResponse
from django.utils import translation

from api.fields import Query, StrictChoice
from api.rendering import BareRenderer
from web.tables import FORMS, PLAIN, Cell, lines_of


class TableQuery(Query):
    """In which form."""

    form = StrictChoice(
        choices=FORMS,
        required=False,
        help_text="`excel` is the same table with a byte order mark, semicolons, commas in decimal numbers, and "
        "sentences in your language.",
    )


class Renderer(BareRenderer):
    """The base of renderers for endpoints that make files themselves. It renders only their refusals, as JSON."""

    charset = None


class CsvRenderer(Renderer):
    media_type = "text/csv"
    format = "csv"


class ZipRenderer(Renderer):
    media_type = "application/zip"
    format = "zip"


def table_response(
    name: str, head: Sequence[str], rows: Iterable[Sequence[Cell]], form: str = PLAIN
) -> StreamingHttpResponse:
    """Return a CSV file of this name, which is written while the client reads it. `head` names the columns, and `form`
    is one of FORMS. Programs read `plain`, so its sentences are English for everybody; those of `excel` are in the
    language of the request. The rows must be made while they are read.
    """
    language = settings.LANGUAGE_CODE if form == PLAIN else translation.get_language() or ""

    def written() -> Iterator[bytes]:
        lines = lines_of(head, rows, form)
        while True:
            # The stream is read after the end of the request, which resets the language.
            with translation.override(language):
                line = next(lines, None)
            if line is None:
                return
            yield line

    return StreamingHttpResponse(
        written(),
        content_type="text/csv; charset=utf-8; header=present",
        headers={"Content-Disposition": f'attachment; filename="{name}"'},
    )
