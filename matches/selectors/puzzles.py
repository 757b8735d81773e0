"""Puzzles of days: those that a job found and those that come with the game, which every site has from the start."""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import date
from functools import cache
from pathlib import Path
from typing import Any

from matches.models import Match, PuzzleCount
from matches.models import Puzzle as Stored
from rules.core.dice import CONTINUED_SIZES, SEED
from rules.measuring.puzzles import Puzzle

FILE = Path(__file__).resolve().parents[1] / "puzzles.json"
"""The puzzles that come with the game, by day: what `python -m rules.tools.puzzles` wrote for these days."""


@cache
def shipped() -> Mapping[date, Mapping[str, Any]]:
    """Return the documents of the puzzles that come with the game, by day."""
    return {date.fromisoformat(day): document for day, document in json.loads(FILE.read_text("utf-8")).items()}


def puzzle_of(day: date) -> Puzzle | None:
    """Return the puzzle of a day, None without one; one query."""
    document = Stored.objects.filter(day=day).values_list("document", flat=True).first() or shipped().get(day)
    return None if document is None else Puzzle.from_json(document)


def days_until(today: date) -> list[date]:
    """Return the days that have a puzzle, the newest first and none after `today`; one query."""
    days = {*Stored.objects.filter(day__lte=today).values_list("day", flat=True), *shipped()}
    return sorted((day for day in days if day <= today), reverse=True)


def counts_of(day: date) -> tuple[int, int]:
    """Return how many visitors answered the puzzle of a day and how many found its best order; one query."""
    counted = PuzzleCount.objects.filter(day=day).values_list("answered", "found").first()
    return counted or (0, 0)


def day_of_origin(match: Match) -> date | None:
    """Return the day of the puzzle from whose moment a match goes on, None for every other match; at most one query.

    The seed says it: that of a match which goes on from a moment begins with the seed of that moment. A match that goes
    on from such a match has a longer one.
    """
    seed = bytes(match.seed)
    if len(seed) != CONTINUED_SIZES[0]:
        return None
    known = seed[:SEED].hex()
    stored = Stored.objects.filter(document__seed=known).values_list("day", flat=True).first()
    return stored or next((day for day, document in shipped().items() if document["seed"] == known), None)
