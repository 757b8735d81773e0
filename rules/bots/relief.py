"""Who answers for the seats of a match when bots cannot be left to play.

A seat of the bot `name` is answered for by that bot, then by RESERVE, then by nobody: default answers to the end. A bot
that raises or answers illegally too often loses its seat. A bot that takes too long loses every seat of the match that
has its name, since somebody waits for each time it is asked, and so does RESERVE.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from rules.bots.guard import OVERRAN

RESERVE = "greedy"
"""Who takes over: it looks one step ahead and needs a millisecond for it."""

LIVES = 3
"""So many times a bot may raise or answer illegally in one seat; then it is no longer asked there."""

Mistake = tuple[str, str]
"""A fault of the bot that answered for a side: the side and the fault's code."""


class Relief:
    """Says who answers for the seats of one match, after what bots did wrong in it so far."""

    def __init__(self, names: Mapping[str, str], mistakes: Iterable[Mistake] = ()) -> None:
        """`names` are the bots by side; `mistakes` stand in the order in which they were made, whatever the side."""
        self._names = dict(names)
        self._too_slow: set[str] = set()
        self._lives: dict[str, tuple[int, int]] = {}
        for side, fault in mistakes:
            self.note(side, fault)

    def who_answers(self, side: str, name: str, is_late: bool = False) -> str | None:
        """Return the bot that answers for a side, which is a seat of the bot `name`; None for default answers.

        Where it `is_late`, all bots together having thought for too long, nobody but RESERVE is asked any more.
        """
        self._names[side] = name
        left = self._left(side)
        if is_late:
            return RESERVE if RESERVE in left else None
        return left[0] if left else None

    def note(self, side: str, fault: str) -> None:
        """Whoever answered for a side failed at it."""
        left = self._left(side)
        if not left:
            return
        if fault == OVERRAN:
            self._too_slow.add(left[0])
            return
        place = self._line(side).index(left[0])
        kept, lives = self._lives.get(side, (0, LIVES))
        lives = (lives if kept == place else LIVES) - 1
        self._lives[side] = (place, lives) if lives else (place + 1, LIVES)

    def _line(self, side: str) -> list[str]:
        """Who may answer for a side, in this order. A seat that is no bot's any more was that of a bot without name."""
        name = self._names.get(side, "")
        return [name] if name == RESERVE else [name, RESERVE]

    def _left(self, side: str) -> list[str]:
        """The same without those who lost this seat, or every seat."""
        first = self._lives.get(side, (0, LIVES))[0]
        return [name for name in self._line(side)[first:] if name not in self._too_slow]
