"""The published schemas of the catalogue as components of the interface's description."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from rules.catalogue.publish import SCHEMA_FOLDER
from rules.catalogue.shape import SCHEMA_FILES, TABLE_UNIT_FILE

COMPONENTS: Mapping[str, str] = {
    kind: "".join(part.title() for part in file.partition(".")[0].split("_")) + "Definition"
    for kind, file in SCHEMA_FILES.items()
}
"""Kind -> the name of its published schema in the interface's description."""

TABLE_UNIT = "TableUnitDefinition"
"""The name of the schema of a unit for real tables only."""


def form_of(kind: str) -> dict[str, Any]:
    """Return the form of a definition of a kind as the interface describes it; units have two."""
    names = (COMPONENTS[kind], TABLE_UNIT) if kind == "units" else (COMPONENTS[kind],)
    found = [{"$ref": f"#/components/schemas/{name}"} for name in names]
    return {"anyOf": found} if len(found) > 1 else found[0]


def with_definitions(result: dict[str, Any]) -> dict[str, Any]:
    """Add the published schemas to the given OpenAPI document, their inner parts as components of their own, and return
    that document.
    """
    own = result.setdefault("components", {}).setdefault("schemas", {})
    files = {COMPONENTS[kind]: file for kind, file in SCHEMA_FILES.items()} | {TABLE_UNIT: TABLE_UNIT_FILE}
    for name, file in files.items():
        text = (SCHEMA_FOLDER / file).read_text(encoding="utf-8")
        whole = json.loads(text.replace("#/$defs/", f"#/components/schemas/{name}_"))
        for part, schema in whole.pop("$defs", {}).items():
            own[f"{name}_{part}"] = schema
        own[name] = {key: value for key, value in whole.items() if key not in ("$schema", "$id")}
    result["components"]["schemas"] = dict(sorted(own.items()))
    return result
