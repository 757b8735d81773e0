"""Turrets, storage tanks, minefields."""

import pytest

from rules.challenge import surprises, turrets


def test_a_turret_finds_its_target_on_more_than_eight() -> None:
    """MC-TUR-04."""
    assert [turrets.acquires(dice) for dice in ((4, 4), (4, 5), (6, 6))] == [False, True, True]
    assert turrets.gunnery() == 5


@pytest.mark.parametrize(("turret", "factor"), [("light", 20), ("medium_heavy", 40), ("assault", 60)])
def test_a_turret_falls_by_its_whole_factor_in_one_turn(turret: str, factor: int) -> None:
    """MC-TUR-05; what earlier turns did is wiped (MC-TUR-06), so only one turn is ever asked about."""
    assert turrets.factor(turret) == factor
    assert turrets.is_destroyed(turret, [factor - 5, 5])
    assert not turrets.is_destroyed(turret, [factor - 1])
    assert not turrets.is_destroyed(turret, [])


@pytest.mark.parametrize(
    ("die", "counts"), [(1, [4, 4, 3]), (2, [4, 3, 3]), (3, [1, 1, 1]), (4, [1, 1, 1]), (5, [1, 1, 1]), (6, [1, 1, 1])]
)
def test_autocannons_to_choose_from(die: int, counts: list[int]) -> None:
    """MC-TUR-07: 1 and 2 leave a choice at random, the others name one weapon."""
    assert [len(turrets.weapons(each, die)) for each in turrets.CLASSES] == counts


def test_the_weapon_of_a_turret() -> None:
    """MC-TUR-07."""
    assert turrets.weapons("light", 1)[2] == "Rotary AC/2"
    assert turrets.weapons("assault", 2)[0] == "Ultra AC/20"
    assert turrets.weapons("medium_heavy", 3) == ("Gauss Rifle",)
    assert turrets.weapons("assault", 6) == ("LRM 20",)


@pytest.mark.parametrize(
    ("contents", "tank"),
    [
        ("class_0", ("light", 20)),
        ("class_1", ("light", 20)),
        ("class_2", ("medium", 30)),
        ("class_3", ("heavy", 40)),
        ("deadly", ("heavy", 40)),
        ("explosive", ("explosive", 50)),
    ],
)
def test_what_a_storage_tank_stands(contents: str, tank: tuple[str, int]) -> None:
    """MC-TANK-01."""
    assert surprises.tank_with(contents) == tank


def test_there_is_no_tank_for_anything_else() -> None:
    with pytest.raises(LookupError):
        surprises.tank_with("beer")


def test_an_explosion_reaches_two_hexes() -> None:
    """MC-TANK-03: 20 next to it and 10 at two hexes, in groups of 5."""
    assert surprises.explosion(1) == (5, 5, 5, 5)
    assert surprises.explosion(2) == (5, 5)
    assert surprises.explosion(3) == ()
