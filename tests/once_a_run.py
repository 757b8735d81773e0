"""What a whole run of tests makes once: files that its processes share, each made by whoever needs it first."""

from __future__ import annotations

import fcntl
import os
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.chance import drawn_for


class Workshop:
    """A folder that all processes of one run share."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def get(self, name: str, make: Callable[[Path], None]) -> Path:
        """Return the file or folder `name`; the first process that asks makes it, the others wait for that.

        `make` writes to the path that it is given; what fails halfway leaves nothing behind that counts as made.
        """
        made = self.folder / name
        if not made.exists():
            with (self.folder / f"{name}.lock").open("w") as lock:
                fcntl.flock(lock, fcntl.LOCK_EX)
                if not made.exists():
                    unfinished = self.folder / f"{name}.{os.getpid()}"
                    with drawn_for(name):
                        make(unfinished)
                    unfinished.rename(made)
        return made


def workshop_of(factory: pytest.TempPathFactory) -> Workshop:
    """Return the workshop of this run; under xdist each process has a folder below the shared one."""
    own = factory.getbasetemp()
    folder = (own.parent if os.environ.get("PYTEST_XDIST_WORKER") else own) / "once-a-run"
    folder.mkdir(exist_ok=True)
    return Workshop(folder)
