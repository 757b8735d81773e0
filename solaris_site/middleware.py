"""Middleware for the client's address, charsets, slashes, forms, headers of answers, and the answers to refusals."""

from collections.abc import Callable
from http import HTTPStatus
from typing import Any

from django.conf import settings
from django.core.exceptions import BadRequest, SuspiciousOperation
from django.http import Http404, HttpRequest, HttpResponse, HttpResponsePermanentRedirect
from django.http.response import HttpResponseBase
from django.middleware.common import CommonMiddleware
from django.middleware.gzip import GZipMiddleware
from django.shortcuts import resolve_url
from django.urls import is_valid_path
from django.utils.translation import gettext

from people.middleware import LanguageMiddleware
from people.services.accounts import TooOften
from rules.core.refusals import Malformed, Refused
from rules.wording import sentence
from solaris_site.views import bad_request, server_error
from web.languages.reader import translate
from web.problems import is_explained, problem_response, wants_json
from web.utf8 import charset_named, charset_of, is_extended


class ServerErrorMiddleware:
    """The middleware that gives programs a JSON problem for a bug under DEBUG too, where Django shows a page."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        is_bug = response.status_code == HTTPStatus.INTERNAL_SERVER_ERROR and not is_explained(response)
        return server_error(request) if is_bug and wants_json(request) else response


class OwnAnswersMiddleware:
    """The middleware that lets no browser and no proxy keep what a person with a session reads, nor what stands at the
    secret address of a shared match. Answers that say themselves how long they may be kept are left alone.
    """

    SHARED = "shared/<str:key>/"

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        # The interface lets programs with a token compare entity tags, and says so in each answer.
        has_session = settings.SESSION_COOKIE_NAME in request.COOKIES and "Authorization" not in request.headers
        is_unsaid = response.headers.get("Cache-Control") in ((None, "private, no-cache") if has_session else (None,))
        found = request.resolver_match
        if is_unsaid and (has_session or (found is not None and self.SHARED in found.route)):
            response.headers["Cache-Control"] = "private, no-store"
        return response


class ClientAddressMiddleware:
    """The middleware that sets REMOTE_ADDR to the client's address behind PROXY_COUNT proxies: the one that the
    outermost proxy wrote down.

    Each proxy appends the address of its client to X-Forwarded-For. Entries further left come from the client itself
    and are not believed. Without the header, or with too few entries, the address of the connection stays.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        proxies = settings.PROXY_COUNT
        passed = [part.strip() for part in request.META.get("HTTP_X_FORWARDED_FOR", "").split(",")]
        if proxies and len(passed) >= proxies and passed[-proxies]:
            request.META["REMOTE_ADDR"] = passed[-proxies]
        return self.get_response(request)


class CharsetMiddleware:
    """The middleware that refuses bodies in an unreadable charset (415), and a Content-Type whose parameters have
    charsets of their own (400).

    This middleware comes before any code that reads a form or query, and after the ones that give an answer its
    language and headers.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if is_extended(request.META.get("CONTENT_TYPE", "")):
            return bad_request(request)
        if request.method in ("GET", "HEAD") or charset_of(request) is not None:
            return self.get_response(request)
        named = charset_named(request)[:60]
        detail = gettext("The charset “{charset}” is not read here. Send it in UTF-8.")
        status = HTTPStatus.UNSUPPORTED_MEDIA_TYPE
        return problem_response(
            request, status, "unsupported_charset", detail.format(charset=named), {"charset": named}
        )


class FormMiddleware:
    """The middleware that refuses forms that are too large (413) or broken (400), under DEBUG too, where Django shows a
    page of its own. The check of CSRF tokens, which comes next, would read the same forms.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        return self.get_response(request)

    def process_view(
        self, request: HttpRequest, view: Callable[..., HttpResponse], arguments: Any, names: Any
    ) -> HttpResponse | None:
        """Read the form of a POST, and return the refusal or None. Endpoints for programs read bodies themselves."""
        if request.method != "POST" or getattr(view, "csrf_exempt", False):
            return None
        try:
            request.POST  # noqa: B018 - reading it is what may fail
        except (BadRequest, SuspiciousOperation) as refused:
            return bad_request(request, refused)
        except OSError:
            # The client is gone; the next reader says so.
            return None
        return None


