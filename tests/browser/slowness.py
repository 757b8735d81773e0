"""Pages that compute and answer late, to look for what does not wait (docs/testing.md)."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from weakref import WeakKeyDictionary

from playwright.sync_api import CDPSession, Page

IS_SLOW = os.environ.get("SLOW_BROWSER") == "1"
TIMES_SLOWER, LATER_MS = 6, 300
SLOWED: WeakKeyDictionary[Page, CDPSession] = WeakKeyDictionary()


def slow_down(page: Page) -> None:
    tools = SLOWED[page] = page.context.new_cdp_session(page)
    tools.send("Emulation.setCPUThrottlingRate", {"rate": TIMES_SLOWER})
    late = {"offline": False, "latency": LATER_MS, "downloadThroughput": -1, "uploadThroughput": -1}
    tools.send("Network.emulateNetworkConditions", late)


@contextmanager
def at_full_speed(page: Page) -> Iterator[None]:
    """Let a page compute as fast as it can while something looks at it that is no part of it.

    axe takes minutes for a page that is slowed down, and waits for nothing.
    """
    tools = SLOWED.get(page)
    if tools is not None:
        tools.send("Emulation.setCPUThrottlingRate", {"rate": 1})
    try:
        yield
    finally:
        if tools is not None:
            tools.send("Emulation.setCPUThrottlingRate", {"rate": TIMES_SLOWER})
