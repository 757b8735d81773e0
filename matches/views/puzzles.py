"""The puzzle of the day and those of earlier days: for everybody, without an account."""

from __future__ import annotations

from datetime import UTC, date

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.http import require_POST, require_safe

from matches.presenters.board_words import words_of
from matches.presenters.puzzles import puzzle_page
from matches.selectors.puzzles import counts_of, days_until, puzzle_of
from matches.services import puzzles
from matches.views.quick_duels import player_of
from rules.measuring.puzzles import Puzzle
from web.places import client_place


@require_safe
def newest(request: HttpRequest) -> HttpResponse:
    """Redirect to the newest puzzle that is not after today. 404 without any."""
    days = days_until(_today())
    if not days:
        raise Http404
    return redirect("puzzles:show", days[0])


@require_safe
def show(request: HttpRequest, day: date) -> HttpResponse:
    """Show the puzzle of a day, and its solution to a browser that has answered. 404 without a puzzle."""
    puzzle = _found(day)
    own = puzzles.answers_in(request.session).get(day.isoformat())
    counts = (0, 0) if own is None else counts_of(day)
    page = puzzle_page(day, puzzle, days_until(_today()), own, counts)
    return render(request, "matches/puzzle.html", {"page": page, "board": page.board, "words": words_of(page.board)})


@require_POST
def answer(request: HttpRequest, day: date) -> HttpResponse:
    """Take the field `order`, the place of an order, count it, and redirect to the puzzle. The first answer stays.

    Anything that is not one of the orders changes nothing. 404 without a puzzle.
    """
    puzzle = _found(day)
    places = {str(place): place for place in range(len(puzzle.orders))}
    chosen = places.get(request.POST.get("order", ""))
    if chosen is not None:
        puzzles.take_answer(request.session, day, chosen, chosen == puzzle.best, client_place(request))
    return redirect("puzzles:show", day)


@require_POST
def play_on(request: HttpRequest, day: date) -> HttpResponse:
    """Begin a match against the AI from the moment of a puzzle and redirect to it. No fields.

    404 without a puzzle, 409 when the present rules play it otherwise, 429 for too many matches.
    """
    puzzle = _found(day)
    # A refusal makes no guest.
    engine = puzzles.moment_of(puzzle)
    return redirect("matches:play", puzzles.play_on(puzzle, engine, player_of(request)).public_id)


def _today() -> date:
    return timezone.now().astimezone(UTC).date()


def _found(day: date) -> Puzzle:
    """Return the puzzle of a day. Raises Http404 without one, and for days to come."""
    puzzle = puzzle_of(day) if day <= _today() else None
    if puzzle is None:
        raise Http404
    return puzzle
