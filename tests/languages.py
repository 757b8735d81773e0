"""Languages for tests of sentences: English with a function in place of a catalogue."""

from __future__ import annotations

from collections.abc import Callable

from rules.wording.language import English, Number


class MadeUp(English):
    """A language whose words a function gives."""

    def __init__(self, words: Callable[[str], str]) -> None:
        self.words = words

    def __call__(self, message: str, count: Number | None = None) -> str:
        """Return what the function makes of a template."""
        return self.words(super().__call__(message, count))
