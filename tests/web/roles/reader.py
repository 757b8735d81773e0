"""Reads the site as a visitor does: every link, form and file of a page, and what a page should not have in it."""

from __future__ import annotations

import re
from collections import Counter, deque
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from html.parser import HTMLParser
from typing import Any
from urllib.parse import urljoin, urlsplit

from django.contrib.staticfiles import finders
from django.urls import Resolver404, resolve

MOST_QUERIES_OF_A_PAGE = 1
"""Addresses that differ only behind the question mark: steps of a replay, pages of a list."""
MOST_OF_A_KIND = 2
"""Addresses of one view: entries of the catalogue, fixtures."""
REDIRECTS = (301, 302)


class Page(HTMLParser):
    """What stands in a page: where it leads, what it loads, and what its policy forbids."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.links: list[str] = []
        self.forms: list[tuple[str, str]] = []
        self.files: list[str] = []
        self.inline: list[str] = []
        self.feed(text)

    @property
    def leads(self) -> list[str]:
        """Where a visitor gets from here, by a link or by what the page shows."""
        return self.links + [file for file in self.files if not file.startswith("/static/")]

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        found = dict(attrs)
        self.inline += [f"<{tag} {name}>" for name in found if name == "style" or name.startswith("on")]
        if tag == "style" or (tag == "script" and not found.get("src")):
            self.inline.append(f"<{tag}>")
        if any((found.get(name) or "").strip().lower().startswith("javascript:") for name in ("href", "action")):
            self.inline.append(f"<{tag} javascript:>")
        if tag == "a" and found.get("href"):
            self.links.append(str(found["href"]))
        elif tag == "form":
            self.forms.append(((found.get("method") or "get").lower(), found.get("action") or ""))
        elif tag in ("img", "script", "link") and (found.get("src") or found.get("href")):
            self.files.append(str(found.get("src") or found.get("href")))


@dataclass(frozen=True)
class Reading:
    """An answer to GET: its text, whether that is a page, where it leads who does not stay, and its queries."""

    status: int
    text: str
    is_page: bool
    location: str
    queries: int | None = None


@dataclass
class Walk:
    """What a visitor met: the answer of each address, and by whom it was linked."""

    answers: dict[str, int] = field(default_factory=dict)
    texts: dict[str, str] = field(default_factory=dict)
    linked_from: dict[str, str] = field(default_factory=dict)
    problems: list[str] = field(default_factory=list)


def walk(
    read: Callable[[str], Reading],
    starts: list[str],
    within: Callable[[str], bool] = lambda path: True,
    common: Mapping[str, list[str]] | None = None,
) -> Walk:
    """Follow every link from the given addresses, each kind of page a few times.

    `common` are pages that read the same to everybody, and where they lead: they are not asked for, only followed.
    """
    common = common or {}
    done = Walk(linked_from=dict.fromkeys(starts, ""))
    waiting, seen = deque(starts), set(starts)
    kinds: Counter[str] = Counter()
    queries: Counter[str] = Counter()
    while waiting:
        address = waiting.popleft()
        targets = common[address] if address in common else _ask(read, address, done)
        for target in _of_this_site(address, targets):
            path, _, query = target.partition("?")
            if target in seen or not within(path):
                continue
            kind = _kind(path)
            kinds[kind] += not query
            queries[path] += bool(query)
            seen.add(target)
            if queries[path] <= MOST_QUERIES_OF_A_PAGE and kinds[kind] <= MOST_OF_A_KIND:
                done.linked_from[target] = address
                waiting.append(target)
    return done


def _ask(read: Callable[[str], Reading], address: str, done: Walk) -> list[str]:
    """Note what an address answers; return where that leads."""
    reading = read(address)
    done.answers[address] = reading.status
    if reading.status in REDIRECTS:
        return [reading.location]
    done.texts[address] = reading.text
    if not reading.is_page:
        return []
    page = Page(done.texts[address])
    done.problems += [f"{address}: inline {each}" for each in page.inline]
    done.problems += [f"{address}: {each}" for each in _unresolved(address, page)]
    return page.leads


def reading_of(response: Any) -> Reading:
    """What an answer says."""
    return Reading(
        status=response.status_code,
        text=text_of(response),
        is_page="html" in response.headers.get("Content-Type", ""),
        location=response.headers.get("Location", ""),
    )


def text_of(response: Any) -> str:
    """The text of an answer; that of a stream is not read."""
    return "" if response.streaming else response.content.decode("utf-8", "replace")


def common_to(one: Walk, other: Walk) -> dict[str, list[str]]:
    """The pages whose own part, without the frame, reads the same to two people, and where that part leads."""
    own = {address: own_part(one.texts[address]) for address in one.texts.keys() & other.texts.keys()}
    return {
        address: Page(part).leads
        for address, part in own.items()
        if one.answers[address] == other.answers[address] == 200 and part == own_part(other.texts[address])
    }


def own_part(text: str) -> str:
    """A page without its frame, and without what differs each time; all of a file."""
    found = re.search(r"<main\b.*</main>", text, re.DOTALL)
    return steady(found[0] if found else text)


def _of_this_site(address: str, targets: list[str]) -> Iterator[str]:
    for target in targets:
        parts = urlsplit(urljoin(f"http://testserver{address}", target))
        if parts.netloc == "testserver" and parts.scheme == "http":
            yield parts.path + (f"?{parts.query}" if parts.query else "")


@cache
def _kind(path: str) -> str:
    """The view of an address, and its season: of each season a few pages of each kind are read."""
    try:
        found = resolve(path)
    except Resolver404:
        return path
    return f"{found.view_name} {found.kwargs.get('season_slug', '')}"


def _unresolved(address: str, page: Page) -> Iterator[str]:
    """Forms that lead nowhere, and files that are not there."""
    for method, action in page.forms:
        path = urlsplit(urljoin(address, action)).path
        try:
            resolve(path)
        except Resolver404:
            yield f"the form ({method}) leads nowhere: {action}"
    for file in page.files:
        path = urlsplit(file).path
        if path.startswith("/static/") and not _is_static(path.removeprefix("/static/")):
            yield f"no such file: {file}"


@cache
def _is_static(name: str) -> bool:
    return finders.find(name) is not None


CHANGING = re.compile(r'name="csrfmiddlewaretoken" value="\w+"|\d\d:\d\d\.\d{6}\+00:00"')


def steady(text: str) -> str:
    """A page without what differs each time it is asked for."""
    return CHANGING.sub("", text)
