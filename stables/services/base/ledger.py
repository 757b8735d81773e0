"""The only writer of a stable's capital: it locks the stable's row, checks, posts entries, and recomputes the sum."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import Any

from django.db import transaction
from django.db.models import Max, QuerySet, Sum

from rules.core.refusals import SeasonRefused
from stables.models import LedgerEntry, Stable


@dataclass(frozen=True)
class Movement:
    """Stones to post: credits are positive. A movement whose key was posted before is not posted again."""

    amount: int
    cause: str
    idempotency_key: str
    parameters: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Posting:
    """The outcome of posting: the sequence numbers of the entries written now, and the capital afterwards.

    `posted` is empty if nothing was new.
    """

    posted: tuple[int, ...]
    capital: int


@dataclass
class Allowance:
    """The Stones that may still be spent for a stable's absent owner: `left`, None without a limit.

    `mark` is added to the parameters of each entry.
    """

    stable_id: int
    left: int | None
    mark: dict[str, Any]


_allowance: ContextVar[Allowance | None] = ContextVar("allowance", default=None)


@contextmanager
def allowing(allowance: Allowance) -> Iterator[None]:
    """Limit the capital that code inside the block sees and spends for the stable to the allowance."""
    token = _allowance.set(allowance)
    try:
        yield
    finally:
        _allowance.reset(token)


def _allowed(stable_id: int) -> Allowance | None:
    allowance = _allowance.get()
    return allowance if allowance is not None and allowance.stable_id == stable_id else None


def lock_stable(stable_id: int) -> Stable:
    """Return the stable with its season and the season's release, its row locked until the transaction ends.

    Under an allowance the `capital` of the returned object is at most what may still be spent. Raises SeasonRefused
    (stable_removed) or Stable.DoesNotExist.
    """
    return _as_allowed(_locked(), stable_id)


def look_at_stable(stable_id: int) -> Stable:
    """Return the stable with its season and the season's release, without a lock.

    An allowance limits its `capital` as in `lock_stable`. Raises SeasonRefused (stable_removed) or Stable.DoesNotExist.
    """
    return _as_allowed(Stable.objects.all(), stable_id)


def _as_allowed(stables: QuerySet[Stable], stable_id: int) -> Stable:
    # Without an order, which takes Django longer than the query.
    stable = next(iter(stables.select_related("season__release").filter(pk=stable_id).order_by()), None)
    if stable is None:
        # An organiser may have removed it since the request began.
        raise SeasonRefused("stable_removed", name=Stable.every.get(pk=stable_id).name)
    allowance = _allowed(stable_id)
    if allowance is not None and allowance.left is not None:
        stable.capital = min(stable.capital, allowance.left)
    return stable


def _locked() -> QuerySet[Stable]:
    return Stable.objects.select_for_update(of=("self",))


def post(*, stable_id: int, movements: Sequence[Movement]) -> Posting:
    """Post movements in order, each once, and recompute the stable's capital from all entries.

    Movements of 0 Stones are left out. A debt is withheld from credits, as an entry of its own. The number of queries
    does not depend on the number of movements. Nothing is posted if a balance would fall below 0, or if more would be
    spent than an allowance permits. Raises SeasonRefused (capital_too_small, spending_limit_reached).
    """
    with transaction.atomic():
        stable = _locked().get(pk=stable_id)
        keys = [movement.idempotency_key for movement in movements]
        done = set(LedgerEntry.objects.filter(idempotency_key__in=keys).values_list("idempotency_key", flat=True))
        fresh = [movement for movement in movements if movement.idempotency_key not in done and movement.amount]
        if not fresh:
            return Posting((), stable.capital)
        allowance = _allowed(stable_id)
        spent = -sum(min(movement.amount, 0) for movement in fresh)
        if allowance is not None and allowance.left is not None and spent > allowance.left:
            raise SeasonRefused("spending_limit_reached", left=allowance.left)
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
                    parameters=movement.parameters if allowance is None else movement.parameters | allowance.mark,
                    idempotency_key=movement.idempotency_key,
                )
            )
        LedgerEntry.objects.bulk_create(entries)
        stable.capital = balance
        stable.save(update_fields=["capital", "owed"])
        if allowance is not None and allowance.left is not None:
            # Only now: a refused posting has spent nothing.
            allowance.left -= spent
        return Posting(tuple(entry.sequence for entry in entries), balance)


def _with_withholdings(stable: Stable, movements: Sequence[Movement]) -> list[Movement]:
    """Return the movements with a withholding after each credit, and lower the stable's debt by it."""
    result = []
    for movement in movements:
        result.append(movement)
        withheld = withheld_of(stable, movement.amount)
        if withheld:
            stable.owed -= withheld
            result.append(
                Movement(-withheld, "withheld", f"{movement.idempotency_key}:withheld", {"of": movement.cause})
            )
    return result


def withheld_of(stable: Stable, amount: int) -> int:
    """Return how many Stones of a movement are withheld for the stable's debt. No query."""
    return min(stable.owed, max(amount, 0))


@dataclass(frozen=True)
class Difference:
    """A place where the books do not agree: `field` is "sequence", "balance_after" or "capital".

    `sequence` is the number of the entry, 0 for the capital. `stored` is the value in the books, and `folded` the one
    that follows from the entries.
    """

    stable_id: int
    stable: str
    sequence: int
    field: str
    stored: int
    folded: int


def refold(*, season_id: int | None = None) -> list[Difference]:
    """Recompute the books of a season (None: of all) from their entries, and return the differences, none if all agree.

    Stables that were removed count too. Two queries.
    """
    stables = Stable.every.order_by("season_id", "number")
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
