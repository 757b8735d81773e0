"""The dial of a figure on a phone: how many presses of a thumb it takes to type one."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from catalogue.models import CatalogueEntry
from rules.catalogue import load_builtin
from rules.catalogue.vocabulary import DIAL_VALUES
from rules.core.words import DAMAGE_VALUES, HEAT_VALUES
from tests.catalogue.dial_presses import CHOSEN, WRITTEN, presses_of_base, presses_of_dial
from tests.waiting import DEADLINE_SECONDS

from .conftest import Site, Visit, log_in
from .faults import faults_of
from .playing import follow

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

MOST_PRESSES = 180
"""Three minutes at a press a second: for a whole figure, from its base to its page in a collection."""


class Thumb:
    """A thumb that types into the page, and counts: each tap on the page and each key of its keyboard is a press."""

    def __init__(self, page: Page) -> None:
        self.page, self.presses = page, 0

    def tap(self, found: Any) -> None:
        found.click()
        self.presses += 1

    def write(self, name: str, text: str) -> None:
        """Write into a field, unless it says so already: a tap, and a key for each letter or one that empties it.

        Only what is selected by the tap is replaced.
        """
        field = self.page.locator(f"[name={name}]")
        if field.input_value() == text:
            return
        self.tap(field)
        if text:
            self.page.keyboard.type(text)
        else:
            self.page.keyboard.press("Backspace")
        self.presses += max(1, len(text))
        expect(field).to_have_value(text)

    def choose(self, name: str, word: str) -> None:
        """Choose from a list, unless it is chosen: a tap that opens it, and one on the word."""
        field = self.page.locator(f"[name={name}]")
        if field.input_value() != word:
            field.select_option(word)
            self.presses += 2

    def tick(self, name: str, value: str | None, *, is_on: bool = True) -> None:
        """Press a box, or the button with this value, unless it is as it should be."""
        field = self.page.locator(f"[name={name}]" + ("" if value is None else f'[value="{value}"]'))
        if not field.count() or field.is_checked() is is_on:
            return
        if not field.is_visible():
            self.tap(field.locator("xpath=ancestor::details/summary"))
        self.tap(field)

    def button(self, name: str) -> None:
        follow(self.page.get_by_role("button", name=name, exact=True))
        self.presses += 1


def _base(thumb: Thumb, unit: Mapping[str, Any]) -> None:
    for name in WRITTEN:
        thumb.write(name, str(unit[name]))
    for name in CHOSEN:
        thumb.choose(name, str(unit[name]))
    for value in DAMAGE_VALUES:
        thumb.choose(f"{value}-type", unit[value]["type"])
        thumb.write(f"{value}-targets", str(unit[value]["targets"]))
        for end, number in enumerate(unit[value]["range"]):
            thumb.write(f"{value}-range-{end}", str(number))


def _click(thumb: Thumb, number: int, click: Mapping[str, Any]) -> None:
    row = f"dial-{number}"
    for value in DIAL_VALUES:
        thumb.write(f"{row}-{value}", str(click[value]))
        item = click["equipment"].get(value, "")
        key, is_circle = (item, False) if isinstance(item, str) else (item["key"], bool(item.get("single_use")))
        thumb.tick(f"{row}-equipment-{value}", key)
        thumb.tick(f"{row}-circle-{value}", None, is_on=is_circle)
    thumb.tick(f"{row}-repair_marker", None, is_on=click["repair_marker"])


def _step(thumb: Thumb, number: int, step: Mapping[str, Any]) -> None:
    row = f"heat-{number}"
    for value in HEAT_VALUES:
        thumb.write(f"{row}-{value}", str(step[value]))
        thumb.tick(f"{row}-effects-{value}", step["effects"].get(value, ""))


def test_a_whole_figure_is_typed_with_few_presses(visit: Visit, site: Site) -> None:
    """An average one: of the game's own units half need more presses for their dials than this, and half need fewer.
    Its screens fit a phone in both schemes, and axe finds nothing grave.
    """
    wanted = {**load_builtin().units["SOL002"], "set": "ICE", "id": "ICE002", "statistics": "printed"}
    visit.page.set_default_timeout(DEADLINE_SECONDS * 1000)
    log_in(visit, site, "player")
    page = visit.open(site.season.split("/seasons/")[0] + "/catalogue/editor/dial/")
    thumb = Thumb(page)
    _base(thumb, wanted)
    thumb.button("Next click")
    last = len(wanted["dial"]) - 1
    for number, click in enumerate(wanted["dial"]):
        expect(page.get_by_role("heading", level=1)).to_have_text(f"Click {number + 1}")
        _click(thumb, number, click)
        assert number != 1 or faults_of(page) == []
        thumb.button("Next click" if number < last else "That was the last click")
    last = len(wanted["heat"]) - 1
    for number, step in enumerate(wanted["heat"][1:], 1):
        expect(page.get_by_role("heading", level=1)).to_have_text(f"Heat {number}")
        _step(thumb, number, step)
        assert number != 1 or faults_of(page) == []
        thumb.button("Next heat" if number < last else "Shutdown comes next")
    expect(page.get_by_role("heading", level=1)).to_have_text("Look at it and save it")
    assert faults_of(page) == []
    thumb.button("Save the unit")
    expect(page.locator(".messages")).to_contain_text("is in the collection")
    assert CatalogueEntry.objects.get(key="ICE002").definition == wanted
    assert thumb.presses <= MOST_PRESSES, thumb.presses
    assert thumb.presses == presses_of_base(wanted) + presses_of_dial(wanted), "so the counts of other dials hold too"
