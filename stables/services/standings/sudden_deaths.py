"""Sudden deaths: called when titles are tied, with a date and one extension; attendance and outcome.

R-SUD-01..05; Q-141, Q-164, Q-169. Every step is a transaction that may be repeated; matches are played outside
transactions. A tied candidate is a claim, and its key is Claim.key of stables.services.standings.titles. The outcome is
stored in the row.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.db import transaction
from django.db.models import Q
from django.utils import timezone

from matches.models import Match
from matches.services.answering import Seat
from matches.services.matches import close
from people.services.accounts import notify_bounded
from rules.campaign.season.appointments import moment_text
from rules.campaign.standings.titles import EXTEND, FIGHT, WAIT, attendance, own_fighter
from rules.core.refusals import Malformed, SeasonRefused
from stables.models import Asset, ExternalSeat, Season, Stable, SuddenDeath, Title
from stables.selectors.seating import handed_over, has_person
from stables.selectors.seeds import season_dice
from stables.services.base.deadlines import calendar_of
from stables.services.base.job_requests import ask_for
from stables.services.base.locks import lock_season
from stables.services.base.log import record
from stables.services.base.news import stored
from stables.services.standings.sudden_death_ends import Entrant, call_off, end, is_begun, lock, stables_of
from stables.services.standings.sudden_death_match import (
    ORDER,
    Fighter,
    able_fighters,
    contender_of,
    make_match,
    sides_for,
)

LAST_CALL = timedelta(hours=24)
"""How long an organiser's last call waits, and how long an extension lasts if the calendar names no date."""

OWNER, BOT = "owner", "bot"
"""The player of a fighter: its owner or the program on the stable's seat, or the stable's bot."""

Play = Callable[[Match, dict[str, str]], Match]
"""A function that plays a match to its end and returns it. It gets the match and the bot of each side."""


@transaction.atomic
def call(*, season_id: int, kind: str, entrants: Sequence[Entrant], now: datetime | None = None) -> SuddenDeath:
    """Call a sudden death between tied claims, and notify their owners; one already called is returned as it is.

    If a corrected result has changed the tied claims, the open one is called off. It has no date without people or
    without deadlines in the calendar. Fetch the stables of `entrants` with their owners.
    """
    now = now or timezone.now()
    season = lock_season(season_id)
    known = call_off(season, kind, entrants, now)
    if known is not None:
        return known
    owners = [entrant.stable for entrant in entrants if has_person(entrant.stable)]
    made = SuddenDeath.objects.create(
        season=season,
        kind=kind,
        contenders=[
            {
                "claim": entrant.key,
                "stable": entrant.stable.number,
                "asset": entrant.asset.code if kind == Title.Kind.PILOT else None,
                "names": entrant.asset.label,
                "plays": BOT,
                "side": "",
            }
            for entrant in entrants
        ],
        due_at=calendar_of(season).new_date(now, "standard") if owners else None,
    )
    names = sorted({entrant.stable.name for entrant in entrants})
    values = {"title": made.kind, "stables": ", ".join(names)}
    record(season, "sudden_death_called", values, asks=sorted({stable.pk for stable in owners}))
    _tell(made, [stable.owner for stable in owners], {entrant.stable.number: entrant.stable for entrant in entrants})
    return made


def _names_of(row: SuddenDeath, stables: Mapping[int, Stable]) -> list[str]:
    """Return the names of those who are tied: stables, or pilots with their stables."""
    if row.kind == Title.Kind.PILOT:
        return [f"{each['names']} ({stables[each['stable']].name})" for each in row.contenders]
    return [stables[each["stable"]].name for each in row.contenders]


def _tell(row: SuddenDeath, people: Sequence[Any], stables: Mapping[int, Stable]) -> None:
    """Tell people of a sudden death; `stables` has those of its contenders, by number."""
    parameters: dict[str, Any] = {"season": row.season.name, "title": row.kind, "at": stored(row.due_at)}
    parameters["contenders"] = _names_of(row, stables)
    address = f"{row.season.get_absolute_url()}#sudden-death"
    once = {person.pk: person for person in people if person is not None}
    code = "sudden_death_extended" if row.extended else "sudden_death_called"
    notify_bounded(once.values(), "sudden_death_ends" if is_begun(row) else code, parameters, address)


