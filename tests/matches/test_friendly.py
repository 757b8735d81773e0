"""Friendly matches: one press begins, what was wished is what is played, and nobody floods the site with them."""

from __future__ import annotations

import random

import pytest
from django.test import Client
from django.urls import reverse
from django.utils.html import strip_tags

from matches.forms import FriendlyForm
from matches.models import Match
from matches.services.beginning.friendly import (
    BOTS_OFFERED,
    CLASSES,
    FRIENDLY_MATCHES,
    HOT_SEAT,
    OPPONENTS,
    Wishes,
    fits,
    friendly_setup,
)
from people.models import User
from rules.bots import BOT_NAMES
from rules.catalogue import load_builtin
from rules.competition.formats import FORMATS
from rules.competition.setups import read_setup
from rules.wording.isolation import bare

ADDRESS = "/matches/new/"
ONE_PRESS = {"format": "standard", "opponent": "greedy", "weight_class": "", "unit": "", "pilot": ""}


@pytest.mark.parametrize("format_key", FORMATS)
@pytest.mark.parametrize("unit_class", CLASSES)
def test_ready_made_line_ups_are_legal_in_every_format_and_class(format_key: str, unit_class: str) -> None:
    wishes = Wishes(format=format_key, weight_class=unit_class)
    setup = friendly_setup(load_builtin(), wishes, random.Random(f"{format_key} {unit_class}"))
    read_setup(setup)
    crews = [loadout for side in setup["sides"] for loadout in side["units"]]
    assert {loadout["unit"]["class"] for loadout in crews} == {unit_class}
    assert all(fits(loadout["pilot"], unit_class) for loadout in crews)


def test_a_wished_unit_and_pilot_are_fielded_first() -> None:
    catalogue = load_builtin()
    unit = next(unit for unit in catalogue.units.values() if unit["class"] == "heavy")
    pilot = next(pilot for pilot in catalogue.pilots.values() if fits(pilot, "heavy"))
    setup = friendly_setup(catalogue, Wishes(unit=unit["id"], pilot=pilot["id"]), random.Random(1))
    own = setup["sides"][0]["units"][0]
    assert (own["unit"]["id"], own["pilot"]["id"]) == (unit["id"], pilot["id"])
    assert setup["sides"][1]["units"][0]["unit"]["class"] == "heavy"


def test_one_press_begins_a_duel_against_the_ai(client: Client, player: User) -> None:
    client.force_login(player)
    assert client.get(ADDRESS).status_code == 200
    answer = client.post(ADDRESS, ONE_PRESS)
    match = Match.objects.get()
    assert answer["Location"] == reverse("matches:play", args=[match.public_id])
    assert [(seat.user_id, seat.bot) for seat in match.seats.all()] == [(player.pk, ""), (None, "greedy")]
    assert client.get(answer["Location"]).status_code == 200
    assert answer["Location"] in client.get(ADDRESS).content.decode()
    assert answer["Location"] in client.get(match.get_absolute_url()).content.decode()


def test_every_bot_of_the_house_is_offered_in_words(client: Client, player: User) -> None:
    """The harder ones in the order of how long they think, after the one that is proposed."""
    assert set(BOTS_OFFERED) == set(BOT_NAMES)
    assert BOTS_OFFERED[:4] == ("greedy", "quick", "tactical", "strong")
    choices = dict(FriendlyForm().fields["opponent"].choices)
    assert set(choices) == set(OPPONENTS)
    assert FriendlyForm()["opponent"].value() == "greedy"
    assert len({*choices.values()}) == len(OPPONENTS)
    client.force_login(player)
    text = client.get(ADDRESS).content.decode()
    assert '<option value="quick">the AI, Firm: compares a few orders</option>' in text
    assert client.post(ADDRESS, {**ONE_PRESS, "opponent": "quick"}).status_code == 302
    assert set(Match.objects.get().seats.values_list("bot", flat=True)) == {"", "quick"}


@pytest.mark.parametrize("format_key", FORMATS)
@pytest.mark.parametrize("arena", load_builtin().arenas)
def test_a_wished_arena_is_where_the_match_is_played(format_key: str, arena: str) -> None:
    setup = friendly_setup(
        load_builtin(), Wishes(format=format_key, arena=arena), random.Random(f"{arena} {format_key}")
    )
    read_setup(setup)
    if format_key != "grand_melee":
        assert setup["arena"]["id"] == arena


