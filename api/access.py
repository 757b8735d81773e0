"""What a request may ask for at all: the scopes of tokens, and how often."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from rest_framework.exceptions import NotAuthenticated, PermissionDenied
from rest_framework.permissions import SAFE_METHODS, BasePermission
from rest_framework.throttling import SimpleRateThrottle


class ScopeMissing(PermissionDenied):
    """The token was not made for this."""

    def __init__(self, scope: str) -> None:
        super().__init__(code="scope_missing")
        self.scope = scope


class NotOurForm(PermissionDenied):
    """A session asked to change something without the token that forms of this site carry."""


class TokenNeeded(PermissionDenied):
    """A session asked for what only a token may: a read that leaves a note, which any link could make it leave."""


class MayAsk(BasePermission):
    """Anonymous people may read what an endpoint opens to all; a token must have the scope of the method, and what an
    endpoint keeps to tokens (`token_only`) no session may ask for.

    Whether the person may see the season, or owns the stable, the endpoint itself looks up.
    """

    def has_permission(self, request: Any, view: Any) -> bool:
        if request.method == "OPTIONS" or request.method not in view.allowed_methods:
            # The framework says so itself (405), to everybody.
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
    """How often one account, or one address of the person who is not known, may ask: by `settings.API_RATES`.

    Asked by the middleware, so that what is refused by any check counts too.
    """

    def __init__(self) -> None:
        # The rate depends on the request; the base class would ask for it here.
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
        """Return the address that the site's own middleware made sure of; forwarded headers are not believed again."""
        return str(request.META.get("REMOTE_ADDR", ""))
