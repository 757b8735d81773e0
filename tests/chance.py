"""What chance gives in a test: the same in every run."""

import random
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def drawn_for(name: str) -> Iterator[None]:
    """Let `random`, SystemRandom and secrets of this process draw what the name decides.

    The seeds of seasons and matches, which players must not guess, come from there.
    """
    before, state = vars(random)["_urandom"], random.getstate()
    vars(random)["_urandom"] = random.Random(name).randbytes
    random.seed(name)
    try:
        yield
    finally:
        vars(random)["_urandom"] = before
        random.setstate(state)