class PagesMiddleware(GZipMiddleware):
    """The middleware that compresses pages and pictures in words (SVG) for browsers that take them so.

    Answers to programs go as they are: their entity tags stay strong. Django adds up to a hundred random bytes, so that
    the length of a page says little of what it holds.
    """

    COMPRESSED = ("text/html", "image/svg+xml")

    def process_response(self, request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
        kind = response.headers.get("Content-Type", "").partition(";")[0]
        return super().process_response(request, response) if kind in self.COMPRESSED else response


class PermissionsPolicyMiddleware:
    """The middleware that forbids every page to use camera, microphone, screen, location, payment and devices.

    Over https it also parts a page from windows of other sites that open it. Over http browsers ignore that header and
    complain in the console, so the setting of SecurityMiddleware, which sends it always, is None.
    """

    POLICY = "camera=(), display-capture=(), geolocation=(), microphone=(), midi=(), payment=(), usb=()"

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        response.headers["Permissions-Policy"] = self.POLICY
        if request.is_secure():
            response.headers["Cross-Origin-Opener-Policy"] = "same-origin"
        return response


class SlashMiddleware(CommonMiddleware):
    """The middleware that redirects people to the address with a slash at its end. Below /api/ it redirects nobody:
    both addresses give the answer, because a redirect would turn a program's POST into a GET.
    """

    def process_request(self, request: HttpRequest) -> HttpResponsePermanentRedirect | None:
        """Add or remove the last slash of an address below /api/ when only the other address exists. Return None, or
        the redirect that CommonMiddleware makes for other addresses.
        """
        if request.path_info.startswith("/api/") and not is_valid_path(request.path_info):
            known = request.path_info[:-1] if request.path_info.endswith("/") else f"{request.path_info}/"
            if is_valid_path(known):
                request.path_info = request.path = known
        return super().process_request(request)

    def should_redirect_with_slash(self, request: HttpRequest) -> bool:
        return not request.path_info.startswith("/api/") and super().should_redirect_with_slash(request)


class RefusalMiddleware:
    """The middleware that answers refusals: 409 for `Refused`, 429 for `TooOften`, 400 for `Malformed`, as a page or as
    a JSON problem (RFC 9457).

    Answers with 403, 404 and 405 that explain nothing get a code and a sentence in the same two forms. A program that
    would be redirected to the login gets 401. Other exceptions are left to Django.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        if is_explained(response):
            return response
        if request.resolver_match is None:
            # No view answers this address, so nobody has asked for the language of the account.
            LanguageMiddleware.speak_to_person(request)
        if response.status_code == HTTPStatus.FORBIDDEN:
            return self._instead(
                response, request, "forbidden", gettext("You may not do this: it is for others to do.")
            )
        if response.status_code == HTTPStatus.NOT_FOUND:
            return self._instead(response, request, "not_found", gettext("There is nothing at this address."))
        if response.status_code == HTTPStatus.METHOD_NOT_ALLOWED:
            detail = gettext("This address does not take requests of the kind {method}.").format(method=request.method)
            return self._instead(response, request, "method_not_allowed", detail)
        if self._leads_to_log_in(response, request):
            detail = gettext("Log in first.")
            return problem_response(request, HTTPStatus.UNAUTHORIZED, "log_in_needed", detail)
        return response

    @staticmethod
    def _instead(response: HttpResponse, request: HttpRequest, code: str, detail: str) -> HttpResponse:
        answer = problem_response(request, HTTPStatus(response.status_code), code, detail)
        answer.cookies = response.cookies
        if "Allow" in response.headers:
            answer.headers["Allow"] = response.headers["Allow"]
        return answer

    @staticmethod
    def _leads_to_log_in(response: HttpResponse, request: HttpRequest) -> bool:
        if response.status_code != HTTPStatus.FOUND or not wants_json(request):
            return False
        return response.headers["Location"].startswith(f"{resolve_url(settings.LOGIN_URL)}?next=")

    def process_view(
        self, request: HttpRequest, view: Callable[..., HttpResponse], arguments: tuple[Any, ...], names: dict[str, Any]
    ) -> HttpResponse | None:
        """Return 400 (bad_field) for a query with the zero character, None for any other. PostgreSQL cannot search for
        this character, and no name or code contains it. Raises Http404 for an address with it.
        """
        if any(isinstance(value, str) and "\0" in value for value in names.values()):
            raise Http404
        for name, values in request.GET.lists():
            if any("\0" in value for value in values):
                return refusal_response(request, HTTPStatus.BAD_REQUEST, Malformed("bad_field", field=name))
        return None

    def process_exception(self, request: HttpRequest, exception: Exception) -> HttpResponse | None:
        if isinstance(exception, TooOften):
            answer = refusal_response(request, HTTPStatus.TOO_MANY_REQUESTS, exception)
            answer.headers["Retry-After"] = str(60 * exception.parameters["minutes"])
            return answer
        if isinstance(exception, Refused):
            status = HTTPStatus.CONFLICT
        elif isinstance(exception, Malformed):
            status = HTTPStatus.BAD_REQUEST
        else:
            return None
        return refusal_response(request, status, exception)


def refusal_response(request: HttpRequest, status: HTTPStatus, problem: Refused | Malformed) -> HttpResponse:
    """Return the answer to a refused request: code, parameters and the sentence for people."""
    detail = sentence(problem.code, problem.parameters, translate)
    return problem_response(request, status, problem.code, detail, problem.parameters)
