"""A name from the right to the left turns nothing around it: on no page, in no file, calendar, picture or message."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

import pytest
from django.core.mail import EmailMessage
from django.db.models import QuerySet
from django.urls import reverse

from catalogue.models import CatalogueEntry, Collection, ImportDraft
from matches.models import Match
from people.models import ApiToken, User
from people.services import mails
from rules.catalogue import load_builtin
from rules.wording.isolation import FIRST, LAST
from stables.models import Asset, Delivery, Fixture, Season, Stable, StableIdentity, Webhook
from stables.selectors import definitions
from stables.selectors.fixtures import arena_names
from stables.selectors.webhooks.messages import message_of
from stables.services.ai import stock
from stables.services.fixtures import directing
from stables.services.market import baskets
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
FOR_PROGRAMS = ("application/json", "text/csv")
"""Files to take along hold names as they are, as the interface does."""


@pytest.fixture(scope="module")
def renamed(world: World) -> Iterator[World]:
    """The world, in which all names run from the right to the left."""
    with taken_back():
        for model in (Season, Stable, StableIdentity, Collection, ApiToken, Asset):
            named = list(model._default_manager.all())
            for row in named:
                row.name = f"{TURNED if row.pk % 2 else NAME} {row.pk}"
            model._default_manager.bulk_update(named, ["name"])
        for user in User.objects.all():
            User.objects.filter(pk=user.pk).update(username=f"{NAME}{user.pk}")
        rename_definitions()
        forget_definitions()
        yield world
    forget_definitions()


def forget_definitions() -> None:
    """Drop what the process keeps of releases, which never change outside of this module."""
    definitions._catalogue.cache_clear()
    stock._market.cache_clear()


def rename_definitions() -> None:
    """Give every definition another name: those of releases, of drafts, and those that matches hold."""
    entries = list(CatalogueEntry.objects.all())
    for entry in entries:
        entry.definition = turned(entry.definition)
        entry.name = entry.definition["name"]
    # The rows refuse every change, their plain table does not.
    QuerySet(CatalogueEntry).bulk_update(entries, ["name", "definition"], batch_size=100)
    for draft in ImportDraft.objects.all():
        ImportDraft.objects.filter(pk=draft.pk).update(document=turned(draft.document))
    for match in Match.objects.all():
        Match.objects.filter(pk=match.pk).update(setup=turned(match.setup))


def turned(part: Any) -> Any:
    """A document in which whatever has an id and a name has another name. Definitions hold no signs that turn."""
    if isinstance(part, list):
        return [turned(each) for each in part]
    if not isinstance(part, dict):
        return part
    fresh = {key: turned(value) for key, value in part.items()}
    return fresh | {"name": f"{NAME} {part['id']}"} if {"id", "name"} <= part.keys() else fresh


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
        if answer.headers.get("Content-Type", "").startswith(FOR_PROGRAMS):
            continue
        text = answer.getvalue().decode(errors="replace")
        shown += NAME in text or TURNED in text
        wrong += [(name, text[max(0, found.start() - 60) : found.end() + 20]) for found in BARE.finditer(text)][:1]
    assert wrong == []
    assert shown > 60


def test_choices_of_a_line_up_and_lines_of_a_basket_have_isolated_names(renamed: World) -> None:
    called, buyer = renamed.stable("running"), renamed.stable("recruiting")
    client, card = asking_as(renamed, "player"), f"{FIRST}{NAME} [^ {LAST}]+{LAST}"
    with taken_back():
        baskets.put_in(stable_id=buyer.pk, kind="unit", key="SOL002")
        market = client.get(reverse("stables:market", args=[buyer.season.slug, buyer.slug])).content.decode()
        line_up = client.get(reverse("stables:line_ups", args=[called.season.slug, called.slug])).content.decode()
    assert re.search(rf"<ol>\s*<li>\s*<span translate=\"no\">{FIRST}{NAME} SOL002{LAST}</span>", market)
    assert re.search(rf"{card} \(\d+\) \+ {card} \(\d+\) = \d+", line_up)
    assert BARE.findall(market + line_up) == []


def test_each_arena_of_a_large_ground_is_isolated(renamed: World) -> None:
    first, second = sorted(load_builtin().arenas)[:2]
    season = Season.objects.select_related("release").get(pk=renamed.seasons["running"].pk)
    named = f"{FIRST}{NAME} {first}{LAST} + {FIRST}{NAME} {second}{LAST}"
    assert arena_names(season, f"{first}+{second}") == named


def test_a_mail_has_isolated_names(renamed: World, mailoutbox: list[EmailMessage]) -> None:
    with taken_back():
        fixture = Fixture.objects.get(pk=renamed.fixtures["running"].pk)
        other = next(key for key in sorted(load_builtin().arenas) if key != fixture.arena_key)
        directing.direct(fixture_id=fixture.pk, changes={directing.ARENAS: [other]}, user=renamed.people["organiser"])
        User.objects.update(last_mail_at=None)
        assert mails.send_waiting(renamed.people["player"].pk)
    [mail] = mailoutbox
    text = f"{mail.subject}\n{mail.body}"
    assert f"{FIRST}{NAME} {other}{LAST}" in text
    assert BARE.findall(text) == []


def test_discord_gets_isolated_names_and_the_interface_bare_ones(renamed: World) -> None:
    season = Season.objects.get(pk=renamed.seasons["running"].pk)
    delivery = Delivery.objects.select_related("webhook__season")[0]
    delivery.webhook.format = Webhook.Format.DISCORD
    assert FIRST in json.loads(message_of([delivery]).body)["embeds"][0]["title"]
    answer = asking_as(renamed, "player").get(reverse("api:season", args=[season.slug]))
    assert answer.json()["name"] in (f"{NAME} {season.pk}", f"{TURNED} {season.pk}")
    assert LAST not in answer.content.decode()
