"""Changes of a season's settings and calendar in words: those of the form that changes them, which registers them here.

A change is {"setting", "before", "after"}, with the values as JSON. A switch of the matches is "house_rules." and its
name, a value of the calendar "calendar." and its name.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from rules.wording.filling import MISSING, say, shown
from web.languages.reader import translate

InWords = Callable[[str, Any], tuple[str, str]]
"""A function that takes a setting's name and one of its values, and returns both in the reader's language."""


def _plain(setting: str, value: Any) -> tuple[str, str]:
    return setting.rpartition(".")[2].replace("_", " "), shown(value)


_words: list[InWords] = [_plain]


def register(in_words: InWords) -> None:
    """Register the form's words, which hold from now on."""
    _words[:] = [in_words]


def change_sentence(change: Mapping[str, Any]) -> str:
    """Return one change: “Most stables”: 6 instead of 8."""
    setting = str(change.get("setting", MISSING))
    label, after = _words[0](setting, change.get("after"))
    _, before = _words[0](setting, change.get("before"))
    return say(
        "“{setting}”: {after} instead of {before}", {"setting": label, "after": after, "before": before}, translate
    )


def changes_words(changes: Any) -> Any:
    """Return a list of changes in words. Anything else is returned as it is."""
    if not isinstance(changes, list):
        return changes
    return "; ".join(change_sentence(change) for change in changes if isinstance(change, Mapping)) or None
