"""A random season, driven by hypothesis through the services: after every step the books and the lists are sound.

SEASON_MACHINE_EXAMPLES and SEASON_MACHINE_STEPS make it larger than in `make test`, where it is the same each time. A
failure is shown as it was found; SEASON_MACHINE_SHRINK=1 looks for the shortest way to it, which takes minutes.
"""

from __future__ import annotations

import os
import random
from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest
from django.contrib.auth import get_user_model
from django.db import transaction
from django.utils import timezone
from hypothesis import HealthCheck, Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)

from jobs.models import Job
from jobs.services import run_pending
from matches.models import Match
from rules.core.refusals import Malformed, Refused
from stables.jobs import season as job_handlers
from stables.models import Asset, Cycle, Fixture, FixtureSide, LedgerEntry, Result, Round, Season, Stable
from stables.selectors.definitions import catalogue_of, definition_of
from stables.selectors.fixtures import match_unit
from stables.services.ai import owners
from stables.services.fixtures import rounds
from stables.services.garage import equipping, repairs
from stables.services.line_ups import line_ups
from stables.services.market import baskets, trading
from stables.services.results import corrections, settlement
from stables.services.running import participation
from stables.services.season import seasons
from tests.stables.conftest import open_with
from tests.stables.season_invariants import require_sound

pytestmark = pytest.mark.database

EXAMPLES = int(os.environ.get("SEASON_MACHINE_EXAMPLES", "12"))
STEPS = int(os.environ.get("SEASON_MACHINE_STEPS", "25"))
CYCLES = ["standard", "team", "weapons_dead"]
numbers = st.integers(0, 10**6)


def finish_without_playing(fixture: Fixture, chance: random.Random) -> None:
    """Give a sealed fixture a finished match with a random result."""
    season = fixture.round.cycle.season
    sides = [side for side in fixture.sides.select_related("line_up") if hasattr(side, "line_up") and not side.forfeits]
    units: dict[str, Any] = {}
    for side in sides:
        for crew in side.line_up.crews.select_related("unit"):
            last = len(definition_of(season, crew.unit)["dial"]) - 1
            eliminated = chance.random() < 0.3
            units[match_unit(side.side, crew.position)] = {
                "side": side.side,
                "clicks": last + 1 if eliminated else chance.randint(min(crew.damage, last), last),
                "eliminated": eliminated,
                "kills": chance.randint(0, 2),
                "salvage": False,
                "eliminated_by": None,
                "pilot_dead": eliminated and crew.pilot is not None and chance.random() < 0.3,
            }
    names = sorted({side.side for side in sides})
    result = {
        "winner": chance.choice([*names, None]),
        "rounds": chance.randint(1, 20),
        "ended_by": chance.choice(["last_side", "time_limit"]),
        "tie_break": None,
        "sides": {
            name: {
                "reputation": chance.randint(0, 120),
                "kills": 0,
                "tokens": 0,
                "total": 150,
                "surrendered": False,
            }
            for name in names
        },
        "units": units,
        "places": chance.sample(names, len(names)),
    }
    done = {"state": Match.State.FINISHED, "result": result, "finished_at": timezone.now()}
    if fixture.match_id is None:
        common = {"setup": {}, "rules_version": "typed", "seed": b"0" * 32, "seed_commitment": ""}
        fixture.match = Match.objects.create(**common, **done)
        fixture.save(update_fields=["match"])
    else:
        Match.objects.filter(pk=fixture.match_id).exclude(state=Match.State.FINISHED).update(**done)


