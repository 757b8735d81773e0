"""Sides that forfeit a match after it was called: who left the season, and who was absent (Q-157, Q-159)."""

from __future__ import annotations

from collections.abc import Iterable

from django.db import transaction

from matches.services import Seat, reseat
from stables.models import Fixture, FixtureSide, Stable
from stables.seating import seating_of
from stables.services.fixtures import SMALLEST_MATCH, lock_fixture
from stables.services.line_ups import seal_when_ready


def open_fixtures(stable: Stable) -> list[int]:
    """Return the ids of the fixtures of a stable that are not settled."""
    sides = FixtureSide.objects.filter(stable=stable).exclude(fixture__state=Fixture.State.SETTLED)
    return list(sides.order_by("fixture__id").values_list("fixture_id", flat=True))


@transaction.atomic
def forfeit(*, fixture_id: int, stable_ids: Iterable[int]) -> bool:
    """Let stables forfeit a fixture that is not settled, as absent, and ask for what follows once all sides are ready.

    A match that is played, or that the AI is playing, stands: then nothing changes. Returns whether anything did
    (Q-157, Q-159).
    """
    fixture = lock_fixture(fixture_id)
    match = fixture.match
    is_played = match is not None and match.is_finished
    if fixture.state == Fixture.State.SETTLED or is_played or is_left_to_the_ai(fixture):
        return False
    absent = FixtureSide.objects.filter(fixture=fixture, stable__in=list(stable_ids), forfeits="")
    if not absent.update(forfeits=FixtureSide.Forfeit.ABSENT):
        return False
    seal_when_ready(fixture)
    sides = list(FixtureSide.objects.filter(fixture=fixture).order_by("id"))
    if match is not None and len({side.side for side in sides if not side.forfeits}) < SMALLEST_MATCH:
        # It is decided; nobody may finish the match that had begun.
        reseat(match.pk, [Seat(side.side) for side in sides])
    return True


def is_left_to_the_ai(fixture: Fixture) -> bool:
    """Return whether the AI plays a fixture whose line-ups are in: nobody has to come, so nobody is absent."""
    return fixture.state == Fixture.State.SEALED and seating_of(fixture).mode == Fixture.Mode.AI
