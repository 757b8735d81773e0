"""Seasons of stables run by the AI, and results typed in instead of played."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.contrib.auth import get_user_model
from django.utils import timezone

from catalogue.selectors.releases import latest_release
from stables.models import Fixture, Season
from stables.services.ai import owners
from stables.services.fixtures import pairing
from stables.services.results import settlement
from stables.services.season import seasons

SECRET = b"a secret for tests: 32 bytes....."[:32]


def open_with(release: Any, names: list[str], secret: bytes = SECRET, **settings: Any) -> Season:
    """Return a recruiting season with a stable of each name, all run by the AI."""
    settings = {"weight_class": "light", "cycles": ["standard"], **settings}
    opened = seasons.open_season(name="Test season", settings=settings, release=release, secret=secret)
    for name in names:
        seasons.found_stable(season_id=opened.season_id, name=name)
    return Season.objects.get(pk=opened.season_id)


def without_grace(season: Season) -> Season:
    """Let a season close with its last result, so that nobody can correct it afterwards."""
    Season.objects.filter(pk=season.pk).update(settings={**season.settings, "closing_hours": 0})
    return Season.objects.get(pk=season.pk)


def stock(season: Season) -> Season:
    """Let the AI do every stable's first shopping."""
    cycle = season.cycles.get(number=1)
    for stable in season.stables.order_by("number"):
        owners.shop(stable_id=stable.pk, cycle_id=cycle.pk)
    return season


def pair(season: Season, number: int = 1) -> list[Fixture]:
    """Pair a round and let the AI hand in every line-up."""
    Season.objects.filter(pk=season.pk).update(state=Season.State.RUNNING)
    drawn = pairing.pair_round(cycle_id=season.cycles.order_by("-number")[0].pk, number=number)
    for fixture_id in drawn.fixture_ids:
        for side in Fixture.objects.get(pk=fixture_id).sides.order_by("stable__number"):
            owners.prepare(stable_id=side.stable_id, fixture_id=fixture_id)
    return list(Fixture.objects.filter(pk__in=drawn.fixture_ids).order_by("number"))


def at_a_table(owner: str) -> Fixture:
    """Return the first match of a season called "Club night" before it is played; one of its stables is a person's."""
    season = stock(open_with(latest_release(), ["Copper Lantern", "Salt Row"]))
    Season.objects.filter(pk=season.pk).update(name="Club night", slug="club-night")
    [fixture] = pair(season)
    side = fixture.sides.get(side="red")
    side.stable.owner, side.stable.is_ai = get_user_model().objects.get(username=owner), False
    side.stable.save()
    fixture.mode = Fixture.Mode.TABLE
    fixture.save()
    return fixture


def first_round(season: Season) -> list[Fixture]:
    """The fixtures of the round that `pair` has paired."""
    return list(Fixture.objects.filter(round__cycle__season=season, round__number=1).order_by("number"))


def type_in(fixture: Fixture, winner: str = "red", reputation: tuple[int, int] = (95, 20), **changes: Any) -> None:
    """Give a sealed fixture a finished match with a result that nobody played; `units` and `sides` may be changed."""
    from matches.models import Match

    units = {
        f"{side.side}-{crew.position}": {
            "side": side.side,
            "clicks": 0,
            "eliminated": False,
            "kills": 0,
            "salvage": False,
            "eliminated_by": None,
            **changes.get("units", {}).get(side.side, {}),
        }
        for side in fixture.sides.all()
        if hasattr(side, "line_up")
        for crew in side.line_up.crews.all()
    }
    result = {
        "winner": winner,
        "rounds": 7,
        "ended_by": changes.get("ended_by", "last_side"),
        "tie_break": None,
        "sides": {
            side: {
                "reputation": amount,
                "kills": 0,
                "tokens": 0,
                "total": 150,
                "surrendered": side == changes.get("surrendered"),
            }
            for side, amount in zip(("red", "blue"), reputation, strict=True)
        },
        "units": units,
    }
    fixture.match = Match.objects.create(
        setup={},
        rules_version="typed",
        seed=b"0" * 32,
        seed_commitment="",
        state=Match.State.FINISHED,
        result=result,
        finished_at=timezone.now(),
    )
    fixture.save(update_fields=["match"])


def play_out_typed(season: Season, on_round: Callable[[Fixture], None] | None = None) -> None:
    """Play every round of the cycle with typed results: red wins, both units are hurt."""
    cycle = season.cycles.get()
    number = 0
    while number == 0 or number < cycle.rounds_planned:
        number += 1
        for fixture in pair(season, number):
            type_in(
                fixture,
                reputation=(90 + fixture.number + number, 10),
                units={"red": {"clicks": 2, "kills": 1}, "blue": {"clicks": 3, "eliminated": number == 1}},
            )
            settlement.settle_fixture(fixture_id=fixture.pk)
        cycle.refresh_from_db()
