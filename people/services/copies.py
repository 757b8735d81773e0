"""The file of everything that the site keeps of a person: one JSON document, tables of its lists, and photos, in a zip.

It is made while the person waits. Its size is bounded: MOST_ROWS_OF_A_COPY rows of a kind and MOST_BYTES_OF_A_COPY of
photos, and the document says what it leaves out.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from tempfile import SpooledTemporaryFile
from typing import Any
from zipfile import ZIP_DEFLATED, ZIP_STORED, ZipFile

from django.core.serializers.json import DjangoJSONEncoder

from people.models import User
from people.services import kept
from people.services.accounts import Limit
from web.bounds import MOST_BYTES_OF_A_COPY, MOST_COPIES
from web.tables import lines_of

COPIES_OF_A_PERSON = Limit("own_data", MOST_COPIES)
DOCUMENT = "my-data.json"
IN_MEMORY = 4_000_000
"""Bytes of a file that stay in memory; a larger one goes to a temporary file without a name."""


def write_copy(user: User) -> SpooledTemporaryFile[bytes]:
    """Write the file and return it, open at its beginning. It vanishes when it is closed."""
    copy = kept.copy_for(user)
    cut = list(copy.cut)
    written: SpooledTemporaryFile[bytes] = SpooledTemporaryFile(max_size=IN_MEMORY)  # noqa: SIM115 - the answer closes it
    with ZipFile(written, "w", ZIP_DEFLATED) as archive:
        room = MOST_BYTES_OF_A_COPY
        for name, content in kept.files_for(user):
            room -= len(content)
            if room < 0:
                cut.append("photos")
                break
            archive.writestr(f"photos/{name}", content, ZIP_STORED)
        document = {**copy.document, "left_out": cut}
        archive.writestr(DOCUMENT, json.dumps(document, cls=DjangoJSONEncoder, indent=1, ensure_ascii=False))
        for name, rows in tables(copy.document):
            head = list(dict.fromkeys(column for row in rows for column in row))
            cells = ([_cell(row.get(column)) for column in head] for row in rows)
            archive.writestr(f"tables/{name}.csv", b"".join(lines_of(head, cells)))
    written.seek(0)
    return written


def tables(document: Mapping[str, Any]) -> Iterator[tuple[str, list[Mapping[str, Any]]]]:
    """Yield every list of rows in a document with its name, "seasons-log", except empty ones."""
    for key, value in document.items():
        if isinstance(value, Mapping):
            yield from ((f"{key}-{name}", rows) for name, rows in tables(value))
        elif isinstance(value, list) and value and all(isinstance(row, Mapping) for row in value):
            yield key, value


def _cell(value: Any) -> Any:
    """Return a value as a cell: lists and mappings as JSON, times as JSON writes them, None as an empty cell."""
    if value is None or isinstance(value, (str, int, bool)):
        return value
    text = json.dumps(value, cls=DjangoJSONEncoder, ensure_ascii=False)
    return json.loads(text) if text.startswith('"') else text
