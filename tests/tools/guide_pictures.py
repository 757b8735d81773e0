"""Make the small pictures of the guide to a first evening from those of the tour.

python -m tests.tools.guide_pictures     write static/img/first-evening/*.png

`make tour` calls it when it has taken its own.
"""

from __future__ import annotations

from pathlib import Path

from PIL import Image

ROOT = Path(__file__).resolve().parent.parent.parent
TOUR, FOLDER = ROOT / "docs" / "tour", ROOT / "static" / "img" / "first-evening"
TAKEN = {"challenge-door-360x640": "door", "challenge-table-360x640": "table", "challenge-board-1280x640": "board"}
"""The pictures of the tour that the guide shows, and what they are called there."""
WIDEST = 640
COLOURS = 32


def write() -> None:
    """Write each picture of the guide whose picture of the tour is there, at most WIDEST pixels wide."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    for taken, name in TAKEN.items():
        if (TOUR / f"{taken}.png").exists():
            picture = Image.open(TOUR / f"{taken}.png").convert("RGB")
            picture.thumbnail((WIDEST, WIDEST), Image.Resampling.LANCZOS)
            few = picture.quantize(COLOURS, Image.Quantize.MAXCOVERAGE, kmeans=1, dither=Image.Dither.NONE)
            few.save(FOLDER / f"{name}.png", "PNG", optimize=True)


if __name__ == "__main__":
    write()
