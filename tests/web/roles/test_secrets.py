"""Hands, baskets, line-ups before reveal and standing answers: nobody else can tell one from another.

Each test makes two worlds that differ in a secret alone, and reads every page as somebody else: they must be alike.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any
from unittest.mock import patch

import pytest
from django.test import Client
from django.utils import timezone

from matches.models import MatchSeat, StandingAnswers
from matches.selectors.matches import rebuild
from matches.services.answering import Seat
from matches.services.beginning.demonstration import demonstration_setup
from matches.services.matches import create_match
from rules.catalogue import load_builtin
from stables.models import Asset, Stable
from stables.services.line_ups import line_ups
from stables.services.market import baskets
from tests.worlds import taken_back

from .reader import reading_of, steady, text_of, walk
from .world import EVERYBODY, World, outside_of

pytestmark = pytest.mark.django_db
OTHERS = ("anonymous", "spectator", "rival", "organiser", "helper", "staff")
ORGANISERS = ("organiser", "helper")
SEED = b"a seed that nobody may see early"


def pages(world: World, role: str, season: str) -> dict[str, str]:
    """Every page below a season as a role reads it; for staff the admin's as well."""
    own = world.season(season)
    starts = [own, "/"]
    if role == "staff":
        models = ("stables/stable", "stables/asset", "stables/fixture", "stables/season", "matches/match", "jobs/job")
        starts += [f"/admin/{model}/" for model in (*models, "matches/matchaction")]
    inside = (own, "/admin/stables/", "/admin/matches/", "/admin/jobs/", *starts[2:])
    walked = walk(
        lambda address: reading_of(world.clients[role].get(address)), starts, lambda path: path.startswith(inside)
    )
    assert len(walked.texts) > 8
    return walked.texts


def differing(world: World, role: str, secret: Callable[[int], Any], season: str) -> list[str]:
    """The pages by which a role could tell two secrets apart.

    Those of the first world are asked for again in the second: if one leads elsewhere there, it reads otherwise. Both
    worlds are read at the same moment, since forms propose dates to the minute.
    """
    now = timezone.now()
    with patch("django.utils.timezone.now", return_value=now):
        with taken_back():
            secret(0)
            first = pages(world, role, season)
        with taken_back():
            secret(1)
            second = {address: text_of(world.clients[role].get(address)) for address in first}
    return [address for address in first if steady(first[address]) != steady(second[address])]


def twins(stable: Stable) -> tuple[list[Asset], Asset]:
    """Two units of one kind, and a pilot: which of them is nominated is a secret."""
    unit, pilot = stable.assets.get(kind="unit"), stable.assets.get(kind="pilot")
    other = Asset.objects.get(pk=unit.pk)
    # A number of our own: PostgreSQL does not take back one that it gave, and pages name units by it.
    other.pk, other.serial = unit.pk + 1_000_000, unit.serial + 1
    other.save(force_insert=True)
    return [unit, other], pilot


def hand_in(world: World, which: int) -> None:
    stable = world.stable("running")
    units, pilot = twins(stable)
    crew = line_ups.CrewChoice(units[which].pk, pilot.pk)
    line_ups.submit(stable_id=stable.pk, fixture_id=world.fixtures["running"].pk, crews=[crew], tokens=trio())


def listen(world: World, which: int) -> None:
    outside_of(world.seasons["running"], f"https://news-{which}.example/hooks/secret")


@pytest.mark.parametrize("role", EVERYBODY)
def test_nobody_can_tell_line_ups_before_they_are_revealed_or_webhooks_apart(world: World, role: str) -> None:
    """Line-ups are their owner's alone, and addresses and secrets of webhooks the organisers'."""

    def keep(which: int) -> None:
        if role in OTHERS:
            hand_in(world, which)
        if role not in ORGANISERS:
            listen(world, which)

    assert differing(world, role, keep, "running") == []


def trio() -> list[str]:
    """Three target tokens of 30 points together."""
    from rules.measuring.self_play import TokenTrios

    return [token["id"] for token in TokenTrios(load_builtin())[0]]