def test_the_units_of_both_sides_can_be_chosen(client: Client, player: User) -> None:
    first, second, rival = [key for key, unit in load_builtin().units.items() if unit["class"] == "medium"][:3]
    client.force_login(player)
    chosen = {"format": "team", "arena": "docks", "unit": first, "second_unit": second, "rival_unit": rival}
    assert client.post(ADDRESS, {**ONE_PRESS, **chosen}).status_code == 302
    sides = Match.objects.get().setup["sides"]
    assert [loadout["unit"]["id"] for loadout in sides[0]["units"]] == [first, second]
    assert sides[1]["units"][0]["unit"]["id"] == rival
    heavy = next(key for key, unit in load_builtin().units.items() if unit["class"] == "heavy")
    assert client.post(ADDRESS, {**ONE_PRESS, **chosen, "rival_unit": heavy}).status_code == 400


def title_of(client: Client) -> str:
    """The two names above the board."""
    shown = client.get(reverse("matches:play", args=[Match.objects.get().public_id]), follow=True).content.decode()
    return " ".join(strip_tags(shown.split('<h1 class="play-title">')[1].split("</h1>")[0]).split())


@pytest.mark.parametrize(
    ("fields", "title"),
    [
        ({"opponent": "greedy"}, "player against AI (Fair)"),
        ({"opponent": "strong"}, "player against AI (Expert)"),
        ({"opponent": HOT_SEAT, "rival_name": " Ros\u202ea "}, "player against Rosa"),
        ({"opponent": HOT_SEAT}, "player against Blue"),
    ],
)
def test_both_players_have_their_own_name_above_the_board(
    client: Client, player: User, fields: dict[str, str], title: str
) -> None:
    client.force_login(player)
    client.post(ADDRESS, {**ONE_PRESS, **fields})
    match = Match.objects.get()
    if fields["opponent"] == HOT_SEAT:
        client.post(reverse("matches:play", args=[match.public_id]), {"take": "red"})
        client.post(reverse("matches:play", args=[match.public_id]), {"take": "blue"})
    assert bare(title_of(client)) == title


def test_one_person_plays_both_sides_at_one_screen(client: Client, player: User) -> None:
    client.force_login(player)
    client.post(ADDRESS, {**ONE_PRESS, "opponent": HOT_SEAT})
    assert set(Match.objects.get().seats.values_list("user_id", flat=True)) == {player.pk}


def test_who_has_no_account_is_asked_to_log_in(client: Client, db: None) -> None:
    assert client.get(ADDRESS)["Location"].startswith("/people/log-in")
    assert client.post(ADDRESS, ONE_PRESS)["Location"].startswith("/people/log-in")
    assert not Match.objects.exists()


@pytest.mark.parametrize(
    "wrong",
    [
        {"arena": "moon"},
        {"second_unit": "HSE999"},
        {"rival_unit": "HSE999"},
        {"format": "chess"},
        {"opponent": "nobody"},
        {"unit": "HSE999"},
        {"weight_class": "colossal"},
        {},
    ],
)
def test_bad_input_begins_nothing(wrong: dict[str, str], client: Client, player: User) -> None:
    client.force_login(player)
    assert client.post(ADDRESS, {**ONE_PRESS, **wrong} if wrong else {}).status_code == 400
    assert not Match.objects.exists()


def test_unit_and_class_and_pilot_must_agree(client: Client, player: User) -> None:
    catalogue = load_builtin()
    heavy = next(key for key, unit in catalogue.units.items() if unit["class"] == "heavy")
    light = next(key for key, pilot in catalogue.pilots.items() if not fits(pilot, "heavy"))
    client.force_login(player)
    assert client.post(ADDRESS, {**ONE_PRESS, "unit": heavy, "weight_class": "light"}).status_code == 400
    assert client.post(ADDRESS, {**ONE_PRESS, "unit": heavy, "pilot": light}).status_code == 400


def test_friendly_matches_are_limited_within_an_hour(
    client: Client, player: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    two = FRIENDLY_MATCHES.__class__("friendly_match", 2)
    monkeypatch.setattr("matches.services.beginning.friendly.FRIENDLY_MATCHES", two)
    client.force_login(player)
    assert [client.post(ADDRESS, ONE_PRESS).status_code for _ in range(3)] == [302, 302, 429]
    assert Match.objects.count() == 2
