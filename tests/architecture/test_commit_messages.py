"""The hook that asks for subjects of commits in the imperative."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

HOOK = Path(__file__).resolve().parents[2] / ".githooks" / "commit-msg"


def refusal(folder: Path, message: str) -> str:
    """What the hook says against a message; empty when it passes."""
    file = folder / "message"
    file.write_text(message, encoding="utf-8")
    done = subprocess.run([str(HOOK), str(file)], capture_output=True, text=True)
    assert bool(done.returncode) == bool(done.stderr)
    return done.stderr


@pytest.mark.parametrize(
    "message",
    [
        "Add a hook",
        "# a comment\n\nAdd a hook\n\nfixed long ago.\n",
        "A" * 72,
        "A" + "ö" * 71,
        "Address the reader",
        "Process what waits",
        "Merge branch 'small' into main, which has a name that is much longer than a subject may be.",
        'Revert "add a hook."',
        "fixup! add a hook.",
        "squash! add a hook.",
        "amend! add a hook.",
    ],
)
def test_subjects_that_pass(tmp_path: Path, message: str) -> None:
    assert refusal(tmp_path, message) == ""


@pytest.mark.parametrize(
    ("message", "sentence"),
    [
        ("", "it has no subject."),
        ("# only a comment\n", "it has no subject."),
        ("A" * 73, "its subject has 73 characters"),
        ("Add a hook.", "ends with a full stop."),
        ("add a hook", "does not begin with a capital letter."),
        ("Added a hook", "does not begin in the imperative"),
        ("Adding a hook", "does not begin in the imperative"),
        ("Adds a hook", "does not begin in the imperative"),
    ],
)
def test_subjects_that_are_refused(tmp_path: Path, message: str, sentence: str) -> None:
    assert sentence in refusal(tmp_path, message)
