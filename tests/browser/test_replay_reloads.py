"""A replay that reads itself again: while its match is being played, and while its reader waits for turning points."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import expect

from jobs.models import Job
from matches.models import Match
from matches.services import finishing
from matches.services.finished import turning_points
from people.models import User

from .conftest import Visit
from .playing import DESK, answer, click_commit, log_in, with_the_mouse

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

A_LOOK = 5000
"""How many milliseconds lie between two looks of the page."""


@pytest.mark.parametrize("visit", [DESK], indirect=True, ids=["desk"])
def test_who_looks_at_the_newest_step_sees_the_next_one(visit: Visit, live_server: Any, match: Match) -> None:
    root = live_server.url
    log_in(visit.page, root)
    visit.page.clock.install()
    replay = visit.open(f"{root}{match.get_absolute_url()}")
    slider = replay.locator("#scrub")
    before = slider.get_attribute("max")
    assert before is not None
    other = replay.context.new_page()
    other.goto(f"{root}{match.get_absolute_url()}play/")
    answer(other, with_the_mouse, click_commit)
    other.close()
    expect(slider).to_have_attribute("max", before)
    replay.clock.run_for(A_LOOK)
    expect(slider).not_to_have_attribute("max", before)
    expect(replay.locator('#replay a[data-step="next"]')).to_have_count(0)


@pytest.mark.parametrize("visit", [DESK], indirect=True, ids=["desk"])
def test_who_waits_for_turning_points_sees_that_they_are_found(visit: Visit, live_server: Any, match: Match) -> None:
    finishing.play_out_for(match, User.objects.get(username="player").pk)
    root = live_server.url
    log_in(visit.page, root)
    visit.page.clock.install()
    replay = visit.open(f"{root}{match.get_absolute_url()}")
    replay.locator("#turning-points form button").click()
    waiting = replay.locator("#replay [data-waits]")
    expect(waiting).to_have_count(1)
    assert Job.objects.filter(name=turning_points.JOB).update(state=Job.State.DONE) == 1
    replay.clock.run_for(A_LOOK)
    expect(waiting).to_have_count(0)
