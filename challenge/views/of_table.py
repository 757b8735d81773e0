"""What all views of a table begin with: who may come, which wishes a press makes, what a refusal shows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import wraps
from typing import Any
from urllib.parse import urlencode

from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpResponseRedirect
from django.http.response import HttpResponseBase
from django.shortcuts import redirect
from django.urls import reverse

from challenge.forms.claimed_feats import TURN_DIGITS
from challenge.forms.reasons import NEVER_OVERRULED, OVERRULING
from challenge.services.books import Wish
from challenge.views.frame import View, Visit
from rules.challenge.book.rows import DEED
from rules.challenge.folding import ChallengeRefused
from rules.core.digits import whole_number
from rules.core.refusals import Malformed, Refused


def of_table(view: View) -> View:
    """Let a view take a table of the event: 404 for one that there is not, 403 for those who do not run it.

    It stands below `of_event`.
    """

    @wraps(view)
    def answer(visit: Visit, table: str, *arguments: Any, **named: Any) -> HttpResponseBase:
        if table not in {each.id for each in visit.book.tables}:
            raise Http404
        if not visit.who.runs(table):
            raise PermissionDenied
        return view(visit, table, *arguments, **named)

    return answer


def wishes_for(visit: Visit, table: str, deeds: Sequence[Mapping[str, Any]]) -> list[Wish]:
    """Return the wishes of one press, each deed at this table; a GM's reason overrules for all.

    The last deed of a press has the same id however many stand before it: a second try of `end_turn` is known.
    The turn is the one that the form showed: a press that waited on a device too long is refused, not moved.
    Raises Malformed for a press without a client id.
    """
    client_id = client_id_of(visit)
    overruled = visit.request.POST.get("overruled", "")
    shown = whole_number(visit.request.POST.get("turn", ""), TURN_DIGITS)
    turn = visit.state.table(table).turn if shown is None else shown
    found = []
    for place, deed in enumerate(deeds):
        document = {**deed, "table": table, "turn": turn}
        if overruled:
            document["overruled"] = overruled
        found.append(Wish(f"{client_id}-{len(deeds) - 1 - place}", DEED, document))
    return found


LONGEST_PRESS = 58
"""Characters of a client id that leave room for the place of a row in its press."""


def client_id_of(visit: Visit) -> str:
    """Return the id that the device gave to a press. Raises Malformed for a press without one."""
    client_id: str = visit.request.POST.get("client_id", "")
    if not 0 < len(client_id) <= LONGEST_PRESS:
        raise Malformed("bad_entry", field="client_id", problem="missing_key", key="client_id")
    return client_id


def goes_to(visit: Visit, name: str, table: str, **query: Any) -> HttpResponseRedirect:
    """Return the way to a page of this table."""
    address = reverse(f"challenge:{name}", args=[visit.event.slug, table])
    return redirect(f"{address}?{urlencode(query, doseq=True)}" if query else address)


def overruling(visit: Visit, problem: Malformed | Refused | None) -> dict[str, Any]:
    """Return what a page needs to let a GM overrule a refusal: the press again, and the reasons; {} for all else."""
    if not isinstance(problem, ChallengeRefused) or not visit.who.is_gm or problem.code in NEVER_OVERRULED:
        return {}
    fields = [
        (name, value)
        for name, values in visit.request.POST.lists()
        if name not in ("csrfmiddlewaretoken", "overruled")
        for value in values
    ]
    return {"pressed": fields, "pressed_at": visit.request.path, "overrule_reasons": OVERRULING.items()}
