"""Initiative at a table: entering, the deck card by card or all at once, and an order drawn with real cards."""

from __future__ import annotations

import secrets
from collections.abc import Mapping, Sequence
from typing import Any

from django.http import HttpResponse
from django.views.decorators.http import require_POST, require_safe

from challenge.forms.arena.portals import Given, drawn_order, given_portals
from challenge.presenters.arena.reminders import reminders, topics_of_set_up
from challenge.presenters.initiative import initiative_view, portals_of_table
from challenge.services.books import write
from challenge.services.decks import begin_deck, draw_all, is_set_up, next_card, note_order, redraw
from challenge.views.frame import Visit, of_event
from challenge.views.of_table import client_id_of, goes_to, of_table, overruling, wishes_for
from rules.challenge.deeds.doors import on_board
from rules.challenge.folding import ChallengeRefused
from rules.core.digits import whole_number
from rules.core.refusals import Malformed
from rules.core.shape_checks import shown
from web.problems import show_again


def show(visit: Visit, table: str, problem: Malformed | ChallengeRefused | None = None) -> HttpResponse:
    """Show the page of initiative, with the sentence of a refusal if there is one."""
    context = visit.context(
        here=table,
        table=table,
        turn=visit.state.table(table).turn,
        view=(view := initiative_view(visit.event, visit.book, table)),
        queue=_queue(visit, view.portals),
        free=[portal for portal in view.portals if portal not in {pilot.portal for pilot in view.on_board}],
        no_eject=visit.request.GET.getlist("no_eject"),
        reminders=reminders(*topics_of_set_up(visit.state, view.is_set_up)),
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

    In the initial set-up no two share a portal (MC-SETUP-02), and they get them in a drawn order (MC-SETUP-03): where
    it comes to a pilot who chooses, the page asks, and the others wait in `queue`.
    """
    sent = visit.request.POST
    names = [name for name in sent.getlist("queue") or sent.getlist("pilot") if name in visit.state.pilots]
    try:
        given = _portals(visit, table, names, {name: sent.get(f"portal:{name}", "") for name in names})
        deeds = [
            {"what": "enter", "by": [name], "phase": "movement",
             **({"portal": given.portals[name]} if name in given.portals else {}),
             **({"auto_eject": False} if sent.get(f"no_eject:{name}") else {})}
            for name in names if name not in given.waiting
        ]  # fmt: skip
        if deeds:
            write(visit.event.pk, visit.who, wishes_for(visit, table, deeds))
    except (ChallengeRefused, Malformed) as problem:
        return show(visit, table, problem)
    more = {"queue": given.waiting, "no_eject": [name for name in given.waiting if sent.get(f"no_eject:{name}")]}
    return goes_to(visit, "table_initiative", table, **{name: values for name, values in more.items() if values})


def _portals(visit: Visit, table: str, names: list[str], sent: Mapping[str, str]) -> Given:
    """Return the portal of each pilot, none for a table without portals. Raises ChallengeRefused as `given_portals`."""
    portals = portals_of_table(visit.book, table)
    chosen = {name: portal for name, portal in sent.items() if portal in portals}
    if not portals:
        return Given({})
    if not is_set_up(visit.state, table):
        return Given({name: chosen.get(name) or secrets.choice(portals) for name in names})
    taken = {pilot.portal for pilot in on_board(visit.state, table)}
    free = [portal for portal in portals if portal not in taken]
    pilots = {name: visit.state.pilots[name] for name in names}
    order = names if visit.request.POST.getlist("queue") else drawn_order(pilots, chosen, secrets.randbelow)
    return given_portals(order, pilots, free, chosen, secrets.randbelow)


def _queue(visit: Visit, portals: Sequence[str]) -> list[str]:
    """Return who still waits for a portal, the first of them to choose: as far as the address says so."""
    names = visit.request.GET.getlist("queue") if portals else []
    return [name for name in names if name in visit.state.pilots and not visit.state.pilots[name].is_in_arena]


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
        elif (later := whole_number(step, 1)) is not None:
            next_card(event_id, who, table, client_id, later)
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
    text = visit.request.POST.get("cards", "")
    typed = text.replace(",", " ").split()
    deed: dict[str, Any] = {"what": "initiative", "phase": "initiative"}
    try:
        deed["cards"] = [whole_number(each, 3) for each in typed]
        if not typed or None in deed["cards"]:
            raise Malformed("bad_entry", field="cards", problem="wrong_format", value=shown(text))
        note_order(visit.event.pk, visit.who, table, wishes_for(visit, table, [deed]))
    except (ChallengeRefused, Malformed) as problem:
        return show(visit, table, problem)
    return goes_to(visit, "table_initiative", table)
