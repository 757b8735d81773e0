"""A command that writes the JSON Schema files of the catalogue from `rules.core.shapes`.

    python -m rules.catalogue.publish

`schemas/catalogue.schema.json`, the schema of the document around the definitions, is written by hand.
"""

from __future__ import annotations

import json
from pathlib import Path

from rules.catalogue.shape import SCHEMA_FILES, schema

SCHEMA_FOLDER = Path(__file__).parent / "schemas"


def text_of(kind: str) -> str:
    """Return the text of the schema file for one kind of definition."""
    return json.dumps(schema(kind), indent=2, ensure_ascii=False) + "\n"


if __name__ == "__main__":
    for kind, file in SCHEMA_FILES.items():
        (SCHEMA_FOLDER / file).write_text(text_of(kind), encoding="utf-8")
