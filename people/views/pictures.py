"""The answer with a picture to share, for every room that has some: kept by its content, drawn when it is not there."""

from __future__ import annotations

from django.core.cache import cache
from django.http import HttpRequest, HttpResponse
from django.utils.cache import get_conditional_response, patch_vary_headers

from people.services.accounts import ATTEMPTS_LAST, TooOften
from web.bounds import MOST_DRAWN
from web.pictures.drawing import drawn
from web.pictures.kept import keep, kept
from web.pictures.poster import Poster
from web.places import client_place

MINUTES = int(ATTEMPTS_LAST.total_seconds()) // 60


def picture_of(request: HttpRequest, poster: Poster, *, is_open: bool) -> HttpResponse:
    """Answer with the PNG of a poster, or 304 to a client that has it; its ETag is the hash of what it shows.

    `is_open` says that everybody may see it, so that others than the client may keep it too; everybody asks again
    whether it is still valid. Raises TooOften (too_often) when the account or place has had too many drawn.
    """
    tag = f'"{poster.hash}"'
    response = get_conditional_response(request, etag=tag)
    if response is None:
        picture = kept(poster)
        if picture is None:
            _count(request)
            picture = drawn(poster)
            keep(poster, picture)
        response = HttpResponse(picture, content_type="image/png")
    response.headers["ETag"] = tag
    response.headers["Cache-Control"] = "public, no-cache" if is_open else "private, no-cache"
    patch_vary_headers(response, ("Accept-Language",))
    return response


def _count(request: HttpRequest) -> None:
    """Count a picture that is drawn. The count is in the cache: to look at a page writes nothing.

    Raises TooOften (too_often).
    """
    source = f"account:{request.user.pk}" if request.user.is_authenticated else client_place(request)
    place = f"drawn:{source}"
    if not cache.add(place, 1, MINUTES * 60):
        try:
            times = cache.incr(place)
        except ValueError:  # It expired between the two calls.
            return
        if times > MOST_DRAWN:
            raise TooOften("too_often", minutes=MINUTES)
