"""Webhooks of a season for its organisers: the pages, and the forms on them, one POST for each.

Visitors are sent to log in, and everybody else who does not organise the season gets 403. An unknown season, webhook or
delivery is a 404. An accepted POST redirects to a page that says what was done.
"""

from __future__ import annotations

from http import HTTPStatus
from typing import Any

from django.contrib.auth.views import redirect_to_login
from django.db.models import Count, Q
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.translation import gettext
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from people.services.accounts import TooOften
from rules.core.refusals import Malformed, SeasonRefused
from stables.forms.webhook import LanguageForm, WebhookForm
from stables.models import Delivery, Season, Webhook
from stables.presenters.webhooks import find_delivery, find_webhook, lines_of
from stables.services.base import webhook_deliveries
from stables.services.season import webhooks
from stables.views.frame import answer, for_people, organised
from web.bounds import MOST_WEBHOOKS
from web.crumbs import Link
from web.languages import offer
from web.problems import show_again
from web.reading import text_of, yes_of


def _to_list(request: HttpRequest, season: Season, sentence: str) -> HttpResponse:
    return answer(request, sentence, reverse("stables:webhooks", args=[season.slug]))


def _to_webhook(request: HttpRequest, season: Season, known: Webhook, sentence: str) -> HttpResponse:
    return answer(request, sentence, reverse("stables:webhook", args=[season.slug, known.public_id]))


@for_people
def make(request: HttpRequest, season_slug: str) -> HttpResponse:
    """Make a webhook and redirect to its page. Fields: those of WebhookForm.

    A refused form is shown again with status 400, 409 or 429.
    """
    season = organised(request, season_slug)
    form = WebhookForm(data=request.POST)
    try:
        with form.in_words():
            made = webhooks.make(season=season, **form.asked(), actor=request.user)
    except (Malformed, SeasonRefused, TooOften) as refused:
        return _show_list(request, season, form, refused)
    return _to_webhook(request, season, made, gettext("The webhook is made. Try it now."))


@for_people
def choose_language(request: HttpRequest, season_slug: str) -> HttpResponse:
    """Set the language of what the season posts, and redirect to the list. Field: language, "" for the organiser's.

    Raises Malformed (bad_field).
    """
    season = organised(request, season_slug)
    webhooks.choose_language(season_id=season.pk, language=text_of(request.POST.dict(), "language"))
    return _to_list(request, season, gettext("News of the season leave the site in this language from now on."))


@for_people
def change(request: HttpRequest, season_slug: str, public_id: Any) -> HttpResponse:
    """Change a webhook and redirect to its page. Fields: those of WebhookForm.

    A refused form is shown again with status 400, 409 or 429.
    """
    season = organised(request, season_slug)
    known = find_webhook(season, public_id)
    form = WebhookForm(data=request.POST)
    try:
        with form.in_words():
            webhooks.change(webhook=known, **form.asked(), actor=request.user)
    except (Malformed, SeasonRefused, TooOften) as refused:
        return _show_webhook(request, season, known, form, refused)
    return _to_webhook(request, season, known, gettext("The webhook is changed."))


@for_people
def switch(request: HttpRequest, season_slug: str, public_id: Any) -> HttpResponse:
    """Turn a webhook off or on, and redirect to its page. Field: `to`, "off" or "on".

    Raises Malformed (bad_field).
    """
    season = organised(request, season_slug)
    known = find_webhook(season, public_id)
    wanted = text_of(request.POST.dict(), "to")
    if wanted not in ("off", "on"):
        raise Malformed("bad_field", field="to")
    webhooks.change(webhook=known, is_on=wanted == "on")
    sentence = gettext("The webhook is on.") if wanted == "on" else gettext("The webhook is off.")
    return _to_webhook(request, season, known, sentence)


@for_people
def new_secret(request: HttpRequest, season_slug: str, public_id: Any) -> HttpResponse:
    """Give a webhook a new secret and redirect to its page; the old secret no longer signs anything."""
    season = organised(request, season_slug)
    known = webhooks.renew_secret(webhook=find_webhook(season, public_id))
    return _to_webhook(request, season, known, gettext("The secret is new. Give it to the receiver."))


