"""Markdown of people is text with a shape, and nothing in it can act on a reader's page."""

from __future__ import annotations

import pytest

from web import markdown
from web.markdown import MOST_TEXTS, rendered


def test_headings_lists_and_lines_have_their_shape() -> None:
    shown = rendered("# Where\n\nClub room\nFridays\n\n* **One**\n* `two`")
    assert "<h2>Where</h2>" in shown
    assert "Club room<br />\nFridays" in shown
    assert "<li><strong>One</strong></li>" in shown
    assert "<h6>Small</h6>" in rendered("###### Small")


@pytest.mark.parametrize(
    "text",
    [
        "<script>alert(1)</script>",
        "a <b onclick=x>b</b>",
        "<!-- a -->",
        "![a](https://example.org/a.png)",
        "    <b>code</b>",
        "```\n<b>\n```",
    ],
)
def test_html_and_pictures_stay_text(text: str) -> None:
    shown = rendered(text)
    assert not any(tag in shown for tag in ("<script", "<b", "<!--", "<img", "<pre"))


@pytest.mark.parametrize(
    "address", ["javascript:alert(1)", "JAVASCRIPT:a", "data:text/html,a", "vbscript:a", "file:///a", "//evil.example"]
)
def test_addresses_that_lead_astray_are_no_links(address: str) -> None:
    assert "<a" not in rendered(f"[look]({address}) <{address}>")


def test_links_say_that_nobody_vouches_for_them() -> None:
    shown = rendered("[club](https://example.org/) and <mailto:a@example.org>")
    assert shown.count('rel="nofollow noopener ugc"') == shown.count("<a ") == 2


def test_a_text_is_rendered_once_however_often_it_is_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    """Brackets without end take long, and everybody can open the page that they are on."""
    rendered.cache_clear()
    made: list[str] = []
    monkeypatch.setattr(markdown._PAGE, "render", lambda text: made.append(text) or "<p>")
    brackets = "![[" * 2666
    for _ in range(5):
        assert rendered(brackets) == "<p>"
    assert made == [brackets]
    for number in range(MOST_TEXTS):
        rendered(f"text {number}")
    assert rendered.cache_info().currsize == MOST_TEXTS
    rendered.cache_clear()
