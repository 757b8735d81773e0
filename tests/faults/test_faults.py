"""The harness of `make faults` in small: every end of one kind of job, on SQLite; and that it would notice a fault."""

from __future__ import annotations

from pathlib import Path

import pytest

from stables.models import Season
from stables.services.base.ledger import Movement, post
from tests.faults.__main__ import trial
from tests.faults.books import books_of, differences
from tests.faults.sites import EMBEDDED
from tests.faults.trial import BOUNDARIES, Plan
from tests.faults.worker import Points, Status, job_name
from tests.stables.conftest import four_stocked, stocked

__all__ = ["four_stocked", "stocked"]


def test_a_season_whose_worker_dies_at_every_boundary_of_a_job_is_the_undisturbed_one(migrated_site: Path) -> None:
    outcome = trial(EMBEDDED, Plan(BOUNDARIES, [5], only="stables.award_titles"), migrated_site)
    assert outcome.problems == []
    assert {job_name(point) for point in outcome.kills} == {"stables.award_titles"}
    assert len(outcome.kills) >= 5


@pytest.mark.django_db
def test_what_is_doubled_or_missing_shows(stocked: Season) -> None:
    before = books_of(stocked)
    assert differences(before, books_of(stocked)) == []
    stable = stocked.stables.get(number=1)
    post(stable_id=stable.pk, movements=[Movement(1, "purse", "twice")])
    found = differences(books_of(stocked), before)
    assert any(line.startswith("LedgerEntry: too much") for line in found)
    assert any(line.startswith("Stable: missing") for line in found)
    assert "report: ledger differs" in found
    assert any(line.startswith("LedgerEntry: missing") for line in differences(before, books_of(stocked)))


def test_a_point_that_killed_once_lets_the_next_worker_pass(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    class Died(Exception):
        pass

    def die(pid: int, number: int) -> None:
        raise Died

    monkeypatch.setattr("os.kill", die)
    file = tmp_path / "points"
    for expected in (1, 2):
        points = Points(Status(), file)
        with points.doing("a.job #1"), points.at("step"):
            with pytest.raises(Died):
                points.reach("before" if expected == 1 else "after")
            assert points.status.read().startswith("a.job #1|step|")
        assert len(file.read_text().splitlines()) == expected
    points = Points(Status(), file)
    with points.doing("a.job #1"), points.at("step"):
        points.reach("before")
    Points(Status(), file, only="another.job").reach("before")
