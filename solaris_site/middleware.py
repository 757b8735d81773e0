"""Who asks, and how a refusal answers.

A refusal raised anywhere below a view becomes 409 for the rules and the season, 400 for bad input, 429 for too often.
"""

from collections.abc import Callable
from http import HTTPStatus

from django.conf import settings
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.utils.translation import gettext

from people.services import TooOften
from rules.core.refusals import Malformed, Refused
from rules.wording import sentence


class ClientAddressMiddleware:
    """Behind PROXY_COUNT proxies: the client's address is the one that the outermost of them wrote down.

    Each proxy appends to X-Forwarded-For whom it was asked by, so what a client sends itself stands further left and
    is not believed. Without that header, or with too short a one, the address of the connection stays.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        proxies = settings.PROXY_COUNT
        passed = [part.strip() for part in request.META.get("HTTP_X_FORWARDED_FOR", "").split(",")]
        if proxies and len(passed) >= proxies and passed[-proxies]:
            request.META["REMOTE_ADDR"] = passed[-proxies]
        return self.get_response(request)


def wants_json(request: HttpRequest) -> bool:
    """True for the API and for clients that would rather read JSON (or anything) than HTML."""
    if request.path.startswith("/api/"):
        return True
    return request.get_preferred_type(["text/html", "application/json"]) != "text/html"


class RefusalMiddleware:
    """`Refused` becomes 409, `TooOften` 429, `Malformed` 400, as a page or as a JSON problem (RFC 9457).

    Other errors pass.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        return self.get_response(request)

    def process_exception(self, request: HttpRequest, exception: Exception) -> HttpResponse | None:
        if isinstance(exception, TooOften):
            answer = refusal_response(request, HTTPStatus.TOO_MANY_REQUESTS, exception)
            answer.headers["Retry-After"] = str(60 * exception.parameters["minutes"])
            return answer
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
