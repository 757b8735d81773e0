"""Write the tables of permissions and of query counts: `python -m tests.tools.web_tables`. Read the difference."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

ROLES = Path(__file__).resolve().parents[1] / "web" / "roles"


def main() -> int:
    """Run the tests of both tables so that each writes what it finds; their failures show what has changed."""
    for table in ("permissions.txt", "queries.json"):
        (ROLES / table).unlink(missing_ok=True)
        (ROLES / table).write_text("{}\n" if table.endswith("json") else "", encoding="utf-8")
    command = [sys.executable, "-m", "pytest", "-q", "--no-header", "--tb=no"]
    command += [str(ROLES / "test_permissions.py"), str(ROLES / "test_query_counts.py")]
    subprocess.run(command, check=False, env={**os.environ, "WRITE_TABLES": "1"})
    return 0


if __name__ == "__main__":
    sys.exit(main())
