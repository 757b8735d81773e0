from http import HTTPStatus

from django.db import connection
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.template import loader
from django.utils.translation import gettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from solaris_site.problems import PROBLEM_TYPE, problem_document, problem_response, wants_json


@never_cache
@require_safe
def health(request: HttpRequest) -> JsonResponse:
    """200 while the site can reach its database; for load balancers and for `up`."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT 1")
    return JsonResponse({"status": "ok"})


def csrf_failure(request: HttpRequest, reason: str = "") -> HttpResponse:
    """403 for a form that did not come from a page of this site, or from one that is too old."""
    detail = gettext("This form is too old or does not come from this site. Load the page again, then send it again.")
    return problem_response(request, HTTPStatus.FORBIDDEN, "form_not_ours", detail)


def server_error(request: HttpRequest) -> HttpResponse:
    """500: our bug. The page is in the site's frame but asks for nothing: the database may be what is broken."""
    if wants_json(request):
        detail = gettext("Something is broken on this site. Try again later.")
        document = problem_document(HTTPStatus.INTERNAL_SERVER_ERROR, "server_error", detail, {})
        return JsonResponse(document, status=500, content_type=PROBLEM_TYPE)
    # Without the request there is no user to look up.
    return HttpResponse(loader.get_template("500.html").render(), status=500)
