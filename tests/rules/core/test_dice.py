"""Dice: the same numbers for ever, fair, and refusing to run dry."""

import hashlib
from collections import Counter
from collections.abc import Iterator
from itertools import count, islice

import pytest

from rules.core.dice import (
    DiceRunDry,
    ScriptedDice,
    SeededDice,
    commitment,
    continued_seed,
    dice_of,
    is_continued,
    stream_seed,
)


def faces_by_hand(seed: bytes, count: int) -> list[int]:
    """The generator written a second time: SHA-256 of seed / counter, bytes from 252 up passed over."""
    faces: list[int] = []
    block = 0
    while len(faces) < count:
        digest = hashlib.sha256(seed + b"/" + str(block).encode()).digest()
        faces.extend(byte % 6 + 1 for byte in digest if byte < 252)
        block += 1
    return faces[:count]


@pytest.mark.parametrize(
    ("seed", "faces"),
    [
        (1, (1, 5, 4, 5, 3, 1, 6, 2, 2, 4, 5, 5, 3, 4, 6, 6, 3, 2, 2, 4, 1, 5, 1, 5)),
        (b"\x00" * 32, (1, 1, 5, 2, 6, 1, 2, 6, 3, 2, 6, 6)),
        ("solaris", (5, 4, 6, 1, 1, 4, 2, 6, 2, 2, 6, 1)),
    ],
)
def test_seeded_dice_are_pinned(seed: bytes | int | str, faces: tuple[int, ...]) -> None:
    """A stored match replays only while these numbers never change."""
    assert SeededDice(seed).roll(len(faces), "any") == faces
    assert faces_by_hand(seed if isinstance(seed, bytes) else str(seed).encode(), len(faces)) == list(faces)


def test_seeded_draws_are_pinned() -> None:
    dice = SeededDice(7)
    assert [dice.draw(size, "any") for size in (2, 3, 6, 10, 100, 1000, 65536, 1)] == [0, 0, 2, 2, 79, 316, 28689, 0]
    assert dice.roll(4, "any") == (2, 2, 6, 5)


def test_the_purpose_and_the_size_of_a_roll_do_not_matter() -> None:
    together = SeededDice(3).roll(9, "one")
    dice = SeededDice(3)
    assert dice.roll(2, "a") + dice.roll(3, "b") + dice.roll(4, "c") == together


def chi_square(counts: Counter[int], size: int) -> float:
    expected = counts.total() / size
    return sum((counts[value] - expected) ** 2 / expected for value in range(size))


def test_faces_are_equally_likely() -> None:
    """Chi-square of 60,000 dice, five degrees of freedom: 20.5 is passed by one fair seed in a thousand."""
    counts = Counter(face - 1 for face in SeededDice(2026).roll(60_000, "any"))
    assert set(counts) == set(range(6))
    assert chi_square(counts, 6) < 20.5


def test_faces_do_not_follow_each_other() -> None:
    """Chi-square of 36 pairs of neighbours, 35 degrees of freedom: 66.6 at one in a thousand."""
    faces = SeededDice("pairs").roll(72_000, "any")
    counts = Counter((a - 1) * 6 + b - 1 for a, b in zip(faces[::2], faces[1::2], strict=True))
    assert chi_square(counts, 36) < 66.6


@pytest.mark.parametrize(("size", "bound"), [(3, 13.8), (7, 22.5), (40, 72.1)])
def test_draws_are_uniform(size: int, bound: float) -> None:
    """Chi-square at one in a thousand for size - 1 degrees of freedom."""
    dice = SeededDice(size)
    counts = Counter(dice.draw(size, "any") for _ in range(1000 * size))
    assert set(counts) == set(range(size))
    assert chi_square(counts, size) < bound


def bytes_by_hand(key: bytes) -> Iterator[int]:
    for counter in count():
        yield from hashlib.sha256(key + b"/" + str(counter).encode()).digest()


def draw_by_hand(stream: Iterator[int], size: int, width: int) -> int:
    ceiling = 256**width - 256**width % size
    while True:
        value = int.from_bytes(islice(stream, width))
        if value < ceiling:
            return value % size


def test_draws_take_two_bytes_up_to_65536_and_as_many_as_they_need_beyond() -> None:
    """A stored season draws again only while this never changes."""
    sizes = [1, 2, 173, 255, 256, 257, 40_000, 65_535, 65_536]
    sizes += [65_537, 1_439_573, 2**24, 2**24 + 1, 1_331_334_000, 2**40]
    widths = [2] * 9 + [3] * 3 + [4] * 2 + [5]
    stream, dice = bytes_by_hand(b"wide"), SeededDice("wide")
    for _ in range(50):
        assert [dice.draw(size, "any") for size in sizes] == [
            draw_by_hand(stream, size, width) for size, width in zip(sizes, widths, strict=True)
        ]


