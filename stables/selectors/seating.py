"""Who decides for a fixture's stables: the owner, the AI in their absence, their program, or a stand-in."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any, NamedTuple

from django.db.models import Q
from django.utils import timezone

from matches.services.answering import Seat
from rules.bots.preset_answers import ROUTINE, ROUTINE_BETWEEN_PEOPLE
from rules.campaign.season.appointments import DECIDED_BY_BOT, bots_may_play_all, holder, mode_played
from stables.models import (
    ExternalSeat,
    Fixture,
    FixtureSide,
    HandOver,
    LineUp,
    LogEntry,
    NoShowClaim,
    Proposal,
    Season,
    Stable,
)


def default_mode(season: Season) -> str:
    """Return how a season's matches are played unless their players agree otherwise; by the AI without a calendar.

    A season for real tables only has no other mode.
    """
    if season.rules.table_only:
        return Fixture.Mode.TABLE
    mode = season.calendar.get("mode") if isinstance(season.calendar, dict) else None
    return mode if mode in Fixture.Mode.values else Fixture.Mode.AI


def standing_answers_in(season: Season, *, between_people: bool) -> Mapping[str, Any]:
    """Return the standing answers with which a person's units begin in a match of a season; {} for none."""
    if season.rules.standing_answers != "routine":
        return {}
    return ROUTINE_BETWEEN_PEOPLE if between_people else ROUTINE


def running_at(now: datetime) -> Q:
    """Return the condition for hand-overs that run at this moment."""
    return Q(starts_at__lte=now, ends_at__gt=now, ended_at=None)


def hand_over_of(stable_id: int, now: datetime | None = None) -> HandOver | None:
    """Return the hand-over under which the AI acts for a stable now, None when there is none; one query."""
    return HandOver.objects.filter(running_at(now or timezone.now()), stable_id=stable_id).first()


def handed_over(season_id: int, now: datetime | None = None) -> dict[int, HandOver]:
    """Return the hand-overs that run now in a season, by stable id; one query."""
    found = HandOver.objects.filter(running_at(now or timezone.now()), stable__season_id=season_id)
    return {each.stable_id: each for each in found.select_related("stable")}


@dataclass(frozen=True)
class StableSeat:
    """The seat of one stable of a fixture. `holder` is one of rules.campaign.season.appointments.HOLDERS.

    `user` is the account of the owner, their stand-in or the program that decides, None for the AI.
    """

    stable: Stable
    side: str
    holder: str
    user: Any = None


@dataclass(frozen=True)
class Seating:
    """The seats of a fixture's stables that do not forfeit, in order, and how it is played (a Fixture.Mode).

    The units of a person begin with the `standing` answers, those of a program with none.
    """

    seats: tuple[StableSeat, ...]
    mode: str
    standing: Mapping[str, Any] = field(default_factory=dict)

    def of_sides(self) -> list[Seat]:
        """Return the seats of the match, one for each side.

        If two stables share a side, the first person or program among them decides for both, or the first one's bot.
        """
        sides: dict[str, Seat] = {}
        for seat in self.seats:
            by_bot = self.mode == Fixture.Mode.AI or seat.holder in DECIDED_BY_BOT
            known = sides.get(seat.side)
            if known is None or (known.user_id is None and not by_bot):
                standing = self.standing if seat.holder == "person" else {}
                sides[seat.side] = (
                    Seat(seat.side, bot=seat.stable.bot) if by_bot else Seat(seat.side, seat.user.pk, standing=standing)
                )
        return list(sides.values())


def seating_of(fixture: Fixture, now: datetime | None = None) -> Seating:
    """Return who decides in a fixture now; a constant number of queries, one if the AI runs all its stables.

    Fetch `fixture` with its round, cycle and season.
    """
    now = now or timezone.now()
    sides = list(
        FixtureSide.objects.filter(fixture=fixture, forfeits="")
        .select_related("stable__owner", "line_up", "stand_in")
        .order_by("id")
    )
    if not any(has_person(side.stable) for side in sides):
        # Without people there are no hand-overs, agreements or claims to read.
        return arrange(fixture, sides, set(), {}, set(), ())
    ids = [side.stable_id for side in sides]
    away = set(HandOver.objects.filter(running_at(now), stable__in=ids).values_list("stable", flat=True))
    agreed = ExternalSeat.objects.filter(stable__in=ids, ended_at=None).exclude(agreed_at=None)
    programs = {seat.stable_id: seat.user for seat in agreed.select_related("user")}
    stood_in = NoShowClaim.objects.filter(fixture=fixture, state=NoShowClaim.State.STAND_IN).values_list("absent")
    return arrange(fixture, sides, away, programs, {pk for (pk,) in stood_in}, agreed_to_ai(fixture))


