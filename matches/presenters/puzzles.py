"""The page of a puzzle: the board, the orders to choose from, and once the reader has answered, what each is worth."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

from django.utils.translation import gettext

from matches.presenters.acts import line_of
from matches.presenters.board import BoardView, build_board
from matches.presenters.dials import UnitSheet, unit_sheets
from matches.presenters.odds import percent
from matches.selectors.sides import names_in
from matches.text import match as words
from rules.bots.advice.margins import TIMES
from rules.measuring.puzzles import LOOK, Puzzle, Weighed
from rules.wording.advice import match_reason
from web.languages.reader import translate


@dataclass(frozen=True)
class OrderView:
    """A legal order; `place` counts them from 0."""

    place: int
    text: str


@dataclass(frozen=True)
class WorthView:
    """What an order is worth: the chance to win after it and by how much the best leads it, in whole percent."""

    order: OrderView
    chance: int
    behind: int
    is_best: bool
    is_own: bool


@dataclass(frozen=True)
class Solution:
    """What is shown after the answer: the orders, the best first, the reasons for it, and how many visitors found it.

    `play_outs` is the number of play-outs of each order. `goes_on` says whether a match can go on from the moment: not
    when the present rules play it otherwise.
    """

    is_right: bool
    worths: tuple[WorthView, ...]
    reasons: tuple[str, ...]
    answered: int
    found: int
    play_outs: int
    goes_on: bool

    @property
    def best(self) -> WorthView:
        """The best order."""
        return self.worths[0]


@dataclass(frozen=True)
class PuzzlePage:
    """The puzzle of a day. `colour` and `side_index` are of the side to order, `unit` is the name of its ’Mech.

    `solution` is None before the reader has answered. `earlier` and `later` are the days beside it that have a puzzle.
    """

    day: date
    title: str
    colour: str
    side_index: int
    unit: str
    round: int
    board: BoardView
    sheets: tuple[UnitSheet, ...]
    standings: tuple[tuple[str, int, int, int], ...]
    orders: tuple[OrderView, ...]
    solution: Solution | None
    earlier: date | None
    later: date | None


def puzzle_page(
    day: date, puzzle: Puzzle, days: Sequence[date], own: int | None, counts: tuple[int, int]
) -> PuzzlePage:
    """Return the page of a puzzle. `days` are those that have one, the newest first.

    `own` is the place of the order that the reader has chosen, None before; only after it is the worth of an order
    worked out at all. `counts` are those who answered and those who found it.
    """
    names, snapshot, decision = _names(puzzle), puzzle.snapshot, puzzle.decision
    sides = [str(side["id"]) for side in puzzle.setup["sides"]]
    origin = snapshot["units"][decision["unit"]]["hex"] or ""
    orders = tuple(
        OrderView(place, line_of(order.action, origin, decision["why"], names))
        for place, order in enumerate(puzzle.orders)
    )
    reputation, kills = snapshot.get("reputation", {}), snapshot.get("kills", {})
    colour = words.heading(words.SIDES, str(decision["side"]))
    return PuzzlePage(
        day=day,
        title=gettext("%(side)s to order: which order is best?") % {"side": colour},
        colour=colour,
        side_index=sides.index(str(decision["side"])),
        unit=names[decision["unit"]],
        round=int(snapshot["round"]),
        board=build_board(puzzle.setup["arena"], snapshot, puzzle.setup["sides"]),
        sheets=tuple(unit_sheets(puzzle.setup, snapshot)),
        standings=tuple(
            (words.heading(words.SIDES, side), index, reputation.get(side, 0), kills.get(side, 0))
            for index, side in enumerate(sides)
        ),
        orders=orders,
        solution=None if own is None else _solution(puzzle, orders, own, counts),
        earlier=next((each for each in days if each < day), None),
        later=next((each for each in reversed(days) if each > day), None),
    )


def _names(puzzle: Puzzle) -> dict[str, str]:
    """Return the names of all things by their ids. Target tokens have their hex, as the board does not name them."""
    names, tokens = names_in(puzzle.setup), puzzle.snapshot.get("tokens", {})
    return names | {
        key: gettext("%(name)s in hex %(hex)s") % {"name": names[key], "hex": token["hex"]}
        for key, token in tokens.items()
        if key in names and token.get("hex")
    }


def _solution(puzzle: Puzzle, orders: Sequence[OrderView], own: int, counts: tuple[int, int]) -> Solution:
    names = _names(puzzle)
    best = puzzle.best
    ranked = sorted(zip(orders, puzzle.orders, strict=True), key=lambda each: each[1].behind)
    answered, found = counts
    return Solution(
        is_right=own == best,
        worths=tuple(_worth(order, weighed, own, best) for order, weighed in ranked),
        reasons=tuple(
            match_reason(reason.code, {"unit": puzzle.decision["unit"], **reason.parameters}, names, translate)
            for reason in puzzle.reasons
        ),
        answered=answered,
        found=found,
        play_outs=LOOK * TIMES,
        goes_on=puzzle.played() is not None,
    )


def _worth(order: OrderView, weighed: Weighed, own: int, best: int) -> WorthView:
    return WorthView(
        order, percent(weighed.chance), round(100 * weighed.behind), order.place == best, order.place == own
    )
