"""Say how far each language is, and what is wrong with its catalogue: `make languages`, `make lint`.

    python -m tests.tools.languages [--check]

The table counts by language and room: texts, those without a translation, those whose translation is only guessed
(fuzzy), and the English words that are still to translate. Below it stands what `make lint` fails on (exit status 1):
a room that languages.toml lists with a text that is missing or fuzzy, or with a translation of a text that is no more;
and in any room a translation whose placeholders or plural forms do not fit. No program of gettext is needed.
"""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from gettext import c2py
from pathlib import Path

import polib

from tests.tools.messages_in_source import Key, Text, texts
from web.languages import offer
from web.languages.compiled import FOLDER

_BRACES = re.compile(r"\{(\w*)\}")
_NAMED = re.compile(r"%\((\w+)\)([a-z])")
_BARE = re.compile(r"%[sd]")
_FORMS = re.compile(r"nplurals\s*=\s*(\d+)\s*;\s*plural\s*=\s*(.+?)\s*;?\s*$", re.DOTALL)
COUNTS = range(201)
"""Numbers for which a language must have a form."""
LISTED = 40
"""The most lines of one kind that are printed for a language."""


@dataclass
class Room:
    """How far a language is in a room."""

    texts: int = 0
    missing: list[str] = field(default_factory=list)
    fuzzy: list[str] = field(default_factory=list)
    words: int = 0


@dataclass
class Progress:
    """How far a language is: its rooms, translations of texts that are no more, and entries that do not fit."""

    rooms: dict[str, Room] = field(default_factory=dict)
    obsolete: list[tuple[str, set[str]]] = field(default_factory=list)
    unfit: list[str] = field(default_factory=list)

    def problems(self, finished: frozenset[str]) -> list[str]:
        """Return why `make lint` fails, where these rooms are finished; [] if it does not."""
        found = list(self.unfit)
        for name in sorted(finished):
            room = self.rooms.get(name)
            if room is None:
                found.append(f"{name}: no room has this name")
                continue
            found += [f"{name}: missing: {text}" for text in room.missing]
            found += [f"{name}: fuzzy: {text}" for text in room.fuzzy]
        for text, rooms in self.obsolete:
            # A translation that gettext itself put aside names no file, one of docs/ no room.
            if finished and (not rooms or rooms & finished):
                found.append(f"{', '.join(sorted(rooms)) or 'at the end'}: obsolete: {text}")
        return found


def progress(catalogue: polib.POFile, source: Mapping[Key, Text]) -> Progress:
    """Return how far a catalogue is with the texts of the source."""
    found = Progress(unfit=unfit(catalogue))
    known = {(entry.msgctxt or "", entry.msgid): entry for entry in catalogue if not entry.obsolete}
    for key, text in source.items():
        entry = known.get(key)
        # A text that got a form for several needs another translation, too.
        is_there = entry is not None and (entry.msgid_plural or "") == text.several
        for name in text.rooms:
            room = found.rooms.setdefault(name, Room())
            room.texts += 1
            if is_there and entry is not None and entry.translated():
                continue
            is_fuzzy = is_there and entry is not None and entry.fuzzy
            (room.fuzzy if is_fuzzy else room.missing).append(_short(key[1]))
            room.words += len(key[1].split())
    for key, entry in known.items():
        if key not in source:
            rooms = {offer.room_of_file(path) for path, _ in entry.occurrences if not path.startswith("docs/")}
            found.obsolete.append((_short(entry.msgid), rooms))
    found.obsolete += [(_short(entry.msgid), set()) for entry in catalogue.obsolete_entries()]
    return found


def unfit(catalogue: polib.POFile) -> list[str]:
    """Return what is wrong with the header and with each translation, fuzzy ones and those put aside left out."""
    forms = _forms(catalogue.metadata.get("Plural-Forms", ""))
    if forms is None:
        return ["The header has no Plural-Forms that fit every number from 0 on."]
    return [
        f"line {entry.linenum}: {problem}: {_short(entry.msgid)}"
        for entry in catalogue
        if not entry.obsolete and not entry.fuzzy
        for problem in _problems(entry, forms)
    ]


def _forms(header: str) -> list[int] | None:
    """Return which form each number of COUNTS takes; None for a header that says nothing, or a form out of range."""
    known = _FORMS.search(header)
    if known is None:
        return None
    try:
        choose = c2py(known[2])
        chosen = [choose(number) for number in COUNTS]
    except (ValueError, ArithmeticError):
        return None
    count = int(known[1])
    return chosen if all(0 <= form < count for form in chosen) else None


