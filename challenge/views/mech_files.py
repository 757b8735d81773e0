"""Files of 'Mechs for the list: first what they would change, then the change in one row."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import ngettext
from django.views.decorators.http import require_POST

from challenge.forms.mech_files import MechFilesForm
from challenge.presenters.mech_files import WHY, field_of, file_lines
from challenge.services.books import Wish, write
from challenge.services.presses import press_id
from challenge.views.frame import Visit, for_gms, of_event
from challenge.views.lists import MOST_PREVIEWED, list_context
from rules.challenge.book.price_list import price_of
from rules.challenge.book.rows import MECHS
from rules.challenge.mech_files.carrying import carry, read_carried
from rules.challenge.mech_files.gathering import MechFiles, Offered, read_files


@require_POST
@of_event
@for_gms
def files(visit: Visit) -> HttpResponse:
    """Show what files would change in the list, and with `confirm` change it, in one row.

    The page carries what it read, so that the second press needs no file. A 'Mech whose cost nobody knows is left out
    until a price is typed for it. A typed price that is no number shows the page again, with 400.
    """
    typed = visit.request.POST
    if "carried" not in typed:
        form = MechFilesForm(typed, visit.request.FILES)
        if not form.is_valid():
            return render(visit.request, "challenge/mechs.html", list_context(visit, files_form=form), status=400)
        chosen = form.cleaned_data
        return _preview(visit, read_files((each.name, each.read()) for each in chosen["uploads"]), chosen)
    found, chosen = read_carried(typed["carried"]), {name: name in typed for name in ("keep", "only")}
    without = [each for each in found.beside(visit.state.models, keep=chosen["keep"]) if each.cost is None]
    said = {each.id: typed.get(field_of(each), "") for each in without}
    bad = [id_ for id_, text in said.items() if text.strip() and not price_of(text)]
    good = {id_: price for id_, text in said.items() if (price := price_of(text))}
    offered = found.beside(visit.state.models, good, chosen["keep"])
    change = found.change(visit.state.models, offered, chosen["only"])
    if bad or not change or "confirm" not in typed:
        return _preview(visit, found, chosen, bad)
    # What the page says tells presses from each other: the change follows from the list too, and so from a first press.
    client_id = press_id(typed.get("client_id", ""), [typed["carried"], chosen, _prices(visit)])
    write(visit.event.pk, visit.who, [Wish(client_id, MECHS, {"mechs": change})])
    _say(visit, offered)
    return redirect("challenge:mechs", visit.event.slug)


def _prices(visit: Visit) -> dict[str, str]:
    """Return the prices that the page has, as they were typed."""
    typed = visit.request.POST
    return {key: typed[key] for key in typed if key.startswith("price_") and typed[key].strip()}


def _say(visit: Visit, offered: list[Offered]) -> None:
    taken = sum(each.cost is not None for each in offered)
    said = ngettext(
        "%(count)d ’Mech of the files is in the list.", "%(count)d ’Mechs of the files are in the list.", taken
    )
    messages.success(visit.request, said % {"count": taken})
    left = len(offered) - taken
    if left:
        said = ngettext(
            "%(count)d ’Mech without a price is left out.", "%(count)d ’Mechs without a price are left out.", left
        )
        messages.warning(visit.request, said % {"count": left})


def _preview(visit: Visit, found: MechFiles, chosen: dict[str, Any], bad: list[str] | None = None) -> HttpResponse:
    models = visit.state.models
    offered = found.beside(models, keep=chosen["keep"])
    change = found.change(models, offered, chosen["only"])
    new = [each for each in offered if each.old is None and each.cost is not None]
    replaced = [each for each in offered if each.old is not None]
    without = [each for each in offered if each.cost is None]
    lacking = found.lacking(models)
    context = visit.context(
        new=file_lines(new[:MOST_PREVIEWED]),
        replaced=file_lines(replaced[:MOST_PREVIEWED]),
        without=[
            (line, visit.request.POST.get(line.field, ""), line.offered.id in (bad or ()))
            for line in file_lines(without[:MOST_PREVIEWED])
        ],
        counts={"new": len(new), "replaced": len(replaced), "without": len(without)},
        hidden=sum(max(0, len(each) - MOST_PREVIEWED) for each in (new, replaced, without)),
        lacking=lacking,
        known=len(found.named) - len(lacking),
        unread=[(each.place, WHY[each.why]) for each in found.unread[:MOST_PREVIEWED]],
        more_unread=max(0, len(found.unread) - MOST_PREVIEWED),
        leaving=sum(document is None for document in change.values()),
        can_confirm=bool(change or without),
        carried=carry(found),
        keep=chosen["keep"],
        only=chosen["only"],
        bad=bool(bad),
        here="mechs",
    )
    return render(visit.request, "challenge/mechs_files.html", context, status=400 if bad else 200)
