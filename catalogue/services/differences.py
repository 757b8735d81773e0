"""What differs between two definitions, value by value."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Difference:
    """One value that an import changes: its path in the definition, before and after (None where it is absent)."""

    path: str
    before: Any
    after: Any


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