def _problems(entry: polib.POEntry, forms: Sequence[int]) -> Iterator[str]:
    if not entry.msgid_plural:
        if entry.msgstr:
            yield from _lines(entry, entry.msgstr)
            wanted = _placeholders(entry, entry.msgid)
            yield from _difference(_placeholders(entry, entry.msgstr), wanted, wanted)
        return
    given = entry.msgstr_plural
    if not any(given.values()):
        return
    lacking = sorted(form for form in set(forms) if not given.get(form))
    if lacking:
        yield f"no form {', '.join(map(str, lacking))} for several"
    one, several = _placeholders(entry, entry.msgid), _placeholders(entry, entry.msgid_plural)
    for form, text in given.items():
        if text:
            # Only a form for the number 1 alone may leave the number out, as English does.
            is_of_one = [number for number, each in enumerate(forms) if each == form] == [1]
            yield from _lines(entry, text)
            yield from _difference(_placeholders(entry, text), one & several if is_of_one else several, one | several)


def _placeholders(entry: polib.POEntry, text: str) -> set[str]:
    """Return what code fills in: {name}, %(name)s, and in a text of that form %s and %d, each with its number."""
    found = {f"{{{name}}}" for name in _BRACES.findall(text)}
    found |= {f"%({name}){kind}" for name, kind in _NAMED.findall(text)}
    if "python-format" in entry.flags:
        bare = _BARE.findall(text.replace("%%", ""))
        found |= {f"{kind} ({number})" for number, kind in enumerate(bare, 1)}
    return found


def _difference(given: set[str], needed: set[str], allowed: set[str]) -> Iterator[str]:
    if lacking := sorted(needed - given):
        yield f"without {', '.join(lacking)}"
    if strange := sorted(given - allowed):
        yield f"nobody fills in {', '.join(strange)}"


def _lines(entry: polib.POEntry, text: str) -> Iterator[str]:
    if (entry.msgid.startswith("\n"), entry.msgid.endswith("\n")) != (text.startswith("\n"), text.endswith("\n")):
        yield "begins or ends another line"


def _short(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= 80 else f"{line[:79]}…"


def catalogues(folder: Path = FOLDER) -> dict[str, polib.POFile]:
    """Return the catalogue of each known language but English, an empty one where there is no file."""
    found = {}
    for code in offer.known():
        if code != offer.ENGLISH:
            path = folder / code / "LC_MESSAGES" / "django.po"
            found[code] = polib.pofile(str(path)) if path.exists() else None
    return {code: each if each is not None else _empty() for code, each in found.items()}


def _empty() -> polib.POFile:
    made = polib.POFile()
    made.metadata = {"Plural-Forms": "nplurals=2; plural=(n != 1);"}
    return made


def table(found: Mapping[str, Progress]) -> list[str]:
    """Return the lines of the table: for each language its rooms with texts, missing, fuzzy and words."""
    lines = [f"{'':14}{'texts':>8}{'missing':>9}{'fuzzy':>7}{'words':>8}"]
    for code, each in found.items():
        language = offer.known()[code]
        lines.append(f"{code} ({language.name})")
        for name, room in sorted(each.rooms.items()):
            mark = "  listed" if language.speaks_in(name) else ""
            lines.append(f"  {name:12}{room.texts:8}{len(room.missing):9}{len(room.fuzzy):7}{room.words:8}{mark}")
    return lines


def main(arguments: list[str] | None = None) -> int:
    """Print the table unless --check is given, then the problems; return 1 if there are any."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--check", action="store_true", help="print only what is wrong")
    options = parser.parse_args(arguments)
    source = texts()
    found = {code: progress(each, source) for code, each in catalogues().items()}
    if not options.check:
        sys.stdout.write("\n".join(table(found)) + "\n")
    is_wrong = False
    for code, each in found.items():
        problems = each.problems(offer.known()[code].rooms or frozenset())
        is_wrong |= bool(problems)
        for line in problems[:LISTED]:
            sys.stdout.write(f"{code}: {line}\n")
        if len(problems) > LISTED:
            sys.stdout.write(f"{code}: and {len(problems) - LISTED} more\n")
    return int(is_wrong)


if __name__ == "__main__":
    sys.exit(main())
