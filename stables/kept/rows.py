"""What seasons and collections keep about a person, as rows for the file of their data. None reads a secret."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from django.db.models import Q

from catalogue.models import ImportDraft, MiniaturePhoto, ShelfUnit
from people.models import User
from stables.models import (
    Basket,
    CalendarFeed,
    Coming,
    ComingQuestion,
    Correction,
    ExternalSeat,
    FixtureSide,
    LogEntry,
    NoShowClaim,
    Passing,
    Proposal,
    Report,
    Ruling,
    SavedLineUp,
    Season,
    SeasonRole,
    Stable,
    StableIdentity,
    StandIn,
    TableMark,
    WaitingPlace,
    Webhook,
)
from stables.text.reasons import told_reason


def organised(user: User) -> Iterable[Any]:
    """Yield the names of the seasons that the person organises, the newest first."""
    yield from Season.objects.filter(organiser=user).order_by("-pk").values_list("name", flat=True).iterator()


def roles(user: User) -> Iterable[Any]:
    """Return their offices, the newest first."""
    return _of(SeasonRole.objects.filter(user=user), {"season": "season__name", "role": "role"})


def stables(user: User) -> Iterable[Any]:
    """Yield their stables with books and assets, the newest first."""
    stables = Stable.objects.filter(owner=user).select_related("season").defer("season__secret").order_by("-pk")
    for stable in stables.prefetch_related("ledger", "assets", "hand_overs", "skipped"):
        yield {
            "season": stable.season.name,
            "name": stable.name,
            "capital": stable.capital,
            "founded": stable.founded_at,
            "left_in_cycle": stable.left_in_cycle,
            "skipped_cycles": [each.cycle_number for each in stable.skipped.all()],
            "repair_priority": stable.repair_priority,
            "assets": [
                {"kind": each.kind, "key": each.catalogue_key, "name": each.label, "price_paid": each.price_paid}
                for each in stable.assets.all()
            ],
            "ledger": [
                {"number": each.sequence, "amount": each.amount, "balance": each.balance_after, "cause": each.cause}
                for each in stable.ledger.all()
            ],
            "hand_overs": [
                {"scope": each.scope, "from": each.starts_at, "to": each.ends_at} for each in stable.hand_overs.all()
            ],
        }


def _of(found: Any, fields: Mapping[str, str]) -> Iterable[dict[str, Any]]:
    """Yield rows of a query set, the newest first; `fields` maps names in the file to fields of the model.

    A `reason` comes in words.
    """
    for values in found.order_by("-pk").values_list(*fields.values()).iterator():
        row = dict(zip(fields, values, strict=True))
        yield {**row, "reason": told_reason(row["reason"])} if "reason" in row else row


def identities(user: User) -> Iterable[Any]:
    """Return the identities of their stables, the newest first."""
    names = ("name", "colour", "second_colour", "emblem", "created_at")
    return _of(StableIdentity.objects.filter(owner=user), dict(zip(names, names, strict=True)))


def plans(user: User) -> Iterable[Any]:
    """Yield their saved line-ups, baskets, and line-ups taken back, the newest first."""
    saved = {"stable": "stable__name", "class": "match_class", "format": "format", "line_up": "document"}
    yield from _of(SavedLineUp.objects.filter(stable__owner=user), saved)
    basket = {"stable": "stable__name", "cycle": "cycle__number", "basket": "lines", "sealed": "sealed_at"}
    yield from _of(Basket.objects.filter(stable__owner=user), basket)
    taken_back = {"stable": "stable__name", "fixture": "fixture_id", "line_up_taken_back": "taken_back"}
    yield from _of(FixtureSide.objects.filter(stable__owner=user, taken_back__isnull=False), taken_back)


def seats(user: User) -> Iterable[Any]:
    """Return the open seats of their program, the newest first."""
    seats = ExternalSeat.objects.filter(user=user, ended_at=None)
    return _of(seats, {"stable": "stable__name", "season": "stable__season__name", "since": "proposed_at"})


def waiting(user: User) -> Iterable[Any]:
    """Return their places on waiting lists, the newest first."""
    fields = {"season": "season__name", "since": "created_at", "offered_until": "offered_until"}
    return _of(WaitingPlace.objects.filter(user=user), fields)


def passed(user: User) -> Iterable[Any]:
    """Return the passings of stables that they made, or that took or gave them a stable, the newest first."""
    own = Passing.objects.filter(Q(old_owner=user) | Q(new_owner=user) | Q(made_by=user))
    fields = {"stable": "stable__name", "season": "stable__season__name", "reason": "reason", "at": "passed_at"}
    return _of(own, fields | {"made": "created_at"})


def coming(user: User) -> Iterable[Any]:
    """Yield their questions who comes, and their answers, the newest first."""
    asked = {"season": "season__name", "evening": "at", "asked": "created_at"}
    yield from _of(ComingQuestion.objects.filter(asked_by=user), asked)
    answers = {"stable": "stable__name", "evening": "question__at", "comes": "is_coming", "answered": "answered_at"}
    yield from _of(Coming.objects.filter(stable__owner=user), answers)


def stand_ins(user: User) -> Iterable[Any]:
    """Yield where they stand in, or somebody stands in for a stable of theirs, the newest first."""
    of_theirs = Q(user=user) | Q(made_by=user) | Q(stable__owner=user)
    fields = {"stable": "stable__name", "season": "stable__season__name", "fixture": "fixture_id", "until": "until"}
    fields |= {"is_you": "user_id", "reason": "reason", "made": "created_at", "ended": "ended_at"}
    for row in _of(StandIn.objects.filter(of_theirs), fields):
        yield {**row, "is_you": row["is_you"] == user.pk}


def dates(user: User) -> Iterable[Any]:
    """Yield their proposals, and their claims that somebody did not come, the newest first."""
    proposals = {"fixture": "fixture_id", "stable": "stable__name", "date": "at", "mode": "mode", "state": "state"}
    yield from _of(Proposal.objects.filter(stable__owner=user), proposals | {"made": "created_at"})
    claims = {"fixture": "fixture_id", "claimed_by": "claimant__name", "state": "state", "made": "created_at"}
    yield from _of(NoShowClaim.objects.filter(claimant__owner=user), claims)


def at_tables(user: User) -> Iterable[Any]:
    """Yield reports, decisions and corrections by the person, and then what they marked on a phone."""
    fields = {"fixture": "fixture_id", "document": "document", "at": "created_at"}
    yield from _of(Report.objects.filter(user=user), fields | {"stable": "stable__name"})
    yield from _of(Ruling.objects.filter(user=user), fields | {"reason": "reason"})
    corrected = fields | {"fixture": "result__fixture_id", "reason": "reason", "kind": "kind"}
    yield from _of(Correction.objects.filter(user=user), corrected)
    marks = {"fixture": "fixture_id", "side": "side", "mark": "mark", "at": "made_at"}
    yield from _of(TableMark.objects.filter(made_by=user), marks)


def feeds(user: User) -> Iterable[Any]:
    """Return their calendar feeds, without the keys, the newest first."""
    return _of(CalendarFeed.objects.filter(user=user), {"season": "season__name", "made": "created_at"})


def webhooks(user: User) -> Iterable[Any]:
    """Return the webhooks that they made, without address and secret, the newest first."""
    fields = {"season": "season__name", "format": "format", "made": "created_at"}
    return _of(Webhook.objects.filter(made_by=user), fields)


def log(user: User) -> Iterable[Any]:
    """Return what they did in seasons, the newest first."""
    fields = {"season": "season__name", "code": "code", "parameters": "parameters", "at": "created_at"}
    return _of(LogEntry.objects.filter(actor=user), fields)


def collections(user: User) -> Iterable[Any]:
    """Return their collections, the newest first."""
    names = ("name", "slug", "audience", "created_at")
    return _of(user.collections, dict(zip(names, names, strict=True)))


def imports(user: User) -> Iterable[Any]:
    """Return their imports, the newest first."""
    fields = {"file": "file", "collection": "collection__name", "state": "state", "made": "created_at"}
    return _of(ImportDraft.objects.filter(user=user), fields)


def shelf(user: User) -> Iterable[Any]:
    """Yield the ids of the units on their shelf."""
    yield from ShelfUnit.objects.filter(user=user).order_by("key").values_list("key", flat=True).iterator()


def miniatures(user: User) -> Iterable[Any]:
    """Return the units of which they have a photo, and since when, the newest first."""
    fields = {"unit": "key", "name": "name", "sent": "changed_at"}
    return _of(MiniaturePhoto.objects.filter(user=user), fields)


def photos_of_miniatures(user: User) -> Iterable[tuple[str, bytes]]:
    """Yield these photos, the newest first, each named by the id of its unit."""
    rows = MiniaturePhoto.objects.filter(user=user).order_by("-pk").values_list("key", "photo")
    for key, photo in rows.iterator(chunk_size=10):
        yield f"miniature-{key}.jpg", bytes(photo)
