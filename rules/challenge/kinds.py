"""All kinds of entry, on the board and off it."""

from __future__ import annotations

from collections.abc import Mapping

from rules.challenge.deeds import attacks, bets, desk, doors, falls, running, surprises
from rules.challenge.entries import Kind
from rules.challenge.off_board import learning, money, prison, signing, teams, workshop

KINDS: Mapping[str, Kind] = {
    kind.name: kind
    for module in (
        doors, attacks, falls, running, surprises, desk, bets, workshop, signing, learning, money, teams, prison,
    )
    for kind in module.KINDS
}  # fmt: skip
"""Each kind by its name."""
