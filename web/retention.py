"""One file of terms: how long the site keeps what it does not keep for good.

A job deletes what has outlived its term (solaris_site.retention). The page "What is kept about you" and the table in
docs/operations.md say these terms too; the sentences are made from them, or tests compare them.
"""

from __future__ import annotations

from datetime import timedelta

COUNTED_ATTEMPTS = timedelta(hours=1)
"""Hashes that count how often a form was used: limits look back an hour."""

KEPT_ANSWERS = timedelta(days=1)
"""Answers for idempotency keys: a program that tries again does so within minutes."""

IMPORT_DRAFTS = timedelta(days=7)
"""Imports that nobody confirmed."""

DELIVERIES = timedelta(weeks=4)
"""Deliveries of webhooks after their end, with their jobs: far longer than all tries take."""

MAIL_JOBS = timedelta(weeks=4)
"""Finished jobs that mailed somebody: long enough to look into a complaint."""

OWN_JOBS = timedelta(days=2)
"""Finished jobs that deleted what had outlived its term."""

WAITING_ADDRESSES = timedelta(days=30)
"""An e-mail address that nobody proved, whose link has long ended: it may be a stranger's."""

UNUSED_LINKS = timedelta(days=30)
"""Links to a stable that nobody used, after they expired or were revoked."""

WHO_COMES = timedelta(days=90)
"""Questions who comes, with the answers, after the evening."""

UNFINISHED_DUELS = timedelta(days=7)
"""Unfinished duels of guests after their last step, and guests who have no match."""

GUEST_SESSIONS = timedelta(days=90)
"""How long a browser is a guest: a season of an evening a week. Afterwards an organiser makes another link, and a guest
who came by themselves is gone, except their finished matches."""

READ_NOTICES = timedelta(days=180)
"""Notices after they were read, unless they ask for an act that is still to be done."""

UNREAD_NOTICES = timedelta(days=730)
"""Notices that nobody read or that ask for an act still, after they were written."""

ENDED_TOKENS = timedelta(days=180)
"""Tokens for programs after they expired or were revoked: their owner may look when one was last used."""

DONE_WORDINGS = timedelta(days=90)
"""Proposals of better wording after the operator marked them as done."""

WORDINGS = timedelta(days=730)
"""Proposals of better wording that nobody marked as done, after they were sent."""

ADMINISTRATION = timedelta(days=365)
"""What staff did in the administration."""

PORTION = 500
"""Rows that one statement deletes, so that nobody waits long for a lock."""

MOST_PORTIONS = 20
"""Portions of one kind in a run; the next run takes what is left."""
