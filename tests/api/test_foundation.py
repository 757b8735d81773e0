"""What every address of the interface has in common: tokens and scopes, strict reading, problems, pages, language."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone
from rest_framework.exceptions import ValidationError

from api.fields import StrictString
from api.problems import flat_errors, too_often
from people.models import ApiToken
from people.services.tokens import digest_of, make_token, open_tokens, revoke_token
from rules.core.refusals import Malformed, Refused
from tests.api.described import description
from tests.web.roles.world import World
from web.bounds import MOST_TOKENS

pytestmark = pytest.mark.django_db


def test_a_token_is_stored_as_a_digest_and_ends(world: World, api: Any) -> None:
    person = world.people["player"]
    made = make_token(user=person, name="laptop", scopes=["read"], days=2)
    assert made.text not in str(vars(made.token))
    assert made.token.digest == digest_of(made.text)
    header = {"Authorization": f"Bearer {made.text}"}
    assert api("", "get", "seasons/", headers=header).status_code == 200
    ApiToken.objects.filter(pk=made.token.pk).update(expires_at=timezone.now() - timedelta(seconds=1))
    answer = api("", "get", "seasons/", headers=header)
    assert (answer.status_code, answer.json()["code"]) == (401, "token_unknown")
    assert answer.headers["WWW-Authenticate"].startswith("Bearer")


def test_a_revoked_token_opens_nothing(world: World, api: Any) -> None:
    person = world.people["player"]
    made = make_token(user=person, name="phone", scopes=["read"])
    revoke_token(user=person, token_id=made.token.pk)
    assert api("", "get", "seasons/", headers={"Authorization": f"Bearer {made.text}"}).status_code == 401
    with pytest.raises(Malformed, match="unknown_token"):
        revoke_token(user=world.people["rival"], token_id=made.token.pk)


@pytest.mark.parametrize(
    ("fields", "field"),
    [
        ({"name": ""}, "name"),
        ({"name": "x" * 61}, "name"),
        ({"scopes": []}, "scopes"),
        ({"scopes": ["rule"]}, "scopes"),
        ({"days": 0}, "days"),
        ({"days": 367}, "days"),
    ],
)
def test_a_token_that_cannot_be(world: World, fields: dict[str, Any], field: str) -> None:
    with pytest.raises(Malformed) as refused:
        make_token(**{"user": world.people["player"], "name": "x", "scopes": ["read"], "days": 9, **fields})
    assert refused.value.parameters == {"field": field}


def test_names_of_tokens_are_taken_once_and_there_are_not_too_many(world: World, api: Any) -> None:
    person = world.people["referee"]
    for number in range(MOST_TOKENS):
        make_token(user=person, name=f"token {number}", scopes=["read"])
    with pytest.raises(Refused, match="too_many_tokens"):
        make_token(user=person, name="one more", scopes=["read"])
    revoke_token(user=person, token_id=open_tokens(person)[0].pk)
    for name in ("token 5", "TOKEN\u200b 5", "t\u043eken 5"):
        with pytest.raises(Refused, match="token_name_taken"):
            make_token(user=person, name=name, scopes=["read"])
    assert make_token(user=person, name="token 0", scopes=["read"]).token.pk


def test_private_seasons_open_to_tokens_of_those_who_take_part(api: Any) -> None:
    address = "seasons/private-season/"
    assert api("player", "get", address).json()["visibility"] == "private"
    for role in ("anonymous", "spectator"):
        answer = api(role, "get", address)
        assert (answer.status_code, answer.headers["Content-Type"]) == (404, "application/problem+json")


def test_a_season_comes_as_long_as_it_says(api: Any) -> None:
    answer = api("anonymous", "get", "seasons/played-season/export/")
    assert int(answer.headers["Content-Length"]) == len(answer.getvalue()) > 1000


def test_a_token_without_the_scope_is_refused(api: Any) -> None:
    answer = api("player", "get", "seasons/", scopes=("play",))
    assert (answer.status_code, answer.json()["code"]) == (403, "scope_missing")
    assert answer.json()["parameters"] == {"scope": "read"}


@pytest.mark.parametrize(
    "query",
    ["page=x", "page=0", "page=1.0", "page=true", "page_size=101", "state=draft", "colour=red", "page=1&page=2"],
)
def test_a_query_that_nobody_described_is_refused_with_its_field(api: Any, query: str) -> None:
    answer = api("anonymous", "get", f"seasons/?{query}")
    assert (answer.status_code, answer.json()["code"]) == (400, "invalid")
    assert answer.json()["parameters"]["errors"][0]["field"] == query.partition("=")[0]


def test_lists_come_in_pages(api: Any) -> None:
    whole = api("player", "get", "seasons/").json()
    first = api("player", "get", "seasons/", {"page_size": 2}).json()
    assert (first["count"], first["page"], first["pages"]) == (whole["count"], 1, -(-whole["count"] // 2))
    assert first["results"] == whole["results"][:2]
    assert api("player", "get", "seasons/", {"page_size": 2, "page": 99}).status_code == 404


def test_strangers_have_a_pace_of_their_own(api: Any, settings: Any) -> None:
    settings.API_RATES = {**settings.API_RATES, "strangers": "2/min"}
    headers = {"X-Forwarded-For": "192.0.2.7"}
    codes = [api("anonymous", "get", "seasons/", headers=headers).status_code for _ in range(3)]
    assert codes == [200, 200, 429]
    answer = api("anonymous", "get", "seasons/", headers={"X-Forwarded-For": "192.0.2.8"})
    assert (answer.status_code, answer.json()["code"]) == (429, "throttled"), "a header that nobody vouches for"
    assert int(answer.headers["Retry-After"]) >= 1
    assert api("player", "get", "seasons/").status_code == 200


@pytest.mark.parametrize(("seconds", "said"), [(1, "in 1 second."), (2, "in 2 seconds.")])
def test_a_wait_counts_its_seconds(seconds: int, said: str) -> None:
    assert too_often(seconds).endswith(f"Try again {said}")


def test_a_body_with_fields_named_like_an_error_hears_of_each() -> None:
    given = {name: [{"message": f"{name} is missing.", "code": "required"}] for name in ("message", "code")}
    assert flat_errors({"note": given}) == [
        {"field": f"note.{name}", "code": "required", "detail": f"{name} is missing."} for name in ("message", "code")
    ]


def _texts(document: Any, part: Any, at: str) -> Iterator[str]:
    """Yield where `part` of the description takes any text at all: no pattern, no format, no list of texts."""
    if "$ref" in part:
        name = part["$ref"].rpartition("/")[2]
        part, at = document["components"]["schemas"][name], name
    if part.get("type") == "string" and not {"pattern", "format", "enum"} & set(part):
        yield at
    for name, inner in part.get("properties", {}).items():
        yield from _texts(document, inner, f"{at}.{name}")
    if part.get("type") == "array":
        yield from _texts(document, part["items"], f"{at}[]")


def test_no_text_may_be_sent_with_the_zero_character() -> None:
    document = description()
    sent = [
        operation["requestBody"]["content"]["application/json"]["schema"]
        for path in document["paths"].values()
        for operation in path.values()
        if "application/json" in operation.get("requestBody", {}).get("content", {})
    ]
    assert len(sent) > 50
    assert {at for schema in sent for at in _texts(document, schema, "")} == set()


def test_blanks_are_passed_on_and_the_zero_character_is_not() -> None:
    assert StrictString().run_validation(" \x0b ") == " \x0b "
    with pytest.raises(ValidationError):
        StrictString().run_validation("a\x00")
