"""The form of a target that falls: one press settles it with all its claimants."""

from __future__ import annotations

from django.http import HttpResponse
from django.views.decorators.http import require_http_methods

from challenge.forms.feats import PHASE_NAMES, Chosen
from challenge.presenters.falls import MOST_WOUNDS, STATES, Fall, fall_view, likely_claimants, likely_phase
from challenge.presenters.table import at_table, lost_to_a_wound
from challenge.services.books import write
from challenge.views.frame import Visit, of_event
from challenge.views.of_table import goes_to, of_table, overruling, wishes_for
from challenge.views.table import show
from rules.challenge.awards import METHODS
from rules.challenge.folding import ChallengeRefused
from rules.core.digits import whole_number
from rules.core.refusals import Malformed
from web.problems import show_again

ASKED_METHODS = ("charge", "death_from_above", "heat")
"""The methods that change what is paid; the others stand in the book for those who like it."""


@require_http_methods(["GET", "HEAD", "POST"])
@of_event
@of_table
def fall(visit: Visit, table: str) -> HttpResponse:
    """Show who falls and what each would get, and settle it when `state` says crippled or destroyed.

    A phase other than the one shown ticks its own claimants.
    """
    request = visit.request
    values = request.POST if request.method == "POST" else request.GET
    chosen = Chosen.read(values)
    there = {pilot.id for pilot in at_table(visit.state, table)}
    if chosen.at not in there:
        return show(visit, table, chosen, ChallengeRefused("target_missing", what="kill"))
    told = _told(visit, table, chosen, there)
    what = values.get("state", "")
    problem: ChallengeRefused | Malformed | None = None
    if request.method == "POST" and what in STATES:
        try:
            write(visit.event.pk, visit.who, wishes_for(visit, table, told.deeds(what)))
        except (ChallengeRefused, Malformed) as refused:
            problem = refused
        else:
            return goes_to(visit, "table", table, by=chosen.by, phase=told.phase)
    view = fall_view(visit.state, table, told)
    context = visit.context(
        here=table,
        table=table,
        turn=visit.state.table(table).turn,
        chosen=chosen,
        view=view,
        phases=[(phase, PHASE_NAMES[phase]) for phase in view.phases],
        methods=ASKED_METHODS,
        wounds=range(MOST_WOUNDS + 1),
        **overruling(visit, problem),
    )
    return show_again(request, "challenge/table_fall.html", context, problem)


def _told(visit: Visit, table: str, chosen: Chosen, there: set[str]) -> Fall:
    """Return what the form says, or what is likely where it has not been shown yet."""
    sent = visit.request.POST
    if "shown_phase" not in sent:
        phase = likely_phase(visit.state, table, chosen.at, chosen.phase)
        return Fall(chosen.at, phase, likely_claimants(visit.state, table, chosen.at, phase), first=chosen.by)
    phase = chosen.phase
    claimants = tuple(name for name in sent.getlist("claimant") if name in there)
    if "show" in sent and phase != sent["shown_phase"]:
        claimants = likely_claimants(visit.state, table, chosen.at, phase)
    return Fall(
        chosen.at,
        phase,
        claimants,
        sent.get("method", "") if sent.get("method", "") in METHODS else "",
        sent.get("first", ""),
        sent.get("dead") == "yes",
        min(whole_number(sent.get("wounds", "")) or 0, MOST_WOUNDS),
        sent.get("ability", "") if sent.get("ability") in _abilities(visit, chosen.at) else "",
    )


def _abilities(visit: Visit, pilot: str) -> set[str]:
    return {ability for ability, _name in lost_to_a_wound(visit.state.pilots[pilot])}
