"""The Chromium that tests and the tour look at pages with: where it is, and how it starts."""

import os
import shutil
from pathlib import Path

NAMES = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome", "chrome")
"""What to look for, best first: the shell draws the same pages and spares the windows around them."""
FLAGS = ["--disable-gpu", "--disable-quic"]
"""What Playwright does not tell it anyway."""


def find_chromium() -> str | None:
    """Return the path of an installed Chromium, from CHROMIUM or the search path; None where there is none."""
    named = os.environ.get("CHROMIUM", "")
    if named:
        return named if Path(named).exists() else None
    return next((path for name in NAMES if (path := shutil.which(name))), None)
