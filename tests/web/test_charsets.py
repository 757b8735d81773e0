"""No request chooses a codec of Python: what is not UTF-8 is refused, before anything decodes it.

The requests go through the handlers of a server, as the test client makes requests of its own kind.
"""

from __future__ import annotations

import codecs
import io
import json
import logging
import re
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import pytest
from asgiref.testing import ApplicationCommunicator
from django.core.signals import request_finished, request_started
from django.db import close_old_connections
from django.test import RequestFactory

from people.models import User
from people.services.tokens import make_token
from solaris_site import asgi, wsgi
from tests.loops import in_a_loop

pytestmark = pytest.mark.django_db

CODECS = ["punycode", "idna", "undefined", "rot13", "hex", "zlib", "bz2", "base64", "uu", "quopri", "latin-1", "nope"]
FORM = b'--xx\r\nContent-Disposition: form-data; name="username"\r\n\r\ne28h\xff\r\n--xx--\r\n'
COOKIE = {"HTTP_COOKIE": f"csrftoken={'n' * 32}"}
MULTIPART = "multipart/form-data; boundary=xx"
FORM_WITH_TOKEN = (
    f'--xx\r\nContent-Disposition: form-data; name="csrfmiddlewaretoken"\r\n\r\n{"n" * 32}\r\n'
    '--xx\r\nContent-Disposition: form-data; name="username"\r\n\r\né\r\n--xx--\r\n'
).encode()
URLENCODED = "application/x-www-form-urlencoded"


class Answer(NamedTuple):
    status: int
    headers: dict[str, str]
    body: bytes

    @property
    def code(self) -> str:
        """The code of a refusal, from a page or from a problem."""
        tag = re.search(r'<span class="tag" translate="no">\d+ (\w+)</span>', self.body.decode())
        return tag[1] if tag else str(json.loads(self.body)["code"])


Ask = Callable[..., Answer]


@pytest.fixture
def ask() -> Iterator[Ask]:
    """A request as gunicorn hands it in; the database of the test stays open, as for Django's own client.

    It has the cookie of the forms: without one a form is refused before it is read.
    """

    def asked(method: str, address: str, body: bytes = b"", kind: str = "", **headers: str) -> Answer:
        path, _, query = address.partition("?")
        environ = RequestFactory()._base_environ(
            REQUEST_METHOD=method, PATH_INFO=path, QUERY_STRING=query, CONTENT_TYPE=kind, CONTENT_LENGTH=str(len(body)),
            **{"wsgi.input": io.BytesIO(body), **COOKIE, **headers},
        )  # fmt: skip
        head: list[Any] = []
        answer = wsgi.application(environ, lambda status, headers: head.extend((status, headers)))
        content = b"".join(answer)
        answer.close()
        return Answer(int(head[0].partition(" ")[0]), dict(head[1]), content)

    for signal in (request_started, request_finished):
        signal.disconnect(close_old_connections)
    yield asked
    for signal in (request_started, request_finished):
        signal.connect(close_old_connections)


@pytest.fixture
def looked_up() -> Iterator[list[str]]:
    """The names of codecs that Python does not know and was asked for meanwhile."""
    names: list[str] = []
    note = names.append  # one object, so that it can be taken back
    codecs.register(note)
    yield names
    codecs.unregister(note)


@pytest.mark.parametrize("charset", CODECS)
def test_a_query_is_read_as_utf_8(ask: Ask, charset: str) -> None:
    assert ask("GET", "/catalogue/?q=%ff", kind=f"text/plain; charset={charset}").status == 200


@pytest.mark.parametrize("charset", CODECS)
@pytest.mark.parametrize(
    ("address", "kind"),
    [("/people/log-in", MULTIPART), ("/people/log-in", URLENCODED), ("/api/v1/matches/", "application/json")],
)
def test_a_body_in_another_charset_is_refused(ask: Ask, address: str, kind: str, charset: str) -> None:
    answer = ask("POST", address, FORM, f"{kind}; charset={charset}")
    assert (answer.status, answer.code) == (415, "unsupported_charset")
    assert charset in answer.body.decode()


def test_a_codec_is_not_even_looked_up(ask: Ask, looked_up: list[str]) -> None:
    for kind in (MULTIPART, URLENCODED, "application/json"):
        assert ask("POST", "/api/v1/matches/", FORM, f"{kind}; charset=unheard-of").status == 415
    assert ask("GET", "/catalogue/?q=%ff", kind="text/plain; charset=unheard-of").status == 200
    assert ask("GET", "/catalogue/", kind="text/plain; x*=unheard-of''%ff").status == 400
    assert ask("GET", "/api/v1/champions/", HTTP_ACCEPT="application/json; x*=unheard-of''%ff").status == 200
    assert looked_up == []
    with pytest.raises(LookupError):
        codecs.lookup("unheard-of")
    assert looked_up == ["unheard_of"]