@for_people
def try_now(request: HttpRequest, season_slug: str, public_id: Any) -> HttpResponse:
    """Queue a document that is marked as a try, and redirect to the webhook's page. Raises TooOften (too_often)."""
    season = organised(request, season_slug)
    known = find_webhook(season, public_id)
    webhook_deliveries.try_now(webhook=known, actor=request.user)
    return _to_webhook(request, season, known, gettext("A try is on its way. Reload the page to see what came of it."))


@for_people
def delete(request: HttpRequest, season_slug: str, public_id: Any) -> HttpResponse:
    """Delete a webhook with its deliveries, and redirect to the list. Field: `sure`, "yes".

    Raises Malformed (bad_field without it; setting_out_of_range).
    """
    season = organised(request, season_slug)
    known = find_webhook(season, public_id)
    if not yes_of(request.POST.dict(), "sure", False):
        raise Malformed("bad_field", field="sure")
    webhooks.delete(webhook=known)
    return _to_list(request, season, gettext("The webhook is deleted."))


@for_people
def retry(request: HttpRequest, season_slug: str, public_id: Any) -> HttpResponse:
    """Queue another try of a delivery now, and redirect to its webhook's page.

    Raises SeasonRefused (webhook_delivered, webhook_off) or TooOften (too_often).
    """
    season = organised(request, season_slug)
    known = find_delivery(season, public_id)
    webhook_deliveries.retry(delivery=known, actor=request.user)
    return _to_webhook(request, season, known.webhook, gettext("The delivery is on its way again."))


NEWEST = 50


@never_cache
@require_safe
def webhooks_page(request: HttpRequest, season_slug: str) -> HttpResponse:
    """Show the webhooks of a season, and a form for one more; a visitor is redirected to log in."""
    if not request.user.is_authenticated:
        return redirect_to_login(request.get_full_path())
    return _show_list(request, organised(request, season_slug), WebhookForm())


Problem = Malformed | SeasonRefused | TooOften


def _show_list(request: HttpRequest, season: Season, form: WebhookForm, problem: Problem | None = None) -> HttpResponse:
    waiting = Count("deliveries", filter=Q(deliveries__state=Delivery.State.WAITING))
    known = list(season.webhooks.select_related("made_by").annotate(waiting=waiting))
    context = {
        "season": season,
        "webhooks": known,
        "most": MOST_WEBHOOKS,
        # What somebody typed stays on the page, also if there is no room for it now.
        "may_make": len(known) < MOST_WEBHOOKS or problem is not None,
        "is_private": season.visibility == Season.Visibility.PRIVATE,
        "form": form,
        "language": LanguageForm(season) if len(offer.offered()) > 1 else None,
        "crumbs": _crumbs(season),
    }
    return _shown(request, "stables/webhooks.html", context, problem)


@never_cache
@require_safe
def webhook_page(request: HttpRequest, season_slug: str, public_id: Any) -> HttpResponse:
    """Show one webhook: its settings and secret, and its NEWEST deliveries; a visitor is redirected to log in."""
    if not request.user.is_authenticated:
        return redirect_to_login(request.get_full_path())
    season = organised(request, season_slug)
    known = find_webhook(season, public_id)
    return _show_webhook(request, season, known, WebhookForm(known))


def _show_webhook(
    request: HttpRequest,
    season: Season,
    known: Webhook,
    form: WebhookForm,
    problem: Problem | None = None,
) -> HttpResponse:
    newest = Delivery.objects.filter(webhook=known).order_by("-id")[:NEWEST]
    context = {
        "season": season,
        "webhook": known,
        "lines": lines_of(newest),
        "newest": NEWEST,
        "form": form,
        "crumbs": [*_crumbs(season), Link(_("Webhooks"), reverse("stables:webhooks", args=[season.slug]))],
    }
    return _shown(request, "stables/webhook.html", context, problem)


def _shown(request: HttpRequest, template: str, context: dict[str, Any], problem: Problem | None) -> HttpResponse:
    shown = show_again(request, template, context, problem)
    if isinstance(problem, TooOften):
        shown.status_code = HTTPStatus.TOO_MANY_REQUESTS
        shown.headers["Retry-After"] = str(60 * problem.parameters["minutes"])
    return shown


def _crumbs(season: Season) -> list[Link]:
    return [
        Link(_("Seasons"), reverse("stables:home")),
        Link(season.name, season.get_absolute_url()),
        Link(_("Organise"), reverse("stables:console", args=[season.slug])),
    ]
