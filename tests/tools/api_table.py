"""Write the table of permissions of the interface: `python -m tests.tools.api_table`. Read the difference."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

API = Path(__file__).resolve().parents[1] / "api"


def main() -> int:
    """Run the test of the table so that it writes what it finds; its failures show what has changed."""
    (API / "permissions.txt").write_text("", encoding="utf-8")
    command = [sys.executable, "-m", "pytest", "-q", "--no-header", "--tb=no", str(API / "test_permissions.py")]
    command += ["-k", "answers_each_role"]
    subprocess.run(command, check=False, env={**os.environ, "WRITE_TABLES": "1"})
    return 0


if __name__ == "__main__":
    sys.exit(main())
