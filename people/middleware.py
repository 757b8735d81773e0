from collections.abc import Callable

from django.http import HttpRequest, HttpResponse
from django.utils import timezone

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
