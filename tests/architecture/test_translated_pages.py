"""Every page, in a made-up language: what is not between its brackets can never be translated.

The pages are found by following links from ADDRESSES, as nobody and as a person, in the world that `a_person` lives in.
To have more pages looked at, put more into that world, or add an address that no page links to.
"""

from collections import deque
from collections.abc import Iterator
from io import StringIO
from urllib.parse import urljoin

import pytest
from django.core.management import call_command
from django.test import Client
from django.urls import reverse

from people.models import User
from people.services import accounts
from tests.architecture.pseudo_locale import local_links, speak_pseudo, untranslated
from tests.worlds import Worlds

pytestmark = pytest.mark.django_db

ADDRESSES = [
    "/",
    "/catalogue/",
    "/open-a-season/",
    "/people/log-in",
    "/people/log-in?next=/catalogue/",
    "/people/sign-up",
    "/people/reset-password",
    "/people/reset-password/sent",
    "/people/reset-password/x/y",
    "/people/account",
    "/people/account/password",
    "/people/account/address",
    "/people/address/x/y",
    "/people/notices",
]
# Enough for every kind of page; a season has hundreds of the same kind.
MOST_PAGES = 150
# The admin is Django's, and for staff; the ways to log in differ by where they lead back to; every page of the help is
# looked at in tests/web/test_help.py.
NOT_FOLLOWED = ("/admin/", "/static/", "/i18n/", "/healthz", "/help/", "/people/log-in?", "/people/sign-up?")


@pytest.fixture
def a_person(db: None, worlds: Worlds) -> User:
    """Somebody with a read and an unread notice, in a world with a catalogue and a season that has played a cycle."""
    return worlds.enter("a season after a cycle, and somebody with notices", _a_person)


def _a_person() -> User:
    call_command("load_catalogue", stdout=StringIO())
    call_command("season", stables=4, weight_class="light", seed=7, cycles=1, stdout=StringIO(), stderr=StringIO())
    person = accounts.create_account("Kai", "kai@example.org", "correct horse battery", "Europe/Berlin")
    accounts.notify([person], "cycle_closed", {"cycle": 1})
    accounts.mark_notices_read(person)
    accounts.notify([person], "cycle_closed", {"cycle": 2}, "/")
    return person


def pages(client: Client) -> Iterator[tuple[str, str]]:
    """Address and HTML of every page that can be reached."""
    waiting, seen = deque(ADDRESSES), set(ADDRESSES)
    count = 0
    while waiting and count < MOST_PAGES:
        address = waiting.popleft()
        answer = client.get(address, follow=True)
        if answer.status_code != 200 or not answer.headers["Content-Type"].startswith("text/html"):
            continue
        count += 1
        page = answer.content.decode()
        yield address, page
        for link in local_links(page):
            target = urljoin(address, link)
            if target not in seen and not target.startswith(NOT_FOLLOWED):
                seen.add(target)
                waiting.append(target)


@pytest.mark.parametrize("is_logged_in", [False, True], ids=["anonymous", "logged in"])
def test_every_visible_text_is_translated(
    client: Client, a_person: User, is_logged_in: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    if is_logged_in:
        client.force_login(a_person)
    speak_pseudo(monkeypatch)
    problems = {address: found for address, page in pages(client) if (found := untranslated(page))}
    assert problems == {}


@pytest.mark.parametrize("data", [{}, {"username": "Kai"}, {"username": "Kai", "password1": "x", "password2": "y"}])
def test_what_forms_complain_about_is_translated(
    client: Client, data: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    speak_pseudo(monkeypatch)
    assert untranslated(client.post(reverse("people:sign_up"), data).content.decode()) == []


def test_the_page_of_the_locked_out_is_translated(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    speak_pseudo(monkeypatch)
    for _ in range(6):
        answer = client.post(reverse("people:log_in"), {"username": "Kai", "password": "wrong"})
        assert untranslated(answer.content.decode()) == []
    assert answer.status_code == 429


@pytest.mark.parametrize(
    ("page", "problems"),
    [
        ("<p>⟦Hello⟧ 12</p>", []),
        ("<p>⟦Hello <b>you</b> there⟧</p>", []),
        ("<p>Hello</p>", ["<p> Hello"]),
        ("<p>⟦Hello⟧ you</p>", ["<p> you"]),
        ('<p translate="no">Kai <b>Allard</b></p><p>⟦is here⟧</p>', []),
        ('<img alt="A board"><br>⟦x⟧', ["<img> A board"]),
        ('<input type="submit" value="Send"><input type="text" value="Kai">', ["<input> Send"]),
        ("<script>let text = 'Hello'</script><title>⟦Log in⟧ · Solaris Circuit</title>", []),
        ('<svg role="img" aria-label="⟦Board⟧"><path d="M0 0h1"/><text>A</text></svg>', []),
    ],
)
def test_the_reader_sees_what_it_should(page: str, problems: list[str]) -> None:
    assert untranslated(page) == problems
