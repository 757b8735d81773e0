"""Headers, cookies, redirects, hosts and uploads, as somebody would try them who means no good."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from catalogue.models import ImportDraft
from catalogue.services import collections
from stables.models import Invitation, Season
from tests.architecture.test_environment import settings_values

from .world import World

pytestmark = pytest.mark.django_db
PASSWORD = "secret words"
PAGES = ("/", "/people/log-in", "/champions/", "/catalogue/", "/nothing/here", "/healthz")


@pytest.mark.parametrize("address", PAGES)
def test_every_answer_says_what_browsers_must_not_do(client: Client, address: str) -> None:
    headers = client.get(address, secure=True).headers
    policy = dict(part.strip().split(" ", 1) for part in headers["Content-Security-Policy"].split(";"))
    assert {policy[name] for name in ("default-src", "script-src", "style-src", "form-action", "base-uri")} == {
        "'self'"
    }
    assert {policy["object-src"], policy["frame-ancestors"]} == {"'none'"}
    assert "unsafe" not in headers["Content-Security-Policy"]
    assert headers["X-Content-Type-Options"] == "nosniff"
    assert headers["X-Frame-Options"] == "DENY"
    assert headers["Referrer-Policy"] == "same-origin"
    assert headers["Cross-Origin-Opener-Policy"] == "same-origin"
    assert "geolocation=()" in headers["Permissions-Policy"]


def test_browsers_get_no_header_over_http_that_they_complain_of(client: Client) -> None:
    """A laptop in a hall has no certificate, and its console stays empty."""
    headers = client.get("/catalogue/").headers
    assert "Cross-Origin-Opener-Policy" not in headers
    assert "geolocation=()" in headers["Permissions-Policy"]


def test_the_session_is_no_business_of_scripts_or_other_sites(client: Client, world: World) -> None:
    client.post("/people/log-in", {"username": "player", "password": PASSWORD})
    cookie = client.cookies["sessionid"]
    assert (cookie["httponly"], cookie["samesite"], cookie["path"]) == (True, "Lax", "/")
    assert cookie["max-age"] == 14 * 24 * 3600


def test_production_sends_cookies_and_pages_over_tls_alone(tmp_path: Path) -> None:
    names = ("SESSION_COOKIE_SECURE", "CSRF_COOKIE_SECURE", "SECURE_SSL_REDIRECT", "SESSION_COOKIE_HTTPONLY", "DEBUG")
    expression = "[getattr(s, name) for name in " + repr(names) + "], s.SECURE_HSTS_SECONDS >= 3600"
    done = settings_values(tmp_path, expression, SECRET_KEY="a secret", ALLOWED_HOSTS="solaris.example")
    assert done.stdout.strip() == "[True, True, True, True, False] True", done.stderr


def test_log_ins_are_not_guessed_for_ever(client: Client, world: World) -> None:
    wrong = {"username": "player", "password": "x"}
    tried = [client.post("/people/log-in", wrong).status_code for _ in range(6)]
    assert tried[:4] == [200] * 4
    assert tried[-1] == 429
    assert client.post("/people/log-in", {**wrong, "password": PASSWORD}).status_code == 429
    # From another place the same person still gets in.
    elsewhere = Client(REMOTE_ADDR="203.0.113.9")
    assert elsewhere.post("/people/log-in", {**wrong, "password": PASSWORD}).status_code == 302


AWAY = ("https://evil.example/", "//evil.example", "/\\evil.example", "javascript:alert(1)", "http:///evil.example")


@pytest.mark.parametrize("away", AWAY)
def test_no_form_leads_to_another_site(client: Client, world: World, away: str) -> None:
    logging_in = {"username": "player", "password": PASSWORD, "next": away}
    assert client.post("/people/log-in", logging_in).headers["Location"] == "/"
    assert client.get("/people/sign-up", {"next": away}).headers["Location"] == "/"
    assert client.post("/appearance/", {"theme": "dark", "next": away}).headers["Location"] == "/"
    shelf = client.post("/catalogue/shelf/", {"key": "SOL002", "next": away})
    assert shelf.headers["Location"] == "/catalogue/"
    assert "evil" not in client.post("/i18n/setlang/", {"language": "en", "next": away}).headers["Location"]


def test_a_reader_who_must_log_in_first_is_not_sent_away(client: Client, world: World) -> None:
    """The form of a stranger leads to the log-in and back to this site, whatever page it was sent from."""
    address = f"{world.stable('recruiting').get_absolute_url()}buy"
    answer = client.post(address, {}, headers={"referer": "https://evil.example/trap"})
    back = answer.headers["Location"]
    logged_in = client.post(back, {"username": "player", "password": PASSWORD})
    assert "evil" not in logged_in.headers["Location"]


def test_a_foreign_host_is_not_answered(client: Client) -> None:
    for host in ("evil.example", "localhost.evil.example", "testserver:80@evil.example"):
        assert client.get("/people/log-in", headers={"host": host}).status_code == 400
    assert "*" not in settings.ALLOWED_HOSTS


def test_forms_without_their_token_are_refused(world: World) -> None:
    strict = Client(enforce_csrf_checks=True)
    strict.force_login(world.people["organiser"])
    own = world.season("recruiting")
    for address in (f"{own}cancel", f"{own}visibility", "/people/account/leave", "/people/log-out", "/open-a-season/"):
        assert strict.post(address, {"sure": "yes", "password": PASSWORD}).status_code == 403
    assert Season.objects.get(pk=world.seasons["recruiting"].pk).state == Season.State.RECRUITING


ODD_BODIES = ("", "[]", "null", "1", '"text"', "{", '{"name": [1]}', '{"name": {"a": 1}}', "\x00", "[" * 5000)


@pytest.mark.parametrize("body", ODD_BODIES, ids=range(len(ODD_BODIES)))
def test_anything_but_an_object_is_malformed_and_no_fault(world: World, body: str) -> None:
    own, stable = world.season("recruiting"), world.stable("recruiting").get_absolute_url()
    asked = [
        (world.clients["organiser"], f"{own}{what}") for what in ("roles/give", "invitations/revoke", "visibility")
    ]
    asked += [(world.clients["player"], f"{stable}{what}") for what in ("buy", "sell", "basket/put")]
    asked += [(world.clients["player"], f"/api/v1/matches/{world.friendly.public_id}/actions/")]
    for client, address in asked:
        answer = client.post(address, body, content_type="application/json")
        assert answer.status_code in (400, 409), (address, body)


HUGE = str(2**63)


def test_numbers_that_no_database_holds_are_nothing(world: World) -> None:
    own = world.season("recruiting")
    for address in (f"{own}fixtures/{HUGE}/", f"/identities/{HUGE}/", f"{own}stables/x/hand-over/{HUGE}/"):
        assert world.clients["organiser"].get(address).status_code in (404, 403), address
    answer = world.clients["organiser"].post(f"{own}roles/take", {"role": HUGE})
    assert answer.status_code == 400


def upload(client: Client, collection: Any, name: str, content: bytes) -> Any:
    sent = SimpleUploadedFile(name, content)
    return client.post(f"/catalogue/collections/{collection.slug}/", {"file": sent, "form": ""})


def test_uploads_are_read_as_what_they_are_and_no_larger_than_that(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    kept = collections.make_collection(name="Mine", keeper=world.people["player"])
    odd = {
        "page.html": b"<script>alert(1)</script>",
        "picture.svg": b"<svg xmlns='http://www.w3.org/2000/svg' onload='alert(1)'/>",
        "archive.zip": b"PK\x03\x04" + b"\x00" * 200,
        "../../settings.json": b"[]",
        "nested.json": b"[" * 100_000,
        "bytes.csv": bytes(range(256)),
        "empty.json": b"",
    }
    for name, content in odd.items():
        answer = upload(world.clients["player"], kept, name, content)
        assert answer.status_code == 400, name
        assert b"<script>alert" not in answer.content
        assert b"<svg xmlns='http" not in answer.content
    for module in ("forms", "services"):
        monkeypatch.setattr(f"catalogue.{module}.files.LARGEST_FILE", 1000)
    assert upload(world.clients["player"], kept, "large.json", b" " * 1001).status_code == 400
    assert upload(world.clients["rival"], kept, "foreign.json", b"{}").status_code == 404, "another's own collection"
    assert ImportDraft.objects.filter(collection=kept).count() == 0


def test_invitations_of_one_season_open_no_other(world: World) -> None:
    own = world.season("recruiting")
    other = world.season("running")
    assert world.clients["organiser"].post(f"{own}invitations/make", {}).status_code == 302
    made = Invitation.objects.latest("pk")
    # An id of this season's invitation is none of the other one's.
    wrong = world.clients["organiser"].post(f"{other}invitations/revoke", {"invitation": made.pk})
    assert wrong.status_code == 400
    assert world.clients["spectator"].get(f"/join/{made.code}/").status_code == 200
    assert world.clients["spectator"].get(f"/join/{made.code.swapcase()}/").status_code == 400
    assert world.clients["spectator"].get("/join/%00/").status_code in (400, 404)
