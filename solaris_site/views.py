import sqlite3
import sys
from http import HTTPStatus

from django.core.exceptions import RequestDataTooBig
from django.db import InterfaceError, OperationalError
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.template import loader
from django.utils.translation import gettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from solaris_site import readiness
from web.problems import PROBLEM_TYPE, problem_document, problem_response, wants_json


@never_cache
@require_safe
def health(request: HttpRequest) -> JsonResponse:
    """Answer 200 while this process lives. Nothing else is checked. Supervisors ask this view."""
    return JsonResponse({"status": "ok"})


@never_cache
@require_safe
def ready(request: HttpRequest) -> JsonResponse:
    """Answer 200 when all checks of the site's needs are well, otherwise 503. `?exclude=NAME` leaves a check out and
    may be repeated. Load balancers ask this view.
    """
    checks = readiness.look()
    left_out = set(request.GET.getlist("exclude"))
    facts = {name: is_well for name, is_well in checks.items() if name not in left_out}
    is_ready = all(facts.values())
    status = HTTPStatus.OK if is_ready else HTTPStatus.SERVICE_UNAVAILABLE
    checked = {name: "ok" if is_well else "not ok" for name, is_well in facts.items()}
    return JsonResponse({"status": "ready" if is_ready else "not ready", "checks": checked}, status=status)


RETRY_SECONDS = 10
"""Seconds after which a client may ask again when the database did not answer."""


def csrf_failure(request: HttpRequest, reason: str = "") -> HttpResponse:
    """Answer 403 for a form that did not come from a page of this site, or from one that is too old."""
    detail = gettext("This form is too old or does not come from this site. Load the page again, then send it again.")
    return problem_response(request, HTTPStatus.FORBIDDEN, "form_not_ours", detail)


def bad_request(request: HttpRequest, exception: Exception | None = None) -> HttpResponse:
    """Answer 413 to a request that is too large, and 400 to any other that no page of this site sends."""
    if isinstance(exception, RequestDataTooBig):
        detail = gettext("What was sent is larger than this site takes. Send less, or a smaller file.")
        return problem_response(request, HTTPStatus.REQUEST_ENTITY_TOO_LARGE, "request_too_large", detail)
    detail = gettext("This request is not one that the pages of this site send.")
    return problem_response(request, HTTPStatus.BAD_REQUEST, "bad_request", detail)


def server_error(request: HttpRequest) -> HttpResponse:
    """Answer 500 after a bug of ours, and 503 with Retry-After while the database does not answer; as a page or a JSON
    problem. The page makes no query, because the database may be broken.

    Django calls this while it handles the exception.
    """
    is_away = is_of_absent_database(sys.exc_info()[1])
    status = HTTPStatus.SERVICE_UNAVAILABLE if is_away else HTTPStatus.INTERNAL_SERVER_ERROR
    answer: HttpResponse
    if wants_json(request):
        detail = gettext("Something is broken on this site. Try again later.")
        if is_away:
            detail = gettext("The site's database does not answer just now. Try again in a moment.")
        document = problem_document(status, "database_away" if is_away else "server_error", detail, {})
        answer = JsonResponse(document, status=status, content_type=PROBLEM_TYPE)
    else:
        # The template gets no request, so that it looks up no user.
        answer = HttpResponse(loader.get_template("500.html").render({"is_away": is_away}), status=status)
    if is_away:
        answer.headers["Retry-After"] = str(RETRY_SECONDS)
    return answer


def is_of_absent_database(error: BaseException | None) -> bool:
    """Return whether an exception says that the database is away, busy or full, and not that a statement is wrong."""
    if not isinstance(error, (InterfaceError, OperationalError)):
        return False
    # SQLite calls a missing table an operational error too; its own code tells them apart.
    return getattr(error.__cause__, "sqlite_errorcode", None) != sqlite3.SQLITE_ERROR
