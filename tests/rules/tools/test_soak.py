"""A short soak in every run; `make soak` plays the long one."""

import copy

import pytest

from rules.catalogue import Catalogue, load_builtin
from rules.competition.formats import FORMATS
from tests.tools.line_ups import KINDS, Dealer
from tests.tools.soak import soak

MATCHES = 120


def enlarged(catalogue: Catalogue, times: int) -> Catalogue:
    """The catalogue with every entry several times, under ids of their own."""
    found = {}
    for kind in KINDS:
        entries = {}
        for key, definition in catalogue.of_kind(kind).items():
            for number in range(times):
                twin = copy.deepcopy(definition)
                twin["id"] = key if not number else f"{key}x{number}"
                entries[twin["id"]] = twin
        found[kind] = entries
    return Catalogue(**found)


def test_random_matches_in_every_format_break_nothing_and_the_whole_catalogue_takes_part() -> None:
    played = soak(MATCHES, 7)
    assert played.actions > played.matches >= MATCHES
    catalogue = load_builtin()
    for kind in KINDS:
        took_part = {key for used, key in played.used if used == kind}
        assert took_part == set(catalogue.of_kind(kind)), kind


@pytest.mark.parametrize("times", [1, 4])
def test_line_ups_reach_everything_however_large_the_catalogue_is(times: int) -> None:
    """Each match brings in something new, so there are never more matches than entries."""
    catalogue = enlarged(load_builtin(), times)
    dealer = Dealer(catalogue, times)
    entries = len(dealer.missing())
    matches = 0
    while dealer.missing():
        before = len(dealer.missing())
        setup = dealer.deal(next(iter(FORMATS)))
        dealer.count(setup, [str(token["id"]) for side in setup.sides for token in side.tokens])
        matches += 1
        assert len(dealer.missing()) < before
    assert matches < entries / 2


def test_an_entry_that_can_never_take_part_is_named() -> None:
    catalogue = enlarged(load_builtin(), 1)
    catalogue.gear["G-999"] = {**catalogue.gear["G-001"], "id": "G-999", "name": "R.I.S.C. Ammunition"}
    with pytest.raises(AssertionError, match="G-999"):
        soak(1, 1, catalogue)