def test_a_wide_draw_is_uniform() -> None:
    """Chi-square of twenty equal parts, 19 degrees of freedom: 43.8 at one in a thousand."""
    dice, size = SeededDice("uniform"), 1_439_580
    counts = Counter(dice.draw(size, "any") // (size // 20) for _ in range(20_000))
    assert set(counts) == set(range(20))
    assert chi_square(counts, 20) < 43.8


@pytest.mark.parametrize("size", [0, -1])
def test_a_draw_among_none_is_an_error(size: int) -> None:
    with pytest.raises(ValueError, match="draw size"):
        SeededDice(1).draw(size, "any")


def test_other_seeds_give_other_dice() -> None:
    rolls = {SeededDice(seed).roll(20, "any") for seed in range(200)}
    assert len(rolls) == 200
    assert SeededDice(5).roll(20, "any") == SeededDice("5").roll(20, "any") == SeededDice(b"5").roll(20, "any")


# --- scripted ---------------------------------------------------------------------------------------------------


def test_scripted_dice_give_what_the_script_says_and_tell_what_is_left() -> None:
    dice = ScriptedDice([6, 1, 3, 4, 2])
    assert dice.roll(3, "attack") == (6, 1, 3)
    assert dice.left == (4, 2)
    assert dice.draw(6, "token") == 3
    assert dice.left == (2,)
    assert dice.purposes == ["attack", "token"]


def test_scripted_dice_refuse_to_run_dry() -> None:
    dice = ScriptedDice([6, 1])
    with pytest.raises(DiceRunDry, match="attack asks for 3 dice"):
        dice.roll(3, "attack")
    assert dice.left == (6, 1)


def test_scripted_draws_among_one_take_no_die_and_among_too_few_fail() -> None:
    dice = ScriptedDice([6])
    assert dice.draw(1, "token") == 0
    assert dice.left == (6,)
    with pytest.raises(DiceRunDry, match="1 to 5"):
        dice.draw(5, "token")


# --- secrets ----------------------------------------------------------------------------------------------------


def test_streams_of_one_secret_are_independent() -> None:
    seed = stream_seed(b"secret", "draw", 1)
    assert seed.hex() == "a3ca8d4caee7c432d88f17aa4a7cd07c35533b5db479aa9b14efaef6f75f7a23"
    others = {stream_seed(b"secret", "draw", 2), stream_seed(b"other", "draw", 1), stream_seed(b"secret", "draw1")}
    assert len(others | {seed, stream_seed(b"secret", "draw", "1")}) == 5


def test_the_commitment_hides_and_binds_the_seed() -> None:
    assert commitment(b"seed") == hashlib.sha256(b"commitment/seed").hexdigest()
    assert commitment(b"seed") != commitment(b"seee")
    assert len(commitment(b"")) == 64


@pytest.mark.parametrize("faces", [0, 1, 31, 32, 33, 64, 200])
def test_continued_dice_repeat_the_known_rolls_and_go_on_from_their_own_secret(faces: int) -> None:
    """Also across the blocks of the generator, and once more from dice that went on already."""
    seed = stream_seed(b"secret", "match", faces)
    known = dice_of(seed)
    rolled = known.roll(faces, "before")
    first = continued_seed(seed, known.used, b"fourteen bytes")
    dice = dice_of(first)
    assert dice.roll(faces, "before") == rolled
    later = dice.roll(50, "after")
    assert later != known.roll(50, "after")
    second = dice_of(continued_seed(first, dice.used, b"bytes fourteen"))
    assert (second.roll(faces, "before"), second.roll(50, "after")) == (rolled, later)
    assert second.draw(1000, "token") != dice.draw(1000, "token")
    # From before the place at which they went on, only the first rolls are kept.
    early = continued_seed(first, 0, b"bytes fourteen")
    assert len(early) == len(first)
    assert dice_of(early).roll(9, "before") == SeededDice(b"bytes fourteen").roll(9, "before")


def test_dice_go_on_from_a_seed_of_a_match_and_only_so_often() -> None:
    seed = stream_seed(b"secret", "match", 1)
    twice = continued_seed(continued_seed(seed, 10, b"fourteen bytes"), 20, b"bytes fourteen")
    assert [is_continued(each) for each in (seed, twice, b"short")] == [False, True, False]
    assert len(twice) == 64
    for given, used, fresh in ((twice, 30, b"fourteen bytes"), (b"short", 1, b"fourteen bytes"), (seed, 1, b"short")):
        with pytest.raises(ValueError, match=r"go on|continued"):
            continued_seed(given, used, fresh)
    with pytest.raises(ValueError, match="too far"):
        continued_seed(seed, 65_536, b"fourteen bytes")
