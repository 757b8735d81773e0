"""Draw the icons of the installed site from its mark, static/img/mark.svg.

    python -m tests.tools.icons

Those with a corner of the page around them are transparent; the maskable one fills its square, with the mark inside
the circle that every system leaves.
"""

from __future__ import annotations

import io
from pathlib import Path

from PIL import Image
from playwright.sync_api import sync_playwright

from solaris_site.installing import DARK
from tests.chromium import FLAGS, find_chromium

IMAGES = Path(__file__).resolve().parents[2] / "static" / "img"
SIZES = {"icon-192.png": (192, 1.0, ""), "icon-512.png": (512, 1.0, ""), "icon-maskable-512.png": (512, 0.62, DARK)}
"""Name of the file -> its size in pixels, the part of it that the mark takes, and its ground."""
COLOURS = 32


def main() -> None:
    mark = (IMAGES / "mark.svg").read_text(encoding="utf-8")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=find_chromium(), args=FLAGS)
        for name, (size, part, ground) in SIZES.items():
            page = browser.new_page(viewport={"width": size, "height": size})
            style = f"margin:0;height:100vh;display:grid;place-items:center;background:{ground or 'transparent'}"
            sized = mark.replace("<svg ", f'<svg width="{round(size * part)}" ', 1)
            page.set_content(f'<body style="{style}">{sized}')
            drawn = Image.open(io.BytesIO(page.screenshot(omit_background=not ground)))
            drawn.quantize(COLOURS, method=Image.Quantize.FASTOCTREE).save(IMAGES / name, optimize=True)
        browser.close()


if __name__ == "__main__":
    main()
