"""Draw the states of seasons and what is in them, as docs/img/states.svg: `make map`. Needs Graphviz (`dot`).

An arrow is an act that leads to another state; a dot stands for what is not made yet, a double frame for an end.
Acts that leave the state as it is are not drawn.
"""

from __future__ import annotations

import re
import subprocess
import sys
from collections import defaultdict
from html import unescape
from pathlib import Path

from rules.campaign.states import MACHINES, NOTHING, Machine

FILE = Path(__file__).resolve().parents[2] / "docs" / "img" / "states.svg"

LOOKS = (
    'graph [bgcolor=white rankdir=LR ranksep=0.5 nodesep=0.25 fontname="Helvetica" fontsize=14 color="#7d8fa3"]',
    'node [shape=box style="rounded,filled" fillcolor="#e8eef7" color="#33506e" fontname="Helvetica" fontsize=13]',
    'edge [color="#7d8fa3" arrowsize=0.7 fontname="Helvetica" fontsize=11]',
)


def arrows() -> set[tuple[str, str, str]]:
    """What the tables say: the state before, the state after, each with its machine, and the acts between them."""
    return {
        (f"{machine.name} {before}", f"{machine.name} {after}", acts)
        for machine in MACHINES
        for (before, after), acts in _moves(machine).items()
    }


def _moves(machine: Machine) -> dict[tuple[str, str], str]:
    found: dict[tuple[str, str], list[str]] = defaultdict(list)
    for name, act in machine.acts.items():
        for source in act.sources:
            if act.to not in ("", source):
                found[source, act.to].append(name.replace("_", " "))
    return {states: ", ".join(acts) for states, acts in found.items()}


def drawn() -> set[tuple[str, str, str]]:
    """The arrows of the picture as it is stored, as `arrows` gives them."""
    found = re.findall(
        r"<title>([^<]*?)&#45;&gt;([^<]*?)</title>.*?<text[^>]*>([^<]*)</text>",
        FILE.read_text(encoding="utf-8"),
        flags=re.DOTALL,
    )
    return {(unescape(before), unescape(after), unescape(acts)) for before, after, acts in found}


def _lines(machine: Machine) -> list[str]:
    def node(state: str) -> str:
        return f'"{machine.name} {state}"'

    lines = [f"{node(NOTHING)} [shape=point width=0.12]"]
    for state in machine.states:
        label = state.replace("_", " ")
        lines.append(f'{node(state)} [label="{label}" peripheries={2 if state in machine.ends else 1}]')
    moves = _moves(machine).items()
    lines += [f'{node(before)} -> {node(after)} [label="{acts}"]' for (before, after), acts in moves]
    return [f'subgraph "cluster {machine.name}" {{', f'label="{machine.name}"', *lines, "}"]


def main() -> int:
    """Write the picture; raise CalledProcessError or FileNotFoundError when `dot` does not draw it."""
    source = "\n".join(["digraph states {", *LOOKS, *(line for one in MACHINES for line in _lines(one)), "}"])
    svg = subprocess.run(["dot", "-Tsvg"], input=source, capture_output=True, check=True, text=True).stdout
    FILE.write_text(re.sub(r"<!--.*?-->\n", "", svg, flags=re.DOTALL), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
