"""Tests wait for states, never for a time: who sleeps says here why."""

import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]

SLEEPS = {
    "tests/waiting.py": "asks again and again for what is awaited",
    "tests/faults/trial.py": "asks for sweeps as beat does, and kills at a random moment",
    "tests/matches/test_advice.py": "hangs, until it is left behind",
    "tests/matches/test_patience.py": "comes back at about the moment at which it is given up; either is right",
    "tests/rules/measuring/dying.py": "leaves work to other processes",
    "tests/services/study_app.py": "works slowly, so that it can be killed in the middle",
    "tests/tools/bench_seasons.py": "looks again and again how far the seasons are",
    "tests/tools/tour.py": "lets a picture settle",
}
"""Which file sleeps, and what for. None decides whether a test passes."""


def test_no_test_sleeps() -> None:
    call = re.compile(r"\b(time\.sleep|wait_for_timeout)\(")
    found = {
        str(path.relative_to(ROOT))
        for path in sorted((ROOT / "tests").rglob("*.py"))
        if path != Path(__file__) and call.search(path.read_text(encoding="utf-8"))
    }
    assert found == set(SLEEPS)
