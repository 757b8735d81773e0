"""A dial typed from a figure on a phone: one click a screen, colours as buttons, and each row begins as the one before.

The numbers are made up for the test.
"""

from html.parser import HTMLParser
from typing import Any

import pytest
from django.contrib.auth import get_user_model
from django.test import Client
from django.urls import reverse

from catalogue.models import CatalogueRelease, Collection
from catalogue.services.collections import latest_version
from catalogue.services.files import release_document
from rules.catalogue import Catalogue, load_builtin
from rules.catalogue.dial_entry import (
    Screen,
    after,
    before,
    blank_figure,
    completed,
    ended,
    opened,
    repeated,
    screen_named,
    screen_of,
    so_far,
)
from tests.catalogue.dial_presses import presses_of_base, presses_of_dial

MOST_OF_A_DIAL = 150
"""Presses from the first click of any figure of the game until it is saved."""
MOST_OF_A_FIGURE = 180
"""Three minutes at a press a second, from the base of any figure of the game until it is saved."""

BASE = {"set": "ZZ", "number": "7", "name": "Testbed", "variant": "TST-1-L", "points": "99"}
FIRST = {"primary": "4", "secondary": "3", "speed": "9", "attack": "9", "defense": "20"}


def figure() -> dict[str, Any]:
    return completed({**blank_figure(), **BASE, "number": 7, "points": 99})


def numbers() -> dict[str, int]:
    return {value: int(number) for value, number in FIRST.items()}


def test_a_new_row_is_as_the_one_before_it_without_its_marker() -> None:
    unit = figure()
    assert opened(unit, Screen("click", 0)) == Screen("click", 0)
    unit["dial"][0] |= {**numbers(), "repair_marker": True, "equipment": {"speed": "evade"}}
    assert opened(unit, Screen("click", 1)) == Screen("click", 1)
    assert unit["dial"][1] == {**numbers(), "repair_marker": False, "equipment": {"speed": "evade"}}
    unit["dial"][1]["speed"] = 7
    repeated(unit, Screen("click", 1))
    assert unit["dial"][1]["speed"] == 9
    assert opened(unit, Screen("click", 30)) == Screen("click", 2), "no row is left out"


def test_the_first_step_of_the_heat_dial_is_free_and_has_no_screen() -> None:
    """R-HET-13."""
    unit = figure()
    assert opened(unit, Screen("step", 0)) == Screen("step", 1)
    assert [step["speed"] for step in unit["heat"]] == [0, 0]


def test_the_screens_follow_each_other_and_lead_back() -> None:
    unit = figure()
    for number in range(3):
        opened(unit, Screen("click", number))
    assert after(Screen("base")) == Screen("click", 0)
    assert after(Screen("click", 1)) == Screen("click", 2)
    assert ended(unit, Screen("click", 1)) == Screen("step", 1)
    assert len(unit["dial"]) == 2, "the dial ends with the row of the screen"
    opened(unit, Screen("step", 1))
    assert ended(unit, Screen("step", 1)) == Screen("end")
    back = [before(unit, place) for place in (Screen("end"), Screen("step", 1), Screen("click", 1), Screen("click", 0))]
    assert back == [Screen("step", 1), Screen("click", 1), Screen("click", 0), Screen("base")]


@pytest.mark.parametrize("screen", [Screen("base"), Screen("click", 3), Screen("step", 19), Screen("end")])
def test_a_screen_is_found_by_its_name(screen: Screen) -> None:
    assert screen_named(str(screen)) == screen


@pytest.mark.parametrize("name", ["", "click", "click-100", "click--1", "step-\u0661", "heat-1"])
def test_any_other_name_is_the_base(name: str) -> None:
    assert screen_named(name) == Screen("base")


def test_the_problems_up_to_a_screen_are_those_of_its_rows() -> None:
    unit = figure()
    opened(unit, Screen("click", 0))
    unit["dial"][0] |= numbers()
    assert Catalogue.from_documents([{"schema": 1, "units": [so_far(unit, Screen("click", 0))]}]).units["ZZ007"]
    assert screen_of("dial-3-equipment-speed") == Screen("click", 3)
    assert (screen_of("heat-2-speed"), screen_of("points")) == (Screen("step", 2), Screen("base"))


def test_each_dial_of_the_game_is_typed_with_few_presses() -> None:
    """A browser test types one of them, and counts the same presses on the page."""
    units = load_builtin().units
    average = {**units["SOL002"], "set": "ICE"}
    assert (presses_of_base(average), presses_of_dial(average)) == (47, 93), "counted by hand"
    dear = {key: presses_of_dial(unit) for key, unit in units.items() if presses_of_dial(unit) > MOST_OF_A_DIAL}
    assert dear == {}
    whole = {key: presses_of_base(unit) + presses_of_dial(unit) for key, unit in units.items()}
    assert {key: presses for key, presses in whole.items() if presses > MOST_OF_A_FIGURE} == {}


