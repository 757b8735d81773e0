"""The board of a match in words: what stands in which hex, and the terrain and height of every hex."""

from __future__ import annotations

from collections.abc import Iterator

from django.utils.translation import gettext

from catalogue.presenters.arena_words import ArenaWords, in_words
from matches.presenters.board import BoardView


def words_of(board: BoardView) -> ArenaWords:
    """Return a board in words, in the reader's language."""
    things: dict[str, list[str]] = {}
    for code, sentence in _things(board):
        things.setdefault(code, []).append(sentence)
    return in_words(board.hexes, things)


def _things(board: BoardView) -> Iterator[tuple[str, str]]:
    for unit in board.units:
        who = {"label": unit.label, "name": unit.name, "clock": unit.clock}
        yield unit.hex, gettext("%(label)s, %(name)s, facing %(clock)s o’clock") % who
    for unit in board.wrecks:
        yield unit.hex, gettext("%(label)s, %(name)s, was eliminated here") % {"label": unit.label, "name": unit.name}
    for token in board.tokens:
        yield token.hex, gettext("target token, defense %(defense)s") % {"defense": token.defense}
    for flag in board.flags:
        yield flag.hex, gettext("the flag of %(label)s") % {"label": flag.label}
