from django.conf import settings
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.views.decorators.http import require_POST

from people.models import User
from people.services.accounts import choose_language
from people.views.accounts import next_address
from web.languages import offer

A_YEAR = 365 * 24 * 3600


@require_POST
def set_language(request: HttpRequest) -> HttpResponse:
    """Keep the chosen language in a cookie, and for a logged-in person on the account too; then go back to `next`.

    Fields: language, next. A language that is not offered changes nothing.
    """
    response = HttpResponseRedirect(next_address(request))
    code = request.POST.get("language", "")
    if offer.is_offered(code):
        if isinstance(request.user, User):
            choose_language(request.user, code)
        name, secure = settings.LANGUAGE_COOKIE_NAME, request.is_secure()
        response.set_cookie(name, code, max_age=A_YEAR, samesite="Lax", secure=secure, httponly=True)
    return response
