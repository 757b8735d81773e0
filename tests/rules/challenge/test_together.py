"""Which abilities add to what the pilot's stable does; the players apply it at the table (MC-ABIL-10, MC-ABIL-11)."""

from __future__ import annotations

import pytest

from rules.challenge.quotes.learning import works_together
from rules.challenge.state import Event, Pilot


@pytest.mark.parametrize(
    ("ability", "stable", "adds"),
    [
        ("weapon_specialist_is", "lynch", False),
        ("weapon_specialist_clan", "renegades", False),
        ("weapon_specialist_is", "fitzhugh", True),
        ("weapon_specialist_is", None, True),
        ("cant_hit_cant_see", "silver_dragons", False),
        ("cant_hit_cant_see", "starlight", True),
        ("marksman", "lynch", True),
    ],
)
def test_mc_abil_10_and_11_an_ability_adds_to_the_effect_of_a_stable(
    ability: str, stable: str | None, adds: bool
) -> None:
    event = Event()
    members = event.printed.memberships
    pilot = Pilot("ross", "ross", stable=members[stable] if stable else None)
    assert works_together(event, pilot, event.printed.abilities[ability]) is adds
