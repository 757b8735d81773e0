"""A short soak of the Challenge in every run; `make soak` plays the long one."""

import pytest

from rules.challenge.entries import Entry
from tests.tools import soak_challenge
from tests.tools.soak_challenge import soak


def test_an_evening_of_the_soak_breaks_nothing() -> None:
    played = soak(1, 3, pilots=8, turns=10)
    assert played.evenings == 1
    assert played.entries == sum(played.kinds.values()) > 100


def test_a_fault_ends_the_soak_with_its_seed(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(setup: object, entries: list[Entry]) -> list[str]:
        return ["pilot 01: -1 CP"]

    monkeypatch.setattr(soak_challenge, "faults_of_folding", broken)
    with pytest.raises(AssertionError, match=r"seed 3: .*-1 CP"):
        soak(1, 3, pilots=8, turns=10)
