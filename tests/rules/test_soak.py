"""A short soak in every run; `make soak` plays the long one."""

from tests.tools.soak import soak

MATCHES = 300


def test_random_matches_in_every_format_break_nothing() -> None:
    assert soak(MATCHES, 7) > MATCHES
