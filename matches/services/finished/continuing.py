"""What comes after a finished match: a nod, a rematch with the same settings, a match that goes on from a moment of it.

Both matches are friendly matches, whatever the first one was. One that goes on from a moment counts for no ladder.
"""

from __future__ import annotations

import secrets
from collections.abc import Mapping, Sequence
from typing import Any
from uuid import UUID

from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.urls import reverse
from django.utils.crypto import salted_hmac

from matches.models import Match, MatchAction, MatchSeat
from matches.selectors.matches import sides_of, stored_steps
from matches.selectors.sides import SideView
from matches.services.answering import STAND_IN, Seat
from matches.services.beginning import open_seats
from matches.services.beginning.friendly import BOTS_OFFERED, FRIENDLY_MATCHES
from matches.services.matches import create_match
from people.models import User
from people.services.accounts import count_attempt, notify
from rules.bots.preset_answers import ROUTINE
from rules.competition.match import Match as EngineMatch
from rules.competition.setups import read_setup
from rules.core.dice import FRESH, SEED, continued_seed, dice_of
from rules.core.refusals import IllegalAction, Malformed, Refused
from rules.wording.isolation import isolated

# A nod ----------------------------------------------------------------------------------------------------------------


def may_nod(match: Match, user: Any) -> bool:
    """Return whether a person may say "well played": they played the match, it is over, and so did another person.

    `match` comes from `find_match`. Nobody says it twice, and a match with the AI alone has nobody to hear it.
    """
    seats = match.seats.all()
    own = [seat for seat in seats if user.is_authenticated and seat.user_id == user.pk]
    others = [seat for seat in seats if seat.user_id is not None and seat not in own]
    return match.is_over and bool(own and others) and not any(seat.has_nodded for seat in own)


def nodders(match: Match, sides: Sequence[SideView]) -> list[str]:
    """Return the names of the sides whose person said "well played". `match` comes from `find_match`; no query."""
    said = {seat.side for seat in match.seats.all() if seat.has_nodded}
    return [view.name for view in sides if view.key in said]


def nod(match: Match, user: User) -> None:
    """Say "well played" for a person, and send the others who played and have an account a notice. Safe to repeat.

    Raises PermissionDenied for people who did not play and for a match with nobody else, Refused (match_not_finished).
    """
    seats = match.seats.all()
    others = {seat.user for seat in seats if seat.user is not None and seat.user != user}
    if not others or not sides_of(match, user):
        raise PermissionDenied
    if not match.is_over:
        raise Refused("match_not_finished")
    with transaction.atomic():
        if MatchSeat.objects.filter(match=match, user=user, has_nodded=False).update(has_nodded=True):
            heard = [other for other in others if not other.is_guest]
            parameters = {"match": _units_of(match), "person": user.get_username()}
            notify(heard, "nod", parameters, reverse("matches:show", args=[match.public_id]))


# Rematch --------------------------------------------------------------------------------------------------------------


def may_have_rematch(match: Match, user: Any) -> bool:
    """Return whether a person may ask for the rematch of a match from `find_match`: a friendly one that they played.

    There is none of a match that goes on from another one: its sides may be those of a season that not everybody sees.
    Guests begin one where nobody but people played: their duels against the AI begin by "Fight now".
    """
    return match.is_over and _may_begin_anew(match, user)


def _may_begin_anew(match: Match, user: Any) -> bool:
    if not _is_friendly(match) or not sides_of(match, user):
        return False
    return not user.is_guest or not match.seats.exclude(bot="").exists()


def _is_friendly(match: Match) -> bool:
    return match.fixture_key is None and not match.is_continued


def rematch(match: Match, user: User) -> Match:
    """Begin the rematch of a finished friendly match with the same sides, arena, rivals and time, and return it.

    Bots keep their seats. The seats of other people are free: those with an account get a notice, and whoever of them
    asks for the rematch too sits down in the one that waits. A rematch that is being played is returned to its players.
    Call it outside transactions. Raises PermissionDenied for a person who did not play, for a guest who did against a
    bot, and for a match that goes on from another one, Refused (match_not_finished, seat_taken), TooOften (too_often).
    """
    if not _may_begin_anew(match, user):
        raise PermissionDenied
    if not match.is_over:
        raise Refused("match_not_finished")
    named = _id_of_rematch(match.public_id)
    while (known := Match.objects.filter(public_id=named).first()) is not None and known.is_over:
        named = _id_of_rematch(named)
    if known is None:
        known = _begin_rematch(match, user, named)
    if not known.seats.filter(user=user).exists():
        open_seats.take(known.pk, user)
    return known


def _id_of_rematch(public_id: UUID) -> UUID:
    """Return the id of the rematch: one for all who played, which nobody else can guess."""
    return UUID(bytes=salted_hmac("matches.rematch", str(public_id)).digest()[:16], version=4)


