"""What a page carries from the preview of files to the press that confirms it: text that is checked again."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict
from functools import cache
from typing import Any

from rules.challenge.book.price_list import LONGEST_NAME, MOST_PRICE, id_of
from rules.challenge.entries import TRUTH
from rules.challenge.mech_files.gathering import MechFiles, joined
from rules.challenge.mech_files.reading import (
    FILE,
    FORMULA,
    LONGEST_ITEM,
    MOST_ITEMS,
    MOST_MECHS,
    MOST_MOVEMENT,
    FileMech,
)
from rules.challenge.mechs import FLAGS, LEAST_TONS, MOST_TONS, TECHNOLOGIES
from rules.core.refusals import Malformed
from rules.core.shape_checks import Check, check_of, place, shown
from rules.core.shapes import Schema, listed, or_null, record, text, whole, word

LONGEST_CARRIED = 2_000_000
"""Letters of what a page carries from its preview to the press that confirms it."""
_ITEMS = listed(text(LONGEST_ITEM), 0, MOST_ITEMS)
_MECH = record(
    {
        "name": text(LONGEST_NAME),
        "tons": whole(LEAST_TONS, MOST_TONS),
        "tech": word(*TECHNOLOGIES),
        "omni": TRUTH,
        "walk": whole(0, MOST_MOVEMENT),
        "jump": whole(0, MOST_MOVEMENT),
        "cost": or_null(whole(1, MOST_PRICE)),
        "basis": word("", FORMULA, FILE),
        "flags": or_null(listed(word(*FLAGS), 0, len(FLAGS))),
        "open_leg_slots": or_null(listed(whole(0, 12), 2, 2)),
        "unknown": _ITEMS,
        "unpriced": _ITEMS,
    },
    ["name", "tons", "tech", "omni", "walk", "jump"],
)
CARRIED: Schema = record(
    {"mechs": listed(_MECH, 0, MOST_MECHS), "named": listed(text(LONGEST_NAME), 0, MOST_MECHS)}, ["mechs", "named"]
)
"""What `carry` writes."""


def carry(found: MechFiles) -> str:
    """Return the 'Mechs and names of files as text, which `read_carried` reads again."""
    document = {"mechs": [_bare(asdict(mech)) for mech in found.mechs], "named": found.named}
    return json.dumps(document, ensure_ascii=False, separators=(",", ":"))


def _bare(document: dict[str, Any]) -> dict[str, Any]:
    """Return a 'Mech without what its reader adds anyway."""
    dull = {"cost": None, "basis": "", "flags": None, "open_leg_slots": None, "unknown": (), "unpriced": ()}
    return {key: value for key, value in document.items() if key not in dull or value != dull[key]}


@cache
def _check() -> Check:
    return check_of(CARRIED)


def read_carried(text: str) -> MechFiles:
    """Return what a page carries from its preview. Raises Malformed (bad_challenge)."""
    if len(text) > LONGEST_CARRIED:
        raise Malformed("bad_challenge", field="mechs", problem="too_long", longest=LONGEST_CARRIED)
    try:
        document = json.loads(text)
    except (ValueError, RecursionError) as fault:
        raise Malformed("bad_challenge", field="mechs", problem="wrong_format", value=shown(text)) from fault
    problem = next(_check().faults(document), None)
    if problem is not None:
        field = place(problem.path)[1] or "mechs"
        raise Malformed("bad_challenge", field=field, problem=problem.code, **problem.parameters)
    mechs = [_mech(row) for row in document["mechs"]]
    for name in (*document["named"], *(mech.name for mech in mechs)):
        if not id_of(name):
            raise Malformed("bad_challenge", field="name", problem="wrong_format", value=shown(name))
    return MechFiles(tuple(joined((mech.name, mech) for mech in mechs)[0]), tuple(document["named"]))


def _mech(row: Mapping[str, Any]) -> FileMech:
    values: dict[str, Any] = {key: tuple(value) if isinstance(value, list) else value for key, value in row.items()}
    return FileMech(**values)
