"""Dice, passed in: seeded for play, scripted for tests. Every roll names its purpose.

`SeededDice` is a counter-based generator over SHA-256, so its numbers depend on the seed and on the count of
draws alone, on every Python version and machine.
"""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Iterable, Sequence
from typing import Protocol

from rules.core.codec import canonical_json


class Dice(Protocol):
    """The dice that a match asks for."""

    def roll(self, count: int, purpose: str) -> tuple[int, ...]:
        """Return `count` results of a six-sided die, each 1 to 6."""

    def draw(self, size: int, purpose: str) -> int:
        """Return a uniform number from 0 to `size` - 1; `size` is at least 1."""


class DiceRunDry(Exception):
    """The error for a roll that the script of scripted dice cannot answer."""


BLOCK = hashlib.sha256().digest_size
"""The bytes that dice take from a seed at a time."""

NO_FACE = 0
FACES = bytes(byte % 6 + 1 if byte < 252 else NO_FACE for byte in range(256))
"""The face that each byte shows; NO_FACE for the last four, which would favour some faces."""


class SeededDice:
    """Dice from a seed (bytes, an integer or a text). One seed always gives the same rolls in the same order."""

    __slots__ = ("_bytes", "_counter", "_key", "_offset")

    def __init__(self, seed: bytes | int | str) -> None:
        if isinstance(seed, bytes):
            self._key = seed
        else:
            self._key = str(seed).encode()
        self._counter = 0
        self._bytes = b""
        self._offset = 0

    def __eq__(self, other: object) -> bool:
        """Return whether the other dice have the same seed, and as many of them have fallen."""
        return isinstance(other, SeededDice) and (self._key, self._counter, self._offset) == (
            other._key, other._counter, other._offset,
        )  # fmt: skip

    # Dice change as they fall, so they cannot be a key. Python says that with None, where mypy wants a method.
    __hash__ = None  # type: ignore[assignment]

    @property
    def used(self) -> int:
        """The number of bytes that the rolls so far have taken."""
        return self._counter * BLOCK - len(self._bytes) + self._offset

    def _byte(self) -> int:
        offset = self._offset
        if offset >= len(self._bytes):
            self._bytes = hashlib.sha256(self._key + b"/" + str(self._counter).encode()).digest()
            self._counter += 1
            offset = 0
        self._offset = offset + 1
        return self._bytes[offset]

    def roll(self, count: int, purpose: str) -> tuple[int, ...]:
        """Return `count` dice; bytes from 252 up are skipped, so each face is equally likely.

        >>> SeededDice(7).roll(3, "attack")
        (2, 3, 2)
        """
        end = self._offset + count
        faces = self._bytes[self._offset : end].translate(FACES)
        if len(faces) == count and NO_FACE not in faces:
            self._offset = end
            return tuple(faces)
        found: list[int] = []
        while len(found) < count:
            face = FACES[self._byte()]
            if face != NO_FACE:
                found.append(face)
        return tuple(found)

    def draw(self, size: int, purpose: str) -> int:
        """Return 0 to `size` - 1, each equally likely, from two bytes or as many as `size` needs.

        Bytes that would favour some numbers are drawn again. Raises ValueError for a size below 1.

        >>> dice = SeededDice("a seed")
        >>> [dice.draw(10, "token") for _ in range(4)]
        [3, 8, 9, 1]
        """
        if size < 1:
            raise ValueError(f"draw size {size} is not 1 or more")
        count = max(2, ((size - 1).bit_length() + 7) // 8)
        ceiling = 256**count - 256**count % size
        while True:
            value = 0
            for _ in range(count):
                value = value << 8 | self._byte()
            if value < ceiling:
                return value % size


SEED, FRESH, PLACE = 32, 14, 2
"""The bytes of a match's seed; of the secret with which dice go on from a known place; and of the place itself."""

MOST_CONTINUED = 2
"""How often dice may go on from others that went on: so many secrets fit into the 64 bytes of a stored seed."""


class ContinuedDice(SeededDice):
    """Dice that roll as those of a known seed did up to some place, and from there on from a secret of their own.

    The seed is the known one, then for each continuation the number of bytes after which it begins, and its secret
    (`continued_seed`).
    """

    __slots__ = ("_before", "_parts")

    def __init__(self, seed: bytes) -> None:
        super().__init__(seed[:SEED])
        rest = seed[SEED:]
        self._before = 0
        self._parts = tuple(
            (int.from_bytes(rest[at : at + PLACE], "big"), rest[at + PLACE : at + PLACE + FRESH])
            for at in range(0, len(rest), PLACE + FRESH)
        )

    @property
    def used(self) -> int:
        """The number of bytes that the rolls so far have taken."""
        return self._before + self._offset

    def _byte(self) -> int:
        if self._offset >= len(self._bytes):
            self._before += len(self._bytes)
            while self._parts and self._before >= self._parts[0][0]:
                self._key, self._counter = self._parts[0][1], 0
                self._parts = self._parts[1:]
            block = hashlib.sha256(self._key + b"/" + str(self._counter).encode()).digest()
            self._counter += 1
            self._bytes = block[: self._parts[0][0] - self._before] if self._parts else block
            self._offset = 0
        self._offset += 1
        return self._bytes[self._offset - 1]


CONTINUED_SIZES = tuple(SEED + times * (PLACE + FRESH) for times in range(1, MOST_CONTINUED + 1))
"""The lengths of the seeds of `continued_seed`."""


def is_continued(seed: bytes) -> bool:
    """Return whether a seed is one of `continued_seed`."""
    return len(seed) in CONTINUED_SIZES


def dice_of(seed: bytes) -> SeededDice:
    """Return the dice of a match's seed."""
    return ContinuedDice(seed) if is_continued(seed) else SeededDice(seed)


def continued_seed(seed: bytes, used: int, fresh: bytes) -> bytes:
    """Return the seed of dice that roll the first `used` bytes as those of `seed` and go on from the secret `fresh`.

    `fresh` has FRESH bytes. Raises ValueError for a seed that is not one of a match, or was continued MOST_CONTINUED
    times before that place, and for a place that is too far.

    >>> old = stream_seed(b"secret", "match", 1)
    >>> dice = dice_of(old)
    >>> first = dice.roll(40, "attack")
    >>> new = dice_of(continued_seed(old, dice.used, b"fourteen bytes"))
    >>> new.roll(40, "attack") == first, new.roll(9, "attack") == dice.roll(9, "attack")
    (True, False)
    """
    if len(fresh) != FRESH or not (len(seed) == SEED or is_continued(seed)):
        raise ValueError("not a seed to go on from")
    known, rest = seed[:SEED], seed[SEED:]
    for at in range(0, len(rest), PLACE + FRESH):
        # What began at or after the place has rolled nothing yet.
        if int.from_bytes(rest[at : at + PLACE], "big") < used:
            known += rest[at : at + PLACE + FRESH]
    if used >= 256**PLACE or len(known) > SEED + (MOST_CONTINUED - 1) * (PLACE + FRESH):
        raise ValueError("continued too often, or too far")
    return known + used.to_bytes(PLACE, "big") + fresh


class ScriptedDice:
    """Dice from a list, for tests and scenarios: they raise when the list runs dry, and say what is left over.

    >>> dice = ScriptedDice([6, 5, 4])
    >>> dice.roll(2, "initiative"), dice.left, dice.purposes
    ((6, 5), (4,), ['initiative'])
    """

    __slots__ = ("_next", "_values", "purposes")

    def __init__(self, values: Iterable[int]) -> None:
        self._values: Sequence[int] = tuple(values)
        self._next = 0
        self.purposes: list[str] = []

    def __eq__(self, other: object) -> bool:
        """Return whether the other dice have the same script, and as many of them have fallen."""
        return isinstance(other, ScriptedDice) and (self._values, self._next) == (other._values, other._next)

    # Dice change as they fall, so they cannot be a key. Python says that with None, where mypy wants a method.
    __hash__ = None  # type: ignore[assignment]

    def roll(self, count: int, purpose: str) -> tuple[int, ...]:
        """Return the next `count` scripted dice. Raises DiceRunDry when there are fewer."""
        end = self._next + count
        if end > len(self._values):
            left = list(self._values[self._next :])
            raise DiceRunDry(f"{purpose} asks for {count} dice and the script has {left} left")
        faces = tuple(self._values[self._next : end])
        self._next = end
        self.purposes.append(purpose)
        return faces

    def draw(self, size: int, purpose: str) -> int:
        """Return the next scripted die less one; a size of 1 takes no die.

        Raises DiceRunDry when the script is at its end or its die exceeds `size`.
        """
        if size == 1:
            return 0
        (face,) = self.roll(1, purpose)
        if face > size:
            raise DiceRunDry(f"{purpose} asks for 1 to {size} and the script says {face}")
        return face - 1

    @property
    def left(self) -> tuple[int, ...]:
        """The scripted dice that nobody has rolled yet."""
        return tuple(self._values[self._next :])


def stream_seed(secret: bytes, *parts: str | int) -> bytes:
    """Return the 32-byte seed of one stream: HMAC-SHA256 of the parts' canonical JSON under `secret`."""
    return hmac.new(secret, canonical_json(list(parts)).encode(), hashlib.sha256).digest()


def commitment(seed: bytes) -> str:
    """Return the hash of a seed, 64 hex digits: it is shown before a match, and the seed after it.

    >>> commitment(stream_seed(b"secret", "match", 1))[:16]
    '2eea9552a2b900c7'
    """
    return hashlib.sha256(b"commitment/" + seed).hexdigest()
