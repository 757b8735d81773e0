"""The puzzle of the day: what the job stores, what the page shows before and after the answer, and playing on."""

from __future__ import annotations

import html
import re
from collections.abc import Mapping
from dataclasses import replace
from datetime import UTC, date, datetime, time, timedelta
from itertools import count
from typing import Any

import pytest
from django.contrib.sessions.backends.db import SessionStore
from django.db import DatabaseError, connection, transaction
from django.test import Client
from django.utils import timezone

from jobs.models import Job
from jobs.services import enqueue, run_pending
from matches.jobs import scan_for_missing_puzzles
from matches.models import Match, Puzzle, PuzzleCount
from matches.presenters.puzzles import puzzle_page
from matches.selectors import puzzles as selectors
from matches.selectors.matches import rebuild
from matches.selectors.puzzles import shipped
from matches.services import forecasts, puzzles
from matches.services.finished import turning_points
from matches.services.puzzles import ANSWERS_OF_A_PLACE, job_key
from people.models import User
from rules.measuring.puzzles import Puzzle as Found
from rules.measuring.puzzles import Weighed
from web.append_only import WrittenOnce

pytestmark = [pytest.mark.django_db, pytest.mark.database]

DAY = max(shipped())
PAGE = f"/puzzle/{DAY}/"
TODAY = DAY + timedelta(days=1)
"""A day without a shipped puzzle, and so is the next."""


@pytest.fixture(autouse=True)
def clock(monkeypatch: pytest.MonkeyPatch) -> None:
    """Hold the clock at noon of TODAY. Each look at it is a millisecond later, so that order shows."""
    noon, looks = datetime.combine(TODAY, time(12), UTC), count()
    monkeypatch.setattr(timezone, "now", lambda: noon + timedelta(milliseconds=next(looks)))


def known() -> Found:
    return Found.from_json(shipped()[DAY])


def wrong() -> int:
    return (known().best + 1) % len(known().orders)


def answered(client: Client, place: object) -> str:
    response = client.post(f"{PAGE}answer/", {"order": place})
    assert response.headers["Location"] == PAGE
    return client.get(PAGE).content.decode()


# The job ----------------------------------------------------------------------------------------------------------


@pytest.fixture
def duels(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, int]]:
    """The duels that are played for puzzles; the third of each day has one."""
    played: list[tuple[str, int]] = []

    def puzzle_in(seed: str, number: int) -> Found | None:
        played.append((seed, number))
        return known() if number == 2 else None

    monkeypatch.setattr(puzzles, "puzzle_in", puzzle_in)
    return played


def test_the_puzzles_of_today_and_tomorrow_are_found_once(duels: list[tuple[str, int]]) -> None:
    scan_for_missing_puzzles()
    scan_for_missing_puzzles()
    missing = [TODAY, TODAY + timedelta(days=1)]
    assert run_pending() == len(missing)
    assert sorted(duels) == [(str(day), number) for day in missing for number in range(3)]
    scan_for_missing_puzzles()
    assert run_pending() == 0
    assert list(Puzzle.objects.order_by("day").values_list("day", flat=True)) == missing


def test_a_site_that_wants_no_puzzles_looks_for_none(duels: list[tuple[str, int]], settings: Any) -> None:
    settings.PUZZLES = False
    scan_for_missing_puzzles()
    assert (run_pending(), duels) == (0, [])


def test_a_job_that_finds_nothing_gives_up_and_the_older_puzzle_stays(
    monkeypatch: pytest.MonkeyPatch, duels: list[tuple[str, int]], client: Client
) -> None:
    monkeypatch.setattr(puzzles, "MOST_MATCHES", 2)
    scan_for_missing_puzzles()
    run_pending()
    assert not Puzzle.objects.exists()
    assert set(Job.objects.values_list("state", flat=True)) <= {Job.State.DONE}
    assert client.get("/puzzle/").headers["Location"] == PAGE


