"""The ledger: once, never negative, never changed, and folded again."""

from __future__ import annotations

import io
from typing import Any

import pytest
from django.core.management import call_command
from django.db import DatabaseError, IntegrityError, connection, transaction

from rules.core.refusals import SeasonRefused
from stables.models import LedgerEntry, Season, Stable
from stables.services.base.ledger import Movement, post, refold
from web.append_only import WrittenOnce

pytestmark = pytest.mark.database


def test_a_key_posts_once(stable: Stable) -> None:
    movement = Movement(-100, "test", "once")
    assert post(stable_id=stable.pk, movements=[movement]).capital == 900
    again = post(stable_id=stable.pk, movements=[movement])
    assert (again.posted, again.capital) == ((), 900)


def test_several_movements_stand_or_fall_together(stable: Stable) -> None:
    with pytest.raises(SeasonRefused):
        post(stable_id=stable.pk, movements=[Movement(-900, "a", "a"), Movement(-200, "b", "b")])
    stable.refresh_from_db()
    assert (stable.capital, stable.ledger.count()) == (1000, 1)
    post(stable_id=stable.pk, movements=[Movement(-900, "a", "a"), Movement(50, "b", "b"), Movement(-150, "c", "c")])
    assert [entry.balance_after for entry in stable.ledger.all()] == [1000, 100, 150, 0]


def test_what_is_owed_is_withheld_from_credits(stable: Stable) -> None:
    Stable.objects.filter(pk=stable.pk).update(owed=120)
    assert post(stable_id=stable.pk, movements=[Movement(100, "purse", "p1")]).capital == 1000
    assert post(stable_id=stable.pk, movements=[Movement(100, "purse", "p2")]).capital == 1080
    stable.refresh_from_db()
    assert (stable.owed, stable.capital) == (0, 1080)
    assert refold() == []


@pytest.mark.parametrize("balance", [-1, -1000])
def test_the_database_refuses_a_negative_balance(stable: Stable, balance: int) -> None:
    with pytest.raises(IntegrityError), transaction.atomic():
        LedgerEntry.objects.create(
            stable=stable,
            sequence=2,
            amount=balance - 1000,
            balance_after=balance,
            cause="test",
            idempotency_key="negative",
        )
    with pytest.raises(IntegrityError), transaction.atomic():
        Stable.objects.filter(pk=stable.pk).update(capital=balance)


def test_entries_are_never_changed_or_removed(stable: Stable) -> None:
    entry = stable.ledger.get()
    entry.amount = 5000
    for call in (
        entry.save,
        entry.delete,
        LedgerEntry.objects.all().delete,
        lambda: LedgerEntry.objects.update(amount=5),
    ):
        with pytest.raises(WrittenOnce):
            call()
    with pytest.raises(DatabaseError), transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("UPDATE stables_ledgerentry SET amount = 5000, balance_after = 5000")
    assert LedgerEntry.objects.get(pk=entry.pk).amount == 1000


def test_check_ledger_finds_a_tampered_capital(season: Season, stable: Stable) -> None:
    output = io.StringIO()
    call_command("check_ledger", stdout=output)
    call_command("check_ledger", season=season.pk, stdout=output)
    Stable.objects.filter(pk=stable.pk).update(capital=999)
    with pytest.raises(SystemExit) as caught:
        call_command("check_ledger", stdout=output)
    assert caught.value.code == 1
    assert "Ash" in output.getvalue()
    call_command("check_ledger", season=season.pk + 1, stdout=output)


def test_check_ledger_finds_a_missing_entry(stable: Stable, season: Season) -> None:
    for number in (1, 2):
        post(stable_id=stable.pk, movements=[Movement(-10, "test", f"t{number}")])
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
            cursor.execute("ALTER TABLE stables_ledgerentry DISABLE TRIGGER USER")
        cursor.execute("DELETE FROM stables_ledgerentry WHERE sequence = 2")
    assert {difference.field for difference in refold(season_id=season.pk)} == {"sequence", "balance_after", "capital"}


@pytest.mark.parametrize("movements", [1, 6])
def test_posting_takes_the_same_queries_however_many_movements(
    stable: Stable, movements: int, django_assert_max_num_queries: Any
) -> None:
    with django_assert_max_num_queries(7):
        post(stable_id=stable.pk, movements=[Movement(-1, "test", f"t{number}") for number in range(movements)])
