"""Programs learn no secret of a season: two worlds that differ in a secret alone read alike at every address."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from django.core.cache import cache

from matches.models import Match
from rules.catalogue import load_builtin
from stables.models import Asset, Fixture, SavedLineUp, Season
from stables.services.line_ups import line_ups
from stables.services.market import baskets
from tests.api.season_reading import addresses_of
from tests.web.roles.test_secrets import trio, twins
from tests.web.roles.world import World
from tests.worlds import taken_back

pytestmark = [pytest.mark.django_db, pytest.mark.database]
OTHERS = ("anonymous", "spectator", "rival", "organiser", "helper", "staff")


@pytest.fixture(autouse=True)
def _forget() -> Iterator[None]:
    cache.clear()
    yield
    cache.clear()


def everything(api: Any, season: Season, role: str) -> dict[str, str]:
    """What a role reads at every address of a season, of all its stables and fixtures."""
    own = f"seasons/{season.slug}/"
    found = {*addresses_of(season), "seasons/", "champions/"}
    found |= {f"{own}fixtures/{each.pk}/" for each in Fixture.objects.filter(round__cycle__season=season)}
    for stable in season.stables.all():
        found |= {f"{own}stables/{stable.slug}/{part}" for part in ("", "assets/", "ledger/")}
    answers = {address: api(role, "get", address) for address in sorted(found)}
    assert {answer.status_code for answer in answers.values()} == {200}
    return {address: answer.content.decode() for address, answer in answers.items()}


def differing(api: Any, world: World, role: str, name: str, secret: Callable[[int], Any]) -> list[str]:
    """The addresses by which a role could tell two secrets apart."""
    read = []
    api(role, "get", "seasons/")  # the token of a role is made when it asks first
    for which in (0, 1):
        with taken_back():
            secret(which)
            cache.clear()
            read.append(everything(api, world.seasons[name], role))
    return [address for address in read[0] if read[0][address] != read[1][address]]


@pytest.mark.parametrize("role", OTHERS)
def test_line_ups_before_the_reveal(world: World, api: Any, role: str) -> None:
    stable, fixture = world.stable("running"), world.fixtures["running"]
    api(role, "get", "seasons/")
    with taken_back():
        units, pilot = twins(stable)

        def hand_in(which: int) -> None:
            crew = line_ups.CrewChoice(units[which].pk, pilot.pk)
            line_ups.submit(stable_id=stable.pk, fixture_id=fixture.pk, crews=[crew], tokens=trio())

        assert differing(api, world, role, "running", hand_in) == []
        hand_in(0)
        found = api(role, "get", f"seasons/running-season/fixtures/{fixture.pk}/").json()
        assert found["line_ups"] == []
        is_in = {side["stable"]["slug"]: side["line_up_is_in"] for side in found["sides"]}
        assert is_in[stable.slug] is True, "that it is in, everybody sees"


def test_line_ups_after_the_reveal_are_the_same_for_everybody_and_without_hands(world: World, api: Any) -> None:
    fixture = world.fixtures["browser"]
    address = f"seasons/browser-season/fixtures/{fixture.pk}/"
    read = [api(role, "get", address).json()["line_ups"] for role in (*OTHERS, "player")]
    assert len(read[0]) == 2
    assert all(each == read[0] for each in read)
    cards = Asset.objects.filter(stable__season=world.seasons["browser"], kind="rally_card")
    tokens = [token for side in fixture.sides.all() for token in side.line_up.tokens]
    assert tokens
    for card in [*cards.values_list("catalogue_key", flat=True), *tokens]:
        assert f'"{card}"' not in str(read[0]).replace("'", '"')


@pytest.mark.parametrize("role", OTHERS)
def test_baskets(world: World, api: Any, role: str) -> None:
    stable = world.stable("recruiting")
    keys = [key for key, unit in sorted(load_builtin().units.items()) if unit["class"] == "light"]
    fill = lambda which: baskets.put_in(stable_id=stable.pk, kind="unit", key=keys[which])  # noqa: E731
    assert differing(api, world, role, "recruiting", fill) == []


@pytest.mark.parametrize("role", OTHERS)
def test_saved_line_ups_the_order_of_repairs_and_what_is_on_which_unit(world: World, api: Any, role: str) -> None:
    stable = world.stable("running")
    unit, pilot = stable.assets.get(kind="unit"), stable.assets.get(kind="pilot")

    def keep(which: int) -> None:
        document = {"crews": [{"unit": unit.pk, "pilot": [pilot.pk, None][which]}], "tokens": []}
        SavedLineUp.objects.create(stable=stable, match_class="light", format="standard", document=document)
        type(stable).objects.filter(pk=stable.pk).update(repair_priority=[[], [unit.code]][which])
        Asset.objects.filter(pk=pilot.pk).update(assigned_to=[None, unit][which])

    assert differing(api, world, role, "running", keep) == []


@pytest.mark.parametrize("role", [*OTHERS, "player"])
def test_seeds(world: World, api: Any, role: str) -> None:
    """Neither the season's secret nor the seed of a match that is not over."""
    season, fixture = world.seasons["browser"], world.fixtures["browser"]
    match = Match.objects.get(fixture=fixture)
    texts = "".join(everything(api, season, role).values())
    assert bytes(match.seed).hex() not in texts
    assert bytes(season.secret).hex() not in texts
    assert bytes(season.secret).decode() not in texts
    assert match.seed_commitment in texts, "its hash is for everybody"
    assert api(role, "get", f"seasons/browser-season/fixtures/{fixture.pk}/").json()["seed"] is None


def test_proposals_are_for_those_who_play(world: World, api: Any) -> None:
    from stables.services.line_ups import appointments

    stable, fixture = world.stable("running"), world.fixtures["running"]
    made = appointments.propose(
        stable_id=stable.pk, fixture_id=fixture.pk, mode="browser", at=None, actor=world.people["player"]
    )
    address = f"seasons/running-season/fixtures/{fixture.pk}/"
    for role in (*OTHERS, "player"):
        found = api(role, "get", address).json()["proposals"]
        assert [each["id"] for each in found] == ([made.proposal_id] if role in ("player", "rival") else []), role
