"""Every page for every kind of visitor: the answer, and what only some of them see."""

from __future__ import annotations

import pytest
from django.test import Client

from stables.models import Fixture, Season
from stables.selectors.definitions import catalogue_of
from tests.markup import closed_up
from tests.stables.shown_again import as_it_stands

from .conftest import ROLES, SEED, World

ALL = dict.fromkeys(ROLES, 200)
STAFF = {"anonymous": 302, "spectator": 302, "player": 302, "rival": 302, "organiser": 302, "staff": 200}


def addresses(world: World) -> dict[str, dict[str, int]]:
    """Address -> role -> status of a GET."""
    pages = ["/"]
    for season in (world.played, world.running, world.recruiting):
        pages += [season.get_absolute_url(), f"{season.get_absolute_url()}standings/"]
        pages += [stable.get_absolute_url() for stable in season.stables.select_related("season")]
        pages += [f"{season.get_absolute_url()}programs/", *fixture_pages(season)]
    for match in (world.finished, world.open):
        pages += [match.get_absolute_url(), f"{match.get_absolute_url()}?step=2"]
    answers = dict.fromkeys(pages, ALL)
    missing = dict.fromkeys(ROLES, 404)
    own = {"anonymous": 302, "spectator": 403, "player": 200, "rival": 403, "organiser": 403, "staff": 403}
    answers[f"{world.running_stable.get_absolute_url()}hand-over/"] = own
    answers[f"{world.played.get_absolute_url()}fixtures/0/"] = missing
    nobody = "/matches/00000000-0000-4000-8000-000000000000/"
    answers |= dict.fromkeys(
        ["/seasons/none/", "/seasons/none/standings/", f"{world.played.get_absolute_url()}stables/none/", nobody],
        missing,
    )
    answers[f"{nobody}replay.json"] = missing
    answers[f"{world.finished.get_absolute_url()}replay.json"] = ALL
    answers[f"{world.open.get_absolute_url()}replay.json"] = dict.fromkeys(ROLES, 409)
    answers["/appearance/"] = dict.fromkeys(ROLES, 405)
    for match in (world.finished, world.open):
        answers[f"/admin/matches/match/{match.pk}/change/"] = STAFF
    answers["/admin/matches/match/"] = STAFF
    answers["/admin/matches/matchaction/"] = STAFF
    answers["/admin/matches/match/add/"] = {**STAFF, "staff": 403}
    return answers


def fixture_pages(season: Season) -> list[str]:
    """The pages of a season's fixtures."""
    fixtures = Fixture.objects.filter(round__cycle__season=season).values_list("pk", flat=True)
    return [f"{season.get_absolute_url()}fixtures/{pk}/" for pk in fixtures]


@pytest.mark.parametrize("role", ROLES)
def test_every_page_answers_every_visitor_as_it_should_and_shows_no_seed(
    role: str, world: World, clients: dict[str, Client]
) -> None:
    secrets = [SEED.hex(), repr(SEED), SEED.decode(), bytes(world.played.secret).hex()]
    expected = {address: answers[role] for address, answers in addresses(world).items()}
    answers = {address: clients[role].get(address) for address in expected}
    assert {address: answer.status_code for address, answer in answers.items()} == expected
    for address, answer in answers.items():
        shown = answer.content.decode()
        assert not [secret for secret in secrets if secret in shown], address
        # Baskets and line-ups are sealed, and a phone may be shared: no browser keeps what a person reads.
        assert role == "anonymous" or "no-store" in answer.headers["Cache-Control"], address


def test_a_draft_is_its_organisers_page_alone(world: World, clients: dict[str, Client]) -> None:
    Season.objects.filter(pk=world.recruiting.pk).update(state=Season.State.DRAFT)
    for role in ROLES:
        expected = 200 if role == "organiser" else 404
        assert clients[role].get(world.recruiting.get_absolute_url()).status_code == expected, role
        assert "Recruiting season" not in clients[role].get("/").content.decode()


def test_the_seed_and_its_hash_are_shown_after_the_end(world: World, client: Client) -> None:
    shown = client.get(world.finished.get_absolute_url()).content.decode()
    assert world.finished.seed_commitment in shown
    assert bytes(world.finished.seed).hex() in shown
    before = client.get(world.open.get_absolute_url()).content.decode()
    assert world.open.seed_commitment in before
    assert "secret until the match is over" in before


def test_the_admin_never_shows_a_seed_not_even_after_the_end(world: World, clients: dict[str, Client]) -> None:
    for match in (world.finished, world.open):
        shown = clients["staff"].get(f"/admin/matches/match/{match.pk}/change/").content.decode()
        assert match.seed_commitment in shown
        assert bytes(match.seed).hex() not in shown
        assert 'name="_save"' not in shown
        assert "deletelink" not in shown


def forms_on(client: Client, address: str) -> set[str]:
    """The addresses that the page's forms post to, without those of the frame."""
    import re

    shown = client.get(address).content.decode()
    found = set(re.findall(r'<form[^>]*method="post"[^>]*action="([^"]*)"', shown))
    return {action for action in found if not action.startswith(("/appearance/", "/people/", "/i18n/"))}


