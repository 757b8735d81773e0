"""Opening events, keys, and going on with an event from a file."""

from __future__ import annotations

import json

import pytest
from django.core.exceptions import PermissionDenied
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from challenge.documents import event_document
from challenge.models import Event, Key
from challenge.selectors.access import Access
from challenge.services.events import cheer, end_key, make_key, open_event, show_scene
from people.models import User
from tests.challenge.conftest import AGENT, GM, SETUP

FIELDS = {
    "name": "Steel Night",
    "tables": "Factory: North, East\nJungle",
    "minimum_turns": "6",
    "table_printing": "body",
    "is_listed": "on",
}


@pytest.fixture
def gm(owner: User, client: Client) -> Client:
    client.force_login(owner)
    return client


def test_a_name_and_a_table_open_an_event(gm: Client) -> None:
    assert gm.get("/challenge/open/").status_code == 200
    answer = gm.post("/challenge/open/", FIELDS, follow=True)
    assert answer.redirect_chain == [("/challenge/steel-night/", 302)]
    assert answer.context["who"].is_gm
    assert [(table.id, table.portals) for table in answer.context["book"].tables] == [
        ("Factory", ("North", "East")), ("Jungle", ()),
    ]  # fmt: skip
    assert "Steel Night" in gm.get("/challenge/").content.decode()
    assert Client().get("/challenge/steel-night/").status_code == 200


@pytest.mark.parametrize(
    "tables", ["", ":North", "Factory\nFactory", "Factory: North, North", "\n".join(f"Table {n}" for n in range(9))]
)
def test_tables_without_names_of_their_own_open_nothing(gm: Client, tables: str) -> None:
    answer = gm.post("/challenge/open/", {**FIELDS, "tables": tables})
    assert answer.status_code == 400
    assert not Event.objects.exists()


def test_an_event_never_takes_the_address_of_a_page(db: None) -> None:
    assert open_event("Open", SETUP, {}).slug == "open-event"
    assert open_event("Open", SETUP, {}).slug == "open-event-2"


def test_only_accounts_open_events(client: Client, owner: User) -> None:
    assert client.post("/challenge/open/", FIELDS).status_code == 302
    User.objects.filter(pk=owner.pk).update(is_guest=True)
    client.force_login(owner)
    assert client.post("/challenge/open/", FIELDS).status_code == 403
    assert client.get("/challenge/go-on/").status_code == 403
    assert not Event.objects.exists()


def test_a_key_lets_a_browser_in_until_it_ends(event: Event, client: Client) -> None:
    key = make_key(event, GM, Key.Role.AGENT, table="Factory", label="Table one")
    assert make_key(event, GM, Key.Role.AGENT, table="Factory", label="Table one") == key
    assert client.get(f"/challenge/{event.slug}/").context["who"].role == "spectator"
    page = client.get(f"/challenge/{event.slug}/key/{key.secret}/", follow=True)
    assert page.context["who"].runs("Factory")
    assert not page.context["who"].runs("Jungle")
    assert client.get(f"/challenge/{event.slug}/key/wrong/").status_code == 404
    end_key(event, GM, key.pk)
    assert client.get(f"/challenge/{event.slug}/").context["who"].role == "spectator"
    assert client.get(f"/challenge/{event.slug}/key/{key.secret}/").status_code == 404


def test_a_key_opens_its_own_event_alone(event: Event, client: Client, owner: User) -> None:
    other = open_event("Other", SETUP, {}, owner)
    key = make_key(other, GM, Key.Role.GM)
    assert client.get(f"/challenge/{event.slug}/key/{key.secret}/").status_code == 404
    client.get(f"/challenge/{other.slug}/key/{key.secret}/")
    assert client.get(f"/challenge/{event.slug}/").context["who"].role == "spectator"


def test_keys_scenes_and_gifts_are_for_gms(event: Event) -> None:
    make_key(event, AGENT, Key.Role.PLAYER, pilot="Ross")
    for call in (
        lambda: make_key(event, AGENT, Key.Role.GM),
        lambda: make_key(event, Access(), Key.Role.PLAYER, pilot="Ross"),
        lambda: end_key(event, AGENT, 1),
        lambda: show_scene(event, AGENT, Event.Scene.TOP),
        lambda: show_scene(event, GM, "song"),
    ):
        with pytest.raises(PermissionDenied):
            call()
    show_scene(event, GM, Event.Scene.TOP)
    cheer(event)
    event.refresh_from_db()
    assert (event.scene, event.cheers) == (Event.Scene.TOP, 1)


def test_an_event_goes_on_from_a_file(gm: Client, fight: Event) -> None:
    given = gm.get(f"/challenge/{fight.slug}/document/")
    assert json.loads(given.content) == event_document(Event.objects.get(pk=fight.pk))
    file = SimpleUploadedFile("event.json", given.content)
    answer = gm.post("/challenge/go-on/", {"file": file}, follow=True)
    assert answer.redirect_chain == [("/challenge/steel-night-2/", 302)]
    assert set(answer.context["book"].state.pilots) == {"Ross", "Jo"}
    damaged = SimpleUploadedFile("event.json", given.content.replace(b"Jo", b"Bo"))
    assert gm.post("/challenge/go-on/", {"file": damaged}).status_code == 400
    assert gm.post("/challenge/go-on/", {}).status_code == 400
    assert Event.objects.count() == 2
    assert Client().get(f"/challenge/{fight.slug}/document/").status_code == 403
