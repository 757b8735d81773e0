"""Write requirements.hashes.txt again: the packages of requirements.txt with the hashes of the wheels for the image.

    python -m tests.tools.hashes

pip answers which wheels it would take for Python 3.13 on both processors that images are built for. Nothing is
installed. Run it after each change of requirements.txt.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
INDEX = "https://pypi.org/simple"
PYTHON = "3.13"
PROCESSORS = ("x86_64", "aarch64")
SYSTEMS = ("manylinux_2_28", "manylinux_2_17", "manylinux2014")
HEAD = """\
# The packages of requirements.txt with the hashes of their wheels, for the image of the Dockerfile.
# `python -m tests.tools.hashes` writes this file; do not edit it.
"""


def wheels(processor: str, folder: Path) -> dict[str, str]:
    """Return the SHA-256 of each wheel that pip would take on a processor, by `name==version`."""
    report = folder / f"{processor}.json"
    platforms = [part for system in SYSTEMS for part in ("--platform", f"{system}_{processor}")]
    command = [sys.executable, "-m", "pip", "install", "--isolated", "--dry-run", "--ignore-installed", "--no-deps"]
    command += ["--quiet", "--report", str(report), "--target", str(folder), "--only-binary", ":all:"]
    command += ["--index-url", INDEX, "--python-version", PYTHON, "--implementation", "cp", *platforms]
    subprocess.run([*command, "-r", str(ROOT / "requirements.txt")], check=True)
    found = {}
    for each in json.loads(report.read_text(encoding="utf-8"))["install"]:
        name = each["metadata"]["name"].lower().replace("_", "-").replace(".", "-")
        found[f"{name}=={each['metadata']['version']}"] = each["download_info"]["archive_info"]["hashes"]["sha256"]
    return found


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        found = [wheels(processor, Path(folder)) for processor in PROCESSORS]
    lines = [
        " \\\n".join([package, *sorted({f"    --hash=sha256:{each[package]}" for each in found})])
        for package in sorted(found[0])
    ]
    (ROOT / "requirements.hashes.txt").write_text(HEAD + "\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
