"""Better words that readers propose for texts in their language, and what the operator does with them."""

from __future__ import annotations

import re
from html import unescape
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from people.models import User, Wording
from people.services import wordings
from people.services.accounts import create_account
from tests.languages import finish
from web.languages import offer
from web.own_pages import own_page

pytestmark = [pytest.mark.django_db, pytest.mark.database]
ADDRESS = "/people/wording"
SENT = {"language": "pl", "page": "/help/", "text": "Zapisz si", "proposal": "Zapisz się", "remark": ""}
GERMAN = {"accept-language": "de"}


@pytest.fixture
def admin() -> Client:
    client = Client()
    client.force_login(User.objects.create_superuser("root", "root@example.org", "correct horse battery"))
    return client


def link_in(page: str) -> str | None:
    found = re.search(rf'href="({ADDRESS}[^"]*)"', page)
    return None if found is None else unescape(found[1])


def proposed(**changes: Any) -> None:
    wordings.propose(**{"place": "192.0.2.1", "user": None, **SENT, **changes})


@pytest.mark.parametrize("language", [each.code for each in offer.offered() if each.code != offer.ENGLISH])
def test_each_page_that_is_not_english_links_to_the_form_which_knows_the_page(client: Client, language: str) -> None:
    page = client.get("/people/log-in?next=/", headers={"accept-language": language}).content.decode()
    link = link_in(page)
    assert link == f"{ADDRESS}?page=%2Fpeople%2Flog-in"
    form = client.get(link, headers={"accept-language": language}).content.decode()
    assert 'value="/people/log-in"' in form
    assert re.search(rf'<option value="{language}" selected', form)


def test_english_pages_have_no_such_link(client: Client) -> None:
    assert link_in(client.get("/people/log-in").content.decode()) is None


def test_where_english_is_alone_there_is_no_form(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    finish(monkeypatch)
    assert client.get(ADDRESS).status_code == 404


def test_a_visitor_proposes_without_an_account_and_is_led_back(client: Client) -> None:
    answer = client.post(ADDRESS, {**SENT, "remark": "  Ogonek.  "})
    assert (answer.status_code, answer.headers["Location"]) == (302, "/help/")
    kept = Wording.objects.get()
    assert (kept.user, kept.language, kept.page, kept.done_at) == (None, "pl", "/help/", None)
    assert (kept.text, kept.proposal, kept.remark) == ("Zapisz si", "Zapisz się", "Ogonek.")


def test_the_form_needs_its_token() -> None:
    assert Client(enforce_csrf_checks=True).post(ADDRESS, SENT).status_code == 403
    assert not Wording.objects.exists()


def test_a_proposal_of_a_person_says_whose_it_is(client: Client) -> None:
    kai = create_account("Kai", "", "correct horse battery")
    client.force_login(kai)
    client.post(ADDRESS, SENT)
    assert Wording.objects.get().user == kai


@pytest.mark.parametrize(
    "bad",
    [
        {"page": "https://evil.example/"},
        {"page": "//evil.example/"},
        {"page": "/\\evil.example/"},
        {"page": "help/"},
        {"page": "/no/such/page"},
        {"page": "/help/" + "x" * 300},
        {"language": "en"},
        {"language": "xx"},
        {"text": ""},
        {"proposal": " "},
        *({name: "x" * 1001} for name in ("text", "proposal", "remark")),
    ],
    ids=lambda bad: "-".join([*bad, str(len(next(iter(bad.values()))))]),
)
def test_what_does_not_fit_is_not_kept(client: Client, bad: dict[str, str]) -> None:
    answer = client.post(ADDRESS, {**SENT, **bad})
    assert answer.status_code == 200
    assert "errorlist" in answer.content.decode()
    assert not Wording.objects.exists()


@pytest.mark.parametrize(
    ("typed", "page"),
    [
        ("/help/?q=heat#top", "/help/"),
        ("/matches/shared/abcdef/", "/matches/shared/…/"),
        ("/people/reset-password/MQ/set-1", "/people/reset-password/…/…"),
        ("/catalogue/units/SOL002/", "/catalogue/units/SOL002/"),
        ("/matches/shared/…/", "/matches/shared/…/"),
        ("", None),
    ],
)
def test_the_page_is_kept_without_secrets(typed: str, page: str | None) -> None:
    assert own_page(typed) == page


def test_the_link_on_a_page_with_a_secret_address_does_not_hold_it(client: Client) -> None:
    page = client.get("/people/reset-password/MQ/set-1", headers=GERMAN).content.decode()
    assert link_in(page) == f"{ADDRESS}?page=%2Fpeople%2Freset-password%2F%E2%80%A6%2F%E2%80%A6"


@pytest.mark.parametrize("named", ["https://evil.example/", "//evil.example", "/no/such/page", '"><script>'])
def test_the_form_takes_only_a_page_of_this_site_from_its_address(client: Client, named: str) -> None:
    form = client.get(ADDRESS, {"page": named}, headers=GERMAN).content.decode()
    assert "evil" not in re.sub(r'name="next" value="[^"]*"', "", form)
    assert not re.search(r'<input type="text" name="page" value', form)


def test_one_place_on_the_network_proposes_only_so_often(client: Client) -> None:
    times = wordings.PROPOSALS_OF_A_PLACE.times
    statuses = [client.post(ADDRESS, {**SENT, "text": f"{number}"}).status_code for number in range(times + 1)]
    assert statuses == [302] * times + [429]
    assert Wording.objects.count() == times


def test_the_same_proposal_sent_again_is_kept_once() -> None:
    proposed()
    proposed(place="192.0.2.2")
    assert Wording.objects.count() == 1


def test_only_so_many_are_kept_and_done_ones_go_first(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(wordings, "MOST_WORDINGS", 3)
    for text in ("a", "b", "c"):
        proposed(text=text)
    Wording.objects.filter(text="b").update(done_at=timezone.now())
    proposed(text="d")
    assert set(Wording.objects.values_list("text", flat=True)) == {"a", "c", "d"}
    proposed(text="e")
    assert set(Wording.objects.values_list("text", flat=True)) == {"c", "d", "e"}


def acted(admin: Client, action: str) -> Any:
    rows = list(Wording.objects.values_list("pk", flat=True))
    return admin.post("/admin/people/wording/", {"action": action, "_selected_action": rows})


def test_the_operator_finds_them_by_language_and_words(admin: Client) -> None:
    proposed()
    proposed(language="de", text="Anmeldn", proposal="Anmelden")
    page = admin.get("/admin/people/wording/", {"language__exact": "de"}).content.decode()
    assert "Anmeldn" in page
    assert "Zapisz" not in page
    found = admin.get("/admin/people/wording/", {"q": "Zapisz", "done_at__isempty": "1"}).content.decode()
    assert "Anmeldn" not in found
    assert "Zapisz" in found


def test_the_operator_marks_them_as_done_and_rewrites_none(admin: Client) -> None:
    proposed()
    acted(admin, "mark_as_done")
    kept = Wording.objects.get()
    assert kept.done_at is not None
    assert admin.post(f"/admin/people/wording/{kept.pk}/change/", {"text": "x"}).status_code == 403
    assert admin.get("/admin/people/wording/add/").status_code == 403


def test_the_operator_takes_them_along_as_a_table_that_no_spreadsheet_runs(admin: Client) -> None:
    proposed(text='=HYPERLINK("https://evil.example")')
    table = acted(admin, "as_table").content.decode()
    assert table.startswith("language,page,text,proposal,remark,sent,done\r\npl,/help/,\"'=HYPERLINK(")
