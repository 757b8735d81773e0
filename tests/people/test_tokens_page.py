"""The page of tokens: making one, whose text is seen once; revoking; and what becomes of them when somebody leaves."""

from __future__ import annotations

import re
from datetime import timedelta
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from catalogue.services.releases import load_release
from help.text.content.who_sees_what import SHEETS, STORED
from people.models import ApiToken, KeptAnswer, Notice, User
from people.services import accounts, leaving
from people.services.tokens import SCOPES, digest_of, find_token, make_token
from people.text.notices import notice_sentence
from stables.models import CalendarFeed, Season, Webhook
from tests.people.own_copies import fetched
from tests.stables.conftest import open_with
from web.bounds import MOST_TOKENS
from web.moments import moment_words

pytestmark = [pytest.mark.django_db, pytest.mark.database]
PASSWORD = "correct horse battery"
PAGE = "/people/tokens"
FORM = {"name": "laptop", "scopes": ["read", "play"], "days": "30"}


@pytest.fixture
def kai() -> User:
    return accounts.create_account("Kai", "kai@example.org", PASSWORD)


@pytest.fixture
def mine(kai: User) -> Client:
    client = Client()
    client.force_login(kai)
    return client


def shown_text(page: str) -> str:
    [text] = re.findall(r'<textarea id="token-text"[^>]* readonly [^>]*>([^<]+)</textarea>', page)
    return text


