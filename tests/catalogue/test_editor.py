"""The unit editor: its form holds a whole unit, checks it, prices it, and saves it into a collection."""

from typing import Any

import pytest
from django.contrib.auth import get_user_model
from django.test import Client
from django.urls import reverse

from catalogue.forms.unit import UnitForm, blank_unit
from catalogue.models import CatalogueRelease, Collection
from catalogue.services.collections import latest_version, make_collection
from catalogue.services.files import release_document
from catalogue.text import labels
from rules.catalogue import Catalogue, load_builtin
from rules.catalogue.pricing import FEATURES, suggested_points
from tests.architecture.pseudo_locale import speak_pseudo, untranslated

pytestmark = pytest.mark.django_db
UNITS = load_builtin().units
ADDRESS = "/catalogue/editor/"


def fields(unit: dict[str, Any]) -> dict[str, str]:
    """What a browser sends of the form that shows this unit."""
    form = UnitForm(unit=unit)
    shown = {field.html_name: field.value() for part in (form, *form.clicks, *form.steps) for field in part}
    sent = {
        name: "on" if value is True else str(value)
        for name, value in shown.items()
        if value is not None and value is not False
    }
    return sent


@pytest.fixture
def designer(client: Client, release: CatalogueRelease) -> Client:
    client.force_login(get_user_model().objects.create_user("designer", "designer@example.org", "a long pass phrase"))
    return client


@pytest.mark.parametrize("key", UNITS)
def test_every_unit_survives_the_form(key: str) -> None:
    assert UnitForm(fields(UNITS[key])).definition == UNITS[key]


def test_every_feature_of_a_price_has_a_name() -> None:
    assert all(labels.feature(name) for name in ("constant", *FEATURES))


def test_strangers_must_log_in(client: Client, release: CatalogueRelease) -> None:
    assert client.get(ADDRESS).status_code == 302


def test_the_blank_unit_lacks_only_an_id_and_a_name(designer: Client) -> None:
    page = designer.get(ADDRESS)
    assert page.status_code == 200
    assert {problem.field for problem, _, _ in page.context["problems"]} == {"id", "name"}
    unit = {**blank_unit(), "id": "OWN1", "name": "Own one"}
    assert Catalogue.from_documents([{"schema": 1, "units": [unit]}]).units["OWN1"] == unit


def test_the_form_starts_from_a_unit(designer: Client) -> None:
    page = designer.get(ADDRESS, {"from": "SOL002"})
    assert page.context["unit"] == UNITS["SOL002"]
    assert page.context["suggested"] == suggested_points(UNITS["SOL002"])
    assert [label for label, _ in page.context["parts"]]
    assert len(page.context["parts"]) == len(FEATURES) + 1
    assert designer.get(ADDRESS, {"from": "NOBODY"}).status_code == 404


@pytest.mark.parametrize(
    ("change", "dial", "heat"),
    [("add_click", 1, 0), ("remove_click", -1, 0), ("add_step", 0, 1), ("remove_step", 0, -1)],
)
def test_rows_come_and_go_without_losing_what_was_typed(designer: Client, change: str, dial: int, heat: int) -> None:
    sent = {**fields(UNITS["SOL002"]), "dial-0-attack": "eleven", "do": change}
    page = designer.post(ADDRESS, sent)
    unit = page.context["unit"]
    assert len(unit["dial"]) == len(UNITS["SOL002"]["dial"]) + dial
    assert len(unit["heat"]) == len(UNITS["SOL002"]["heat"]) + heat
    assert 'value="eleven"' in page.content.decode()


def test_wrong_fields_are_named_as_in_the_form(designer: Client) -> None:
    wrong = {
        "dial-2-attack": "nine",
        "dial-3-equipment-defense": "jump_jets",
        "heat-1-speed": "99",
        "heat-2-effects-speed": "ammunition_jam",
        "vent": "77",
        "primary-range-1": "400",
    }
    page = designer.post(ADDRESS, {**fields(UNITS["SOL002"]), **wrong, "do": "check", "part": "check"})
    shape = {"dial-2-attack", "heat-1-speed", "vent", "primary-range-1"}
    assert shape <= set(page.context["wrong_fields"]) <= set(wrong)
    names = set(fields(UNITS["SOL002"]))
    assert set(page.context["wrong_fields"]) <= names
    assert b"<form" not in page.content


def test_nothing_that_is_sent_breaks_the_form(designer: Client) -> None:
    for sent in (
        {},
        {"dial-99-speed": "1"},
        {"dial-39-speed": "1", "heat-19-speed": "x"},
        {"primary-type": "sonic", "dial-0-speed": "٣"},
        {"dial-0-primary": "9" * 30, "dial-0-equipment-primary": "laser_hat", "dial-0-circle-primary": "on"},
    ):
        for asked in ("check", "add_click", "save", "remove_step", "nonsense"):
            assert designer.post(ADDRESS, {**sent, "do": asked}).status_code in (200, 400)
    assert Collection.objects.count() == 0


def test_a_collection_without_a_name_keeps_what_was_typed(designer: Client) -> None:
    sent = {**fields(UNITS["SOL002"]), "id": "OWN7", "name": "Typed for long", "do": "save", "new_collection": " "}
    answer = designer.post(ADDRESS, sent)
    assert answer.status_code == 400
    assert b"Typed for long" in answer.content
    assert b"message error" in answer.content
    assert not Collection.objects.exists()


def test_a_unit_is_saved_into_a_new_collection_and_then_again(designer: Client) -> None:
    sent = {**fields(UNITS["SOL002"]), "id": "OWN1", "name": "Own one", "do": "save", "new_collection": "Mine"}
    answer = designer.post(ADDRESS, sent)
    assert (answer.status_code, answer["Location"]) == (302, "/catalogue/units/OWN1/?collection=mine")
    assert designer.get(answer["Location"]).status_code == 200
    designer.post(ADDRESS, {**sent, "points": "99", "collection": "mine"})
    version = latest_version(Collection.objects.get())
    assert version is not None
    assert version.number == 2
    assert [unit["points"] for unit in release_document(version.release)["units"]] == [99]


def test_a_unit_with_problems_is_not_saved(designer: Client) -> None:
    sent = {**fields(UNITS["SOL002"]), "vent": "77", "do": "save", "new_collection": "Mine"}
    assert designer.post(ADDRESS, sent).status_code == 400
    assert Collection.objects.count() == 0


def test_nobody_saves_into_the_collection_of_another(designer: Client) -> None:
    other = get_user_model().objects.create_user("other", "other@example.org", "a long pass phrase")
    make_collection(name="Theirs", keeper=other, audience="everybody")
    sent = {**fields(UNITS["SOL002"]), "do": "save", "collection": "theirs", "new_collection": "Mine"}
    assert "collection=mine" in designer.post(ADDRESS, sent)["Location"]
    assert latest_version(Collection.objects.get(slug="theirs")) is None


def test_every_text_is_translated(designer: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    speak_pseudo(monkeypatch)
    pages = [designer.get(ADDRESS), designer.get(ADDRESS, {"from": "SOL021"})]
    pages.append(designer.post(ADDRESS, {**fields(UNITS["SOL002"]), "dial-2-attack": "nine"}))
    pages.append(designer.get(reverse("catalogue:sheets"), {"unit": "SOL002", "arena": "plaza"}))
    assert [found for page in pages if (found := untranslated(page.content.decode()))] == []
