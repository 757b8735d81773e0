"""What is said before the dice is what the engine makes of every roll: damage, reputation, heat, and their chances."""

import os
import random
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from itertools import product
from typing import Any, NamedTuple

import pytest

from rules.competition.match import Match
from rules.competition.order_forecast import RESULTS, OrderForecast, Result, Struck, order_forecast
from rules.competition.phases import combat_phase, move_phase, special_attacks
from rules.competition.phases.rounds import cleanup_phase, format_cleanup
from rules.competition.state.events import KILL
from rules.competition.state.match_state import MatchState
from rules.competition.state.position import SHUTDOWN
from rules.competition.units.scoring import check_end, turn_damage_dice
from rules.core.dice import DiceRunDry, ScriptedDice, SeededDice
from rules.core.equipment_hooks import mask_of
from tests.rules.board import Json, decisions
from tests.rules.crowded import crowded

BOUNDARY: frozenset[Callable[..., None]] = frozenset(
    {combat_phase.end_turn, special_attacks.begin_turn, move_phase.begin_turn, check_end}
)
"""Tasks that come when an order is carried out."""

MOST_LEAVES = 1500
ROLLS = int(os.environ.get("ROLLS", "300"))
"""How many outcomes are rolled for an order whose dice are too many; docs/testing.md names the long run."""

SIGMAS = 5.0


class Outcome(NamedTuple):
    """What one roll of all dice led to, read from the engine's events and its table when the order is over."""

    result: tuple[str, frozenset[str]] | None
    first_hit: str
    damage: dict[str, int]
    heat: dict[str, int]
    mended: dict[str, int]
    paid: dict[str, int]
    fallen: frozenset[str]
    dial: int
    table: MatchState


def carried_out(match: Match, action: Json, dice: Any) -> Outcome:
    """Play an action with these dice, with everybody silent, until the order is over. Raises DiceRunDry."""
    assert match.decision is not None
    attacker = attacker_of(match)
    twin = match.copy(dice)
    twin.table.log, twin.table.pause_at = [], BOUNDARY
    events = list(twin.play(action))
    while twin.decision is not None:
        events += twin.play(twin.default_action())
    return read(match, twin, attacker, events)


def attacker_of(match: Match) -> str:
    """The unit whose attack the open decision is about."""
    assert match.table.open is not None
    _, unit, data = match.table.open
    attack = data if hasattr(data, "attacker") else getattr(data, "attack", None)
    if attack is None and isinstance(data, tuple) and data and hasattr(data[0], "attacker"):
        attack = data[0]
    return match.table.fighter(unit if attack is None else attack.attacker).name


def read(match: Match, twin: Match, attacker: str, events: list[Json]) -> Outcome:
    found: dict[str, dict[str, int]] = {key: defaultdict(int) for key in ("damage", "heat", "mended", "paid")}
    side = match.table.roster.sides[match.table.fighter(match.table.roster.unit_of[attacker]).side]
    fallen = set()
    for event in events:
        kind = event["event"]
        if kind == "damage_noted":
            found["damage"][event["unit"]] += event["amount"]
        elif kind == "repaired":
            found["mended"][event["unit"]] += event["from"] - event["to"]
        elif kind == "token_destroyed":
            fallen.add(event["token"])
            found["paid"][event["token"]] += event["reputation"] if event["side"] == side else 0
    gone, kills = cleaned(twin.table)
    fallen |= gone
    already, _ = cleaned(match.table)
    for name, (killer, reputation) in kills.items():
        found["paid"][name] = reputation if killer == attacker and name not in already else 0
    rolled = next((each for each in events if each["event"] == "attack_resolved" and each["unit"] == attacker), None)
    result, hits = None, []
    if rolled is not None:
        hits = rolled["hit"]
        critical = rolled.get("critical")
        name = f"critical_{critical}" if critical else "hit" if hits else "miss"
        result = name, frozenset(hits)
    position, own = twin.table.position, twin.table.roster.unit_of[attacker]
    was = match.table.position
    for unit, fighter in enumerate(match.table.roster.fighters):
        added = position.heat[unit] + position.heat_die[unit] - was.heat[unit] - was.heat_die[unit]
        found["heat"] |= {fighter.name: added} if added else {}
    dial = position.heat[own] + position.heat_die[own]
    damage, heat, mended, paid = found.values()
    first = hits[0] if hits else ""
    return Outcome(result, first, damage, heat, mended, paid, frozenset(fallen), dial, twin.table)


