"""Answers that refuse something: a page in the site's frame, or at the interface a JSON problem (RFC 9457)."""

from collections.abc import Callable, Mapping
from http import HTTPStatus
from typing import Any, TypeVar

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render

from rules.core.messages import gettext_noop
from rules.core.refusals import Malformed, Refused
from rules.wording import sentence
from web.languages.reader import translate
from web.way_back import way_back

PROBLEM_TYPE = "application/problem+json"
DOCUMENTATION = "/api/topics/"
"""Pages for people below the interface's address."""


View = TypeVar("View", bound=Callable[..., HttpResponse])


def answers_json(view: View) -> View:
    """Mark a view outside the interface that our own scripts ask: its refusals are JSON problems too."""
    setattr(view, "answers_json", True)  # noqa: B010 - functions have no field of their own for it
    return view


def wants_json(request: HttpRequest) -> bool:
    """Return whether a request is to the interface, or to a view that `answers_json`."""
    if request.path.startswith("/api/"):
        return not request.path.startswith(DOCUMENTATION)
    found = request.resolver_match
    return found is not None and hasattr(found.func, "answers_json")


TITLES: Mapping[HTTPStatus, str] = {
    HTTPStatus.BAD_REQUEST: gettext_noop("Bad Request"),
    HTTPStatus.UNAUTHORIZED: gettext_noop("Unauthorized"),
    HTTPStatus.FORBIDDEN: gettext_noop("Forbidden"),
    HTTPStatus.NOT_FOUND: gettext_noop("Not Found"),
    HTTPStatus.METHOD_NOT_ALLOWED: gettext_noop("Method Not Allowed"),
    HTTPStatus.NOT_ACCEPTABLE: gettext_noop("Not Acceptable"),
    HTTPStatus.CONFLICT: gettext_noop("Conflict"),
    HTTPStatus.LENGTH_REQUIRED: gettext_noop("Length Required"),
    HTTPStatus.REQUEST_ENTITY_TOO_LARGE: gettext_noop("Request Entity Too Large"),
    HTTPStatus.UNSUPPORTED_MEDIA_TYPE: gettext_noop("Unsupported Media Type"),
    HTTPStatus.UNPROCESSABLE_ENTITY: gettext_noop("Unprocessable Entity"),
    HTTPStatus.TOO_MANY_REQUESTS: gettext_noop("Too Many Requests"),
    HTTPStatus.INTERNAL_SERVER_ERROR: gettext_noop("Internal Server Error"),
    HTTPStatus.SERVICE_UNAVAILABLE: gettext_noop("Service Unavailable"),
}
"""The titles of problems, for translators; any other status has its English phrase."""


def problem_document(status: HTTPStatus, code: str, detail: str, parameters: Mapping[str, Any]) -> dict[str, Any]:
    """Return the body of a JSON problem (RFC 9457)."""
    return {
        "type": "about:blank",
        "title": translate(TITLES.get(status, status.phrase)),
        "status": status.value,
        "code": code,
        "detail": detail,
        "parameters": dict(parameters),
    }


def problem_response(
    request: HttpRequest, status: HTTPStatus, code: str, detail: str, parameters: Mapping[str, Any] | None = None
) -> HttpResponse:
    """Return an answer with this status: the JSON problem if the request `wants_json`, otherwise a page.

    `detail` is a sentence in the reader's language.
    """
    answer: HttpResponse
    if wants_json(request):
        document = problem_document(status, code, detail, parameters or {})
        answer = JsonResponse(document, status=status, content_type=PROBLEM_TYPE)
    else:
        context = {
            "sentence": detail,
            "code": code,
            "status": status.value,
            "back": way_back(request, is_there=status != HTTPStatus.NOT_FOUND),
            "parameters": parameters or {},
        }
        answer = render(request, "refusal.html", context, status=status)
    setattr(answer, "explained", True)  # noqa: B010 - responses have no field of their own for it
    return answer


def show_again(
    request: HttpRequest,
    template: str,
    context: Mapping[str, Any],
    problem: Malformed | Refused | None,
    names: Mapping[str, str] | None = None,
) -> HttpResponse:
    """Show the page of a form. A problem adds its sentence as `problem`: status 400 for Malformed, 409 for Refused.

    Without a problem the status is 200 and `problem` is "". `names` maps ids to display names in the sentence.
    """
    if problem is None:
        return render(request, template, {**context, "problem": ""})
    status = HTTPStatus.BAD_REQUEST if isinstance(problem, Malformed) else HTTPStatus.CONFLICT
    text = sentence(problem.code, problem.parameters, translate, names)
    return render(request, template, {**context, "problem": text}, status=status)


def is_explained(response: HttpResponse) -> bool:
    """Return whether an answer explains itself already: `problem_response` made it, or it is a JSON problem."""
    return hasattr(response, "explained") or response.headers.get("Content-Type") == PROBLEM_TYPE
