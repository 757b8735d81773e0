"""The check of a document against its form: a small, quick reader of the JSON Schema words in `rules.core.shapes`.

    check = check_of(SHAPES["units"])
    check.fits(document)          # a few microseconds for a whole unit, because every match checks its units
    list(check.faults(document))  # every fault with its place and code; empty exactly when it fits

It is stricter than JSON Schema in two ways: 3.0 is not the whole number 3, so that equal definitions have equal
hashes, and no text may hold a control or format character (Unicode Cc, Cf, Cs).
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple
from unicodedata import category

Path = tuple[str | int, ...]
Schema = Mapping[str, Any]

_SHOWN = 60
"""Longest piece of a wrong value that a fault repeats, characters."""


class Fault(NamedTuple):
    """One fault: its path from the top of the document, its code, and the parameters of its sentence."""

    path: Path
    code: str
    parameters: Mapping[str, Any]


def place(path: Sequence[str | int]) -> tuple[int | None, str | None]:
    """Return the click of the combat dial (from 1) and the field of a path: `dial, 3, attack` is 4, attack.

    The click is None outside the dial; the field is None for a whole document or click.
    """
    click = None
    if len(path) >= 2 and path[0] == "dial" and isinstance(path[1], int):
        click, path = path[1] + 1, path[2:]
    field = "".join(f"[{step}]" if isinstance(step, int) else f".{step}" for step in path)
    return click, field.lstrip(".") or None


def shown(value: Any) -> str:
    """Return a wrong value as a short text, cut after _SHOWN characters."""
    try:
        written = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, default=str)
    except (TypeError, ValueError, RecursionError):  # keys that are not texts, or circles: never from JSON
        written = type(value).__name__
    return written if len(written) <= _SHOWN else written[:_SHOWN] + "…"


class Check:
    """What a value must be. This base class takes anything."""

    def fits(self, value: Any) -> bool:
        """Return whether the value has no fault."""
        return True

    def faults(self, value: Any, path: Path = ()) -> Iterator[Fault]:
        """Yield every fault of the value; `path` is the path of the value itself in the document."""
        return iter(())


class _Typed(Check):
    """A value of one type; subclasses say what else it must be. With `or_null`, None fits too."""

    name = ""

    def __init__(self, or_null: bool) -> None:
        self.or_null = or_null

    def is_typed(self, value: Any) -> bool:
        raise NotImplementedError

    def faults(self, value: Any, path: Path = ()) -> Iterator[Fault]:
        if value is None and self.or_null:
            return
        if not self.is_typed(value):
            expected = f"{self.name} / null" if self.or_null else self.name
            yield Fault(path, "wrong_type", {"expected": expected, "value": shown(value)})
        else:
            yield from self.inside(value, path)

    def inside(self, value: Any, path: Path) -> Iterator[Fault]:
        return iter(())


class _Truth(_Typed):
    name = "boolean"

    def is_typed(self, value: Any) -> bool:
        return isinstance(value, bool)

    def fits(self, value: Any) -> bool:
        return isinstance(value, bool) or (value is None and self.or_null)


class _Whole(_Typed):
    name = "integer"

    def __init__(self, or_null: bool, least: int, most: int) -> None:
        super().__init__(or_null)
        self.least, self.most = least, most

    def is_typed(self, value: Any) -> bool:
        return type(value) is int

    def fits(self, value: Any) -> bool:
        return (type(value) is int and self.least <= value <= self.most) or (value is None and self.or_null)

    def inside(self, value: Any, path: Path) -> Iterator[Fault]:
        if not self.least <= value <= self.most:
            yield Fault(path, "out_of_range", {"value": shown(value), "least": self.least, "most": self.most})


class _Text(_Typed):
    name = "string"

    def __init__(self, or_null: bool, pattern: str, least: int, most: int | None) -> None:
        super().__init__(or_null)
        self.pattern, self.least, self.most = re.compile(pattern), least, most

    def is_typed(self, value: Any) -> bool:
        return isinstance(value, str)

    def fits(self, value: Any) -> bool:
        if not isinstance(value, str):
            return value is None and self.or_null
        return not _is_unprintable(value) and self._is_formed(value)

    def inside(self, value: Any, path: Path) -> Iterator[Fault]:
        if _is_unprintable(value):
            yield Fault(path, "unprintable_text", {})
        elif not self._is_formed(value):
            yield Fault(path, "wrong_format", {"value": shown(value)})

    def _is_formed(self, value: str) -> bool:
        is_long_enough = self.least <= len(value) and (self.most is None or len(value) <= self.most)
        return is_long_enough and self.pattern.fullmatch(value) is not None


class _Words(Check):
    def __init__(self, words: Sequence[str | int | None]) -> None:
        self.words = frozenset(words)
        self.types = frozenset(type(word) for word in words)  # so that 180.0 does not pass for 180, or true for 1
        self.listed = ", ".join("null" if word is None else str(word) for word in words)

    def fits(self, value: Any) -> bool:
        return type(value) in self.types and value in self.words

    def faults(self, value: Any, path: Path = ()) -> Iterator[Fault]:
        if not self.fits(value):
            yield Fault(path, "not_one_of", {"value": shown(value), "allowed": self.listed})


class _List(_Typed):
    name = "array"

    def __init__(self, or_null: bool, item: Check, least: int, most: int | None, are_different: bool) -> None:
        super().__init__(or_null)
        self.item, self.least, self.most, self.are_different = item, least, most, are_different

    def is_typed(self, value: Any) -> bool:
        return isinstance(value, list | tuple)

    def fits(self, value: Any) -> bool:
        if not isinstance(value, list | tuple):
            return value is None and self.or_null
        if len(value) < self.least or (self.most is not None and len(value) > self.most):
            return False
        fits = self.item.fits
        return all([fits(item) for item in value]) and not (self.are_different and _repeats(value))

    def inside(self, value: Any, path: Path) -> Iterator[Fault]:
        if len(value) < self.least or (self.most is not None and len(value) > self.most):
            yield Fault(path, "wrong_count", {"count": len(value), "least": self.least, "most": self.most})
        are_sound = True
        for number, item in enumerate(value):
            for fault in self.item.faults(item, (*path, number)):
                are_sound = False
                yield fault
        if are_sound and self.are_different and _repeats(value):
            yield Fault(path, "wrong_format", {"value": shown(value)})


class _Record(_Typed):
    """An object. `checks` holds the check of each key; `others` checks unlisted keys, whose names must match `names`.

    With `others` None there may be no unlisted keys; with `names` None they may have any name. A key of `together`
    requires the keys that it maps to. `least` is the smallest number of keys.
    """

    name = "object"

    def __init__(
        self,
        or_null: bool,
        checks: Mapping[str, Check],
        required: Sequence[str],
        together: Mapping[str, Sequence[str]],
        least: int,
        others: Check | None,
        names: str | None,
    ) -> None:
        super().__init__(or_null)
        self.checks = checks
        self.by_key: dict[str, Callable[[Any], bool]] = {key: check.fits for key, check in checks.items()}
        self.required, self.together, self.least = frozenset(required), together, least
        self.others, self.names = others, re.compile(names) if names is not None else None

    def is_typed(self, value: Any) -> bool:
        return isinstance(value, Mapping)

    def fits(self, value: Any) -> bool:
        if type(value) is not dict and not isinstance(value, Mapping):
            return value is None and self.or_null
        by_key = self.by_key
        for key, item in value.items():
            fits = by_key.get(key)
            if fits is None:
                if self.others is None or not self._is_name(key):
                    return False
                fits = self.others.fits
            if not fits(item):
                return False
        return self._needed(value) <= value.keys() and len(value) >= self.least

    def inside(self, value: Any, path: Path) -> Iterator[Fault]:
        if len(value) < self.least:
            yield Fault(path, "wrong_format", {"value": shown(value)})
        for key in sorted(self._needed(value) - set(value)):
            yield Fault((*path, key), "missing_key", {"key": key})
        for key, item in value.items():
            yield from self._entry(key, item, (*path, key if isinstance(key, str) else shown(key)))

    def _needed(self, value: Mapping[str, Any]) -> frozenset[str]:
        if not self.together:
            return self.required
        return self.required.union(*(also for key, also in self.together.items() if key in value))

    def _is_name(self, key: Any) -> bool:
        return isinstance(key, str) and (self.names is None or self.names.fullmatch(key) is not None)

    def _entry(self, key: Any, item: Any, path: Path) -> Iterator[Fault]:
        check = self.checks.get(key, self.others)
        if not isinstance(key, str) or check is None:
            yield Fault(path, "unknown_key", {"key": shown(key)})
        elif key not in self.checks and not self._is_name(key):
            yield Fault(path, "wrong_format", {"value": shown(key)})
        else:
            yield from check.faults(item, path)


class _Either(Check):
    """One of two forms: the first for texts, the second for everything else."""

    def __init__(self, for_texts: Check, for_others: Check) -> None:
        self.for_texts, self.for_others = for_texts, for_others

    def fits(self, value: Any) -> bool:
        return (self.for_texts if isinstance(value, str) else self.for_others).fits(value)

    def faults(self, value: Any, path: Path = ()) -> Iterator[Fault]:
        return (self.for_texts if isinstance(value, str) else self.for_others).faults(value, path)


def _is_unprintable(value: str) -> bool:
    return not value.isprintable() and any(category(letter) in ("Cc", "Cf", "Cs") for letter in value)


def _repeats(value: Sequence[Any]) -> bool:
    """Return whether an item occurs twice.

    This is quick for items that fit: they are words of a short list, so one of them soon repeats.
    """
    return any(item in value[:number] for number, item in enumerate(value))


def check_of(schema: Schema) -> Check:
    """Return the check of a schema of `rules.core.shapes`. Raises KeyError for a form that is unknown here."""
    return _check(schema, schema.get("$defs", {}))


def _check(schema: Schema, named: Mapping[str, Schema]) -> Check:
    if "$ref" in schema:
        return _check(named[schema["$ref"].rpartition("/")[2]], named)
    if "if" in schema:
        return _Either(_check(schema["then"], named), _check(schema["else"], named))
    if "enum" in schema or "const" in schema:
        return _Words(schema.get("enum") or [schema["const"]])
    types = schema.get("type")
    if types is None:
        return Check()
    or_null = not isinstance(types, str)
    match types if isinstance(types, str) else types[0]:
        case "boolean":
            return _Truth(or_null)
        case "integer":
            return _Whole(or_null, schema["minimum"], schema["maximum"])
        case "string":
            return _Text(or_null, schema.get("pattern", ".*"), schema.get("minLength", 0), schema.get("maxLength"))
        case "array":
            least, most = schema.get("minItems", 0), schema.get("maxItems")
            return _List(or_null, _check(schema["items"], named), least, most, bool(schema.get("uniqueItems")))
        case "object":
            others = schema["additionalProperties"]
            return _Record(
                or_null,
                {key: _check(entry, named) for key, entry in schema.get("properties", {}).items()},
                schema.get("required", ()),
                schema.get("dependentRequired", {}),
                schema.get("minProperties", 0),
                _check(others, named) if others is not False else None,
                (schema.get("propertyNames") or {}).get("pattern"),
            )
        case other:
            raise KeyError(other)
