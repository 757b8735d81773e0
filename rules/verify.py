"""Check a downloaded replay, dice included, in its JSON or its text form.

    python -m rules.verify FILE [--json [FILE]]
    python -m rules.verify FILE --text     print the text form, a fact on each line, and check nothing

Exit status 0 when the replay is ok or was recorded under other rules, 1 when it differs or is no replay.
"""

from __future__ import annotations

import argparse
import json
import sys
from dataclasses import asdict
from pathlib import Path
from typing import Any

from rules.competition.notation import from_text, to_text
from rules.competition.verification import Outcome, verify
from rules.core.refusals import Malformed
from rules.wording.refusals import sentence

UNREADABLE = (OSError, ValueError, LookupError, TypeError, AttributeError, ArithmeticError, RecursionError)
"""What reading a file that holds something else leads to."""


def read(path: Path) -> Any:
    """Read a replay document from either form, with a byte order mark or without.

    Raises OSError, ValueError, RecursionError or Malformed (bad_replay).
    """
    text = path.read_text(encoding="utf-8-sig")
    return from_text(text) if text.startswith("replay ") else json.loads(text)


def main(arguments: list[str] | None = None) -> int:
    """Run the command; return the exit status."""
    parser = argparse.ArgumentParser(prog="python -m rules.verify", description="Check a downloaded replay.")
    parser.add_argument("file", type=Path, metavar="FILE", help="a replay, as JSON or in its text form")
    parser.add_argument("--text", action="store_true", help="print the text form and check nothing")
    parser.add_argument(
        "--json", nargs="?", const="-", metavar="FILE", help="write JSON to FILE; without FILE, print only JSON"
    )
    options = parser.parse_args(arguments)
    try:
        document = read(options.file)
        if options.text:
            print(to_text(document), end="")
            return 0
        found = verify(document)
    except (*UNREADABLE, Malformed) as problem:
        print(f"{options.file}: not a replay: {_said(problem)}", file=sys.stderr)
        return 1
    report = json.dumps({**asdict(found), "outcome": found.outcome.value}, indent=2)
    if options.json == "-":
        print(report)
    else:
        print(f"{options.file}: {found.outcome.value}, {found.events} events")
        if found.outcome is Outcome.DIFFERS:
            if found.sequence is not None:
                print(f"first difference: action {found.sequence}, event {found.position}")
            print(f"  stored   {json.dumps(found.stored)}")
            print(f"  replayed {json.dumps(found.replayed)}")
        if options.json:
            Path(options.json).write_text(report + "\n", encoding="utf-8")
    return 1 if found.outcome is Outcome.DIFFERS else 0


def _said(problem: Exception) -> str:
    """Return a problem as a sentence."""
    if isinstance(problem, Malformed):
        return sentence(problem.code, problem.parameters)
    return str(problem) if isinstance(problem, (OSError, ValueError)) else repr(problem)


if __name__ == "__main__":
    sys.exit(main())
