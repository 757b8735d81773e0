"""Foreseeing what owners will be asked saves work in a season's jobs and changes nothing else.

Not when something changes after it was looked at, nor when it fails, nor when an owner hangs over it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

import pytest
from django.db import transaction

from jobs.models import Job
from jobs.services import enqueue, run_pending
from matches.services.patience import without_clocks
from rules.bots.guard import Overran
from rules.solaris.building import class_of
from stables.models import Asset, Crew, FixtureSide, LedgerEntry, Season, Stable
from stables.services.ai import owners, prefetch
from stables.services.base.ledger import Movement, post
from stables.services.market import trading
from tests.stables.conftest import open_with

pytestmark = [pytest.mark.django_db, pytest.mark.database]

Books = dict[str, list[Any]]


@dataclass
class Asked:
    """Which questions owners were asked, by stable, decision and facts; who hangs at which decision, and how often."""

    questions: list[tuple[str, str, tuple[Any, ...]]] = field(default_factory=list)
    hangs: dict[tuple[str, str], int] = field(default_factory=dict)

    def of(self, stable: str, decision: str) -> list[tuple[Any, ...]]:
        """The facts of each time this was asked."""
        return [facts for name, asked, facts in self.questions if (name, asked) == (stable, decision)]

    def put(self, stable: str, decision: str, facts: tuple[Any, ...]) -> None:
        self.questions.append((stable, decision, facts))
        if self.hangs.get((stable, decision), 0) > 0:
            self.hangs[stable, decision] -= 1
            raise Overran


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> Iterator[Asked]:
    """Owners are noted down when they are asked. There are no clocks: who hangs says so by himself."""
    noted = Asked()
    make = owners._query

    def noting(stable: Stable, occasion: str, decision: str, facts: tuple[Any, ...], *, ask: Any, **how: Any) -> Any:
        def asking() -> Any:
            noted.put(stable.name, decision, facts)
            return ask()

        return make(stable, occasion, decision, facts, ask=asking, **how)

    monkeypatch.setattr(owners, "_query", noting)
    with without_clocks():
        yield noted


@pytest.fixture
def before_market(release: Any) -> Season:
    """A season whose first market waits for its job."""
    season = open_with(release, ["Ash", "Birch"])
    Season.objects.filter(pk=season.pk).update(state=Season.State.RUNNING)
    enqueue("stables.start_cycle", {"cycle": season.cycles.get().pk})
    return season


@pytest.fixture
def before_round(before_market: Season) -> Season:
    """A season whose first round waits for its job, and every unit of Ash is hurt; both stables are broke."""
    run_pending(limit=1)
    for stable in before_market.stables.all():
        post(stable_id=stable.pk, movements=[Movement(-stable.capital, "correction", f"broke:{stable.pk}")])
    Asset.objects.filter(stable__name="Ash", kind="unit").update(damage=3)
    return before_market


def done(job: str) -> Books:
    """What the books hold once the next job was done, which must be of this name. It is taken back."""
    assert Job.objects.filter(state=Job.State.QUEUED).order_by("id")[0].name == job
    point = transaction.savepoint()
    try:
        run_pending(limit=1)
        return books()
    finally:
        transaction.savepoint_rollback(point)


def books() -> Books:
    """All that owners decide about."""
    stables, entries = Stable.objects.order_by("number"), LedgerEntry.objects.order_by("stable__number", "sequence")
    assets = Asset.objects.order_by("stable__number", "kind", "catalogue_key", "serial")
    crews = Crew.objects.order_by("line_up__side__stable__number", "position")
    sides = FixtureSide.objects.order_by("stable__number")
    return {
        "stables": list(stables.values_list("name", "capital", "repair_priority")),
        "ledger": list(entries.values_list("stable__name", "cause", "amount")),
        "assets": list(
            assets.values_list(
                "stable__name", "catalogue_key", "damage", "is_eliminated", "assigned_to__catalogue_key", "side"
            )
        ),
        "crews": list(crews.values_list("line_up__side__stable__name", "unit__catalogue_key", "pilot__catalogue_key")),
        "sides": list(sides.values_list("stable__name", "forfeits", "line_up__tokens")),
    }


def then(monkeypatch: pytest.MonkeyPatch, looks: str, change: Callable[[], None], *, is_foreseen: bool = True) -> None:
    """Let something change right after it was looked at what will be asked; or let the look be for nothing."""
    kept = getattr(prefetch, f"_{looks}")

    def looking(*arguments: Any) -> Any:
        found = kept(*arguments)
        change()
        return found if is_foreseen else {}

    monkeypatch.setattr(prefetch, f"_{looks}", looking)


def ash() -> Stable:
    return Stable.objects.get(name="Ash")


def enrich() -> None:
    post(stable_id=ash().pk, movements=[Movement(90, "correction", "windfall")])


def give_a_unit() -> None:
    stable = ash()
    useful = [unit for unit in trading.for_sale(stable, "unit") if class_of(unit) == "light"]
    dearest = max(useful, key=lambda unit: (int(unit["points"]), str(unit["id"])))
    trading.buy(stable_id=stable.pk, kind="unit", key=str(dearest["id"]))


def take_a_unit() -> None:
    first = Asset.objects.filter(stable=ash(), kind="unit").order_by("id")[0]
    Asset.objects.filter(pk=first.pk).update(is_eliminated=True)


def nothing() -> None:
    pass


GAPS = [
    pytest.param("before_market", "stables.start_cycle", "of_market", enrich, "basket", id="capital, market"),
    pytest.param("before_market", "stables.start_cycle", "of_market", give_a_unit, "basket", id="asset, market"),
    pytest.param("before_round", "stables.pair_round", "of_round", enrich, "repairs", id="capital, round"),
    pytest.param("before_round", "stables.pair_round", "of_round", take_a_unit, "line_up", id="asset, round"),
]


@pytest.mark.parametrize(("begins", "job", "looks", "change", "decision"), GAPS)
def test_what_changes_after_the_look_is_asked_anew(
    request: Any,
    asked: Asked,
    caplog: pytest.LogCaptureFixture,
    begins: str,
    job: str,
    looks: str,
    change: Callable[[], None],
    decision: str,
) -> None:
    request.getfixturevalue(begins)
    unchanged = done(job)
    with pytest.MonkeyPatch.context() as patched:
        then(patched, looks, change, is_foreseen=False)
        asked.questions.clear()
        unforeseen = done(job)
        expected = asked.of("Ash", decision)
    with pytest.MonkeyPatch.context() as patched:
        then(patched, looks, change)
        asked.questions.clear()
        foreseen = done(job)
        found = asked.of("Ash", decision)
    assert foreseen == unforeseen
    assert unforeseen != unchanged, "an answer from before the change would have shown"
    assert found[1:] == expected
    assert found[0] not in expected, "it was asked beforehand, with the facts from before"
    assert not [line for line in caplog.records if line.name == "stables.owners"]


@pytest.mark.parametrize(
    ("begins", "job", "looks"),
    [("before_market", "stables.start_cycle", "of_market"), ("before_round", "stables.pair_round", "of_round")],
)
def test_what_stays_as_it_was_is_asked_once(request: Any, asked: Asked, begins: str, job: str, looks: str) -> None:
    season = request.getfixturevalue(begins)
    if begins == "before_round":
        enrich()
    asked.questions.clear()
    foreseen = done(job)
    found = list(asked.questions)
    assert {name for name, _, _ in found} == {stable.name for stable in season.stables.all()}
    assert set(Counter(map(repr, found)).values()) == {1}
    with pytest.MonkeyPatch.context() as patched:
        then(patched, looks, nothing, is_foreseen=False)
        asked.questions.clear()
        assert done(job) == foreseen
    assert sorted(map(repr, found)) == sorted(map(repr, asked.questions)), "nobody was asked for nothing"


def failing(*_: Any) -> Any:
    raise LookupError("a row that is gone")


@pytest.mark.parametrize(
    ("begins", "job", "where", "name", "times"),
    [
        ("before_market", "stables.start_cycle", owners, "shopping_of", 2),
        ("before_market", "stables.start_cycle", prefetch, "_assets_of", 1),
        ("before_round", "stables.pair_round", prefetch, "called_of", 2),
        ("before_round", "stables.pair_round", prefetch, "_assets_of", 1),
    ],
)
def test_a_job_is_done_where_foreseeing_fails_and_the_log_tells_it(
    request: Any,
    asked: Asked,
    caplog: pytest.LogCaptureFixture,
    begins: str,
    job: str,
    where: Any,
    name: str,
    times: int,
) -> None:
    request.getfixturevalue(begins)
    expected = done(job)
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(where, name, failing)
        asked.questions.clear()
        assert done(job) == expected
    assert set(Counter(map(repr, asked.questions)).values()) == {1}, "what was answered before it failed stands"
    lines = [line for line in caplog.records if line.name == "stables.owners"]
    assert [line.levelname for line in lines] == ["ERROR"] * times
    assert all(line.exc_info and line.exc_info[0] is LookupError and not hasattr(line, "fault") for line in lines)


HUNG = [
    pytest.param("before_market", "stables.start_cycle", "of_market", enrich, "sales", "basket", id="market"),
    pytest.param("before_round", "stables.pair_round", "of_round", enrich, "repairs", "line_up", id="round"),
]


@pytest.mark.parametrize(("begins", "job", "looks", "change", "decision", "later"), HUNG)
def test_who_hung_over_what_is_not_put_is_asked_what_is(
    request: Any,
    asked: Asked,
    caplog: pytest.LogCaptureFixture,
    begins: str,
    job: str,
    looks: str,
    change: Callable[[], None],
    decision: str,
    later: str,
) -> None:
    request.getfixturevalue(begins)
    with pytest.MonkeyPatch.context() as patched:
        then(patched, looks, change, is_foreseen=False)
        unforeseen = done(job)
    asked.questions.clear()
    with pytest.MonkeyPatch.context() as patched:
        then(patched, looks, change)
        asked.hangs["Ash", decision] = 1
        assert done(job) == unforeseen
    assert asked.hangs["Ash", decision] == 0
    assert len(asked.of("Ash", decision)) == 2
    assert len(asked.of("Ash", later)) == 1, "who hung was asked nothing more beforehand, and all of it afterwards"
    lines: list[Any] = [line for line in caplog.records if line.name == "stables.owners"]
    assert [(line.levelname, line.side, line.decision, line.fault) for line in lines] == [
        ("WARNING", "Ash", decision, "overran")
    ]


@pytest.mark.parametrize(("begins", "job", "looks", "change", "decision", "later"), HUNG)
def test_who_hung_over_what_is_put_is_waited_for_once(
    request: Any,
    asked: Asked,
    caplog: pytest.LogCaptureFixture,
    begins: str,
    job: str,
    looks: str,
    change: Callable[[], None],
    decision: str,
    later: str,
) -> None:
    request.getfixturevalue(begins)
    asked.questions.clear()
    asked.hangs["Ash", decision] = 9
    done(job)
    assert len(asked.of("Ash", decision)) == 1
    assert not asked.of("Ash", later), "who hung is asked nothing more"
    assert asked.of("Birch", later), "the others are"
    lines: list[Any] = [line for line in caplog.records if line.name == "stables.owners"]
    assert [(line.levelname, line.side, line.decision, line.fault) for line in lines] == [
        ("ERROR", "Ash", decision, "overran")
    ]
