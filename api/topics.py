"""The topics of the interface: the chapters of its documentation, in the order in which to read them.

Every `topic` that an endpoint names has a sentence here. A test fails for a topic without one.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.utils.text import slugify

TOPICS: Mapping[str, str] = {
    "Account": "Who you are: tokens, notices, and what is yours and waits for you.",
    "Catalogue": "What the game is played with: units, pilots, cards, tokens and arenas, release by release.",
    "Collections": "Definitions that people have imported, and importing your own: check, preview, confirm.",
    "Seasons": "The seasons that you may see, with their settings, their plan and their log.",
    "Cycles and fixtures": "How a season goes on: cycles, rounds, who meets whom, when and where, and line-ups.",
    "Stables": "Who takes part: founding, joining, leaving, names and colours, and what a stable owns.",
    "Books": "Money: every entry of a stable’s ledger, with its cause and the balance after it.",
    "Market": "Buying and selling with Stones, baskets included.",
    "Garage": "Repairs, and which pilot and gear belong to which unit.",
    "Matches": "The matches that you may see: state, seats, files, and what organisers and owners may do with them.",
    "Playing": "A match as a program plays it: the decision, the legal actions stage by stage, checking and playing.",
    "Watching": "A match to watch: what each side may know, every event as it happens, and the replay.",
    "Results and standings": "What was reported and settled, reputation, standings, purses and champions.",
    "Running a season": "What organisers do: opening, dates, helpers, rulings, corrections.",
    "Jobs": "The work that a season does by itself, and its results.",
    "Feeds and files": "Calendars that others may follow, and webhooks that a season posts its news to.",
    "Melee Challenge": "Tournaments that a GM runs: events, standings, and the rows of their books.",
    "Exports": "A season to take with you: tables as CSV, replays as files, and a whole season as one document.",
}
"""Topic -> a sentence about it."""


ABOUT = """\
Seasons of a tabletop arena game: stables, market, matches, results and standings, the same as on the site's pages.
Send a token from the page “Tokens” as `Authorization: Bearer TOKEN`; public data needs none. Give every write an
`Idempotency-Key`: it then happens once, however often you send it. Lists come in pages. Refusals are problem documents
(RFC 9457) with a `code` from a closed list. The pages below `/api/` have the same texts, with examples.
"""


def slug_of(topic: str) -> str:
    """Return the part of an address that names a topic's page."""
    return slugify(topic)


def with_topics(result: dict[str, Any]) -> dict[str, Any]:
    """Add the text about the interface and the topics that its operations name, in the order of TOPICS, to the given
    OpenAPI document, and return that document.
    """
    result["info"]["description"] = ABOUT
    used = {
        tag
        for methods in result.get("paths", {}).values()
        for operation in methods.values()
        if isinstance(operation, dict)
        for tag in operation.get("tags", ())
    }
    order = [*TOPICS, *sorted(used - set(TOPICS))]
    result["tags"] = [
        {"name": topic, **({"description": TOPICS[topic]} if topic in TOPICS else {})}
        for topic in order
        if topic in used
    ]
    return result
