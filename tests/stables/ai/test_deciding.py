"""Owners decide without a lock, on facts that must still hold when it is carried out."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from jobs.services import enqueue, run_pending
from rules.bots.budget import Overran
from rules.solaris.building import class_of
from stables.models import Asset, Crew, HandOver, LedgerEntry, Season, Stable
from stables.services.ai import owners
from stables.services.ai.deciding import Decision, OwnerQuery, settle
from stables.services.base.ledger import Movement, post
from stables.services.fixtures import hand_overs
from stables.services.market import trading
from tests.stables.conftest import open_with

pytestmark = [pytest.mark.django_db, pytest.mark.database]

ANSWER, DEFAULT = ["answer"], ["default"]


class World:
    """Facts that change, by themselves, right after the owner has decided."""

    def __init__(self, changes: int = 0) -> None:
        self.facts = 0
        self.changes = changes
        self.asked: list[int] = []
        self.done: list[tuple[int, Any]] = []

    def query(self, facts: int) -> OwnerQuery:
        def decide() -> list[str]:
            self.asked.append(facts)
            if self.changes:
                self.changes -= 1
                self.facts += 1
            return ANSWER

        return OwnerQuery("sales", "Ash", "owner:balanced", "cycle 1", (facts,), decide, list, lambda: DEFAULT)

    def carry_out(self, facts: int, answer: Any) -> bool:
        self.done.append((facts, answer))
        return True

    def settle(self) -> Any:
        return settle(Decision(self.query, self.carry_out), self.facts, lambda is_locked: self.facts)


@pytest.mark.parametrize(
    ("changes", "asked", "done"),
    [(0, [0], (0, ANSWER)), (1, [0, 1], (1, ANSWER)), (2, [0, 1], (2, DEFAULT))],
    ids=["stay", "change", "change again"],
)
def test_an_owner_decides_once_more_where_the_facts_changed_and_then_the_default_stands(
    changes: int, asked: list[int], done: tuple[int, Any]
) -> None:
    world = World(changes)
    assert world.settle() is True
    assert (world.asked, world.done) == (asked, [done])


@pytest.mark.parametrize(("error", "fault"), [(Overran("more"), "overran"), (ValueError("no idea"), "raised")])
def test_what_an_owner_raises_is_reported_and_the_default_carried_out(
    error: Exception, fault: str, caplog: pytest.LogCaptureFixture
) -> None:
    def fails() -> Any:
        raise error

    world = World()
    query = OwnerQuery("sales", "Ash", "owner:balanced", "cycle 1", (), fails, list, lambda: DEFAULT)
    settle(Decision(lambda facts: query, world.carry_out), 0, lambda is_locked: 0)
    assert world.done == [(0, DEFAULT)]
    [line] = caplog.records
    found: Any = line
    assert (found.levelname, found.side, found.decision, found.fault) == ("ERROR", "Ash", "sales", fault)


def test_who_stops_the_process_stops_the_owner_too() -> None:
    def stops() -> Any:
        raise KeyboardInterrupt

    query = OwnerQuery("sales", "Ash", "owner:balanced", "cycle 1", (), stops, list, list)
    with pytest.raises(KeyboardInterrupt):
        settle(Decision(lambda facts: query, World().carry_out), 0, lambda is_locked: 0)


@pytest.fixture
def before_market(release: Any) -> Season:
    """A season whose first market waits for its job."""
    season = open_with(release, ["Ash", "Birch"])
    Season.objects.filter(pk=season.pk).update(state=Season.State.RUNNING)
    enqueue("stables.start_cycle", {"cycle": season.cycles.get().pk})
    return season


@pytest.fixture
def before_round(before_market: Season) -> Season:
    """A season whose first round waits for its job; every unit of Ash is hurt, and there are Stones to repair it."""
    run_pending(limit=1)
    Asset.objects.filter(stable__name="Ash", kind="unit").update(damage=3)
    enrich("before")
    return before_market


def ash() -> Stable:
    return Stable.objects.get(name="Ash")


def enrich(key: str = "windfall") -> None:
    post(stable_id=ash().pk, movements=[Movement(90, "correction", key)])


def give_a_unit() -> None:
    stable = ash()
    useful = [unit for unit in trading.for_sale(stable, "unit") if class_of(unit) == "light"]
    dearest = max(useful, key=lambda unit: (int(unit["points"]), str(unit["id"])))
    trading.buy(stable_id=stable.pk, kind="unit", key=str(dearest["id"]))


def take_the_fielded() -> None:
    """Lose the best unit of each stable: whoever is asked first, it is theirs too."""
    for stable in Stable.objects.all():
        first = Asset.objects.filter(stable=stable, kind="unit").order_by("id")[0]
        Asset.objects.filter(pk=first.pk).update(is_eliminated=True)


@pytest.mark.parametrize(
    ("begins", "chooser", "change", "times"),
    [
        ("before_market", "choose_basket", enrich, 3),
        ("before_market", "choose_basket", give_a_unit, 3),
        # Birch has nothing to repair.
        ("before_round", "choose_repairs", enrich, 2),
        ("before_round", "choose_line_up", take_the_fielded, 3),
    ],
)
def test_a_job_whose_facts_change_while_an_owner_decides_ends_as_if_they_had_changed_before(
    request: Any, monkeypatch: pytest.MonkeyPatch, begins: str, chooser: str, change: Callable[[], None], times: int
) -> None:
    request.getfixturevalue(begins)
    kept, asked = getattr(owners, chooser), []

    def deciding(*arguments: Any) -> Any:
        answer = kept(*arguments)
        asked.append(answer)
        if len(asked) == 1:
            change()
        return answer

    monkeypatch.setattr(owners, chooser, deciding)
    run_pending(limit=1)
    assert len(asked) == times
    assert ash().capital == sum(LedgerEntry.objects.filter(stable=ash()).values_list("amount", flat=True))
    if chooser == "choose_line_up":
        fielded = Crew.objects.filter(line_up__side__stable=ash())
        assert not fielded.filter(unit__is_eliminated=True).exists()


def test_who_takes_their_stable_back_while_the_ai_decides_keeps_their_stones(
    before_market: Season, monkeypatch: pytest.MonkeyPatch, django_user_model: Any
) -> None:
    owner = django_user_model.objects.create_user("ada", "ada@example.org", "-")
    Stable.objects.filter(pk=ash().pk).update(is_ai=False, owner=owner)
    cycle = before_market.cycles.get()
    now = timezone.now()
    made = hand_overs.hand_over(
        stable_id=ash().pk, starts_at=now, ends_at=now + timedelta(days=2), scope=HandOver.Scope.EVERYTHING, now=now
    )
    kept = owners.choose_basket

    def deciding(*arguments: Any) -> Any:
        hand_overs.take_back(stable_id=ash().pk, hand_over_id=made.hand_over_id, now=now)
        return kept(*arguments)

    monkeypatch.setattr(owners, "choose_basket", deciding)
    assert hand_overs.shop(stable_id=ash().pk, cycle_id=cycle.pk, now=now) == []
    assert not Asset.objects.filter(stable=ash()).exists()
