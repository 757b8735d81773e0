"""The site's own styles and scripts stay small."""

from __future__ import annotations

from django.conf import settings

MOST_BYTES = 66_000
"""Indents are not counted: what is sent is compressed."""


def test_own_styles_and_scripts_stay_within_sixty_six_kilobytes() -> None:
    static = settings.BASE_DIR / "static"
    files = [*static.glob("css/*.css"), *static.glob("js/*.js")]
    assert files
    lines = [line for file in files for line in file.read_bytes().splitlines(keepends=True)]
    assert sum(len(line.lstrip()) for line in lines) <= MOST_BYTES
