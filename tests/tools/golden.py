"""Golden replays: whole matches as text, compared line by line.

python -m tests.tools.golden          write tests/golden/*.txt again; read the difference before you commit it
"""

import random
import sys
from pathlib import Path
from typing import Any

from rules import RULES_VERSION, bots
from rules.catalogue import load_builtin
from rules.competition.formats import FORMATS
from rules.competition.match import Match
from rules.competition.notation import to_text
from rules.core.codec import content_hash
from rules.core.dice import SeededDice, commitment
from rules.measuring.self_play import random_setup

FOLDER = Path(__file__).resolve().parent.parent / "golden"
MATCHES_A_FORMAT = 4


def names() -> list[str]:
    """One name a golden replay: format and number."""
    return [f"{format_key}-{number}" for format_key in FORMATS for number in range(1, MATCHES_A_FORMAT + 1)]


def replay(name: str) -> dict[str, Any]:
    """Play the match of that name: greedy bots in odd ones, random ones in even ones."""
    format_key, number = name.rsplit("-", 1)
    setup = random_setup(load_builtin(), random.Random(f"golden/{name}"), format_key)
    seed = bytes.fromhex(content_hash(["golden", name]))
    match = Match.start(setup, SeededDice(seed))
    bot = bots.get("greedy" if int(number) % 2 else "random")
    bots.play_out(match, {side.key: bot for side in setup.sides}, random.Random(name))
    assert match.result is not None
    return {
        "rules_version": RULES_VERSION,
        "setup": setup.to_json(),
        "seed": seed.hex(),
        "seed_commitment": commitment(seed),
        "actions": match.actions,
        "events": match.events,
        "result": match.result.to_json(),
    }


def main() -> int:
    """Write every golden replay and print which have changed."""
    for name in names():
        path = FOLDER / f"{name}.txt"
        text = to_text(replay(name))
        changed = not path.exists() or path.read_text(encoding="utf-8") != text
        path.write_text(text, encoding="utf-8")
        print(f"{path.name}: {'written' if changed else 'unchanged'}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
