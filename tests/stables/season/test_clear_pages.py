"""Small things that a newcomer stumbled over on the pages of a season and beside them (findings N-10)."""

from __future__ import annotations

from typing import Any

import pytest
from django.contrib.auth import get_user_model
from django.test import Client
from django.urls import reverse

from catalogue.presenters.definitions import Cell
from catalogue.presenters.dial_picture import heat_wheel
from rules.catalogue import load_builtin
from rules.wording.isolation import bare
from stables.forms.solo import EveningForm
from stables.models import Season, Stable
from stables.presenters.ai_owners import owner_of
from stables.presenters.charts.grids import grid
from stables.services.results import settlement
from stables.text.news import SENTENCES
from tests.stables.conftest import first_round, type_in
from web.charts.signs import sign_of

pytestmark = pytest.mark.django_db


def shown(client: Client, name: str, *args: Any) -> str:
    return client.get(reverse(name, args=args)).content.decode()


def test_every_page_of_a_season_leads_its_owner_to_their_stable(sealed: Season) -> None:
    owner = get_user_model().objects.create_user("owner", "owner@example.org", "-")
    mine = sealed.stables.order_by("number")[0]
    Stable.objects.filter(pk=mine.pk).update(owner=owner, is_ai=False)
    client = Client()
    client.force_login(owner)
    for page in ("season", "standings", "pictures", "news", "log"):
        tabs = shown(client, f"stables:{page}", sealed.slug).split('class="tabs"')[1].split("</nav>")[0]
        assert "Your stable" in tabs, page
    assert "Your stable" not in shown(Client(), "stables:log", sealed.slug)


def test_news_of_a_round_speaks_of_its_leader_in_the_past(sealed: Season) -> None:
    """“In the lead” stands beside it, and may be somebody else by now."""
    for kind in ("lead_taken", "lead_kept", "lead_first", "lead_by_kills", "lead_shared"):
        for text in SENTENCES[kind]:
            assert not {"leads", "takes", "stays", "share", "is"} & set(text.split()), text


def test_standings_name_owners_without_their_character_and_charts_their_cycle(sealed: Season) -> None:
    for fixture in first_round(sealed):
        type_in(fixture)
        settlement.settle_fixture(fixture_id=fixture.pk)
    page = shown(Client(), "stables:standings", sealed.slug)
    owners = [owner for stable in sealed.stables.all() if (owner := owner_of(stable)) is not None]
    assert owners
    assert all(owner.name in page and str(owner.character) not in page for owner in owners)
    assert "Reputation by round, cycle 1" in " ".join(shown(Client(), "stables:pictures", sealed.slug).split())


def test_names_of_a_small_league_are_not_cut_in_the_grid_of_meetings() -> None:
    def names(count: int) -> list[str]:
        signs = [sign_of(number, f"Pilgrim Motor Works {number}") for number in range(count)]
        drawn = grid("key", "title", "description", signs, {}, None)
        assert all(cell.x + cell.width <= drawn.width + 0.1 for cell in drawn.cells)
        return [bare(name.text) for name in drawn.names]

    assert names(4) == [f"{'ABCD'[number]} Pilgrim Motor Works {number}" for number in range(4)]
    assert all(name.endswith("…") for name in names(8))


def test_numbers_of_heat_dials_have_a_true_minus_sign() -> None:
    assert [Cell(number, "").signed for number in (-1, 0, 2)] == ["−1", "0", "+2"]
    for unit in load_builtin().units.values():
        texts = [cell.text for sector in heat_wheel(unit).sectors for cell in sector.cells]
        assert not [text for text in texts if "-" in text]


def test_an_address_that_is_not_there_shows_no_code() -> None:
    answer = Client().get("/no-such-page/")
    assert answer.status_code == 404
    assert "404 not_found" not in " ".join(answer.content.decode().split())


def test_the_class_of_a_solo_season_says_what_it_changes() -> None:
    assert EveningForm()["weight_class"].help_text


def test_the_form_of_a_season_is_folded_until_it_is_refused() -> None:
    client = Client()
    client.force_login(get_user_model().objects.create_user("opener", "opener@example.org", "-"))
    page = shown(client, "stables:open_season").split('<form method="post" class="card"')[1].split("</form>")[0]
    folded = [part.split("</summary>")[0].split(">")[-1] for part in page.split("<summary>")[1:]]
    assert {"Calendar: times, days off, the end", "Cycles", "Settings of the season"} <= set(folded)
    assert "<details open" not in page
    open_part = page.split("<details")[0]
    for name in ("name", "weight_class", "ai_stables", "joining", "visibility", "calendar_preset", "calendar_mode"):
        assert open_part.count(f'name="{name}"') == 1 == page.count(f'name="{name}"')
    for name in ("calendar_time_zone", "calendar_ends_on", "format_standard", "collection"):
        assert page.count(f'name="{name}"') == 1
    address = reverse("stables:open_season")
    assert "<details open" in client.post(address, {"name": ""}).content.decode()