@pytest.mark.parametrize("kind", [f"{MULTIPART}; charset=utf-16", f"{URLENCODED}; charset=UTF-32"])
def test_wide_letters_are_for_json_of_the_interface(ask: Ask, kind: str) -> None:
    assert ask("POST", "/api/v1/matches/", FORM, kind).status == 415
    assert ask("POST", "/people/log-in", FORM, "application/json; charset=utf-16").status == 415


@pytest.mark.parametrize("charset", ["", "utf-8", "UTF8", '"utf_8"', "us-ascii"])
@pytest.mark.parametrize("kind", [MULTIPART, URLENCODED])
def test_a_form_in_utf_8_is_read(ask: Ask, kind: str, charset: str) -> None:
    body = FORM_WITH_TOKEN if kind == MULTIPART else f"csrfmiddlewaretoken={'n' * 32}&username=%C3%A9".encode()
    answer = ask("POST", "/people/log-in", body, f"{kind}; charset={charset}", HTTP_ACCEPT="text/html")
    assert answer.status == 200
    assert 'value="é"' in answer.body.decode()


@pytest.mark.parametrize(
    "charset", ["utf-8", "utf-16", "UTF-16LE", "utf-16-be", "utf_16_be", "utf-32", "utf-32le", "utf-32-be"]
)
def test_json_of_the_interface_may_have_wide_letters(ask: Ask, charset: str) -> None:
    token = make_token(user=User.objects.create_user("wide", "wide@example.org", "-"), name="x", scopes=["play"]).text
    body = '{"opponent": "greedy"}'.encode(charset)
    kind = f"application/json; charset={charset}"
    assert ask("POST", "/api/v1/matches/", body, kind, HTTP_AUTHORIZATION=f"Bearer {token}").status == 201
    wrong = ask("POST", "/api/v1/matches/", b"\xff", kind, HTTP_AUTHORIZATION=f"Bearer {token}")
    assert (wrong.status, wrong.code) == (400, "bad_json")


EXTENDED = [
    *(f"x*={codec}''%ff" for codec in CODECS),
    "boundary*=punycode''xx",
    "charset*0*=punycode''%ff",
    "x*=a; x*0=b",
]


@pytest.mark.parametrize("parameter", EXTENDED)
def test_parameters_in_charsets_of_their_own(ask: Ask, parameter: str) -> None:
    for method in ("GET", "POST"):
        answer = ask(method, "/people/log-in", FORM, f"multipart/form-data; {parameter}")
        assert (answer.status, answer.code) == (400, "bad_request")
        assert ask(method, "/api/v1/champions/", FORM, f"application/json; {parameter}").code == "bad_request"
    for accept in (f"text/html; {parameter}", f"text/html,*/*;q=0.8;{parameter}"):
        assert ask("GET", "/no-such-address", HTTP_ACCEPT=accept).status == 404
        assert ask("GET", "/api/v1/champions/", HTTP_ACCEPT=accept).status == 200


@pytest.mark.parametrize("parameter", [*(f"*={codec}''e28h%ff" for codec in CODECS), "*=a; {name}*0=b"])
@pytest.mark.parametrize("name", ["name", "filename"])
def test_the_header_of_a_part_breaks_nothing(ask: Ask, name: str, parameter: str) -> None:
    named = f'name="file"; {name}{parameter.format(name=name)}'
    body = FORM.replace(b'name="username"', named.encode())
    assert ask("POST", "/people/log-in", body, MULTIPART).status in (400, 403)


def test_people_get_a_page_with_all_its_headers_and_the_log_a_line(ask: Ask, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.INFO, "solaris_site.requests"):
        answer = ask("POST", "/people/log-in", FORM, f"{MULTIPART}; charset=a&b", HTTP_ACCEPT="text/html")
    assert answer.status == 415
    assert "The charset “a&amp;b” is not read here." in answer.body.decode()
    assert "default-src" in answer.headers["Content-Security-Policy"]
    assert "POST /people/log-in 415" in caplog.records[0].getMessage()


@pytest.mark.parametrize(
    ("kind", "status"),
    [("text/plain; charset=undefined", 200), ("text/plain; x*=undefined''%ff", 400), ("text/plain; x*=nope''%ff", 400)],
)
def test_the_other_kind_of_server_does_the_same(kind: str, status: int) -> None:
    async def first() -> Any:
        scope = {
            "type": "http", "method": "GET", "path": "/healthz", "query_string": b"q=%ff",
            "headers": [(b"host", b"testserver"), (b"content-type", kind.encode())],
        }  # fmt: skip
        site = ApplicationCommunicator(asgi.application, scope)
        await site.send_input({"type": "http.request", "body": b""})
        message = await site.receive_output()
        await site.wait()
        return message

    assert in_a_loop(first())["status"] == status
