"""What the site refuses, as people see it: 409 or 400, a sentence, and nothing changed."""

from __future__ import annotations

import re
from html import unescape
from typing import Any

import pytest
from django.test import Client

from stables.models import Asset, LedgerEntry, LineUp, Season, Stable
from stables.selectors.definitions import catalogue_of

from .conftest import World


def books() -> Any:
    return (
        list(LedgerEntry.objects.order_by("id").values_list()),
        list(Asset.objects.order_by("id").values_list()),
        list(Stable.objects.order_by("id").values_list("id", "capital", "owed")),
    )


@pytest.mark.parametrize(
    ("action", "fields", "status"),
    [
        ("buy", {"kind": "unit", "key": "no such unit"}, 400),
        ("buy", {"kind": "castle", "key": "SOL002"}, 400),
        ("buy", {}, 400),
        ("sell", {"asset": "x"}, 400),
        ("sell", {"asset": "999999"}, 400),
        ("repair", {"asset": "999999"}, 400),
    ],
)
def test_a_malformed_form_is_a_page_with_a_sentence(
    world: World, clients: dict[str, Client], action: str, fields: dict[str, str], status: int
) -> None:
    before = books()
    answer = clients["player"].post(f"{world.stable.get_absolute_url()}{action}", fields)
    assert answer.status_code == status
    assert "Nothing was changed." in answer.content.decode()
    assert books() == before


def test_what_the_season_does_not_allow_now_is_a_page_with_a_sentence(world: World, clients: dict[str, Client]) -> None:
    before = books()
    own = world.running_stable
    unit = own.assets.get(kind="unit")
    for action, fields in (
        ("buy", {"kind": "unit", "key": unit.catalogue_key}),
        ("repair", {"asset": unit.pk}),
    ):
        answer = clients["player"].post(f"{own.get_absolute_url()}{action}", fields)
        assert answer.status_code == 409, action
        assert "Nothing was changed." in answer.content.decode()
    assert books() == before


@pytest.mark.parametrize("role", ["anonymous", "spectator", "rival", "organiser", "staff"])
def test_nobody_trades_for_another_stable(world: World, clients: dict[str, Client], role: str) -> None:
    before = books()
    unit = world.running_stable.assets.get(kind="unit")
    for action, fields in (
        ("buy", {"kind": "unit", "key": unit.catalogue_key}),
        ("sell", {"asset": unit.pk}),
        ("repair", {"asset": unit.pk}),
    ):
        answer = clients[role].post(f"{world.running_stable.get_absolute_url()}{action}", fields)
        assert answer.status_code == (302 if role == "anonymous" else 403), action
    assert books() == before


def test_a_match_in_play_is_not_downloaded(world: World, client: Client) -> None:
    answer = client.get(f"{world.open.get_absolute_url()}replay.json")
    assert answer.status_code == 409
    assert "still being played" in answer.content.decode()


@pytest.mark.parametrize("method", ["post", "put", "delete"])
def test_pages_to_look_at_take_no_other_method(world: World, client: Client, method: str) -> None:
    for address in ("/", world.played.get_absolute_url(), world.finished.get_absolute_url()):
        assert getattr(client, method)(address).status_code == 405


# The way back, and what was typed -----------------------------------------------------------------------------------


def back_of(answer: Any) -> str:
    found = re.search(r'<a class="button primary" href="([^"]*)">Back to where you were</a>', answer.content.decode())
    assert found
    return unescape(found[1])


@pytest.mark.parametrize(
    ("came_from", "back"),
    [
        ("http://testserver/catalogue/?q=a&b=c", "/catalogue/?q=a&b=c"),
        ("http://testserver{stable}market/", "{stable}market/"),
        ("http://testserver{stable}line-up", "{stable}line-ups/"),
        ("http://elsewhere.example{stable}market/", "{season}"),
        ("javascript:alert(1)", "{season}"),
        ("//elsewhere.example/", "{season}"),
        ("http://testserver/nowhere/at/all", "{season}"),
        ("", "{season}"),
    ],
)
def test_a_refusal_leads_back_to_where_one_was_on_this_site(
    world: World, clients: dict[str, Client], came_from: str, back: str
) -> None:
    places = {"season": world.recruiting.get_absolute_url(), "stable": world.stable.get_absolute_url()}
    headers = {"referer": came_from.format(**places)} if came_from else {}
    answer = clients["player"].post(f"{world.stable.get_absolute_url()}sell", {"asset": "x"}, headers=headers)
    assert back_of(answer) == back.format(**places)


def test_nobody_is_led_back_to_what_is_not_there(db: None, client: Client) -> None:
    address = "/seasons/no-such-season/"
    assert back_of(client.get(address)) == "/"
    assert back_of(client.get(address, headers={"referer": f"http://testserver{address}"})) == "/"
    assert back_of(client.get(address, headers={"referer": "http://testserver/help/"})) == "/help/"


