"""How often crews are put together for the advice of market and garage: some times each, however many there are."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest

from rules.bots.owners.advice import Situation, advise
from rules.bots.owners.wares import Market, Means
from rules.campaign.line_ups import checks
from rules.campaign.line_ups.checks import MatchTerms, OwnedUnit
from rules.campaign.market.advice import Roster, can_field, survives_one_elimination
from rules.solaris.house_rules import HouseRules
from tests.rules.campaign.cards import card, driver, gear, owned, pilot, unit

TEAM = MatchTerms("light", "team")
SHARED = replace(TEAM, house_rules=HouseRules(build_total_per="team", build_total=3))
DIAL = [{"primary": 3, "secondary": 2, "speed": 8, "attack": 9, "defense": 19}] * 10
WARES: Sequence[Any] = (
    [unit(f"U-{points}", points, dial=DIAL) for points in (100, 120)],
    [pilot("P-1", 10), pilot("P-2", 20)],
    [gear("G-6", 6)],
    [card("R-1", value="attack", below=8)],
)


def stable(count: int, is_hurt: bool) -> Means:
    """A stable of cheap units and pilots, the units all hurt, each by another state of its own, or all whole."""
    units: list[OwnedUnit] = [
        owned(f"u{n:02}", "able" if is_hurt else "undamaged", n % 5 + 1 if is_hurt else 0, points=1, dial=DIAL)
        for n in range(count)
    ]
    return Means(400, units, [driver(f"p{n:02}", 1) for n in range(count)])


@pytest.mark.parametrize("terms", [TEAM, SHARED], ids=["each its own total", "no two keep to the total"])
@pytest.mark.parametrize("is_hurt", [False, True], ids=["whole", "hurt"])
@pytest.mark.parametrize("is_market", [False, True], ids=["garage", "market"])
def test_four_times_the_crews_take_little_more_than_four_times_the_work(
    is_market: bool, is_hurt: bool, terms: MatchTerms, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = [0]
    check, fits = checks.combatant_of, checks.pilot_problems

    def counted(function: Any) -> Any:
        def call(*given: Any) -> Any:
            asked[0] += 1
            return function(*given)

        return call

    monkeypatch.setattr(checks, "combatant_of", counted(check))
    monkeypatch.setattr(checks, "pilot_problems", counted(fits))
    market = Market.of(*WARES, terms) if is_market else None
    counts = []
    for count in (12, 24):
        means = stable(count, is_hurt)
        asked[0] = 0
        advise(
            Situation(
                means,
                terms,
                market,
                matches_left=0 if is_market else 3,
                in_break=is_market,
                can_repair=True,
                can_sell=True,
                can_mount=True,
                classes_to_come={"light"},
                bought=[unit.key for unit in means.units],
            )
        )
        roster = Roster(tuple(means.units), tuple(means.pilots), terms)
        can_field(roster, 2)
        survives_one_elimination(roster)
        counts.append(asked[0])
    assert counts[0] > 0
    assert counts[1] < 5 * counts[0]
