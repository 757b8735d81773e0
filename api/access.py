"""The limits of requests: the scopes of tokens, and the rates."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from rest_framework.exceptions import NotAuthenticated, PermissionDenied
from rest_framework.permissions import SAFE_METHODS, BasePermission
from rest_framework.throttling import SimpleRateThrottle

from web.places import client_place


class ScopeMissing(PermissionDenied):
    """A token lacks the scope `scope` that the request needs."""

    def __init__(self, scope: str) -> None:
        super().__init__(code="scope_missing")
        self.scope = scope


class NotOurForm(PermissionDenied):
    """A session asked for a change without the CSRF token that the forms of this site carry."""


class TokenNeeded(PermissionDenied):
    """A session asked for a `token_only` endpoint: reading it leaves a note, and any link could make a session leave
    one.
    """


class MayAsk(BasePermission):
    """The permission to ask an endpoint at all. Anonymous people may read an endpoint that is `open_to_all`. A token
    needs the scope of the method. No session may ask a `token_only` endpoint.

    The endpoint itself looks up whether the person owns the stable or has an office. Raises NotAuthenticated,
    TokenNeeded, ScopeMissing.
    """

    def has_permission(self, request: Any, view: Any) -> bool:
        if request.method == "OPTIONS" or request.method not in view.allowed_methods:
            # The framework answers these itself, the unknown methods with 405.
            return True
        if not request.user.is_authenticated:
            if request.method in SAFE_METHODS and view.open_to_all:
                return True
            raise NotAuthenticated
        if request.auth is None and view.token_only:
            raise TokenNeeded
        if request.auth is not None:
            scope = view.scope_of(request.method)
            if scope and scope not in request.auth.scopes:
                raise ScopeMissing(scope)
        return True


class Pace(SimpleRateThrottle):
    """The rate at which one account, or one address without an account, may ask (`settings.API_RATES`, "" for no
    limit). Reads and changes of an account count separately.

    TokenMiddleware asks this class, so that requests that a later check refuses count, too.
    """

    def __init__(self) -> None:
        # The rate depends on the request, so the base class must not look for it here.
        self.rate = None

    def allow_request(self, request: Any, view: Any = None) -> bool:
        if request.user.is_authenticated:
            kind, ident = ("reads" if request.method in SAFE_METHODS else "writes"), str(request.user.pk)
        else:
            kind, ident = "strangers", self.get_ident(request)
        rate = settings.API_RATES[kind]
        if not rate:
            return True
        self.scope = kind
        self.rate = rate
        most, duration = self.parse_rate(rate)
        self.num_requests, self.duration = most or 0, duration or 0
        self.key = self.cache_format % {"scope": kind, "ident": ident}
        self.history = self.cache.get(self.key, [])
        self.now = self.timer()
        while self.history and self.history[-1] <= self.now - self.duration:
            self.history.pop()
        if len(self.history) >= self.num_requests:
            return self.throttle_failure()
        return self.throttle_success()

    def get_ident(self, request: Any) -> str:
        """Return the place by the address that the site's middleware has verified, without a second look at headers."""
        return client_place(request)
