"""Every unit of the catalogue fights many random matches to their end, in all formats, with cards that fit it."""

import pytest

from rules.catalogue import load_builtin
from rules.competition.formats import FORMATS
from rules.solaris.building import class_of
from tests.tools.line_ups import Dealer
from tests.tools.soak import play

MATCHES = 50
"""For each unit."""

CLASSES = sorted({str(class_of(unit)) for unit in load_builtin().units.values()})


@pytest.mark.parametrize("weight_class", CLASSES)
def test_every_unit_of_the_class_plays_fifty_random_matches(weight_class: str) -> None:
    units = [key for key, unit in load_builtin().units.items() if str(class_of(unit)) == weight_class]
    dealer = Dealer(load_builtin(), weight_class)
    number = 0
    while True:
        unit = min(units, key=lambda key: dealer.used["units", key])
        if dealer.used["units", unit] >= MATCHES:
            break
        setup = dealer.deal(list(FORMATS)[number % len(FORMATS)], ("units", unit))
        names = [loadout.unit["id"] for side in setup.sides for loadout in side.units]
        try:
            _, tokens = play(setup, f"{weight_class}/{number}", recording=False, every_decision=False)
        except Exception as problem:
            problem.add_note(f"match {number} of the class, {setup.format}: {', '.join(names)}")
            raise
        dealer.count(setup, tokens)
        number += 1
