"""Matches with known ends, as the ladder finds them."""

from __future__ import annotations

import uuid
from collections.abc import Callable, Mapping
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.db import transaction

from jobs.services import run_pending
from matches.models import Match, MatchSeat
from matches.services.beginning.demonstration import demonstration_setup
from matches.signals import match_ended, result_corrected
from people.models import User
from rules import RULES_VERSION
from tests.matches.hosts import Host

SIDES = ("red", "blue", "green", "gold")
BEGAN = datetime(2026, 3, 1, 18, tzinfo=UTC)

Finish = Callable[..., Match]


@pytest.fixture
def people(db: None) -> dict[str, User]:
    return {name: User.objects.create_user(name, f"{name}@example.org", "-") for name in ("anna", "ben", "carla")}


@pytest.fixture
def finish(db: None) -> Finish:
    """Stores the end of a match between accounts and bots (by name), in the order of their places, and tells of it."""
    setup = demonstration_setup()

    def store(*players: User | str | None, **fields: Any) -> Match:
        number = Match.objects.count()
        sides = SIDES[: len(players)]
        result = {
            "winner": "red",
            "rounds": 5,
            "ended_by": "last_side",
            "tie_break": fields.pop("tie_break", None),
            "sides": {
                side: {"reputation": 40 - 10 * place, "kills": 0, "total": 90, "surrendered": False}
                for place, side in enumerate(sides)
            },
            "units": {},
            "places": list(sides) if len(sides) > 2 else [],
        }
        values: dict[str, Any] = {"rules_version": RULES_VERSION, "finished_at": BEGAN + timedelta(hours=number)}
        with transaction.atomic():
            match = Match.objects.create(
                public_id=uuid.uuid4(),
                setup=setup,
                seed=b"-",
                seed_commitment="-",
                state=Match.State.FINISHED,
                result=result,
                **values | fields,
            )
            for side, player in zip(sides, players, strict=True):
                holder = {"bot": player} if isinstance(player, str) else {"user": player}
                MatchSeat.objects.create(match=match, side=side, **holder)
            match_ended.send(sender=Match, match=match)
        return match

    return store


Results = dict[int, Mapping[str, Any]]


@pytest.fixture
def results(monkeypatch: pytest.MonkeyPatch) -> Results:
    """The corrected results that another room knows of, by match."""
    known: Results = {}
    Host(corrected=known).instead(monkeypatch)
    return known


def correct(results: Results, match: Match, **fields: Any) -> None:
    assert match.result is not None
    results[match.pk] = {**match.result, **fields}
    result_corrected.send(sender=Match, match_id=match.pk)
    run_pending()
