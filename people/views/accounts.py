from http import HTTPStatus
from typing import Any

from django.contrib import messages
from django.contrib.auth import login, logout, views
from django.contrib.auth.decorators import login_required
from django.db import transaction
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import redirect, render
from django.urls import reverse_lazy
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from people import selectors
from people.forms import AccountForm, ChangePasswordForm, LeaveForm, SignUpForm
from people.models import User
from people.services import accounts, arrivals, guests, leaving, mails, pushes
from people.services.tokens import end_tokens
from people.views.addresses import send_link
from people.views.frame import ACCOUNT_BACKEND, MAILS, logged_in
from rules.wording import sentence
from web.languages import offer
from web.languages.reader import translate
from web.places import client_place
from web.problems import problem_response

PLAYS_FOR_A_STABLE = gettext_noop(
    "As a guest you play for a stable, so this guest cannot become an account. Log out first, then sign up."
)


def next_address(request: HttpRequest) -> str:
    """Return the address in the field or parameter `next` if it is on this site, otherwise that of the front page."""
    wanted = request.POST.get("next") or request.GET.get("next") or ""
    if url_has_allowed_host_and_scheme(wanted, allowed_hosts={request.get_host()}, require_https=request.is_secure()):
        return wanted
    return "/"


@sensitive_post_parameters("password1", "password2")
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def sign_up(request: HttpRequest) -> HttpResponse:
    """Show the sign-up form. A POST makes the account, logs it in and redirects to `next_address`.

    A guest who came by themselves becomes the account, with their matches. One who plays for a stable is refused (403,
    guest_may_not). A person with an account is redirected at once. Raises TooOften (too_often).
    """
    guest = request.user if isinstance(request.user, User) else None
    if guest is not None and not guests.may_become_account(guest):
        if guest.is_guest:
            return problem_response(request, HTTPStatus.FORBIDDEN, "guest_may_not", _(PLAYS_FOR_A_STABLE))
        return HttpResponseRedirect(next_address(request))
    if request.method == "POST":
        # Count before the form is checked: its answers show which names and e-mail addresses are taken.
        accounts.count_attempt(accounts.SIGN_UPS_OF_A_PLACE, client_place(request))
    form = SignUpForm(request.POST or None, initial={"language": offer.wanted_by(request)})
    if request.method == "POST" and form.is_valid():
        values = form.cleaned_data
        # Later mails have no browser that says a language. With a single one there is nothing to keep.
        language = values.get("language", "") or (offer.wanted_by(request) if len(offer.offered()) > 1 else "")
        chosen = (values["username"], values["email"], values["password1"], values["time_zone"], language)
        try:
            if guest is None:
                user = accounts.create_account(*chosen, is_proven=False)
            else:
                user = guests.become_account(guest, *chosen)
        except accounts.AccountTaken as refusal:
            form.add_error(None, sentence(refusal.code, refusal.parameters, translate))
        else:
            login(request, user, backend=ACCOUNT_BACKEND)
            wanted = next_address(request)
            address = arrivals.arrive(user, wanted)
            welcome = _(
                "Welcome to the circuit, %(name)s. Found a stable in a season that is recruiting, or open a season of "
                "your own; the page “Seasons” shows both."
            )
            if wanted != "/":
                # A person on their way somewhere is there now: nothing may point elsewhere.
                welcome = _("Welcome to the circuit, %(name)s. You are logged in.")
            messages.success(request, welcome % {"name": user.get_username()})
            if user.new_email:
                send_link(request, user)
            return HttpResponseRedirect(address)
    context = {"form": form, "next": next_address(request), "guest": guest}
    return render(request, "people/sign_up.html", context)


class LogIn(views.LoginView):
    template_name = "registration/login.html"
    redirect_authenticated_user = True


class LogOut(views.LogoutView):
    """The log-out, by POST only: a link on a foreign page must not log anybody out."""

    http_method_names = ["post", "options"]

    def post(self, request: HttpRequest, *args: Any, **names: Any) -> HttpResponse:
        """Log out, and clear what pages kept on the device: it was this person's. The worker of messages goes, too.

        A guest, whom no password brings back, is asked first. Their field: sure ("yes").
        """
        if getattr(request.user, "is_guest", False) and request.POST.get("sure") != "yes":
            context = {"may_become_account": guests.may_become_account(logged_in(request))}
            return render(request, "people/guest_log_out.html", context)
        response = super().post(request, *args, **names)
        response.delete_cookie(pushes.COOKIE, samesite="Lax")
        response["Clear-Site-Data"] = '"storage"'
        return response


class ChangePassword(views.PasswordChangeView):
    template_name = "registration/change_password.html"
    form_class = ChangePasswordForm
    success_url = reverse_lazy("people:account")

    def post(self, request: HttpRequest, *args: Any, **names: Any) -> HttpResponse:
        """Count the attempt, right or wrong, before the form is checked. Raises TooOften (too_often)."""
        accounts.count_attempt(accounts.PASSWORD_TRIES, str(logged_in(request).pk))
        return super().post(request, *args, **names)

    def form_valid(self, form: Any) -> HttpResponse:
        """Store the password, and end the person's tokens if they want that."""
        with transaction.atomic():
            response = super().form_valid(form)
            ended = end_tokens(form.user) if form.cleaned_data["end_tokens"] else []
        messages.success(self.request, _("Your password was changed."))
        _say_ended(self.request, ended)
        return response