def arrange(
    fixture: Fixture,
    sides: Iterable[FixtureSide],
    away: set[int],
    programs: dict[int, Any],
    stood_in: set[int],
    agreed: Sequence[int],
) -> Seating:
    """Return the seating from facts already read; no query.

    All facts go by stable id: `away` are handed over, `programs` have a program's account, the AI stands in for those
    in `stood_in`, and `agreed` let bots play all sides. Fetch `sides` with their stables, owners and line-ups, and
    `fixture` with its round, cycle and season. A person who stands in on a side plays it in the place of the owner, of
    their program, and of the AI that the stable is handed over to. At a table no program plays. An owner whose line-up
    is in stays at the table even after handing the stable over, unless the hand-over chose the line-up, so that a
    played match can still be reported. In a season for real tables only there is no other way to play.
    """
    sides = list(sides)
    if fixture.round.cycle.season.rules.table_only:
        return replace(_arrange(fixture, sides, away, {}, stood_in, agreed), mode=Fixture.Mode.TABLE)
    if fixture.mode == Fixture.Mode.TABLE:
        handed_over = [side for side in sides if side.stable_id in away and side.stand_in_id is None]
        not_there = {side.stable_id for side in handed_over if not _is_own_line_up(side)}
        at_table = _arrange(fixture, sides, not_there, {}, stood_in, agreed)
        if at_table.mode == Fixture.Mode.TABLE:
            return at_table
    return _arrange(fixture, sides, away, programs, stood_in, agreed)


def _is_own_line_up(side: FixtureSide) -> bool:
    return hasattr(side, "line_up") and side.line_up.source != LineUp.Source.HAND_OVER


def _arrange(
    fixture: Fixture,
    sides: Iterable[FixtureSide],
    away: set[int],
    programs: dict[int, Any],
    stood_in: set[int],
    agreed: Sequence[int],
) -> Seating:
    seats = []
    for side in sides:
        stable = side.stable
        is_there = side.stand_in_id is not None
        who = holder(
            is_stood_in=stable.pk in stood_in,
            has_person=has_person(stable),
            is_handed_over=stable.pk in away and not is_there,
            has_program=stable.pk in programs and not is_there,
        )
        user = {"person": side.player, "program": programs.get(stable.pk)}.get(who)
        seats.append(StableSeat(stable, side.side, who, user))
    persons = [seat for seat in seats if has_person(seat.stable)]
    season = fixture.round.cycle.season
    may = bots_may_play_all(
        [seat.stable.pk for seat in persons],
        agreed=agreed,
        absent=[seat.stable.pk for seat in seats if seat.holder in DECIDED_BY_BOT],
        is_default=default_mode(season) == Fixture.Mode.AI,
    )
    # Whoever is away may come back during the match, so all people count.
    standing = standing_answers_in(season, between_people=len({seat.side for seat in persons}) > 1)
    return Seating(tuple(seats), mode_played(fixture.mode, [seat.holder for seat in seats], may), standing)


def has_person(stable: Stable) -> bool:
    """Return whether a person runs the stable."""
    return not stable.is_ai and stable.owner_id is not None


class People(NamedTuple):
    """The people of some sides of a match: the owners of the stables, and those who stand in for them."""

    owners: list[Any]
    stand_ins: list[Any]


def people_at(sides: Iterable[FixtureSide]) -> People:
    """Return the people who run the stables of these sides, and those who stand in for them."""
    sides = list(sides)
    owners = [side.stable.owner for side in sides if has_person(side.stable) and side.stable.owner is not None]
    return People(owners, [side.stand_in for side in sides if side.stand_in is not None])


LEFT_TO_THE_AI = "fixture_left_to_the_ai"
"""The code of the log line that says that the season left a late match to the AI (Q-157)."""

GIVEN_TO_THE_AI = "fixture_given_to_the_ai"
"""The code of the log line that says that an organiser let the AI play a match."""


def agreed_to_ai(fixture: Fixture) -> list[int]:
    """Return the ids of the stables that let the AI play all sides; at most three queries.

    They are the stable that made the newest accepted proposal of a mode, and those that accepted it, if that mode is
    the AI's. All stables of a match that an organiser gave to the AI, or that the season left to it, count as agreed
    while its mode stays: they joined under that setting.
    """
    decided = LogEntry.objects.filter(fixture=fixture, code__in=(LEFT_TO_THE_AI, GIVEN_TO_THE_AI))
    if fixture.mode == Fixture.Mode.AI and decided.exists():
        return list(FixtureSide.objects.filter(fixture=fixture).values_list("stable", flat=True))
    accepted = Proposal.objects.filter(fixture=fixture, state=Proposal.State.ACCEPTED).exclude(mode="")
    newest = accepted.order_by("-id").prefetch_related("accepted_by").first()
    if newest is None or newest.mode != Fixture.Mode.AI:
        return []
    return [newest.stable_id, *(stable.pk for stable in newest.accepted_by.all())]
