"""Choices of target tokens: counted and found as if all of them were listed (R-BLD-17, D-43)."""

from __future__ import annotations

import random
from collections.abc import Sequence
from itertools import combinations
from math import comb

import pytest

from rules.campaign.line_ups.tokens import TokenChoices, Triple, check_tokens
from rules.catalogue.loader import load_builtin
from rules.core.dice import SeededDice


@pytest.mark.parametrize(
    ("worths", "codes"),
    [((10, 10, 10), []), ((10, 10, 15), ["tokens_not_allowed"]), ((15, 15), ["tokens_not_allowed"])],
)
def test_d_43_tokens_are_three_worth_thirty(worths: tuple[int, ...], codes: list[str]) -> None:
    assert [problem.code for problem in check_tokens([{"rp": worth} for worth in worths])] == codes


def listed(choices: TokenChoices) -> list[Triple]:
    """All choices, in order of their ids."""
    return [
        (one[0], two[0], three[0])
        for one, two, three in combinations(sorted(choices.tokens), 3)
        if one[1] + two[1] + three[1] == choices.pool
    ]


def found(choices: TokenChoices) -> list[Triple]:
    """All choices, each by its place."""
    return [choices[place] for place in range(len(choices))]


def pools(seed: int, count: int) -> list[TokenChoices]:
    """Small pools, with few worths or many, in the order of a catalogue that is in none."""
    rng = random.Random(seed)
    made = []
    for _ in range(count):
        worths = rng.choice([(10,), (5, 10, 15, 20), range(1, 31), range(1, 8)])
        tokens = [{"id": f"T-{number}", "rp": rng.choice(worths)} for number in range(rng.randint(0, 14))]
        rng.shuffle(tokens)
        made.append(TokenChoices.of(tokens, rng.choice([12, 30, 30, 45])))
    return made


def test_choices_are_found_by_their_places_and_drawn_as_from_a_list() -> None:
    for number, choices in enumerate(pools(1, 300)):
        everything = listed(choices)
        assert (len(choices), found(choices), bool(choices)) == (len(everything), everything, bool(everything))
        if everything:
            drawn = [SeededDice(number).draw(len(choices), "tokens") for _ in range(3)]
            assert [choices[place] for place in drawn] == [everything[place] for place in drawn]
        for place in (-1, len(everything)):
            with pytest.raises(IndexError):
                choices[place]


def test_what_a_choice_is() -> None:
    rng = random.Random(2)
    for choices in pools(2, 200):
        everything = {frozenset(triple) for triple in listed(choices)}
        keys = [key for key, _ in choices.tokens]
        for _ in range(30):
            brought = rng.choices([*keys, "T-unknown"], k=rng.choice([0, 2, 3, 3, 3, 4]))
            assert (brought in choices) == (len(brought) == 3 and frozenset(brought) in everything)
        for triple in everything:
            assert tuple(triple) in choices
        assert 3 not in choices


def test_the_nearest_choice_keeps_most_and_is_the_first_of_those() -> None:
    rng = random.Random(3)
    for choices in pools(3, 300):
        everything = listed(choices)
        if not everything:
            with pytest.raises(IndexError):
                choices.nearest_to(["T-1"])
            continue
        keys = [key for key, _ in choices.tokens]
        for size in (0, 1, 2, 3, 3):
            wished = rng.sample([*keys, "T-gone", "T-sold"], min(size, len(keys)))
            most = max(everything, key=lambda triple: len(set(wished) & set(triple)))
            assert choices.nearest_to(wished) == most


def test_the_best_choices_are_those_of_a_sorted_list() -> None:
    rng = random.Random(4)
    for choices in pools(4, 300):
        spread = rng.choice([0, 2, 40])
        worths = {key: rng.randint(-spread, spread) for key, _ in choices.tokens}

        def order(triple: Sequence[str]) -> tuple[int, Sequence[str]]:
            return -sum(worths[key] for key in triple), triple  # noqa: B023

        for count in (1, 3, 12):
            assert choices.best(worths, count) == sorted(listed(choices), key=order)[:count]


def test_the_built_in_catalogue_has_as_many_as_ever() -> None:
    choices = TokenChoices.of(load_builtin().target_tokens.values(), 30)
    assert found(choices) == listed(choices)
    assert len(choices) == 173


def test_two_thousand_tokens_have_more_choices_than_could_be_listed() -> None:
    choices = TokenChoices.of([{"id": f"T-{number:04}", "rp": 10} for number in range(2000)], 30)
    assert len(choices) == comb(2000, 3)
    assert choices[len(choices) - 1] == ("T-1997", "T-1998", "T-1999")
    assert choices[comb(1999, 2)] == ("T-0001", "T-0002", "T-0003")
    assert choices[SeededDice(1).draw(len(choices), "tokens")] in choices
    assert choices.nearest_to(["T-1500", "T-0700"]) == ("T-0000", "T-0700", "T-1500")
    worths = {key: int(key[2:]) for key, _ in choices.tokens}
    assert choices.best(worths, 2) == [("T-1997", "T-1998", "T-1999"), ("T-1996", "T-1998", "T-1999")]
