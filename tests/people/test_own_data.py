"""The page of what is kept about a person, and the file with all of it."""

from __future__ import annotations

import json
import re
from html import unescape

import pytest
from axes.models import AccessAttempt
from django.test import Client
from django.urls import reverse
from django.utils.html import escape

from matches.models import WriteUp
from people.models import Notice, User
from people.services import accounts, copies, kept
from tests.people.own_copies import ADDRESS, archive_of, fetched
from web.bounds import MOST_COPIES
from web.retention import GUEST_SESSIONS

pytestmark = pytest.mark.django_db
PASSWORD = "correct horse battery"


@pytest.fixture
def kai() -> User:
    return accounts.create_account("Kaiserin", "kai@example.org", PASSWORD, "Europe/Berlin")


@pytest.fixture
def client_of_kai(kai: User) -> Client:
    client = Client()
    client.force_login(kai)
    return client


def test_the_page_names_every_kind_with_all_its_sentences(client_of_kai: Client) -> None:
    shown = client_of_kai.get("/people/account/kept").content.decode()
    for _, each in kept.kinds():
        for sentence in (each.name, each.what, each.who, each.until, each.goes, each.stays, each.why_not):
            assert escape(str(sentence)) in shown


def test_the_page_folds_what_it_says_of_each_kind(client_of_kai: Client) -> None:
    shown = client_of_kai.get("/people/account/kept").content.decode()
    folded = re.findall(r'<details id="kept-[^"]+">\s*<summary>([^<]+)</summary>', shown)
    assert [unescape(name) for name in folded] == [each.name for _, each in kept.kinds()]


def test_strangers_log_in_first_and_a_link_fetches_nothing(client_of_kai: Client) -> None:
    assert Client().get("/people/account/kept").status_code == 302
    assert Client().post(ADDRESS).status_code == 302
    assert client_of_kai.get(ADDRESS).status_code == 405


def test_the_file_is_a_zip_that_nobody_stores(client_of_kai: Client) -> None:
    answer = client_of_kai.post(ADDRESS)
    assert answer.headers["Content-Type"] == "application/zip"
    assert "attachment" in answer.headers["Content-Disposition"]
    assert "no-store" in answer.headers["Cache-Control"]


def test_it_is_fetched_a_few_times_an_hour(client_of_kai: Client) -> None:
    statuses = [client_of_kai.post(ADDRESS).status_code for _ in range(MOST_COPIES + 1)]
    assert statuses == [200] * MOST_COPIES + [429]


def test_it_has_tables_and_photos_and_runs_no_formula(kai: User, client_of_kai: Client) -> None:
    Notice.objects.create(user=kai, code="market_open", parameters={"season": "x", "cycle": 1}, url="=1+1")
    photo = WriteUp.objects.create(subject="x", author=kai, text="Mine", photo=b"a picture")
    WriteUp.objects.create(subject="y", author=None, text="Others", photo=b"not mine")
    archive = archive_of(client_of_kai)
    assert [name for name in archive.namelist() if name.startswith("photos/")] == [f"photos/write-up-{photo.pk}.jpg"]
    assert archive.read(f"photos/write-up-{photo.pk}.jpg") == b"a picture"
    head, row = archive.read("tables/notices.csv").decode().splitlines()
    assert head.startswith("code,parameters,sentence,address")
    assert "'=1+1" in row
    assert json.loads(archive.read("my-data.json"))["left_out"] == []
    assert "Others" not in fetched(client_of_kai)[0]


def test_it_has_no_address_that_opens_something(kai: User, client_of_kai: Client) -> None:
    secret = [reverse("stables:who_comes", args=["a-signed-answer"]), reverse("stables:join", args=["an-invitation"])]
    for url in (*secret, "/seasons/winter/", "", "/nowhere/at-all/"):
        Notice.objects.create(user=kai, code="market_open", parameters={"season": "x", "cycle": 1}, url=url)
    text, document = fetched(client_of_kai)
    assert [row["address"] for row in document["notices"]] == ["/nowhere/at-all/", "", "/seasons/winter/", "", ""]
    assert not any(code in text for code in ("a-signed-answer", "an-invitation"))


def test_the_page_names_the_long_sessions_of_guests_and_the_cookie_of_messages(client_of_kai: Client) -> None:
    found = {each.key: each for _, each in kept.kinds()}
    assert f"{GUEST_SESSIONS.days} days" in str(found["sessions"].until)
    assert "two weeks" not in str(found["sessions"].stays)
    assert "which of your browsers" in str(found["browser"].what)


def test_the_file_says_what_it_leaves_out(kai: User, client_of_kai: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    for subject in ("x", "y"):
        WriteUp.objects.create(subject=subject, author=kai, text="Mine", photo=b"12345")
    monkeypatch.setattr(copies, "MOST_BYTES_OF_A_COPY", 9)
    monkeypatch.setattr(kept, "MOST_ROWS_OF_A_COPY", 1)
    archive = archive_of(client_of_kai)
    document = json.loads(archive.read("my-data.json"))
    assert document["left_out"] == ["matches/write_ups", "photos"]
    newest = document["matches"]["write_ups"][0]["number"]
    assert [name for name in archive.namelist() if name.startswith("photos/")] == [f"photos/write-up-{newest}.jpg"]


def test_it_has_failed_log_ins_on_the_own_name_and_on_no_other(kai: User, client_of_kai: Client) -> None:
    for name, place in (("kaiserin", "10.0.0.1"), ("omar", "10.0.0.2")):
        AccessAttempt.objects.create(username=name, ip_address=place, failures_since_start=1)
    text, document = fetched(client_of_kai)
    assert [row["network_address"] for row in document["failed_log_ins"]] == ["10.0.0.1"]
    assert "10.0.0.2" not in text
    assert kai.password not in text
