"""The pages of files (check, import with a preview, export), and of the shelf."""

import re
from dataclasses import replace
from http import HTTPStatus
from typing import Any
from uuid import UUID

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect, JsonResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.translation import gettext, pgettext
from django.views.decorators.http import require_GET, require_http_methods, require_POST, require_safe

from catalogue.forms.collection import CollectionForm
from catalogue.forms.files import FileForm, ImportForm
from catalogue.models import ImportDraft
from catalogue.selectors import releases
from catalogue.services import collections
from catalogue.services.differences import Difference
from catalogue.services.files import release_document, units_sheet
from catalogue.text import labels
from catalogue.views.browsing import by_name, frame, release_asked
from rules.catalogue import Catalogue, CatalogueError
from rules.catalogue.mapping import shipped_mappings
from rules.catalogue.vocabulary import KINDS
from rules.core.refusals import Malformed
from rules.core.table_units import is_table_only
from rules.wording.isolation import isolated, name_of
from web.crumbs import Link
from web.problems import show_again
from web.tables import EXCEL, as_excel

SHOWN_CHANGES = 200
SHOWN_ENTRIES = 100
SHOWN_DIFFERENCES = 20


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def check(request: HttpRequest) -> HttpResponse:
    """Show a form for a file. POST checks the file (`file`, `form`) and shows its counts and a preview, or its problems
    (400). Raises TooOften (too_often).
    """
    crumbs = [Link(gettext("Catalogue"), reverse("catalogue:index")), Link(gettext("Check a file"))]
    form = FileForm(request.POST, request.FILES) if request.method == "POST" else FileForm()
    context: dict[str, Any] = {"crumbs": crumbs, "form": form, "mappings": labels.choices(shipped_mappings())}
    if not form.is_bound:
        return render(request, "catalogue/check.html", context)
    collections.count_import(request.user)
    try:
        read = form.read()
        catalogue = Catalogue.from_documents([read.document])
    except CatalogueError as error:
        return refuse_file(request, error, "catalogue/check.html", context)
    preview = [
        {"kind_name": labels.name(kind), "id": key, "name": name_of(item), "points": item.get("points")}
        for kind in KINDS
        for key, item in catalogue.of_kind(kind).items()
    ][:SHOWN_ENTRIES]
    context |= {
        "counts": [(labels.name(kind), count) for kind, count in catalogue.counts().items()],
        "content_hash": catalogue.content_hash,
        "preview": preview,
        "notes": _notes_with_details([note.to_json() for note in read.notes]),
    }
    return render(request, "catalogue/check.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def collection_list(request: HttpRequest) -> HttpResponse:
    """Show the collections that a person keeps, and those that lists show them. POST makes a collection (fields: those
    of CollectionForm) and redirects to it; a form that is refused is shown again.
    """
    form = CollectionForm(request.POST if request.method == "POST" else None)
    problem = None
    if form.is_bound:
        try:
            made = collections.make_collection(keeper=request.user, **form.asked())
            return redirect("catalogue:collection", made.slug)
        except (Malformed, collections.ImportRefused) as refused:
            problem = refused
    visible = collections.listed_to(request.user).select_related("keeper")
    context = {
        **frame(request, release_asked(request), "collections"),
        "own": by_name(visible.filter(keeper_id=request.user.pk)),
        "others": by_name(visible.exclude(keeper_id=request.user.pk).filter(versions__isnull=False).distinct()),
        "form": form,
    }
    return show_again(request, "catalogue/collections.html", context, problem)


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def collection(request: HttpRequest, slug: str) -> HttpResponse:
    """Show one collection with its versions; 404 for one that the person may not see. POST keeps a file (`file`,
    `form`, `replaces_all`) as a draft and redirects to its preview, or shows its problems (400).

    Raises ImportRefused (not_the_keeper, too_many_definitions) and TooOften (too_often).
    """
    found = get_object_or_404(collections.visible_to(request.user).select_related("keeper"), slug=slug)
    form = ImportForm(request.POST, request.FILES) if request.method == "POST" else ImportForm()
    context = {
        **frame(request, release_asked(request), "collections"),
        "collection": found,
        "is_keeper": found.keeper_id == request.user.pk,
        "versions": found.versions.select_related("release"),
        "drafts": collections.drafts_of(request.user).filter(collection=found, state=ImportDraft.State.OPEN),
        "form": form,
    }
    if not form.is_bound:
        return render(request, "catalogue/collection.html", context)
    collections.count_import(request.user)
    try:
        draft = collections.draft_import(
            collection=found,
            user=request.user,
            read=form.read(),
            replaces_all=form.is_whole,
        )
    except CatalogueError as error:
        return refuse_file(request, error, "catalogue/collection.html", context)
    return redirect("catalogue:import", draft.public_id)


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def preview(request: HttpRequest, public_id: UUID) -> HttpResponse:
    """Show what a person's own draft will change. POST with `decision` confirm or discard decides it and redirects to
    the collection. Answer 404 for any other draft or decision.

    Raises ImportRefused (not_the_keeper, draft_not_open, collection_moved_on, collections_too_large).
    """
    draft = collections.drafts_of(request.user).filter(public_id=public_id).first()
    if draft is None:
        raise Http404
    if request.method == "POST":
        return _decide(request, draft)
    changes = collections.changes_of(draft) if draft.state == ImportDraft.State.OPEN else []
    without_dial = [unit["id"] for unit in draft.document.get("units", ()) if is_table_only(unit)]
    counts = {effect: sum(change.effect == effect for change in changes) for effect in _EFFECTS}
    shown = [change for change in changes if change.effect != "unchanged"][:SHOWN_CHANGES]
    context = {
        "draft": draft,
        "crumbs": [
            Link(gettext("Collections"), reverse("catalogue:collections")),
            Link(draft.collection.name, reverse("catalogue:collection", args=[draft.collection.slug])),
            Link(draft.file),
        ],
        "is_open": draft.state == ImportDraft.State.OPEN,
        "counts": [(_effect(effect), count) for effect, count in counts.items()],
        "dials_lost": sum(change.loses_dial for change in changes),
        "over_dials": releases.names_with_dial(without_dial),
        "changes": [
            {
                "change": change,
                "name": isolated(change.name),
                "kind": labels.name(change.kind),
                "effect": _effect(change.effect),
                "differences": [_shown(each) for each in change.differences[:SHOWN_DIFFERENCES]],
                "more": max(0, len(change.differences) - SHOWN_DIFFERENCES),
            }
            for change in shown
        ],
        "more": len(changes) - counts["unchanged"] - len(shown),
        "notes": _notes_with_details(draft.notes),
    }
    return render(request, "catalogue/import.html", context)


def _shown(difference: Difference) -> Difference:
    """Return a difference with its texts isolated, because an arrow stands between them."""
    values = {"before": difference.before, "after": difference.after}
    return replace(difference, **{key: isolated(text) for key, text in values.items() if isinstance(text, str)})


@require_GET
def export(request: HttpRequest, form: str) -> HttpResponse:
    """Send the definitions of a release as a file that can be imported: `form` is json (all kinds, or one by `?kind=`)
    or csv (units). Answer 404 for an unknown release or kind, and for csv of any other kind. With `?form=excel` csv has
    a byte order mark and semicolons, for spreadsheets.
    """
    release = release_asked(request)
    if release is None:
        raise Http404
    kind = request.GET.get("kind", "")
    if kind and kind not in KINDS:
        raise Http404
    name = f"solaris-circuit-{kind or 'catalogue'}-{release.content_hash[:12]}"
    answer: HttpResponse
    is_excel = form == "csv" and request.GET.get("form") == EXCEL
    if form == "csv":
        if kind not in ("", "units"):
            raise Http404
        units = release_document(release, ["units"])["units"]
        sheet = units_sheet(units)
        answer = HttpResponse(as_excel(sheet) if is_excel else sheet, content_type="text/csv; charset=utf-8")
        name = f"solaris-circuit-units-{release.content_hash[:12]}"
    else:
        answer = JsonResponse(release_document(release, [kind] if kind else KINDS), json_dumps_params={"indent": 1})
    answer.headers["Content-Disposition"] = f'attachment; filename="{name}.{form}"'
    # A release never changes, so its hash is a sufficient tag.
    answer.headers["ETag"] = f'"{release.content_hash}-{kind}-{EXCEL if is_excel else form}"'
    return answer


@require_safe
def mapping_file(request: HttpRequest, mapping: str) -> HttpResponse:
    """Send a mapping that comes with the game, to begin one's own with; 404 for any other name."""
    found = shipped_mappings().get(mapping)
    if found is None:
        raise Http404
    answer = JsonResponse(found, json_dumps_params={"indent": 2, "ensure_ascii": False})
    answer.headers["Content-Disposition"] = f'attachment; filename="{mapping}.json"'
    return answer


@require_POST
@login_required
def owned_miniatures(request: HttpRequest) -> HttpResponse:
    """Put units (`key`, up to 100) on the person's shelf, or take them off (`off`). Redirect to `next`, or to the units
    when `next` is not an address of this site. Raises ImportRefused (shelf_full).
    """
    sent = request.POST.getlist("key")[:SHOWN_ENTRIES]
    keys = [key for key in sent if re.fullmatch(r"[A-Za-z0-9][\w-]{0,39}", key, re.ASCII)]
    collections.set_owned_miniatures(
        user=request.user, keys=keys, is_there=request.POST.get("off", "") in ("", "0", "false")
    )
    back = request.POST.get("next", "")
    if not url_has_allowed_host_and_scheme(back, allowed_hosts={request.get_host()}, require_https=request.is_secure()):
        back = reverse("catalogue:index")
    return HttpResponseRedirect(back)


_EFFECTS = ("added", "changed", "removed", "unchanged")


def _effect(effect: str) -> str:
    names = {
        "added": pgettext("an entry", "new"),
        "changed": gettext("changed"),
        "removed": gettext("taken out"),
        "unchanged": gettext("as before"),
    }
    return names[effect]


def _decide(request: HttpRequest, draft: ImportDraft) -> HttpResponse:
    decision = request.POST.get("decision", "")
    if decision == "confirm":
        version = collections.confirm_import(public_id=draft.public_id, user=request.user)
        messages.success(
            request,
            gettext("%(collection)s is now at version %(number)s.")
            % {"collection": draft.collection.name, "number": version.number},
        )
    elif decision == "discard":
        collections.discard_import(public_id=draft.public_id, user=request.user)
        messages.info(request, gettext("The import was thrown away; nothing has changed."))
    else:
        raise Http404
    return redirect("catalogue:collection", draft.collection.slug)


def _notes_with_details(notes: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [{**note, "detail": labels.sentence(note["code"], note["parameters"])} for note in notes]


def refuse_file(request: HttpRequest, error: CatalogueError, template: str, context: dict[str, Any]) -> HttpResponse:
    """Return a page again, with the problems of the file that its form brought (400)."""
    problems = [
        (problem, labels.name(problem.kind or ""), labels.sentence(problem.code, problem.parameters))
        for problem in error.problems
    ]
    context["form"].fields["file"].widget.attrs["aria-describedby"] = "problems"
    context |= {"problems": problems, "problem_count": len(problems), "is_cut": error.is_cut}
    return render(request, template, context, status=HTTPStatus.BAD_REQUEST)
