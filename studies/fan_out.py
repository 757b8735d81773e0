"""Studies on Celery workers: a group of parts, and a chord that puts their answers together.

A part holds everything that it depends on (`rules.measuring.studies`). So it does no harm to play one twice: by a slow
worker, and by another because the first seemed dead. A study stores nothing in the database. The caller waits for it,
watches how far it is, and sends parts again that were lost with their workers.
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
"""How long workers have to answer, try by try. A try always takes its whole time, so the first is short."""

UNREACHABLE = (OperationalError, RedisError, OSError)


class StudyRefused(Refused):
    """The refusal of a study that workers cannot play, or have not played."""


def on_workers(longest: float = LONGEST_STUDY_SECONDS) -> Executor:
    """Return an executor that plays parts on Celery workers and waits for them, at most `longest` seconds.

    The executor raises StudyRefused (study_needs_servers, study_servers_gone, study_no_workers, study_other_code,
    study_part_failed, study_not_merged, study_too_slow).
    """

    def way(parts: Sequence[Part], tell: Progress) -> Iterator[Answer]:
        require_servers()
        if not has_workers():
            raise no_workers()
        if parts:
            yield from FanOut(parts, longest).answers(tell)

    return way


def require_servers() -> None:
    """Require a queue and a store for results that several workers share, and that they answer.

    Raises StudyRefused (study_needs_servers, study_servers_gone).
    """
    if settings.CELERY_BROKER_URL.startswith("filesystem:") or settings.CELERY_RESULT_BACKEND == "django-db":
        raise StudyRefused("study_needs_servers")
    try:
        with current_app.connection_for_write() as connection:
            connection.ensure_connection(max_retries=1, interval_start=0, timeout=SERVER_SECONDS)
        current_app.backend.client.ping()
    except UNREACHABLE as error:
        # The text of the error may hold an address with a password.
        raise StudyRefused("study_servers_gone") from error


def has_workers() -> bool:
    """Return whether a worker that takes parts answers. Raises StudyRefused (study_servers_gone)."""
    for seconds in WORKER_SECONDS:
        try:
            queues = current_app.control.inspect(timeout=seconds).active_queues() or {}
        except UNREACHABLE as error:
            raise StudyRefused("study_servers_gone") from error
        if any(queue["name"] == settings.STUDY_QUEUE for found in queues.values() for queue in found):
            return True
    return False


def no_workers() -> StudyRefused:
    """Return the refusal of a study that no worker plays."""
    return StudyRefused("study_no_workers", queue=settings.STUDY_QUEUE)


class FanOut:
    """The parts of a study in progress, and their answers so far."""

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

        Raises StudyRefused (study_servers_gone, study_no_workers, study_other_code, study_part_failed,
        study_not_merged, study_too_slow).
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
                # Look for a part that failed: its error says more.
                self._look()
                if not isinstance(self.merged.result, ChordError):
                    raise StudyRefused("study_not_merged", error=_error_line(self.merged.result))
                if len(self.found) == len(self.parts):
                    # Only the merging failed: parts that were sent again can make a chord lose count.
                    return studies.in_order(self.found.values())
            if now - self.began > self.longest:
                raise StudyRefused(
                    "study_too_slow", seconds=round(self.longest), done=len(self.found), parts=len(self.parts)
                )
            if now - heard > patience:
                if len(self.found) == len(self.parts):
                    # The worker that was merging them is gone.
                    return studies.in_order(self.found.values())
                if has_workers():
                    self._send_again()
                    heard, patience = now, 2 * patience
                elif now - heard > patience + settings.STUDY_ABSENCE_SECONDS:
                    # Workers that restart after an update or a crash have had the time for it.
                    raise no_workers()
            time.sleep(LOOK_SECONDS)

    def _look(self) -> bool:
        """Collect the answers that have come since the last look, and return whether there was one.

        Raises StudyRefused (study_other_code, study_part_failed) for a part that failed.
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
        """Revoke parts that are still in progress and forget the results, as far as the servers answer."""
        try:
            stray = [name for name in self.parts if name not in self.found or name in self.sent_again]
            if stray:
                current_app.control.revoke(stray)
            for name in (*self.parts, self.merged.id):
                AsyncResult(name).forget()
        except (*UNREACHABLE, CeleryError):
            logger.warning("What is left of a study could not be removed; it expires by itself")


def _error_line(error: Any) -> str:
    """Return an error that a worker raised, in one line."""
    return f"{type(error).__name__}: {error}"
