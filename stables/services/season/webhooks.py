"""The webhooks of a season, for its organisers: making, changing, turning off and on, a new secret, deleting.

The views check who may do it. Addresses are checked before anything is locked, because resolvers may be slow. The codes
for a refused address are webhook_address_malformed, webhook_address_not_https, webhook_address_account,
webhook_address_port, webhook_address_private, webhook_address_unknown and webhook_address_busy. TooOften has the code
too_often.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.db import transaction
from django.utils import timezone

from people.services.accounts import Limit, count_attempt
from rules.core.refusals import Malformed, SeasonRefused
from stables.models import Delivery, Season, Webhook
from stables.services.base.locks import lock_season
from stables.services.base.webhook_deliveries import tell_of_new, turn_off
from stables.text import webhook_kinds
from stables.text.log import SENTENCES
from web.bounds import MOST_WEBHOOKS
from web.languages import offer
from webhooks.addresses import addresses_of, read_address
from webhooks.signatures import new_secret

LOOKS_OF_A_PERSON = Limit("webhook_address", 120)
"""How many addresses a person may enter in an hour: each makes this host ask a resolver of that person's choice."""
NEW_OF_A_SEASON = Limit("webhook_made", 30)
"""How many webhooks a season may get in an hour, each a notice to its other organisers."""


def make(*, season: Season, url: str, format: str, codes: Sequence[str], actor: Any = None) -> Webhook:
    """Make a webhook, turned on, with a secret of its own. `codes` are the kinds of news that it gets; empty means all.

    The season's other organisers get a notice. The log, which the public reads, says nothing of webhooks.
    Raises Malformed (bad_field), TooOften or SeasonRefused (webhook_too_many, webhook_known, and the codes for a
    refused address).
    """
    url, wanted = url.strip(), known_codes(codes)
    if format not in Webhook.Format.values:
        raise Malformed("bad_field", field="format")
    # Checked before too, so that nobody waits for a resolver and is then refused.
    _refuse_one_more(season, url)
    url = known_address(url, actor)
    with transaction.atomic():
        lock_season(season.pk)
        _refuse_one_more(season, url)
        count_attempt(NEW_OF_A_SEASON, f"{season.pk}")
        made = Webhook.objects.create(
            season=season, url=url, format=format, codes=wanted, secret=new_secret(), made_by=actor
        )
        if actor is not None:
            tell_of_new(made, actor)
        return made


def change(
    *,
    webhook: Webhook,
    url: str | None = None,
    format: str | None = None,
    codes: Sequence[str] | None = None,
    is_on: bool | None = None,
    actor: Any = None,
) -> Webhook:
    """Change the values that are not None, all or none of them; turning the webhook on or off forgets its failures.

    An address that stays the same is not looked up, since each delivery does that anyway. Raises Webhook.DoesNotExist,
    Malformed (bad_field), TooOften or SeasonRefused (webhook_known, and the codes for a refused address).
    """
    if format is not None and format not in Webhook.Format.values:
        raise Malformed("bad_field", field="format")
    url = None if url is None or url.strip() == webhook.url else known_address(url, actor)
    wanted = None if codes is None else known_codes(codes)
    with transaction.atomic():
        lock_season(webhook.season_id)
        known = Webhook.objects.select_for_update(no_key=True).get(pk=webhook.pk)
        if url is not None:
            _refuse_known(Webhook.objects.filter(season=known.season_id).exclude(pk=known.pk), url)
            known.url = url
        known.format = known.format if format is None else format
        known.codes = known.codes if wanted is None else wanted
        if is_on is not None and is_on != (known.disabled_at is None):
            known.disabled_at = None if is_on else timezone.now()
            known.why_off = "" if is_on else Webhook.Off.BY_HAND
            known.failures, known.rests_until = 0, None
        known.save(update_fields=["url", "format", "codes", "disabled_at", "why_off", "failures", "rests_until"])
    return known


@transaction.atomic
def choose_language(*, season_id: int, language: str) -> str:
    """Set the language of what a season posts, "" for that of its organiser, and return it.

    Raises Malformed (bad_field) for a language that is not offered.
    """
    if language and not offer.is_offered(language):
        raise Malformed("bad_field", field="language")
    season = lock_season(season_id)
    season.language = language
    season.save(update_fields=["language"])
    return language


def turn_off_those_of(season: Season, person: Any) -> None:
    """Turn off the webhooks of a person who no longer organises the season, and notify its organisers.

    Call it in a transaction with the season locked. That person chose where the news go; another organiser who agrees
    turns the webhook on again.
    """
    made = Webhook.objects.filter(season=season, made_by=person, disabled_at=None)
    for webhook in made.select_for_update(no_key=True).order_by("id"):
        turn_off(webhook, timezone.now(), Webhook.Off.MAKER_GONE)


@transaction.atomic
def renew_secret(*, webhook: Webhook) -> Webhook:
    """Give a webhook a new secret; only that one signs its documents from now on. Raises Webhook.DoesNotExist."""
    known = Webhook.objects.select_for_update(no_key=True).get(pk=webhook.pk)
    known.secret = new_secret()
    known.save(update_fields=["secret"])
    return known


@transaction.atomic
def delete(*, webhook: Webhook) -> None:
    """Delete a webhook with its deliveries; waiting deliveries are not sent any more. Safe to repeat."""
    # The strongest lock waits for a transaction that is just queueing a line of the log for the webhook
    # (webhook_deliveries.enqueue_deliveries).
    known = Webhook.objects.select_for_update().filter(pk=webhook.pk).first()
    if known is not None:
        Delivery.objects.filter(webhook=known).delete()
        known.delete()


def known_address(url: str, actor: Any = None) -> str:
    """Return an address that may be asked now, without blanks around it; it counts as one look of the `actor`.

    Without an `actor` no look is counted. Raises TooOften or SeasonRefused (the codes for a refused address).
    """
    url = url.strip()
    target = read_address(url)
    if actor is not None:
        count_attempt(LOOKS_OF_A_PERSON, f"{actor.pk}")
    addresses_of(target)
    return url


def known_codes(codes: Sequence[str]) -> list[str]:
    """Return codes of the log sorted, each once. Raises Malformed (bad_field) for an unknown one."""
    if any(code not in SENTENCES for code in codes):
        raise Malformed("bad_field", field="codes")
    return webhook_kinds.tidy(codes)


def _refuse_one_more(season: Season, url: str) -> None:
    others = list(season.webhooks.all())
    if len(others) >= MOST_WEBHOOKS:
        raise SeasonRefused("webhook_too_many", most=MOST_WEBHOOKS)
    _refuse_known(others, url)


def _refuse_known(others: Any, url: str) -> None:
    """Refuse a second webhook to one address, which would only say everything twice.

    Raises SeasonRefused (webhook_known).
    """
    if any(other.url == url for other in others):
        raise SeasonRefused("webhook_known")
