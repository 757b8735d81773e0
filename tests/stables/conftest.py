"""What many tests of seasons begin with: worlds that are built once in a run."""

from __future__ import annotations

from collections.abc import Iterator
from copy import deepcopy
from datetime import UTC, datetime
from typing import Any

import pytest

from catalogue.models import CatalogueRelease
from catalogue.services.releases import load_release
from rules.catalogue import builtin_hash
from stables.models import Season, Stable
from tests.stables.duels import Club, open_club
from tests.stables.leagues import League, by_invitation, two_owners
from tests.stables.season_worlds import Enters, inside, world_of
from tests.stables.seasons import SECRET, first_round, open_with, pair, play_out_typed, stock, type_in
from tests.stables.tabletop_matches import tables

__all__ = ["SECRET", "first_round", "open_with", "pair", "play_out_typed", "type_in"]

FOUR = ["Ash", "Birch", "Cedar", "Dogwood"]

four_stables = world_of("four stables", lambda: open_with(load_release(), FOUR))
four_stocked = world_of("four stables, stocked", lambda: stock(open_with(load_release(), FOUR)))
four_sealed = world_of("four stables, sealed", lambda: sealed_first_round(load_release()))
four_played_out = world_of("four stables, played out", lambda: played_out_cycle(load_release()))
two_at_tables = world_of("two at tables", lambda: tables(load_release(), FOUR[:2]))
four_at_tables = world_of("four at tables", lambda: tables(load_release(), FOUR, matches_per_cycle=1))
market_of_two = world_of("league of two owners", two_owners)
invited = world_of("league by invitation", by_invitation)
club_opened = world_of("club", lambda: open_club(load_release()))
PLAY_DUE = datetime(2026, 11, 22, 12, tzinfo=UTC)
two_called_once = world_of("two stables called for line-ups", lambda: called_for_line_ups())
club_due = world_of("club with a date", lambda: open_club(load_release(), play_due_at=PLAY_DUE))


def sealed_first_round(release: Any) -> Season:
    season = stock(open_with(release, FOUR))
    pair(season)
    return season


def played_out_cycle(release: Any) -> Season:
    season = stock(open_with(release, FOUR))
    play_out_typed(season)
    return season


def called_for_line_ups() -> Any:
    # The module reads this one.
    from tests.stables.line_ups.test_line_ups import called

    return called(load_release())


@pytest.fixture
def release(db: None) -> Any:
    """The game's own catalogue, which the database of the tests holds unless a test has emptied it."""
    return CatalogueRelease.objects.filter(content_hash=builtin_hash()).first() or load_release()


@pytest.fixture
def season(db: None, four_stables: Enters) -> Season:
    found: Season = four_stables()
    return found


@pytest.fixture
def stable(request: pytest.FixtureRequest) -> Stable:
    """The first stable of the season that the test asks for."""
    asked = "stocked" if "stocked" in request.fixturenames else "season"
    found: Season = request.getfixturevalue(asked)
    return found.stables.get(number=1)


@pytest.fixture
def stocked(db: None, four_stocked: Enters) -> Season:
    """The season with every stable's first shopping done."""
    found: Season = four_stocked()
    return found


@pytest.fixture
def sealed(db: None, four_sealed: Enters) -> Season:
    """The stocked season with its first round paired and every line-up in (`first_round`), as read before."""
    found: Season = four_sealed()
    return found


@pytest.fixture
def played_out(db: None, four_played_out: Enters) -> Season:
    """The stocked season with all rounds of its cycle settled and nothing closed, as read before."""
    found: Season = four_played_out()
    return found


@pytest.fixture
def two_called(db: None, two_called_once: Enters) -> Any:
    """Two equipped stables that are called for line-ups, as tests.stables.line_ups.test_line_ups.called gives them."""
    return two_called_once()


@pytest.fixture
def four(db: None, four_at_tables: Enters) -> Season:
    """Four stables, each of a person, whose one round is played at two tables."""
    found: Season = four_at_tables()
    return found


@pytest.fixture
def club(db: None, club_opened: Enters) -> Club:
    found: Club = club_opened()
    return found


@pytest.fixture(scope="module")
def opened(django_db_blocker: Any, club_opened: Enters) -> Iterator[Club]:
    """The club for all tests of a module, which ask for a copy of it and have no transactions of their own."""
    with inside(django_db_blocker, club_opened) as made:
        yield made


@pytest.fixture(scope="module")
def dated(django_db_blocker: Any, club_due: Enters) -> Iterator[Club]:
    """The club whose round has a deadline, for all tests of a module; a test asks for `dated_club`."""
    with inside(django_db_blocker, club_due) as made:
        yield made


@pytest.fixture
def dated_club(db: None, dated: Club) -> Club:
    """The club as it was opened, whatever other tests did to it."""
    return deepcopy(dated)


@pytest.fixture
def of_two_owners(db: None, market_of_two: Enters) -> League:
    found: League = market_of_two()
    return found


@pytest.fixture
def of_invitation(db: None, invited: Enters) -> League:
    found: League = invited()
    return found