def test_the_owner_can_tell_line_ups_apart(world: World) -> None:
    assert differing(world, "player", partial(hand_in, world), "running") != [], "else nothing was compared"


@pytest.mark.parametrize("role", ORGANISERS)
def test_the_organisers_can_tell_webhooks_apart(world: World, role: str) -> None:
    assert any("/webhooks/" in address for address in differing(world, role, partial(listen, world), "running"))


def fill(world: World, which: int) -> None:
    keys = [key for key, unit in sorted(load_builtin().units.items()) if unit["class"] == "light"]
    baskets.put_in(stable_id=world.stable("recruiting").pk, kind="unit", key=keys[which])


@pytest.mark.parametrize("role", OTHERS)
def test_nobody_can_tell_baskets_apart(world: World, role: str) -> None:
    assert differing(world, role, partial(fill, world), "recruiting") == []


def test_the_owner_can_tell_baskets_apart(world: World) -> None:
    assert differing(world, "player", partial(fill, world), "recruiting") != []


MARKS = ("Marked hand of red", "Marked hand of blue")


def with_hands() -> dict[str, Any]:
    """A setup in which each side holds a card of a name that stands nowhere else."""
    setup: dict[str, Any] = demonstration_setup()
    cards = sorted(load_builtin().rally_cards.items())
    for number, side in enumerate(setup["sides"]):
        side["units"][0]["hand"] = [{**cards[number][1], "name": MARKS[number]}]
    return setup


def addresses_of(match: Any) -> list[str]:
    own = match.get_absolute_url()
    for_programs = f"/api/v1{own}"
    return [own, *(f"{own}{part}" for part in PARTS), for_programs, *(f"{for_programs}{part}" for part in API_PARTS)]


PARTS = ("?step=0", "play/", "play/changes/", "sheets/", "replay.json", "standing/", "verify/", "finish/")
API_PARTS = (
    "decision/", "legal-actions/", "observation/", "events/", "live/", "standing/", "replay/", "verify/",
)  # fmt: skip


@pytest.mark.parametrize("role", [*OTHERS, "player"])
def test_a_hand_is_its_owners_alone(world: World, role: str) -> None:
    seats = [Seat("red", world.people["player"].pk), Seat("blue", world.people["rival"].pk)]
    with taken_back():
        match = create_match(with_hands(), SEED, None, seats)
        addresses = addresses_of(match)
        if role == "staff":
            # The steps of a running match are not there; tests/matches/test_admin.py holds that.
            addresses += [f"/admin/matches/match/{match.pk}/change/", "/admin/matches/matchaction/"]
        read = []
        for percent in (17, 83):
            seat = MatchSeat.objects.get(match=match, side="red")
            standing = {"answers": {"react": {"leave": percent, "otherwise": "none"}}}
            StandingAnswers.objects.update_or_create(seat=seat, unit="red-1", defaults=standing)
            read.append(all_of(world.clients[role], addresses))
        # By nothing that others read can they tell one standing answer from another.
        assert (read[0] != read[1]) is (role == "player")
        assert SEED.decode() not in read[0]
        assert SEED.hex() not in read[0]
        assert (MARKS[0] in read[0]) is (role == "player")
        assert (MARKS[1] in read[0]) is (role == "rival")


def all_of(client: Client, addresses: list[str]) -> str:
    """What addresses answer."""
    shown = ""
    for address in addresses:
        answer = client.get(address)
        assert answer.status_code < 500, address
        shown += steady(answer.content.decode())
    return shown


