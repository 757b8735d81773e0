"""The season's streams of random numbers, one for each draw, so that no result depends on the order of workers."""

from __future__ import annotations

from rules.core.dice import SeededDice, commitment, stream_seed
from stables.models import Season


def season_seed(season: Season, purpose: str, *place: int) -> bytes:
    """Return the 32-byte seed of one stream of a season.

    `purpose` and `place` name the stream. `place` is what tells draws of one purpose apart, such as cycle, round and
    the number of a fixture or a stable.
    """
    return stream_seed(bytes(season.secret), purpose, *place)


def season_dice(season: Season, purpose: str, *place: int) -> SeededDice:
    """Return the dice of one stream of a season; `season_seed` says what names it."""
    return SeededDice(season_seed(season, purpose, *place))


def fixture_seed(season: Season, cycle: int, round_number: int, number: int) -> bytes:
    """Return the seed of the match of fixture `number` in a round of a cycle. It stays secret until that match ends."""
    return season_seed(season, "fixture", cycle, round_number, number)


def fixture_commitment(season: Season, cycle: int, round_number: int, number: int) -> str:
    """Return the hash of a fixture's seed. It is public from the pairing on, and the match carries the same one."""
    return commitment(fixture_seed(season, cycle, round_number, number))
