"""The pages of a season's webhooks, for its organisers: all of them, and each with what was sent to it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.contrib.auth import get_user_model
from django.contrib.auth.views import redirect_to_login
from django.db.models import Count, Q
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.dateparse import parse_datetime
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from matches.surroundings import Link
from stables.log_words import told
from stables.models import Delivery, Season, Webhook
from stables.outlets import kinds
from stables.outlets.documents import TRY
from stables.outlets.words import problem_told
from stables.requests import organised
from stables.services.webhooks import MOST

NEWEST = 50


@dataclass(frozen=True)
class DeliveryLine:
    """A delivery in words: what it is about, and what its newest try came to."""

    delivery: Delivery
    label: str
    status: int | None
    problem_code: str
    problem: str
    tried_at: datetime | None

    @property
    def can_be_retried(self) -> bool:
        return self.delivery.state != Delivery.State.DELIVERED


@never_cache
@require_safe
def webhooks(request: HttpRequest, season_slug: str) -> HttpResponse:
    """The webhooks of a season, and a form for one more."""
    if not request.user.is_authenticated:
        return redirect_to_login(request.get_full_path())
    season = organised(request, season_slug)
    waiting = Count("deliveries", filter=Q(deliveries__state=Delivery.State.WAITING))
    known = list(season.webhooks.annotate(waiting=waiting))
    context = {
        "season": season,
        "webhooks": known,
        "most": MOST,
        "may_make": len(known) < MOST,
        "is_private": season.visibility == Season.Visibility.PRIVATE,
        **_choices(()),
        "crumbs": _crumbs(season),
    }
    return render(request, "stables/webhooks.html", context)


@never_cache
@require_safe
def webhook(request: HttpRequest, season_slug: str, public_id: Any) -> HttpResponse:
    """One webhook: its settings and secret, and its newest deliveries."""
    if not request.user.is_authenticated:
        return redirect_to_login(request.get_full_path())
    season = organised(request, season_slug)
    known = find_webhook(season, public_id)
    newest = Delivery.objects.filter(webhook=known).order_by("-id")[:NEWEST]
    context = {
        "season": season,
        "webhook": known,
        "lines": lines_of(newest),
        "newest": NEWEST,
        **_choices(known.codes),
        "crumbs": [*_crumbs(season), Link(_("Webhooks"), reverse("stables:webhooks", args=[season.slug]))],
    }
    return render(request, "stables/webhook.html", context)


def find_webhook(season: Season, public_id: Any) -> Webhook:
    """The webhook of a season. Raises Http404."""
    found = Webhook.objects.filter(season=season, public_id=public_id).first()
    if found is None:
        raise Http404
    found.season = season
    return found


def find_delivery(season: Season, public_id: Any) -> Delivery:
    """A delivery of a season's webhooks, with its webhook. Raises Http404."""
    found = Delivery.objects.select_related("webhook").filter(webhook__season=season, public_id=public_id).first()
    if found is None:
        raise Http404
    return found


def lines_of(deliveries: Iterable[Delivery]) -> list[DeliveryLine]:
    """Deliveries in words, in their order; one query for the names of all accounts that they number."""
    listed = list(deliveries)
    numbers = {delivery.document["parameters"].get("person") for delivery in listed} - {None}
    people = {person.pk: person.get_username() for person in get_user_model().objects.filter(pk__in=numbers)}
    return [_line(delivery, people) for delivery in listed]


def _line(delivery: Delivery, people: Mapping[Any, str]) -> DeliveryLine:
    last = delivery.answers[-1] if delivery.answers else {}
    parameters = dict(delivery.document["parameters"])
    if "person" in parameters:
        parameters["person"] = people.get(parameters["person"])
    return DeliveryLine(
        delivery=delivery,
        label=_("A try") if delivery.code == TRY else told(delivery.code, parameters),
        status=last.get("status"),
        problem_code=last.get("problem", ""),
        problem=problem_told(last.get("problem", "")),
        tried_at=parse_datetime(last["at"]) if last else None,
    )


def _choices(codes: Any) -> dict[str, Any]:
    return {"formats": Webhook.Format.choices, "groups": kinds.groups(), "chosen": set(codes)}


def _crumbs(season: Season) -> list[Link]:
    return [
        Link(_("Seasons"), reverse("stables:home")),
        Link(season.name, season.get_absolute_url()),
        Link(_("Organise"), reverse("stables:console", args=[season.slug])),
    ]
