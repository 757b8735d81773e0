"""The off-board cycle: who is off the board, one pilot's steps, and the plan of a player."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from django.core.exceptions import PermissionDenied
from django.http import HttpResponse, HttpResponseRedirect, QueryDict
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from challenge.forms.deeds import deed_of
from challenge.forms.reasons import OVERRULING
from challenge.models import Claim
from challenge.presenters.cycle import balance_of, cycle_of
from challenge.presenters.cycle_workshop import CycleQuery, repair_sheet
from challenge.presenters.off_board import absent_pilots
from challenge.presenters.offers import names_of
from challenge.presenters.pilot import claim_line
from challenge.presenters.plans import moved, plan_of
from challenge.selectors.access import Access
from challenge.services import claims
from challenge.services.books import Wish, write
from challenge.services.presses import press_id
from challenge.views.frame import Visit, for_agents, of_event
from challenge.views.pilot import pilot_or_404
from rules.challenge.book.rows import DEED
from rules.challenge.folding import ChallengeRefused
from rules.challenge.mechs import COUNTED
from rules.challenge.state import Pilot
from rules.core.digits import whole_number
from rules.core.refusals import Malformed
from web.problems import show_again

PLANS = "challenge_plans"
"""Where a browser's session holds the plans of its player: by the event's address and the pilot, deeds."""

PRESSES = "challenge_plan_presses"
"""Where the session holds the last presses on plans, by the event's address: one that arrives again is the same."""
MOST_PRESSES = 200

Documents = list[dict[str, Any]]
DICE_KINDS = ("replace_weapon", "prison_roll")


@require_safe
@of_event
@for_agents
def off_board(visit: Visit) -> HttpResponse:
    """List who is off the board, with their step and the turn in which they may come back."""
    waiting = Claim.objects.filter(event=visit.event, kind=Claim.Kind.CYCLE, state=Claim.State.WAITING)
    lines = absent_pilots(visit.state, set(waiting.values_list("pilot", flat=True)))
    return render(visit.request, "challenge/cycle_off_board.html", visit.context(lines=lines, here="off_board"))


@require_http_methods(["GET", "HEAD", "POST"])
@of_event
def cycle(visit: Visit, pilot: str) -> HttpResponse:
    """Show a pilot's off-board cycle. A press of an agent writes one deed; a player's adds it to their plan.

    Players and those who run a table may see it: others get 403. A refusal shows the page again with its sentence.
    """
    found = pilot_or_404(visit, pilot)
    if not visit.who.reads(pilot):
        raise PermissionDenied
    table = table_for(visit.who, found)
    if visit.request.method != "POST":
        return _page(visit, found, None)
    data = visit.request.POST
    try:
        deed = deed_of(data, pilot, table or found.table, with_overrule=visit.who.is_gm)
        if table is not None:
            write(visit.event.pk, visit.who, [Wish(data.get("client_id", ""), DEED, deed)])
        elif not _was_done(visit, deed):
            _add_to_plan(visit, pilot, deed)
            _note_press(visit, deed)
    except (ChallengeRefused, Malformed) as problem:
        return _page(visit, found, problem)
    return _back(visit, pilot)


@require_POST
@of_event
def plan(visit: Visit, pilot: str) -> HttpResponse:
    """Take the last deed of the player's plan back, throw it away, send it, or take back what waits. Others get 403.

    A press that a phone sends again changes nothing.
    """
    found = pilot_or_404(visit, pilot)
    if pilot not in visit.who.pilots:
        raise PermissionDenied
    data, documents = visit.request.POST, plan_in(visit, pilot)
    press = data.get("press")
    content = {"pilot": pilot, "press": press, "claim": data.get("claim", "")}
    if _was_done(visit, content):
        return _back(visit, pilot)
    if press == "take_back":
        _keep_plan(visit, pilot, documents[:-1])
    elif press == "clear":
        _keep_plan(visit, pilot, [])
    elif press == "send":
        kind = Claim.Kind.CYCLE
        claims.claim(visit.event, visit.who, data.get("client_id", ""), kind, pilot, found.table, documents)
        _keep_plan(visit, pilot, [])
    elif press == "withdraw" and (number := whole_number(data.get("claim", ""))) is not None:
        taken = claims.withdraw(visit.event, visit.who, number)
        _keep_plan(visit, pilot, taken.documents if taken.kind == Claim.Kind.CYCLE else documents)
    _note_press(visit, content)
    return _back(visit, pilot)


def table_for(who: Access, pilot: Pilot) -> str | None:
    """Return the table at which somebody enters what a pilot does off the board, None for a player who plans."""
    if who.runs(pilot.table):
        return pilot.table
    return min(who.tables) if who.tables else None


def plan_in(visit: Visit, pilot: str) -> Documents:
    """Return the plan that the player's browser holds."""
    found = visit.request.session.get(PLANS, {}).get(visit.event.slug, {}).get(pilot, [])
    return list(found)


