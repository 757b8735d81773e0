"""A study that is under way outlives its workers: others may be starting."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from rules.measuring.studies import Part
from studies import fan_out
from studies.fan_out import FanOut, StudyRefused

pytestmark = pytest.mark.database

PART: Part = {"study": 0, "work": "squares", "given": {}, "first": 0, "count": 1}


class Hours:
    """A clock that moves when somebody sleeps or asks workers; workers are there from `back` seconds on."""

    def __init__(self, back: float) -> None:
        self.now, self.back = 0.0, back

    def monotonic(self) -> float:
        return self.now

    def sleep(self, seconds: float) -> None:
        self.now += seconds

    def has_workers(self) -> bool:
        self.now += sum(fan_out.WORKER_SECONDS)
        return self.now >= self.back


class LeftStudy(FanOut):
    """A study whose only part is answered as soon as it is sent again."""

    sent_again_at: float | None = None

    def _send_again(self) -> None:
        self.sent_again_at = fan_out.time.monotonic()

    def _look(self) -> bool:
        return False

    @property
    def merged(self) -> Any:
        done = self.sent_again_at is not None
        return SimpleNamespace(successful=lambda: done, failed=lambda: False, get=lambda: ["played"])

    @merged.setter
    def merged(self, value: Any) -> None:
        """Where the results would be found is of no matter here."""


@pytest.fixture
def left_at(monkeypatch: pytest.MonkeyPatch, settings: Any) -> Any:
    settings.STUDY_PATIENCE_SECONDS, settings.STUDY_ABSENCE_SECONDS = 20, 120

    def left(back: float) -> LeftStudy:
        hours = Hours(back)
        monkeypatch.setattr(fan_out, "time", hours)
        monkeypatch.setattr(fan_out, "has_workers", hours.has_workers)
        return LeftStudy([PART], longest=3600)

    return left


def test_parts_are_sent_again_when_a_worker_has_come_back(left_at: Any) -> None:
    study = left_at(100)
    assert study._wait(lambda done: None) == ["played"]
    assert 100 <= study.sent_again_at < 120


def test_a_study_is_given_up_when_no_worker_comes_in_time(left_at: Any) -> None:
    study = left_at(3000)
    with pytest.raises(StudyRefused) as refusal:
        study._wait(lambda done: None)
    assert refusal.value.code == "study_no_workers"
    assert 140 < fan_out.time.monotonic() < 155 + sum(fan_out.WORKER_SECONDS)
    assert study.sent_again_at is None