class Fields(HTMLParser):
    """The fields of the form of a page as a browser sends them."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.sent: dict[str, str] = {}
        self.select = ""
        self.is_inside = False
        self.feed(page)

    def handle_starttag(self, tag: str, found: list[tuple[str, str | None]]) -> None:
        given = dict(found)
        self.is_inside = given.get("id") == "dial-entry" if tag == "form" else self.is_inside
        name = given.get("name") or ""
        if not self.is_inside:
            return
        if tag == "select":
            self.select = name
        elif tag == "option" and ("selected" in given or self.select not in self.sent):
            self.sent[self.select] = given.get("value") or ""
        elif tag == "input" and name and (given.get("type") not in ("checkbox", "radio") or "checked" in given):
            self.sent[name] = given.get("value") or ("on" if given.get("type") == "checkbox" else "")


class Phone:
    """Somebody who types into the screens."""

    def __init__(self, client: Client) -> None:
        self.client = client
        self.answer: Any = client.get(reverse("catalogue:dial"))

    @property
    def at(self) -> str:
        return str(self.answer.context["at"])

    def press(self, asked: str, **typed: str) -> "Phone":
        """Fill in fields of the screen, whose names begin with its row, and press a button."""
        kind, _, number = self.at.partition("-")
        prefix = f"{dict(click='dial', step='heat')[kind]}-{number}-" if number else ""
        sent = Fields(self.answer.content.decode()).sent
        sent |= {prefix + name.replace("__", "-"): text for name, text in typed.items()}
        self.answer = self.client.post(reverse("catalogue:dial"), {**sent, "do": asked})
        return self


@pytest.fixture
def phone(client: Client, release: CatalogueRelease) -> Phone:
    client.force_login(get_user_model().objects.create_user("collector", "c@example.org", "a long pass phrase"))
    return Phone(client)


@pytest.mark.django_db
def test_a_figure_is_typed_click_by_click_and_shared(phone: Phone) -> None:
    phone.press("next", **BASE)
    assert phone.at == "click-0"
    phone.press("next", **FIRST, equipment__primary="pulse", circle__primary="on", equipment__speed="jump_jets")
    assert "red · Pulse" in phone.answer.content.decode()
    assert "Colour: red · Pulse, in a circle</summary>" in phone.answer.content.decode()
    phone.press("before").press("next", speed="8", equipment__speed="", repair_marker="on").press("end", speed="7")
    assert phone.at == "step-1"
    phone.press("next").press("end", speed="\u22121", effects__speed="avoid_shutdown")
    assert phone.at == "end"
    assert phone.answer.context["problems"] == []
    answer = phone.press("save", new_collection="League", audience="everybody").answer
    assert answer.status_code == 302
    collection = Collection.objects.get()
    assert collection.audience == Collection.Audience.EVERYBODY
    version = latest_version(collection)
    assert version is not None
    [unit] = release_document(version.release, ["units"])["units"]
    assert (unit["id"], unit["class"], unit["statistics"]) == ("ZZ007", "light", "printed")
    assert [click["speed"] for click in unit["dial"]] == [9, 9, 8, 7]
    assert [click["repair_marker"] for click in unit["dial"]] == [False, False, True, False]
    pulse = {"key": "pulse", "single_use": True}
    assert [click["equipment"] for click in unit["dial"]] == [{"primary": pulse, "speed": "jump_jets"}] * 2 + [
        {"primary": pulse}
    ] * 2
    assert [step["speed"] for step in unit["heat"]] == [0, 0, -1]


@pytest.mark.django_db
def test_the_class_of_a_figure_follows_from_its_variant(phone: Phone) -> None:
    phone.press("next", **{**BASE, "variant": "TST-1-H"})
    assert phone.at == "click-0"
    assert Fields(phone.answer.content.decode()).sent["class"] == "heavy"


@pytest.mark.django_db
def test_a_row_with_a_problem_stays_with_what_was_typed(phone: Phone) -> None:
    phone.press("next", **BASE).press("next", **FIRST)
    answer = phone.press("next", speed="10", attack="nine").answer
    assert (answer.status_code, phone.at) == (400, "click-1")
    assert {problem.field for problem, _, _ in answer.context["problems"]} == {"attack"}
    answer = phone.press("next", attack="9").answer
    assert (answer.status_code, phone.at) == (400, "click-1")
    assert [problem.code for problem, _, _ in answer.context["problems"]] == ["value_rises"]
    assert phone.press("next", speed="9").at == "click-2"


@pytest.mark.django_db
def test_a_base_without_a_name_or_points_is_not_left(phone: Phone) -> None:
    answer = phone.press("next", set="ZZ", number="7").answer
    assert (answer.status_code, phone.at) == (400, "base")
    assert {"name", "points"} <= {problem.field for problem, _, _ in answer.context["problems"]}


@pytest.mark.django_db
def test_the_way_back_keeps_what_was_typed(phone: Phone) -> None:
    phone.press("next", **BASE).press("next", **FIRST).press("next", speed="8").press("back").press("back")
    assert phone.at == "click-0"
    assert phone.press("next").at == "click-1"
    sent = Fields(phone.answer.content.decode()).sent
    assert (sent["dial-1-speed"], sent["name"]) == ("8", "Testbed")


@pytest.mark.django_db
@pytest.mark.parametrize("sent", [{}, {"at": "click-39"}, {"at": "step-5", "do": "end"}, {"at": "end", "do": "save"}])
def test_a_form_that_is_not_that_of_the_page_is_answered(phone: Phone, sent: dict[str, str]) -> None:
    assert phone.client.post(reverse("catalogue:dial"), sent).status_code in (200, 400)
    assert not Collection.objects.exists()


@pytest.mark.django_db
def test_strangers_must_log_in(client: Client, release: CatalogueRelease) -> None:
    assert client.get(reverse("catalogue:dial")).status_code == 302
