"""Messages to browsers, for notices that ask for an act: they come even while no page of the site is open.

A notice is claimed (`pushed_at`) with one job for each browser of its person. The job posts through the same transport
as webhooks, and says after each try how long to wait for the next one. A browser that its push service does not know
any more is dropped. So is one whose address leads to where nobody may ask.
"""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta

from django.conf import settings
from django.contrib.auth.signals import user_logged_in, user_logged_out
from django.db import transaction
from django.dispatch import receiver
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils import timezone

from people.models import Notice, PushSubscription, User
from people.services.accounts import Limit, count_attempt, notify
from people.text.notices import asks, deadline_of, notice_sentence, sentences
from people.text.readers import as_read_by, rooms_of
from rules.core.refusals import Malformed, Refused
from web.bounds import MOST_BROWSERS
from web.languages.reader import translate
from webhooks import addresses, posting, web_push
from webhooks.posting import Reply

USER_AGENT = "Solaris-Circuit-Push/1.0"
STALE = timedelta(hours=4)
"""A message is not sent any more after this, nor after its deadline, and push services keep none for longer."""
PUSHES_A_SWEEP = 100
PAUSES = (timedelta(seconds=10), timedelta(minutes=1), timedelta(minutes=5), timedelta(minutes=30))
"""The pauses before the second try of a message, the third, and so on."""
LONGEST_WISH = timedelta(hours=1)
"""The longest pause that a push service may ask for."""
MOST_GIVEN_UP = 5
"""The number of messages given up in a row after which a browser is dropped."""
SLOW_COUNTS = 2
"""The number of messages as which one counts whose push service let us wait. It is not tried again: one message at a
time leaves the site, and all others would wait."""
UNKNOWN_THERE = frozenset((404, 410))
"""The statuses with which a push service says that there is no such browser any more."""
BUSY, SERVER_ERRORS = 429, 500
FOR_NOW = frozenset(("webhook_address_busy", "webhook_address_unknown"))
"""Problems of an address that may pass; after any other the browser is dropped."""
SUBSCRIPTIONS_OF_A_PERSON = Limit("push", 30)
LONGEST_SENTENCE = 800
COOKIE, SALT = "push", "people.pushes"
COOKIE_LASTS = timedelta(days=365)


def are_sent() -> bool:
    """Return whether this site sends messages to browsers: its operator gave it a key."""
    return bool(settings.PUSH_PRIVATE_KEY)


def public_key() -> str:
    """Return the key for which browsers subscribe, as base64url."""
    return web_push.keys_of(settings.PUSH_PRIVATE_KEY).public


# Browsers ------------------------------------------------------------------------------------------------------------


@transaction.atomic
def subscribe(*, person: User, endpoint: str, public_key: str, secret: str) -> PushSubscription:
    """Store a browser of a person, and return it. If another person had it before, it is theirs no longer.

    The oldest goes when there are more than MOST_BROWSERS. Keys are stored without padding. The first browser gets only
    what comes from now on: its person has just looked at the site. Raises Malformed (bad_field), TooOften (too_often),
    or Refused as webhooks.addresses.read_address.
    """
    addresses.read_address(endpoint)
    try:
        web_push.read_browser(public_key, secret)
    except ValueError:
        raise Malformed("bad_field", field="public_key") from None
    public_key, secret = (web_push.encoded(web_push.decoded(text)) for text in (public_key, secret))
    User.objects.select_for_update().get(pk=person.pk)
    count_attempt(SUBSCRIPTIONS_OF_A_PERSON, str(person.pk))
    values = {"user": person, "public_key": public_key, "secret": secret, "failures": 0}
    if not PushSubscription.objects.filter(user=person).exists():
        Notice.objects.filter(user=person, pushed_at=None).update(pushed_at=timezone.now())
    kept, _ = PushSubscription.objects.update_or_create(endpoint=endpoint, defaults=values)
    others = PushSubscription.objects.filter(user=person).exclude(pk=kept.pk).order_by("-id")
    too_many = list(others.values_list("pk", flat=True)[MOST_BROWSERS - 1 :])
    PushSubscription.objects.filter(pk__in=too_many).delete()
    return kept


def remember(response: HttpResponse, browser: PushSubscription, is_secure: bool) -> None:
    """Let the browser keep, in a signed cookie, which of the person's browsers it is."""
    age = int(COOKIE_LASTS.total_seconds())
    response.set_signed_cookie(
        COOKIE, str(browser.pk), salt=SALT, max_age=age, httponly=True, samesite="Lax", secure=is_secure
    )


def own_browser(request: HttpRequest) -> PushSubscription | None:
    """Return the row of the browser of a request, whoever it belongs to; None if it gets no messages."""
    if COOKIE not in request.COOKIES:
        return None
    number = request.get_signed_cookie(COOKIE, default=None, salt=SALT)
    return None if number is None else PushSubscription.objects.filter(pk=number).first()


@receiver(user_logged_out, dispatch_uid="people.pushes.logged_out")
def drop_at_log_out(request: HttpRequest | None = None, **details: object) -> None:
    """Drop the browser in which somebody logs out: whoever uses it next must not read their messages."""
    browser = None if request is None else own_browser(request)
    if browser is not None:
        browser.delete()


