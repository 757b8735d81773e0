"""Studies on Celery workers: a group of parts, and a chord that puts their answers together.

A part says all that it depends on (`rules.measuring.studies`), so it does no harm when one is played twice: by a worker
that was slow, and again because it was thought dead. Nothing of a study lies in the database; whoever asked waits for
it, looks how far it is, and sends again what workers took with them when they died.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Iterator, Sequence
from typing import Any

from celery import chord, current_app, group, states
from celery.exceptions import CeleryError, ChordError
from celery.result import AsyncResult
from django.conf import settings
from kombu.exceptions import OperationalError
from kombu.utils.uuid import uuid
from redis.exceptions import RedisError

from rules.core.refusals import Refused
from rules.measuring import studies
from rules.measuring.studies import Answer, Executor, Part, Progress
from studies.tasks import OtherCode, merge_answers, play_part

logger = logging.getLogger("jobs")

LONGEST_STUDY_SECONDS = 3600.0
LOOK_SECONDS = 0.25
SERVER_SECONDS = 3.0
"""How long the queue may take to answer."""
WORKER_SECONDS = (0.5, 2.0, 8.0)
"""How long workers have to say that they are there: all answers are waited for, so first for a short while."""

UNREACHABLE = (OperationalError, RedisError, OSError)


class StudyRefused(Refused):
    """A study cannot be played by workers here, or was not."""


def on_workers(longest: float = LONGEST_STUDY_SECONDS) -> Executor:
    """Return the way that plays parts on Celery workers and waits for them, `longest` seconds at most.

    Raises (when it is gone): StudyRefused, each code of which begins with `study_`.
    """

    def way(parts: Sequence[Part], tell: Progress) -> Iterator[Answer]:
        require_servers()
        if not has_workers():
            raise no_workers()
        if parts:
            yield from FanOut(parts, longest).answers(tell)

    return way


def require_servers() -> None:
    """Require a queue and a place for results that several workers share.

    Raises: StudyRefused when the site has none, or they do not answer.
    """
    if settings.CELERY_BROKER_URL.startswith("filesystem:") or settings.CELERY_RESULT_BACKEND == "django-db":
        raise StudyRefused("study_needs_servers")
    try:
        with current_app.connection_for_write() as connection:
            connection.ensure_connection(max_retries=1, interval_start=0, timeout=SERVER_SECONDS)
        current_app.backend.client.ping()
    except UNREACHABLE as error:
        # Its words may hold an address with a password.
        raise StudyRefused("study_servers_gone") from error


def has_workers() -> bool:
    """Return whether a worker that takes parts answers. Raises: StudyRefused when the queue does not."""
    for seconds in WORKER_SECONDS:
        try:
            queues = current_app.control.inspect(timeout=seconds).active_queues() or {}
        except UNREACHABLE as error:
            raise StudyRefused("study_servers_gone") from error
        if any(queue["name"] == settings.STUDY_QUEUE for found in queues.values() for queue in found):
            return True
    return False


def no_workers() -> StudyRefused:
    """Return what a study is refused with that nobody plays."""
    return StudyRefused("study_no_workers", queue=settings.STUDY_QUEUE)


class FanOut:
    """The parts of one run under way, and what is known of them."""

    def __init__(self, parts: Sequence[Part], longest: float) -> None:
        self.parts = {uuid(): part for part in parts}
        self.sent_again: set[str] = set()
        self.found: dict[str, Answer] = {}
        self.longest = longest
        self.began = time.monotonic()
        self.group_id = uuid()
        self.merged = AsyncResult(uuid())

    def answers(self, tell: Progress) -> list[Answer]:
        """Send the parts, wait for all, and return their answers in the order of their numbers.

        Raises: StudyRefused.
        """
        try:
            self._send()
            return self._wait(tell)
        except UNREACHABLE as error:
            raise StudyRefused("study_servers_gone") from error
        finally:
            self._tidy_up()

    def _send(self) -> None:
        header = group([self._signature(name) for name in self.parts], task_id=self.group_id)
        chord(header)(merge_answers.s(), task_id=self.merged.id)

    def _signature(self, name: str) -> Any:
        return play_part.s(self.parts[name], studies.code_hash()).set(task_id=name, expires=self.longest)

    def _send_again(self) -> None:
        """Send all parts without an answer once more, as the same members of the same chord."""
        waiting = [name for name in self.parts if name not in self.found]
        logger.warning("%s parts of a study are sent again: nothing was heard of them", len(waiting))
        body = merge_answers.s().set(task_id=self.merged.id)
        for index, name in enumerate(self.parts):
            if name not in self.found:
                self._signature(name).apply_async(group_id=self.group_id, group_index=index, chord=body)
        self.sent_again.update(waiting)

    def _wait(self, tell: Progress) -> list[Answer]:
        heard, longest_pause = time.monotonic(), 0.0
        patience = shortest = float(settings.STUDY_PATIENCE_SECONDS)
        while True:
            now = time.monotonic()
            if self._look():
                tell(sum(self.parts[name]["count"] for name in self.found))
                longest_pause, heard = max(longest_pause, now - heard), now
                patience = max(shortest, 3 * longest_pause)
            if self.merged.successful():
                merged: list[Answer] = self.merged.get()
                return merged
            if self.merged.failed():
                # Also where a part failed: that says more.
                self._look()
                if not isinstance(self.merged.result, ChordError):
                    raise StudyRefused("study_not_merged", error=_error_line(self.merged.result))
                if len(self.found) == len(self.parts):
                    # Nobody put them together: parts that were sent again can make a chord lose count.
                    return studies.in_order(self.found.values())
            if now - self.began > self.longest:
                raise StudyRefused(
                    "study_too_slow", seconds=round(self.longest), done=len(self.found), parts=len(self.parts)
                )
            if now - heard > patience:
                if len(self.found) == len(self.parts):
                    # The worker that had them in its hands to put them together is gone.
                    return studies.in_order(self.found.values())
                if has_workers():
                    self._send_again()
                    heard, patience = now, 2 * patience
                elif now - heard > patience + settings.STUDY_ABSENCE_SECONDS:
                    # Workers that are started again, after an update or a fall, were given the time for it.
                    raise no_workers()
            time.sleep(LOOK_SECONDS)

    def _look(self) -> bool:
        """Take in the answers that have come since the last look. Returns: whether there was one.

        Raises: StudyRefused when a part failed.
        """
        waiting = [name for name in self.parts if name not in self.found]
        if not waiting:
            return False
        backend = current_app.backend
        stored = backend.mget([backend.get_key_for_task(name) for name in waiting])
        before = len(self.found)
        for name, text in zip(waiting, stored, strict=True):
            if text is None:
                continue
            decoded = backend.decode_result(text)
            if decoded["status"] == states.SUCCESS:
                self.found[name] = decoded["result"]
            elif decoded["status"] in states.EXCEPTION_STATES:
                raise self._failure(name, decoded["result"])
        return len(self.found) > before

    def _failure(self, name: str, error: Any) -> StudyRefused:
        if isinstance(error, OtherCode):
            return StudyRefused("study_other_code")
        part = self.parts[name]
        return StudyRefused("study_part_failed", work=part["work"], first=part["first"], error=_error_line(error))

    def _tidy_up(self) -> None:
        """Call back what is still under way and forget the results; as far as the servers answer."""
        try:
            stray = [name for name in self.parts if name not in self.found or name in self.sent_again]
            if stray:
                current_app.control.revoke(stray)
            for name in (*self.parts, self.merged.id):
                AsyncResult(name).forget()
        except (*UNREACHABLE, CeleryError):
            logger.warning("What is left of a study could not be removed; it expires by itself")


def _error_line(error: Any) -> str:
    """Return what was raised elsewhere, in one line."""
    return f"{type(error).__name__}: {error}"
