"""From a finished match to new ratings, without writing anything: who played, and what a match does to the figures."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, NamedTuple

from django.contrib.auth.models import AnonymousUser

from matches.host import FORFEIT, VOID, permissions_in
from matches.models import AskedAdvice, Match, MatchAction
from matches.selectors.permissions import subject_of
from rules.measuring.ratings import BEGINNER, Rating, places_of, rate

RELIEF = (MatchAction.Cause.RELIEVED, MatchAction.Cause.WITHDRAWN)
"""Who a bot's seat was taken over by when it had failed: another bot, or default answers to the end."""

OWN = ("", MatchAction.Cause.ONLY, MatchAction.Cause.STANDING)
"""Why a step of a person is the person's own; whatever else is said of one, the AI played it."""


class Player(NamedTuple):
    """Who is rated: a bot under a version of the rules, or the account with this id."""

    bot: str = ""
    rules_version: str = ""
    user_id: int | None = None


@dataclass(frozen=True)
class Figures:
    """What the matches so far say of a player."""

    rating: Rating
    matches: int
    last_match_at: datetime
    has_been_program: bool = False


def players_of(match: Match) -> dict[str, Player] | None:
    """Return who sat at each side of a match, by side in alphabetical order; three queries.

    None where a seat was never taken, was taken by somebody after another had decided there, where a bot was relieved,
    or where somebody sat at several sides: then the result does not tell who is better than whom.
    """
    seats = {seat.side: seat for seat in match.seats.all()}
    sides = sorted(match.result["sides"]) if match.result else []
    if len(sides) < 2 or any(side not in seats for side in sides):
        return None
    found = {}
    for side in sides:
        seat = seats[side]
        if seat.user_id is None and not seat.bot:
            return None
        if seat.user_id is None:
            found[side] = Player(bot=seat.bot, rules_version=match.rules_version)
        else:
            found[side] = Player(user_id=seat.user_id)
    if len(set(found.values())) < len(found):
        return None
    late = {side: seats[side].taken_at for side in sides if seats[side].taken_at}
    if late:
        own = MatchAction.objects.filter(match=match, side__in=late).exclude(cause=MatchAction.Cause.ONLY)
        if any(sequence <= late[side] for side, sequence in own.values_list("side", "sequence")):
            return None
    bots = [side for side, player in found.items() if player.bot]
    if bots and MatchAction.objects.filter(match=match, side__in=bots, cause__in=RELIEF).exists():
        return None
    return found


def advised_sides(match: Match) -> list[str]:
    """Return the sides on which somebody had advice in it, in alphabetical order; one query.

    Asked once, when a match is rated, and kept with it: who leaves takes along that there was advice.
    """
    return sorted(set(AskedAdvice.objects.filter(match=match).values_list("side", flat=True)))


def helped_sides(match: Match, players: Mapping[str, Player], advised: Iterable[str]) -> set[str]:
    """Return the sides of `players` that did not decide alone; one query.

    These are those that were `advised`, and those of accounts for which the AI played some of it, as asked for or
    because the time was up. A bot that took an empty seat over has decided all of it.
    """
    accounts = [side for side, player in players.items() if player.user_id is not None]
    played = MatchAction.objects.filter(match=match, side__in=accounts).exclude(cause__in=OWN).order_by()
    return {*advised, *played.values_list("side", flat=True).distinct()}


def is_won_by(sides: Iterable[str], places: Mapping[str, int]) -> bool:
    """Return whether one of these sides is first by its `places`; where all of them are equal nobody is."""
    return max(places.values()) > 1 and any(places[side] == 1 for side in sides)


def places_that_count(
    match: Match, corrected: Mapping[str, Any] | None, helped: Iterable[str]
) -> dict[str, int] | None:
    """Return the places that hold of a finished match (`places_held`), if they say anything of the person who played.

    None too where a side won that was helped: that says nothing of its player. A loss or a draw in spite of help does.
    """
    places = places_held(match, corrected)
    return None if places is None or is_won_by(helped, places) else places


def places_held(match: Match, corrected: Mapping[str, Any] | None) -> dict[str, int] | None:
    """Return the place of each side by what holds of a finished match: its own result, or the corrected one.

    None where it was voided, or is decided by a forfeit now, or by nobody: no play stands behind that.
    """
    assert match.result is not None
    if corrected is None:
        return places_of(match.result)
    is_played = corrected["ended_by"] not in (VOID, FORFEIT) and set(corrected["sides"]) == set(match.result["sides"])
    has_winner = corrected["winner"] is not None or corrected["places"]
    if not is_played or not has_winner:
        return None
    # The stables' books know nothing of totals, which no correction changes.
    played = match.result["sides"]
    return places_of(
        {**corrected, "sides": {side: {**played[side], **change} for side, change in corrected["sides"].items()}}
    )


def is_open(match: Match) -> bool:
    """Return whether what the match is part of is open to everybody now; so are matches outside of seasons."""
    return permissions_in(subject_of(match), AnonymousUser()).is_open


def fold(
    figures: Mapping[Player, Figures],
    match: Match,
    players: Mapping[str, Player],
    places: Mapping[str, int],
    programs: Iterable[str] = (),
) -> dict[Player, Figures]:
    """Return the figures of the players of a match after it, from those before it; `places` and `programs` are of
    sides.
    """
    assert match.finished_at is not None
    before = [figures[player].rating if player in figures else BEGINNER for player in players.values()]
    after = rate(before, [places[side] for side in players])
    facts = {}
    for (side, player), rating in zip(players.items(), after, strict=True):
        known = figures.get(player)
        facts[player] = Figures(
            rating,
            (known.matches if known else 0) + 1,
            max(match.finished_at, known.last_match_at) if known else match.finished_at,
            side in programs or bool(known and known.has_been_program),
        )
    return facts
