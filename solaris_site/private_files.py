"""Folders and files that only the user of the site may read. What is there already keeps its permissions."""

from __future__ import annotations

import os
from pathlib import Path


def make_private_folder(path: Path) -> None:
    """Make a folder, with those above it, that nobody else may enter, unless it exists."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.mkdir(mode=0o700, exist_ok=True)


def make_private_file(path: Path) -> None:
    """Make an empty file that nobody else may read, unless it exists or its folder takes none.

    SQLite gives the files beside its database the permissions of the database.
    """
    try:
        os.close(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))
    except OSError:
        # It is there, or whoever opens it reports what is wrong with its folder.
        pass
