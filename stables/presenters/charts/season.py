"""The pictures of a season in the reader's words: charts and their tables from rows of the books. No query."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext, pgettext

from rules.wording.filling import signed
from stables.models import Cycle, Fixture, Stable
from stables.presenters.charts.calendars import Calendar, CycleRow, Meeting, calendar
from stables.presenters.charts.facts import Event, Gains, Rivalry, Wear
from stables.presenters.charts.grids import EVEN, FEWER, MORE, Grid, grid
from stables.text import names as words
from stables.text.states import cycle_state, state_of
from web.charts.lines import DataTable, LineChart, Point, Series, line_chart
from web.charts.signs import Sign, sign_of
from web.languages.words import sort_key

LONGEST_DESCRIPTION = 8
"""The most stables that a description names; the table has them all."""


def signs_of(stables: Iterable[Stable]) -> dict[int, Sign]:
    """Return each stable's sign by its id. Pass all stables in order of founding: all pictures have these signs."""
    return {stable.pk: sign_of(number, stable.name) for number, stable in enumerate(stables)}


# Reputation ------------------------------------------------------------------------------------------------------


def reputation_chart(stables: Sequence[Stable], gains: Gains) -> LineChart:
    """Return the chart of each stable's reputation after each cycle. `gains` are those of `facts.by_cycle`."""
    numbers = sorted({number for of_stable in gains.values() for number in of_stable})
    names = [_("Cycle %(number)s") % {"number": number} for number in numbers]
    ticks = [pgettext("cycle, on an axis", "C%(number)s") % {"number": number} for number in numbers]
    return _running_totals("reputation", _("Reputation by cycle"), stables, gains, numbers, names, ticks)


def rounds_chart(stables: Sequence[Stable], gains: Gains, cycle: int) -> LineChart:
    """Return the chart of the reputation earned in one cycle, after each round. `gains` are those of `facts.by_round`.

    Reputation that belongs to no round comes before round 1, as "Other".
    """
    numbers = sorted({number for of_stable in gains.values() for number in of_stable})
    names = [_("Round %(number)s") % {"number": number} if number else _("Other") for number in numbers]
    of_round = pgettext("round, on an axis", "R%(number)s")
    ticks = [of_round % {"number": number} if number else _("Other") for number in numbers]
    title = _("Reputation in cycle %(number)s, round by round") % {"number": cycle}
    return _running_totals(f"rounds-{cycle}", title, stables, gains, numbers, names, ticks)


def _running_totals(
    key: str,
    title: str,
    stables: Sequence[Stable],
    gains: Gains,
    numbers: Sequence[int],
    names: Sequence[str],
    ticks: Sequence[str],
) -> LineChart:
    signs = signs_of(stables)
    start = pgettext("the beginning of a season, on an axis", "Start")
    series, rows, ends = [], [], []
    for stable in stables:
        total, points, cells = 0, [Point(0, 0, f"{stable.name}, {start}: 0")], []
        for place, (number, name) in enumerate(zip(numbers, names, strict=True), 1):
            gain = gains.get(stable.pk, {}).get(number, 0)
            total += gain
            points.append(Point(place, total, f"{stable.name}, {name}: {_number(total)}"))
            cells.append(f"{_number(total)} ({signed(gain)})")
        sign = signs[stable.pk]
        series.append(Series(sign, tuple(points), f"{sign.letter} {stable.name}"))
        rows.append((f"{sign.letter} {stable.name}", tuple(cells)))
        ends.append((stable.name, total))
    return line_chart(
        key,
        title,
        _last_values(ends),
        [start, *ticks],
        series,
        DataTable(_("Stable"), tuple(names), tuple(rows)),
    )


def _last_values(ends: Iterable[tuple[str, int]]) -> str:
    """Return a sentence with the newest values, the highest first, of at most LONGEST_DESCRIPTION stables."""
    ordered = sorted(ends, key=lambda end: (-end[1], sort_key(end[0])))
    listed = ", ".join(f"{name} {_number(value)}" for name, value in ordered[:LONGEST_DESCRIPTION])
    return _("The newest values: %(values)s.") % {"values": listed} if listed else _("Nothing yet.")


def _number(value: int) -> str:
    return str(value).replace("-", "−")


# Capital ---------------------------------------------------------------------------------------------------------


