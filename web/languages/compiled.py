"""The catalogues that Django reads, compiled from those that translators write, without the programs of gettext.

    python -m web.languages.compiled

It compiles each locale/LANGUAGE/LC_MESSAGES/django.po that is newer than its django.mo. A translation that is fuzzy
is left out, as gettext does it.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

import polib

FOLDER = Path(__file__).resolve().parents[2] / "locale"


def compile_all(folder: Path = FOLDER) -> list[Path]:
    """Compile the catalogues below a folder that are newer than what was compiled of them; return these, in order.

    A reader never sees a half-written file. Raises OSError for a catalogue that cannot be read, naming the line.
    """
    found = []
    for source in sorted(folder.glob("*/LC_MESSAGES/*.po")):
        made = source.with_suffix(".mo")
        if made.exists() and made.stat().st_mtime_ns >= source.stat().st_mtime_ns:
            continue
        draft = made.with_suffix(f".{os.getpid()}.part")
        polib.pofile(str(source)).save_as_mofile(str(draft))
        draft.replace(made)
        found.append(source)
    return found


if __name__ == "__main__":
    for compiled in compile_all():
        sys.stderr.write(f"Compiled {compiled.relative_to(FOLDER.parent)}.\n")
