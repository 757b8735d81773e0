"""The time window of a stable, which nearly every step of a season asks for."""

from __future__ import annotations

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from stables.models import Fixture, Season
from stables.selectors.windows import Window, window_of

pytestmark = pytest.mark.django_db


def test_a_stable_with_its_line_up_in_is_not_between_matches(sealed: Season) -> None:
    stable = sealed.stables.select_related("season").get(number=1)
    cycle = sealed.cycles.get()
    assert window_of(stable) == Window(1, "light", False, False, False, 1, cycle.rounds_planned, "standard")


@pytest.mark.parametrize(
    ("state", "forfeits", "is_open"),
    [("line_ups", "", True), ("line_ups", "no_line_up", False), ("sealed", "", False)],
)
def test_a_stable_may_repair_while_its_line_up_is_awaited(
    sealed: Season, state: str, forfeits: str, is_open: bool
) -> None:
    stable = sealed.stables.select_related("season").get(number=1)
    side = stable.fixture_sides.get()
    side.line_up.delete()
    type(side).objects.filter(pk=side.pk).update(forfeits=forfeits)
    Fixture.objects.filter(pk=side.fixture_id).update(state=state)
    window = window_of(stable)
    assert (window.is_between_matches, window.in_break, window.next_round) == (is_open, False, 1)


def test_the_next_match_is_read_without_what_the_window_does_not_say(sealed: Season) -> None:
    """Naming all columns of side, fixture, round and line-up takes longer than the query itself."""
    stable = sealed.stables.select_related("season").get(number=1)
    with CaptureQueriesContext(connection) as queries:
        window_of(stable)
    _, match = [query["sql"].partition(" FROM ")[0] for query in queries]
    assert match.count(",") == 3