def present_in(row: SuddenDeath, stables: Mapping[int, Stable], now: datetime | None = None) -> set[str]:
    """Return the keys of the claims whose player is there: people who said so, and stables for which the AI acts.

    One query.
    """
    away = handed_over(row.season_id, now)
    return {
        each["claim"]
        for each in row.contenders
        if each["claim"] in row.appeared
        or not has_person(stables[each["stable"]])
        or stables[each["stable"]].pk in away
    }


def open_for(stable: Stable) -> SuddenDeath | None:
    """Return the undecided sudden death in which a stable is tied, None if there is none; one query."""
    waiting = SuddenDeath.objects.filter(season=stable.season_id, decided_at=None).order_by("kind")
    return next((row for row in waiting if any(each["stable"] == stable.number for each in row.contenders)), None)


@dataclass(frozen=True)
class Appearance:
    """An appearance: the kind of the title, the name of the stable's fighter, and who plays it (OWNER or BOT)."""

    kind: str
    fighter: str
    plays: str


@transaction.atomic
def appear(*, stable_id: int, fighter: int | None = None, plays: str = BOT) -> Appearance:
    """Note that the player of a tied stable is there, who fights for it, and who plays the fighter (OWNER or BOT).

    `fighter` is the id of an asset. For the title of the stables it is the one that fights; without any choice the best
    one does. For the title of the pilots it is the tied individual that `plays` is about, the stable's first one if
    None; bots play its others. It may be repeated until the fighters are settled. Raises SeasonRefused
    (no_sudden_death, sudden_death_begun, cannot_fight) or Malformed (unknown_asset, bad_field).
    """
    if plays not in (OWNER, BOT):
        raise Malformed("bad_field", field="plays")
    stable = Stable.objects.select_related("season__release").get(pk=stable_id)
    lock_season(stable.season_id)
    found = open_for(stable)
    if found is None:
        raise SeasonRefused("no_sudden_death")
    row = lock(found.pk)
    if row is None or row.decided_at is not None:
        raise SeasonRefused("no_sudden_death")
    if is_begun(row):
        raise SeasonRefused("sudden_death_begun")
    own = [each for each in row.contenders if each["stable"] == stable.number]
    asset = None if fighter is None else _asset_of(stable, fighter)
    if row.kind == Title.Kind.STABLE:
        able = able_fighters(stable.season, stable)
        if asset is not None and asset not in able:
            raise SeasonRefused("cannot_fight", name=asset.label)
        if asset is not None:
            own[0]["asset"], own[0]["names"] = asset.code, asset.label
        own[0]["plays"] = plays
        chosen = own[0]
    else:
        if asset is not None and asset.code not in [each["asset"] for each in own]:
            raise SeasonRefused("cannot_fight", name=asset.label)
        named = own_fighter([each["asset"] for each in own], None if asset is None else asset.code)
        for each in own:
            each["plays"], each["is_own"] = plays if each["asset"] == named else BOT, each["asset"] == named
        chosen = next(each for each in own if each["asset"] == named)
    is_new = own[0]["claim"] not in row.appeared
    row.appeared = sorted({*row.appeared, *(each["claim"] for each in own)})
    row.save(update_fields=["contenders", "appeared"])
    if is_new:
        record(
            row.season,
            "sudden_death_appeared",
            {"stable": stable.name, "title": row.kind},
            actor=stable.owner,
        )
    ask_for_titles(row.season, f"{row.kind}:{row.pk}:appeared:{len(row.appeared)}")
    return Appearance(row.kind, chosen["names"], plays)


def _asset_of(stable: Stable, asset_id: int) -> Asset:
    asset = stable.assets.filter(pk=asset_id).first()
    if asset is None:
        raise Malformed("unknown_asset")
    return asset


def ask_for_titles(season: Season, occasion: str) -> None:
    """Ask for another look at the titles; a second call for the same occasion changes nothing."""
    ask_for(season, "stables.award_titles", f"season:{season.pk}:titles:{occasion}")