class SeasonMachine(RuleBasedStateMachine):
    """Two stables of people, two of the AI; what people do is drawn, what jobs do is done by jobs."""

    release: Any = None
    reached: Counter[str]
    """How often it came to what must not be missed, over all examples."""

    def __init__(self) -> None:
        super().__init__()
        self.undo = transaction.atomic()
        self.undo.__enter__()
        self.seen_crews: set[int] = set()
        self.refused: list[str] = []
        self.corrections = 0

    def teardown(self) -> None:
        if hasattr(self, "season"):
            self.reached["closed cycle"] += Cycle.objects.filter(season=self.season, state="closed").count()
            self.reached["result"] += Result.objects.filter(fixture__round__cycle__season=self.season).count()
            self.reached["refusal"] += len(self.refused)
            self.reached["correction"] += self.corrections
        transaction.set_rollback(True)
        self.undo.__exit__(None, None, None)

    @initialize(number=numbers, unplayed=st.sampled_from(["forfeit", "ai"]), mortal=st.booleans(), grant=st.booleans())
    def found(self, number: int, unplayed: str, mortal: bool, grant: bool) -> None:
        secret = random.Random(number).randbytes(32)
        rules = {"unplayed": unplayed, "house_rules": {"pilot_death": mortal}, "sponsor_grant": grant}
        self.season = open_with(self.release, ["Ash", "Birch"], secret, cycles=CYCLES, **rules)
        self.organiser = get_user_model().objects.create(username="Organiser", email="organiser@example.org")
        Season.objects.filter(pk=self.season.pk).update(organiser=self.organiser)
        for name in ("Cedar", "Dogwood"):
            person = get_user_model().objects.create(username=name, email=f"{name}@example.org")
            seasons.found_stable(season_id=self.season.pk, name=name, owner=person)
        self.people = list(Stable.objects.filter(season=self.season, is_ai=False).order_by("number"))
        for stable in self.people:
            owners.shop(stable_id=stable.pk, cycle_id=self.season.cycles.get().pk)

    # What may be refused, and then changes nothing -------------------------------------------------------------

    def attempt(self, call: Callable[[], Any]) -> Any:
        before = LedgerEntry.objects.count()
        try:
            return call()
        except (Refused, Malformed) as problem:
            self.refused.append(problem.code)
            assert LedgerEntry.objects.count() == before
            return None

    def person(self, number: int) -> Stable:
        return self.people[number % len(self.people)]

    def asset(self, stable: Stable, number: int, **chosen: Any) -> Asset | None:
        assets = list(stable.assets.filter(**chosen).order_by("id"))
        return assets[number % len(assets)] if assets else None

    def pick(self, entries: dict[str, Any], number: int) -> str:
        return sorted(entries)[number % len(entries)]

    @rule(who=numbers, which=numbers, kind=st.sampled_from(["unit", "pilot", "gear", "rally_card"]))
    def buy(self, who: int, which: int, kind: str) -> None:
        shelves = {"unit": "units", "pilot": "pilots", "gear": "gear", "rally_card": "rally_cards"}
        key = self.pick(getattr(catalogue_of(self.season), shelves[kind]), which)
        self.attempt(lambda: trading.buy(stable_id=self.person(who).pk, kind=kind, key=key))

    @rule(who=numbers, which=numbers)
    def sell(self, who: int, which: int) -> None:
        stable = self.person(who)
        asset = self.asset(stable, which)
        if asset is not None:
            self.attempt(lambda: trading.sell(stable_id=stable.pk, asset_id=asset.pk))

    @rule(who=numbers, which=numbers)
    def repair(self, who: int, which: int) -> None:
        stable = self.person(who)
        unit = self.asset(stable, which, kind="unit", damage__gt=0) or self.asset(stable, which)
        if unit is not None:
            self.attempt(lambda: repairs.repair(stable_id=stable.pk, asset_id=unit.pk))

    @rule(who=numbers)
    def repair_everything(self, who: int) -> None:
        self.attempt(lambda: repairs.repair_all(stable_id=self.person(who).pk))

    @rule(who=numbers, which=numbers, where=numbers, confirmed=st.booleans(), kind=st.sampled_from(["pilot", "gear"]))
    def assign(self, who: int, which: int, where: int, confirmed: bool, kind: str) -> None:
        stable = self.person(who)
        card, unit = self.asset(stable, which, kind=kind), self.asset(stable, where, kind="unit")
        if card is not None and unit is not None:
            names = {"stable_id": stable.pk, "asset_id": card.pk, "confirmed": confirmed}
            if which % 3:
                self.attempt(lambda: equipping.assign(unit_id=unit.pk, **names))
            else:
                self.attempt(lambda: equipping.unassign(**names))

    @rule(who=numbers, which=numbers, count=st.integers(1, 4), seals=st.booleans())
    def fill_a_basket(self, who: int, which: int, count: int, seals: bool) -> None:
        stable = self.person(who)
        keys = [self.pick(catalogue_of(self.season).units, which + number) for number in range(count)]
        lines = [{"kind": "unit", "key": key} for key in keys]
        self.attempt(lambda: baskets.set_lines(stable_id=stable.pk, lines=lines))
        if seals:
            self.attempt(lambda: baskets.seal(stable_id=stable.pk))

    # Line-ups and matches ------------------------------------------------------------------------------------------

    def open_sides(self, **chosen: Any) -> list[FixtureSide]:
        sides = FixtureSide.objects.filter(
            fixture__round__cycle__season=self.season, fixture__state="line_ups", forfeits="", line_up=None, **chosen
        )
        return list(sides.order_by("id"))

    @rule(who=numbers, number=numbers)
    def hand_in_any_crews(self, who: int, number: int) -> None:
        chance = random.Random(number)
        stable = self.person(who)
        units = list(stable.assets.filter(kind="unit"))
        pilots = [*stable.assets.filter(kind="pilot"), None]
        tokens = chance.choices(sorted(catalogue_of(self.season).target_tokens), k=3)
        for side in self.open_sides(stable=stable):
            crews = []
            for unit in chance.sample(units, min(len(units), chance.choice([1, 1, 2]))):
                pilot = chance.choice(pilots)
                crews.append(line_ups.CrewChoice(unit.pk, None if pilot is None else pilot.pk))
            call = {"stable_id": stable.pk, "fixture_id": side.fixture_id, "crews": crews, "tokens": tokens}
            self.attempt(lambda: line_ups.submit(**call))  # noqa: B023

    @rule(who=numbers)
    def hand_in_the_nearest(self, who: int) -> None:
        stable = self.person(who)
        for side in self.open_sides(stable=stable):
            self.attempt(lambda: owners.prepare(stable_id=stable.pk, fixture_id=side.fixture_id))  # noqa: B023

    @rule()
    def call_time(self) -> None:
        newest = Round.objects.filter(cycle__season=self.season).order_by("-cycle__number", "-number").first()
        if newest is not None:
            self.attempt(lambda: rounds.call_time(round_id=newest.pk))

    @rule(number=numbers, settles_twice=st.booleans())
    def play(self, number: int, settles_twice: bool) -> None:
        chance = random.Random(number)
        sealed = Fixture.objects.filter(round__cycle__season=self.season, state="sealed").order_by("id")
        for fixture in list(sealed.select_related("round__cycle__season__release")):
            if FixtureSide.objects.filter(fixture=fixture, forfeits="").count() > 1:
                finish_without_playing(fixture, chance)
            for _ in range(1 + settles_twice):
                settlement.settle_fixture(fixture_id=fixture.pk)

    # Corrections ---------------------------------------------------------------------------------------------------

    def said(self, fixture: Fixture, chance: random.Random) -> dict[str, Any]:
        """A report in which one side eliminates the other, whether or not that is possible."""
        crews = {
            match_unit(side.side, crew.position): side.side
            for side in fixture.sides.all()
            if hasattr(side, "line_up")
            for crew in side.line_up.crews.all()
        }
        winner = chance.choice(["red", "blue"])
        losers = [name for name, side in crews.items() if side != winner]
        units: dict[str, Any] = {
            name: {"eliminated": True, "died": chance.choice(["no", "no", "yes"])} for name in losers
        }
        units |= {name: {"clicks": chance.randint(0, 4)} for name, side in crews.items() if side == winner}
        killers = [name for name, side in crews.items() if side == winner]
        if killers:
            units[killers[0]]["kills"] = len(losers)
        return {"winner": winner, "units": units}

    @precondition(lambda self: Result.objects.exists())
    @rule(number=numbers, kind=st.sampled_from(["void", "correct", "replace", "replace"]))
    def correct(self, number: int, kind: str) -> None:
        """Look at a correction, then make it; half of the time of the newest results, which have least behind them."""
        chance = random.Random(number)
        settled = list(Fixture.objects.filter(result__isnull=False, round__cycle__season=self.season).order_by("-id"))
        fixture = settled[0] if number % 2 else chance.choice(settled)
        forfeits = tuple(
            side.stable.number for side in fixture.sides.all() if kind == "replace" and chance.random() < 0.5
        )
        report = None if kind == "void" or forfeits else self.said(fixture, chance)
        call = {
            "fixture_id": fixture.pk, "wanted": corrections.Wanted(kind, report, forfeits), "user": self.organiser,
        }  # fmt: skip
        seen = self.attempt(lambda: corrections.foresee(**call))
        if seen is not None and self.attempt(lambda: corrections.correct(reason="drawn", seal=seen.seal, **call)):
            self.corrections += 1

    @rule(who=numbers)
    def waive(self, who: int) -> None:
        stable = self.person(who)
        self.attempt(lambda: corrections.waive_debt(stable_id=stable.pk, reason="drawn", user=self.organiser))

    # The season ---------------------------------------------------------------------------------------------------

    @rule()
    def begin(self) -> None:
        season = Season.objects.get(pk=self.season.pk)
        if season.state == Season.State.RECRUITING:
            self.attempt(lambda: seasons.start_season(season_id=season.pk))
        else:
            self.attempt(lambda: seasons.start_cycle(season_id=season.pk))

    @rule(who=numbers, number=st.integers(1, len(CYCLES)), skips=st.booleans())
    def skip(self, who: int, number: int, skips: bool) -> None:
        stable = self.person(who)
        self.attempt(lambda: participation.skip_cycle(stable_id=stable.pk, number=number, skips=skips))

    @rule(who=st.integers(0, 20))
    def withdraw(self, who: int) -> None:
        """Seldom: a stable that left has little left to go wrong."""
        if who < len(self.people):
            self.attempt(lambda: participation.withdraw(stable_id=self.people[who].pk))

    @precondition(lambda self: Job.objects.filter(state="queued").exists())
    @rule(most=st.sampled_from([1, 3, 100]))
    def work(self, most: int) -> None:
        run_pending(limit=most)

    @rule(number=numbers)
    def go_on(self, number: int) -> None:
        """Whatever the season waits for, and a correction, so that it comes to its later cycles in few steps."""
        cycle = Cycle.objects.filter(season=self.season).order_by("-number").first()
        if cycle is not None and cycle.state == Cycle.State.MARKET:
            self.begin()
        run_pending()
        for side in self.open_sides():
            self.attempt(lambda: owners.prepare(stable_id=side.stable_id, fixture_id=side.fixture_id))  # noqa: B023
        self.play(number, False)
        run_pending()
        if Result.objects.exists():
            self.correct(number, "replace" if number % 3 else "correct")

    @invariant()
    def is_sound(self) -> None:
        if hasattr(self, "season"):
            require_sound(self.season, self.seen_crews)


