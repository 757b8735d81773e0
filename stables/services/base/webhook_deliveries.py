"""News on their way out: one row for each webhook that wants them, and a job for each try.

`enqueue_deliveries` is called with every line of the season's log, in its transaction: line, delivery and job exist
together or not at all. Each job carries the number of its try, and each number is noted only once. So a killed worker's
try is repeated but never counted twice. A receiver may get a document twice; the id is then the same.

Locks: the webhook's row first, then the delivery's.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any

from django.db import connection, transaction
from django.urls import reverse
from django.utils import timezone

from jobs.models import Job
from jobs.services import enqueue
from people.services.accounts import Limit, count_attempt, notify
from rules.core.refusals import SeasonRefused
from stables.models import Delivery, LogEntry, Season, SeasonRole, Webhook
from stables.selectors.webhooks import deliveries_due, documents
from stables.selectors.webhooks.deliveries_due import MOST_TOGETHER, TOO_MANY
from web.retention import DELIVERIES
from webhooks import sending
from webhooks.addresses import hint
from webhooks.posting import Reply

JOB = "stables.deliver"
PAUSES, LONGEST_WISH = sending.PAUSES, sending.LONGEST_WISH
DEAD = frozenset(("no_connection", "no_answer", "too_slow", "webhook_address_unknown"))
"""Problems after which a webhook rests: nobody answers, and each further try would hold up a worker."""
LONGEST_REST = timedelta(minutes=5)
MOST_TOO_MANY = 20
"""The number of times that a receiver may put off one delivery before that counts as a failure."""
MOST_GIVEN_UP = 5
"""The number of deliveries given up in a row after which a webhook is turned off."""
GATHERED_FOR = timedelta(minutes=1)
"""How long the news of a match wait for others of its round, so that they share a message to Discord."""
LOST_AFTER = timedelta(minutes=10)
KEPT = DELIVERIES
"""How long an ended delivery and its jobs are kept."""
FORGOTTEN_A_LOOK = 100
TRIES_OF_A_PERSON = Limit("webhook_try", 60)
"""Tries by hand in an hour: enough to find a fault, too few to trouble somebody else's host."""

TOLD = {
    Webhook.Off.GONE: "webhook_gone",
    Webhook.Off.FAILING: "webhook_turned_off",
    Webhook.Off.MAKER_GONE: "webhook_maker_gone",
}
"""The notice that organisers get of a webhook that the site turns off."""

_SILENT = "_no_webhooks"
"""An attribute that marks a season object as one without webhooks, so that further log lines need no query."""


# Telling -------------------------------------------------------------------------------------------------------------


def enqueue_deliveries(
    season: Season,
    entry: LogEntry,
    *,
    asks: Sequence[int] = (),
    deciders: Sequence[int] = (),
    pairings: Mapping[str, Any] | None = None,
) -> None:
    """Queue a new line of the log for the webhooks that want it, in the caller's transaction.

    `asks`, `deciders` and `pairings` are those of documents.facts_of. A draft sends nothing, because only its
    organisers may read it. One query for a season without webhooks, and only once for the same season object.
    """
    if season.state == Season.State.DRAFT or getattr(season, _SILENT, False):
        return
    listening = _listening(season)
    if not listening:
        setattr(season, _SILENT, True)
        return
    wanting = [hook for hook in listening if not hook.codes or entry.code in hook.codes]
    if not wanting:
        return
    facts, now = documents.facts_of(entry, asks=asks, deciders=deciders, pairings=pairings), timezone.now()
    made = Delivery.objects.bulk_create(
        Delivery(
            webhook_id=hook.pk,
            log_entry=entry,
            code=entry.code,
            document=facts,
            next_try_at=now + GATHERED_FOR if deliveries_due.is_gathered(hook, facts) else now,
        )
        for hook in wanting
    )
    for delivery in made:
        _ask(delivery, not_before=None if delivery.next_try_at == now else delivery.next_try_at)


def _listening(season: Season) -> list[Webhook]:
    """Return the webhooks that are on, with id, codes and format; they cannot be deleted before the transaction ends.

    A season's step must not fail because an organiser deletes a webhook at the same moment. The lock is the weakest
    one, the same that foreign keys take, so lines of one season do not wait for each other.
    """
    found = Webhook.objects.filter(season=season, disabled_at=None).order_by("id").only("pk", "codes", "format")
    if connection.vendor != "postgresql":
        return list(found)
    statement, parameters = found.query.sql_with_params()
    return list(Webhook.objects.raw(f"{statement} FOR KEY SHARE", parameters))