def takes_last_call(row: SuddenDeath, now: datetime) -> bool:
    """Return whether a last call would bring the date of an open sudden death nearer, or give it one."""
    return row.due_at is None or row.due_at > now + LAST_CALL


@transaction.atomic
def call_last(*, season_id: int, now: datetime | None = None) -> datetime:
    """Set and return a last date for the first open sudden death, LAST_CALL from now, which counts as its extension.

    It is for organisers, when the calendar names no date or one too far ahead. Players who have not appeared get a
    notice; of a begun match those who play it, because bots finish it at that date. Raises SeasonRefused
    (no_sudden_death, sudden_death_has_date).
    """
    now = now or timezone.now()
    season = lock_season(season_id)
    found = SuddenDeath.objects.filter(season=season, decided_at=None).order_by("kind").first()
    if found is None:
        raise SeasonRefused("no_sudden_death")
    row = lock(found.pk)
    if row is None or row.decided_at is not None:
        raise SeasonRefused("no_sudden_death")
    if row.due_at is not None and not takes_last_call(row, now):
        raise SeasonRefused("sudden_death_has_date", date=moment_text(row.due_at))
    _extend(row, now + LAST_CALL)
    return now + LAST_CALL


def _extend(row: SuddenDeath, until: datetime) -> None:
    row.due_at, row.extended = until, True
    row.save(update_fields=["due_at", "extended"])
    stables = stables_of(row)
    missing = _players(row, stables) if is_begun(row) else _missing(row, stables)
    values = {"title": row.kind, "date": stored(until)}
    record(row.season, "sudden_death_extended", values, asks=sorted({stable.pk for stable in missing}))
    _tell(row, [stable.owner for stable in missing], stables)


def _missing(row: SuddenDeath, stables: Mapping[int, Stable]) -> list[Stable]:
    """Return the stables of those who are not there yet; one query."""
    there = present_in(row, stables)
    return [stables[each["stable"]] for each in row.contenders if each["claim"] not in there]


def _players(row: SuddenDeath, stables: Mapping[int, Stable]) -> list[Stable]:
    """Return the stables of the people who play the match of a begun sudden death."""
    return [stables[each["stable"]] for each in row.contenders if each["side"] and each["plays"] == OWNER]


# From the call to the outcome ----------------------------------------------------------------------------------------


def conclude(*, sudden_death_id: int, play: Play, now: datetime | None = None) -> bool:
    """Take a sudden death as far as it goes without people; return whether it has ended.

    `play` is called only if bots play all sides or the date has passed. Safe to repeat and to run twice at once. One
    that is called off meanwhile is left alone. Call it outside transactions.
    """
    now = now or timezone.now()
    _attend(sudden_death_id, now)
    row = SuddenDeath.objects.select_related("season__release", "match").filter(pk=sudden_death_id).first()
    if row is None or row.decided_at is not None:
        return row is not None
    if not is_begun(row):
        return False
    fighters = _fighters(row)
    match = row.match or _keep(row, make_match(row, row.season, fighters), now)
    bots = {fighter.side: fighter.bot for fighter in fighters}
    if not match.is_over:
        row.refresh_from_db(fields=["due_at"])
        by_bots = all(fighter.seat.bot for fighter in fighters)
        if not by_bots and not _is_due(row, now):
            return False
        match = play(match, bots)
    if not match.is_finished:
        return False
    winner = (match.result or {})["winner"]
    holder = next(fighter.claim for fighter in fighters if fighter.side == winner)
    end(row.pk, (holder,), Title.Decision.SUDDEN_DEATH, now)
    return True


def _is_due(row: SuddenDeath, now: datetime) -> bool:
    """Return whether the date of a sudden death has passed; no date passes while the season is paused."""
    return row.due_at is not None and row.due_at <= now and row.season.paused_at is None


