"""From a finished match to new ratings: who played, and what the match does to the figures. Nothing is written."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, NamedTuple

from django.contrib.auth.models import AnonymousUser
from django.db.models import Q

from matches.host import FORFEIT, VOID, permissions_in
from matches.models import AskedAdvice, Match, MatchAction
from matches.selectors.permissions import subject_of
from rules.measuring.ratings import BEGINNER, Rating, places_of, rate

RELIEF = (MatchAction.Cause.RELIEVED, MatchAction.Cause.WITHDRAWN)
"""The causes of actions after a bot failed: another bot took its seat, or default answers followed to the end."""

OWN = ("", MatchAction.Cause.ONLY, MatchAction.Cause.STANDING)
"""The causes of a person's own actions; with any other cause the AI played the action."""


class Player(NamedTuple):
    """A rated player: a bot under a version of the rules, or the account with this id."""

    bot: str = ""
    rules_version: str = ""
    user_id: int | None = None


@dataclass(frozen=True)
class Figures:
    """The figures of a player after the matches so far."""

    rating: Rating
    matches: int
    last_match_at: datetime
    has_been_program: bool = False


def players_of(match: Match) -> dict[str, Player] | None:
    """Return the player of each side of a match, by side in alphabetical order; 3 queries at most.

    Return None when the result does not show who is better: there is no result, a seat was never taken, or changed
    hands after a decision with a choice, a bot was relieved, or one player had several sides.
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
    """Return the sides that had advice in a match, in alphabetical order; one query.

    The answer is stored when the match is rated, because the record of the advice goes with a person who deletes their
    account.
    """
    return sorted(set(AskedAdvice.objects.filter(match=match).values_list("side", flat=True)))


def helped_sides(match: Match, players: Mapping[str, Player], advised: Iterable[str]) -> set[str]:
    """Return the sides of `players` that did not decide alone; one query.

    These are the `advised` sides, and the sides of accounts for which the AI played some actions, on request or because
    the time was up, or that took a step back. A bot that took over an empty seat decided everything itself.
    """
    accounts = [side for side, player in players.items() if player.user_id is not None]
    is_help = ~Q(cause__in=OWN) | Q(action__order="take_back")
    played = MatchAction.objects.filter(is_help, match=match, side__in=accounts).order_by()
    return {*advised, *played.values_list("side", flat=True).distinct()}


def is_won_by(sides: Iterable[str], places: Mapping[str, int]) -> bool:
    """Return whether one of these sides won by `places` (1 is first). Nobody wins when all are first."""
    return max(places.values()) > 1 and any(places[side] == 1 for side in sides)


def places_that_count(
    match: Match, corrected: Mapping[str, Any] | None, helped: Iterable[str]
) -> dict[str, int] | None:
    """Return the valid places of a finished match, None when they do not count for the ladder.

    They do not when `places_held` returns None, or when a helped side won, which says nothing about its player. A loss
    or a draw in spite of help counts.
    """
    places = places_held(match, corrected)
    return None if places is None or is_won_by(helped, places) else places


def places_held(match: Match, corrected: Mapping[str, Any] | None) -> dict[str, int] | None:
    """Return the place of each side by the valid result of a finished match: its own, or the corrected one.

    None when a correction voids the match, decides it by forfeit, leaves it without a winner or names other sides: no
    play decided it.
    """
    assert match.result is not None
    if corrected is None:
        return places_of(match.result)
    is_played = corrected["ended_by"] not in (VOID, FORFEIT) and set(corrected["sides"]) == set(match.result["sides"])
    has_winner = corrected["winner"] is not None or corrected["places"]
    if not is_played or not has_winner:
        return None
    # The corrected result, from the stables' books, has no totals; no correction changes those of the match.
    played = match.result["sides"]
    return places_of(
        {**corrected, "sides": {side: {**played[side], **change} for side, change in corrected["sides"].items()}}
    )


def is_open(match: Match) -> bool:
    """Return whether everybody may see the match now, by its season; a match outside of seasons is open."""
    return permissions_in(subject_of(match), AnonymousUser()).is_open


def fold(
    figures: Mapping[Player, Figures],
    match: Match,
    players: Mapping[str, Player],
    places: Mapping[str, int],
    programs: Iterable[str] = (),
) -> dict[Player, Figures]:
    """Return the figures of the players of a finished match after it. `figures` are those before it.

    A player without figures begins with the rating BEGINNER. `places` has the place of each side, `programs` the sides
    that a program played.
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
