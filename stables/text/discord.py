"""Text as Discord reads it: names without marks of their own, moments in each reader's time, and limits that hold.

A text is a list of pieces that are never cut apart: a letter with its backslash, a moment, a mention.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from django.utils.translation import gettext

from rules.wording.filling import MISSING, shown
from rules.wording.isolation import isolated
from stables.text.log import log_sentence

Pieces = list[str]

CONTENT, TITLE = 2000, 256
"""The longest texts that Discord takes, in UTF-16 units."""
MOST_MENTIONS = 100
"""The most accounts that one message may mention."""
DEADLINES = frozenset(("deadline_moved", "fixture_extended", "no_show_claimed", "sudden_death_extended"))
"""Codes of the log with a moment that is the last one for something: the message also says how long it is from now."""
LAST = frozenset(("at", "date"))
"""The parameters of these that hold it."""

_MARKS = frozenset("\\*_~`|<>#-+[]()@:!")
"""Characters that Discord may read as markup, a mention, an emoji or a link, unless a backslash stands before them."""
_MOMENT = re.compile(
    r"[0-9]{4}-[0-9]{2}-[0-9]{2}[T ][0-9]{2}:[0-9]{2}(?::[0-9]{2}(?:\.[0-9]+)?)?(?: ?UTC|Z|[+-][0-9]{2}:[0-9]{2})"
)
_PLACEHOLDER = re.compile(r"\{(\w+)\}")
_FIRST, _LAST = "\ue000", "\ue001"
"""Letters of no script (private use). They stand around the number of a moment while a sentence is filled."""
_PLACE = re.compile(f"{_FIRST}([0-9]+){_LAST}")


def length(text: str) -> int:
    """Return how long Discord takes a text to be, in UTF-16 units."""
    return len(text.encode("utf-16-le", "surrogatepass")) // 2


def pieces_of(text: str) -> Pieces:
    """Return a text in one line with its markup escaped."""
    return [f"\\{letter}" if letter in _MARKS else letter for letter in re.sub(r"\s+", " ", text)]


def escaped(text: str, most: int) -> str:
    """Return a text in one line with its markup escaped, cut with an ellipsis beyond `most` UTF-16 units."""
    return cut(pieces_of(text.strip()), most)


def cut(pieces: Sequence[str], most: int) -> str:
    """Return pieces as a text; beyond `most` UTF-16 units an ellipsis takes the place of the last pieces."""
    whole = "".join(pieces)
    if length(whole) <= most:
        return whole
    kept, left = [], most - 1
    for piece in pieces:
        left -= length(piece)
        if left < 0:
            break
        kept.append(piece)
    return f"{''.join(kept)}…"


def filled(template: str, values: Mapping[str, Pieces | str | int]) -> Pieces:
    """Return the template with its placeholders replaced; pieces stay as they are, all other values are escaped."""
    found: Pieces = []
    for number, part in enumerate(_PLACEHOLDER.split(template)):
        value = values.get(part, MISSING) if number % 2 else part
        found += value if isinstance(value, list) else pieces_of(shown(value) if number % 2 else part)
    return found


def moment(at: datetime, *, is_deadline: bool = False) -> str:
    """Return a moment that each reader sees in their own time zone; a deadline also says how long it is from now."""
    seconds = int(at.timestamp())
    return f"<t:{seconds}:f>" + (f" (<t:{seconds}:R>)" if is_deadline else "")


def read_moment(value: Any) -> datetime | None:
    """Return the moment that a parameter of the log holds, with its zone; None for anything else."""
    if not isinstance(value, str) or not _MOMENT.fullmatch(value):
        return None
    try:
        return datetime.fromisoformat(re.sub(r" ?UTC$", "+00:00", value))
    except ValueError:
        return None


def news(code: str, parameters: Mapping[str, Any]) -> Pieces:
    """Return the sentence of a line of the log, with each parameter that is a moment in the reader's time."""
    moments: list[str] = []
    values = {
        name: _placed(value, moments, is_last=code in DEADLINES and name in LAST) for name, value in parameters.items()
    }
    pieces: Pieces = []
    for number, part in enumerate(_PLACE.split(log_sentence(code, values).strip())):
        if number % 2 and int(part) < len(moments):
            pieces.append(moments[int(part)])
        else:
            pieces += pieces_of(part)
    return pieces


def _placed(value: Any, moments: list[str], *, is_last: bool) -> Any:
    """Return a value with a place for each moment in it, and add the moments to the list in the order of places."""
    if isinstance(value, Mapping):
        return {name: _placed(each, moments, is_last=is_last) for name, each in value.items()}
    if isinstance(value, (list, tuple)):
        return [_placed(each, moments, is_last=is_last) for each in value]
    found = read_moment(value)
    if found is None:
        return value
    moments.append(moment(found, is_deadline=is_last))
    return f"{_FIRST}{len(moments) - 1}{_LAST}"


def mentioned(name: str, *discord_ids: str) -> Pieces:
    """Return a name, with the mentions of accounts of Discord behind it; an id "" mentions nobody."""
    return [*pieces_of(isolated(name)), *(f" <@{discord_id}>" for discord_id in discord_ids if discord_id)]


def joined(parts: Sequence[Pieces], between: str) -> Pieces:
    """Return texts in a row with `between` between them, which is not escaped."""
    found: Pieces = []
    for number, part in enumerate(parts):
        found += part if number == 0 else [between, *part]
    return found


def turn_of(names: Sequence[Pieces]) -> Pieces:
    """Return the sentence that names those who must act now."""
    return filled(gettext("It is up to {names} now."), {"names": joined(names, ", ")})