@transaction.atomic
def _attend(sudden_death_id: int, now: datetime) -> None:
    """Extend an open sudden death, settle its fighters, or end it if the title needs no fight."""
    row = lock(sudden_death_id)
    if row is None or row.decided_at is not None or is_begun(row):
        return
    stables = stables_of(row)
    keys = [each["claim"] for each in row.contenders]
    next_step = attendance(keys, present_in(row, stables, now), is_due=_is_due(row, now), is_extended=row.extended)
    if next_step.step == WAIT:
        return
    if next_step.step == EXTEND:
        _extend(row, calendar_of(row.season).new_date(now, "standard") or now + LAST_CALL)
    elif next_step.step == FIGHT:
        sides = sides_for(next_step.keys)
        for each in row.contenders:
            each["side"] = sides.get(each["claim"], "")
            if row.kind == Title.Kind.STABLE and each["asset"] is None:
                best = able_fighters(row.season, stables[each["stable"]])[0]
                each["asset"], each["names"] = best.code, best.label
        row.save(update_fields=["contenders"])
    else:
        how = Title.Decision.APPEARANCE if len(next_step.keys) == 1 else Title.Decision.SHARED
        end(row.pk, next_step.keys, how, now)


def _fighters(row: SuddenDeath) -> list[Fighter]:
    """Return the sides of a begun sudden death, in their order."""
    stables = stables_of(row)
    away = handed_over(row.season_id)
    assets = {
        (asset.stable_id, asset.code): asset
        for asset in Asset.objects.filter(stable__in=[stable.pk for stable in stables.values()])
    }
    agreed = ExternalSeat.objects.filter(stable__season=row.season, ended_at=None).exclude(agreed_at=None)
    programs = {seat.stable_id: seat.user_id for seat in agreed}
    fighters = []
    played: set[int] = set()
    for each in row.contenders:
        if not each["side"]:
            continue
        stable = stables[each["stable"]]
        asset = assets[stable.pk, each["asset"]]
        is_own = each.get("is_own", stable.pk not in played)
        player = stable if is_own and stable.pk not in played else _stand_in(row, stable)
        if player is stable:
            played.add(stable.pk)
        by_owner = player is stable and each["plays"] == OWNER and stable.pk not in away and has_person(stable)
        user_id = programs.get(stable.pk, stable.owner_id) if by_owner else None
        seat = Seat(each["side"], user_id=user_id) if user_id else Seat(each["side"], bot=player.bot)
        contender = contender_of(row.season, each["claim"], asset)
        fighters.append(Fighter(each["side"], each["claim"], contender, stable, seat, player.bot))
    return fighters


def _stand_in(row: SuddenDeath, stable: Stable) -> Stable:
    """Return the untied stable, drawn by lot, whose bot plays a second tied pilot of a stable (Q-169).

    If no stable is untied, it is the pilot's own.
    """
    tied = {each["stable"] for each in row.contenders}
    free = row.season.stables.exclude(number__in=tied).filter(left_in_cycle=None).order_by("number")
    listed = list(free)
    if not listed:
        return stable
    dice = season_dice(row.season, "stand-in of a sudden death", ORDER.index(Title.Kind(row.kind)), stable.number)
    return listed[dice.draw(len(listed), "untied player")]


@transaction.atomic
def _keep(row: SuddenDeath, match: Match, now: datetime) -> Match:
    """Give the sudden death its match, once, and return that match.

    A match that people play also gets a date by which it must end, if the calendar has deadlines. The match of a sudden
    death that was called off meanwhile is closed.
    """
    locked = lock(row.pk)
    if locked is None or locked.decided_at is not None:
        close(match.pk, now)
        match.refresh_from_db()
        return match
    if locked.match is None:
        locked.match = match
        if any(seat.user_id for seat in match.seats.all()):
            locked.due_at = calendar_of(locked.season).new_date(now, "standard")
        locked.save(update_fields=["match", "due_at"])
        record(locked.season, "sudden_death_begun", {"title": locked.kind})
    row.match, row.due_at = locked.match, locked.due_at
    return locked.match


def overdue(now: datetime | None = None) -> list[SuddenDeath]:
    """Return the undecided sudden deaths whose date has passed or whose match has ended, at most 100; one query.

    While a season is paused its dates do not pass.
    """
    passed = Q(due_at__lte=now or timezone.now(), season__paused_at=None) | Q(match__state=Match.State.FINISHED)
    waiting = SuddenDeath.objects.filter(passed, decided_at=None, season__state=Season.State.SUDDEN_DEATH)
    return list(waiting.select_related("season").defer("season__secret").order_by("id")[:100])
