"""What is made once and shared by all who play with it: it can be read, and no longer changed."""

from __future__ import annotations

from typing import Any, NoReturn, TypeVar

Key = TypeVar("Key")
Value = TypeVar("Value")


class Fixed:
    """A base of constants: their attributes are set while they are made, until `fix`.

    Fighters and arenas are the same objects for a match, for what its bots see and for other matches. A bot that writes
    to one by mistake fails at once, and nothing has changed. What they map is in a `FixedMap`.
    """

    __slots__ = ("_is_fixed",)
    _is_fixed: bool

    def fix(self) -> None:
        """Fix the object: from now on setting and deleting attributes raises AttributeError."""
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
        """Fix again what went to another process."""
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
