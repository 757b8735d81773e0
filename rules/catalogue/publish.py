"""A command that writes the JSON Schema files of the catalogue from `rules.core.shapes`.

    python -m rules.catalogue.publish

`schemas/catalogue.schema.json`, the schema of the document around the definitions, is written by hand.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from rules.catalogue.shape import SCHEMA_FILES, TABLE_UNIT_FILE, schema, table_unit_schema

SCHEMA_FOLDER = Path(__file__).parent / "schemas"


def text_of(kind: str) -> str:
    """Return the text of the schema file for one kind of definition."""
    return _written(schema(kind))


def _written(document: dict[str, Any]) -> str:
    return json.dumps(document, indent=2, ensure_ascii=False) + "\n"


def texts() -> dict[str, str]:
    """Return the texts of all files that this command writes, by the name of the file."""
    return {
        **{file: text_of(kind) for kind, file in SCHEMA_FILES.items()},
        TABLE_UNIT_FILE: _written(table_unit_schema()),
    }


if __name__ == "__main__":
    for file, text in texts().items():
        (SCHEMA_FOLDER / file).write_text(text, encoding="utf-8")
