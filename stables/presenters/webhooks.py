"""Webhooks of a season and what was sent to them, as lines to show."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.contrib.auth import get_user_model
from django.http import Http404
from django.utils.dateparse import parse_datetime
from django.utils.translation import gettext as _

from stables.models import Delivery, Season, Webhook
from stables.selectors.webhooks.documents import TRY
from stables.text.log import log_sentence
from webhooks.problems import problem_sentence


@dataclass(frozen=True)
class DeliveryLine:
    """A delivery in words: what it is about, and the outcome of its newest try.

    `status` is None without an answer, `tried_at` before the first try. Without a problem its sentence is "".
    """

    delivery: Delivery
    label: str
    status: int | None
    problem: str
    tried_at: datetime | None

    @property
    def can_be_retried(self) -> bool:
        return self.delivery.state != Delivery.State.DELIVERED


def find_webhook(season: Season, public_id: Any) -> Webhook:
    """Return the webhook of a season with this public id. Raises Http404 when there is none."""
    found = Webhook.objects.select_related("made_by").filter(season=season, public_id=public_id).first()
    if found is None:
        raise Http404
    found.season = season
    return found


def find_delivery(season: Season, public_id: Any) -> Delivery:
    """Return the delivery with this public id to a webhook of the season. Raises Http404 when there is none."""
    found = Delivery.objects.select_related("webhook").filter(webhook__season=season, public_id=public_id).first()
    if found is None:
        raise Http404
    return found


def lines_of(deliveries: Iterable[Delivery]) -> list[DeliveryLine]:
    """Return deliveries in words, in their order; one query for the names of the accounts in them."""
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
        label=_("A try") if delivery.code == TRY else log_sentence(delivery.code, parameters),
        status=last.get("status"),
        problem=problem_sentence(last.get("problem", "")),
        tried_at=parse_datetime(last["at"]) if last else None,
    )
