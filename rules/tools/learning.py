"""Learn what positions are worth: play matches between bots and weigh what decided them.

    python -m rules.tools.learning --matches 4000 --seed 1 --jobs 2 [--bot greedy] [--formats standard,team] [--write]

Positions are taken at the beginning of rounds. A logistic regression without a constant (sides are interchangeable)
finds the weights of `rules.bots.evaluation.FACTS` under which the winners were likeliest, with a small penalty on their
squares. Four matches in five teach, the fifth examines: the report gives the log loss and the Brier score of matches
that taught nothing. With `--write` the weights go to rules/bots/worth.json. The same arguments give the same weights.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
from collections.abc import Iterable, Sequence
from concurrent.futures import ProcessPoolExecutor
from typing import Any, NamedTuple

import numpy as np
from scipy.special import expit

from rules import bots
from rules.bots.evaluation import FACTS, WEIGHTS, all_facts
from rules.bots.guard import Guard
from rules.catalogue import load_builtin
from rules.competition.formats import FORMATS
from rules.competition.match import Match
from rules.core.dice import SeededDice
from rules.measuring.self_play import random_setup
from rules.tools.logistic import Numbers, fit_logistic

WHIM = 0.1
"""The share of decisions that are left to chance, so that unusual positions are seen too."""

PENALTY = 20.0
"""The penalty on the square of each weight, times the mean square of its fact's differences."""

CHUNK = 20


class Lesson(NamedTuple):
    """A position seen by the winner and one loser: the match's number, the winner's facts less the loser's, its weight.

    The weights of a position's lessons sum to 1."""

    match: int
    difference: tuple[float, ...]
    weight: float


class Lessons(NamedTuple):
    """The lessons of some matches, and the number of decisions in them at which the bot failed (`rules.bots.guard`)."""

    lessons: list[Lesson]
    faults: int


def lessons_of(format_key: str, seed: int, bot: str, numbers: range) -> Lessons:
    """Return the lessons of the matches with these numbers. Raises Malformed (unknown_bot, unknown_format)."""
    catalogue = load_builtin()
    player, whim = bots.get(bot), bots.get("random")
    found, faults = [], 0
    for number in numbers:
        setup = random_setup(catalogue, random.Random(f"{seed}/learning/{format_key}/{number}"), format_key)
        match = Match.start(setup, SeededDice(f"{seed}/learning/{format_key}/{number}"), recording=False)
        table, guard = match.table, Guard(match)
        rng = random.Random(f"{seed}/learning/{format_key}/{number}/bots")
        seen = []
        current = table.position.round
        while table.open is not None:
            if table.position.round != current:
                current = table.position.round
                seen.append(all_facts(table))
            answer = guard.ask(whim if rng.random() < WHIM else player, rng)
            faults += answer.fault is not None
            guard.play(answer)
        assert table.position.outcome is not None
        winner = table.position.outcome[0]
        for facts in seen:
            losers = [side for side in range(len(facts)) if side != winner]
            for loser in losers:
                difference = tuple(ours - theirs for ours, theirs in zip(facts[winner], facts[loser], strict=True))
                found.append(Lesson(number, difference, 1 / len(losers)))
    return Lessons(found, faults)


def learn(lessons: Sequence[Lesson]) -> list[float]:
    """Return the weights, in the order of FACTS, under which the winners were likeliest (penalised maximum likelihood).

    Raises ArithmeticError when they are not found.
    """
    differences, weights = _columns(lessons)
    spread = weights @ differences**2 / (weights.sum() or 1.0)
    penalty = 2 * PENALTY * np.where(spread == 0, 1e-9, spread)
    found: list[float] = fit_logistic(differences, weights, weights, penalty)[0].tolist()
    return found


