"""The admin of seasons: read-only, without secrets, without sealed line-ups."""

from __future__ import annotations

from typing import Any

import pytest
from django.apps import apps
from django.contrib import admin
from django.contrib.auth import get_user_model
from django.test import Client
from django.urls import reverse

from stables.models import Season, Title
from stables.services.results import settlement
from stables.text.names import TITLE_DECIDED_BY
from tests.stables.conftest import first_round, type_in

SHOWN = [model for model in apps.get_app_config("stables").get_models() if model in admin.site._registry]


@pytest.fixture
def staff(db: None) -> Client:
    client = Client()
    client.force_login(get_user_model().objects.create_superuser("staff", "staff@example.org", "-"))
    return client


@pytest.fixture
def settled(sealed: Season) -> Season:
    for fixture in first_round(sealed):
        type_in(fixture)
        settlement.settle_fixture(fixture_id=fixture.pk)
    return sealed


def test_line_ups_are_not_in_the_admin() -> None:
    sealed = {"LineUp", "Crew", "CrewCard", "SavedLineUp", "Basket", "Report", "Invitation"}
    assert sealed <= {model.__name__ for model in apps.get_app_config("stables").get_models()}
    assert not sealed & {model.__name__ for model in SHOWN}


@pytest.mark.parametrize("model", SHOWN, ids=lambda model: model.__name__)
def test_everything_is_read_only_and_no_secret_is_shown(settled: Season, staff: Client, model: Any) -> None:
    place = f"admin:stables_{model._meta.model_name}"
    assert staff.get(reverse(f"{place}_changelist")).status_code == 200
    assert staff.get(reverse(f"{place}_add")).status_code == 403
    row = model._base_manager.first()
    if row is None:
        assert model.__name__ in ("Placing", "Title"), "the cycle is not closed, so neither is there"
        return
    page = staff.get(reverse(f"{place}_change", args=[row.pk]))
    assert page.status_code == 200
    text = page.content.decode()
    secret = bytes(settled.secret)
    assert secret.hex() not in text
    assert secret.decode() not in text
    assert "_save" not in text
    assert staff.post(reverse(f"{place}_change", args=[row.pk]), {}).status_code == 403
    assert staff.post(reverse(f"{place}_delete", args=[row.pk]), {"post": "yes"}).status_code == 403


def test_the_admin_says_of_a_title_what_pages_say() -> None:
    assert dict(Title.Decision.choices) == TITLE_DECIDED_BY
