"""A process that enters one cheer of the crowd after another, notes each number in a file, and never stops by itself.

python -m tests.challenge.killed_writer EVENT FILE
"""

from __future__ import annotations

import itertools
import os
import sys
from pathlib import Path


def main(event_id: int, file: Path) -> None:
    import django

    django.setup()
    from challenge.services.books import Wish, write
    from rules.challenge.book.rows import DEED
    from tests.challenge.conftest import AGENT

    for number in itertools.count(1):
        wish = Wish(f"press-{number}", DEED, {"what": "crowd", "by": "Jo", "table": "Factory", "turn": 1})
        with file.open("a") as notes:
            notes.write(f"{number} {write(event_id, AGENT, [wish])[0]}\n")


if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "solaris_site.settings")
    main(int(sys.argv[1]), Path(sys.argv[2]))
