"""Names of units in the words of a match: two of one name are told apart by their stables (O-S7)."""

from __future__ import annotations

from typing import Any

from matches.selectors.sides import names_in
from rules.wording.isolation import isolated


def side(key: str, *units: str, name: str | None = None, owners: tuple[str, ...] = ()) -> dict[str, Any]:
    loadouts = [{"id": f"{key}-{number}", "unit": {"name": unit}} for number, unit in enumerate(units, 1)]
    for loadout, owner in zip(loadouts, owners, strict=False):
        loadout["owner"] = owner
    return {"id": key, "units": loadouts, **({} if name is None else {"name": name})}


def names(*sides: dict[str, Any]) -> list[str]:
    found = names_in({"sides": list(sides)})
    return [found[unit["id"]] for each in sides for unit in each["units"]]


def test_o_s7_units_of_one_name_get_their_stable() -> None:
    found = names(side("red", "Hunchback", "Wolf", name="Anna’s Arrows"), side("blue", "Hunchback", name="Benders"))
    assert found == [isolated(name) for name in ("Hunchback (Anna’s Arrows)", "Wolf", "Hunchback (Benders)")]


def test_without_stables_they_get_their_side() -> None:
    found = names(side("red", "Hunchback"), side("blue", "Hunchback"))
    assert found == [isolated("Hunchback (Red)"), isolated("Hunchback (Blue)")]


def test_q_168_stables_that_share_a_side_each_have_their_own_name() -> None:
    shared = side("red", "Crab", "Crab", name="Ash + Birch", owners=("Ash", "Birch"))
    assert names(shared, side("blue", "Wolf")) == [isolated(name) for name in ("Crab (Ash)", "Crab (Birch)", "Wolf")]


def test_two_copies_of_one_stable_are_numbered() -> None:
    found = names(side("red", "Crab", "Crab", name="Ash"), side("blue", "Wolf", name="Birch"))
    assert found == [isolated(name) for name in ("Crab (Ash)", "Crab #2 (Ash)", "Wolf")]
