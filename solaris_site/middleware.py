"""Turns a refusal raised anywhere below a view into an answer: 409 for the rules and the season, 400 for bad input."""

from collections.abc import Callable
from http import HTTPStatus

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.utils.translation import gettext

from rules.core.refusals import Malformed, Refused
from rules.wording import sentence


def wants_json(request: HttpRequest) -> bool:
    """True for the API and for clients that would rather read JSON (or anything) than HTML."""
    if request.path.startswith("/api/"):
        return True
    return request.get_preferred_type(["text/html", "application/json"]) != "text/html"


class RefusalMiddleware:
    """`Refused` becomes 409, `Malformed` 400, as a page or as a JSON problem (RFC 9457). Other errors pass."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        return self.get_response(request)

    def process_exception(self, request: HttpRequest, exception: Exception) -> HttpResponse | None:
        if isinstance(exception, Refused):
            status = HTTPStatus.CONFLICT
        elif isinstance(exception, Malformed):
            status = HTTPStatus.BAD_REQUEST
        else:
            return None
        return refusal_response(request, status, exception)


def refusal_response(request: HttpRequest, status: HTTPStatus, problem: Refused | Malformed) -> HttpResponse:
    """The answer to a refused request: its code, parameters and the sentence for people."""
    detail = sentence(problem.code, problem.parameters, gettext)
    if wants_json(request):
        document = {
            "type": "about:blank",
            "title": status.phrase,
            "status": status.value,
            "code": problem.code,
            "detail": detail,
            "parameters": problem.parameters,
        }
        return JsonResponse(document, status=status, content_type="application/problem+json")
    return render(request, "refusal.html", {"sentence": detail, "code": problem.code}, status=status)