def test_a_token_is_made_and_its_text_seen_once(kai: User, mine: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    now = timezone.now()
    monkeypatch.setattr(timezone, "now", lambda: now)
    answer = mine.post(PAGE, FORM)
    text = shown_text(answer.content.decode())
    found = find_token(text)
    assert found is not None
    assert (found.user, found.name, found.scopes) == (kai, "laptop", ["read", "play"])
    assert found.expires_at == now + timedelta(days=30)
    assert "no-store" in answer.headers["Cache-Control"]
    assert text.encode() not in mine.get(PAGE).content
    assert text.encode() not in mine.get("/people/account").content
    assert not any(text in str(value) for value in mine.session.items()), "nor does the session keep it"
    assert not any(text in str(vars(row)) for row in [*ApiToken.objects.all(), *Notice.objects.all()])


def test_a_token_is_found_by_one_query_in_no_order(kai: User) -> None:
    """Every request of a program asks for one. An order makes Django compare all columns of token and account."""
    text = make_token(user=kai, name="bot", scopes=["read"]).text
    find_token(text)  # notes the use
    with CaptureQueriesContext(connection) as queries:
        assert find_token(text) is not None
    [asked] = [query["sql"] for query in queries]
    assert "ORDER BY" not in asked


def test_the_page_says_of_each_token_what_it_may_and_when(kai: User, mine: Client) -> None:
    made = make_token(user=kai, name="bot <b>", scopes=["organise"], days=3)
    old = make_token(user=kai, name="old", scopes=["read"])
    ApiToken.objects.filter(pk=old.token.pk).update(expires_at=timezone.now() - timedelta(days=1))
    foreign = make_token(
        user=accounts.create_account("Omar", "o@example.org", PASSWORD), name="foreign", scopes=["read"]
    )
    page = mine.get(PAGE).content.decode()
    assert "bot &lt;b&gt;" in page
    assert str(SCOPES["organise"]) in page
    assert f"…{made.text[-4:]}" in page
    assert "Never used" in page
    assert page.count(">ended<") == 1
    assert "foreign" not in page
    assert made.token.digest not in page
    find_token(made.text)
    assert "Last used" in mine.get(PAGE).content.decode().replace("“Last used”", "")
    assert foreign.token.digest not in page


@pytest.mark.parametrize(
    "wrong",
    [
        {"name": ""},
        {"name": "x" * 61},
        {"scopes": []},
        {"scopes": ["everything"]},
        {"days": "0"},
        {"days": "367"},
        {"days": "soon"},
    ],
    ids=str,
)
def test_a_token_that_cannot_be_is_shown_in_the_form(mine: Client, wrong: dict[str, Any]) -> None:
    answer = mine.post(PAGE, {**FORM, **wrong})
    assert answer.status_code == 200
    assert answer.context["form"].errors
    assert not ApiToken.objects.exists()
    assert not Notice.objects.exists()


def test_names_and_numbers_are_limited_in_words(kai: User, mine: Client) -> None:
    mine.post(PAGE, FORM)
    assert "You have a token named laptop already" in mine.post(PAGE, FORM).content.decode()
    for number in range(MOST_TOKENS - 1):
        make_token(user=kai, name=f"token {number}", scopes=["read"])
    assert "there can be no more" in mine.post(PAGE, {**FORM, "name": "one more"}).content.decode()
    assert ApiToken.objects.count() == MOST_TOKENS
    assert Notice.objects.count() == 1, "what was refused is not told"


def test_its_owner_hears_of_a_new_token(kai: User, mine: Client) -> None:
    mine.post(PAGE, FORM)
    notice = Notice.objects.get()
    assert (notice.user, notice.code, notice.url) == (kai, "token_made", PAGE)
    sentence = notice_sentence(notice.code, notice.parameters)
    assert "laptop" in sentence
    assert moment_words(ApiToken.objects.get().expires_at) in sentence


def test_a_token_is_revoked_by_its_owner_alone(kai: User, mine: Client) -> None:
    made = make_token(user=kai, name="laptop", scopes=["read"])
    address = reverse("people:revoke_token", args=[made.token.pk])
    stranger = Client()
    stranger.force_login(accounts.create_account("Omar", "o@example.org", PASSWORD))
    assert stranger.post(address).status_code == 404
    assert Client().post(address).status_code in (302, 401)
    assert mine.get(address).status_code == 405
    assert find_token(made.text) is not None
    assert mine.post(address).headers["Location"] == PAGE
    assert find_token(made.text) is None
    assert "The token “laptop” opens nothing any more." in mine.get(PAGE).content.decode()
    assert "laptop" not in mine.get(PAGE).content.decode()
    assert mine.post(f"/people/tokens/{10**30}/revoke").status_code == 404


def test_the_page_is_for_those_who_are_logged_in_and_linked_from_the_account(mine: Client) -> None:
    assert Client().get(PAGE).headers["Location"].startswith("/people/log-in")
    assert f'href="{PAGE}"' in mine.get("/people/account").content.decode()
    assert f'href="{reverse("api_help:overview")}"' in mine.get(PAGE).content.decode()


def test_a_form_of_another_site_makes_no_token(kai: User) -> None:
    strict = Client(enforce_csrf_checks=True)
    strict.force_login(kai)
    assert strict.post(PAGE, FORM).status_code == 403
    assert not ApiToken.objects.exists()


def with_outlets(kai: User) -> Season:
    season: Season = open_with(load_release(), ["Ash", "Birch", "Cedar", "Dogwood"])
    CalendarFeed.objects.create(season=season, user=kai, key="k" * 43)
    Webhook.objects.create(season=season, url="https://example.org/hook", secret="s" * 64, made_by=kai)
    return season


def test_leaving_takes_tokens_kept_answers_and_calendars_along(kai: User) -> None:
    made = make_token(user=kai, name="laptop", scopes=["read"])
    KeptAnswer.objects.create(user=kai, key="x", request_hash="y", status=200, body={"name": "Kai"})
    season = with_outlets(kai)
    leaving.leave(kai, PASSWORD)
    assert find_token(made.text) is None
    assert not ApiToken.objects.exists()
    assert not KeptAnswer.objects.exists()
    assert not CalendarFeed.objects.exists()
    assert Webhook.objects.get(season=season).made_by is None, "the season goes on posting, and nobody is named"


def test_ones_own_data_lists_tokens_but_nothing_that_opens(kai: User, mine: Client) -> None:
    made = make_token(user=kai, name="laptop", scopes=["read", "play"])
    with_outlets(kai)
    file, data = fetched(mine)
    [row] = data["tokens"]
    assert (row["name"], row["may"], row["last_letters"]) == ("laptop", ["read", "play"], made.text[-4:])
    assert len(data["seasons"]["calendar_feeds"]) == len(data["seasons"]["webhooks"]) == 1
    for secret in (made.text, digest_of(made.text), "k" * 43, "s" * 64):
        assert secret not in file


def test_the_help_says_what_is_stored_of_tokens_and_who_sees_them() -> None:
    rows = {row.key: str(row.who) for sheet in SHEETS for row in sheet.rows}
    assert "You alone" in rows["tokens"]
    assert any("tokens" in str(sentence) for sentence in STORED)
