"""The page of a person's own tokens, where they make and revoke them. It needs a session: no token opens it."""

from __future__ import annotations

from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.db import transaction
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_variables
from django.views.decorators.http import require_http_methods, require_POST

from people.models import ApiToken
from people.services.accounts import notify
from people.services.tokens import (
    LONGEST_DAYS,
    LONGEST_NAME,
    SCOPES,
    NewToken,
    kept_tokens,
    make_token,
    revoke_token,
)
from people.views.frame import logged_in
from rules.core.refusals import Refused
from rules.wording import sentence
from web.bounds import MOST_TOKENS
from web.languages.reader import translate


class TokenForm(forms.Form):
    """The form of a new token."""

    name = forms.CharField(
        label=gettext_lazy("Name"),
        max_length=LONGEST_NAME,
        help_text=gettext_lazy("For yourself: which program on which computer."),
    )
    scopes = forms.MultipleChoiceField(
        label=gettext_lazy("It may"),
        choices=list(SCOPES.items()),
        initial=["read"],
        widget=forms.CheckboxSelectMultiple,
    )
    days = forms.IntegerField(label=gettext_lazy("Days until it ends"), min_value=1, max_value=LONGEST_DAYS, initial=90)


@sensitive_variables("made")
@login_required
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def tokens(request: HttpRequest) -> HttpResponse:
    """Show the reader's tokens, expired ones too, but no revoked ones.

    A POST makes one and shows its text, which nobody can see again. A refused form is shown again with the reason.
    """
    form = TokenForm(request.POST if request.method == "POST" else None, label_suffix="")
    made: NewToken | None = None
    if request.method == "POST" and form.is_valid():
        try:
            made = _make(request, form)
        except Refused as refusal:
            form.add_error(None, sentence(refusal.code, refusal.parameters, translate))
        else:
            form = TokenForm(label_suffix="")
    now = timezone.now()
    rows = [
        {"token": token, "may": [SCOPES[scope] for scope in token.scopes], "is_over": token.expires_at <= now}
        for token in kept_tokens(logged_in(request))
    ]
    return render(request, "people/tokens.html", {"form": form, "made": made, "rows": rows, "most": MOST_TOKENS})


def _make(request: HttpRequest, form: TokenForm) -> NewToken:
    """Make the token, and notify its owner: a stranger at an open session must not make one unseen.

    Raises Refused (token_name_taken, too_many_tokens).
    """
    user, asked = logged_in(request), form.cleaned_data
    with transaction.atomic():
        made = make_token(user=user, name=asked["name"], scopes=asked["scopes"], days=asked["days"])
        until = made.token.expires_at.isoformat()
        notify([user], "token_made", {"name": made.token.name, "until": until}, request.path)
    return made


@login_required
@require_POST
def revoke(request: HttpRequest, token_id: int) -> HttpResponse:
    """End one of the reader's tokens at once, and redirect to the page of tokens; 404 for any other token."""
    user = logged_in(request)
    token = ApiToken.objects.filter(user=user, pk=token_id).first() if token_id < 2**63 else None
    if token is None:
        raise Http404
    revoke_token(user=user, token_id=token.pk)
    messages.success(request, _("The token “%(name)s” opens nothing any more.") % {"name": token.name})
    return redirect("people:tokens")
