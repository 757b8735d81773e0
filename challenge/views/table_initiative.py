"""Initiative at a table: entering, the deck card by card or all at once, and an order drawn with real cards."""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from typing import Any

from django.http import HttpResponse
from django.utils.translation import gettext
from django.views.decorators.http import require_POST, require_safe

from challenge.presenters.initiative import initiative_view, portals_of_table
from challenge.services.books import write
from challenge.services.decks import begin_deck, draw_all, is_set_up, next_card, note_order, redraw
from challenge.views.frame import Visit, of_event
from challenge.views.of_table import client_id_of, goes_to, of_table, overruling, wishes_for
from rules.challenge.deeds.doors import on_board
from rules.challenge.folding import ChallengeRefused
from rules.challenge.initiative import drawn_from, portals_of
from rules.core.refusals import Malformed
from web.problems import show_again


def show(visit: Visit, table: str, problem: Malformed | ChallengeRefused | None = None) -> HttpResponse:
    """Show the page of initiative, with the sentence of a refusal if there is one."""
    context = visit.context(
        here=table,
        table=table,
        turn=visit.state.table(table).turn,
        view=initiative_view(visit.event, visit.book, table),
        **overruling(visit, problem),
    )
    return show_again(visit.request, "challenge/table_initiative.html", context, problem)


@require_safe
@of_event
@of_table
def initiative(visit: Visit, table: str) -> HttpResponse:
    """Show who may enter, the deck, and the order of the turn."""
    return show(visit, table)


@require_POST
@of_event
@of_table
def enter_arena(visit: Visit, table: str) -> HttpResponse:
    """Let the ticked pilots enter, each through the portal that was drawn at a real table, chosen, or drawn here.

    In the initial set-up no two share a portal (MC-SETUP-02).
    """
    sent = visit.request.POST
    names = [name for name in sent.getlist("pilot") if name in visit.state.pilots]
    try:
        portals = _portals(visit, table, names, {name: sent.get(f"portal:{name}", "") for name in names})
        deeds = [
            {"what": "enter", "by": [name], "phase": "movement",
             **({"portal": portals[name]} if name in portals else {}),
             **({"auto_eject": False} if sent.get(f"no_eject:{name}") else {})}
            for name in names
        ]  # fmt: skip
        if deeds:
            write(visit.event.pk, visit.who, wishes_for(visit, table, deeds))
    except (ChallengeRefused, Malformed) as problem:
        return show(visit, table, problem)
    return goes_to(visit, "table_initiative", table)


def _portals(visit: Visit, table: str, names: list[str], chosen: Mapping[str, str]) -> dict[str, str]:
    """Return the portal of each pilot; {} for a table without portals. Raises ChallengeRefused (portals_too_few)."""
    portals = portals_of_table(visit.book, table)
    choices = {name: portal for name, portal in chosen.items() if portal in portals}
    if not portals:
        return {}
    if not is_set_up(visit.state, table):
        return {name: choices.get(name) or secrets.choice(portals) for name in names}
    taken = {pilot.portal for pilot in on_board(visit.state, table)}
    free = [portal for portal in portals if portal not in taken]
    drawn = [names[place] for place in drawn_from(range(len(names)), secrets.randbelow)]
    # Those who choose come first here: otherwise a draw could take what somebody has said already.
    drawn.sort(key=lambda name: name not in choices)
    try:
        return portals_of(drawn, free, choices, secrets.randbelow)
    except ValueError:
        raise ChallengeRefused("portals_too_few", free=len(free), pilots=len(names)) from None


@require_POST
@of_event
@of_table
def draw(visit: Visit, table: str) -> HttpResponse:
    """Do one step of the drawing: the button says which."""
    sent = visit.request.POST
    step = sent.get("step", "")
    event_id, who = visit.event.pk, visit.who
    try:
        client_id = client_id_of(visit)
        if step == "begin":
            begin_deck(event_id, who, table, client_id)
        elif step == "all":
            draw_all(event_id, who, table, client_id)
        elif step == "redraw":
            redraw(event_id, who, table, client_id)
        elif step.isdigit() and len(step) == 1:
            next_card(event_id, who, table, client_id, int(step))
        else:
            raise Malformed("bad_entry", field="step", problem="unknown_key", key=step[:60])
    except (ChallengeRefused, Malformed) as problem:
        return show(visit, table, problem)
    return goes_to(visit, "table_initiative", table)


@require_POST
@of_event
@of_table
def type_order(visit: Visit, table: str) -> HttpResponse:
    """Write an order that was drawn with real cards: their numbers, with spaces or commas between them."""
    typed = visit.request.POST.get("cards", "").replace(",", " ").split()
    deed: dict[str, Any] = {"what": "initiative", "phase": "initiative"}
    try:
        if not typed or not all(each.isdigit() and len(each) < 4 for each in typed):
            raise Malformed("bad_entry", field=gettext("cards"), problem="wrong_type")
        deed["cards"] = [int(each) for each in typed]
        note_order(visit.event.pk, visit.who, table, wishes_for(visit, table, [deed]))
    except (ChallengeRefused, Malformed) as problem:
        return show(visit, table, problem)
    return goes_to(visit, "table_initiative", table)
