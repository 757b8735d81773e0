"""Corrections: a row is undone or changed, or a forgotten deed is added before the end of a turn, after a preview."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from challenge.forms.any_deed import DeedForm
from challenge.forms.deed_words import kinds_to_choose
from challenge.forms.reasons import OVERRULING, ReasonForm
from challenge.presenters.corrections import preview
from challenge.presenters.log import closed_rows, may_correct
from challenge.services.books import Wish, write
from challenge.views.frame import Visit, for_agents, of_event
from rules.challenge.book.rows import DEED, UNDO, Row
from rules.challenge.folding import ChallengeRefused
from rules.challenge.kinds import KINDS
from rules.core.refusals import Malformed
from rules.wording.challenge_deeds import deed_name
from rules.wording.challenge_entries import entry_sentence
from web.languages.reader import translate
from web.problems import show_again
from web.reading import given, text_of

UNDOING, CHANGING, ADDING = "undo", "change", "add"
_NOT_CARRIED = ("csrfmiddlewaretoken", "confirm", "overruled-reason", "overruled-words", "overrule")


@dataclass
class Correction:
    """What somebody fills in: which row, whether it is undone, changed or has a deed added before it, and why."""

    row: Row
    way: str
    deed: DeedForm | None
    reason: ReasonForm

    @property
    def is_valid(self) -> bool:
        """Whether every part of the form can be read; all of them say what they miss."""
        parts: list[Any] = [self.reason, *([self.deed] if self.deed else [])]
        return all([part.is_valid() for part in parts])

    def wishes(self, client_id: str, overruled: str) -> list[Wish]:
        """Return what is written."""
        number, reason = self.row.number, self.reason.text()
        undoing = Wish(f"{client_id}-undo"[:64], UNDO, {}, undoes=number, reason=reason)
        if self.deed is None:
            return [undoing]
        document = {**self.deed.document(), **_place_of(self.row)}
        if overruled:
            document["overruled"] = overruled
        adding = Wish(f"{client_id}-new"[:64], DEED, document, before=number, reason=reason)
        return [adding] if self.way == ADDING else [adding, undoing]


def _place_of(row: Row) -> dict[str, Any]:
    """Return table and turn of a row, as far as it names them."""
    if row.entry is None:
        return {}
    found: dict[str, Any] = {"table": row.entry.table}
    if row.entry.turn is not None:
        found["turn"] = row.entry.turn
    return found


@require_http_methods(["GET", "HEAD", "POST"])
@of_event
@for_agents
def correct(visit: Visit, number: int) -> HttpResponse:
    """Show what may be done about a row; a POST shows what it would move, one with `confirm` writes it.

    404 for a row that is not there, 403 for one that is not theirs.
    """
    row = _row(visit, number)
    fields = visit.request.POST
    way = fields.get("way") if fields.get("way") in (UNDOING, CHANGING) else ""
    return _answer(visit, row, way or UNDOING, shows_both=not way)


@require_http_methods(["GET", "HEAD", "POST"])
@of_event
@for_agents
def add(visit: Visit, number: int) -> HttpResponse:
    """Offer the kinds of deed that may have been forgotten before a row, and then the form of one."""
    row = _row(visit, number)
    if row.entry is None:
        raise Http404
    if visit.request.GET.get("what") in KINDS:
        return _answer(visit, row, ADDING)
    context = visit.context(here="log", row=row, sentence=_sentence(visit, row), groups=kinds_to_choose())
    return render(visit.request, "challenge/log_kinds.html", context)


def _row(visit: Visit, number: int) -> Row:
    if not 1 <= number <= visit.book.written:
        raise Http404
    row = visit.book.rows[number - 1]
    if not may_correct(visit.who, row):
        raise PermissionDenied
    return row


def _sentence(visit: Visit, row: Row) -> str:
    return entry_sentence(visit.state, row, translate)


def _answer(visit: Visit, row: Row, way: str, shows_both: bool = False) -> HttpResponse:
    correction = _read(visit, row, way, shows_both)
    context = _context(visit, correction, shows_both)
    if visit.request.method != "POST":
        return show_again(visit.request, "challenge/log_correct.html", context, None)
    if not correction.is_valid:
        return render(visit.request, "challenge/log_correct.html", {**context, "problem": ""}, status=400)
    return _preview_or_write(visit, correction, context)


def _read(visit: Visit, row: Row, way: str, shows_both: bool) -> Correction:
    data = visit.request.POST if visit.request.method == "POST" else None
    is_closed = row.number in closed_rows(visit.book)
    chosen = visit.request.GET.get("what", "")
    kind = KINDS.get(chosen or (row.entry.what if row.entry else ""))
    deed = None
    if row.entry is not None and kind is not None and (way != UNDOING or shows_both):
        same = row.entry if row.entry.what == kind.name and way != ADDING else None
        deed = DeedForm(visit.state, kind, data, entry=same, prefix="deed")
    return Correction(row, way, deed, ReasonForm(data, needed=is_closed, label=_("Why it is corrected")))


def _context(visit: Visit, correction: Correction, shows_both: bool) -> dict[str, Any]:
    row = correction.row
    return visit.context(
        here="log",
        row=row,
        sentence=_sentence(visit, row),
        way=correction.way,
        shows_both=shows_both,
        deed=correction.deed,
        kind_name=deed_name(correction.deed.kind.name, translate) if correction.deed else "",
        reason=correction.reason,
        undo_reason=_undo_reason(correction) if shows_both else correction.reason,
        groups=kinds_to_choose(),
        is_adding=correction.way == ADDING,
    )


def _undo_reason(correction: Correction) -> ReasonForm:
    """Return the same question for the form that undoes, with ids of its own beside the form that changes."""
    return ReasonForm(auto_id="id_undo_%s", label=correction.reason.fields["reason"].label)


def _preview_or_write(visit: Visit, correction: Correction, context: dict[str, Any]) -> HttpResponse:
    """Show what a correction moves, or write it where the press confirms it; a refusal shows the form again."""
    fields = visit.request.POST
    overruling = ReasonForm(fields, prefix="overruled", choices=OVERRULING, needed="overrule" in fields)
    overruled = overruling.text() if overruling.is_valid() else ""
    overruled = overruled or text_of(fields, "overruled")
    wishes = correction.wishes(given(fields, "client_id"), overruled)
    carried = [(name, value) for name in fields if name not in _NOT_CARRIED for value in fields.getlist(name)]
    carried = [pair for pair in carried if pair[0] != "overruled"] + [("overruled", overruled)] * bool(overruled)
    try:
        if "confirm" in fields:
            write(visit.event.pk, visit.who, wishes)
            messages.success(visit.request, _("The correction is written."))
            return redirect("challenge:log", visit.event.slug)
        found = preview(visit.event, visit.book, visit.who, wishes)
    except (ChallengeRefused, Malformed) as problem:
        more = {"overruling": overruling if _may_overrule(visit, correction, problem) else None, "carried": carried}
        return show_again(visit.request, "challenge/log_correct.html", {**context, **more}, problem)
    context |= {"preview": found, "carried": carried}
    return render(visit.request, "challenge/log_preview.html", context)


OF_THE_BOOK = frozenset({"no_such_entry", "entry_undone", "entry_needed", "why_missing", "event_closed"})
"""Refusals of the book itself, which nobody overrules."""


def _may_overrule(visit: Visit, correction: Correction, problem: ChallengeRefused | Malformed) -> bool:
    is_rule = isinstance(problem, ChallengeRefused) and problem.code not in OF_THE_BOOK
    return visit.who.is_gm and correction.deed is not None and is_rule
