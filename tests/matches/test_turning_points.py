"""The decisions that cost a player most: their own alone, found once by a job, and read by nobody else."""

from __future__ import annotations

import re
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from jobs import runner
from jobs.models import Job, JobStep
from jobs.run import Later, Run
from jobs.services import enqueue, run_pending
from matches import account_exit
from matches.models import AskedAdvice, Match, MatchAction
from matches.selectors.matches import rebuild
from matches.services.answering import Seat
from matches.services.beginning.demonstration import demonstration_setup
from matches.services.finished import continuing, turning_points
from matches.services.finished.turning_points import found_for
from matches.services.finishing import finish_for
from matches.services.matches import create_match, play_action
from people.models import User
from people.services import kept
from rules.bots.advice.hindsight import Hindsight
from tests.matches.playing import match_at

from .conftest import SEED, play_some

pytestmark = [pytest.mark.django_db, pytest.mark.database]


@pytest.fixture
def few(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(turning_points, "MOST_GLANCES", 5)
    monkeypatch.setattr(turning_points, "MOST_LOOKED_AT", 2)


@pytest.fixture
def played(player: User) -> Match:
    """A match against the AI: the person plays at random for a while, and leaves the rest to the AI."""
    match = create_match(demonstration_setup(), SEED, None, [Seat("red", player.pk), Seat("blue", bot="greedy")])
    finish_for(play_some(match, 9), player)
    return Match.objects.prefetch_related("seats__user").get(pk=match.pk)


def ask(client: Client, match: Match) -> Any:
    return client.post(reverse("matches:turning_points", args=[match.public_id]))


def test_only_the_player_s_own_decisions_with_a_choice_are_looked_at(few: None, played: Match, player: User) -> None:
    turning_points.ask(played, player)
    run_pending()
    done = JobStep.objects.filter(job__name=turning_points.JOB)
    names = set(done.values_list("name", flat=True)) - {turning_points.COUNT}
    looked = {int(name.split()[1]) for name in names}
    own = MatchAction.objects.filter(match=played, side="red", cause="").values_list("sequence", flat=True)
    assert 0 < len(looked) <= 5
    assert looked <= set(own)
    found = found_for(played, player)
    assert found is not None
    assert found.is_done
    for point in found.points:
        assert point.given == MatchAction.objects.get(match=played, sequence=point.sequence).action
        assert point.seen.cost > point.seen.margin
    # After the match, this is no help in it: nothing is advice, and nothing keeps a win from counting.
    assert not AskedAdvice.objects.exists()


def test_it_is_worked_out_once_and_a_second_press_starts_nothing(
    few: None, played: Match, player: User, client: Client
) -> None:
    client.force_login(player)
    address = played.get_absolute_url()
    assert "Find my turning points" in client.get(address).content.decode()
    assert ask(client, played).headers["Location"] == f"{address}#turning-points"
    assert "begins with your decisions as soon as" in client.get(address).content.decode()
    run_pending()
    done = JobStep.objects.filter(job__name=turning_points.JOB)
    steps = list(done.values_list("pk", "output"))
    ask(client, played)
    run_pending()
    assert list(done.values_list("pk", "output")) == steps
    assert Job.objects.filter(name=turning_points.JOB).count() == 1
    assert "Find my turning points" not in client.get(address).content.decode()


def test_the_page_says_how_many_decisions_are_looked_at_and_what_to_do_after_a_failure(
    few: None, played: Match, player: User, client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The job stops for others after two decisions, goes on, and fails at last."""
    client.force_login(player)
    ask(client, played)
    thought = []

    def give_way(run: Run) -> None:
        thought.append(run)
        if len(thought) == 2:
            raise Later(timedelta(days=1))

    monkeypatch.setattr(turning_points, "give_way", give_way)
    run_pending()
    text = " ".join(client.get(played.get_absolute_url()).content.decode().split())
    count = min(5, sum(1 for _ in turning_points._decisions(played, player.pk)))
    assert f"The advice has looked at 2 of your {count} decisions." in text
    assert f'<progress value="2" max="{count}"' in text
    Job.objects.filter(name=turning_points.JOB).update(state=Job.State.FAILED)
    text = " ".join(client.get(played.get_absolute_url()).content.decode().split())
    assert "What is done is kept. Try again in five minutes" in text
    assert "<progress" not in text


def test_while_others_always_have_work_each_attempt_looks_at_one_more_decision(
    few: None, played: Match, player: User
) -> None:
    turning_points.ask(played, player)
    enqueue("matches.finish", {"match": 0, "user": 0})
    job = Job.objects.get(name=turning_points.JOB)
    for count in (1, 2):
        claimed = runner.claim(job.pk, job.attempt)
        assert claimed is not None
        assert runner.execute(claimed) is None
        assert JobStep.objects.filter(job=job, name__startswith="glance ").count() == count


def test_what_was_found_is_forgotten_with_the_person_and_is_in_their_file(
    few: None, played: Match, player: User, rival: User
) -> None:
    turning_points.ask(played, player)
    run_pending()
    of_another, _ = Job.objects.get_or_create(
        name=turning_points.JOB, payload={"match": played.pk, "user": rival.pk}, last_attempt=1
    )
    (row,) = kept.own_data(player)["matches"]["turning_points"]
    assert row["match"] == str(played.public_id)
    assert JobStep.objects.filter(job__name=turning_points.JOB).exists()
    account_exit.leave(player, delete_texts=False)
    assert list(Job.objects.filter(name=turning_points.JOB)) == [of_another]
    assert not JobStep.objects.filter(job__name=turning_points.JOB).exists()


def test_what_was_played_before_a_match_went_on_is_nobody_s_own(played: Match, player: User) -> None:
    at = played.last_sequence // 2
    match = continuing.play_on(played, player, at, "red")
    assert set(match.seats.values_list("taken_at", flat=True)) == {at}
    done = finish_for(play_some(match, 4), player)
    own = [decided.sequence for decided in turning_points._decisions(done, player.pk)]
    assert own
    assert min(own) > at


def test_neither_a_step_back_nor_what_it_takes_back_is_looked_at(player: User) -> None:
    match = match_at("move", lambda side: Seat(side, bot="greedy"))
    decision = rebuild(match).decision
    assert decision is not None
    match.seats.filter(side=decision.side).update(bot="", user=player)
    before = match.last_sequence
    play_action(match.pk, decision.side, before, rebuild(match).default_action())
    match.refresh_from_db()
    answers = sum(number > before for number in rebuild(match).steps_to_take_back(decision.side))
    back = {"unit": decision.unit, "order": "take_back", "answers": answers}
    play_action(match.pk, decision.side, match.last_sequence, back)
    match.refresh_from_db()
    after = match.last_sequence
    assert rebuild(match).decision == decision
    play_action(match.pk, decision.side, after, rebuild(match).default_action())
    done = finish_for(Match.objects.get(pk=match.pk), player)
    own = [decided.sequence for decided in turning_points._decisions(done, player.pk)]
    assert [number for number in own if before < number <= after + 1] == [after + 1]


def put(match: Match, player: User, sequence: int, seen: Hindsight) -> None:
    """Store what a job found at a decision of the player."""
    job, _ = Job.objects.get_or_create(
        unique_key=f"matches:{match.pk}:turning:{player.pk}",
        defaults={"name": turning_points.JOB, "state": Job.State.DONE, "last_attempt": 1},
    )
    step = MatchAction.objects.get(match=match, sequence=sequence)
    action = step.action or {}
    output = {
        "sequence": sequence, "side": "red", "unit": "red-1", "origin": "0607", "why": {}, "given": action,
        "seen": seen.to_json(),
    }  # fmt: skip
    JobStep.objects.create(job=job, name=f"look {sequence}", output=output, attempt=1)


def test_the_three_that_cost_most_are_shown_with_the_advice_and_lead_on(
    played: Match, player: User, rival: User, client: Client
) -> None:
    own = list(MatchAction.objects.filter(match=played, side="red", cause="").values_list("sequence", flat=True))
    passed = {"unit": "red-1", "order": "move", "path": ["0608"], "facing": 2, "cancel": []}
    costs = [(0.1, 0.02), (0.4, 0.02), (0.3, 0.5), (0.2, 0.02), (0.05, 0.01)]
    for sequence, (cost, margin) in zip(own, costs, strict=False):
        put(played, player, sequence, Hindsight(passed, 0.5, 0.5 - cost, margin))
    client.force_login(player)
    answer = client.get(played.get_absolute_url())
    points = answer.context["turning"].points
    assert [(point.cost, point.margin) for point in points] == [(40, 2), (20, 2), (10, 2)], "one is within its doubt"
    assert points[0].advised == "Walk to 0608, facing 2 o’clock"
    assert (points[0].chance_advised, points[0].chance_given) == (50, 10)
    text = answer.content.decode()
    section = text[text.index('id="turning-points"') :]
    assert len(re.findall(r"Play on from this decision", section)) == 3
    assert f'name="at" value="{own[1] - 1}"' in section
    client.force_login(rival)
    assert "turning-points" not in client.get(played.get_absolute_url()).content.decode()


def test_nobody_else_and_nobody_before_the_end_gets_any(
    played: Match, waiting: Match, player: User, rival: User, client: Client
) -> None:
    client.force_login(rival)
    assert ask(client, played).status_code == 409
    client.force_login(player)
    assert ask(client, waiting).status_code == 409
    assert not Job.objects.filter(name=turning_points.JOB).exists()