@pytest.mark.parametrize("above", ["matches.finish", turning_points.JOB, forecasts.JOB])
def test_work_of_a_higher_priority_comes_first_and_no_duel_is_played_twice(
    monkeypatch: pytest.MonkeyPatch, duels: list[tuple[str, int]], above: str
) -> None:
    play = puzzles.puzzle_in

    def with_other_work(seed: str, number: int) -> Found | None:
        if number == 0:
            enqueue(above, {"match": 0, "user": 0})
        return play(seed, number)

    monkeypatch.setattr(puzzles, "puzzle_in", with_other_work)
    job = enqueue(puzzles.JOB, {"day": "2026-01-01"})
    run_pending()
    job.refresh_from_db()
    other = Job.objects.get(name=above)
    assert (job.state, other.state) == (Job.State.DONE, Job.State.DONE)
    assert other.finished_at < job.started_at  # its last attempt began after the other work
    assert duels == [("2026-01-01", number) for number in range(3)]


def test_a_stored_puzzle_is_never_changed(duels: list[tuple[str, int]]) -> None:
    row = Puzzle.objects.create(day=date(2026, 1, 1), document=shipped()[DAY])
    with pytest.raises(WrittenOnce):
        row.save()
    with pytest.raises(DatabaseError), transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("UPDATE matches_puzzle SET day = '2026-01-02'")


# The page ---------------------------------------------------------------------------------------------------------


def test_the_newest_puzzle_that_is_not_of_a_day_to_come_is_shown(client: Client) -> None:
    for day in (TODAY, TODAY + timedelta(days=1)):
        Puzzle.objects.create(day=day, document=shipped()[DAY])
    assert client.get("/puzzle/").headers["Location"] == f"/puzzle/{TODAY}/"
    assert client.get(f"/puzzle/{TODAY}/").status_code == 200
    assert client.get(f"/puzzle/{TODAY + timedelta(days=1)}/").status_code == 404
    assert client.get("/puzzle/2020-01-01/").status_code == client.get("/puzzle/2026-02-30/").status_code == 404


def test_before_the_answer_nothing_says_which_order_is_best(client: Client) -> None:
    response = client.get(PAGE)
    text = response.content.decode()
    assert response.context["page"].solution is None
    assert text.count('type="radio" name="order"') == len(known().orders)
    assert "to order: which order is best?" in text
    assert "Fire at " in text
    for said in ("Chance to win", "your answer", "Visitors who found it", "Play on from here"):
        assert said not in text


def test_no_two_orders_read_alike_and_one_that_moves_says_where_to() -> None:
    puzzle = known()
    move = {"unit": puzzle.decision["unit"], "order": "move", "path": ["0101"], "facing": 2, "cancel": []}
    orders = (*puzzle.orders, Weighed(move, 0, 1, 0))
    texts = [order.text for order in puzzle_page(DAY, replace(puzzle, orders=orders), [DAY], None, (0, 0)).orders]
    assert len(set(texts)) == len(texts)
    assert texts[-1] == "Walk to 0101, facing 2 o’clock"


def test_a_page_shows_no_target_token_that_the_side_to_order_does_not_know(client: Client) -> None:
    puzzle = known()
    tokens = [token for side in puzzle.setup["sides"] for token in side["tokens"]]
    assert any(token.get("hidden") for token in tokens)
    seen = {token["id"] for token in tokens}
    unseen = {token["name"] for own in puzzle.tokens.values() for token in own if token["id"] not in seen}
    for text in (client.get(PAGE).content.decode(), answered(client, puzzle.best)):
        assert unseen
        assert not [name for name in unseen if name in text]


def test_the_right_order_is_said_to_be_right_with_what_each_is_worth(client: Client) -> None:
    text = answered(client, known().best)
    assert "Right: you have found it." in text
    assert "Play on from here" in text
    assert "Visitors who found it: 1 of 1." in text
    worths = client.get(PAGE).context["page"].solution.worths
    assert [worth.is_best for worth in worths] == [True] + [False] * (len(worths) - 1)
    assert [worth.behind for worth in worths] == sorted(worth.behind for worth in worths)
    assert client.get(PAGE).context["page"].solution.reasons


def test_a_second_answer_of_a_browser_changes_nothing(client: Client) -> None:
    assert "Another order is better." in answered(client, wrong())
    assert "Another order is better." in answered(client, known().best)
    assert PuzzleCount.objects.values_list("answered", "found").get() == (1, 0)
    assert "Right" in answered(Client(), known().best)
    assert PuzzleCount.objects.values_list("answered", "found").get() == (2, 1)


