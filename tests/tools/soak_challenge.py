"""Play random evenings of the Melee Challenge, and check what must always be true.

python -m tests.tools.soak_challenge [--evenings N] [--first S] [--pilots P] [--turns T]
"""

import argparse
import sys
import time
from collections import Counter
from collections.abc import Mapping
from typing import NamedTuple

from rules.challenge.checking import faults_of_folding
from rules.challenge.entries import read_entry
from rules.challenge.generator.evening import evening
from rules.challenge.generator.setting import event_of, setup
from rules.challenge.kinds import KINDS


class Soaked(NamedTuple):
    """What was played: evenings and entries, and how many entries of each kind."""

    evenings: int
    entries: int
    kinds: Mapping[str, int]


def soak(evenings: int, first: int, pilots: int, turns: int) -> Soaked:
    """Play the evenings of so many seeds from `first` on. Raises AssertionError with what is broken."""
    kinds: Counter[str] = Counter()
    for seed in range(first, first + evenings):
        entries = [read_entry(document, KINDS) for document in evening(pilots, turns, seed)]
        broken = list(faults_of_folding(lambda seed=seed: event_of(setup(seed, turns)), entries))  # type: ignore[misc]
        assert not broken, f"seed {seed}: {broken[:5]}"
        kinds.update(entry.what for entry in entries)
    return Soaked(evenings, kinds.total(), kinds)


def main(arguments: list[str] | None = None) -> int:
    """Run the command; return the exit status."""
    parser = argparse.ArgumentParser(prog="python -m tests.tools.soak_challenge", description=__doc__.splitlines()[0])
    parser.add_argument("--evenings", type=int, default=200, help="number of evenings (default %(default)s)")
    parser.add_argument("--first", type=int, default=1, help="seed of the first evening (default %(default)s)")
    parser.add_argument("--pilots", type=int, default=48, help="players of an evening (default %(default)s)")
    parser.add_argument("--turns", type=int, default=60, help="turns of an evening (default %(default)s)")
    options = parser.parse_args(arguments)
    started = time.perf_counter()
    played = soak(options.evenings, options.first, options.pilots, options.turns)
    print(f"{played.evenings} evenings, {played.entries} entries, {time.perf_counter() - started:.0f} s: no fault")
    missing = [name for name in KINDS if not played.kinds[name]]
    assert not missing, f"kinds of entry that never came: {missing}"
    rarest = min(KINDS, key=lambda name: played.kinds[name])
    print(f"all {len(KINDS)} kinds of entry came, the rarest {played.kinds[rarest]} times: {rarest}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
