"""One's own account for programs: who asks, tokens that it may end but not make, notices, and the desk."""

from __future__ import annotations

from html import unescape
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone
from django.utils.html import strip_tags

from people.models import ApiToken, Notice
from people.services.accounts import notify
from people.services.tokens import make_token
from tests.web.roles.world import World

pytestmark = pytest.mark.django_db


def asked(ask: Any) -> int:
    with CaptureQueriesContext(connection) as caught:
        assert ask().status_code == 200
    return len(caught)


@pytest.mark.parametrize("address", ["me/", "me/desk/", "me/tokens/", "me/notices/"])
def test_nobody_is_nobody(api: Any, address: str) -> None:
    answer = api("", "get", address)
    assert (answer.status_code, answer.json()["code"]) == (401, "log_in_needed")


def test_me_tells_who_asks_and_with_what(world: World, api: Any) -> None:
    person = world.people["player"]
    made = make_token(user=person, name="laptop", scopes=["play", "read"], days=9)
    document = api("", "get", "me/", headers={"Authorization": f"Bearer {made.text}"}).json()
    assert (document["name"], document["time_zone"]) == ("player", person.time_zone)
    assert document["unread_notices"] == person.notices.filter(read_at=None).count()
    assert {key: document["token"][key] for key in ("id", "name", "ending", "scopes")} == {
        "id": made.token.pk,
        "name": "laptop",
        "ending": made.text[-4:],
        "scopes": ["read", "play"],
    }
    assert made.token.digest not in str(document)
    assert person.email not in str(document)
    assert world.clients["player"].get("/api/v1/me/").json()["token"] is None, "a session has none"


def test_tokens_are_listed_without_what_opens(world: World, api: Any) -> None:
    made = make_token(user=world.people["player"], name="laptop", scopes=["read"])
    foreign = make_token(user=world.people["rival"], name="elsewhere", scopes=["read"])
    answer = api("player", "get", "me/tokens/")
    names = [row["name"] for row in answer.json()["results"]]
    assert names[1] == "laptop", "the newest first, and the one that asks is newer"
    assert "elsewhere" not in names
    for token in (made, foreign):
        assert token.text not in answer.content.decode()
        assert token.token.digest not in answer.content.decode()


def test_a_token_makes_no_tokens(world: World, api: Any) -> None:
    before = ApiToken.objects.count()
    for method, address in (("post", "me/tokens/"), ("put", "me/tokens/"), ("post", "me/tokens/1/")):
        answer = api("player", method, address, {"name": "x", "scopes": ["read"], "days": 9})
        assert (answer.status_code, answer.json()["code"]) == (405, "method_not_allowed")
    assert ApiToken.objects.count() == before + 1, "the one that asks"
    # A token is nobody on the pages: their door is the session.
    made = make_token(user=world.people["player"], name="laptop", scopes=["read", "play", "organise"])
    form = {"name": "y", "scopes": ["read"], "days": 9}
    answer = api("", "post", "/people/tokens", form, headers={"Authorization": f"Bearer {made.text}"})
    assert answer.status_code in (302, 401)
    assert not ApiToken.objects.filter(name="y").exists()


def test_a_token_is_revoked_by_its_id_and_a_second_call_changes_nothing(world: World, api: Any) -> None:
    made = make_token(user=world.people["player"], name="laptop", scopes=["read"])
    address = f"me/tokens/{made.token.pk}/"
    assert api("rival", "delete", address).status_code == 404
    assert api("player", "delete", address, scopes=("read",)).json()["code"] == "scope_missing"
    assert ApiToken.objects.get(pk=made.token.pk).revoked_at is None
    first = api("player", "delete", address, key="end")
    assert (first.status_code, first.content) == (204, b"")
    assert api("player", "delete", address, key="end").status_code == 204
    assert api("player", "delete", address).status_code == 204
    assert api("", "get", "me/", headers={"Authorization": f"Bearer {made.text}"}).status_code == 401
    assert "laptop" not in str(api("player", "get", "me/tokens/").json())


