"""The catalogue's pages: units, one unit's dials, and a check of a file that changes nothing."""

from http import HTTPStatus
from typing import Any

from django.contrib.auth.decorators import login_required
from django.core.exceptions import RequestDataTooBig
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.views.decorators.http import require_http_methods, require_safe

from catalogue import labels, pages, selectors
from catalogue.models import CatalogueEntry, CatalogueRelease
from rules.catalogue import Catalogue, CatalogueError, Problem, parse_document
from rules.catalogue.vocabulary import CLASSES, DIAL_VALUES, HEAT_VALUES, KINDS

LARGEST_FILE = 2_000_000
"""Bytes; the printed units of the whole game fit ten times."""

SHOWN_PROBLEMS = 200
SHOWN_ENTRIES = 100


@require_safe
def index(request: HttpRequest) -> HttpResponse:
    """Every unit of a release (`?release=HASH`, else the latest), if asked of one class (`?class=light`)."""
    release = _release(request)
    weight_class = request.GET.get("class", "")
    if weight_class and weight_class not in CLASSES:
        raise Http404
    found = selectors.all_entries(release) if release else {kind: [] for kind in KINDS}
    units = [item for item in found["units"] if weight_class in ("", item.unit_class)]
    units.sort(key=lambda item: (CLASSES.index(item.unit_class) if item.unit_class else len(CLASSES), item.key))
    context = {
        "release": release,
        "pinned": request.GET.get("release", ""),
        "units": [pages.unit_card(item) for item in units],
        "weight_class": weight_class,
        "classes": [(key, labels.name(key)) for key in CLASSES],
        "pilots": pages.pilot_rows(found["pilots"]),
        "tokens": pages.token_rows(found["target_tokens"]),
        "arenas": found["arenas"],
    }
    return render(request, "catalogue/index.html", context)


@require_safe
def unit(request: HttpRequest, key: str) -> HttpResponse:
    """One unit with its whole combat dial, heat dial and base."""
    release = _release(request)
    if release is None:
        raise Http404
    try:
        found = selectors.entry(release, "units", key)
    except CatalogueEntry.DoesNotExist:
        raise Http404 from None
    context = {
        "release": release,
        "pinned": request.GET.get("release", ""),
        "unit": pages.unit_card(found),
        "base": [
            (labels.name(value), labels.name(found.definition[value]["type"]), found.definition[value])
            for value in ("primary", "secondary")
        ],
        "dial": pages.dial_rows(found.definition),
        "dial_columns": pages.column_names(DIAL_VALUES),
        "heat": pages.heat_rows(found.definition),
        "heat_columns": pages.column_names(HEAT_VALUES),
    }
    return render(request, "catalogue/unit.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def check(request: HttpRequest) -> HttpResponse:
    """Check a file (multipart field `file`, or a JSON body): 200 with counts and a preview, 400 with the problems."""
    if request.method != "POST":
        return render(request, "catalogue/check.html", {})
    try:
        catalogue = Catalogue.from_documents([parse_document(*_sent(request))])
    except CatalogueError as error:
        return _refuse(request, error)
    preview = [
        {"kind": kind, "id": key, "name": item["name"], "class": item.get("class"), "points": item.get("points")}
        for kind in KINDS
        for key, item in catalogue.of_kind(kind).items()
    ][:SHOWN_ENTRIES]
    if _wants_json(request):
        answer = {"counts": catalogue.counts(), "content_hash": catalogue.content_hash, "preview": preview}
        return JsonResponse(answer)
    context = {
        "counts": [(labels.name(kind), count) for kind, count in catalogue.counts().items()],
        "content_hash": catalogue.content_hash,
        "preview": [{**row, "kind_name": labels.name(row["kind"])} for row in preview],
    }
    return render(request, "catalogue/check.html", context)


def _refuse(request: HttpRequest, error: CatalogueError) -> HttpResponse:
    shown = error.problems[:SHOWN_PROBLEMS]
    told = [{**problem.to_json(), "detail": labels.sentence(problem.code, problem.parameters)} for problem in shown]
    count = len(error.problems)
    if _wants_json(request):
        detail = labels.sentence(error.code, {"count": count})
        return _problem(400, error.code, detail, {"count": count, "problems": told})
    context = {
        "problems": [
            (problem, labels.name(problem.kind or ""), row["detail"]) for problem, row in zip(shown, told, strict=True)
        ],
        "problem_count": count,
    }
    return render(request, "catalogue/check.html", context, status=400)


def _sent(request: HttpRequest) -> tuple[str, bytes]:
    """Name and content of the file in a request; raises CatalogueError when there is none or it is too large."""
    if request.content_type == "application/json":
        name = "request"
        try:
            content = request.body
        except RequestDataTooBig:
            raise _file_problem(name, "file_too_large", limit=LARGEST_FILE) from None
    else:
        upload = request.FILES.get("file")
        if upload is None:
            raise _file_problem("request", "file_missing")
        name = (upload.name or "upload")[:80]
        if (upload.size or 0) > LARGEST_FILE:
            raise _file_problem(name, "file_too_large", limit=LARGEST_FILE)
        content = upload.read()
    if len(content) > LARGEST_FILE:
        raise _file_problem(name, "file_too_large", limit=LARGEST_FILE)
    return name, content


def _file_problem(file: str, code: str, **parameters: Any) -> CatalogueError:
    return CatalogueError([Problem(file, None, None, None, None, code, parameters)])


def _release(request: HttpRequest) -> CatalogueRelease | None:
    pinned = request.GET.get("release")
    if not pinned:
        return selectors.latest_release()
    try:
        return selectors.release(pinned)
    except CatalogueRelease.DoesNotExist:
        raise Http404 from None


def _wants_json(request: HttpRequest) -> bool:
    if request.content_type == "application/json":
        return True
    return request.get_preferred_type(["text/html", "application/json"]) == "application/json"


def _problem(status: int, code: str, detail: str, parameters: dict[str, Any]) -> JsonResponse:
    document = {
        "type": "about:blank",
        "title": HTTPStatus(status).phrase,
        "status": status,
        "code": code,
        "detail": detail,
        "parameters": parameters,
    }
    return JsonResponse(document, status=status, content_type="application/problem+json")
