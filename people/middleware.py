from collections.abc import Callable
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from django.http import HttpRequest, HttpResponse
from django.utils import timezone


class TimeZoneMiddleware:
    """Shows times in the zone that the logged-in person chose."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        # A page that varies by session anyway pays for the look-up; an anonymous one without a session does not.
        zone = getattr(request.user, "time_zone", "UTC") if request.session.session_key else "UTC"
        try:
            with timezone.override(ZoneInfo(zone)):
                return self.get_response(request)
        except ZoneInfoNotFoundError:
            return self.get_response(request)