@pytest.mark.parametrize("role", ROLES)
def test_only_an_owner_gets_the_forms_of_a_stable(role: str, world: World, clients: dict[str, Client]) -> None:
    own = world.stable.get_absolute_url()
    waiting = world.running_stable.get_absolute_url()
    expected = {
        own: set(),
        f"{own}market/": {f"{own}buy", f"{own}basket/put", f"{own}basket/advice"},
        waiting: {f"{waiting}line-up"},
        f"{waiting}garage/": {f"{waiting}sell", f"{waiting}assign"},
    }
    for address, forms in expected.items():
        assert forms_on(clients[role], address) == (forms if role == "player" else set())


@pytest.mark.parametrize("role", ROLES)
def test_who_may_found_start_and_call_time(role: str, world: World, clients: dict[str, Client]) -> None:
    recruiting, running = world.recruiting.get_absolute_url(), world.running.get_absolute_url()
    expected: dict[str, set[str]] = {
        "anonymous": set(),
        "player": {f"{world.stable.get_absolute_url()}{form}" for form in ("ready", "skip", "withdraw")},
        "rival": {f"{world.rivals.get_absolute_url()}{form}" for form in ("ready", "skip", "withdraw")},
        "organiser": {f"{recruiting}{form}" for form in ("found", "start", "take-up-collection", "make-collection")},
    }
    for role_in_it in ("player", "rival", "organiser"):
        expected[role_in_it] = {*expected[role_in_it], f"{recruiting}calendar/make"}
    assert forms_on(clients[role], recruiting) == expected.get(role, {f"{recruiting}found"})
    expected = {
        "player": {f"{world.running_stable.get_absolute_url()}withdraw", f"{running}calendar/make"},
        "organiser": {f"{running}calendar/make"},
    }
    assert forms_on(clients[role], running) == expected.get(role, set())
    # Time is called where a page says what would come of it.
    expected = {"organiser": {f"{running}call-time"}}
    assert forms_on(clients[role], f"{running}close-out/") == expected.get(role, set())


def test_names_of_people_are_escaped_and_not_translated(world: World, client: Client) -> None:
    shown = closed_up(client.get(world.stable.get_absolute_url()).content.decode())
    assert '<span translate="no">Alpha &lt;Works&gt;</span></h1>' in shown
    assert "<Works>" not in shown


def test_an_owner_buys_sells_and_hands_in_with_plain_forms(world: World, clients: dict[str, Client]) -> None:
    player, own = clients["player"], world.stable.get_absolute_url()
    unit = next(key for key, entry in catalogue_of(world.recruiting).units.items() if entry["class"] == "light")
    bought = player.post(f"{own}buy", {"kind": "unit", "key": unit}, follow=True)
    assert bought.redirect_chain == [(own, 302)]
    assert "bought for" in bought.content.decode()
    assert f"{own}sell" in forms_on(player, f"{own}garage/")
    waiting = world.running_stable.get_absolute_url()
    page = player.get(waiting)
    line_up = page.context["line_up"]
    fields = as_it_stands(line_up["form"])
    handed_in = player.post(f"{waiting}line-up", fields, follow=True)
    assert "sealed" in handed_in.content.decode()
    assert f"{waiting}line-up" not in forms_on(player, waiting)


def test_the_home_page_without_a_season_says_what_to_do_next(client: Client, db: None) -> None:
    shown = client.get("/").content.decode()
    assert "No season yet" in shown
    assert "python manage.py season" in shown


@pytest.mark.parametrize(("theme", "stored"), [("dark", "dark"), ("light", "light"), ("system", "")])
def test_the_theme_is_a_form_and_a_cookie(theme: str, stored: str, client: Client, db: None) -> None:
    client.cookies["theme"] = "light" if theme == "dark" else "dark"
    answer = client.post("/appearance/", {"theme": theme, "next": "/people/log-in"})
    assert (answer.status_code, answer.headers["Location"]) == (302, "/people/log-in")
    assert answer.cookies["theme"].value == stored
    shown = client.get("/").content.decode()
    assert (f'data-theme="{theme}"' in shown) == (theme != "system")


@pytest.mark.parametrize("back", ["https://elsewhere.example/", "//elsewhere.example", "javascript:alert(1)", ""])
def test_the_theme_form_leads_nowhere_else(back: str, client: Client, db: None) -> None:
    assert client.post("/appearance/", {"theme": "dark", "next": back}).headers["Location"] == "/"


def test_an_unknown_theme_is_malformed_and_sets_nothing(client: Client, db: None) -> None:
    answer = client.post("/appearance/", {"theme": "plaid"})
    assert answer.status_code == 400
    assert "theme" not in answer.cookies


def test_a_sound_that_is_off_is_a_cookie_until_it_is_on_again(client: Client, db: None) -> None:
    back = {"next": "/people/log-in"}
    assert client.post("/appearance/", {"sound": "off", **back}).cookies["sound"].value == "off"
    assert client.post("/appearance/", {"sound": "on", **back}).cookies["sound"].value == ""
    answer = client.post("/appearance/", {"sound": "loud", **back})
    assert (answer.status_code, "sound" in answer.cookies) == (400, False)