@receiver(user_logged_in, dispatch_uid="people.pushes.logged_in")
def drop_of_another(user: User, request: HttpRequest | None = None, **details: object) -> None:
    """Drop a browser that another person left without logging out."""
    browser = None if request is None else own_browser(request)
    if browser is not None and browser.user_id != user.pk:
        browser.delete()


# Messages ------------------------------------------------------------------------------------------------------------


def waiting_now(now: datetime | None = None) -> list[int]:
    """Return the ids of the oldest PUSHES_A_SWEEP unread notices to send to browsers; one query, none without a key."""
    if not are_sent():
        return []
    asking, since = [code for code in sentences() if asks(code)], (now or timezone.now()) - STALE
    fresh = Notice.objects.filter(code__in=asking, read_at=None, done_at=None, pushed_at=None, created_at__gt=since)
    wanted = fresh.filter(user__is_active=True, user__in=PushSubscription.objects.values("user"))
    return list(wanted.order_by("id").values_list("pk", flat=True)[:PUSHES_A_SWEEP])


def claim(notice_id: int) -> list[int]:
    """Mark a notice as sent to the browsers of its person and return their ids; [] when it was marked already.

    Call it in the transaction that asks for the jobs.
    """
    if not Notice.objects.filter(pk=notice_id, pushed_at=None).update(pushed_at=timezone.now()):
        return []
    browsers = PushSubscription.objects.filter(user__notices=notice_id).order_by("id")
    return list(browsers.values_list("pk", flat=True))


def to_be_sent(notice_id: int, browser_id: int) -> tuple[Notice, PushSubscription] | None:
    """Return a notice and a browser of its person. None when it is read, done or stale, or the browser is dropped."""
    notice = Notice.objects.select_related("user").filter(pk=notice_id, read_at=None, done_at=None).first()
    if notice is None or not are_sent() or _seconds_left(notice) <= 0:
        return None
    browser = PushSubscription.objects.filter(pk=browser_id, user=notice.user_id, user__is_active=True).first()
    return None if browser is None else (notice, browser)


def _seconds_left(notice: Notice) -> int:
    """Return for how many seconds a notice is worth a message: no longer than its act can be done."""
    ends, deadline = notice.created_at + STALE, deadline_of(notice.code, notice.parameters)
    return int(((ends if deadline is None else min(ends, deadline)) - timezone.now()).total_seconds())


def message_of(notice: Notice) -> bytes:
    """Return what a browser shows: the sentence of a notice in its person's language, and the page that it leads to."""
    with as_read_by(notice.user, rooms_of([notice])):
        sentence = notice_sentence(notice.code, notice.parameters, translate)[:LONGEST_SENTENCE]
    message = {"body": sentence, "url": notice.url or "/", "tag": str(notice.pk)}
    return json.dumps(message, ensure_ascii=False).encode()


def send(notice: Notice, browser: PushSubscription) -> Reply:
    """Send a notice to a browser once, and return the reply. The address is checked at each try.

    Without a request the reply has only a problem (webhook_address_…).
    """
    body = web_push.encrypt(message_of(notice), browser.public_key, browser.secret)
    try:
        target = addresses.read_address(browser.endpoint)
        found = addresses.addresses_of(target, for_delivery=True)
    except Refused as refused:
        return Reply(None, refused.code)
    keys, now = web_push.keys_of(settings.PUSH_PRIVATE_KEY), int(datetime.now(UTC).timestamp())
    headers = {
        "Authorization": web_push.authorization(keys, target, settings.PUSH_CONTACT, now),
        "Content-Encoding": "aes128gcm",
        "Content-Type": "application/octet-stream",
        "TTL": str(max(0, _seconds_left(notice))),
        "Urgency": "high",
        "User-Agent": USER_AGENT,
    }
    return posting.post(target, found, body, headers)


def note(browser_id: int, number: int, reply: Reply) -> float | None:
    """Note the outcome of a message's try of this number, from 1. Return the seconds to wait for the next try.

    None when there is none: the message arrived, is given up, or its browser is dropped; then its person gets a
    notice.
    """
    browser = PushSubscription.objects.select_for_update().filter(pk=browser_id).first()
    if browser is None:
        return None
    if reply.is_delivered and not reply.is_slow:
        if browser.failures:
            PushSubscription.objects.filter(pk=browser_id).update(failures=0)
        return None
    if reply.status in UNKNOWN_THERE or _is_refused_here(reply):
        _drop(browser)
        return None
    may_pass = reply.status is None or reply.status == BUSY or reply.status >= SERVER_ERRORS
    if may_pass and not reply.is_slow and number <= len(PAUSES):
        wished = min(timedelta(seconds=reply.retry_after or 0), LONGEST_WISH)
        return max(PAUSES[number - 1], wished).total_seconds()
    browser.failures += SLOW_COUNTS if reply.is_slow else 1
    if browser.failures >= MOST_GIVEN_UP:
        _drop(browser)
    else:
        browser.save(update_fields=["failures"])
    return None


def _drop(browser: PushSubscription) -> None:
    """Delete a browser, and tell its person: they may rely on its messages."""
    browser.delete()
    notify([browser.user], "browser_dropped", url=reverse("people:push"))


def _is_refused_here(reply: Reply) -> bool:
    return reply.problem.startswith("webhook_address_") and reply.problem not in FOR_NOW
