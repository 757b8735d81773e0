"""The page of a table in its open turn: feats tile by tile, claims from phones, and the undo of the last press."""

from __future__ import annotations

from collections.abc import Mapping
from http import HTTPStatus

from django.http import HttpResponse
from django.views.decorators.http import require_POST, require_safe

from challenge.forms.feats import BAND_TILES, DAMAGE, GROUPS, IN_ONE_PLACE, OWN_TILES, PHASE_NAMES, Chosen, deed_of
from challenge.forms.reasons import OVERRULING
from challenge.models import Event
from challenge.presenters.arena.reminders import OF_A_TURN, reminders
from challenge.presenters.next_steps import second_place
from challenge.presenters.table import last_press, lines_of_turn, reasons_of, table_view
from challenge.services.books import Wish, write
from challenge.services.claims import accept_feats, strike
from challenge.views.frame import Visit, of_event
from challenge.views.of_table import client_id_of, goes_to, of_table, overruling, wishes_for
from rules.challenge.book.rows import UNDO
from rules.challenge.folding import ChallengeRefused
from rules.core.digits import whole_number
from rules.core.refusals import Malformed, Refused
from rules.core.shape_checks import shown
from web.problems import show_again

OFTEN = ("fire", "physical", "movement", "end")
"""The phases of the form."""
OF_THE_FINAL = frozenset({"overrun"})


def show(
    visit: Visit,
    table: str,
    chosen: Chosen,
    problem: Malformed | ChallengeRefused | None = None,
    refused: Mapping[int, Refused] | None = None,
) -> HttpResponse:
    """Show the page of a table, with the sentence of a refusal if there is one, and those of claims in their rows."""
    view = table_view(visit.event, visit.book, table, chosen, refused)
    hidden = set() if visit.state.stage == "final" else set(OF_THE_FINAL)
    if not view.may_leave_early:
        hidden.add("exit.early")
    if view.wounds:
        hidden.add("wound")
    context = visit.context(
        here=table,
        view=view,
        turn=view.turn,
        damage=DAMAGE,
        bands=BAND_TILES,
        in_one_place=IN_ONE_PLACE,
        groups=GROUPS,
        own_tiles=[tile for tile in OWN_TILES if tile.value not in hidden],
        phases=[(phase, PHASE_NAMES[phase]) for phase in OFTEN],
        closed=_closed(visit, table),
        reminders=reminders(*OF_A_TURN),
        asked=_asked(visit, problem),
        second_place=second_place(visit.event, visit.book),
        **({"overrule_reasons": OVERRULING.items()} if visit.who.is_gm else {}) | overruling(visit, problem),
    )
    return show_again(visit.request, "challenge/table.html", context, problem)


def _asked(visit: Visit, problem: Malformed | ChallengeRefused | None) -> list[tuple[str, str]] | None:
    """Return the press that wants a target only, so that the page asks for it and keeps the rest; else None."""
    if problem is None or problem.code != "target_missing":
        return None
    own = ("csrfmiddlewaretoken", "client_id", "at")
    return [(name, str(value)) for name, value in visit.request.POST.items() if name not in own]


def _closed(visit: Visit, table: str) -> dict[str, object] | None:
    """Return what the turn that has just been closed gave, where the address asks for it."""
    turn = visit.state.table(table).turn - 1
    if whole_number(visit.request.GET.get("closed", "")) != turn:
        return None
    lines = lines_of_turn(visit.book, table, turn)
    return {"turn": turn, "by_pilot": list(reasons_of(visit.state, lines).items())}


@require_safe
@of_event
@of_table
def table(visit: Visit, table: str) -> HttpResponse:
    """Show the open turn of a table; the address says who is chosen."""
    return show(visit, table, Chosen.read(visit.request.GET))


@require_POST
@of_event
@of_table
def enter_feat(visit: Visit, table: str) -> HttpResponse:
    """Write the deed of a tile. The pilot who acts and the target stay chosen. A refusal shows the page again."""
    sent = visit.request.POST
    chosen = Chosen.read(sent)
    try:
        deed = deed_of(sent.get("feat", ""), chosen, sent.get("points", ""))
        write(visit.event.pk, visit.who, wishes_for(visit, table, [deed]))
    except (ChallengeRefused, Malformed) as problem:
        return show(visit, table, chosen, problem)
    return goes_to(visit, "table", table, **chosen.query)


@require_POST
@of_event
@of_table
def undo(visit: Visit, table: str) -> HttpResponse:
    """Undo the last press of a table: all rows that it wrote. `number` names the row that the reader saw last.

    Somebody else's later row stays: then the page shows it, and nothing is undone.
    """
    sent = visit.request.POST
    chosen = Chosen.read(sent)
    try:
        client_id = client_id_of(visit)
        last = last_press(visit.event, visit.book, table)
        if last is None or str(last.number) != sent.get("number", ""):
            return goes_to(visit, "table", table, **chosen.query)
        wishes = [Wish(f"{client_id}u-{place}", UNDO, {}, undoes=number) for place, number in enumerate(last.press)]
        write(visit.event.pk, visit.who, wishes)
    except (ChallengeRefused, Malformed) as problem:
        return show(visit, table, chosen, problem)
    return goes_to(visit, "table", table, **chosen.query)


@require_POST
@of_event
@of_table
def answer_claims(visit: Visit, table: str) -> HttpResponse:
    """Accept one claim or several, or strike one: the button says which.

    What the rules forbid waits on, with its refusal in its row; there a GM's reason overrules it.
    """
    sent = visit.request.POST
    chosen = Chosen.read(sent)
    refused: Mapping[int, Refused] = {}
    try:
        if "strike" in sent:
            strike(visit.event.pk, visit.who, _numbers([sent["strike"]]))
        else:
            numbers = _numbers([sent["accept"]] if "accept" in sent else sent.getlist("all"))
            refused = accept_feats(visit.event.pk, visit.who, numbers, sent.get("overruled", ""))
    except (ChallengeRefused, Malformed) as problem:
        return show(visit, table, chosen, problem)
    if not refused:
        return goes_to(visit, "table", table, **chosen.query)
    now = Visit(visit.request, Event.objects.get(pk=visit.event.pk), visit.who)
    answer = show(now, table, chosen, refused=refused)
    answer.status_code = HTTPStatus.CONFLICT
    return answer


def _numbers(values: list[str]) -> list[int]:
    found: list[int] = []
    for value in values:
        number = whole_number(value)
        if number is None:
            raise Malformed("bad_entry", field="claim", problem="wrong_format", value=shown(value))
        found.append(number)
    return found
