"""Objects that are made once and shared: they can be read but not changed."""

from __future__ import annotations

from typing import Any, NoReturn, TypeVar

Key = TypeVar("Key")
Value = TypeVar("Value")


class Fixed:
    """A base class for constants: attributes can be set until `fix` is called.

    A match, its bots and other matches share the same fighters and arenas. A bot that writes to one by mistake fails at
    once, and nothing has changed. The mappings in such objects are `FixedMap`s.
    """

    __slots__ = ("_is_fixed",)
    _is_fixed: bool

    def fix(self) -> None:
        """Fix the object: from now on, setting or deleting an attribute raises AttributeError."""
        object.__setattr__(self, "_is_fixed", True)

    def __setattr__(self, name: str, value: object) -> None:
        if hasattr(self, "_is_fixed"):
            raise AttributeError(f"{type(self).__name__}.{name} is fixed")
        object.__setattr__(self, name, value)

    def __delattr__(self, name: str) -> None:
        if hasattr(self, "_is_fixed"):
            raise AttributeError(f"{type(self).__name__}.{name} is fixed")
        object.__delattr__(self, name)

    def __copy__(self) -> Any:
        return self

    def __deepcopy__(self, memo: dict[int, Any]) -> Any:
        return self

    def __setstate__(self, state: Any) -> None:
        """Restore an object in another process, fixed as it was."""
        for part in state if isinstance(state, tuple) else (state,):
            for name, value in (part or {}).items():
                object.__setattr__(self, name, value)


class FixedMap(dict[Key, Value]):
    """A dictionary that is complete when it is made; writing to it raises TypeError."""

    __slots__ = ()

    def _refuse(self, *arguments: Any, **named: Any) -> NoReturn:
        raise TypeError("this dictionary is fixed")

    __setitem__ = __delitem__ = __ior__ = clear = pop = popitem = setdefault = update = _refuse

    def __copy__(self) -> Any:
        return self

    def __deepcopy__(self, memo: dict[int, Any]) -> Any:
        return self

    def __reduce__(self) -> Any:
        return FixedMap, (dict(self),)