def capital_chart(stables: Sequence[Stable], balances: Gains) -> LineChart:
    """Return the chart of each stable's Stones: at its founding, at the close of each cycle, and now.

    `balances` are those of `facts.balances`.
    """
    signs = signs_of(stables)
    closed = sorted({number for of_stable in balances.values() for number in of_stable} - {0})
    start = pgettext("the beginning of a season, on an axis", "Start")
    now = pgettext("the present, on an axis", "Now")
    names = [start, *(_("End of cycle %(number)s") % {"number": number} for number in closed), now]
    ticks = [start, *(pgettext("cycle, on an axis", "C%(number)s") % {"number": number} for number in closed), now]
    series, rows = [], []
    for stable in stables:
        held = balances.get(stable.pk, {})
        # A stable that joined later has its first balance at its founding, not at the start of the season.
        first = 0 if stable.joined_in_cycle <= 1 else sum(number < stable.joined_in_cycle for number in closed)
        values: list[int | None] = [None] * len(names)
        for place, number in enumerate(closed, 1):
            values[place] = held.get(number) if place > first else None
        values[first] = held.get(0)
        values[-1] = stable.capital
        points = tuple(
            Point(place, value, f"{stable.name}, {names[place]}: {value}")
            for place, value in enumerate(values)
            if value is not None
        )
        sign = signs[stable.pk]
        series.append(Series(sign, points, f"{sign.letter} {stable.name}"))
        cells = tuple("–" if value is None else str(value) for value in values)
        rows.append((f"{sign.letter} {stable.name}", cells))
    return line_chart(
        "capital",
        _("Capital by cycle, in Stones"),
        _last_values((stable.name, stable.capital) for stable in stables),
        ticks,
        series,
        DataTable(_("Stable"), tuple(names), tuple(rows)),
    )


# Who met whom ----------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Pairing:
    """A row of the table behind the grid: two stables that met, and what each did against the other.

    `rivalry` is the first stable's, `back` the second's. `balance` is MORE, FEWER or EVEN for the first stable.
    """

    first: Stable
    second: Stable
    rivalry: Rivalry
    back: Rivalry
    balance: str


def pairings(stables: Sequence[Stable], found: Mapping[tuple[int, int], Rivalry]) -> list[Pairing]:
    """Return each pair of stables that met, once, in the order of `stables`. `found` is that of `facts.rivalries`."""
    rows = []
    for place, first in enumerate(stables):
        for second in stables[place + 1 :]:
            rivalry = found.get((first.pk, second.pk))
            if rivalry is not None:
                ahead = MORE if rivalry.wins > rivalry.losses else FEWER if rivalry.wins < rivalry.losses else EVEN
                rows.append(Pairing(first, second, rivalry, found[second.pk, first.pk], ahead))
    return rows


def meetings_grid(stables: Sequence[Stable], found: Mapping[tuple[int, int], Rivalry], mine: Stable | None) -> Grid:
    """Return the grid of stable against stable: wins and losses of the row's stable against the column's.

    `found` is that of `facts.rivalries`. The row of `mine`, the reader's stable, is marked.
    """
    signs = signs_of(stables)
    place = {stable.pk: number for number, stable in enumerate(stables)}
    cells = {}
    for (own, other), rivalry in found.items():
        text = _("%(own)s against %(other)s: %(wins)s won, %(losses)s lost, %(reputation)s reputation") % {
            "own": signs[own].name,
            "other": signs[other].name,
            "wins": rivalry.wins,
            "losses": rivalry.losses,
            "reputation": rivalry.reputation,
        }
        cells[place[own], place[other]] = (rivalry.wins, rivalry.losses, text)
    description = _("Each row says how often its stable won and lost against the stable of the column.")
    own_place = None if mine is None else place[mine.pk]
    return grid(
        "head-to-head", _("Stable against stable"), description, [signs[one.pk] for one in stables], cells, own_place
    )


# Fixtures --------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Listed:
    """A row of the table behind the calendar; each side has one stable, or two that share it.

    `state` and `winner` are words; `winner` is empty without one.
    """

    fixture: Fixture
    sides: tuple[tuple[Stable, ...], ...]
    state: str
    winner: str
    is_own: bool

    @property
    def maps(self) -> list[str]:
        """The keys of the fixture's arenas: one, four for a ground of four maps, none for a bye."""
        return [key for key in self.fixture.arena_key.split("+") if key]


def listed_fixtures(fixtures: Iterable[Fixture], mine: Stable | None) -> list[Listed]:
    """Return the fixtures, in their order, as rows of a table. No query on fixtures of `facts.fixtures_of`."""
    rows = []
    for fixture in fixtures:
        sides: dict[str, list[Stable]] = {}
        for side in fixture.sides.all():
            sides.setdefault(side.side, []).append(side.stable)
        won = winner_of(fixture)
        rows.append(
            Listed(
                fixture=fixture,
                sides=tuple(tuple(group) for group in sides.values()),
                state=state_of(fixture),
                winner=" & ".join(stable.name for stable in sides.get(won, [])) if won else "",
                is_own=mine is not None and any(mine.pk == one.pk for group in sides.values() for one in group),
            )
        )
    return rows


