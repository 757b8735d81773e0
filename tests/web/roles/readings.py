"""What each role reads at an address: asked once, for all tests that look at the same answer."""

from __future__ import annotations

from dataclasses import replace

from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from tests.languages import Asked, heard
from tests.worlds import taken_back

from .reader import Reading, reading_of
from .world import World

COUNTED = ("anonymous", "player", "organiser")
"""The roles whose queries are counted."""


class Readings:
    """The answers of a world that nobody changes; whatever an answer changes is taken back.

    `asked` are all texts that gettext was asked for meanwhile, except for the pages of Django's administration.
    """

    def __init__(self, world: World) -> None:
        self.world = world
        self.known: dict[tuple[str, str], Reading] = {}
        self.asked: set[Asked] = set()

    def of(self, role: str, address: str) -> Reading:
        """Return what a role reads, a page or a refusal."""
        if (role, address) not in self.known:
            self.known[role, address] = self._ask(role, address)
        return self.known[role, address]

    def counted(self, role: str, address: str) -> Reading:
        """Return the same, with its queries where a role that counts gets something to read.

        It is asked for twice in a row, and counted the second time: what a process keeps for one role, a catalogue
        say, another may never have asked for.
        """
        known = self.known.get((role, address))
        if known is None or (role in COUNTED and known.status == 200 and known.queries is None):
            read = self._ask(role, address)
            if role in COUNTED and read.status == 200:
                client = asking_as(self.world, role)
                with taken_back(), CaptureQueriesContext(connection) as queries:
                    client.get(address)
                read = replace(read, queries=len(queries))
            self.known[role, address] = read
        return self.known[role, address]

    def _ask(self, role: str, address: str) -> Reading:
        asked: set[Asked] = set()
        with taken_back(), heard(asked):
            reading = reading_of(asking_as(self.world, role).get(address))
        if not address.startswith("/admin/"):
            self.asked |= asked
        return reading


def asking_as(world: World, role: str) -> Client:
    """Return a client of its own for a role, to which an error of the site is an answer.

    Its middleware is that of the world's client: to make the chain again takes longer than many an answer.
    """
    client = Client(raise_request_exception=False)
    known = world.clients[role]
    client.cookies, client.handler = known.cookies.copy(), known.handler
    return client
