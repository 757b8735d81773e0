"""The site's own styles and scripts stay small: those of one page, and all together."""

from __future__ import annotations

import gzip
import re
from collections.abc import Iterable
from pathlib import Path

from django.conf import settings

STATIC = settings.BASE_DIR / "static"
TEMPLATES = settings.BASE_DIR / "templates"
MOST_BYTES_OF_A_PAGE = 58_000
MOST_COMPRESSED_BYTES_OF_A_PAGE = 21_000
MOST_BYTES = 110_000
MOST_BYTES_OF_THE_CHALLENGE = 25_000
"""Indents are not counted: what is sent is compressed. Pages of seasons and matches load nothing of the Challenge."""

_STATIC_FILE = re.compile(r"{% static '((?:css|js)/[^']+)' %}")
_BLOCK = re.compile(r"{% block (\w+) %}(?:(?!{% endblock).)*{% endblock %}", re.DOTALL)
_BLOCK_NAME = re.compile(r"{% block (\w+) %}")
_PARENT = re.compile(r"{% extends [\"']([^\"']+)[\"'] %}")


def _weight(files: Iterable[Path]) -> int:
    lines = [line for file in files for line in file.read_bytes().splitlines(keepends=True)]
    return sum(len(line.lstrip()) for line in lines)


def _files_of(name: str, filled: frozenset[str] = frozenset()) -> set[Path]:
    """Return the styles and scripts that a template and those it extends name, without blocks that are `filled` by a
    template that extends it."""
    text = (TEMPLATES / name).read_text(encoding="utf-8")
    shown = _BLOCK.sub(lambda block: "" if block[1] in filled else block[0], text)
    own = {STATIC / file for file in _STATIC_FILE.findall(shown)}
    parent = _PARENT.search(text)
    return own | _files_of(parent[1], filled | set(_BLOCK_NAME.findall(text))) if parent else own


def test_own_styles_and_scripts_stay_within_110_kilobytes() -> None:
    files = {*STATIC.glob("css/*.css"), *STATIC.glob("js/*.js")}
    challenge = {file for file in files if file.name.startswith("challenge")}
    assert 0 < _weight(files - challenge) <= MOST_BYTES
    assert 0 < _weight(challenge) <= MOST_BYTES_OF_THE_CHALLENGE


def test_seasons_and_matches_load_nothing_of_the_challenge() -> None:
    loaded = {path: _files_of(str(path.relative_to(TEMPLATES))) for path in TEMPLATES.rglob("*.html")}
    strangers = {
        str(path.relative_to(TEMPLATES))
        for path, files in loaded.items()
        if path.parent.name in ("matches", "stables", "catalogue") and any("challenge" in file.name for file in files)
    }
    assert strangers == set()


def test_no_page_loads_more_than_58_kilobytes_of_them_21_as_they_are_sent() -> None:
    pages = {
        str(path.relative_to(TEMPLATES)): _files_of(str(path.relative_to(TEMPLATES)))
        for path in TEMPLATES.rglob("*.html")
    }
    weights = {name: _weight(files) for name, files in pages.items()}
    assert weights["matches/play.html"] > weights["base.html"] > 0
    assert STATIC / "css/pages.css" in _files_of("matches/match.html") - _files_of("matches/play.html")
    assert {name: weight for name, weight in weights.items() if weight > MOST_BYTES_OF_A_PAGE} == {}
    sent = {name: sum(len(gzip.compress(file.read_bytes(), 6)) for file in _files_of(name)) for name in pages}
    assert {name: size for name, size in sent.items() if size > MOST_COMPRESSED_BYTES_OF_A_PAGE} == {}


def test_every_page_of_play_loads_what_the_next_one_needs_that_comes_into_it_without_a_reload() -> None:
    play, waits = _files_of("matches/play.html"), ("matches/play_waiting.html", "matches/play_hand_over.html")
    assert STATIC / "js/playback.js" in play
    assert {name: play - _files_of(name) for name in waits} == {name: set() for name in waits}
