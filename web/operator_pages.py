"""The operator's own pages: an imprint, a privacy page, a contact page, as Markdown files in a folder of theirs.

The folder is OPERATOR_PAGES. `imprint.md` is a page for every reader, `imprint.de.md` the same page in German. A file
that cannot be shown counts as absent: `problems` says why, and `check --deploy` prints that.
"""

from __future__ import annotations

import re
import stat
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from django.conf import settings
from django.utils.safestring import SafeString
from django.utils.translation import get_language
from django.utils.translation import gettext_lazy as _

from web.bounds import LARGEST_OPERATOR_PAGE
from web.markdown import rendered

NAMES = {"imprint": _("Imprint"), "privacy": _("Privacy"), "contact": _("Contact")}
"""The pages that there may be, with their titles."""

_FILE = re.compile(rf"({'|'.join(NAMES)})(?:\.([a-z]{{2,3}}(?:-[a-z0-9]{{2,8}})*))?\.md")
MOST_VERSIONS = 32
"""Rendered files that a process keeps."""


class Unfit(Exception):
    """A file of the folder that cannot be shown; its text says why."""


@dataclass(frozen=True)
class OperatorPage:
    """A page of the operator: its text, the language of its file ("" for none), and the others that it has."""

    name: str
    text: SafeString
    language: str
    others: tuple[str, ...]


def listed() -> tuple[str, ...]:
    """Return the names of the pages that can be shown, in the order of NAMES."""
    files = _files()
    return tuple(name for name in NAMES if name in files and _find(name, files[name], "") is not None)


def find(name: str, language: str | None = None) -> OperatorPage | None:
    """Return a page in `language`, the reader's for None; otherwise in no language, and then in the first that it has.

    Return None for a page that is not there or cannot be shown.
    """
    wanted = (language if language is not None else get_language() or "").lower()
    return _find(name, _files().get(name, {}), wanted)


def _find(name: str, files: Mapping[str, Path], wanted: str) -> OperatorPage | None:
    for chosen in dict.fromkeys((wanted, wanted.partition("-")[0], "", *sorted(files))):
        if chosen in files:
            try:
                text = _text(files[chosen])
            except Unfit:
                continue
            return OperatorPage(name, text, chosen, tuple(sorted({*files} - {chosen})))
    return None


def problems() -> list[str]:
    """Return sentences for the operator on what is wrong with the folder; [] without one, or when all is well."""
    folder = _folder()
    if folder is None:
        return []
    if not folder.is_dir():
        return [f"{folder} is no folder."]
    found = []
    for path in sorted(path for files in _files().values() for path in files.values()):
        try:
            _text(path)
        except Unfit as unfit:
            found.append(f"{path.name} {unfit}.")
    return found


def _folder() -> Path | None:
    return Path(settings.OPERATOR_PAGES) if settings.OPERATOR_PAGES else None


def _files() -> Mapping[str, Mapping[str, Path]]:
    """Return for each page its files by language, "" for the one without. Only names that _FILE knows are looked at."""
    folder = _folder()
    found: dict[str, dict[str, Path]] = {}
    try:
        paths = list(folder.iterdir()) if folder is not None else []
    except OSError:
        return {}
    for path in paths:
        known = _FILE.fullmatch(path.name)
        if known is not None:
            found.setdefault(known[1], {})[known[2] or ""] = path
    return found


def _text(path: Path) -> SafeString:
    """Return a file as HTML; it is read again only after it has changed. Raises Unfit."""
    try:
        real = path.resolve(strict=True)
        facts = real.stat()
    except OSError:
        raise Unfit("cannot be read") from None
    if not real.is_relative_to(path.parent.resolve()):
        raise Unfit("leads out of the folder")
    if not stat.S_ISREG(facts.st_mode):
        raise Unfit("is no file")
    if facts.st_size > LARGEST_OPERATOR_PAGE:
        raise Unfit(f"has more than {LARGEST_OPERATOR_PAGE} bytes")
    return _rendered(real, facts.st_mtime_ns, facts.st_size)


@lru_cache(maxsize=MOST_VERSIONS)
def _rendered(path: Path, changed: int, size: int) -> SafeString:
    """Return a file as HTML, kept for its time and size. Raises Unfit, which is not kept."""
    try:
        with path.open("rb") as file:
            text = file.read(LARGEST_OPERATOR_PAGE).decode("utf-8-sig")
    except OSError:
        raise Unfit("cannot be read") from None
    except UnicodeDecodeError:
        raise Unfit("is not UTF-8") from None
    return rendered(text)
