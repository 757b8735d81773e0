"""The webhook of an event among its settings: the address that gets the news, its secret, and how the last try went."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from challenge.forms.webhook import WebhookForm
from challenge.models import EventWebhook
from challenge.services import webhooks
from challenge.views.frame import Visit, for_gms, of_event
from people.services.accounts import TooOften
from rules.core.refusals import Malformed, SeasonRefused
from web.problems import show_again
from webhooks.problems import problem_sentence

PAGE = "challenge/webhooks.html"


@require_http_methods(["GET", "HEAD", "POST"])
@of_event
@for_gms
def webhook(visit: Visit) -> HttpResponse:
    """Show the webhook and do what `press` says: save an address, send a try, make a new secret, delete it.

    A refused address shows the page again with its sentence. Raises Malformed (bad_field) for another press.
    """
    typed, press = visit.request.POST, visit.request.POST.get("press", "")
    if visit.request.method != "POST":
        return render(visit.request, PAGE, _context(visit))
    try:
        if press == "save":
            form = WebhookForm(typed)
            if not form.is_valid():
                return render(visit.request, PAGE, _context(visit, form=form), status=400)
            webhooks.name_address(visit.event, visit.who, form.cleaned_data["url"])
            messages.success(visit.request, _("News of the event go to this address from now on."))
        elif press == "try":
            webhooks.try_now(visit.event, visit.who)
            messages.success(visit.request, _("A try is on its way. Look at this page again in a moment."))
        elif press == "secret":
            webhooks.renew_secret(visit.event, visit.who)
            messages.success(visit.request, _("The webhook has a new secret."))
        elif press == "delete":
            webhooks.delete(visit.event, visit.who)
            messages.success(visit.request, _("The webhook is deleted."))
        else:
            raise Malformed("bad_field", field="press")
    except (SeasonRefused, TooOften) as problem:
        return show_again(visit.request, PAGE, _context(visit, form=WebhookForm(typed)), problem)
    return redirect("challenge:event_webhook", visit.event.slug)


def _context(visit: Visit, **more: Any) -> dict[str, Any]:
    found = EventWebhook.objects.filter(event=visit.event).first()
    form = WebhookForm(initial={"url": found.url if found is not None else ""})
    failed = problem_sentence(found.problem) if found is not None else ""
    return visit.context(**{"webhook": found, "form": form, "failed": failed, "here": "webhook", "problem": "", **more})
