"""What an owner of code answers is read before anything is done by it."""

from typing import Any

import pytest

from rules.bots.owners.answers import read_keys, read_mountings
from rules.bots.owners.garage import Mounting
from rules.bots.owners.wares import Means
from rules.campaign.line_ups.checks import OwnedGear, OwnedUnit

OWN = Means(100, units=[OwnedUnit("unit-1", {"id": "A"}, "working")], gear=[OwnedGear("gear-1", {"id": "G"})])


def test_own_gear_goes_on_an_own_unit() -> None:
    wish = [Mounting("gear-1", "unit-1", "")]
    assert read_mountings(iter(wish), OWN) == wish


@pytest.mark.parametrize("answer", [Mounting("gear-2", "unit-1", ""), Mounting("gear-1", "unit-2", ""), "gear-1", None])
def test_an_answer_that_is_not_gear_on_an_own_unit_is_refused(answer: Any) -> None:
    with pytest.raises(ValueError, match="no gear on a unit"):
        read_mountings([Mounting("gear-1", "unit-1", ""), answer], OWN)


@pytest.mark.parametrize("answer", [["unit-2"], [1], ["unit-1", "unit-1"]])
def test_keys_are_different_ones_of_the_stable(answer: list[Any]) -> None:
    assert read_keys(["unit-1"], {"unit-1"}) == ["unit-1"]
    with pytest.raises(ValueError, match="not the stable's own"):
        read_keys(answer, {"unit-1"})