class ResetPassword(views.PasswordResetView):
    """The form that asks for an e-mail address. The answer does not say whether there is such an account."""

    template_name = "registration/reset_password.html"
    form_class = mails.ResetForm
    extra_context = MAILS
    email_template_name = mails.RESET_BODY
    subject_template_name = mails.RESET_SUBJECT
    success_url = reverse_lazy("people:reset_password_sent")

    def form_valid(self, form: Any) -> HttpResponse:
        # Count every address, known or not: else the limit would show which ones are known.
        accounts.count_attempt(accounts.RESETS_OF_A_PLACE, client_place(self.request))
        accounts.count_attempt(accounts.RESETS_OF_A_MAILBOX, form.cleaned_data["email"])
        return super().form_valid(form)


class ResetPasswordSent(views.PasswordResetDoneView):
    template_name = "registration/reset_password_sent.html"
    extra_context = MAILS


class ChooseNewPassword(views.PasswordResetConfirmView):
    template_name = "registration/choose_new_password.html"
    success_url = reverse_lazy("people:log_in")

    def form_valid(self, form: Any) -> HttpResponse:
        """Store the password and end the account's tokens: its owner may be here to shut a thief out."""
        with transaction.atomic():
            response = super().form_valid(form)
            ended = end_tokens(form.user)
        messages.success(self.request, _("Your new password is set; log in with it."))
        _say_ended(self.request, ended)
        return response


def _say_ended(request: HttpRequest, ended: list[str]) -> None:
    if ended:
        messages.info(request, " ".join(ended))


@login_required
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def account(request: HttpRequest) -> HttpResponse:
    user = logged_in(request)
    form = AccountForm(request.POST or None, instance=user)
    if request.method == "POST" and form.is_valid():
        form.save()
        messages.success(request, _("Your account was changed."))
        return redirect("people:account")
    if form.errors:
        # The form wrote the refused values into the person whose name the page shows.
        user.refresh_from_db()
    return render(request, "people/account.html", {"form": form, **MAILS})


@sensitive_post_parameters("password")
@login_required
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def leave(request: HttpRequest) -> HttpResponse:
    """Show what deleting the account will do, in words, and the form that does it for good.

    A POST deletes the account and redirects to the front page. A wrong password and an obstacle show the form again.
    Raises TooOften (too_often), or the refusal of a room (people.services.leaving).
    """
    user = logged_in(request)
    form = LeaveForm(request.POST if request.method == "POST" else None)
    if request.method == "POST" and form.is_valid():
        try:
            leaving.leave(user, form.cleaned_data["password"], delete_texts=form.cleaned_data["delete_texts"])
        except leaving.LeavingRefused as refusal:
            form.add_error("password" if refusal.code == "password_wrong" else None, _worded(refusal))
        else:
            logout(request)
            messages.success(request, _("Your account is deleted. Farewell, and thank you for playing."))
            return redirect("/")
    context = {
        "form": form,
        "obstacles": [(_worded(found), found.url) for found in leaving.obstacles(user)],
        "consequences": leaving.consequences(user),
    }
    return render(request, "people/leave.html", context)


def _worded(refusal: leaving.LeavingRefused | leaving.Obstacle) -> str:
    return sentence(refusal.code, refusal.parameters, translate)


@login_required
@never_cache
@require_safe
def notices(request: HttpRequest) -> HttpResponse:
    user = logged_in(request)
    page = selectors.notices_page(user, request.GET.get("page", "1"))
    others = selectors.worded(page)
    context = {
        "waiting": selectors.acts_page(user),
        "page": page,
        "notices": others,
        "groups": selectors.in_groups(others),
        "unread": selectors.unread_count(user),
    }
    return render(request, "people/notices.html", context)


@login_required
@require_POST
def read_notices(request: HttpRequest) -> HttpResponse:
    accounts.mark_notices_read(logged_in(request))
    return redirect("people:notices")


# Mail programs post here on their own (RFC 8058), without a form of ours: the signed token lets them in.
@csrf_exempt
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def unsubscribe(request: HttpRequest, token: str) -> HttpResponse:
    """Show the page of a mail's unsubscribe link, without a log-in; 404 for a bad token.

    Only a POST ends these kinds of mail, or all mails if its field `what` is "everything".
    """
    found = mails.read_token(token)
    if found is None:
        raise Http404
    person, kinds = found
    if request.method == "POST":
        mails.unsubscribe(person, mails.KINDS if request.POST.get("what") == mails.EVERYTHING else kinds)
    context = {
        "name": person.username,
        "kind": mails.names_of(kinds),
        "is_done": request.method == "POST",
        "everything": mails.EVERYTHING,
    }
    return render(request, "people/unsubscribe.html", context)
