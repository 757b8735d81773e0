"""Catalogues are compiled without the programs of gettext, and only after they changed."""

from __future__ import annotations

import gettext
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import start
from web.languages.compiled import compile_all

ROOT = Path(__file__).resolve().parents[2]

CATALOGUE = """\
msgid ""
msgstr ""
"Content-Type: text/plain; charset=UTF-8\\n"
"Plural-Forms: nplurals=4; plural=(n==1 ? 0 : (n%10>=2 && n%10<=4) && (n%100<12 || n%100>14) ? 1 : n!=1 && (n%10>=0 && "
"n%10<=1) || (n%10>=5 && n%10<=9) || (n%100>=12 && n%100<=14) ? 2 : 3);\\n"

msgid "Save"
msgstr "Zapisz"

msgctxt "order"
msgid "assault"
msgstr "natarcie"

#, fuzzy
msgid "Log in"
msgstr "Wyloguj"

msgid "{count} click"
msgid_plural "{count} clicks"
msgstr[0] "{count} klik"
msgstr[1] "{count} kliki"
msgstr[2] "{count} klików"
msgstr[3] "{count} kliku"
"""


@pytest.fixture
def source(tmp_path: Path) -> Path:
    folder = tmp_path / "pl" / "LC_MESSAGES"
    folder.mkdir(parents=True)
    found = folder / "django.po"
    found.write_text(CATALOGUE, encoding="utf-8")
    return found


def test_a_compiled_catalogue_says_what_its_source_says(source: Path) -> None:
    assert compile_all(source.parents[2]) == [source]
    with source.with_suffix(".mo").open("rb") as file:
        words = gettext.GNUTranslations(file)
    assert (words.gettext("Save"), words.gettext("Log in")) == ("Zapisz", "Log in")
    assert (words.pgettext("order", "assault"), words.gettext("assault")) == ("natarcie", "assault")
    forms = [words.ngettext("{count} click", "{count} clicks", count) for count in (1, 3, 5, 12, 22)]
    assert forms == ["{count} klik", "{count} kliki", "{count} klików", "{count} klików", "{count} kliki"]
    assert [path.name for path in sorted(source.parent.iterdir())] == ["django.mo", "django.po"]


def test_only_a_catalogue_that_changed_is_compiled_again(source: Path) -> None:
    compile_all(source.parents[2])
    assert compile_all(source.parents[2]) == []
    later = source.with_suffix(".mo").stat().st_mtime + 5
    os.utime(source, (later, later))
    assert compile_all(source.parents[2]) == [source]


def test_a_broken_catalogue_names_its_line_and_leaves_what_was_compiled(source: Path) -> None:
    compile_all(source.parents[2])
    before = source.with_suffix(".mo").read_bytes()
    source.write_text(CATALOGUE + "\nno word of a catalogue\n", encoding="utf-8")
    later = source.with_suffix(".mo").stat().st_mtime + 5
    os.utime(source, (later, later))
    with pytest.raises(OSError, match=r"django\.po \(line \d+\)"):
        compile_all(source.parents[2])
    assert source.with_suffix(".mo").read_bytes() == before


def test_the_start_of_a_site_compiles_what_changed(source: Path, tmp_path: Path) -> None:
    (tmp_path / "locale").mkdir()
    source.parents[1].rename(tmp_path / "locale" / "pl")
    shutil.copytree(ROOT / "web" / "languages", tmp_path / "web" / "languages")
    (tmp_path / "web" / "__init__.py").touch()
    subprocess.run([sys.executable, "-c", start.RUN_COMMANDS, "[]"], cwd=tmp_path, check=True)
    assert (tmp_path / "locale" / "pl" / "LC_MESSAGES" / "django.mo").exists()


@pytest.mark.parametrize("road", ["Makefile", "Dockerfile", "start.py", "docs/operations.md"])
def test_every_road_to_a_site_compiles(road: str) -> None:
    assert "web.languages.compiled" in (ROOT / road).read_text(encoding="utf-8")
