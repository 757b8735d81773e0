"""`manage.py makemessages`: Django's own command, which also finds what only this project marks."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from django.core.management.commands import makemessages

from challenge.text import printed
from help.text import documents

_FLAGS = re.compile(r"^#,(?P<flags>.*)\n", re.MULTILINE)
_PLACEHOLDER = re.compile(r"%\(\w+\)")


def without_false_formats(catalogue: str) -> str:
    """Return a catalogue in which no message without `%(name)s` counts as a format of Python.

    xgettext takes “{chance} % on {target}” for one, as “% o” could begin a number in octal.
    """
    entries = catalogue.split("\n\n")
    return "\n\n".join(entry if _PLACEHOLDER.search(entry) else _FLAGS.sub(_other_flags, entry) for entry in entries)


def _other_flags(line: re.Match[str]) -> str:
    """Return a line of flags without python-format, "" where no other is left."""
    flags = [flag for flag in map(str.strip, line["flags"].split(",")) if flag != "python-format"]
    return f"#, {', '.join(flags)}\n" if flags else ""


def entry(text: str, document: str) -> str:
    """Return a text as a message without a translation, which stands in `document`."""
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'\n#: {document}\nmsgid "{escaped}"\nmsgstr ""\n'


class Command(makemessages.Command):
    def process_files(self, file_list: Any) -> None:
        """Collect the messages of the sources, the rules and rulings of the help, and the texts of printed tables."""
        super().process_files(file_list)
        found = {**documents.texts_to_translate(documents.books()), **printed.texts_to_translate()}
        texts = "".join(entry(text, place) for text, place in found.items())
        for folder in self.locale_paths:
            file = Path(folder, f"{self.domain}.pot")
            if self.domain == "django" and file.exists():
                file.write_text(file.read_text(encoding="utf-8") + texts, encoding="utf-8")

    def build_potfiles(self) -> Any:
        """Build the files of messages and take false formats out of them."""
        files = super().build_potfiles()
        for file in map(Path, files):
            file.write_text(without_false_formats(file.read_text(encoding="utf-8")), encoding="utf-8")
        return files

    xgettext_options = [
        *makemessages.Command.xgettext_options,
        "--keyword=say",
        "--keyword=ngettext_noop:1,2",
        "--keyword=pgettext_noop:1c,2",
    ]
