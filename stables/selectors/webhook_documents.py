"""The documents that webhooks post: one for programs, and the message for Discord.

A delivery stores `facts` when something happens. The words are made from them when it is sent, so that a person who has
left meanwhile is not named. A document says no more than the season's log: of an entry's parameters it holds only those
that the sentence names.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from django.conf import settings
from django.urls import reverse
from django.utils import translation
from django.utils.translation import gettext

from stables.models import Delivery, LogEntry, Season, Webhook
from stables.text.log import log_sentence, shown_parameters

VERSION = 1
"""The version of the format: it rises when a field is removed or changes its meaning, not when one is added."""
TRY = "try"
"""The code of a document that an organiser sends by hand to see it arrive; no entry of the log has it."""

CONTENT, TITLE, FOOTER = 2000, 256, 2048
"""The longest texts that Discord takes, in UTF-16 units."""
_MARKS = frozenset("\\*_~`|<>#-+[]()@:!")
"""Characters that Discord may read as markup, a mention, an emoji or a link, unless a backslash stands before them."""


def facts_of(entry: LogEntry) -> dict[str, Any]:
    """Return the facts of an entry that was just written: {"parameters", "cycle", "fixture", "time"}; no query.

    "cycle" is a number and "fixture" an id, each None without one. The parameter "person" is an account's id, as in the
    entry.
    """
    named = shown_parameters(entry.code)
    fixture = entry.fixture if entry.fixture_id is not None else None
    cycle = entry.cycle if entry.cycle_id is not None else None
    if cycle is None and fixture is not None and _is_loaded(fixture, "round") and _is_loaded(fixture.round, "cycle"):
        cycle = fixture.round.cycle
    return {
        "parameters": {name: value for name, value in entry.parameters.items() if name in named},
        "cycle": None if cycle is None else cycle.number,
        "fixture": None if fixture is None else fixture.pk,
        "time": entry.created_at.isoformat(),
    }


def _is_loaded(row: Any, name: str) -> bool:
    return name in row._state.fields_cache


def generic(delivery: Delivery, person: str | None = None) -> dict[str, Any]:
    """Return the document for programs. Fetch `delivery` with its webhook and season.

    `person` is the present name of the account whose id is in the facts, None if it has left.
    """
    facts, season = delivery.document, delivery.webhook.season
    parameters = dict(facts["parameters"])
    if "person" in parameters:
        parameters["person"] = person
    return {
        "id": str(delivery.public_id),
        "version": VERSION,
        "code": delivery.code,
        "sentence": _sentence(delivery.code, parameters, season),
        "parameters": parameters,
        "season": {"name": season.name, "slug": season.slug, "url": _outside(season.get_absolute_url())},
        "cycle": facts["cycle"],
        "fixture": _fixture(season, facts["fixture"]),
        "time": facts["time"],
    }


def _sentence(code: str, parameters: Mapping[str, Any], season: Season) -> str:
    # A worker has no reader, so it uses the site's language.
    with translation.override(settings.LANGUAGE_CODE):
        if code == TRY:
            return gettext("A try: the news of %(season)s arrive here.") % {"season": season.name}
        return log_sentence(code, parameters)


def _fixture(season: Season, fixture_id: int | None) -> str | None:
    return None if fixture_id is None else _outside(reverse("stables:fixture", args=[season.slug, fixture_id]))


def _outside(path: str) -> str:
    return f"{settings.SITE_URL}{path}"


def discord(document: Mapping[str, Any]) -> dict[str, Any]:
    """Return a document of `generic` as a message for Discord, which mentions nobody."""
    season = document["season"]
    embed = {
        "title": escaped(season["name"], TITLE),
        "url": document["fixture"] or season["url"],
        "timestamp": document["time"],
    }
    if document["cycle"] is not None:
        with translation.override(settings.LANGUAGE_CODE):
            # Footers have no markup, so nothing needs escaping.
            embed["footer"] = {"text": gettext("Cycle %(number)s") % {"number": document["cycle"]}}
    content = escaped(document["sentence"], CONTENT)
    return {"content": content, "allowed_mentions": {"parse": []}, "embeds": [embed]}


def escaped(text: str, most: int) -> str:
    """Return a text in one line with its markup escaped, cut with an ellipsis beyond `most` UTF-16 units."""
    parts: list[str] = []
    length = 0
    for letter in " ".join(text.split()):
        part = f"\\{letter}" if letter in _MARKS else letter
        length += len(part.encode("utf-16-le")) // 2
        if length > most:
            return _cut(parts, most)
        parts.append(part)
    return "".join(parts)


def _cut(parts: list[str], most: int) -> str:
    while len("".join(parts).encode("utf-16-le")) // 2 > most - 1:
        parts.pop()
    return f"{''.join(parts)}…"


def body_of(delivery: Delivery, person: str | None = None) -> bytes:
    """Return the body to post, in the format of the delivery's webhook; ASCII, since UTF-8 takes no lone surrogates.

    `person` is the present name of the account that the facts name, None if it has left.
    """
    document = generic(delivery, person)
    if delivery.webhook.format == Webhook.Format.DISCORD:
        document = discord(document)
    return json.dumps(document, ensure_ascii=True, separators=(",", ":")).encode()
