"""Draw the rooms of the house and what each may import, as docs/img/house.svg: `make map`. Needs Graphviz (`dot`).

An arrow leads from a room to one that it may import. Arrows that follow from others are left out: what stands on
`matches` may import what `matches` stands on, where the table of docs/architecture.md says so.
"""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterator, Mapping
from html import unescape
from pathlib import Path

import networkx

from tests.architecture.imports import ROOMS, RULES_ROOMS

FILE = Path(__file__).resolve().parents[2] / "docs" / "img" / "house.svg"

HOUSES: Mapping[str, Mapping[str, frozenset[str]]] = {"": ROOMS, "rules/": RULES_ROOMS}
"""What stands before a room's name -> the rooms with those that each may import."""

LOOKS = (
    'graph [bgcolor=white ranksep=0.45 nodesep=0.3 fontname="Helvetica"]',
    'node [shape=box style="rounded,filled" fillcolor="#e8eef7" color="#33506e" fontname="Helvetica" fontsize=13]',
    'edge [color="#7d8fa3" arrowsize=0.7]',
)


def arrows() -> Iterator[tuple[str, str]]:
    """The arrows that no longer way says already, by the rooms' names with their house."""
    for prefix, rooms in HOUSES.items():
        graph = networkx.DiGraph((room, below) for room, belows in rooms.items() for below in belows)
        for room, below in sorted(networkx.transitive_reduction(graph).edges):
            yield prefix + room, prefix + below


def drawn() -> set[tuple[str, str]]:
    """The arrows of the picture as it is stored."""
    titles = [unescape(title) for title in re.findall(r"<title>(.*?)</title>", FILE.read_text(encoding="utf-8"))]
    return {(room, below) for room, arrow, below in (title.partition("->") for title in titles) if arrow}


def main() -> int:
    """Write the picture; raise CalledProcessError or FileNotFoundError when `dot` does not draw it."""
    lines = [f'"{room}" -> "{below}"' for room, below in arrows()]
    source = "\n".join(["digraph house {", *LOOKS, *lines, "}"])
    svg = subprocess.run(["dot", "-Tsvg"], input=source, capture_output=True, check=True, text=True).stdout
    FILE.write_text(re.sub(r"<!--.*?-->\n", "", svg, flags=re.DOTALL), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
