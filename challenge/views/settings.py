"""The settings of an event, with a preview of all that they move, and its rules for everybody."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from challenge.forms.opening import OPTION_NAMES
from challenge.forms.settings import SessionForm, SettingsForm, session_of
from challenge.presenters.settings import digest_of, moves, new_objections, switch_lines
from challenge.services.books import Wish, checked, write
from challenge.services.presses import press_id
from challenge.views.frame import Visit, for_gms, of_event
from rules.challenge.book.rows import SESSION, SETUP
from rules.challenge.folding import ChallengeRefused
from rules.challenge.switches import OPTIONS
from rules.core.refusals import Malformed
from rules.wording import sentence
from web.languages.reader import translate
from web.problems import show_again

PAGE = "challenge/settings.html"


def _context(visit: Visit, **more: Any) -> dict[str, Any]:
    return visit.context(
        **{
            "form": SettingsForm(visit.book),
            "session_form": SessionForm(visit.book),
            "problem": "",
            "here": "settings",
            **more,
        }
    )


@require_http_methods(["GET", "HEAD", "POST"])
@of_event
@for_gms
def settings(visit: Visit) -> HttpResponse:
    """Show the settings and change them. Where anything has been entered, what moves is shown first, then confirmed."""
    typed = visit.request.POST
    if visit.request.method != "POST":
        return render(visit.request, PAGE, _context(visit))
    form = SettingsForm(visit.book, typed)
    if not form.is_valid():
        return render(visit.request, PAGE, _context(visit, form=form), status=400)
    document = form.setup()
    if document == form.current:
        messages.info(visit.request, _("These are the settings already."))
        return redirect("challenge:settings", visit.event.slug)
    wish = Wish(press_id(typed.get("client_id", ""), document), SETUP, document)
    try:
        if any(row.entry is not None for row in visit.book.counting):
            preview = _preview(visit, wish)
            if typed.get("previewed") != preview["digest"]:
                return render(visit.request, PAGE, _context(visit, form=form, preview=preview))
        write(visit.event.pk, visit.who, [wish])
    except (ChallengeRefused, Malformed) as problem:
        return show_again(visit.request, PAGE, _context(visit, form=form), problem)
    messages.success(visit.request, _("The settings hold from the first entry on."))
    return redirect("challenge:settings", visit.event.slug)


def _preview(visit: Visit, wish: Wish) -> dict[str, Any]:
    """Return all that a change of the settings moves, and which entries the rules forbid then."""
    rows, after = checked(visit.event, visit.who, [wish])
    moved = moves(visit.state, after)
    forbidden = [
        (number, sentence(refusal.code, refusal.parameters, translate))
        for number, refusal in new_objections(visit.book.rows, rows).items()
    ]
    return {"moved": moved, "forbidden": forbidden, "digest": digest_of(wish.document, (moved, forbidden))}


@require_POST
@of_event
@for_gms
def session(visit: Visit) -> HttpResponse:
    """Let new limits hold from now on. Faults show the form again, with 400."""
    form = SessionForm(visit.book, visit.request.POST)
    if not form.is_valid():
        return render(visit.request, PAGE, _context(visit, session_form=form), status=400)
    document = form.session()
    wish = Wish(press_id(visit.request.POST.get("client_id", ""), document), SESSION, document)
    write(visit.event.pk, visit.who, [wish])
    messages.success(visit.request, _("The limits hold from now on."))
    return redirect("challenge:settings", visit.event.slug)


@require_safe
@of_event
def switches(visit: Visit) -> HttpResponse:
    """Show everybody the rules of the event: options in play, limits now, and each switch with its ruling."""
    lines = switch_lines(visit.book)
    context = visit.context(
        turned=[line for line in lines if line.is_turned],
        others=[line for line in lines if not line.is_turned],
        options=[OPTION_NAMES[option] for option in OPTIONS if visit.state.plays(option)],
        session=session_of(visit.book),
        here="switches",
    )
    return render(visit.request, "challenge/settings_rules.html", context)
