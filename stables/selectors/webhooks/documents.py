"""The facts of a piece of news on its way to webhooks, and the document for programs that is made of them.

A delivery stores `facts` when something happens. The words are made from them when it is sent, so that a person who has
left meanwhile is not named. A document says no more than the season's log: of an entry's parameters it holds only those
that the sentence names.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from django.conf import settings
from django.urls import reverse
from django.utils import translation
from django.utils.translation import gettext

from rules.wording.filling import with_texts
from rules.wording.isolation import bare
from stables.models import Cycle, Delivery, LogEntry, Round, Season, Stable
from stables.text.log import log_sentence, shown_parameters
from web.languages import offer

ROOM = "stables"
"""The room of the words of news."""

VERSION = 2
"""The version of the format: it rises when a field is removed or changes its meaning, not when one is added."""
TRY = "try"
"""The code of a document that an organiser sends by hand to see it arrive; no entry of the log has it."""


def facts_of(
    entry: LogEntry,
    *,
    asks: Sequence[int] = (),
    deciders: Sequence[int] = (),
    pairings: Mapping[str, Any] | None = None,
) -> dict[str, Any]:
    """Return the facts of an entry that was just written; no query.

    They are {"parameters", "cycle", "fixture", "round", "asks", "deciders", "pairings", "time"}: "cycle" is a number,
    "fixture" and "round" are ids, each None without one. The parameter "person" is an account's id, as in the entry.
    "asks" are the ids of the stables that must act now, "deciders" those of the accounts whose office decides now, and
    "pairings" what `pairings_of` returns, None unless a round was paired.
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
        "round": None if fixture is None else fixture.round_id,
        "asks": list(asks),
        "deciders": list(deciders),
        "pairings": pairings,
        "time": entry.created_at.isoformat(),
    }


def pairings_of(
    cycle: Cycle, called: Round, meetings: Iterable[tuple[int, Sequence[Sequence[Stable]], str]]
) -> dict[str, Any]:
    """Return the facts of a round that was just paired: its format and class, and when line-ups are due; no query.

    `meetings` are the matches, each as its number, its sides and the name of its arena.
    """
    due = called.line_ups_due_at
    return {
        "round": called.number,
        "format": cycle.format,
        "class": cycle.match_class,
        "due": None if due is None else due.isoformat(),
        "matches": [
            {
                "number": number,
                "sides": [[{"id": stable.pk, "name": stable.name} for stable in side] for side in sides],
                "arena": arena,
            }
            for number, sides, arena in meetings
        ],
    }


def _is_loaded(row: Any, name: str) -> bool:
    return name in row._state.fields_cache


def generic(delivery: Delivery, person: str | None = None) -> dict[str, Any]:
    """Return the document for programs, with bare names. Fetch `delivery` with its webhook and season.

    `person` is the present name of the account whose id is in the facts, None if it has left.
    """
    facts, season = delivery.document, delivery.webhook.season
    parameters = dict(facts["parameters"])
    if "person" in parameters:
        parameters["person"] = person
    document = {
        "id": str(delivery.public_id),
        "version": VERSION,
        "code": delivery.code,
        "sentence": _sentence(delivery.code, parameters, season),
        "parameters": parameters,
        "season": {"name": season.name, "slug": season.slug, "url": season_address(season)},
        "cycle": facts["cycle"],
        "fixture": fixture_address(season, facts["fixture"]),
        "time": facts["time"],
    }
    # The signs that isolate names are for people's pages.
    found: dict[str, Any] = with_texts(document, bare)
    return found


def _sentence(code: str, parameters: Mapping[str, Any], season: Season) -> str:
    with translation.override(language_of(season)):
        return try_sentence(season) if code == TRY else log_sentence(code, parameters)


def language_of(season: Season) -> str:
    """Return the language of what a season posts: its own, or that of its organiser, or English.

    Fetch `season` with its organiser.
    """
    organiser = season.organiser
    return offer.spoken(season.language or ("" if organiser is None else organiser.language), ROOM)


def try_sentence(season: Season) -> str:
    """Return the sentence of a document that an organiser sent by hand, in the reader's language."""
    return gettext("A try: the news of %(season)s arrive here.") % {"season": season.name}


def season_address(season: Season) -> str:
    """Return the full address of a season's page."""
    return _outside(season.get_absolute_url())


def fixture_address(season: Season, fixture_id: int | None) -> str | None:
    """Return the full address of a fixture's page; None without a fixture."""
    return None if fixture_id is None else _outside(reverse("stables:fixture", args=[season.slug, fixture_id]))


def _outside(path: str) -> str:
    return f"{settings.SITE_URL}{path}"
