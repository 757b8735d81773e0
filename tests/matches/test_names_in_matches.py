"""Names of units and opponents in the words of matches; those that are the same get their stables (O-S7)."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

from matches.selectors.sides import names_in, opponents_in
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


class _Seats(list[Any]):
    def all(self) -> list[Any]:
        return self


def seat(side: str, user: str | None = None, bot: str = "") -> Any:
    who = None if user is None else SimpleNamespace(get_username=lambda: user)
    return SimpleNamespace(side=side, user=who, bot=bot)


def meeting(setup: list[dict[str, Any]], *seats: Any) -> list[str]:
    match: Any = SimpleNamespace(setup={"sides": setup}, seats=_Seats(seats))
    return [side.name for side in opponents_in(match)]


def test_o_s12_a_match_of_a_season_is_named_by_its_stables() -> None:
    setup = [side("red", "Centurion", name="Anna’s Arrows"), side("blue", "Centurion", name="Benders")]
    assert meeting(setup, seat("red", "anna"), seat("blue", bot="greedy")) == ["Anna’s Arrows", "Benders"]


def test_a_friendly_match_is_named_by_player_bot_or_colour() -> None:
    setup = [side("red", "Centurion"), side("blue", "Wolf")]
    assert meeting(setup, seat("red", "anna"), seat("blue", bot="greedy")) == ["anna", "AI (Fair)"]
    assert meeting(setup, seat("red", "anna"), seat("blue")) == ["anna", "Blue"]
