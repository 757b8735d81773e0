"""Chance in a test is the same in every run."""

import random
import secrets

import pytest
from hypothesis.internal.conjecture import providers

from tests.chance import drawn_for


def drawn() -> tuple[bytes, int, float]:
    return secrets.token_bytes(8), random.SystemRandom().randrange(10**9), random.random()


def test_a_name_decides_what_is_drawn() -> None:
    given = []
    for name in ("one", "another", "one"):
        with drawn_for(name):
            given.append(drawn())
    assert given[0] == given[2] != given[1]
    assert given[0][0] != given[1][0]


@pytest.mark.parametrize("time", ["first", "second"])
def test_each_test_draws_for_its_name(time: str, request: pytest.FixtureRequest) -> None:
    seen = drawn()
    with drawn_for(request.node.nodeid):
        assert drawn() == seen


def test_what_came_before_goes_on() -> None:
    with drawn_for("one"):
        expected = [drawn(), drawn()]
    with drawn_for("one"):
        first = drawn()
        with drawn_for("another"):
            drawn()
        assert [first, drawn()] == expected


@pytest.fixture(scope="module")
def shared() -> tuple[bytes, int, float]:
    return drawn()


@pytest.mark.parametrize("who_asks", ["first", "second"])
def test_what_tests_share_draws_for_its_own_name(who_asks: str, shared: tuple[bytes, int, float]) -> None:
    with drawn_for("tests/architecture/test_chance.py::shared[0]"):
        assert shared == drawn()


def test_examples_do_not_depend_on_the_modules_imported_so_far() -> None:
    assert len(providers._get_local_constants()) == 0
