"""Everything that can be reached from an object, and whether two objects are the same all the way down.

What is reached: attributes, slots, members and keys of containers, and what functions close over and are bound to.
Classes, modules and the code of functions are the program's own and hold no facts of a match.
"""

from collections.abc import Iterable, Iterator, Mapping, Set
from functools import cache
from types import BuiltinFunctionType, FunctionType, MethodType, ModuleType
from typing import Any

PLAIN = (str, bytes, int, float, type(None))
CODE = (type, ModuleType, BuiltinFunctionType)
NUMBERS = (int, float, bool, type(None))


def parts(value: Any) -> Iterator[tuple[str, Any]]:
    """What an object holds, each with a word for the way there."""
    if isinstance(value, (*PLAIN, *CODE)):
        return
    if isinstance(value, Mapping):
        for key, entry in value.items():
            yield "key", key
            yield f"[{key!r}]", entry
    elif isinstance(value, (list, tuple)):
        yield from ((f"[{number}]", entry) for number, entry in enumerate(value))
    elif isinstance(value, Set):
        yield from (("member", entry) for entry in sorted(value, key=repr))
    elif isinstance(value, MethodType):
        yield from (("self", value.__self__), ("function", value.__func__))
    elif isinstance(value, FunctionType):
        yield from (("closure", cell.cell_contents) for cell in value.__closure__ or ())
        yield from (("default", default) for default in value.__defaults__ or ())
    for name in names_of(value):
        if hasattr(value, name):
            yield f".{name}", getattr(value, name)


def names_of(value: Any) -> list[str]:
    return sorted({*_slots(type(value)), *getattr(value, "__dict__", {})} - {"__dict__", "__weakref__"})


@cache
def _slots(kind: type) -> frozenset[str]:
    return frozenset(name for base in kind.__mro__ for name in _listed(getattr(base, "__slots__", ())))


def _listed(slots: str | Iterable[str]) -> list[str]:
    return [slots] if isinstance(slots, str) else list(slots)


def reachable(root: Any, known: dict[int, Any] | None = None) -> Iterator[Any]:
    """Every object that can be reached, each once, but for numbers, which hold nothing and are the most of it.

    Those in `known`, by id, and what they hold are left out.
    """
    met = dict(known or {})
    left = [root]
    while left:
        value = left.pop()
        if id(value) in met:
            continue
        met[id(value)] = value  # kept, so that no other object takes its id
        yield value
        left.extend(part for part in _held(value) if type(part) not in NUMBERS)


def _held(value: Any) -> Iterable[Any]:
    """What `parts` leads to; plain containers are quicker without the words."""
    if type(value) in (list, tuple):
        held: Iterable[Any] = value
        return held
    if type(value) is dict:
        return (*value, *value.values())
    return (part for _, part in parts(value))


def difference(one: Any, other: Any) -> str | None:
    """The way to the first place at which two object graphs differ, None when they are the same."""
    met: dict[tuple[int, int], Any] = {}
    left: list[tuple[str, Any, Any]] = [("", one, other)]
    while left:
        way, a, b = left.pop()
        if a is b or (id(a), id(b)) in met:
            continue
        met[id(a), id(b)] = (a, b)
        if type(a) is not type(b):
            return f"{way}: {type(a).__name__} and {type(b).__name__}"
        if isinstance(a, (*PLAIN, tuple)) and a == b:  # tables of numbers are the most of it
            continue
        if isinstance(a, PLAIN):
            return f"{way}: {a!r} and {b!r}"
        if isinstance(a, CODE) or (isinstance(a, FunctionType) and a.__code__ is not b.__code__):
            return f"{way}: {a!r} and {b!r}"
        held, holds = list(parts(a)), list(parts(b))
        if [name for name, _ in held] != [name for name, _ in holds]:
            return f"{way}: {[name for name, _ in held]} and {[name for name, _ in holds]}"
        left.extend((way + name, part, entry) for (name, part), (_, entry) in zip(held, holds, strict=True))
    return None
