"""The refusals of the interface: problem documents (RFC 9457) with the refusal's `code`.

Refusals by the rules and the season have the status 409, unreadable requests 400, requests that are too large 413, and
others 401, 403, 404, 405, 406, 415, 422 or 429.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from http import HTTPStatus
from typing import Any

from django.core.exceptions import PermissionDenied as DjangoPermissionDenied
from django.core.exceptions import RequestDataTooBig
from django.http import Http404
from django.utils.translation import gettext, ngettext
from rest_framework import exceptions
from rest_framework.response import Response

from api.access import NotOurForm, ScopeMissing, TokenNeeded
from people.services.accounts import TooOften
from rules.core.refusals import Malformed, Refused
from rules.wording import sentence
from web.languages.reader import translate
from web.problems import PROBLEM_TYPE, problem_document


class Unprocessable(Exception):
    """An idempotency key came with a different request than the first time (422)."""

    code = "idempotency_key_reused"


def answer_exception(exception: Exception, context: dict[str, Any]) -> Response | None:
    """Return the answer to an exception of an endpoint; None for an exception that is a bug of ours (500)."""
    found = _read(exception)
    if found is None:
        return None
    status, code, detail, parameters, headers = found
    return problem(status, code, detail, parameters, headers)


def problem(
    status: HTTPStatus,
    code: str,
    detail: str,
    parameters: Mapping[str, Any] | None = None,
    headers: Mapping[str, str] | None = None,
) -> Response:
    """Return an answer with a problem document. `detail` is its sentence in the language of the request."""
    document = problem_document(status, code, detail, parameters or {})
    return Response(document, status=status, headers=dict(headers or {}), content_type=PROBLEM_TYPE)


@contextmanager
def senseless_is_refused() -> Iterator[None]:
    """Turn Malformed in the block into Refused (409) with the same code and parameters.

    The body has the described form but makes no sense here: it names an unknown target, for instance.
    """
    try:
        yield
    except Malformed as malformed:
        raise Refused(malformed.code, **malformed.parameters) from malformed


Found = tuple[HTTPStatus, str, str, Mapping[str, Any], Mapping[str, str]]


def _read(raised: Exception) -> Found | None:
    """Return status, code, sentence, parameters and headers for an exception; None for one that is a bug of ours."""
    if isinstance(raised, TooOften):
        again = {"Retry-After": str(60 * raised.parameters["minutes"])}
        return HTTPStatus.TOO_MANY_REQUESTS, raised.code, _sentence(raised), raised.parameters, again
    if isinstance(raised, Refused):
        return HTTPStatus.CONFLICT, raised.code, _sentence(raised), raised.parameters, {}
    if isinstance(raised, Malformed):
        return HTTPStatus.BAD_REQUEST, raised.code, _sentence(raised), raised.parameters, {}
    if isinstance(raised, Unprocessable):
        text = gettext("This idempotency key was used for another request. Take a new key for a new request.")
        return HTTPStatus.UNPROCESSABLE_ENTITY, raised.code, text, {}, {}
    if isinstance(raised, (Http404, exceptions.NotFound)):
        return HTTPStatus.NOT_FOUND, "not_found", gettext("There is nothing at this address."), {}, {}
    if isinstance(raised, ScopeMissing):
        text = gettext("This token was not made for this: it lacks the scope “%(scope)s”.") % {"scope": raised.scope}
        return HTTPStatus.FORBIDDEN, "scope_missing", text, {"scope": raised.scope}, {}
    if isinstance(raised, NotOurForm):
        text = gettext("With a session, send the token of the site's forms in X-CSRFToken, or use a token of yours.")
        return HTTPStatus.FORBIDDEN, "form_not_ours", text, {}, {}
    if isinstance(raised, TokenNeeded):
        text = gettext("A session is not enough for this, as it is noted: send a token of yours.")
        return HTTPStatus.FORBIDDEN, "token_needed", text, {}, {}
    if isinstance(raised, exceptions.APIException):
        return _of_framework(raised)
    if isinstance(raised, RequestDataTooBig):
        text = gettext("What was sent is larger than this site takes. Send less.")
        return HTTPStatus.REQUEST_ENTITY_TOO_LARGE, "request_too_large", text, {}, {}
    if isinstance(raised, DjangoPermissionDenied):
        return HTTPStatus.FORBIDDEN, "forbidden", gettext("You may not do this: it is for others to do."), {}, {}
    return None


def _of_framework(raised: exceptions.APIException) -> Found | None:
    status = HTTPStatus(raised.status_code)
    if isinstance(raised, exceptions.ValidationError):
        text = gettext("The request does not have the form that is described for it.")
        return status, "invalid", text, {"errors": flat_errors(raised.get_full_details())}, {}
    if isinstance(raised, (exceptions.NotAuthenticated, exceptions.AuthenticationFailed)):
        header = {"WWW-Authenticate": 'Bearer realm="api"'}
        text = gettext("Log in first, or send a token.")
        return HTTPStatus.UNAUTHORIZED, "log_in_needed", text, {}, header
    if isinstance(raised, exceptions.Throttled):
        seconds = max(1, int(getattr(raised, "wait", None) or 1))
        header = {"Retry-After": str(seconds)}
        return HTTPStatus.TOO_MANY_REQUESTS, "throttled", too_often(seconds), {"seconds": seconds}, header
    codes = {
        HTTPStatus.BAD_REQUEST: ("bad_json", gettext("The request is not JSON that can be read.")),
        HTTPStatus.FORBIDDEN: ("forbidden", gettext("You may not do this: it is for others to do.")),
        HTTPStatus.METHOD_NOT_ALLOWED: ("method_not_allowed", gettext("This address does not take such requests.")),
        HTTPStatus.NOT_ACCEPTABLE: ("not_acceptable", gettext("This address answers in no form that you accept.")),
        HTTPStatus.UNSUPPORTED_MEDIA_TYPE: ("unsupported_media_type", gettext("Send JSON, as application/json.")),
    }
    if status not in codes:
        return None
    code, text = codes[status]
    return status, code, text, {}, {}


def too_often(seconds: int) -> str:
    """Return that this was asked too often, and in how many seconds to try again."""
    return ngettext(
        "This was asked too often. Try again in %(seconds)s second.",
        "This was asked too often. Try again in %(seconds)s seconds.",
        seconds,
    ) % {"seconds": seconds}


def flat_errors(details: Any, path: str = "") -> list[dict[str, str]]:
    """Return the errors of a body or query as a flat list: each with the dotted path of its field ("" for the whole), a
    code and a sentence. Elements of a list share the path of the list.
    """
    # A body may have fields of these names too; then they hold lists.
    if isinstance(details, dict) and {"message", "code"} == set(details) and isinstance(details["message"], str):
        return [{"field": path, "code": str(details["code"]), "detail": str(details["message"])}]
    if isinstance(details, dict):
        return [
            error
            for name, inner in details.items()
            for error in flat_errors(inner, path if name == "non_field_errors" else f"{path}.{name}".strip("."))
        ]
    return [error for inner in details for error in flat_errors(inner, path)]


def _sentence(raised: Refused | Malformed) -> str:
    return sentence(raised.code, raised.parameters, translate)
