"""What organisers do for several absent stables together: remind them, give them time, repair, hand in line-ups.

Each stable is a transaction of its own, by the service that does the same for one stable. A refusal of one stable keeps
no other from its turn, and the answer names both kinds.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.urls import reverse
from django.utils import timezone

from people.services.accounts import Limit, count_attempt, notify
from rules.campaign.season.hand import LINE_UP, MARKET, MATCH
from rules.core.refusals import Malformed, SeasonRefused
from stables.models import LineUp, Season, Stable
from stables.selectors.absent import Awaited, awaited
from stables.selectors.fixtures import sides_with_owners
from stables.selectors.offices import organises
from stables.selectors.seating import People, people_at
from stables.services.ai import owners
from stables.services.ai.deciding import Decision, settle
from stables.services.base.ledger import Allowance, allowing
from stables.services.base.locks import lock_season
from stables.services.base.log import record
from stables.services.base.news import place_of, stored, tell_people, terms_of
from stables.services.base.reasons import required
from stables.services.fixtures.excuses import excuse
from stables.services.line_ups.line_ups import submit_nearest_legal
from stables.services.running.stables import managed
from web.bounds import MOST_MESSAGES

REMIND, EXTEND, REPAIR, LINE_UP_FOR = "remind", "extend", "repair", "line_up"
ACTS = (REMIND, EXTEND, REPAIR, LINE_UP_FOR)
REMINDERS_OF_A_SEASON = Limit("season_reminder", MOST_MESSAGES)
REMINDERS = {MARKET: "reminder_market", LINE_UP: "reminder_line_up", MATCH: "reminder_match"}
"""What is awaited -> the code of the notice."""


@dataclass(frozen=True)
class NotDone:
    """A stable for which an act was refused, and why: code and parameters of the refusal."""

    stable: Stable
    code: str
    parameters: dict[str, Any]


@dataclass
class Done:
    """The outcome of an act for several stables: those for which it was done, by number, and those that refused it."""

    stables: list[Stable] = field(default_factory=list)
    refused: list[NotDone] = field(default_factory=list)


def act_for(
    *,
    season_id: int,
    act: str,
    stable_ids: Iterable[int],
    user: Any,
    reason: str = "",
    until: datetime | None = None,
    now: datetime | None = None,
) -> Done:
    """Do one of ACTS for each of the stables that the season waits for, and say for which of them it was done.

    EXTEND needs `until`; all acts except REMIND need a reason. REPAIR spends at most half of a stable's Stones, on what
    its next match needs. Call it outside transactions. A season that may not be organised by `user` raises
    PermissionDenied. Raises Malformed (bad_field, reason_missing), SeasonRefused (nobody_chosen) or TooOften
    (too_often); then nothing is done. A single stable is refused with stable_not_awaited, no_match_to_prepare,
    organiser_takes_part, no_repair_needed, nothing_to_field, or a code of the service that does the act.
    """
    if act not in ACTS:
        raise Malformed("bad_field", field="act")
    season = Season.objects.get(pk=season_id)
    if not organises(user, season):
        raise PermissionDenied
    if act != REMIND:
        reason = required(reason)
    if act == EXTEND and until is None:
        raise Malformed("bad_field", field="until")
    chosen = {each.pk: each for each in Stable.objects.filter(season=season, pk__in=set(stable_ids)).order_by("number")}
    if not chosen:
        raise SeasonRefused("nobody_chosen")
    rows = awaited(season, chosen)
    done, now = Done(), now or timezone.now()
    if act == REMIND:
        done.stables += _remind(season, rows, user)
    else:
        acting: dict[str, Callable[[Awaited], None]] = {
            EXTEND: _Extending(until, reason, user, now),
            REPAIR: lambda row: repair_for(row, reason, user),
            LINE_UP_FOR: lambda row: line_up_for(row, reason, user),
        }
        for row in rows:
            _try(done, row, acting[act])
    missed = chosen.keys() - {row.stable.pk for row in rows}
    done.refused += [
        NotDone(chosen[pk], "stable_not_awaited", {"name": chosen[pk].name}) for pk in chosen if pk in missed
    ]
    done.stables.sort(key=lambda stable: stable.number)
    return done


def _try(done: Done, row: Awaited, acting: Callable[[Awaited], None]) -> None:
    try:
        if row.side is None:
            raise SeasonRefused("no_match_to_prepare", name=row.stable.name)
        acting(row)
    except (SeasonRefused, Malformed) as refused:
        done.refused.append(NotDone(row.stable, refused.code, dict(refused.parameters)))
    else:
        if row.stable not in done.stables:
            done.stables.append(row.stable)


# Reminding ------------------------------------------------------------------------------------------------------------


@transaction.atomic
def _remind(season: Season, rows: Iterable[Awaited], user: Any) -> list[Stable]:
    """Send each owner and stand-in a notice of what the season waits for, log it in one line, and return the stables.

    Raises TooOften (too_often).
    """
    rows = list(rows)
    if not rows:
        return []
    season = lock_season(season.pk)
    count_attempt(REMINDERS_OF_A_SEASON, f"{season.pk}")
    market = season.cycles.latest("number")
    for row in rows:
        assert row.stable.owner is not None
        values: dict[str, Any]
        if row.side is None:
            values = {"season": season.name, "cycle": market.number, "due": stored(market.market_closes_at)}
            address = reverse("stables:stable", args=[season.slug, row.stable.slug])
        else:
            fixture = row.side.fixture
            fixture.round.cycle.season = season
            values = {"season": season.name, **place_of(fixture, sides_with_owners(fixture)), **terms_of(fixture)}
            due = fixture.line_ups_due_at if row.what == LINE_UP else fixture.scheduled_at or fixture.play_due_at
            values["due"] = stored(due)
            address = reverse("stables:fixture", args=[season.slug, fixture.pk])
        asked = People([row.stable.owner], []) if row.side is None else people_at([row.side])
        tell_people(asked, REMINDERS[row.what], values, address)
    stables = sorted({row.stable for row in rows}, key=lambda stable: stable.number)
    record(season, "stable_reminded", {"stables": [each.name for each in stables]}, actor=user)
    return stables


# One stable -----------------------------------------------------------------------------------------------------------


@dataclass
class _Extending:
    """Gives the matches of absent stables time until a moment: the first absent stable of a match is excused."""

    until: datetime | None
    reason: str
    user: Any
    now: datetime
    fixtures: set[int] = field(default_factory=set)

    def __call__(self, row: Awaited) -> None:
        assert row.side is not None
        if row.side.fixture_id in self.fixtures:
            return
        excuse(
            fixture_id=row.side.fixture_id,
            stable_id=row.stable.pk,
            until=self.until,
            reason=self.reason,
            user=self.user,
            now=self.now,
        )
        self.fixtures.add(row.side.fixture_id)


def repair_for(row: Awaited, reason: str, user: Any) -> None:
    """Let the AI repair what an absent stable needs for its match, for half of its Stones at most, and tell its owner.

    Call it outside transactions. Raises PermissionDenied or SeasonRefused (season_not_running, stable_has_left,
    organiser_takes_part, no_repair_needed, spending_limit_reached).
    """
    assert row.side is not None
    with transaction.atomic():
        season, stable = managed(row.stable.pk, user, "manage_stable", "season_not_running")

    def mend(found: owners.Preparation, keys: list[str]) -> int:
        if keys:
            # An allowance hides a part of the capital.
            before = Stable.objects.values_list("capital", flat=True).get(pk=stable.pk)
            owners.REPAIRING.carry_out(found, keys)
            facts = {"season": season.name, "stable": stable.name, "reason": reason}
            record(season, "stable_repaired", facts, actor=user)
            paid = before - Stable.objects.values_list("capital", flat=True).get(pk=stable.pk)
            told = {**facts, "count": len(keys), "price": paid}
            notify([stable.owner] if stable.owner is not None else [], "stable_repaired", told, _garage(season, stable))
        return len(keys)

    look = owners.preparation_of(stable.pk, row.side.fixture_id, lambda locked: None)
    with allowing(Allowance(stable.pk, stable.capital // 2, {})):
        if not settle(Decision(owners.REPAIRING.query, mend), look(False), look):
            raise SeasonRefused("no_repair_needed", name=stable.name)


@transaction.atomic
def line_up_for(row: Awaited, reason: str, user: Any) -> None:
    """Hand in the saved or nearest legal line-up of an absent stable, which the organiser does not see; tell its owner.

    A stable that can field nothing does not forfeit by this. Raises PermissionDenied or SeasonRefused
    (season_not_running, stable_has_left, organiser_takes_part, line_up_sealed, line_up_too_early, nothing_to_field).
    """
    assert row.side is not None
    season, stable = managed(row.stable.pk, user, "manage_stable", "season_not_running")
    sealed = submit_nearest_legal(stable_id=stable.pk, fixture_id=row.side.fixture_id)
    if sealed.forfeits or not LineUp.objects.filter(side=row.side).exists():
        raise SeasonRefused("nothing_to_field", name=stable.name)
    fixture = row.side.fixture
    place = place_of(fixture, sides_with_owners(fixture))
    facts = {"season": season.name, **place, "stable": stable.name, "reason": reason}
    record(season, "stable_lined_up", facts, cycle=fixture.round.cycle, fixture=fixture, actor=user)
    if stable.owner is not None:
        address = reverse("stables:fixture", args=[season.slug, fixture.pk])
        notify([stable.owner], "stable_lined_up", facts, address)


def _garage(season: Season, stable: Stable) -> str:
    return reverse("stables:garage", args=[season.slug, stable.slug])
