from collections.abc import Callable
from http import HTTPStatus

from django.http import HttpRequest, HttpResponse
from django.utils import timezone

from people.models import User
from people.services import acts
from web.moments import zone_named


class TimeZoneMiddleware:
    """A middleware that shows times in the zone that the logged-in person chose, and to all others in UTC."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        # Without a session nobody is logged in, and a look at the user would make every page vary by cookie.
        name = getattr(request.user, "time_zone", "UTC") if request.session.session_key else "UTC"
        with timezone.override(zone_named(name)):
            return self.get_response(request)


READS = ("GET", "HEAD", "OPTIONS")


class ActsMiddleware:
    """A middleware that marks notices as done after a person's act, so that the next page counts them no more.

    It takes no query unless an act waited for them. Programs with tokens are left to the tick.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        has_acted = request.method not in READS and response.status_code < HTTPStatus.BAD_REQUEST
        if has_acted and request.session.session_key and isinstance(request.user, User) and request.user.acts_open:
            acts.settle(user_id=request.user.pk)
        return response