@pytest.mark.parametrize("order", ["", "-1", "99", "x"])
def test_an_answer_without_an_order_is_not_counted(client: Client, order: str) -> None:
    assert "What each order is worth" not in answered(client, order)
    assert not PuzzleCount.objects.exists()


def test_answers_of_one_place_above_the_limit_see_the_solution_and_do_not_count(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(puzzles, "ANSWERS_OF_A_PLACE", type(ANSWERS_OF_A_PLACE)("puzzle", 1))
    answered(client, wrong())
    assert "Right: you have found it." in answered(Client(), known().best)
    assert PuzzleCount.objects.values_list("answered", "found").get() == (1, 0)


def test_two_answers_of_a_session_at_the_same_moment_count_once() -> None:
    first = SessionStore()
    first.create()
    second = SessionStore(first.session_key)
    assert puzzles.answers_in(second) == {}
    puzzles.take_answer(first, DAY, wrong(), False, "here")
    puzzles.take_answer(second, DAY, known().best, True, "here")
    assert puzzles.answers_in(SessionStore(first.session_key)) == {str(DAY): wrong()}
    assert PuzzleCount.objects.values_list("answered", "found").get() == (1, 0)


def test_the_link_to_a_puzzle_says_what_is_asked(client: Client) -> None:
    page = client.get(PAGE).content.decode()
    assert 'property="og:title" content="Puzzle of the day: ' in page
    assert re.search(r'property="og:description" content="Round \d+\. What should [^"]+ do\?', page)
    assert 'name="twitter:card" content="summary"' in page
    assert "og:image" not in page


def test_a_reason_of_heat_says_whose_heat_dial_turns(client: Client) -> None:
    puzzle = known()
    document = puzzle.to_json() | {"reasons": [{"code": "heat_shuts_down", "parameters": {"added": 1}}]}
    Puzzle.objects.create(day=DAY, document=document)
    page = html.unescape(answered(client, puzzle.best))
    name = client.get(PAGE).context["page"].unit
    assert f"1 heat more turns the heat dial of {name} past the end and shuts it down." in page


# Playing on -------------------------------------------------------------------------------------------------------


def test_a_visitor_plays_on_from_the_moment_of_a_puzzle(client: Client) -> None:
    response = client.post(f"{PAGE}play-on/")
    match = Match.objects.get()
    assert response.headers["Location"] == f"/matches/{match.public_id}/play/"
    engine, puzzle = rebuild(match), known()
    assert engine.decision is not None
    assert engine.decision.to_json() == puzzle.decision
    assert engine.snapshot() == puzzle.snapshot
    assert [seat.user is not None for seat in match.seats.all()] == [
        side["id"] == puzzle.decision["side"] for side in puzzle.setup["sides"]
    ]
    assert client.get(response.headers["Location"]).status_code == 200
    assert selectors.day_of_origin(match) == DAY
    Match.objects.filter(pk=match.pk).update(seed=bytes(match.seed)[::-1])
    match.refresh_from_db()
    assert selectors.day_of_origin(match) is None


def test_a_puzzle_that_the_present_rules_play_otherwise_is_not_played_on(client: Client) -> None:
    changed: Mapping[str, Any] = {**shipped()[DAY], "seed": "00" * 32}
    Puzzle.objects.create(day=DAY, document=changed)
    assert "Play on from here" not in answered(client, wrong())
    assert client.post(f"{PAGE}play-on/").status_code == 409
    assert not Match.objects.exists()
    assert not User.objects.exists()


# The puzzles that come with the game ------------------------------------------------------------------------------


def test_the_job_of_a_day_with_a_shipped_puzzle_is_not_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("matches.jobs.shipped", lambda: {TODAY: shipped()[DAY]})
    scan_for_missing_puzzles()
    assert list(Job.objects.values_list("unique_key", flat=True)) == [job_key(TODAY + timedelta(days=1))]


def test_every_shipped_puzzle_can_be_played_on_and_has_one_clear_answer() -> None:
    for document in selectors.shipped().values():
        puzzle = Found.from_json(document)
        assert puzzle.played() is not None
        assert sorted(order.behind for order in puzzle.orders)[:2][1] >= 0.1