def winner_of(fixture: Fixture) -> str | None:
    """Return the key of the side that won by the current result; None without a result or a winner."""
    result = getattr(fixture, "result", None)
    won: str | None = None if result is None else result.current["winner"]
    return won


def fixtures_calendar(
    cycles: Sequence[Cycle], planned: Sequence[str], stables: Sequence[Stable], rows: Iterable[Listed]
) -> Calendar:
    """Return the calendar of the season. `planned` are the formats of all its cycles, future ones included.

    `cycles` are those that have been opened, `rows` their fixtures.
    """
    signs = signs_of(stables)
    by_place: dict[int, dict[int, list[Meeting]]] = {}
    count = 0
    for row in rows:
        in_round = row.fixture.round
        by_place.setdefault(in_round.cycle.number, {}).setdefault(in_round.number, []).append(_meeting(row, signs))
        count += 1
    opened = {cycle.number: cycle for cycle in cycles}
    drawn = []
    for number in range(1, max([len(planned), *opened], default=0) + 1):
        cycle = opened.get(number)
        format_key = cycle.format if cycle is not None else planned[number - 1]
        rounds = by_place.get(number, {})
        if rounds:
            note = ""
        elif cycle is None:
            note = _("still to come")
        else:
            note = cycle_state(cycle)
        names = pgettext("round, on an axis", "R%(number)s")
        drawn.append(
            CycleRow(
                name=_("Cycle %(number)s") % {"number": number},
                under=words.word(words.FORMATS, format_key),
                rounds=tuple((names % {"number": each}, tuple(rounds[each])) for each in sorted(rounds)),
                note=note,
            )
        )
    text = ngettext("%(count)s match so far; see the table.", "%(count)s matches so far; see the table.", count)
    return calendar("fixtures", _("Calendar of the season"), text % {"count": count}, drawn)


def _meeting(row: Listed, signs: Mapping[int, Sign]) -> Meeting:
    sides = tuple("".join(signs[stable.pk].letter for stable in group) for group in row.sides)
    keys = list(dict.fromkeys(side.side for side in row.fixture.sides.all()))
    won = winner_of(row.fixture)
    names = " – ".join(" & ".join(stable.name for stable in group) for group in row.sides)
    text = f"{names}: {row.state}"
    if row.winner:
        text = _("%(match)s, won by %(winner)s") % {"match": text, "winner": row.winner}
    is_bye = row.fixture.kind == Fixture.Kind.BYE
    return Meeting(
        sides=sides,
        winner=keys.index(won) if won in keys else None,
        state="bye" if is_bye else row.fixture.state,
        is_own=row.is_own,
        words=text,
    )


# Damage ----------------------------------------------------------------------------------------------------------


def damage_charts(wears: Iterable[Wear]) -> list[LineChart]:
    """Return one chart for each unit: lost clicks before and after each match, repairs, and lost clicks now."""
    return [_damage_chart(wear) for wear in wears]


def _damage_chart(wear: Wear) -> LineChart:
    sign = sign_of(0, wear.asset.label)
    points: list[Point] = []
    ticks, rows = [], []
    for place, event in enumerate(wear.events):
        tick, name = _event_words(event)
        ticks.append(tick)
        rows.append((name, (str(event.before), _after(event), str(wear.clicks - event.after))))
        if event.kind == "match":
            points.append(Point(place - 0.2, event.before, f"{name}: {event.before}"))
        at = place + (0.2 if event.kind == "match" else 0)
        points.append(Point(at, event.after, f"{name}: {_after(event)}", event.is_eliminated))
    title = _("Damage of %(name)s") % {"name": wear.asset.label}
    description = _("Clicks off the start marker; at %(clicks)s the unit is eliminated, which a cross marks.")
    return line_chart(
        f"unit-{wear.asset.pk}",
        title,
        description % {"clicks": wear.clicks},
        ticks,
        [Series(sign, tuple(points))],
        DataTable(_("When"), (_("Clicks before"), _("Clicks after"), _("Clicks left")), tuple(rows), has_names=False),
        height=170.0,
        highest=wear.clicks,
    )


def _after(event: Event) -> str:
    return f"{event.after} ✕" if event.is_eliminated else str(event.after)


def _event_words(event: Event) -> tuple[str, str]:
    """Return the words for an event on the axis, and those in the table."""
    if event.kind == "now":
        now = pgettext("the present, on an axis", "Now")
        return now, now
    if event.kind == "repair":
        return pgettext("a repair, on an axis", "rep."), _("Repair")
    values: dict[str, Any] = {"cycle": 0, "round": 0}
    if event.fixture is not None:
        values = {"cycle": event.fixture.round.cycle.number, "round": event.fixture.round.number}
    tick = pgettext("cycle and round, on an axis", "C%(cycle)s R%(round)s") % values
    return tick, _("Match of cycle %(cycle)s, round %(round)s") % values
