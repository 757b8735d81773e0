"""Who answers when a bot cannot be left to play."""

from __future__ import annotations

import random
from typing import Any

import pytest

from rules import bots
from rules.bots.guard import ILLEGAL, OVERRAN, RAISED, Guard, LateBot
from rules.bots.relief import LIVES, RESERVE, Relief
from tests.rules.guarded import begun

# --- who answers when a bot cannot be left to play --------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "faults", "expected"),
    [
        ("quick", [], "quick"),
        ("quick", [RAISED] * (LIVES - 1), "quick"),
        ("quick", [RAISED, ILLEGAL, RAISED], RESERVE),
        ("quick", [OVERRAN], RESERVE),
        ("quick", [RAISED, OVERRAN], RESERVE),
        ("quick", [OVERRAN, RAISED, ILLEGAL], RESERVE),
        ("quick", [OVERRAN, RAISED, RAISED, RAISED], None),
        ("quick", [OVERRAN, OVERRAN], None),
        ("quick", [OVERRAN, OVERRAN, OVERRAN, RAISED], None),
        (RESERVE, [RAISED, RAISED], RESERVE),
        (RESERVE, [OVERRAN], None),
    ],
)
def test_an_overrun_costs_all_lives_and_anything_else_one(name: str, faults: list[str], expected: str | None) -> None:
    assert Relief({"red": name}, [("red", fault) for fault in faults]).who_answers("red", name) == expected


def test_an_overrun_costs_every_seat_of_the_bot_and_other_faults_only_their_own() -> None:
    names = {"a": "quick", "b": "quick", "c": "tactical", "d": RESERVE}
    relief = Relief(names, [*[("c", RAISED)] * LIVES, ("a", OVERRAN)])
    assert {side: relief.who_answers(side, name) for side, name in names.items()} == dict.fromkeys("abcd", RESERVE)
    assert relief.who_answers("e", "tactical") == "tactical"
    relief.note("b", OVERRAN)  # by RESERVE, which answered there
    assert {side: relief.who_answers(side, name) for side, name in names.items()} == dict.fromkeys("abcd")
    assert relief.who_answers("e", "tactical") == "tactical"


def test_what_was_noted_one_by_one_is_what_is_read_again() -> None:
    names = {"a": "quick", "b": "tactical", "c": RESERVE, "d": "quick"}
    for number in range(200):
        rng, relief, told = random.Random(number), Relief(names), []
        for _ in range(rng.randrange(12)):
            side = rng.choice(list(names))
            if relief.who_answers(side, names[side]) is None:
                continue
            told.append((side, rng.choice([RAISED, RAISED, ILLEGAL, OVERRAN])))
            relief.note(*told[-1])
        again = Relief(names, told)
        for side, name in names.items():
            assert relief.who_answers(side, name) == again.who_answers(side, name)


def test_where_all_took_too_long_together_only_who_takes_over_is_asked() -> None:
    relief = Relief({"red": "quick"})
    assert relief.who_answers("red", "quick", is_late=True) == RESERVE
    assert relief.who_answers("red", "quick") == "quick"
    for fault in (OVERRAN, OVERRAN):
        relief.note("red", fault)
    assert relief.who_answers("red", "quick", is_late=True) is None


def test_a_seat_whose_bot_nobody_knows_any_more_costs_no_other_seat() -> None:
    assert Relief({}, [("red", OVERRAN)]).who_answers("blue", RESERVE) == RESERVE


def test_who_takes_over_is_a_bot_that_there_is() -> None:
    assert RESERVE in bots.BOT_NAMES


def test_a_bot_that_cannot_be_made_fails_like_any_other() -> None:
    made = []

    def make(name: str) -> Any:
        made.append(name)
        if name == "broken":
            raise OSError("its table of weights is gone")
        return bots.get(name)

    match = begun()
    fault = Guard(match).ask(LateBot("broken", make), random.Random(1)).fault
    assert fault is not None
    assert (fault.code, fault.bot) == (RAISED, "broken")
    good = LateBot("random", make)
    for _ in range(3):
        assert Guard(match).ask(good, random.Random(1)).fault is None
    assert made == ["broken", "random"]
