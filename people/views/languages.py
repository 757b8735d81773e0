from django.http import HttpRequest, HttpResponseRedirect
from django.http.response import HttpResponseBase
from django.views import i18n
from django.views.decorators.http import require_POST

from people.models import User
from people.services.accounts import choose_language
from people.views.accounts import next_address
from web.languages import offer


@require_POST
def set_language(request: HttpRequest) -> HttpResponseBase:
    """Keep the chosen language in a cookie, and for a logged-in person on the account too; then go back to `next`.

    Fields: language, next. A language that is not offered changes nothing.
    """
    code = request.POST.get("language", "")
    if not offer.is_offered(code):
        return HttpResponseRedirect(next_address(request))
    if isinstance(request.user, User):
        choose_language(request.user, code)
    return i18n.set_language(request)
