"""Dates look the same everywhere, and nobody takes one for another day."""

from __future__ import annotations

import re
from datetime import UTC, datetime

from django.conf import settings
from django.utils.formats import date_format

NAMED = {"c", "DATE_FORMAT", "TIME_FORMAT", "DATETIME_FORMAT", "SHORT_DATE_FORMAT", "SHORT_DATETIME_FORMAT"}


def test_a_moment_names_the_day_the_month_and_the_year() -> None:
    moment = datetime(2026, 11, 22, 19, 0, tzinfo=UTC)
    for name in ("DATETIME_FORMAT", "SHORT_DATETIME_FORMAT"):
        assert date_format(moment, name) == "Sun 22 Nov 2026, 19:00"
    assert date_format(moment, "DATE_FORMAT") == "Sun 22 Nov 2026"


def test_no_template_has_a_date_format_of_its_own() -> None:
    own = {
        (path.name, found)
        for path in (settings.BASE_DIR / "templates").rglob("*.html")
        for found in re.findall(r"""(?:\|date:|\{% moment \S+ )["']([^"']+)["']""", path.read_text(encoding="utf-8"))
        if found not in NAMED
    }
    assert own == set()
