"""The curve of a combat dial in languages with a decimal comma."""

from __future__ import annotations

import re

import pytest
from django.template.loader import render_to_string
from django.utils import translation

from catalogue.presenters.sparkline import Sparkline


@pytest.mark.parametrize("language", ["en", "pl", "de"])
def test_its_numbers_have_points_in_every_language(language: str) -> None:
    """A comma would end a coordinate."""
    line = Sparkline("M0 1.5V28Z", "M0 2.5", (12.5, 37.5), "words")
    with translation.override(language):
        drawn = render_to_string("catalogue/sparkline.svg.html", {"line": line})
    assert 'cx="12.5"' in drawn
    assert not re.search(r"\d,\d", drawn)