def cleaned(table: MatchState) -> tuple[set[str], dict[str, tuple[str, int]]]:
    """The units that the damage dice eliminate as they lie, and who is paid how much for which."""
    ended = table.copy(SeededDice(1), [])
    turn_damage_dice(ended)
    names = [fighter.name for fighter in table.roster.fighters]
    kills = {names[event[2]]: (names[event[3]], event[4]) for event in ended.log or () if event[0] == KILL}  # type: ignore
    return {name for name, unit in table.roster.unit_of.items() if not ended.is_in_play(unit)}, kills


class _Wanted(ScriptedDice):
    __slots__ = ("count",)

    def roll(self, count: int, purpose: str) -> tuple[int, ...]:
        self.count = count
        return super().roll(count, purpose)


def every_outcome(match: Match, action: Json) -> list[tuple[Outcome, float]] | None:
    """Each fall of all the dice by itself, with its chance; None when they are too many."""
    found: list[tuple[Outcome, float]] = []
    waiting: list[tuple[int, ...]] = [()]
    while waiting:
        faces = waiting.pop()
        dice = _Wanted(faces)
        try:
            found.append((carried_out(match, action, dice), 6.0 ** -len(faces)))
        except DiceRunDry:
            waiting += [(*faces, *more) for more in product(range(1, 7), repeat=dice.count)]
        if len(found) + len(waiting) > MOST_LEAVES:
            return None
    return found


def rolled_outcomes(match: Match, action: Json, count: int) -> list[tuple[Outcome, float]]:
    return [(carried_out(match, action, SeededDice(f"roll {n}")), 1 / count) for n in range(count)]


class Compared:
    """Chances of a forecast against shares of outcomes; without `rolls` they must be equal, else near enough."""

    def __init__(self, rolls: int = 0) -> None:
        self.rolls = rolls

    def same(self, said: float, seen: float, what: Any) -> None:
        room = 1e-9
        if self.rolls:
            room += SIGMAS * max(said * (1 - said), 1 / self.rolls) ** 0.5 / self.rolls**0.5
        assert abs(said - seen) <= room, (what, said, seen)

    def spread(self, said: Any, chance: float, seen: Counter[int], what: Any) -> None:
        amounts = {amount: part * chance for amount, part in said}
        for amount in {*amounts, *seen}:
            self.same(amounts.get(amount, 0.0), seen[amount], (what, amount))


def compare(match: Match, seen: OrderForecast, outcomes: list[tuple[Outcome, float]], rolls: int = 0) -> None:
    compared = Compared(rolls)
    groups: dict[Any, list[tuple[Outcome, float]]] = defaultdict(list)
    for outcome, weight in outcomes:
        groups[outcome.result].append((outcome, weight))
    said = {(each.result, frozenset(each.hit)): each for each in seen.results}
    assert {key for key in groups if key} <= set(said)
    for key, result in said.items():
        group = groups[key]
        compared.same(result.chance, sum(weight for _, weight in group), (key, "chance"))
        compare_result(compared, match, seen, result, group)
    if seen.heat is not None:
        assert match.table.open is not None
        unit = match.table.open[1]
        position = match.table.position
        now = position.heat[unit] + position.heat_die[unit]
        heats: Counter[int] = Counter()
        for outcome, weight in outcomes:
            after = outcome.table.position
            heats[after.heat[unit] + after.heat_die[unit] - now] += weight  # type: ignore[assignment]
        added: Counter[int] = Counter()
        for way in seen.heat.ways:
            added[way.added] += way.chance  # type: ignore[assignment]
        compared.spread(added.items(), 1.0, heats, "heat added")
    if seen.attack is not None:
        for each in seen.attack.targets:
            hit = sum(result.chance for result in seen.results if each.target in result.hit)
            assert abs(hit - each.chance) < 1e-9, (each.target, hit, each.chance)


