"""A made-up language that puts every translated text between brackets, and a reader that finds what stands outside.

What stands outside has never passed through gettext. Data (names of people, stables, units) is no text of ours: the
templates mark it with `translate="no"`.
"""

from __future__ import annotations

import re
from html.parser import HTMLParser

import pytest

from tests.languages import speak

OPEN, CLOSE = "⟦", "⟧"

# Elements whose content is no prose, and those that have no end tag.
SILENT = frozenset({"script", "style", "template", "code", "kbd", "samp"})
VOID = frozenset(["area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track", "wbr"])
READ_ALOUD = ("alt", "title", "placeholder", "aria-label", "aria-description", "aria-roledescription", "aria-valuetext")

# Written the same in every language.
PROPER_NAMES = ("Solaris Circuit", "Solaris VII")


def speak_pseudo(monkeypatch: pytest.MonkeyPatch) -> None:
    """Bracket every text that gettext gives, for the rest of the test; each part behind ": " too: pages cut there."""
    parts = f"{CLOSE}: {OPEN}".join
    speak(monkeypatch, lambda text: f"{OPEN}{parts(text.split(': '))}{CLOSE}" if text.strip() else text)


class Reader(HTMLParser):
    """Collects the visible texts of a page that stand outside the brackets and are not said to be English."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.depth = 0
        self.open_elements: list[tuple[str, bool]] = []
        self.problems: list[str] = []

    @property
    def is_read(self) -> bool:
        return all(is_read for _, is_read in self.open_elements)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        values = dict(attrs)
        is_english = tag != "html" and values.get("lang") == "en"
        is_read = tag not in SILENT and values.get("translate") != "no" and not is_english
        if is_read and self.is_read:
            spoken = [values.get(name) for name in READ_ALOUD]
            if tag == "input" and values.get("type") in {"submit", "button", "reset"}:
                spoken.append(values.get("value"))
            for text in spoken:
                self._check(text or "", 0, f"<{tag}> ")
        if tag not in VOID:
            self.open_elements.append((tag, is_read))

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)
        if tag not in VOID:
            self.handle_endtag(tag)

    def handle_endtag(self, tag: str) -> None:
        for index in range(len(self.open_elements) - 1, -1, -1):
            if self.open_elements[index][0] == tag:
                del self.open_elements[index:]
                return

    def handle_data(self, data: str) -> None:
        # Also where it is not read: brackets may open in one element and close in another.
        place = f"<{self.open_elements[-1][0]}> " if self.open_elements else ""
        self.depth = self._check(data, self.depth, place, is_read=self.is_read)

    def _check(self, text: str, depth: int, place: str, is_read: bool = True) -> int:
        """Notes the letters outside the brackets. Returns: how many brackets are open at the end."""
        outside = []
        for character in text:
            if character == OPEN:
                depth += 1
            elif character == CLOSE:
                depth -= 1
            elif depth == 0:
                outside.append(character)
        left = "".join(outside)
        for name in PROPER_NAMES:
            left = left.replace(name, "")
        if is_read and re.search(r"[^\W\d_]{2}", left):
            self.problems.append(place + " ".join(left.split()))
        return depth


def untranslated(page: str) -> list[str]:
    """The visible texts of an HTML page that no translation reaches. A single letter (a label, a unit) passes."""
    reader = Reader()
    reader.feed(page)
    reader.close()
    return reader.problems


def local_links(page: str) -> list[str]:
    """The addresses on this site that a page links to, in order, without fragments."""
    found = re.findall(r'<a\b[^>]*?\bhref="(/[^"#]*|\?[^"#]*)', page)
    return list(dict.fromkeys(link.replace("&amp;", "&") for link in found if not link.startswith("//")))
