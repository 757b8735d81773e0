"""Print how many statements and branches of each room the tests reach: `make coverage`.

    python -m tests.tools.coverage_by_room FILE

FILE is what `coverage json` writes. Counts what the processes of pytest themselves run: not the processes that tests
start.
"""

from __future__ import annotations

import json
import sys
from collections import defaultdict
from pathlib import Path
from typing import Any

COUNTS = ("covered_lines", "num_statements", "covered_branches", "num_branches")


def by_room(document: dict[str, Any]) -> dict[str, dict[str, int]]:
    """Return the counts of each room: of `rules` each folder is one."""
    rooms: dict[str, dict[str, int]] = defaultdict(lambda: dict.fromkeys(COUNTS, 0))
    for name, file in document["files"].items():
        parts = Path(name).parts
        room = "/".join(parts[: 2 if parts[0] == "rules" and len(parts) > 2 else 1])
        for count in COUNTS:
            rooms[room][count] += file["summary"][count]
    return dict(sorted(rooms.items()))


def main() -> int:
    """Print the table."""
    rooms = by_room(json.loads(Path(sys.argv[1]).read_text(encoding="utf-8")))
    rooms["all"] = {count: sum(each[count] for each in rooms.values()) for count in COUNTS}
    print("| room | statements | branches |\n|---|---|---|")
    for room, each in rooms.items():
        cells = []
        for covered, whole in (COUNTS[:2], COUNTS[2:]):
            share = 100 * each[covered] / (each[whole] or 1)
            cells.append(f"{share:.2f} % ({each[covered]} of {each[whole]})")
        print(f"| {room} | {' | '.join(cells)} |")
    return 0


if __name__ == "__main__":
    sys.exit(main())
