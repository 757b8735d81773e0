"""What the count of questions says of duels, and that the standing answers of solo play reach the goal."""

from collections import Counter

from rules.bots.preset_answers import ROUTINE
from rules.tools import questions


def test_shares_are_by_duel_and_by_round_with_medians() -> None:
    one = Counter({(0, "start"): 1, (1, "move"): 2, (1, "initiative"): 1})
    two = Counter({(0, "start"): 1, (1, "rally"): 1, (2, "combat"): 2})
    lines = list(questions.report([one, two, two]))
    assert lines[-2] == "a duel asks 4 questions (median); 25.0% of them are no orders (median)"
    assert lines[-1].endswith("reached")
    assert [line.split() for line in lines if line.startswith("  round")] == [
        ["round", "1", "3", "1.0", "100%"],
        ["round", "2", "2", "2.0", "0%"],
    ]
    assert "  rally         0.67" in lines
    assert "  combat        1.33  order" in lines
    assert list(questions.report([Counter({(1, "rally"): 1})]))[-1].endswith("not reached")


def test_a_duel_is_played_to_its_end_and_alike_with_the_same_numbers() -> None:
    asked = questions.duel(3, 1, ROUTINE)
    assert asked == questions.duel(3, 1, ROUTINE)
    assert asked[0, "start"] == 1
    assert {"move", "combat"} <= {kind for _, kind in asked}


def test_the_standing_answers_of_solo_play_take_questions_away_and_no_orders() -> None:
    with_them, without = (sum((questions.duel(n, 1, s) for n in range(4)), Counter()) for s in (ROUTINE, {}))

    def kinds(asked: Counter[tuple[int, str]]) -> set[str]:
        return {kind for _, kind in asked}

    assert not kinds(with_them) & {"cancel", "restart", "revive"}
    assert kinds(without) & questions.ORDERS == kinds(with_them) & questions.ORDERS
