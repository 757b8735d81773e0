"""Stand-ins for database ids: numbers, codes, names of people; and keys made of them."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from rules.core.refusals import Malformed
from stables.documents import values

Stand = int | str
LEFT = "?"
"""The prefix of the stand-in of a person who has deleted their account: "?1"."""

OTHER = "other:"
"""The prefix of idempotency keys whose form this version does not know."""

_PARTS = re.compile(r"(?:^|(?<=:))(?:(stable|asset|result|fixture):(\d+)|(?<!:)(cycle):(\d+))(?=:|$)")
_STAND_INS = re.compile(r"(stable|asset|result|fixture|cycle):\{([^{}]*)\}")
_SHAPE = re.compile(
    r"(stable:\{\d+\}:(starting_capital|cycle:\d+:sponsor_grant)"
    r"|asset:\{[^{}]+\}:((buy|sell):\d+|repair:\d+:\w+:\w+(:again:\d+)?)"
    r"|cycle:\{\d+\}:stable:\{\d+\}:purse"
    r"|result:\{[^{}]+\}:correction:\d+:(asset:\{[^{}]+\}|purse:\d+):stable:\{\d+\}"
    r"|fixture:\{[^{}]+\}(:correction:\d+)?:(stable:\{\d+\}|asset:\{[^{}]+\}))(:withheld)?",
    re.ASCII,
)
_TABLE_OF: Mapping[str, str] = {
    "stable": "stables",
    "asset": "assets",
    "result": "results",
    "fixture": "fixtures",
    "cycle": "cycles",
}


class Names:
    """The stand-ins of rows by table and id, and the ids by stand-in, collected while tables are written or read."""

    def __init__(self, season_id: int) -> None:
        self.season_id = season_id
        self._stands: dict[str, dict[int, Stand]] = {}
        self._ids: dict[str, dict[Stand, int]] = {}

    def add(self, table: str, pk: int, stand: Stand, place: str = "") -> None:
        """Give a row its stand-in. Raises Malformed (season_document_twice) when another row has it."""
        known = self._ids.setdefault(table, {})
        if known.get(stand, pk) != pk:
            raise Malformed("season_document_twice", place=place, name=str(stand))
        known[stand] = pk
        self._stands.setdefault(table, {})[pk] = stand

    def stand(self, table: str, pk: int | None) -> Stand | None:
        """Return the stand-in of a row; None if `pk` is None or the row has no stand-in."""
        return None if pk is None else self._stands.get(table, {}).get(pk)

    def pk(self, table: str, stand: Any, place: str) -> int:
        """Return the id of the row behind a stand-in. Raises Malformed (season_document_unknown_name)."""
        found = self._ids.get(table, {}).get(stand) if type(stand) in (int, str) else None
        if found is None:
            raise Malformed("season_document_unknown_name", place=place, name=str(stand)[:100], table=table)
        return found

    def all(self, table: str) -> dict[Stand, int]:
        """Return every stand-in of a table with its id."""
        return dict(self._ids.get(table, {}))

    # Keys of books ---------------------------------------------------------------------------------------------------

    def written_key(self, key: str) -> str:
        """Return an idempotency key with stand-ins for ids: "asset:{3:unit:SOL002:1}:buy:1".

        A key of an unknown form keeps its ids and gets the prefix OTHER.
        """
        own = f"season:{self.season_id}:{OTHER}"
        if key.startswith(own):
            return OTHER + key.removeprefix(own)
        made = _PARTS.sub(self._tell_part, key)
        return made if _SHAPE.fullmatch(made) else f"{OTHER}{key}"

    def _tell_part(self, part: re.Match[str]) -> str:
        word, number = (part[1], part[2]) if part[1] else (part[3], part[4])
        stand = self.stand(_TABLE_OF[word], int(number))
        return part[0] if stand is None else f"{word}:{{{stand}}}"

    def read_key(self, key: str, place: str) -> str:
        """Return an idempotency key with ids for its stand-ins.

        A key with the prefix OTHER gets the season's id before it, so that keys of two seasons never meet. Raises
        Malformed (season_document_bad_value, season_document_unknown_name).
        """
        if key.startswith(OTHER):
            return f"season:{self.season_id}:{key}"
        if not _SHAPE.fullmatch(key):
            raise values.wrong_format(place, key)

        def put(part: re.Match[str]) -> str:
            table = _TABLE_OF[part[1]]
            stand: Stand = int(part[2]) if table in ("stables", "cycles") else part[2]
            return f"{part[1]}:{self.pk(table, stand, place)}"

        return _STAND_INS.sub(put, key)
