"""Two stables on one side that bring the same Unique: dice decide whose line-up changes (Q-113, Q-168)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rules.core.dice import Dice
from rules.solaris.building import Combatant, unique_keys
from stables.models import Fixture, FixtureSide
from stables.selectors.definitions import definition_of
from stables.selectors.seeds import season_dice
from stables.services.base.log import record
from stables.services.base.news import place_of
from stables.services.line_ups.sealing import called_of, write_line_up
from stables.services.line_ups.stand_ins import stand_in_for


def part_uniques(fixture: Fixture, sides: Sequence[FixtureSide]) -> None:
    """Let no side of a locked fixture bring one Unique twice.

    The two stables of a side roll a d6 each, again while the rolls are equal. The stable with the lower roll changes to
    the nearest legal line-up without the Uniques that both have; if there is none, the other stable changes. If neither
    can, the lower one forfeits as unable to take part, and its partner fights alone. The book leaves this case open.
    Fetch `sides` with line-ups, crews and assets (sides_with_line_ups).
    """
    season = fixture.round.cycle.season
    for pair in _pairs(sides):
        common = _uniques_of(fixture, pair[0]) & _uniques_of(fixture, pair[1])
        if not common:
            continue
        dice = season_dice(
            season, "unique on one side", fixture.round.cycle.number, fixture.round.number, fixture.number
        )
        lower, higher = _by_die(pair, dice)
        changed = next((side for side in (lower, higher) if _change(fixture, side, sides, common)), None)
        if changed is None:
            lower.line_up.delete()
            lower.forfeits = FixtureSide.Forfeit.UNABLE
            lower.save(update_fields=["forfeits"])
        place = place_of(fixture, sides)
        facts = {**place, "stable": (changed or lower).stable.name, "numbers": ", ".join(sorted(common))}
        code = "unique_shared_stays_out" if changed is None else "unique_shared_changed"
        record(season, code, facts, cycle=fixture.round.cycle, fixture=fixture)


def _pairs(sides: Sequence[FixtureSide]) -> Iterator[tuple[FixtureSide, FixtureSide]]:
    """Yield the two stables of each shared side, both with a line-up, by number."""
    by_side: dict[str, list[FixtureSide]] = {}
    for side in sides:
        if not side.forfeits:
            by_side.setdefault(side.side, []).append(side)
    for pair in by_side.values():
        if len(pair) == 2:
            first, second = sorted(pair, key=lambda side: side.stable.number)
            yield first, second


def _uniques_of(fixture: Fixture, side: FixtureSide) -> set[str]:
    season = fixture.round.cycle.season
    return unique_keys(
        [
            Combatant(
                definition_of(season, crew.unit), None if crew.pilot is None else definition_of(season, crew.pilot)
            )
            for crew in side.line_up.crews.all()
        ]
    )


def _by_die(pair: tuple[FixtureSide, FixtureSide], dice: Dice) -> tuple[FixtureSide, FixtureSide]:
    """Return the pair with the lower d6 roll first; equal rolls are repeated."""
    while True:
        first, second = dice.roll(1, "unique")[0], dice.roll(1, "unique")[0]
        if first != second:
            return pair if first < second else (pair[1], pair[0])


def _change(fixture: Fixture, side: FixtureSide, sides: Sequence[FixtureSide], without: set[str]) -> bool:
    """Replace a stable's line-up by the nearest legal one without these Uniques, and return whether there is one."""
    called = called_of(fixture, side, side.stable, sides)
    choice = stand_in_for(called, without)
    if choice is None:
        return False
    side.line_up.delete()
    side.line_up = write_line_up(called, choice.crews, choice.tokens, choice.source)
    return True
