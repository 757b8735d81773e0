"""The pages of a match; anybody may look."""

from uuid import UUID

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from catalogue.services import entry_of
from catalogue.sheets import sheets_of
from matches.pages import match_page
from matches.selectors import find_match, replay_document, sides_of, stored_steps
from rules.core.refusals import Refused


@require_safe
def show(request: HttpRequest, public_id: UUID) -> HttpResponse:
    """Result, board, dials and the replay at `?step=N`."""
    match = find_match(public_id)
    page = match_page(match, stored_steps(match), request.GET.get("step"))
    may_play = not match.is_finished and bool(sides_of(match, request.user))
    return render(request, "matches/match.html", {"page": page, "board": page.board, "may_play": may_play})


@require_safe
def sheets(request: HttpRequest, public_id: UUID) -> HttpResponse:
    """Print sheets of the match's units and of its arena, for a real table."""
    match = find_match(public_id)
    units = [entry_of("units", loadout["unit"]) for side in match.setup["sides"] for loadout in side["units"]]
    arenas = [entry_of("arenas", match.setup["arena"])]
    return sheets_of(request, units, arenas, back=match.get_absolute_url())


@require_safe
def download(request: HttpRequest, public_id: UUID) -> JsonResponse:
    """The whole match with its seed, for `python -m rules.verify`. Refused (409) until the match is finished."""
    match = find_match(public_id)
    if not match.is_finished:
        raise Refused("match_not_finished")
    response = JsonResponse(replay_document(match, stored_steps(match)))
    response["Content-Disposition"] = f'attachment; filename="match-{match.public_id}.json"'
    return response
