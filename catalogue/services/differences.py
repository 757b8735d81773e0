"""What differs between two definitions, value by value, and what an import does to each."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from rules.core.table_units import MARK, is_table_only


@dataclass(frozen=True)
class Difference:
    """One value that an import changes: its path in the definition, before and after (None where it is absent)."""

    path: str
    before: Any
    after: Any


@dataclass(frozen=True)
class Change:
    """What an import does to a definition of one of KINDS: added, removed, unchanged, or changed by differences."""

    kind: str
    key: str
    name: str
    effect: str
    differences: tuple[Difference, ...] = ()

    @property
    def loses_dial(self) -> bool:
        """Whether a unit that has a dial becomes one for real tables only."""
        return self.kind == "units" and any(each.path == MARK and each.after for each in self.differences)


def losing_dials(before: Mapping[str, Any], brought: Mapping[str, Any]) -> Iterable[Any]:
    """Yield the units for real tables only that are brought in the place of units with a dial."""
    for key, unit in brought.items():
        if is_table_only(unit) and key in before and not is_table_only(before[key]):
            yield unit


def differences(before: Any, after: Any, path: str = "") -> Iterable[Difference]:
    """Yield every value in which two definitions differ, in order of keys and positions. Lists of unequal length give
    one difference: their length.
    """
    if isinstance(before, dict) and isinstance(after, dict):
        for key in sorted({*before, *after}):
            step = f"{path}.{key}" if path else key
            yield from differences(before.get(key), after.get(key), step)
    elif isinstance(before, list) and isinstance(after, list) and len(before) == len(after):
        for position, (old, new) in enumerate(zip(before, after, strict=True)):
            yield from differences(old, new, f"{path}[{position}]")
    elif isinstance(before, list) and isinstance(after, list):
        yield Difference(f"{path}.length", len(before), len(after))
    elif before != after:
        yield Difference(path, before, after)
