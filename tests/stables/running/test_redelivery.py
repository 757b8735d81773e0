"""Every message arrives three times, to two workers at once: the season is the one that is played without a queue."""

from __future__ import annotations

import queue
import random
import threading
from typing import Any

import pytest
from celery import current_app
from django.db import connection

from jobs import services
from jobs.models import Job
from stables.models import Season
from stables.services.ai.exhibitions import open_exhibition, play
from stables.services.base.ledger import refold
from tests.faults.books import books_of, differences
from tests.waiting import DEADLINE_SECONDS, wait_until

pytestmark = pytest.mark.database

COPIES = 3


@pytest.mark.django_db(transaction=True)
def test_messages_that_arrive_thrice_at_two_workers_play_the_same_season(
    settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    shape: dict[str, Any] = {"stables": 4, "weight_class": "light", "cycles": 1, "seed": 5, "bot": "random"}
    undisturbed = play(season_id=open_exhibition(name="Alone", **shape).pk, on_progress=lambda progress: None)
    expected = books_of(undisturbed)

    messages: queue.Queue[tuple[int, int]] = queue.Queue()
    sent: list[tuple[int, int]] = []
    claimed: list[bool] = []
    kept_back: list[tuple[int, int]] = []
    chance = random.Random(5)

    def send(name: str, arguments: tuple[int, int], **options: Any) -> None:
        sent.append(arguments)
        for _ in range(COPIES - 1):
            messages.put(arguments)
        # The last copy comes out of order, some of them after the job is long done.
        kept_back.append(arguments)
        if chance.random() < 0.5:
            messages.put(kept_back.pop(chance.randrange(len(kept_back))))

    settings.JOB_WAKE_UPS = True
    monkeypatch.setattr(current_app, "send_task", send)
    season = open_exhibition(name="Redelivered", **shape)
    over = threading.Event()

    def work() -> None:
        try:
            while not over.is_set():
                try:
                    job_id, attempt = messages.get(timeout=0.1)
                except queue.Empty:
                    continue
                claimed.append(services.run_job(job_id, attempt))
        finally:
            connection.close()

    workers = [threading.Thread(target=work) for _ in range(2)]
    for worker in workers:
        worker.start()
    try:
        wait_until(lambda: Season.objects.get(pk=season.pk).state == Season.State.FINISHED, "the end")
        wait_until(lambda: not Job.objects.exclude(state=Job.State.DONE).exists(), "the last job")
        for message in kept_back:
            messages.put(message)
        wait_until(messages.empty, "an empty queue")
    finally:
        over.set()
        for worker in workers:
            worker.join(timeout=DEADLINE_SECONDS)
    season.refresh_from_db()
    assert season.state == Season.State.FINISHED
    assert differences(books_of(season), expected) == []
    assert refold() == []
    jobs = Job.objects.filter(payload__season=season.pk)
    assert not jobs.exclude(state=Job.State.DONE).exists()
    assert sum(claimed) == jobs.count() == len(set(sent))
    assert len(claimed) == COPIES * len(sent)
