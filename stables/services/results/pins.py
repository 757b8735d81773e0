"""PINs at the table: four digits with which a player confirms one match on a rival's phone, and nothing else."""

from __future__ import annotations

import re
import secrets
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.db.models import F
from django.utils import timezone
from django.utils.crypto import constant_time_compare, salted_hmac

from rules.core.refusals import Malformed, SeasonRefused
from stables.models import Fixture, FixtureSide, Season, TablePin
from stables.selectors.fixtures import sides_with_owners
from stables.selectors.seating import People
from stables.selectors.table_pins import at_open_tables, sides_with_owner, tries_left
from stables.services.base.log import record
from stables.services.base.news import place_of, tell_people
from stables.services.results import reports, tabletop
from stables.services.results.rulings import office_of, require_office, takes_part
from stables.services.results.settlement import lock_played_in

DIGITS = 4
TRIES = 5
"""The tries of a PIN: whoever guesses hits one in two thousand times."""

_FORM = re.compile(rf"[0-9]{{{DIGITS}}}")


@dataclass(frozen=True)
class MadePin:
    """A PIN to show once. Its text is stored nowhere."""

    side_id: int
    stable: str
    match: str
    pin: str


@transaction.atomic
def make_pin(*, fixture_id: int, stable_id: int, user: Any, now: datetime | None = None) -> MadePin:
    """Make the PIN of a side, in place of an older one. Owner or stand-in make their own, an office-holder anybody's.

    Only an office-holder replaces a PIN whose tries are used up. The log says that a PIN was made, and the owner gets
    a notice when somebody else made it.

    Raises PermissionDenied for others, SeasonRefused (fixture_settled, report_too_early, report_not_at_table,
    report_not_yours, referee_takes_part, table_pin_locked).
    """
    _, fixture = lock_played_in(fixture_id)
    side = _side(fixture, stable_id)
    player, is_own = side.player, side.is_played_by(user)
    if not is_own:
        require_office(user, fixture)
    tabletop.require_open(fixture)
    if player is None or side.forfeits:
        raise SeasonRefused("report_not_yours")
    known = TablePin.objects.select_for_update().filter(side=side).first()
    if is_own and known is not None and not known.tries_left:
        raise SeasonRefused("table_pin_locked", name=side.stable.name)
    pin = f"{secrets.randbelow(10**DIGITS):0{DIGITS}d}"
    made = {"pin_hash": _hash(side, pin), "tries_left": TRIES, "made_by": user, "made_at": now or timezone.now()}
    TablePin.objects.update_or_create(side=side, defaults=made)
    season = fixture.round.cycle.season
    facts = {**place_of(fixture, sides_with_owners(fixture)), "stable": side.stable.name}
    record(season, "table_pin_made", facts, cycle=fixture.round.cycle, fixture=fixture, actor=user)
    if not is_own:
        values, instead_of = {"season": season.name, **facts}, ["table_pin_made"]
        tell_people(_player(side), "table_pin_made", values, fixture.get_absolute_url(), instead_of=instead_of)
    names = fixture.sides.order_by("id").values_list("stable__name", flat=True)
    return MadePin(side.pk, side.stable.name, " – ".join(names), pin)


@transaction.atomic
def make_missing_pins(*, season_id: int, user: Any, now: datetime | None = None) -> list[MadePin]:
    """Make the PINs of the open matches at tables for all sides without one that can be used, to print.

    A PIN that can be used stays as it is. Matches in which `user` takes part are left out. In the order of the matches.
    Raises PermissionDenied for a person without an office.
    """
    season = Season.objects.get(pk=season_id)
    if not office_of(user, season):
        raise PermissionDenied
    made = []
    for fixture in at_open_tables(season).order_by("pk"):
        if takes_part(user, fixture):
            continue
        sides = sides_with_owner(fixture)
        usable = tries_left(sides)
        without = [side for side in sides if not usable.get(side.pk)]
        made += [make_pin(fixture_id=fixture.pk, stable_id=side.stable_id, user=user, now=now) for side in without]
    return made


def confirm_by_pin(
    *, fixture_id: int, stable_id: int, report_id: int, pin: str, now: datetime | None = None
) -> reports.Filed:
    """Confirm a report for a stable by the PIN of its side, as `confirm_report` does for its owner.

    Each wrong PIN uses one try, which stays used although the call is refused. So call it outside a transaction. The
    owner gets a notice, and the log says that a PIN confirmed.

    Raises PermissionDenied (no such side), Malformed (bad_field for anything but four digits, which uses no try),
    SeasonRefused (table_no_pin, table_pin_locked, table_wrong_pin, and those of `confirm_report`).
    """
    pin = pin.strip()
    if not _FORM.fullmatch(pin):
        raise Malformed("bad_field", field="pin")
    fixture = Fixture.objects.select_related("round__cycle__season").get(pk=fixture_id)
    side = _side(fixture, stable_id)
    tabletop.require_open(fixture)
    _spend_try(side, pin)
    with transaction.atomic():
        filed = reports.confirm_report(
            fixture_id=fixture_id, stable_id=stable_id, report_id=report_id, user=side.player, now=now
        )
        season = fixture.round.cycle.season
        facts = {**place_of(fixture, sides_with_owners(fixture)), "stable": side.stable.name}
        record(season, "table_pin_confirmed", facts, cycle=fixture.round.cycle, fixture=fixture)
        if side.player is not None:
            about = {"season": season.name, **facts}
            tell_people(_player(side), "table_pin_confirmed", about, fixture.get_absolute_url())
    return filed


def _player(side: FixtureSide) -> People:
    """Return who plays a side in person."""
    return People([], [side.stand_in]) if side.stand_in_id is not None else People([side.stable.owner], [])


def _spend_try(side: FixtureSide, pin: str) -> None:
    """Use one try of a side's PIN, and give it back for the right PIN.

    The try is taken before anything is compared, in one statement, so that five tries stay five however many guesses
    come at the same moment. Raises SeasonRefused (table_no_pin, table_pin_locked, table_wrong_pin).
    """
    name = side.stable.name
    pins = TablePin.objects.filter(side=side)
    if not pins.filter(tries_left__gt=0).update(tries_left=F("tries_left") - 1):
        raise SeasonRefused("table_pin_locked" if pins.exists() else "table_no_pin", name=name)
    known = pins.get()
    if not constant_time_compare(known.pin_hash, _hash(side, pin)):
        raise SeasonRefused("table_wrong_pin", name=name, left=known.tries_left)
    # A PIN that was replaced meanwhile keeps the tries of the new one.
    pins.filter(pin_hash=known.pin_hash, tries_left__lt=TRIES).update(tries_left=F("tries_left") + 1)


def _side(fixture: Fixture, stable_id: int) -> FixtureSide:
    side = (
        FixtureSide.objects.select_related("stable__owner", "stand_in")
        .filter(fixture=fixture, stable=stable_id)
        .first()
    )
    if side is None:
        raise PermissionDenied
    return side


def _hash(side: FixtureSide, pin: str) -> str:
    """Return the hash of a PIN, for this side and its owner and stand-in of today alone.

    Four digits are tried out in no time, so the hash is keyed by the site's secret, which no copy of the database has.
    """
    people = f"{side.stable.owner_id}" + (f":{side.stand_in_id}" if side.stand_in_id is not None else "")
    text = f"{side.pk}:{people}:{pin}"
    return salted_hmac("stables.table_pin", text, algorithm="sha256").hexdigest()
