"""Files of programs for another game, which collectors of this one have on their disks, too."""

from __future__ import annotations

import re

from rules.catalogue.problems import CatalogueError, Problem

HEAD = 4000
"""The characters at the beginning of a file that are looked at."""

_ENDINGS = {".mul": "MegaMek", ".mtf": "MegaMek", ".blk": "MegaMek", ".cpnx": "MekHQ", ".ssw": "Solaris Skunk Werks"}

_SIGNS = (
    (re.compile(r"<(?:unit|entity|record)\b[^>]{0,500}\b(?:chassis|version)=", re.IGNORECASE), "MegaMek"),
    (re.compile(r"<campaign\b[^>]{0,200}\bversion=", re.IGNORECASE), "MekHQ"),
    (re.compile(r"(?:^|\n)(?:chassis|config|techbase):", re.IGNORECASE), "MegaMek"),
    (re.compile(r"<BlockVersion>|<UnitType>", re.IGNORECASE), "MegaMek"),
    (re.compile(r"<mech\b[^>]{0,500}\b(?:tons|solaris7id)=", re.IGNORECASE), "Solaris Skunk Werks"),
)

_BATTLE_VALUE = re.compile(r"(?:\b|_|\")(?:bv2?|battle[ _]?value)(?:\b|_|\")", re.IGNORECASE)
_OF_THIS_GAME = re.compile(r"dial|attack|defen[cs]e", re.IGNORECASE)

_VALUES = "battle_values"
"""What such a file is, as a key of `rules.catalogue.wording.NAMES`."""


def refuse_other_game(file: str, text: str) -> None:
    """Raise CatalogueError (file_of_other_game) for a file of MegaMek, MekHQ or Solaris Skunk Werks, by its name or its
    beginning, and for a list of battle values.
    """
    head = text[:HEAD]
    refuse_other_program(file, head)
    if _BATTLE_VALUE.search(head) and not _OF_THIS_GAME.search(head):
        raise _error(file, _VALUES)


def refuse_other_program(file: str, text: str) -> None:
    """Raise CatalogueError (file_of_other_game) for a file of MegaMek, MekHQ or Solaris Skunk Werks."""
    program = next((name for ending, name in _ENDINGS.items() if file.lower().endswith(ending)), None)
    if program is None:
        program = next((name for sign, name in _SIGNS if sign.search(text[:HEAD])), None)
    if program is not None:
        raise _error(file, program)


def _error(file: str, program: str) -> CatalogueError:
    return CatalogueError([Problem(file, None, None, None, None, "file_of_other_game", {"program": program})])
