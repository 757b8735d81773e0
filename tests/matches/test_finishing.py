"""Giving the rest of a match to the AI: exactly once, by the person who may, and shown in the log of the match."""

from __future__ import annotations

import threading
from typing import Any

import pytest
from django.core.exceptions import PermissionDenied
from django.db import connection
from django.test import Client
from django.urls import reverse

from jobs.models import Job
from jobs.services import enqueue, run_pending
from matches.models import Match, MatchAction
from matches.selectors.matches import rebuild
from matches.services import finishing, matches
from matches.services.answering import Seat
from matches.services.beginning.friendly import Wishes, start_friendly
from matches.services.finishing import finish_for, may_finish
from matches.services.matches import create_match, play_action, resolve_with_bots
from people.models import User
from tests.matches.conftest import SEED, play_some
from tests.waiting import DEADLINE_SECONDS

pytestmark = [pytest.mark.django_db, pytest.mark.database]


@pytest.fixture
def alone(player: User, setup_document: dict[str, Any]) -> Match:
    """A match of a person against a bot, begun."""
    return create_match(setup_document, SEED, None, [Seat("red", player.pk), Seat("blue", bot="greedy")])


@pytest.fixture
def page(player: User, client: Client) -> Client:
    client.force_login(player)
    return client


def address(match: Match, name: str = "finish") -> str:
    return reverse(f"matches:{name}", args=[match.public_id])


def causes(match: Match) -> set[tuple[str, str]]:
    """Side and cause of the steps."""
    return set(MatchAction.objects.filter(match=match, sequence__gt=0).values_list("side", "cause"))


def test_the_ai_plays_to_the_end_and_the_steps_say_so(alone: Match, page: Client) -> None:
    assert address(alone) in page.get(address(alone, "play")).content.decode()
    asked = page.get(address(alone))
    assert asked.status_code == 200
    alone.refresh_from_db()
    assert not alone.is_finished
    answer = page.post(address(alone))
    assert (answer.status_code, answer["Location"]) == (302, address(alone, "play"))
    alone.refresh_from_db()
    assert alone.is_finished
    side_causes = causes(alone)
    assert ("red", "given") in side_causes
    assert not {cause for side, cause in side_causes if side == "blue"} - {""}
    # What is stored is a whole match, which the engine plays again step by step.
    engine = rebuild(Match.objects.get(pk=alone.pk))
    assert engine.result is not None
    assert engine.result.to_json() == alone.result


def test_what_the_person_played_themselves_stays_their(alone: Match, player: User) -> None:
    engine = rebuild(alone)
    assert engine.decision is not None
    assert engine.decision.side == "red"
    play_action(alone.pk, "red", alone.last_sequence, engine.legal_actions()[0])
    own = list(MatchAction.objects.filter(match=alone, side="red", cause="").values_list("pk", flat=True))
    assert own
    finish_for(Match.objects.get(pk=alone.pk), player)
    assert set(MatchAction.objects.filter(match=alone, side="red", cause="").values_list("pk", flat=True)) == set(own)


def test_ending_a_match_twice_changes_nothing(alone: Match, page: Client) -> None:
    page.post(address(alone))
    steps = list(MatchAction.objects.filter(match=alone).values_list("sequence", "action"))
    assert page.post(address(alone))["Location"] == address(alone, "play")
    assert list(MatchAction.objects.filter(match=alone).values_list("sequence", "action")) == steps


