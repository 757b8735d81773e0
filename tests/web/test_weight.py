"""The site's own styles and scripts stay small."""

from __future__ import annotations

from django.conf import settings

MOST_BYTES = 60_000


def test_own_styles_and_scripts_stay_within_sixty_kilobytes() -> None:
    static = settings.BASE_DIR / "static"
    files = [*static.glob("css/*.css"), *static.glob("js/*.js")]
    assert files
    assert sum(file.stat().st_size for file in files) <= MOST_BYTES