@pytest.mark.parametrize("role", OTHERS)
def test_nobody_moves_anothers_unit(world: World, role: str) -> None:
    """The player's turn is nobody else's, asked as a form and in JSON."""
    match = world.friendly
    own, before = f"/api/v1{match.get_absolute_url()}", match.actions.count()
    decision = rebuild(match).decision
    assert decision is not None
    decider = "player" if decision.side == "red" else "rival"
    if role == decider:
        role = "player"
    turn = world.clients[decider].get(f"{own}legal-actions/").json()
    body = {"seen": turn["seen"], "action": turn["legal_actions"][0]}
    with taken_back():
        client = Client()
        client.cookies = world.clients[role].cookies.copy()
        answer = client.post(f"{own}actions/", body, content_type="application/json")
        assert answer.status_code in (401, 403, 409)
        form = client.post(f"{match.get_absolute_url()}play/", body_of_form(turn["legal_actions"][0]))
        assert form.status_code in (302, 403, 409)
        assert match.actions.count() == before
    with taken_back():
        answer = world.clients[decider].post(f"{own}actions/", body, content_type="application/json")
        assert answer.status_code == 200, "else nothing was tried"


def body_of_form(body: dict[str, Any]) -> dict[str, str]:
    return {key: str(value) for key, value in body.items()}


def test_a_stable_of_another_season_is_not_there_under_this_one(world: World) -> None:
    """A right slug under a wrong season, a fixture of another season, ids of another stable."""
    player, stable = world.clients["player"], world.stable("table")
    other_season = world.season("recruiting")
    foreign = world.stable("running")
    fixture = world.fixtures["running"]
    assert player.get(f"{world.season('played')}stables/{stable.slug}/").status_code == 404
    assert player.get(f"{other_season}fixtures/{fixture.pk}/").status_code == 404
    assert player.post(f"{other_season}fixtures/{fixture.pk}/propose", {"mode": "browser"}).status_code == 404
    assert player.post(f"{world.season('played')}stables/{stable.slug}/buy", {"kind": "unit"}).status_code == 404
    asset = foreign.assets.get(kind="unit")
    with taken_back():
        answer = player.post(f"{world.stable('recruiting').get_absolute_url()}sell", {"asset": asset.pk})
        assert answer.status_code in (400, 409)
        asset.refresh_from_db()
        assert asset.sold_at is None


# The admin's doors ----------------------------------------------------------------------------------------------------


def test_the_admin_cannot_get_into_a_players_account(world: World) -> None:
    """Whoever could would read the player's hand, basket and line-up, and move the player's units."""
    staff, player = world.clients["staff"], world.people["player"]
    own = f"/admin/people/user/{player.pk}/"
    passwords = {"password1": "staple the battery", "password2": "staple the battery", "usable_password": "true"}
    taken = {"email": "staff2@example.org", "username": "taken", "is_active": "on", "password": "x", **passwords}
    with taken_back():
        for address in (f"{own}password/", f"{own}change/", own, "/admin/people/user/add/"):
            staff.post(address, taken)
        after = type(player).objects.get(pk=player.pk)
        assert (after.username, after.email) == (player.username, player.email)
        assert after.check_password("secret words")
        stranger = Client()
        stranger.post("/people/log-in", {"username": player.username, "password": "staple the battery"})
        assert "_auth_user_id" not in stranger.session


HIDDEN = (
    ("matches/match", "seed__isnull"),
    ("matches/match", "setup__icontains"),
    ("matches/matchaction", "events__icontains"),
    ("matches/matchaction", "match__setup__icontains"),
    ("stables/season", "secret__isnull"),
    ("stables/fixture", "sides__line_up__icontains"),
    ("stables/stable", "owner__password__startswith"),
    ("jobs/job", "payload__icontains"),
    ("people/user", "password__startswith"),
)


@pytest.mark.parametrize(("model", "lookup"), HIDDEN)
def test_the_admins_lists_cannot_be_asked_for_what_they_hide(world: World, model: str, lookup: str) -> None:
    """A list filtered by a hidden field would tell it letter by letter."""
    for value in ("0", "a"):
        with taken_back():
            answer = world.clients["staff"].get(f"/admin/{model}/", {lookup: value})
            assert answer.status_code == 400, (model, lookup)


def test_the_admins_lists_can_be_filtered_by_what_they_show(world: World) -> None:
    staff = world.clients["staff"]
    for address in ("matches/match/?state__exact=x", "stables/stable/?is_ai__exact=1", "jobs/job/?state__exact=failed"):
        assert staff.get(f"/admin/{address}").status_code == 200
