"""What bots expect of an attack is what the rules make of it, whatever the position, house rules, equipment, cards."""

import random
from collections.abc import Iterator

from hypothesis import given

from rules.bots.attack_estimates import AttackEstimates, surroundings_of
from rules.competition.attacks.forms import as_attack, is_friendly
from rules.competition.forecast import forecast
from rules.competition.ground.hexes import bits
from rules.competition.match import Match
from rules.competition.state.events import MOVED
from rules.competition.state.match_state import Choice
from rules.competition.state.position import ASSAULT, CLOSE, RANGED
from rules.core.dice import SeededDice
from tests.rules.board import decisions
from tests.rules.crowded import crowded
from tests.rules.play_outs import quickly, seeds


def attacks(match: Match, most: int, rng: random.Random) -> Iterator[tuple[Choice, Choice, int, int, int]]:
    """Some attacks that the open combat decision offers: the choice, the attack in it, its order, place and facing."""
    table = match.table
    assert table.open is not None
    kind, unit, data = table.open
    if kind.name != "combat":
        return
    position = table.position
    options = kind.options(table, unit, data)
    for choice in rng.sample(options, min(most, len(options))):
        if choice[0] == ASSAULT:
            _, _, place, facing, _, attack, _ = choice
            yield choice, attack, ASSAULT, place, facing
        elif choice[0] in (CLOSE, RANGED):
            yield choice, choice, 0, position.hex[unit], position.facing[unit]


@given(seeds)
@quickly(30)
def test_a_bot_expects_of_every_attack_what_the_rules_make_of_it(seed: int) -> None:
    match, rng = crowded(seed), random.Random(seed)
    for _ in decisions(match, rng, 8):
        table = match.table
        assert table.open is not None
        kind, unit, data = table.open
        aims = {order: AttackEstimates(table, unit, order) for order in (0, ASSAULT)}
        for choice, attack, order, place, facing in attacks(match, 60, rng):
            if is_friendly(table, as_attack(unit, order, attack)):
                continue
            action = kind.write(table, unit, data, choice)
            seen = forecast(match, action)
            assert seen is not None
            by_rules = {each.target: each.chance for each in seen.targets}  # Full Strike may take more than were named
            for target in attack[2]:
                expected = aims[order].chance(attack, target, place, facing)
                assert expected == by_rules[table.roster.target_name(target)], (action, seen)


@given(seeds)
@quickly(20)
def test_estimates_forget_what_was_true_of_a_target_in_another_place(seed: int) -> None:
    match, rng = crowded(seed), random.Random(seed)
    table = match.table.copy(SeededDice(seed))
    active = [unit for unit in table.roster.units if table.position.hex[unit] >= 0]
    target = rng.choice(active)
    ground = table.roster.arena.passable & ~table.position.occupied()
    near = [place for place in bits(ground) if table.roster.lattice.distance(place, table.position.hex[target]) < 5]
    aims = [AttackEstimates(table, unit) for unit in table.roster.opponents[target] if table.position.hex[unit] >= 0]
    for place in rng.sample(near, min(4, len(near))):
        table.emit(MOVED, target, (), place, rng.randrange(12), "thought")
        for aim in aims:
            aim.look_at(target, surroundings_of(table, target) if rng.random() < 0.7 else None)
            anew = AttackEstimates(table, aim.unit)
            own = table.position.hex[aim.unit]
            for facings, choice in anew.attacks(own):
                if target in choice[2]:
                    facing = next(bits(facings))
                    assert aim.chance(choice, target, own, facing) == anew.chance(choice, target, own, facing)
