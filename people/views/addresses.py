"""The pages of a new e-mail address: asking for it with the password, and confirming it by the link of a mail."""

from __future__ import annotations

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods

from people.forms import AddressForm
from people.models import User
from people.services import accounts, addresses, mails
from people.views.frame import MAILS, logged_in
from rules.wording import sentence
from web.languages.reader import translate


@sensitive_post_parameters("password")
@login_required
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def change_address(request: HttpRequest) -> HttpResponse:
    """Show the form of a new e-mail address. A POST mails a link to it and redirects to the account.

    The answer is the same whether the address has an account or not. Raises TooOften (too_often).
    """
    user = logged_in(request)
    form = AddressForm(request.POST if request.method == "POST" else None, initial={"email": user.new_email})
    if request.method == "POST" and form.is_valid():
        try:
            is_sent = addresses.ask(user, form.cleaned_data["password"], form.cleaned_data["email"])
        except addresses.AddressRefused as refusal:
            form.add_error("password", sentence(refusal.code, refusal.parameters, translate))
        else:
            if user.new_email:
                _say(request, user, is_sent)
            else:
                messages.success(request, _("Your e-mail address stays as it is."))
            return redirect("people:account")
    return render(request, "people/change_address.html", {"form": form, **MAILS})


# Programs that look into mails open links: only a button proves that a person did.
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def confirm_address(request: HttpRequest, code: str, token: str) -> HttpResponse:
    """Show the page of the link in a mail, without a log-in; a POST makes the address the account's own."""
    user = addresses.find(code, token)
    context = {"person": user, "address": user.new_email if user else "", "refusal": "", "is_done": False}
    if user is not None and request.method == "POST":
        try:
            addresses.prove(user)
        except addresses.AddressRefused as refusal:
            context["refusal"] = sentence(refusal.code, refusal.parameters, translate)
        else:
            context["is_done"] = True
    return render(request, "people/confirm_address.html", context)


def send_link(request: HttpRequest, user: User) -> None:
    """Mail the link of a new account, and say on the next page whether it is on its way."""
    try:
        is_sent = addresses.send_link(user)
    except accounts.TooOften as refusal:
        messages.warning(request, sentence(refusal.code, refusal.parameters, translate))
        is_sent = False
    _say(request, user, is_sent)


def _say(request: HttpRequest, user: User, is_sent: bool) -> None:
    if not mails.are_sent():
        # The page of the account says so, and asking again would help nobody.
        return
    if is_sent:
        text = _("A mail with a link is on its way to %(address)s. Open the link to confirm the address.")
        messages.info(request, text % {"address": user.new_email})
    else:
        text = _("No mail with a link could be sent to %(address)s. Ask for it again on the page of your account.")
        messages.warning(request, text % {"address": user.new_email})
