from http import HTTPStatus

from django.core.exceptions import RequestDataTooBig
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
    """Answer 500 after a bug of ours, as a page or a JSON problem. The page makes no query, because the database may be
    broken.
    """
    if wants_json(request):
        detail = gettext("Something is broken on this site. Try again later.")
        document = problem_document(HTTPStatus.INTERNAL_SERVER_ERROR, "server_error", detail, {})
        return JsonResponse(document, status=500, content_type=PROBLEM_TYPE)
    # The template gets no request, so that it looks up no user.
    return HttpResponse(loader.get_template("500.html").render(), status=500)
