"""Who leads: the day, the cut at eight, the final, and what breaks each tie (MC-RANK, MC-LMS)."""

from __future__ import annotations

from collections.abc import Callable

from rules.challenge.quotes.trade import net_worth
from rules.challenge.state import Event, Pilot

SEATS = 8
"""Pilots in the final (MC-RANK-02)."""

SOLO_POINTS, ASSISTED_POINTS = 2, 1
"""Half points of the final for a kill, alone and with others (MC-RANK-03)."""

Key = Callable[[Pilot], tuple[float, ...]]


def qualifier_ranking(event: Event) -> list[str]:
    """Return all pilots by total kills, then Fame, solo kills, net worth (MC-RANK-02, MCQ-RANK-02)."""
    return _ranked(event, lambda pilot: _seat_key(event, pilot))


def day_ranking(event: Event) -> list[str]:
    """Return all pilots by the kills of this day, then Fame, solo kills, net worth (MC-RANK-01, MCQ-RANK-07)."""
    weight = event.switches.assist_weight
    return _ranked(
        event,
        lambda pilot: (pilot.day_kills.total(weight), pilot.fame, pilot.day_kills.solo, net_worth(event, pilot)),
    )


def _seat_key(event: Event, pilot: Pilot) -> tuple[float, ...]:
    kills = pilot.kills.total(event.switches.assist_weight)
    return (kills, pilot.fame, pilot.kills.solo, net_worth(event, pilot))


def seats(event: Event) -> list[str]:
    """Return who may sit down to the final, first seat first: one for each player, none for the dead (MCQ-RANK-03).

    The list goes on behind the eighth: an empty seat passes down it.
    """
    found, players = [], set()
    for name in qualifier_ranking(event):
        pilot = event.pilots[name]
        if pilot.forfeited or not (pilot.alive or event.switches.dead_keep_seats):
            continue
        if pilot.player not in players:
            players.add(pilot.player)
            found.append(name)
    return found


def level_at_the_cut(event: Event) -> list[str]:
    """Return who is level with the last seat where that leaves open who sits down: the GM draws (MCQ-RANK-02)."""
    names = seats(event)
    if len(names) <= SEATS or _seat_key(event, event.pilots[names[SEATS - 1]]) != _seat_key(
        event, event.pilots[names[SEATS]]
    ):
        return []
    last = _seat_key(event, event.pilots[names[SEATS]])
    return [name for name in names if _seat_key(event, event.pilots[name]) == last]


def final_points(pilot: Pilot) -> int:
    """Return the half points of the final: two for a solo kill, one for an assisted one (MC-RANK-03)."""
    return SOLO_POINTS * pilot.final_kills.solo + ASSISTED_POINTS * pilot.final_kills.assisted


def final_ranking(event: Event) -> list[str]:
    """Return the pilots of the final: the winner by its own ties, the others by theirs (MC-RANK-03 to 05, MC-LMS)."""
    if event.plays("last_man_standing"):
        return _last_standing(event)
    first = _finalists(event, lambda pilot: (final_points(pilot), pilot.fame, *_tie_break(event, pilot)))[:1]
    fame = event.switches.fame_breaks_places

    def place(pilot: Pilot) -> tuple[float, ...]:
        return (final_points(pilot), *([pilot.fame] if fame else []), *_tie_break(event, pilot))

    return first + [name for name in _finalists(event, place) if name not in first]


def _last_standing(event: Event) -> list[str]:
    """Return the survivor, then all others by Fame, kills, solo kills, net worth (MC-LMS-01 to 03)."""
    ranked = _finalists(event, lambda pilot: (pilot.fame, *_tie_break(event, pilot)))
    standing = [name for name in ranked if event.pilots[name].is_in_arena]
    first = standing if len(standing) == 1 else ranked[:1]
    return first + [name for name in ranked if name not in first]


def _tie_break(event: Event, pilot: Pilot) -> tuple[float, ...]:
    """Total kills, solo kills, net worth (MCQ-RANK-04)."""
    kills = pilot.final_kills if event.switches.tie_break_kills == "final" else pilot.kills
    return (kills.total(event.switches.assist_weight), kills.solo, net_worth(event, pilot))


def ranking(event: Event) -> list[str]:
    """Return the ranking of the stage that the event is in."""
    return final_ranking(event) if event.stage == "final" else qualifier_ranking(event)


def _finalists(event: Event, key: Key) -> list[str]:
    """Sort the pilots of the final; where nobody has been seated, all."""
    return [name for name in _ranked(event, key) if event.finalists is None or name in event.finalists]


def _ranked(event: Event, key: Key) -> list[str]:
    """Sort by a key, best first; who is level stays in the order in which they came."""
    return [pilot.id for pilot in sorted(event.pilots.values(), key=key, reverse=True)]
