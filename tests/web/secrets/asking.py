"""Every address that can be read, from the resolver and from the described interface, and what it answers."""

from __future__ import annotations

import hashlib
import zlib
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import partial
from typing import Any
from urllib.parse import urlencode, urljoin, urlsplit

from django.contrib import admin
from django.db import connection
from django.test import Client
from django.urls import Resolver404, resolve, reverse

from api.documents import stored
from matches.models import Match
from matches.selectors import engines
from stables.models import Fixture
from tests.api.operations import Operation, operations
from tests.traces import Recall, Traces
from tests.web.roles.addresses import address_of, named_patterns
from tests.web.roles.reader import Page
from tests.web.roles.world import World

OF_STAFF = ("viewer", "staff")
NEWEST = 25
"""So many rows of each model are looked at in the admin."""

MOST_OF_A_VIEW = 40
"""So many addresses of one view are read because a page leads there."""

NOT_ASKED = {"admin:None"}
"""Catches what no other address of the admin does: no name leads there."""

TEXTS = {"search": ["a"], "after": ["0.000000000000"], "forfeits": ["1"], "side": ["red", "blue"]}
"""What is asked for where the description of a query only says that it takes a text."""


@dataclass(frozen=True)
class Answer:
    """What an address answers, its body packed, and where it leads if it is a page."""

    status: int
    headers: dict[str, str]
    packed: bytes
    leads: tuple[str, ...]

    @classmethod
    def of(cls, status: int, headers: dict[str, str], body: bytes) -> Answer:
        is_page = status == 200 and "html" in headers.get("Content-Type", "")
        leads = tuple(Page(body.decode("utf-8", "replace")).leads) if is_page else ()
        return cls(status, headers, zlib.compress(body, level=1), leads)

    @property
    def text(self) -> str:
        return zlib.decompress(self.packed).decode("utf-8", "replace")


def routes(world: World, role: str, *, everything: bool) -> list[str]:
    """Return every address of the site, filled with what is there in the season; the admin's for staff alone.

    With `everything`, they are filled with each stable, fixture and match of it, and queries with each value.
    """
    found: dict[str, None] = {}
    for each in _worlds(world) if everything else [world]:
        found |= dict.fromkeys(_pages(each, role))
        for operation in operations():
            if operation.method == "get":
                found |= dict.fromkeys(_with_queries(operation, each, everything=everything))
    if role in OF_STAFF:
        found |= dict.fromkeys(_rows(NEWEST if everything else 1))
    return list(found)


def _worlds(world: World) -> Iterator[World]:
    """The world once for each thing of the season that addresses name."""
    season = world.seasons["table"]
    yield world
    for fixture in Fixture.objects.filter(round__cycle__season=season).order_by("pk"):
        yield _with(world, fixture_id=fixture.pk, subject=f"fixture:{fixture.pk}")
    for stable in season.stables.order_by("pk"):
        yield _with(world, stable_slug=stable.slug, identity_id=stable.identity_id)
    for match in Match.objects.filter(fixture__round__cycle__season=season).order_by("pk"):
        yield _with(world, public_id=match.public_id)


def _with(world: World, **values: Any) -> World:
    return replace(world, values={**world.values, **values})


def _pages(world: World, role: str) -> Iterator[str]:
    for name, parameters in named_patterns():
        if name not in NOT_ASKED and (role in OF_STAFF or not name.startswith("admin:")):
            yield address_of(world, name, parameters)


def _rows(most: int) -> Iterator[str]:
    """The newest rows of every model of the admin, and what was done to them."""
    for model in admin.site._registry:
        for row in model._default_manager.order_by("-pk")[:most]:
            for page in ("change", "history", "delete"):
                yield reverse(f"admin:{model._meta.app_label}_{model._meta.model_name}_{page}", args=[row.pk])


def _with_queries(operation: Operation, world: World, *, everything: bool) -> Iterator[str]:
    """The address of an operation, bare and with each query that its description names."""
    address = operation.address(world)
    yield address
    for parameter in stored()["paths"][operation.template]["get"].get("parameters", ()):
        if parameter["in"] == "query":
            values = _values(parameter["name"], parameter["schema"], world)
            for value in values if everything else values[:1]:
                yield f"{address}?{urlencode({parameter['name']: value})}"


def _values(name: str, schema: dict[str, Any], world: World) -> list[Any]:
    """Values that a query takes. Raises KeyError for a text that TEXTS does not know."""
    if "enum" in schema:
        return list(schema["enum"])
    if schema.get("type") == "boolean":
        return ["true"]
    if schema.get("type") == "integer":
        return [max(schema.get("minimum", 1), 1)]
    return [world.values["stable_slug"]] if name == "stable" else TEXTS[name]


class Reader:
    """Reads the site as somebody in a world whose clock and chance are held; what an answer stores is taken back.

    `answers` are of the addresses read so far. Those that `traces` know are not asked, the others are `asked`.
    """

    def __init__(self, world: World, role: str, traces: Traces[Answer]) -> None:
        """Forget what this process remembers of another world."""
        self.role, self.recall = role, Recall(traces)
        self.cookies = world.clients[role].cookies
        self.answers: dict[str, Answer] = {}
        engines.forget()

    @property
    def asked(self) -> list[str]:
        return self.recall.asked

    def read(self, addresses: Iterable[str]) -> None:
        for address in addresses:
            who = self.cookies.output()
            self.answers[address] = self.recall.answer(address, partial(self._ask, address), who)

    def _ask(self, address: str) -> Answer:
        client = Client(raise_request_exception=False)
        client.cookies = self.cookies.copy()
        given: Any = client.get(address)
        body = b"".join(given.streaming_content) if given.streaming else given.content
        headers = {**given.headers, "Set-Cookie": given.cookies.output()}
        return Answer.of(given.status_code, headers, body)


def digests() -> dict[str, str]:
    """Return a digest of the rows of each table."""
    found = {}
    with connection.cursor() as cursor:
        for table in connection.introspection.table_names(cursor):
            rows = cursor.execute(f'SELECT * FROM "{table}"').fetchall()  # noqa: S608
            found[table] = hashlib.sha256(repr(rows).encode()).hexdigest()
    return found


def led_to(answers: dict[str, Answer]) -> Iterator[str]:
    """Where pages lead that were read, beyond what was read; of each view a number of addresses."""
    seen, views = set(answers), Counter[str]()
    for address, answer in answers.items():
        for link in answer.leads:
            parts = urlsplit(urljoin(f"http://testserver{address}", link))
            target = parts.path + (f"?{parts.query}" if parts.query else "")
            if parts.netloc != "testserver" or target in seen or parts.path.startswith("/static/"):
                continue
            seen.add(target)
            try:
                view = resolve(parts.path).view_name
            except Resolver404:
                continue
            views[view] += 1
            if views[view] <= MOST_OF_A_VIEW:
                yield target
