"""A name from the right to the left turns nothing around it: on no page, in no file, calendar, picture or message."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator

import pytest
from django.urls import reverse

from catalogue.models import Collection
from people.models import ApiToken, User
from rules.wording.isolation import FIRST, LAST
from stables.models import Delivery, Season, Stable, StableIdentity, Webhook
from stables.selectors.webhooks.messages import message_of
from tests.worlds import taken_back

from .addresses import address_of, named_patterns
from .readings import asking_as
from .test_permissions import lines
from .world import ROLES, World

NAME = "\u05e9\u05dc\u05d5\u05dd"
TURNED = "\u202eABC"
"""A name of the time before such signs were left out."""
BARE = re.compile(f"(?<!{FIRST})(?:{NAME}|{TURNED})")

READERS = ("player", "organiser")


@pytest.fixture(scope="module")
def renamed(world: World) -> Iterator[World]:
    """The world, in which all names run from the right to the left."""
    with taken_back():
        for model in (Season, Stable, StableIdentity, Collection, ApiToken):
            named = list(model._default_manager.all())
            for row in named:
                row.name = f"{TURNED if row.pk % 2 else NAME} {row.pk}"
            model._default_manager.bulk_update(named, ["name"])
        for user in User.objects.all():
            User.objects.filter(pk=user.pk).update(username=f"{NAME}{user.pk}")
        yield world


def pages() -> Iterator[tuple[str, str, list[str]]]:
    """Each address that one of the readers may see: its reader, its name, its parameters."""
    table = lines()
    for name, parameters in named_patterns():
        # Data to take along are for programs, as those of the interface.
        if name in table and not name.startswith(("admin:", "help:", "api_help:")):
            statuses = dict(zip(ROLES, table[name][0], strict=True))
            reader = next((role for role in READERS if statuses[role] == 200), None)
            if reader is not None:
                yield reader, name, parameters


def test_every_name_is_isolated_wherever_it_is_shown(renamed: World) -> None:
    wrong, shown = [], 0
    for reader, name, parameters in pages():
        with taken_back():
            answer = asking_as(renamed, reader).get(address_of(renamed, name, parameters))
        text = answer.getvalue().decode(errors="replace")
        shown += NAME in text or TURNED in text
        wrong += [(name, text[max(0, found.start() - 60) : found.end() + 20]) for found in BARE.finditer(text)][:1]
    assert wrong == []
    assert shown > 60


def test_discord_gets_isolated_names_and_the_interface_bare_ones(renamed: World) -> None:
    season = Season.objects.get(pk=renamed.seasons["running"].pk)
    delivery = Delivery.objects.select_related("webhook__season")[0]
    delivery.webhook.format = Webhook.Format.DISCORD
    assert FIRST in json.loads(message_of([delivery]).body)["embeds"][0]["title"]
    answer = asking_as(renamed, "player").get(reverse("api:season", args=[season.slug]))
    assert answer.json()["name"] in (f"{NAME} {season.pk}", f"{TURNED} {season.pk}")
    assert LAST not in answer.content.decode()
