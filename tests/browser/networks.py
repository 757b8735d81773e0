"""A network that fails in one of five ways, each at once, while a page is open."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from playwright.sync_api import Page

from .conftest import Visit

FAILING = """
const [whole, limit] = [self.fetch, AbortSignal.timeout.bind(AbortSignal)];
const ways = {
  cut: () => Promise.reject(new TypeError("cut")),
  broken: async (...asked) => Object.assign(await whole(...asked), { text: ways.cut, json: ways.cut }),
  proxy: () => Promise.resolve(new Response("<h1>Bad gateway</h1>", { status: 502 })),
  silent: (url, options) => new Promise((_, reject) => options?.signal?.addEventListener("abort", reject)),
};
self.fetch = (...asked) => (ways[self.network] || whole)(...asked);
AbortSignal.timeout = (milliseconds) => limit(self.network ? 10 : milliseconds);
"""
"""`self.network` says how what scripts fetch fails. What has a limit waits ten milliseconds then, not a minute."""

UNSENT = ("offline", "cut", "proxy", "silent")
"""Ways in which nothing reaches the site."""
BROKEN = "broken"
"""The site gets what is sent, and its answer breaks off in its middle."""


def can_fail(page: Page) -> None:
    """Let the network of the pages that are opened from now on fail when `failing` says so."""
    page.add_init_script(FAILING)


@contextmanager
def failing(visit: Visit, way: str) -> Iterator[None]:
    """Let the network fail; what the browser says about that is no fault."""
    page = visit.page
    if way == "offline":
        page.context.set_offline(True)
        yield
        page.context.set_offline(False)
        visit.complaints[:] = [each for each in visit.complaints if "ERR_INTERNET_DISCONNECTED" not in each]
    else:
        page.evaluate("way => { self.network = way; }", way)
        yield
        page.evaluate("self.network = ''")
