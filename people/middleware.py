from collections.abc import Callable
from http import HTTPStatus
from typing import Any

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.middleware.locale import LocaleMiddleware
from django.utils import timezone, translation

from people.models import User
from people.services import acts
from web.languages import offer
from web.moments import zone_named


class LanguageMiddleware(LocaleMiddleware):
    """A middleware that answers in the reader's language: that of the account, else of the cookie, else of the browser.

    Only offered languages count. `request.wanted_language` is the reader's, and `request.names_language` says whether
    anything of these three named one (web.languages.offer.speak_unasked). A page whose room is not translated into it
    is in English (web.languages.offer). It takes no query.
    """

    def process_request(self, request: HttpRequest) -> None:
        """Choose the language of answers that come from no view."""
        cookie = request.COOKIES.get(settings.LANGUAGE_COOKIE_NAME, "")
        accepted = request.headers.get("Accept-Language", "")
        request.names_language = offer.is_offered(cookie) or offer.is_named(accepted)  # type: ignore[attr-defined]
        self._speak(request, offer.preferred(cookie, accepted=accepted), offer.FRAME)

    def process_view(self, request: HttpRequest, view: Callable[..., HttpResponse], arguments: Any, names: Any) -> None:
        """Choose the language of a page by its room, now that the person and the view are known."""
        self.speak_to_person(request, offer.room_of_view(view))

    @classmethod
    def speak_to_person(cls, request: HttpRequest, room: str = offer.FRAME) -> None:
        """Choose the language of an answer of this room for the person of a request, who is known by now."""
        # As in TimeZoneMiddleware: a look at the user would make the pages of visitors vary by cookie.
        own = getattr(request.user, "language", "") if request.session.session_key else ""
        wanted = offer.wanted_by(request)
        if offer.is_offered(own):
            wanted, request.names_language = own, True  # type: ignore[attr-defined]
        cls._speak(request, wanted, room)

    @staticmethod
    def _speak(request: HttpRequest, wanted: str, room: str) -> None:
        language = offer.spoken(wanted, room)
        translation.activate(language)
        request.wanted_language = wanted  # type: ignore[attr-defined]
        request.LANGUAGE_CODE = language


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
