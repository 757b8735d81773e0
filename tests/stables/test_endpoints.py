"""What people may post: who may, what is refused and how, and that a refusal changes nothing."""

from __future__ import annotations

from typing import Any

import pytest
from django.contrib.auth import get_user_model
from django.test import Client
from django.urls import reverse

from stables.models import FixtureSide, LedgerEntry, LineUp, Season, Stable
from stables.services.ai import owners
from stables.services.fixtures import pairing
from stables.services.market import trading
from stables.services.season import seasons
from tests.stables.conftest import open_with
from tests.stables.market.test_market import light_unit, spend_down_to
from tests.stables.results.test_settlement import crew_of, tokens_of

PEOPLE = ("player", "rival", "organiser", "spectator")


@pytest.fixture
def people(db: None) -> dict[str, Any]:
    return {name: get_user_model().objects.create_user(name, f"{name}@example.org", "-") for name in PEOPLE}


@pytest.fixture
def league(release: Any, people: dict[str, Any]) -> Season:
    """A recruiting season with an organiser, a player's stable, a rival's and one of the AI."""
    season = open_with(release, [])
    season.organiser = people["organiser"]
    season.save()
    for name in ("player", "rival"):
        seasons.found_stable(season_id=season.pk, name=f"Stable of {name}", owner=people[name])
    seasons.found_stable(season_id=season.pk, name="Stable of nobody")
    return season


@pytest.fixture
def mine(league: Season) -> Stable:
    return league.stables.get(name="Stable of player")


def client_of(person: Any) -> Client:
    client = Client()
    if person is not None:
        client.force_login(person)
    return client


def address(name: str, stable: Stable) -> str:
    return reverse(f"stables:{name}", args=[stable.season.slug, stable.slug])


@pytest.mark.parametrize("name", ["buy", "sell", "repair", "repair_order", "line_up"])
@pytest.mark.parametrize(("person", "status"), [(None, 302), ("rival", 403), ("organiser", 403), ("spectator", 403)])
def test_only_the_owner_runs_a_stable(
    mine: Stable, people: dict[str, Any], name: str, person: str | None, status: int
) -> None:
    before = LedgerEntry.objects.count()
    answer = client_of(people.get(person)).post(address(name, mine), {"kind": "unit", "key": "x", "asset": 1})
    assert answer.status_code == status
    assert LedgerEntry.objects.count() == before


@pytest.mark.parametrize("name", ["buy", "sell", "repair", "repair_order", "line_up"])
def test_nobody_runs_a_stable_of_the_ai_and_get_is_no_way(
    league: Season, mine: Stable, people: dict[str, Any], name: str
) -> None:
    client = client_of(people["player"])
    assert client.post(address(name, league.stables.get(name="Stable of nobody"))).status_code == 403
    assert client.get(address(name, mine)).status_code == 405
    assert client.post(f"/seasons/{league.slug}/stables/no-such/{name.replace('_', '-')}").status_code == 404


@pytest.mark.parametrize("name", ["start_season", "call_time"])
@pytest.mark.parametrize(("person", "status"), [(None, 302), ("player", 403), ("spectator", 403)])
def test_only_the_organiser_runs_a_season(
    league: Season, people: dict[str, Any], name: str, person: str | None, status: int
) -> None:
    answer = client_of(people.get(person)).post(reverse(f"stables:{name}", args=[league.slug]))
    assert answer.status_code == status
    league.refresh_from_db()
    assert league.state == "recruiting"


def test_a_stranger_with_a_form_is_sent_to_log_in(mine: Stable) -> None:
    answer = Client().post(address("buy", mine), {"kind": "unit", "key": "x"})
    assert answer.status_code == 302
    assert reverse("people:log_in") in answer["Location"]


def test_founding_by_form(league: Season, people: dict[str, Any]) -> None:
    found = reverse("stables:found_stable", args=[league.slug])
    answer = client_of(people["spectator"]).post(found, {"name": "Spectacle"})
    stable = Stable.objects.get(name="Spectacle")
    assert (answer.status_code, answer["Location"]) == (302, stable.get_absolute_url())
    assert (stable.owner, stable.capital, stable.is_ai) == (people["spectator"], 1000, False)
    assert client_of(people["organiser"]).post(found, {"name": "Order"}).status_code == 302
    again = client_of(people["organiser"]).post(found, {"name": "Second"})
    assert (again.status_code, again.context["code"]) == (409, "already_owner_here")


@pytest.mark.parametrize(
    ("body", "code"),
    [
        ({}, "bad_field"),
        ({"kind": "unit"}, "bad_field"),
        ({"kind": "unit", "key": ""}, "bad_field"),
        ({"kind": "castle", "key": "x"}, "unknown_asset_kind"),
        ({"kind": "unit", "key": "x"}, "unknown_catalogue_entry"),
    ],
)
def test_malformed_purchases_are_400(mine: Stable, people: dict[str, Any], body: dict[str, str], code: str) -> None:
    answer = client_of(people["player"]).post(address("buy", mine), body)
    assert (answer.status_code, answer.context["code"]) == (400, code)
    assert answer.context["sentence"]


