"""What an answer that says no looks like: for programs a JSON problem (RFC 9457), for people a page in the frame."""

from collections.abc import Mapping
from http import HTTPStatus
from typing import Any

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render

from web.way_back import way_back

PROBLEM_TYPE = "application/problem+json"
DOCUMENTATION = "/api/topics/"
"""Below the interface, but for people."""


def wants_json(request: HttpRequest) -> bool:
    """True for the API, for who sends JSON, and for clients that would rather read JSON (or anything) than HTML."""
    is_api = request.path.startswith("/api/") and not request.path.startswith(DOCUMENTATION)
    if is_api or request.content_type == "application/json":
        return True
    return request.get_preferred_type(["text/html", "application/json"]) != "text/html"


def problem_document(status: HTTPStatus, code: str, detail: str, parameters: Mapping[str, Any]) -> dict[str, Any]:
    """The JSON problem."""
    return {
        "type": "about:blank",
        "title": status.phrase,
        "status": status.value,
        "code": code,
        "detail": detail,
        "parameters": dict(parameters),
    }


def problem_response(
    request: HttpRequest, status: HTTPStatus, code: str, detail: str, parameters: Mapping[str, Any] | None = None
) -> HttpResponse:
    """The whole answer, in the form that the client reads. `detail` is a sentence in the reader's language."""
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
    answer.headers["Vary"] = "Accept"
    setattr(answer, "explained", True)  # noqa: B010 - responses have no field of their own for it
    return answer


def is_explained(response: HttpResponse) -> bool:
    """Whether an answer comes from here, or is a JSON problem already."""
    return hasattr(response, "explained") or response.headers.get("Content-Type") == PROBLEM_TYPE
