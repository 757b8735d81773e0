"""Two worlds that differ in one secret read the same to everybody else, at every address, to the letter.

The clock and chance are held, so that times, tokens and tags are the same in both and nothing need be left out. Here it
is one secret and three people, and each address once; `everything` asks all of it. Leaks that are planted are found.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any
from unittest.mock import patch

import pytest
from django.core.cache import cache
from django.http import HttpRequest, HttpResponse

from stables.models import Basket, LineUp
from tests.traces import Traces
from tests.worlds import Worlds, taken_back

from .asking import Answer, Reader
from .comparing import differing, read
from .kept import SECRETS

pytestmark = pytest.mark.django_db
SECRET = "hand and tokens"


def test_an_opponent_a_stranger_and_staff_cannot_tell_hands_apart(worlds: Worlds) -> None:
    """Each of them reads each route once: pages, interface and, for staff, the admin."""
    found, traces = [], Traces[Answer]()
    for role in ("rival", "anonymous", "viewer"):
        first = read(worlds, SECRET, 0, role, traces, None)
        second = read(worlds, SECRET, 1, role, traces, first.answers)
        assert second.asked or role == "anonymous", "else nothing was compared"
        found += differing(first, second)
    assert not found, "\n".join(found)


def test_the_player_can_tell_hands_apart(worlds: Worlds) -> None:
    with taken_back():
        match = SECRETS[SECRET].world(worlds, 0).values["public_id"]
    own = [f"/api/v1/matches/{match}/observation/"]
    assert differing(*_both(worlds, SECRET, own, role="player")) != [], "else nothing was compared"


def _both(worlds: Worlds, secret: str, addresses: list[str], role: str = "rival") -> tuple[Reader, Reader]:
    traces = Traces[Answer]()
    first = read(worlds, secret, 0, role, traces, addresses)
    return first, read(worlds, secret, 1, role, traces, addresses)


HOME, PAGE, DATA = "/", "/seasons/sealed-season/", "/api/v1/seasons/sealed-season/"
OTHER = "/help/"


def _count() -> str:
    return str([len(basket.lines) for basket in Basket.objects.all()])


def _remembered() -> str:
    """Count once, and then give what is kept."""
    return str(cache.get_or_set("planted", _count))


def _hand() -> str:
    return str([*LineUp.objects.order_by("pk").values_list("tokens", flat=True)])


def _in_header(response: HttpResponse, secret: str) -> None:
    response.headers["Server-Timing"] = secret


def _in_cookie(response: HttpResponse, secret: str) -> None:
    response.set_cookie("seen", secret)


def _in_text(response: HttpResponse, secret: str) -> None:
    response.content += secret.encode()


LEAKS: dict[str, tuple[str, str, Callable[[], str], Callable[[HttpResponse, str], None]]] = {
    "how much is in a sealed basket, on a page": ("basket", PAGE, _count, _in_text),
    "the same, from the cache": ("basket", PAGE, _remembered, _in_text),
    "the same, in a header": ("basket", HOME, _count, _in_header),
    "the same, in a cookie": ("basket", HOME, _count, _in_cookie),
    "a line-up, in an answer of the interface": ("line-up", DATA, _hand, _in_text),
}


@pytest.mark.parametrize("leak", LEAKS)
def test_a_planted_leak_is_found_at_its_address_alone(worlds: Worlds, leak: str) -> None:
    """Without it, what could not differ is not read again; the cache is warm from another address."""
    secret, where, known, shown = LEAKS[leak]
    addresses = [OTHER, where]
    clean = _both(worlds, secret, addresses)
    assert differing(*clean) == []
    assert OTHER not in clean[1].asked
    with patch("solaris_site.middleware.PermissionsPolicyMiddleware.__call__", _leaking(where, known, shown)):
        found = differing(*_both(worlds, secret, addresses))
    assert [each.partition(" ")[0] for each in found] == [where]


def _leaking(where: str, known: Callable[[], str], shown: Callable[[HttpResponse, str], None]) -> Any:
    def answer(self: Any, request: HttpRequest) -> HttpResponse:
        response: HttpResponse = self.get_response(request)
        secret = known()
        if request.path == where:
            shown(response, secret)
        return response

    return answer