@pytest.mark.parametrize("value", ["", "x", "-1", "1.5", "9" * 30])
def test_an_asset_that_is_no_number_is_400(mine: Stable, people: dict[str, Any], value: str) -> None:
    answer = client_of(people["player"]).post(address("sell", mine), {"asset": value})
    assert (answer.status_code, answer.context["code"]) == (400, "not_a_number")


def test_buying_selling_and_an_unaffordable_purchase(league: Season, mine: Stable, people: dict[str, Any]) -> None:
    client, unit = client_of(people["player"]), light_unit(league)
    answer = client.post(address("buy", mine), {"kind": "unit", "key": unit["id"]})
    asset = mine.assets.get()
    assert (answer.status_code, asset.price_paid) == (302, unit["points"])
    answer = client.post(address("sell", mine), {"asset": asset.pk})
    assert (answer.status_code, answer["Location"]) == (302, mine.get_absolute_url())
    spend_down_to(mine, 10)
    answer = client.post(address("buy", mine), {"kind": "unit", "key": unit["id"]})
    problem = answer.context
    assert (answer.status_code, problem["code"], problem["parameters"]["missing"]) == (
        409,
        "capital_too_small",
        unit["points"] - 10,
    )
    assert "R-AST-12" in problem["sentence"]
    assert str(unit["points"] - 10) in problem["sentence"]
    mine.refresh_from_db()
    assert (mine.capital, mine.assets.filter(sold_at=None).count()) == (10, 0)


def test_a_rivals_asset_is_unknown(league: Season, mine: Stable, people: dict[str, Any]) -> None:
    rival = league.stables.get(name="Stable of rival")
    asset_id = trading.buy(stable_id=rival.pk, kind="unit", key=light_unit(league)["id"]).asset_id
    for name in ("sell", "repair"):
        answer = client_of(people["player"]).post(address(name, mine), {"asset": asset_id})
        assert (answer.status_code, answer.context["code"]) == (400, "unknown_asset")


def test_a_player_hands_in_a_line_up_and_the_organiser_calls_time(
    league: Season, mine: Stable, people: dict[str, Any]
) -> None:
    cycle = league.cycles.get()
    for stable in league.stables.all():
        owners.shop(stable_id=stable.pk, cycle_id=cycle.pk)
    organiser, player = client_of(people["organiser"]), client_of(people["player"])
    assert player.post(address("line_up", mine), {"crew": "1-2"}).context["code"] == "no_open_fixture"
    assert organiser.post(reverse("stables:start_season", args=[league.slug])).status_code == 302
    again = organiser.post(reverse("stables:start_season", args=[league.slug]))
    assert (again.status_code, again.context["code"]) == (409, "season_not_recruiting")
    drawn = pairing.pair_round(cycle_id=cycle.pk, number=1)
    side = mine.fixture_sides.get()
    if side.fixture.kind == "match":
        choice = crew_of(side)
        line_up = {"crew": f"{choice.unit_id}-{choice.pilot_id}"}
        line_up |= {f"token_{number}": token for number, token in enumerate(tokens_of(league), 1)}
        answer = player.post(address("line_up", mine), line_up)
        assert answer.status_code == 302
        again = player.post(address("line_up", mine), line_up)
        assert (again.status_code, again.context["code"]) == (409, "line_up_sealed")
        assert LineUp.objects.count() == 1
    assert organiser.post(reverse("stables:call_time", args=[league.slug])).status_code == 302
    assert {fixture.state for fixture in mine.season.cycles.get().rounds.get(pk=drawn.round_id).fixtures.all()} <= {
        "sealed",
        "settled",
    }


@pytest.mark.parametrize("state", ["recruiting", "running", "finished", "cancelled"])
@pytest.mark.parametrize("has_round", [False, True], ids=["before round 1", "round settled"])
def test_time_is_not_called_outside_a_round(
    league: Season, people: dict[str, Any], state: str, has_round: bool
) -> None:
    if has_round:
        league.cycles.get().rounds.create(number=1, state="settled")
    Season.objects.filter(pk=league.pk).update(state=state)
    answer = client_of(people["organiser"]).post(reverse("stables:call_time", args=[league.slug]))
    assert (answer.status_code, answer.context["code"]) == (409, "no_round_to_call")
    assert answer.context["sentence"].startswith("No line-up is waited for")


def test_time_is_not_called_in_a_season_that_is_over_though_a_fixture_waits(
    league: Season, people: dict[str, Any]
) -> None:
    pairing.pair_round(cycle_id=league.cycles.get().pk, number=1)
    Season.objects.filter(pk=league.pk).update(state="cancelled")
    answer = client_of(people["organiser"]).post(reverse("stables:call_time", args=[league.slug]))
    assert (answer.status_code, answer.context["code"]) == (409, "no_round_to_call")
    assert not FixtureSide.objects.exclude(forfeits="").exists()