@pytest.mark.django_db
def test_a_random_season_is_sound_after_every_step(release: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    def without_the_engine(match_id: int, bots: Any) -> None:
        fixture = Fixture.objects.select_related("round__cycle__season__release").get(match=match_id)
        finish_without_playing(fixture, random.Random(match_id))
        job_handlers.ask_for(
            fixture.round.cycle.season,
            "stables.settle_fixture",
            f"fixture:{fixture.pk}:settle_fixture",
            fixture=fixture.pk,
        )

    monkeypatch.setattr(job_handlers, "resolve_with_bots", without_the_engine)
    monkeypatch.setattr(SeasonMachine, "release", release)
    monkeypatch.setattr(SeasonMachine, "reached", Counter(), raising=False)
    run_state_machine_as_test(
        SeasonMachine,
        settings=settings(
            max_examples=EXAMPLES,
            stateful_step_count=STEPS,
            deadline=None,
            phases=[Phase.generate, *([Phase.shrink] if "SEASON_MACHINE_SHRINK" in os.environ else [])],
            database=None,
            derandomize="SEASON_MACHINE_EXAMPLES" not in os.environ,
            suppress_health_check=list(HealthCheck),
        ),
    )
    if EXAMPLES < 12:
        return
    # A machine that comes to none of these would prove nothing.
    assert SeasonMachine.reached["closed cycle"] > 0
    assert SeasonMachine.reached["result"] > SeasonMachine.reached["closed cycle"]
    assert SeasonMachine.reached["refusal"] > 0
    assert SeasonMachine.reached["correction"] > 0