def _ask(delivery: Delivery, not_before: datetime | None = None, by_hand: bool = False) -> None:
    """Ask for the next try of a delivery, once. With `by_hand` it does not wait for the planned try."""
    number = delivery.tries + 1
    key = f"stables:delivery:{delivery.public_id}:{number}{':now' if by_hand else ''}"
    # The payload leaves out the season, because nobody on the season's pages waits for this job.
    payload = {"delivery": str(delivery.public_id), "number": number} | ({"by_hand": True} if by_hand else {})
    enqueue(JOB, payload, unique_key=key, not_before=not_before)


# Trying --------------------------------------------------------------------------------------------------------------


def rests(delivery: Delivery) -> timedelta | None:
    """Return how long the webhook of a delivery still rests, None if it does not rest.

    The end of the rest is written as the time of the delivery's next try. A webhook rests after a try that found nobody
    there, and as long as its receiver asks for. A delivery without a line of the log does not wait.
    """
    now, until = timezone.now(), delivery.webhook.rests_until
    if delivery.log_entry_id is None or until is None or until <= now:
        return None
    Delivery.objects.filter(pk=delivery.pk, state=Delivery.State.WAITING, tries=delivery.tries).update(
        next_try_at=until
    )
    return until - now


def note(
    *,
    delivery_id: int,
    number: int,
    reply: Reply,
    along: Mapping[int, int] | None = None,
    lines: int | None = None,
    now: datetime | None = None,
) -> str:
    """Note the outcome of a try, in the caller's transaction: delivered, to be tried again, or given up.

    Return the new state, or "" if the try was noted already or the delivery is deleted; nothing is written then. The
    deliveries that shared the message are in `along`, each with the number of its own try. `lines` says how many lines
    of the delivery have arrived if more remain: then it goes on at once. If nobody answered, the try counts for up to
    MOST_TOGETHER other due deliveries to this webhook too. Deliveries without a line of the log, which a person asked
    for, stay out of this.
    """
    now = now or timezone.now()
    # Lock the webhook's row first, as deleting it does.
    webhook = Webhook.objects.select_for_update(of=("self",), no_key=True).filter(deliveries=delivery_id).first()
    delivery = _noted(delivery_id, number)
    if webhook is None or delivery is None:
        return ""
    _note_for(webhook, delivery, reply, now, lines)
    for other_id, other_number in (along or {}).items():
        shared = _noted(other_id, other_number)
        if shared is not None:
            _note_for(webhook, shared, reply, now)
    rest = _rest(delivery, reply)
    if delivery.log_entry_id is not None and rest:
        webhook.rests_until = now + rest
        webhook.save(update_fields=["rests_until"])
    if reply.problem in DEAD and delivery.log_entry_id is not None:
        # Each of them would fail in the same way and hold up a worker as long.
        due = Delivery.objects.filter(webhook=webhook, state=Delivery.State.WAITING, next_try_at__lte=now)
        for other in due.exclude(pk=delivery.pk).filter(log_entry__isnull=False).order_by("id")[:MOST_TOGETHER]:
            _note_for(webhook, other, reply, now)
    return delivery.state


def _noted(delivery_id: int, number: int) -> Delivery | None:
    """Return a delivery whose try of this number is not noted yet; None if it is, or if the delivery is deleted."""
    return Delivery.objects.filter(pk=delivery_id, state=Delivery.State.WAITING, tries=number - 1).first()


def _note_for(webhook: Webhook, delivery: Delivery, reply: Reply, now: datetime, lines: int | None = None) -> None:
    delivery.webhook = webhook
    delivery.tries += 1
    delivery.answers = [*delivery.answers, _answer(delivery.tries, reply, now)]
    if reply.is_delivered and lines is not None:
        delivery.lines_sent, delivery.next_try_at = lines, now
        _ask(delivery)
    else:
        _decide(delivery, reply, now)
    delivery.save(update_fields=["state", "tries", "answers", "lines_sent", "next_try_at", "ended_at"])
    _count(webhook, delivery, reply, now)


def _answer(number: int, reply: Reply, now: datetime) -> dict[str, Any]:
    return {"try": number, "at": now.isoformat(), "status": reply.status, "problem": reply.problem}