def compare_result(
    compared: Compared, match: Match, seen: OrderForecast, result: Result, group: list[tuple[Outcome, float]]
) -> None:
    struck = {each.target: each for each in result.struck}
    touched = {name for outcome, _ in group for name in (*outcome.damage, *outcome.heat, *outcome.mended)}
    assert touched - {seen.attacker} <= set(struck)
    own: Counter[int] = Counter()
    for outcome, weight in group:
        own[outcome.damage.get(str(seen.attacker), 0)] += weight  # type: ignore[assignment]
    compared.spread(result.own_damage, result.chance, own, (result.result, "own damage"))
    own_falls = sum(weight for outcome, weight in group if seen.attacker in outcome.fallen)
    compared.same(result.own_falls * result.chance, own_falls, "own falls")
    firsts = {outcome.first_hit for outcome, _ in group}
    for name, each in struck.items():
        # Divided damage goes to the first target, as its owner's silence has it; the others are shown with all of it.
        if not result.divided or {name} == firsts:
            compare_struck(compared, each, result, group)


def compare_struck(compared: Compared, each: Struck, result: Result, group: list[tuple[Outcome, float]]) -> None:
    name = each.target
    amounts: dict[str, Counter[int]] = {key: Counter() for key in ("damage", "heat", "mended")}
    falls = 0.0
    for outcome, weight in group:
        for key, counter in amounts.items():
            counter[getattr(outcome, key).get(name, 0)] += weight  # type: ignore[assignment]
        falls += weight if name in outcome.fallen else 0
        if name in outcome.fallen:
            assert outcome.paid.get(name, 0) == each.reputation, (name, each)
    for key, counter in amounts.items():
        compared.spread(getattr(each, key), result.chance, counter, (result.result, name, key))
    compared.same(each.falls * result.chance, falls, (result.result, name, "falls"))


def orders(seed: int, phase: str, most: int) -> Iterator[tuple[Match, Json, OrderForecast]]:
    """Some orders and answers of a crowded position, with their forecasts."""
    match, rng = crowded(seed, phase), random.Random(seed)
    for _ in decisions(match, rng, 12):
        action = match.sample_action(rng)
        seen = order_forecast(match, action)
        if seen is not None and (seen.results or (seen.heat is not None and rng.random() < 0.2)):
            yield match, action, seen
            most -= 1
            if not most:
                return


@pytest.mark.parametrize("phase", ["combat", "initiative", "move"])
def test_the_forecast_of_an_order_is_what_the_engine_makes_of_every_fall_of_its_dice(phase: str) -> None:
    compared: Counter[str] = Counter()
    for seed in range(9):
        for match, action, seen in orders(seed, phase, 2):
            if rolls_twice(seen):
                continue
            outcomes = every_outcome(match, action)
            if outcomes is not None:
                compare(match, seen, outcomes)
                compared.update(each.result for each in seen.results)
    assert min(compared[result] for result in RESULTS) > 3, compared


def rolls_twice(seen: OrderForecast) -> bool:
    """Whether a hit is rolled again, or followed by a second attack."""
    if seen.attack is None:
        return False
    is_followed = bool(seen.attack.equipment & mask_of("follows_up"))
    return is_followed or any(each.again for each in seen.attack.targets)


def test_where_the_dice_are_too_many_the_forecast_is_what_rolled_outcomes_come_to() -> None:
    """ROLLS=20000 rolls as many for each order; the usual run finds what is wrong by more than a few percent."""
    compared = 0
    for seed in range(100, 140):
        for match, action, seen in orders(seed, "combat", 3):
            if seen.results and rolls_twice(seen) and compared < 8:
                compare(match, seen, rolled_outcomes(match, action, ROLLS), ROLLS)
                compared += 1
    assert compared == 8


def test_r_shd_01_r_hef_08_the_chance_of_a_shutdown_is_how_often_the_clean_up_ends_with_one() -> None:
    chances: list[float] = []
    for seed in range(200, 230):
        for match, action, seen in orders(seed, "combat", 2):
            assert match.table.open is not None
            unit = match.table.open[1]
            if seen.heat is None or not 0 < seen.heat.shutdown < 1 or len(chances) == 6:
                continue
            down = 0
            for number in range(ROLLS):
                table = carried_out(match, action, SeededDice(f"heat {number}")).table
                table.agenda, table.pause_at = [(cleanup_phase,)], frozenset({format_cleanup})
                table.advance()
                while table.open is not None:
                    kind, asked, data = table.open
                    table.answer(kind.default(table, asked, data))
                down += bool(table.position.status[unit] & SHUTDOWN)
            Compared(ROLLS).same(seen.heat.shutdown, down / ROLLS, (seed, action))
            chances.append(seen.heat.shutdown)
    assert len(chances) == 6
