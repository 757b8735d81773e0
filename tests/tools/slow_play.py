"""Measure the page of play as a slow phone far away has it: part of `make tour`, printed and never asserted.

The goals are 3 seconds from opening the page to the answer to a first tap, and 0.7 seconds from a commit to the next
question.
"""

from __future__ import annotations

import time
from collections.abc import Callable

from playwright.sync_api import Page

DELAY_MS = 150
BYTES_A_SECOND = 1_600_000 / 8
TIMES_SLOWER = 4
GOALS = {"first tap": 3.0, "next question": 0.7}


def measure(page: Page, address: str, times: int = 5) -> dict[str, list[float]]:
    """Return seconds of opening with a first tap, and of commits, of a match that has just begun.

    `page` is of a phone's size and logged in as the player.
    """
    page.goto(address)
    while page.locator("#play .pick").count() == 0:
        _commit(page)
    devtools = page.context.new_cdp_session(page)
    devtools.send("Network.enable")
    devtools.send("Network.setCacheDisabled", {"cacheDisabled": True})
    conditions = {"offline": False, "latency": DELAY_MS, "downloadThroughput": BYTES_A_SECOND}
    devtools.send("Network.emulateNetworkConditions", {**conditions, "uploadThroughput": BYTES_A_SECOND})
    devtools.send("Emulation.setCPUThrottlingRate", {"rate": TIMES_SLOWER})
    found: dict[str, list[float]] = {"first tap": [], "next question": []}
    for _ in range(times):
        found["first tap"].append(_seconds(lambda: _open_and_tap(page, address)))
    for _ in range(times):
        if not _choose(page):
            break
        found["next question"].append(_seconds(lambda: _commit(page)))
    devtools.detach()
    return found


def said(found: dict[str, list[float]]) -> str:
    """Return the measurements as lines to print."""
    lines = [f"The page of play at {DELAY_MS} ms, 1.6 Mbit/s and a processor {TIMES_SLOWER} times slower:"]
    for name, seconds in found.items():
        shown = ", ".join(f"{each:.2f}" for each in sorted(seconds)) or "nothing to measure"
        lines.append(f"  {name} (goal {GOALS[name]} s): {shown} s")
    return "\n".join(lines)


def _seconds(act: Callable[[], None]) -> float:
    started = time.perf_counter()
    act()
    return time.perf_counter() - started


def _open_and_tap(page: Page, address: str) -> None:
    page.goto(address, wait_until="commit")
    page.locator("#play .pick").first.click()
    page.locator("#play .pick-chosen").first.wait_for(state="attached")


def _choose(page: Page) -> bool:
    """Choose something that can be committed; return whether there is such a thing."""
    for _ in range(4):
        if page.locator("#play #commit").count():
            return True
        choices = page.locator("#play .presses button, #play .pick, #play .question-list a, #play .question-facings a")
        if choices.count() == 0 or page.locator("#play .presses button").count():
            return bool(choices.count())
        before = page.url
        choices.first.click()
        page.wait_for_function("before => location.href !== before", arg=before)
    return False


def _commit(page: Page) -> None:
    version = page.locator("#play").get_attribute("data-version")
    page.locator("#play #commit, #play .presses button").first.click()
    page.locator(f"#play:not([data-version='{version}'])").wait_for()
