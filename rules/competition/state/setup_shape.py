"""The form of a setup around the definitions that it embeds, which their own readers check later."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from rules.core.inline import LONGEST_ID, details
from rules.core.refusals import Malformed
from rules.core.shape_checks import Check, check_of
from rules.core.shapes import ANYTHING, LONGEST_DIAL, each, listed, or_null, record, text, whole

MOST_UNITS = 8
"""The most units of a match, and so the most sides."""

_DEFINITION = each(ANYTHING)
_LOADOUT = record(
    {
        "id": text(LONGEST_ID),
        "unit": _DEFINITION,
        "pilot": or_null(_DEFINITION),
        "gear": or_null(listed(_DEFINITION, 0, LONGEST_DIAL)),
        "clicks": whole(0, LONGEST_DIAL - 1),
        "hand": or_null(listed(_DEFINITION, 0, LONGEST_DIAL)),
        "owner": or_null(text(LONGEST_ID)),
    },
    ["id", "unit"],
)
_SIDE = record(
    {
        "id": text(LONGEST_ID),
        # What pages call the side; the rules do not read it.
        "name": or_null(text(LONGEST_ID)),
        "units": listed(_LOADOUT, 1, MOST_UNITS - 1),
        "tokens": or_null(listed(_DEFINITION, 0, LONGEST_DIAL)),
    },
    ["id", "units"],
)
SETUP = record(
    {
        "schema": ANYTHING,
        "format": text(),
        "arena": _DEFINITION,
        "sides": listed(_SIDE, 2, MOST_UNITS),
        "house_rules": or_null(each(ANYTHING)),
    },
    ["format", "arena", "sides"],
)


def require_setup(document: object) -> None:
    """Raise Malformed("bad_setup") with `field`, `problem` and its parameters unless the document has this form."""
    check = _check()
    if not check.fits(document):
        raise Malformed("bad_setup", **details(next(check.faults(document)), "setup"))


@cache
def _check() -> Check:
    return check_of(SETUP)


def require_different(names: Mapping[str, str]) -> None:
    """Raise Malformed("bad_setup") when two of these fields (field to name) have the same name."""
    first: dict[str, str] = {}
    for field, name in names.items():
        if name in first:
            raise Malformed("bad_setup", field=field, problem="duplicate_id", other=first[name])
        first[name] = field
