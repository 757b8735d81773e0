"""What a person cannot read or use on a page, found in the browser: by axe, and by measuring."""

from __future__ import annotations

import json
from typing import Any

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page

from .slowness import at_full_speed

GRAVE = ("serious", "critical")
SCHEMES = ("light", "dark")

CUT_TABLES = """
[...document.querySelectorAll('.scroll:has(> .stack)')].filter((box) => box.scrollWidth > box.clientWidth).length
"""
CUT_WORDS = """
[
  ...[...document.querySelectorAll('body *:not(.sheet *)')].filter((each) => {
    if (each.clientWidth < 2 || each.scrollWidth <= each.clientWidth + 1 || !each.textContent.trim()) return false;
    const style = getComputedStyle(each);
    return /hidden|clip/.test(style.overflowX) && style.textOverflow !== 'ellipsis' && style.clipPath === 'none';
  }),
  ...[...document.querySelectorAll('svg:not(svg svg)')].flatMap((drawing) => {
    const edge = drawing.getBoundingClientRect();
    return [...drawing.querySelectorAll('text')].filter((text) => {
      const box = text.getBoundingClientRect();
      return box.width && (box.left < edge.left - 1 || box.right > edge.right + 1);
    });
  }),
].map((each) => each.outerHTML.slice(0, 120))
"""
"""Elements that hide a part of their words without dots, and words that leave their drawing to a side.

A sheet of paper is measured as it is printed (test_sheets, test_print): on a phone it is a preview.
"""

LINES_OF_THE_MENU = """
Math.max(0, ...[...document.querySelectorAll('.nav')].map(
  (list) => new Set([...list.children].map((item) => item.offsetTop)).size))
"""
LOG_BELOW = """
document.fonts.ready.then(() => {
  const log = document.querySelector('.tabs a[href$="/log/"]')?.closest('li');
  return log && log.offsetTop > log.parentElement.firstElementChild.offsetTop;
})
"""
# A colour that was fading when motion was reduced goes on fading: what runs is brought to its end.
END_FADES = "document.getAnimations().forEach((fade) => fade.finish())"
OPEN_ALL = "document.querySelectorAll('details').forEach((details) => { details.open = true; })"


KINDS = """
() => {
  const valued = ['role', 'type', 'scope', 'lang', 'tabindex', 'fill', 'stroke'];
  const ids = [...document.querySelectorAll('[id]')].map((each) => each.id), paths = new Map();
  const path = (each) => {
    if (!paths.has(each)) {
      const own = [each.localName, ...[...each.classList].sort()].join('.');
      paths.set(each, each.parentElement ? path(each.parentElement) + ' ' + own : own);
    }
    return paths.get(each);
  };
  const kind = (each) => {
    const said = [...each.attributes].map(({ name, value }) => {
      if (valued.includes(name) || (name.startsWith('aria-') && value.length < 6)) return `${name}=${value}`;
      if (!/^aria-(labelledby|describedby|controls|owns)$/.test(name)) return value.trim() ? name : `${name}=`;
      return `${name}:${value.split(/\\s+/).every((id) => document.getElementById(id))}`;
    });
    const texts = [...each.childNodes].some((child) => child.nodeType === Node.TEXT_NODE && child.data.trim());
    return [path(each), ...said.sort(), texts ? 'text' : each.childElementCount ? '' : 'empty',
      each.labels ? each.labels.length > 0 : '', each.disabled || ''].join('|');
  };
  const page = [`title ${document.title.trim() !== ''}`, `ids ${ids.length === new Set(ids).size}`,
    `landmarks ${document.querySelectorAll('main').length} ${document.querySelectorAll('h1').length}`];
  return [...new Set([...page, ...[...document.querySelectorAll('*')].map(kind)])];
}
"""
"""What the rules of axe look at, of every element: its place, classes and attributes, and whether it says something."""


class Looks:
    """What axe was asked about: it is not asked again about pages that hold no kind of element that is new to it."""

    def __init__(self) -> None:
        self.kinds: set[str] = set()

    def has_something_new(self, page: Page) -> bool:
        """Say whether the open page has elements of a kind that was not there yet, and remember them."""
        found = set(page.evaluate(KINDS))
        is_new = not found <= self.kinds
        self.kinds |= found
        return is_new


def grave_faults(page: Page, **options: Any) -> list[str]:
    """What axe finds serious or critical, as the rule and the element. Options are those of `axe.run`."""
    chosen = json.dumps({"resultTypes": ["violations"], **options})
    found = page.evaluate(f"axe.run(document, {chosen}).then((all) => all.violations)")
    return [
        f"{rule['id']}: {node['html'][:160]}" for rule in found if rule["impact"] in GRAVE for node in rule["nodes"]
    ]


def faults_of(page: Page, looks: Looks | None = None) -> list[str]:
    """Everything wrong with the page that is open, in both themes, with whatever it can unfold unfolded.

    With `looks`, axe is asked only where the page has something new; how it fits is measured always.

    The rest of axe looks at the document only; a theme changes nothing but colours, so contrast is asked twice.
    It waits for all parts of the page; whoever pressed what leads to it has waited for the page itself (`follow`).
    """
    page.wait_for_load_state()
    page.evaluate(OPEN_ALL)
    found = []
    room, width = page.viewport_size, page.evaluate("document.documentElement.scrollWidth")
    if room is not None and width > room["width"]:
        found.append(f"is {width} pixels wide")
    found += [f"cuts words: {cut}" for cut in page.evaluate(CUT_WORDS)]
    if page.evaluate(CUT_TABLES):
        found.append("has tables that do not fit")
    if page.evaluate(LINES_OF_THE_MENU) > 1:
        found.append("breaks its menu")
    if page.evaluate(LOG_BELOW):
        found.append("breaks the menu of the season before the log")
    if looks is not None and not looks.has_something_new(page):
        return found
    with at_full_speed(page):
        page.evaluate(Axe().axe_script)
    for number, scheme in enumerate(SCHEMES):
        # Colours that fade into each other would be measured on their way.
        page.emulate_media(color_scheme=scheme, reduced_motion="reduce")  # type: ignore[arg-type]
        page.evaluate(END_FADES)
        only = {"runOnly": ["color-contrast"]} if number else {}
        with at_full_speed(page):
            found += [f"{scheme}: {fault}" for fault in grave_faults(page, **only)]
    page.emulate_media(color_scheme="light", reduced_motion="no-preference")
    return found


def check(page: Page, address: str) -> None:
    """Open a page and find nothing wrong with it."""
    answer = page.goto(address)
    assert answer is not None
    assert answer.status == 200, address
    found = faults_of(page)
    assert found == [], (address, found)