def _keep_plan(visit: Visit, pilot: str, documents: Sequence[Mapping[str, Any]]) -> None:
    session = visit.request.session
    held = session.get(PLANS, {})
    own = {**held.get(visit.event.slug, {}), pilot: list(documents)}
    session[PLANS] = {**held, visit.event.slug: own}


def _was_done(visit: Visit, content: Mapping[str, Any]) -> bool:
    """Return whether this press on a plan has arrived before."""
    done = visit.request.session.get(PRESSES, {}).get(visit.event.slug, [])
    return press_id(visit.request.POST.get("client_id", ""), content) in done


def _note_press(visit: Visit, content: Mapping[str, Any]) -> None:
    name = press_id(visit.request.POST.get("client_id", ""), content)
    if name:
        held = visit.request.session.get(PRESSES, {})
        own = [*held.get(visit.event.slug, []), name][-MOST_PRESSES:]
        visit.request.session[PRESSES] = {**held, visit.event.slug: own}


def _add_to_plan(visit: Visit, pilot: str, deed: dict[str, Any]) -> None:
    """Add a deed to the plan. Raises ChallengeRefused for one that the rules forbid behind the others."""
    if deed["do"] not in claims.OF_CYCLES:
        raise PermissionDenied
    documents = [*plan_in(visit, pilot), deed]
    if (count := len(documents)) > (most := claims.MOST_DOCUMENTS):
        raise Malformed("bad_entry", field="documents", problem="wrong_count", count=count, least=1, most=most)
    planned = plan_of(visit.book, pilot, documents)
    if planned.fault is not None:
        raise ChallengeRefused(planned.fault.code, **planned.fault.parameters)
    _keep_plan(visit, pilot, documents)


def _back(visit: Visit, pilot: str) -> HttpResponseRedirect:
    """Go back to the cycle, open where it was."""
    step = visit.request.POST.get("at_step", "")
    query = f"?step={step}" if whole_number(step, 1) is not None else ""
    return redirect(reverse("challenge:cycle", args=[visit.event.slug, pilot]) + query)


def _page(visit: Visit, pilot: Pilot, problem: Malformed | ChallengeRefused | None) -> HttpResponse:
    """Show the cycle from the book, for a player behind their plan."""
    waiting = Claim.objects.filter(
        event=visit.event, pilot=pilot.id, kind=Claim.Kind.CYCLE, state=Claim.State.WAITING
    ).order_by("pk")
    sent = [
        {"line": claim_line(visit.state, each), "plan": (after := plan_of(visit.book, pilot.id, each.documents)),
         "moved": moved(pilot, after.state.pilots[pilot.id])}
        for each in waiting
    ]  # fmt: skip
    is_planning = table_for(visit.who, pilot) is None
    planned = plan_of(visit.book, pilot.id, plan_in(visit, pilot.id) if is_planning else ())
    now = planned.state.pilots[pilot.id]
    data = visit.request.POST if problem is not None else visit.request.GET
    asked = _asked(data)
    step = data.get("at_step" if problem is not None else "step", "")
    page = cycle_of(
        planned.state,
        now,
        whole_number(step, 1),
        asked,
        without=DICE_KINDS if is_planning else (),
    )
    context = visit.context(
        here="" if is_planning else "off_board",
        pilot=now,
        balance=balance_of(planned.state, now),
        cycle=page,
        sheet=repair_sheet(planned.state, now, asked),
        asked=asked,
        plan=planned,
        moved=moved(pilot, now) if planned.deeds else [],
        sent=sent,
        is_planning=is_planning,
        is_shut=is_planning and bool(sent),
        refused_fields=_sent_fields(data) if problem is not None else [],
        reasons=OVERRULING,
    )
    return show_again(visit.request, "challenge/cycle.html", context, problem, names_of(visit.state))


def _sent_fields(data: QueryDict) -> list[tuple[str, str]]:
    """Return the fields of a refused form, for the form that overrules."""
    own = ("csrfmiddlewaretoken", "client_id", "overruled")
    return [(name, value) for name, values in data.lists() if name not in own for value in values]


def _asked(data: QueryDict) -> CycleQuery:
    """Return what the page is asked for beside its step; what cannot be read counts as left out."""
    damage = _counts(data, "damage")
    return CycleQuery(
        damage=damage,
        parts=_counts(data, "parts"),
        cp=whole_number(data.get("cp", ""), 2) or 0,
        coupon=bool(data.get("coupon")),
        before_sale=bool(data.get("before_sale")),
        search=data.get("search", "")[:60],
    )


def _counts(data: QueryDict, name: str) -> dict[str, int] | None:
    """Return counts by part, None where the form gives none."""
    found = {part: whole_number(data.get(f"{name}.{part}", ""), 2) for part in COUNTED}
    counts = {part: value for part, value in found.items() if value is not None}
    return counts or None