def _decide(delivery: Delivery, reply: Reply, now: datetime) -> None:
    """Set the state of a delivery after a try, without saving it, and ask for the next try if there is one."""
    is_last = delivery.log_entry_id is None or _failures(delivery) > len(PAUSES)
    if reply.is_delivered:
        delivery.state = Delivery.State.DELIVERED
    elif is_last or reply.problem in ("gone", "webhook_off"):
        delivery.state = Delivery.State.FAILED
    else:
        delivery.next_try_at = now + _pause(delivery, reply)
        _ask(delivery, not_before=delivery.next_try_at)
        return
    delivery.next_try_at = None
    delivery.ended_at = now


def _failures(delivery: Delivery) -> int:
    """Return how many tries failed; of those that were only too many at once, the first MOST_TOO_MANY do not count."""
    failed = [answer["status"] for answer in delivery.answers if answer["problem"]]
    return len(failed) - min(failed.count(TOO_MANY), MOST_TOO_MANY)


def _pause(delivery: Delivery, reply: Reply) -> timedelta:
    """Return the pause after the failed try that was just added to a delivery's answers.

    A receiver that takes no more at once sets the pause itself, without one that climbs: it is there.
    """
    wished = min(timedelta(seconds=reply.retry_after or 0), LONGEST_WISH)
    failures = _failures(delivery)
    if reply.status == TOO_MANY and len(delivery.answers) <= MOST_TOO_MANY:
        return wished or PAUSES[0]
    return max(PAUSES[min(max(failures, 1), len(PAUSES)) - 1], wished)


def _rest(delivery: Delivery, reply: Reply) -> timedelta:
    """Return how long a webhook rests after a failed try, zero if it does not: as long as its receiver asks for.

    Where nobody answers it rests for the pause of the delivery, LONGEST_REST at most.
    """
    if reply.status == TOO_MANY:
        return _pause(delivery, reply)
    if reply.problem in DEAD:
        return min(_pause(delivery, reply), LONGEST_REST)
    # Hosts that are being mended ask for a rest too, by 503.
    return min(timedelta(seconds=reply.retry_after or 0), LONGEST_WISH)


def _count(webhook: Webhook, delivery: Delivery, reply: Reply, now: datetime) -> None:
    """Count deliveries that are given up after their last planned try, and turn the webhook off after MOST_GIVEN_UP.

    A document that arrives sets the count back to 0. An address that is gone turns the webhook off at once.
    """
    was_given_up = delivery.state == Delivery.State.FAILED and _failures(delivery) == len(PAUSES) + 1
    if reply.problem == "gone":
        turn_off(webhook, now, Webhook.Off.GONE)
    elif delivery.state == Delivery.State.DELIVERED and webhook.failures:
        webhook.failures = 0
        webhook.save(update_fields=["failures"])
    elif was_given_up:
        webhook.failures += 1
        webhook.save(update_fields=["failures"])
        if webhook.failures >= MOST_GIVEN_UP:
            turn_off(webhook, now, Webhook.Off.FAILING)


def turn_off(webhook: Webhook, now: datetime, why: Webhook.Off) -> None:
    """Turn off a webhook, and tell the season's organisers why (a Webhook.Off); one that is off stays as it is.

    Call it with the webhook's row locked.
    """
    if webhook.disabled_at is not None:
        return
    webhook.disabled_at, webhook.why_off = now, why
    webhook.save(update_fields=["disabled_at", "why_off"])
    _tell_organisers(webhook, TOLD[why])


def tell_of_new(webhook: Webhook, maker: Any) -> None:
    """Tell the season's other organisers of a webhook that was just made."""
    _tell_organisers(webhook, "webhook_made", maker)


def _tell_organisers(webhook: Webhook, code: str, by: Any = None) -> None:
    """Tell the season's organisers of a webhook, and by whom; that person gets no notice."""
    season = Season.objects.select_related("organiser").defer("secret").get(pk=webhook.season_id)
    helpers = SeasonRole.objects.filter(season=season, role=SeasonRole.Role.CO_ORGANISER).select_related("user")
    people = [role.user for role in helpers] + ([season.organiser] if season.organiser is not None else [])
    values = {"season": season.name, "host": hint(webhook.url).partition("/")[0]}
    if by is not None:
        values["person"] = by.get_username()
    others = [person for person in people if person != by]
    notify(others, code, values, reverse("stables:webhook", args=[season.slug, webhook.public_id]))


