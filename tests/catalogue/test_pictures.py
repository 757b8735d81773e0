"""Dials and bases as shapes, and the marks on them."""

import re
from math import hypot
from typing import Any

import pytest
from django.conf import settings

from catalogue.presenters.dial_picture import HUB, RIM, base_view, combat_wheel, heat_wheel
from catalogue.text.marks import EQUIPMENT_MARKS, HEAT_MARKS
from rules.catalogue import load_builtin
from rules.catalogue.vocabulary import DIAL_VALUES, EQUIPMENT_PLACES
from rules.core.definition_checks import HEAT_EFFECT_PLACES
from rules.core.words import HEAT_VALUES

UNITS = load_builtin().units


@pytest.mark.parametrize("key", UNITS)
def test_a_wheel_says_what_the_dial_says(key: str) -> None:
    unit = UNITS[key]
    wheel = combat_wheel(unit)
    assert [[cell.text for cell in sector.cells] for sector in wheel.sectors] == [
        [str(click[value]) for value in DIAL_VALUES] for click in unit["dial"]
    ]
    for sector, click in zip(wheel.sectors, unit["dial"], strict=True):
        for value, cell in zip(DIAL_VALUES, sector.cells, strict=True):
            item = click["equipment"].get(value)
            shown = item["key"] if isinstance(item, dict) else item
            assert bool(cell.path) == bool(shown)
            assert cell.code == (EQUIPMENT_MARKS[shown].code if shown else "")
            assert HUB < hypot(cell.x, cell.y) < RIM
        assert sector.marker == ("start" if sector.number == "1" else "repair" if click["repair_marker"] else "")


@pytest.mark.parametrize("key", UNITS)
def test_a_heat_wheel_ends_in_shutdown(key: str) -> None:
    unit = UNITS[key]
    *steps, last = heat_wheel(unit).sectors
    assert [sector.number for sector in steps] == [str(number) for number in range(len(unit["heat"]))]
    assert (last.marker, last.number) == ("shutdown", str(len(unit["heat"])))
    for sector, step in zip(steps, unit["heat"], strict=True):
        assert [cell.code for cell in sector.cells] == [
            HEAT_MARKS[step["effects"][value]].code if value in step["effects"] else "" for value in HEAT_VALUES
        ]


def test_every_equipment_and_effect_has_a_code_of_its_own_and_a_colour_of_its_place() -> None:
    assert EQUIPMENT_MARKS.keys() == EQUIPMENT_PLACES.keys()
    assert HEAT_MARKS.keys() == HEAT_EFFECT_PLACES.keys()
    codes = [mark.code for mark in (*EQUIPMENT_MARKS.values(), *HEAT_MARKS.values())]
    assert len(codes) == len(set(codes))
    for marks, places in ((EQUIPMENT_MARKS, EQUIPMENT_PLACES), (HEAT_MARKS, HEAT_EFFECT_PLACES)):
        pairs = [(places[key], mark.colour) for key, mark in marks.items()]
        assert len(pairs) == len(set(pairs))


@pytest.mark.parametrize(
    ("front", "rear", "turns"),
    [(180, 90, ("M0 0L-60 ", "M0 0L42.43 42.43")), (270, 0, ("M0 0L-42.43 42.43", "")), (360, 0, ("M0 -60", ""))],
)
def test_the_arcs_of_a_base(front: int, rear: int, turns: tuple[str, str]) -> None:
    unit: dict[str, Any] = {"front_arc": front, "rear_arc": rear}
    view = base_view(unit)
    assert view.front.startswith(turns[0])
    assert view.rear.startswith(turns[1])
    assert bool(view.rear) == bool(rear)


@pytest.mark.parametrize(("template", "size"), [("unit_dials", 9), ("sheet_card", 11)])
def test_the_degrees_of_the_front_stand_clear_below_the_arrow(template: str, size: int) -> None:
    """Capitals and digits are three quarters of their size high; the foot of the arrow is at -46."""
    text = (settings.BASE_DIR / "templates" / "catalogue" / f"{template}.html").read_text(encoding="utf-8")
    front_y = re.search(r'front_y="(-\d+)"', text)
    assert front_y is not None
    assert int(front_y[1]) - size * 0.75 >= -46 + 2
