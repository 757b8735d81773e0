"""Who asks: a token in the Authorization header, or the session of somebody who is logged in."""

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
from people.services.tokens import find_token
from web.problems import problem_response

ROOT = "/api/"
SCHEME = "bearer"


class TokenMiddleware:
    """Below /api/: whoever sends a token is the account that it belongs to, for the visibility of seasons too.

    A token that is none, or has ended, is answered 401 whatever is asked for. `request.token` is the token, None for
    who has a session or is not known. Whoever asks too often is answered 429, also at closed doors; a body without a
    length, which would be taken for none, 411.
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
        """Put in who the token belongs to; the refusal of one that opens nothing, which counts as a stranger's try."""
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
        """Return 429 for a client that asks more often than `settings.API_RATES` allow, with the seconds to wait."""
        pace = Pace()
        if pace.allow_request(request):
            return None
        seconds = ceil(pace.wait() or 1)
        detail = gettext("This was asked too often. Try again in %(seconds)s seconds.") % {"seconds": seconds}
        answer = problem_response(request, HTTPStatus.TOO_MANY_REQUESTS, "throttled", detail, {"seconds": seconds})
        answer.headers["Retry-After"] = str(seconds)
        return answer

    def process_view(self, request: HttpRequest, view: Any, arguments: Any, names: dict[str, Any]) -> Any:
        """Ask a visitor to log in wherever one must, before any door: the answer says nothing of what is there."""
        endpoint = getattr(view, "cls", None)
        if endpoint is None or not request.path.startswith(ROOT) or request.user.is_authenticated:
            return None
        method = request.method or ""
        is_open = method == "OPTIONS" or (method in SAFE_METHODS and getattr(endpoint, "open_to_all", True))
        if is_open or not hasattr(endpoint, method.lower()):
            return None
        return unauthorised(request, "log_in_needed", gettext("Log in first, or send a token."))


def unauthorised(request: HttpRequest, code: str, detail: str) -> HttpResponse:
    """Return 401, with the way to do better."""
    answer = problem_response(request, HTTPStatus.UNAUTHORIZED, code, detail)
    answer.headers["WWW-Authenticate"] = 'Bearer realm="api"'
    return answer


class SiteAuthentication(SessionAuthentication):
    """The account that the middleware found. Sessions must send the token against forged forms, tokens need none."""

    def authenticate(self, request: Any) -> Any:
        token = request._request.token
        if token is not None:
            return token.user, token
        return super().authenticate(request)

    def enforce_csrf(self, request: Any) -> None:
        """Raise NotOurForm for a session without the token of its forms."""
        try:
            super().enforce_csrf(request)
        except PermissionDenied:
            raise NotOurForm from None

    def authenticate_header(self, request: Any) -> str:
        return 'Bearer realm="api"'


class SiteAuthenticationScheme(OpenApiAuthenticationExtension):
    """Tells the description of the interface of both ways."""

    target_class = "api.tokens.SiteAuthentication"
    name = ["token", "session"]

    def get_security_requirement(self, auto_schema: Any) -> Any:
        """Either of the two, a token with the scope of the method; a token alone where a session will not do; nothing
        where everybody may read."""
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