# By hand -------------------------------------------------------------------------------------------------------------


@transaction.atomic
def try_now(*, webhook: Webhook, actor: Any) -> Delivery:
    """Queue a document that only says that news arrives, even for a webhook that is off, and return its delivery.

    Raises Webhook.DoesNotExist or TooOften (too_often).
    """
    count_attempt(TRIES_OF_A_PERSON, f"{actor.pk}")
    known = Webhook.objects.select_for_update(no_key=True).get(pk=webhook.pk)
    now = timezone.now()
    facts: dict[str, Any] = {"parameters": {}, "cycle": None, "fixture": None, "time": now.isoformat()}
    made = Delivery.objects.create(webhook=known, code=documents.TRY, document=facts, next_try_at=now)
    _ask(made)
    return made


@transaction.atomic
def retry(*, delivery: Delivery, actor: Any) -> Delivery:
    """Queue another try of a delivery now, whether it was given up or waits for its next try.

    Raises Webhook.DoesNotExist, Delivery.DoesNotExist, SeasonRefused (webhook_delivered, webhook_off) or TooOften
    (too_often).
    """
    count_attempt(TRIES_OF_A_PERSON, f"{actor.pk}")
    webhook = Webhook.objects.select_for_update(no_key=True).get(pk=delivery.webhook_id)
    known = Delivery.objects.get(pk=delivery.pk)
    if known.state == Delivery.State.DELIVERED:
        raise SeasonRefused("webhook_delivered")
    if webhook.disabled_at is not None and known.log_entry_id is not None:
        raise SeasonRefused("webhook_off")
    known.state = Delivery.State.WAITING
    known.next_try_at = timezone.now()
    known.ended_at = None
    known.save(update_fields=["state", "next_try_at", "ended_at"])
    _ask(known, by_hand=True)
    return known


# Looking -------------------------------------------------------------------------------------------------------------


def scan_for_lost(now: datetime | None = None) -> None:
    """Find up to 50 deliveries whose next try is overdue by more than LOST_AFTER.

    Ask for a lost job again, or note that the worker was lost.
    """
    now = now or timezone.now()
    late = Delivery.objects.filter(state=Delivery.State.WAITING, next_try_at__lt=now - LOST_AFTER)
    for delivery in late.order_by("next_try_at")[:50]:
        number = delivery.tries + 1
        keys = [f"stables:delivery:{delivery.public_id}:{number}{ending}" for ending in ("", ":now")]
        jobs = list(Job.objects.filter(unique_key__in=keys))
        if not jobs:
            _ask(delivery)
        elif _are_finished(jobs):
            with transaction.atomic():
                note(delivery_id=delivery.pk, number=number, reply=Reply(None, "worker_lost"), now=now)


def _are_finished(jobs: Iterable[Job]) -> bool:
    return all(job.state in (Job.State.FAILED, Job.State.DONE) for job in jobs)


def forget_old(now: datetime | None = None) -> int:
    """Delete those of the FORGOTTEN_A_LOOK oldest deliveries that ended more than KEPT ago, and return how many.

    Their finished jobs go too.
    """
    before = (now or timezone.now()) - KEPT
    # Only the oldest rows are read, which is cheap at every tick; only one that a person tries again waits for long.
    oldest = Delivery.objects.order_by("id").values_list("pk", "public_id", "tries", "ended_at")[:FORGOTTEN_A_LOOK]
    old = [(pk, public_id, tries) for pk, public_id, tries, ended in oldest if ended is not None and ended < before]
    if not old:
        return 0
    keys = [
        f"stables:delivery:{public_id}:{number}{ending}"
        for _, public_id, tries in old
        for number in range(1, tries + 2)
        for ending in ("", ":now")
    ]
    with transaction.atomic():
        # A person may have retried a delivery just now.
        ended = Delivery.objects.filter(pk__in=[pk for pk, *_ in old], ended_at__lt=before)
        _, counts = ended.exclude(state=Delivery.State.WAITING).delete()
        # A job that failed for good stays in the administration until somebody has seen to it.
        Job.objects.filter(unique_key__in=keys, state=Job.State.DONE, finished_at__lt=before).delete()
    return counts.get("stables.Delivery", 0)
