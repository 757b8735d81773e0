"""The asker of a request: the account of the token in the Authorization header, or of the session."""

from __future__ import annotations

from collections.abc import Callable
from http import HTTPStatus
from math import ceil
from typing import Any

from django.contrib.auth.models import AnonymousUser
from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext
from drf_spectacular.extensions import OpenApiAuthenticationExtension
from rest_framework.authentication import SessionAuthentication
from rest_framework.exceptions import PermissionDenied
from rest_framework.permissions import SAFE_METHODS

from api.access import NotOurForm, Pace
from api.problems import too_often
from people.services.tokens import find_token
from web.problems import problem_response

ROOT = "/api/"
SCHEME = "bearer"


class TokenMiddleware:
    """The middleware that finds the accounts of tokens, below /api/. A request with a token acts as the token's
    account, also for the visibility of seasons.

    `request.token` is the token, None for a session or an anonymous person. An unknown or ended token gets 401 at any
    address below /api/. A client that asks too often gets 429, even at an address that it may not use. A body without a
    length gets 411, because it would be read as empty.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        request.token = None  # type: ignore[attr-defined]
        if not request.path.startswith(ROOT):
            return self.get_response(request)
        if "Transfer-Encoding" in request.headers and "Content-Length" not in request.headers:
            detail = gettext("Say how long the request is, by Content-Length.")
            return problem_response(request, HTTPStatus.LENGTH_REQUIRED, "length_required", detail)
        return self._known(request) or self._too_often(request) or self.get_response(request)

    @staticmethod
    def _known(request: HttpRequest) -> HttpResponse | None:
        """Set the token and its account on the request, and return None. For an unknown token return the refusal (401,
        or 429 when the address asks too often): the request counts as anonymous.
        """
        if "Authorization" in request.headers:
            scheme, _, text = request.headers["Authorization"].partition(" ")
            found = find_token(text.strip()) if scheme.lower() == SCHEME else None
            if found is None:
                request.user = AnonymousUser()
                refused = gettext("This token is not known, or it has ended.")
                return TokenMiddleware._too_often(request) or unauthorised(request, "token_unknown", refused)
            request.token = found  # type: ignore[attr-defined]
            request.user = found.user
        return None

    @staticmethod
    def _too_often(request: HttpRequest) -> HttpResponse | None:
        """Count the request. Return 429 with the seconds to wait for a client that asks more often than
        `settings.API_RATES` allow, None for any other.
        """
        pace = Pace()
        if pace.allow_request(request):
            return None
        seconds = ceil(pace.wait() or 1)
        status = HTTPStatus.TOO_MANY_REQUESTS
        answer = problem_response(request, status, "throttled", too_often(seconds), {"seconds": seconds})
        answer.headers["Retry-After"] = str(seconds)
        return answer

    def process_view(self, request: HttpRequest, view: Any, arguments: Any, names: dict[str, Any]) -> Any:
        """Return 401 for an anonymous person when the endpoint needs a login, otherwise None. This check comes before
        the endpoint's own checks, so the answer does not show whether the thing exists.
        """
        endpoint = getattr(view, "cls", None)
        if endpoint is None or not request.path.startswith(ROOT) or request.user.is_authenticated:
            return None
        method = request.method or ""
        is_open = method == "OPTIONS" or (method in SAFE_METHODS and getattr(endpoint, "open_to_all", True))
        if is_open or not hasattr(endpoint, method.lower()):
            return None
        return unauthorised(request, "log_in_needed", gettext("Log in first, or send a token."))


def unauthorised(request: HttpRequest, code: str, detail: str) -> HttpResponse:
    """Return 401 with the header that names the way to authenticate."""
    answer = problem_response(request, HTTPStatus.UNAUTHORIZED, code, detail)
    answer.headers["WWW-Authenticate"] = 'Bearer realm="api"'
    return answer


class SiteAuthentication(SessionAuthentication):
    """The account that the middleware found. Sessions must send the CSRF token; API tokens need none."""

    def authenticate(self, request: Any) -> Any:
        token = request._request.token
        if token is not None:
            return token.user, token
        return super().authenticate(request)

    def enforce_csrf(self, request: Any) -> None:
        """Raise NotOurForm for a session without its CSRF token."""
        try:
            super().enforce_csrf(request)
        except PermissionDenied:
            raise NotOurForm from None

    def authenticate_header(self, request: Any) -> str:
        return 'Bearer realm="api"'


class SiteAuthenticationScheme(OpenApiAuthenticationExtension):
    """Both ways of authentication, for the description of the interface."""

    target_class = "api.tokens.SiteAuthentication"
    name = ["token", "session"]

    def get_security_requirement(self, auto_schema: Any) -> Any:
        """Return the ways that a method of an endpoint accepts: a token with the scope of the method, a session unless
        the endpoint is `token_only`, and no authentication if everybody may read.
        """
        scope = auto_schema.view.scope_of(auto_schema.method)
        needed: list[dict[str, list[str]]] = [{"token": [scope] if scope else []}]
        if not auto_schema.view.token_only:
            needed.append({"session": []})
        is_open = auto_schema.method in SAFE_METHODS and auto_schema.view.open_to_all
        return [*needed, {}] if is_open else needed

    def get_security_definition(self, auto_schema: Any) -> Any:
        return [
            {"type": "http", "scheme": SCHEME, "description": "A token that you made on your account's page."},
            {"type": "apiKey", "in": "cookie", "name": "sessionid", "description": "The session of the site's pages."},
        ]