def examined(lessons: Sequence[Lesson], weights: Sequence[float]) -> dict[str, float]:
    """Return how well the weights predict lessons: log loss, Brier score, and the share of favoured winners."""
    differences, shares = _columns(lessons)
    shares /= shares.sum() or 1.0
    scores = differences @ np.array(weights)
    measures = {"log_loss": np.logaddexp(0, -scores), "brier": expit(-scores) ** 2, "favoured": scores > 0}
    return {name: float(shares @ values) for name, values in measures.items()}


def _columns(lessons: Sequence[Lesson]) -> tuple[Numbers, Numbers]:
    """Return the differences of the lessons, one row for each lesson, and their weights."""
    differences = np.array([lesson.difference for lesson in lessons]).reshape(-1, len(FACTS))
    return differences, np.array([lesson.weight for lesson in lessons])


def gather(format_key: str, matches: int, seed: int, bot: str, jobs: int) -> Lessons:
    """Return the lessons of matches 0 to `matches` - 1, in that order, whatever the number of processes."""
    parts = [range(first, min(first + CHUNK, matches)) for first in range(0, matches, CHUNK)]
    if jobs == 1:
        found = [lessons_of(format_key, seed, bot, part) for part in parts]
    else:
        with ProcessPoolExecutor(jobs) as pool:
            futures = [pool.submit(lessons_of, format_key, seed, bot, part) for part in parts]
            found = [future.result() for future in futures]
    return Lessons([lesson for part in found for lesson in part.lessons], sum(part.faults for part in found))


def study(formats: Iterable[str], matches: int, seed: int, bot: str, jobs: int) -> dict[str, Any]:
    """Return the document of the command: weights by format, and how well they predict matches that taught nothing."""
    document: dict[str, Any] = {"weights": {}, "learned": {}}
    for format_key in formats:
        lessons, faults = gather(format_key, matches, seed, bot, jobs)
        teaching = [lesson for lesson in lessons if lesson.match % 5]
        examining = [lesson for lesson in lessons if not lesson.match % 5]
        weights = learn(teaching)
        document["weights"][format_key] = {fact: round(weight, 4) for fact, weight in zip(FACTS, weights, strict=True)}
        report = {name: round(value, 4) for name, value in examined(examining, weights).items()}
        document["learned"][format_key] = {"matches": matches, "seed": seed, "bot": bot, **report}
        print(f"{format_key}: {len(lessons)} positions, {report}", file=sys.stderr)
        if faults:
            print(f"{format_key}: a bot failed at {faults} decisions; the default answered them", file=sys.stderr)
    return document


def main(arguments: list[str] | None = None) -> int:
    """Run the command; return the exit status."""
    parser = argparse.ArgumentParser(
        prog="python -m rules.tools.learning", description="Learn what positions are worth."
    )
    parser.add_argument("--matches", type=int, default=4000, help="matches in each format (default 4000)")
    parser.add_argument("--seed", type=int, default=1, help="seed of the matches (default 1)")
    parser.add_argument("--jobs", type=int, default=1, help="number of processes (default 1)")
    parser.add_argument("--bot", default="greedy", choices=bots.BOT_NAMES, help="bot that plays (default greedy)")
    parser.add_argument("--formats", default=",".join(FORMATS), help="formats, comma-separated (default: all)")
    parser.add_argument("--write", action="store_true", help="write the weights to rules/bots/worth.json")
    options = parser.parse_args(arguments)
    formats = options.formats.split(",")
    if not set(formats) <= set(FORMATS) or options.matches < 10 or options.jobs < 1:
        parser.error(f"--formats takes some of {', '.join(FORMATS)}; --matches at least 10, --jobs at least 1")
    document = study(formats, options.matches, options.seed, options.bot, options.jobs)
    if options.write:
        known = json.loads(WEIGHTS.read_text(encoding="utf-8")) if WEIGHTS.exists() else {}
        for part in ("weights", "learned"):
            document[part] = {**known.get(part, {}), **document[part]}
        WEIGHTS.write_text(json.dumps(document, indent=1) + "\n", encoding="utf-8")
    else:
        print(json.dumps(document, indent=1))
    return 0


if __name__ == "__main__":
    sys.exit(main())
