"""Where an attack may be made from at all: what bots and lists leave out must never hold one."""

from __future__ import annotations

import pytest

from rules.competition.attacks.options import attack_places, close_attacks, ranged_attacks
from rules.competition.setups import roster_of
from rules.competition.state.position import CLOSE, RANGED
from rules.tools.bench import SCENES, midgame, setups


@pytest.mark.parametrize("scene", ["duel", "team", "weapons_dead", "grand_melee"])
def test_no_attack_is_left_out(scene: str) -> None:
    """R-CLO-02, R-LOF-02: away from these hexes nothing is adjacent, or nothing is in range."""
    listed, left_out = 0, 0
    for match in midgame([roster_of(setup) for setup in setups(*SCENES[scene])]):
        table = match.table
        assert table.open is not None
        unit = table.open[1]
        for order, attacks in ((CLOSE, close_attacks), (RANGED, ranged_attacks)):
            near = attack_places(table, unit, order)
            for place in table.roster.lattice.hexes:
                if table.position.filled() >> place & 1:
                    continue
                found = attacks(table, unit, place)
                assert near >> place & 1 or not found
                listed += len(found)
                left_out += not near >> place & 1
    assert listed
    assert left_out