@pytest.mark.parametrize("token_id", ["0", "9" * 25, str(2**63)])
def test_a_token_that_nobody_has_is_not_there(api: Any, token_id: str) -> None:
    assert api("player", "delete", f"me/tokens/{token_id}/").status_code == 404


def test_notices_are_read_and_marked(world: World, api: Any) -> None:
    person = world.people["player"]
    Notice.objects.filter(user=person).delete()
    notify([person], "season_started", {"season": "Table"}, "/seasons/table-season/")
    notify([person], "season_resumed", {"season": "Table"})
    notify([world.people["rival"]], "season_paused", {"season": "Table"})
    rows = api("player", "get", "me/notices/").json()["results"]
    assert [(row["code"], row["sentence"], row["page"]) for row in rows] == [
        ("season_resumed", "Table goes on.", None),
        ("season_started", "Table has begun.", "/seasons/table-season/"),
    ]
    assert api("player", "get", "me/notices/", {"unread": "true"}).json()["count"] == 2, "looking marks nothing"
    assert api("player", "post", "me/notices/read/", key="seen").json() == {"read": 2}
    assert api("player", "post", "me/notices/read/", key="seen").json() == {"read": 2}, "the first answer again"
    assert api("player", "post", "me/notices/read/").json() == {"read": 0}
    assert api("player", "get", "me/notices/", {"unread": "true"}).json()["count"] == 0
    assert api("player", "get", "me/notices/", {"unread": "false"}).json()["count"] == 2
    assert Notice.objects.filter(user=world.people["rival"], read_at=None).exists()


def test_the_desk_is_what_the_first_page_shows(world: World, api: Any) -> None:
    for role in ("player", "organiser", "referee", "program", "spectator"):
        document = api(role, "get", "me/desk/").json()
        page = world.clients[role].get("/").context
        for part in ("waiting", "awaited"):
            # Pages mark names and escape them; programs read them as they are.
            shown = [
                (each.season.slug, unescape(strip_tags(each.task.sentence)), each.task.address) for each in page[part]
            ]
            assert [(row["season"], row["sentence"], row["page"]) for row in document[part]] == shown, (role, part)
        assert [(row["season"]["slug"], row["office"]) for row in document["offices"]] == [
            (each.season.slug, each.office) for each in page["offices"]
        ]
        assert [row["public_id"] for row in document["open_matches"]] == [
            str(each.public_id) for each in page["open_matches"]
        ]
        assert [row["opponents"] for row in document["open_matches"]] == [
            [side.name for side in sides] for _, sides in page["named_matches"]
        ]
        assert bool(document["stables"]) == page["has_stable"]
    player = api("player", "get", "me/desk/").json()
    assert player["waiting"], "the world has something to do for the player"
    assert {row["season"]["slug"] for row in player["stables"]} >= {"table-season", "running-season"}
    program = api("program", "get", "me/desk/").json()
    assert [row["agreed_at"] for row in program["seats"]] == [None]


def test_lists_ask_as_often_for_many_as_for_few(world: World, api: Any) -> None:
    person = world.people["player"]
    for number in range(6):
        make_token(user=person, name=f"token {number}", scopes=["read"])
    notify([person] * 6, "season_started", {"season": "Table"})
    for address in ("me/tokens/", "me/notices/"):
        api("player", "get", address)
        few = asked(lambda address=address: api("player", "get", address, {"page_size": 1}))
        assert few == asked(lambda address=address: api("player", "get", address, {"page_size": 100})), address
    assert asked(lambda: api("player", "get", "me/desk/")) <= 15


def test_a_token_whose_time_is_over_stays_in_the_list(world: World, api: Any) -> None:
    made = make_token(user=world.people["player"], name="old", scopes=["read"])
    ApiToken.objects.filter(pk=made.token.pk).update(expires_at=timezone.now())
    assert "old" in {row["name"] for row in api("player", "get", "me/tokens/").json()["results"]}