def chosen(html: str) -> dict[str, str]:
    """What stands in the fields of a page: numbers, texts, the choices of lists, the boxes that are ticked."""
    found = {}
    for name, select in re.findall(r'<select[^>]* name="([a-z_0-9]+)"[^>]*>(.*?)</select>', html, re.S):
        option = re.search(r'value="([^"]*)" selected', select) or re.search(r'value="([^"]*)"', select)
        found[name] = option[1] if option else ""
    for field in re.findall(r"<input\b[^>]*>", html):
        attributes = dict(re.findall(r'([a-z]+)="([^"]*)"', field))
        if attributes.get("type") == "hidden" or (attributes.get("type") == "checkbox" and " checked" not in field):
            continue
        found[attributes.get("name", "")] = unescape(attributes.get("value", ""))
    return found


def alert_of(html: str) -> str:
    found = re.search(r'<p class="message error" role="alert">(.*?)</p>', html, re.S)
    assert found
    return re.sub(r"<[^>]*>", "", unescape(found[1]))


TYPED = {
    "name": "Season of <tests> & “quotes”",
    "weight_class": "medium",
    "ai_stables": "9",
    "joining": "invited",
    "visibility": "unlisted",
    "format_standard": "yes",
    "places": "2",
    "absence_pays": "7",
    "loser_keeps_reputation": "no",
    "class_2": "heavy",
    "rule_token_pool_rp": "120",
    "rule_rally_cards": "no",
    "calendar_preset": "weekly",
    "calendar_market_hours": "30",
}


@pytest.mark.parametrize(
    ("wrong", "sentence"),
    [
        ({}, "A season opens with 0 to 1 stables run by the AI, not 9."),
        ({"rule_token_pool_rp": ""}, "“Reputation of the three target tokens together” must be a whole number."),
        ({"ai_bot": "tactical", "name": ""}, "A season needs a name"),
        ({"ai_stables": ""}, "“Stables run by the AI” must be a whole number."),
        ({"calendar_line_up_hours": "soon"}, "“Hours for line-ups” must be a whole number."),
        ({"places": "1"}, "The setting “Most stables” cannot have the value 1."),
        ({"name": ""}, "A season needs a name"),
    ],
)
def test_a_refused_season_is_still_in_the_form(
    clients: dict[str, Client], release: Any, wrong: dict[str, str], sentence: str
) -> None:
    player = clients["player"]
    typed = {**TYPED, **wrong}
    answer = player.post("/open-a-season/", typed)
    assert answer.status_code == 400
    html = answer.content.decode()
    assert alert_of(html).startswith(sentence)
    fields = chosen(html)
    for name, value in typed.items():
        assert fields[name] == value, name
    assert "format_duel" not in fields
    assert sum(name.startswith("format_") for name in fields) == 1
    assert not Season.objects.exists()


def test_the_console_names_settings_as_its_form_does(world: World, clients: dict[str, Client]) -> None:
    address = f"{world.recruiting.get_absolute_url()}settings"
    answer = clients["organiser"].post(address, {"places": ""})
    assert answer.status_code == 400
    assert "“Most stables” must be a whole number." in answer.content.decode()


@pytest.mark.parametrize("action", ["line-up", "line-up/save"])
def test_a_refused_line_up_is_still_in_the_form(world: World, clients: dict[str, Client], action: str) -> None:
    stable, player = world.running_stable, clients["player"]
    cards = sorted(catalogue_of(stable.season).rally_cards)[:3]
    ids = [
        Asset.objects.create(
            stable=stable, kind="rally_card", catalogue_key=key, content_hash="", name=key, price_paid=10
        ).pk
        for key in cards
    ]
    page = player.get(f"{stable.get_absolute_url()}line-ups/").content.decode()
    fields = {name: value for name, value in chosen(page).items() if name.startswith(("crew", "hand", "token"))}
    fields |= {"hand_1": str(ids[1]), "hand_2": str(ids[1]), "hand_3": ""}
    fields["token_1"], fields["token_3"] = fields["token_3"], fields["token_1"]
    kind = {"match_class": "light", "format": "standard"}
    before = books()
    answer = player.post(f"{stable.get_absolute_url()}{action}", fields | kind)
    html = answer.content.decode()
    assert answer.status_code == 409
    assert "every card may be in it once" in alert_of(html)
    shown = chosen(html[html.index('id="editing-heading"') :] if action == "line-up/save" else html)
    assert {name: shown[name] for name in fields} == fields
    assert books() == before
    assert not LineUp.objects.filter(side__stable=stable).exists()
    # A choice that is legal goes through from the same page.
    assert player.post(f"{stable.get_absolute_url()}{action}", fields | kind | {"hand_2": ""}).status_code == 302


def test_without_a_form_to_show_again_a_refused_line_up_is_a_page(world: World, clients: dict[str, Client]) -> None:
    answer = clients["player"].post(f"{world.stable.get_absolute_url()}line-up", {"crew": "1-2"})
    assert answer.status_code == 409
    assert back_of(answer) == world.recruiting.get_absolute_url()
