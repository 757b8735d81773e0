"""The facts by which lists of the catalogue filter and sort, read from a definition when it is stored."""

from collections.abc import Mapping
from typing import Any

from rules.core.table_units import is_table_only
from rules.core.words import DAMAGE_VALUES
from web.languages.words import variants

LONGEST_SEARCH = 250


def listed_facts(kind: str, definition: Mapping[str, Any]) -> dict[str, Any]:
    """Return the CatalogueEntry fields that repeat parts of a validated definition, as far as its kind has them."""
    facts: dict[str, Any] = {
        "search": _searched(definition)[:LONGEST_SEARCH],
        "statistics": definition.get("statistics", ""),
        "rank": definition.get("rank", definition.get("kind", "")),
    }
    if kind == "units" and is_table_only(definition):
        facts["clicks"] = definition.get("clicks")
    elif kind == "units":
        first = definition["dial"][0]
        facts |= {value: first[value] for value in ("speed", "attack", "defense")}
        facts["clicks"] = len(definition["dial"])
        facts["reach"] = max(definition[value]["range"][1] for value in DAMAGE_VALUES)
        facts["types"] = _listed({definition[value]["type"] for value in DAMAGE_VALUES})
        facts["equipment"] = _listed(
            {
                item if isinstance(item, str) else item["key"]
                for click in definition["dial"]
                for item in click["equipment"].values()
            }
        )
    elif kind == "gear":
        facts["equipment"] = _listed({definition["equipment"]} if definition["equipment"] else set())
    return facts


def _searched(definition: Mapping[str, Any]) -> str:
    words = (definition["id"], definition["name"], definition.get("variant", ""))
    return " ".join(variants(" ".join(words)))


def _listed(keys: set[str]) -> str:
    return f" {' '.join(sorted(keys))} " if keys else ""
