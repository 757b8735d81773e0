"""What the site deletes when its term is over, room by room. The terms are in web.retention.

Sessions, counted attempts, failed log-ins, kept answers and deliveries of webhooks end sooner, at every tick: their own
scans delete them (solaris_site.jobs, stables.jobs.webhooks).
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping
from datetime import datetime

from catalogue.services import retention as of_catalogue
from jobs.services import forget_done
from matches.services import retention as of_matches
from people.services import retention as of_people
from stables.services.running import retention as of_seasons
from web import retention

logger = logging.getLogger("jobs")

JOB = "site.forget"
MAILS = ("people.mail_waiting", "people.mail_notice", "people.mail_digest", "people.push")
"""Jobs whose unique keys may be used again: a notice says itself that it was mailed, a digest's hour is past."""
EVENTS = ("challenge.tell", "challenge.deliver")
"""Jobs that only said what happened in events: the ids in their unique keys never come again."""


def _forget_mail_jobs(now: datetime, most: int) -> int:
    return forget_done(MAILS, now - retention.MAIL_JOBS, most)


def _forget_event_jobs(now: datetime, most: int) -> int:
    return forget_done(EVENTS, now - retention.DELIVERIES, most)


def _forget_own_jobs(now: datetime, most: int) -> int:
    return forget_done((JOB,), now - retention.OWN_JOBS, most)


OUTLIVED: Mapping[str, Callable[[datetime, int], int]] = {
    "notices": of_people.forget_notices,
    "tokens": of_people.forget_tokens,
    "administration": of_people.forget_administration,
    "wordings": of_people.forget_wordings,
    "waiting addresses": of_people.forget_waiting_addresses,
    "duels of guests": of_matches.forget_duels,
    "guests": of_matches.forget_guests,
    "import drafts": of_catalogue.forget_drafts,
    "links": of_seasons.forget_links,
    "who comes": of_seasons.forget_questions,
    "mail jobs": _forget_mail_jobs,
    "jobs of events": _forget_event_jobs,
    "own jobs": _forget_own_jobs,
}
"""By name, what deletes at most so many rows that have outlived their term by a time, and returns their number."""


def forget_outlived(now: datetime) -> dict[str, int]:
    """Delete what has outlived its term by `now`, in portions, and return how many rows of each name went.

    Of each name at most MOST_PORTIONS portions go. Each portion is a transaction of its own. A second call at once
    finds nothing, except what was left.
    """
    gone = {name: _in_portions(forget, now) for name, forget in OUTLIVED.items()}
    told = ", ".join(f"{count} {name}" for name, count in gone.items() if count)
    if told:
        logger.info("Outlived its term and was deleted: %s", told)
    return gone


def _in_portions(forget: Callable[[datetime, int], int], now: datetime) -> int:
    total = 0
    for _ in range(retention.MOST_PORTIONS):
        count = forget(now, retention.PORTION)
        total += count
        if count < retention.PORTION:
            break
    return total
