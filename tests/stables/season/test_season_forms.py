"""The forms that open a season and change it: what they say beside a field, and that they send what they show."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.contrib.auth import get_user_model
from django.test import Client
from django.urls import reverse

from stables.models import Season
from tests.stables.conftest import open_with

ADDRESS = "/open-a-season/"
FIELDS = {"name": "Club night", "weight_class": "light", "ai_stables": "3"}

pytestmark = pytest.mark.django_db


@pytest.fixture
def organiser(release: Any) -> Client:
    client = Client()
    client.force_login(get_user_model().objects.create_user("organiser", "organiser@example.org", "-"))
    return client


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"places": "9"}, "places"),
        ({"rule_time_limit_rounds": "soon"}, "rule_time_limit_rounds"),
        ({"calendar_preset": "weekly", "calendar_at": "25:00"}, "calendar_at"),
        ({"ai_stables": "8"}, "ai_stables"),
        ({"collection": "nobodys"}, "collection"),
        ({"ai_bot": "nobody"}, "ai_bot"),
        ({"weight_class": "multi", "class_2": "heavy"}, "class_1"),
    ],
)
def test_what_is_refused_is_said_beside_its_field(organiser: Client, change: dict[str, str], field: str) -> None:
    html = organiser.post(ADDRESS, {**FIELDS, **change}).content.decode()
    [invalid] = re.findall(r"<(?:input|select)[^>]* aria-invalid=\"true\"[^>]*>", html)
    assert f' name="{field}"' in invalid
    ids = re.findall(r'<ul class="errorlist" id="([^"]*)"', html)
    assert ids == [f"season-{field}_error"]
    [described] = re.findall(r'aria-describedby="([^"]*)"', invalid)
    assert ids[0] in described.split()


def test_what_a_preset_fills_is_folded_until_something_is_refused(organiser: Client) -> None:
    folded = ("calendar_market_hours", "calendar_confirm_minutes", "absence_pays", "rule_time_limit_rounds")
    shown = organiser.get(ADDRESS).content.decode()
    refused = organiser.post(ADDRESS, {**FIELDS, "places": "9"}).content.decode()
    for html, begins in ((shown, "<details>"), (refused, "<details open>")):
        parts = re.findall(r"<details[^>]*>.*?</details>", html, re.DOTALL)
        for name in folded:
            [part] = [each for each in parts if f'name="{name}"' in each]
            assert part.startswith(begins), name
        assert not any('name="calendar_preset"' in each for each in parts)


def test_a_zero_is_a_value(organiser: Client) -> None:
    zeros = ("absence_pays", "rule_token_pool_rp", "calendar_line_up_hours", "calendar_hours_a_round", "ai_stables")
    typed = {**FIELDS, "calendar_preset": "correspondence", **dict.fromkeys(zeros, "0")}
    again = organiser.post(ADDRESS, {**typed, "name": ""}).context["form"]
    assert {name: again[name].value() for name in zeros} == dict.fromkeys(zeros, "0")
    assert organiser.post(ADDRESS, typed).status_code == 302
    season = Season.objects.get()
    assert (season.rules.absence_pays, season.rules.house_rules["token_pool_rp"]) == (0, 0)
    assert (season.calendar["line_up_hours"], season.calendar["hours_a_round"]) == (0, None)
    assert season.stables.count() == 0


def test_the_form_that_changes_settings_sends_what_holds(release: Any, organiser: Client) -> None:
    """Formats in another order than the book's stay too; what is fixed is not asked."""
    house_rules = {"token_pool_rp": 0, "dig_in_target_modifier": -1}
    season = open_with(
        release, ["Machines"], cycles=["weapons_dead", "standard"], house_rules=house_rules, emergency_hire=False
    )
    season.organiser = get_user_model().objects.get(username="organiser")
    season.save()
    form = organiser.get(reverse("stables:console", args=[season.slug])).context["change"]
    assert not {"dials", "unique_market", "rule_clock_seconds"} & set(form.fields)
    boxes = {each.name: "yes" for each in form.parts["format"] if each.value()}
    sent = {each.name: "" if each.value() is None else each.value() for each in form if each.name[:7] != "format_"}
    assert sent["rule_token_pool_rp"] == 0
    address = reverse("stables:change_settings", args=[season.slug])
    answer = organiser.post(address, {**sent, **boxes})
    assert (answer.status_code, answer.context["code"]) == (409, "settings_unchanged")
    assert organiser.post(address, {**sent, **boxes, "absence_pays": "0"}).status_code == 302
    assert Season.objects.get(pk=season.pk).settings == {**season.settings, "absence_pays": 0}