def _begin_rematch(match: Match, user: User, named: UUID) -> Match:
    count_attempt(FRIENDLY_MATCHES, str(user.pk))
    held = {seat.side: seat for seat in match.seats.all()}
    rivals = [seat.user for seat in held.values() if seat.user is not None and seat.user != user]
    seats = []
    for side in (str(each["id"]) for each in match.setup["sides"]):
        seat = held.get(side)
        if seat is not None and seat.user_id == user.pk:
            seats.append(Seat(side, user.pk, standing={} if rivals else ROUTINE))
        elif seat is not None and seat.bot:
            seats.append(Seat(side, bot=seat.bot))
        else:
            seats.append(Seat(side))
    begun = create_match(match.setup, secrets.token_bytes(SEED), None, seats, match.seconds_a_round, named)
    if begun.seats.filter(user=user).exists():
        parameters = {"match": _units_of(match), "person": user.get_username()}
        asked = [rival for rival in rivals if not rival.is_guest]
        notify(asked, "rematch", parameters, reverse("matches:show", args=[begun.public_id]))
    return begun


def _units_of(match: Match) -> str:
    return " – ".join(isolated(loadout["unit"]["name"]) for side in match.setup["sides"] for loadout in side["units"])


# Play on --------------------------------------------------------------------------------------------------------------


def play_on(match: Match, user: User, at: int, side: str) -> Match:
    """Begin a match that goes on from a finished one after its action `at` (0: the opening), and return it.

    The person plays `side`, and a bot all others: the one that played another side, or without one the stand-in. What
    was played and rolled before stays; later dice come from a new secret. Stables are not named: others play for them.
    Call it outside transactions. Raises Refused (match_not_finished; no_such_moment for an unknown side or action, and
    at the end; moment_of_other_rules when the present rules play the match otherwise; moment_too_late after two matches
    that went on themselves), TooOften (too_often).
    """
    if not match.is_over:
        raise Refused("match_not_finished")
    sides = [str(each["id"]) for each in match.setup["sides"]]
    if not 0 <= at < match.last_sequence or side not in sides:
        raise Refused("no_such_moment")
    bots = (seat.bot for seat in match.seats.all() if seat.side != side and seat.bot in BOTS_OFFERED)
    steps = stored_steps(match)[: at + 1]
    return begin_after(match.setup, bytes(match.seed), steps, user, side, next(bots, STAND_IN))


def begin_after(
    setup: Mapping[str, Any], known: bytes, steps: Sequence[MatchAction], user: User, side: str, opponent: str
) -> Match:
    """Begin a match that goes on after these first steps of one with this setup and seed, and return it.

    The person plays `side`, and the bot `opponent` all others. Raises Refused (moment_of_other_rules, moment_too_late),
    TooOften (too_often).
    """
    count_attempt(FRIENDLY_MATCHES, str(user.pk))
    seed = _going_on(setup, known, steps)
    sides = [str(each["id"]) for each in setup["sides"]]
    seats = [Seat(each, user.pk, standing=ROUTINE) if each == side else Seat(each, bot=opponent) for each in sides]
    return create_match(without_stables(setup), seed, None, seats, begun=steps[1:])


def _going_on(setup: Mapping[str, Any], known: bytes, steps: Sequence[MatchAction]) -> bytes:
    """Return the seed of dice that roll these steps again and go on from a new secret.

    Raises Refused (moment_of_other_rules, moment_too_late).
    """
    dice = dice_of(known)
    try:
        engine = EngineMatch.replay(read_setup(setup), dice, [step.action or {} for step in steps[1:]])
    except (IllegalAction, Malformed) as problem:
        raise Refused("moment_of_other_rules") from problem
    if engine.events != [step.events for step in steps] or engine.decision is None:
        raise Refused("moment_of_other_rules")
    try:
        return continued_seed(known, dice.used, secrets.token_bytes(FRESH))
    except ValueError as problem:
        raise Refused("moment_too_late") from problem


def without_stables(setup: Mapping[str, Any]) -> dict[str, Any]:
    """Return a setup without the names of the stables to which its sides and units belong."""
    return {
        **setup,
        "sides": [
            {
                **{key: value for key, value in side.items() if key != "name"},
                "units": [
                    {key: value for key, value in loadout.items() if key != "owner"} for loadout in side["units"]
                ],
            }
            for side in setup["sides"]
        ],
    }


def moment_after(events: int, steps: Sequence[MatchAction]) -> int:
    """Return the number of the action with which the first `events` events of a match are complete."""
    number = place = 0
    for step in steps:
        if place < events:
            number = step.sequence
        place += len(step.events)
    return number
