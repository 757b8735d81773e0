"""What turrets, tanks and mines do, as the book says it."""

import doctest

from rules.challenge.surprises import CONTENTS, tank_with
from rules.challenge.turrets import CLASSES
from rules.wording import challenge_surprises as words


def test_the_examples_of_the_docstrings_hold() -> None:
    assert doctest.testmod(words).failed == 0


def test_every_class_and_every_content_has_words() -> None:
    """MC-MINE-02 too: above 10 the sentence warns."""
    assert (tuple(words.TURRETS), tuple(words.CONTENTS)) == (CLASSES, CONTENTS)
    assert all(tank_with(contents).factor for contents in words.CONTENTS)
    assert "MC-TANK-02" in words.tank_words(tank_with("deadly"), "deadly", 40)
    assert "10 (MC-MINE-02)" in words.mines_words(11)
    assert "10 (MC-MINE-02)" not in words.mines_words(10)