def test_against_bots_that_think_long_a_worker_plays_on(
    alone: Match, page: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Seventeen seconds against three strong ones are too long for a request."""
    assert {"quick", "strong"}.isdisjoint(finishing.AT_ONCE)
    monkeypatch.setattr(finishing, "AT_ONCE", frozenset())
    assert "plays your match to the end" in page.post(address(alone), follow=True).content.decode()
    page.post(address(alone))
    alone.refresh_from_db()
    assert not alone.is_finished
    assert list(Job.objects.filter(name="matches.finish").values_list("state", flat=True)) == ["queued"]
    run_pending()
    alone.refresh_from_db()
    assert alone.is_finished
    assert ("red", "given") in causes(alone)


def test_a_worker_plays_for_nobody_who_may_not_give_the_match_away(waiting: Match, player: User) -> None:
    enqueue("matches.finish", {"match": waiting.pk, "user": player.pk})
    run_pending()
    waiting.refresh_from_db()
    assert not waiting.is_finished


def test_a_step_in_another_tab_at_the_same_moment_is_kept(
    alone: Match, player: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The first run finds that somebody was faster, and the second goes on from there."""
    real, runs = matches.play_to_the_end, []

    def play_on(*arguments: Any) -> Any:
        if not runs:
            other = Match.objects.get(pk=alone.pk)
            play_action(other.pk, "red", other.last_sequence, rebuild(other).legal_actions()[0])
        runs.append(1)
        return real(*arguments)

    monkeypatch.setattr(matches, "play_to_the_end", play_on)
    finished = finish_for(alone, player)
    assert (finished.is_finished, len(runs)) == (True, 2)
    assert MatchAction.objects.filter(match=alone, side="red", cause="").exists()
    numbers = list(MatchAction.objects.filter(match=alone).order_by("sequence").values_list("sequence", flat=True))
    assert numbers == list(range(len(numbers)))


@pytest.mark.django_db(transaction=True)
def test_two_tabs_at_once_store_one_match(alone: Match, player: User) -> None:
    barrier, problems = threading.Barrier(2), []

    def press() -> None:
        try:
            barrier.wait(DEADLINE_SECONDS)
            finish_for(Match.objects.get(pk=alone.pk), player)
        except Exception as problem:
            problems.append(problem)
        finally:
            connection.close()

    threads = [threading.Thread(target=press) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(DEADLINE_SECONDS)
    alone.refresh_from_db()
    assert (problems, alone.is_finished) == ([], True)
    numbers = list(MatchAction.objects.filter(match=alone).order_by("sequence").values_list("sequence", flat=True))
    assert numbers == list(range(alone.last_sequence + 1))


def test_against_a_person_nobody_gives_the_match_away(waiting: Match, page: Client, player: User) -> None:
    assert address(waiting) not in page.get(address(waiting, "play")).content.decode()
    assert [page.get(address(waiting)).status_code, page.post(address(waiting)).status_code] == [403, 403]
    with pytest.raises(PermissionDenied):
        finish_for(waiting, player)
    waiting.refresh_from_db()
    assert not waiting.is_finished


def test_strangers_may_not(alone: Match, rival: User, client: Client) -> None:
    assert client.post(address(alone)).status_code == 403
    client.force_login(rival)
    assert client.post(address(alone)).status_code == 403
    assert MatchAction.objects.filter(match=alone, cause="given").count() == 0


def test_alone_at_both_sides_is_no_match_against_bots(setup_document: dict[str, Any], player: User) -> None:
    match = create_match(setup_document, SEED, None, [Seat("red", player.pk), Seat("blue", player.pk)])
    assert not may_finish(match, player)


@pytest.mark.parametrize("format_name", ["team", "tag_team", "capture_the_flag", "grand_melee", "weapons_dead"])
def test_friendly_matches_of_every_format_are_finished(player: User, format_name: str) -> None:
    match = start_friendly(player, Wishes(format=format_name, opponent="random"))
    assert finish_for(match, player).is_finished


def test_bots_alone_give_nothing(setup_document: dict[str, Any], db: None) -> None:
    match = create_match(setup_document, SEED, None, [Seat("red", bot="random"), Seat("blue", bot="random")])
    resolve_with_bots(match.pk, {"red": "random", "blue": "random"})
    assert {cause for _, cause in causes(match)} == {""}


def test_a_match_in_the_middle_is_finished_from_there(waiting: Match, player: User, rival: User) -> None:
    play_some(waiting, 6)
    matches.reseat(waiting.pk, [Seat("red", player.pk), Seat("blue", bot="random")])
    before = list(MatchAction.objects.filter(match=waiting).order_by("sequence").values_list("pk", flat=True))
    finish_for(Match.objects.get(pk=waiting.pk), player)
    after = list(MatchAction.objects.filter(match=waiting).order_by("sequence").values_list("pk", flat=True))
    assert after[: len(before)] == before
    assert len(after) > len(before)
