"""The news of deadlines that move together, behind days off or by a pause: a line and a notice for each of them."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from typing import Any

from people.services.accounts import notify_newest
from rules.campaign.states import UNDECIDED
from stables.models import Cycle, Fixture, NoShowClaim, Round, Season, SuddenDeath
from stables.selectors.fixtures import sides_with_owners
from stables.selectors.seating import people_at
from stables.services.base import deadlines
from stables.services.base.log import record
from stables.services.base.news import place_of, stored, tell_people
from stables.services.season.calendar import DEADLINE_NAMES, ROUND_FIELDS, address_of, owners_of

NAME_OF = {
    **{field: name for name, field in ROUND_FIELDS.items()},
    "market_closes_at": deadlines.MARKET,
    "excused_until": "play",
    "closes_at": "closing",
    "due_at": "sudden_death",
}
"""Field -> the deadline as stables.text.parameters words it. A match's own time to confirm is the end of a silence."""


def tell_moved(season: Season, moved: Iterable[deadlines.Moved], actor: Any = None) -> None:
    """Log each deadline that has moved, from when to when, and notify those whom it concerns.

    A deadline of the season concerns all its owners, one of a match the people of that match. The new date of a claim
    is the date of its match and is said once; that of an ended claim is not said, and neither is a time that stays the
    same to the minute, as after a pause of seconds. One query for the owners and one for
    each match, apart from those of lines and notices.
    """
    owners = owners_of(season)
    for each in moved:
        if _minute(each.before) == _minute(each.after):
            continue
        row, times = each.row, {"date": stored(each.after), "earlier": stored(each.before)}
        if isinstance(row, NoShowClaim) and (row.state not in UNDECIDED or row.fixture.scheduled_at == each.before):
            continue
        if isinstance(row, (Fixture, NoShowClaim)):
            _tell_of_match(season, each, times, actor)
            continue
        facts: dict[str, Any] = {"deadline": NAME_OF[each.field], **times}
        cycle = None
        if isinstance(row, Cycle):
            cycle = row
        elif isinstance(row, Round):
            cycle = row.cycle
            facts["round"] = row.number
        elif isinstance(row, SuddenDeath):
            facts["title"] = row.kind
        if cycle is not None:
            facts["cycle"] = cycle.number
        record(season, "deadline_moved", facts, cycle=cycle, actor=actor)
        same = [name for name in DEADLINE_NAMES if name in facts]
        notify_newest(
            owners, "deadline_moved", {"season": season.name, **facts}, address_of(season),
            instead_of=["deadline_moved"], same=same,
        )  # fmt: skip


def _minute(moment: datetime) -> datetime:
    return moment.replace(second=0, microsecond=0)


def _tell_of_match(season: Season, moved: deadlines.Moved, times: dict[str, Any], actor: Any) -> None:
    fixture = moved.row if isinstance(moved.row, Fixture) else moved.row.fixture
    is_date = moved.field in ("scheduled_at", "new_date")
    code = "fixture_date_moved" if is_date else "deadline_moved"
    sides = sides_with_owners(fixture)
    facts = {**place_of(fixture, sides), **times}
    if not is_date:
        facts["deadline"] = "silence" if moved.field == "confirm_due_at" else NAME_OF[moved.field]
    record(season, code, facts, cycle=fixture.round.cycle, fixture=fixture, actor=actor)
    same = () if is_date else ("deadline",)
    values = {"season": season.name, **facts}
    tell_people(people_at(sides), code, values, fixture.get_absolute_url(), instead_of=[code], same=same)
