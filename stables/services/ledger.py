"""The only writer of money: lock the stable's row, check, post, recompute."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from django.db import transaction
from django.db.models import Max, Sum

from rules.core.refusals import SeasonRefused
from stables.models import LedgerEntry, Stable


@dataclass(frozen=True)
class Movement:
    """Stones to post: credits are positive. The key makes it happen once, however often it is posted."""

    amount: int
    cause: str
    idempotency_key: str
    parameters: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Posting:
    """What posting did: the entries written now (none when all were there before) and the capital afterwards."""

    posted: tuple[int, ...]
    capital: int


def lock_stable(stable_id: int) -> Stable:
    """Return the stable with its season, its row locked until the transaction ends. Raises Stable.DoesNotExist."""
    return Stable.objects.select_for_update(of=("self",)).select_related("season").get(pk=stable_id)


def post(*, stable_id: int, movements: Sequence[Movement]) -> Posting:
    """Post movements in order, each once, and recompute the stable's capital from all entries.

    What is owed is withheld from credits, as an entry of its own. A constant number of queries, however many
    movements. Raises SeasonRefused (capital_too_small) when a balance would fall below 0: then nothing is posted.
    """
    with transaction.atomic():
        stable = lock_stable(stable_id)
        keys = [movement.idempotency_key for movement in movements]
        done = set(LedgerEntry.objects.filter(idempotency_key__in=keys).values_list("idempotency_key", flat=True))
        fresh = [movement for movement in movements if movement.idempotency_key not in done and movement.amount]
        if not fresh:
            return Posting((), stable.capital)
        book = LedgerEntry.objects.filter(stable=stable).aggregate(total=Sum("amount"), last=Max("sequence"))
        balance, sequence = book["total"] or 0, book["last"] or 0
        entries = []
        for movement in _with_withholdings(stable, fresh):
            if balance + movement.amount < 0:
                raise SeasonRefused(
                    "capital_too_small",
                    name=movement.parameters.get("name", movement.cause),
                    price=-movement.amount,
                    capital=balance,
                    missing=-movement.amount - balance,
                    rule="R-AST-12",
                )
            balance += movement.amount
            sequence += 1
            entries.append(
                LedgerEntry(
                    stable=stable,
                    sequence=sequence,
                    amount=movement.amount,
                    balance_after=balance,
                    cause=movement.cause,
                    parameters=movement.parameters,
                    idempotency_key=movement.idempotency_key,
                )
            )
        LedgerEntry.objects.bulk_create(entries)
        stable.capital = balance
        stable.save(update_fields=["capital", "owed"])
        return Posting(tuple(entry.sequence for entry in entries), balance)


def _with_withholdings(stable: Stable, movements: Sequence[Movement]) -> list[Movement]:
    """Put after each credit what the stable owes of it, and lower what it owes."""
    result = []
    for movement in movements:
        result.append(movement)
        withheld = min(stable.owed, max(movement.amount, 0))
        if withheld:
            stable.owed -= withheld
            result.append(
                Movement(-withheld, "withheld", f"{movement.idempotency_key}:withheld", {"of": movement.cause})
            )
    return result


@dataclass(frozen=True)
class Difference:
    """A place where the books do not agree: `field` is "sequence", "balance_after" or "capital"."""

    stable_id: int
    stable: str
    sequence: int
    field: str
    stored: int
    folded: int


def refold(*, season_id: int | None = None) -> list[Difference]:
    """Fold every entry again from nothing and compare; empty when all books agree. Two queries."""
    stables = Stable.objects.order_by("season_id", "number")
    entries = LedgerEntry.objects.order_by("stable_id", "sequence")
    if season_id is not None:
        stables = stables.filter(season_id=season_id)
        entries = entries.filter(stable__season_id=season_id)
    books: dict[int, list[LedgerEntry]] = {}
    for entry in entries:
        books.setdefault(entry.stable_id, []).append(entry)
    differences = []
    for stable in stables:
        balance = 0
        for number, entry in enumerate(books.get(stable.pk, ()), 1):
            balance += entry.amount
            for name, stored, folded in (
                ("sequence", entry.sequence, number),
                ("balance_after", entry.balance_after, balance),
            ):
                if stored != folded:
                    differences.append(Difference(stable.pk, stable.name, entry.sequence, name, stored, folded))
        if stable.capital != balance:
            differences.append(Difference(stable.pk, stable.name, 0, "capital", stable.capital, balance))
    return differences
