"""The season command: the same arguments give the same JSON, here, again, and with two real workers."""

from __future__ import annotations

import io
import json
import os
import re
import signal
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from django.contrib.auth import get_user_model
from django.core.management import call_command
from django.core.management.base import CommandError
from django.utils import timezone

from jobs.models import Job
from matches.models import Match
from rules.campaign.classes import FORMATS, matches_per_cycle
from stables.jobs import season as job_handlers
from stables.management.commands import demo
from stables.management.commands.season import _versus
from stables.models import Fixture, Season
from stables.services.base.ledger import refold
from stables.services.season.opening import open_for_people
from stables.services.season.seasons import found_stable
from tests.nursery import Nursery
from tests.services.processes import database_url, named_node
from tests.worlds import Worlds

pytestmark = pytest.mark.database


def play(**options: Any) -> dict[str, Any]:
    output = io.StringIO()
    arguments = {"stables": 4, "weight_class": "light", "seed": 7, "cycles": 1, "bot": "random", "json": "-", **options}
    call_command("season", stdout=output, stderr=io.StringIO(), **arguments)
    document: dict[str, Any] = json.loads(output.getvalue())
    return document


def fingerprint(document: dict[str, Any]) -> str:
    return json.dumps(document, indent=1)


@pytest.fixture
def played(transactional_db: None, worlds: Worlds) -> dict[str, Any]:
    """The document of a season of four stables, which alone is in the database."""
    return worlds.replace("season of the command", play)


@pytest.mark.django_db(transaction=True)
class TestInline:
    def test_same_arguments_same_json(self, played: dict[str, Any]) -> None:
        assert fingerprint(play()) == fingerprint(played)
        assert fingerprint(play(seed=8)) != fingerprint(played)
        assert Season.objects.count() == 3
        assert refold() == []
        assert not Job.objects.exclude(state="done").exists()

    def test_the_document(self, played: dict[str, Any]) -> None:
        self.require_document(played, 4, 3)

    @pytest.mark.parametrize(("stables", "rounds"), [(6, 3), (8, 4)])
    def test_the_document_of_more_stables(self, stables: int, rounds: int) -> None:
        self.require_document(play(stables=stables), stables, rounds)

    def require_document(self, document: dict[str, Any], stables: int, rounds: int) -> None:
        assert list(document)[:2] == ["season", "seed"]
        (cycle,) = document["cycles"]
        names = {row["stable"] for row in document["standings"]}
        assert len(names) == stables
        assert (cycle["number"], cycle["format"], cycle["class"]) == (1, "standard", "light")
        assert [match["round"] for match in cycle["matches"]] == [
            number for number in range(1, rounds + 1) for _ in range(stables // 2)
        ]
        pairs = [frozenset(match["sides"]) for match in cycle["matches"]]
        assert len(set(pairs)) == len(pairs)
        for match in cycle["matches"]:
            assert match["winner"] in match["sides"]
            assert set(match["reputation"]) == set(match["kills"]) == set(match["sides"])
            assert match["banked"][match["winner"]] == match["reputation"][match["winner"]]
        assert set(cycle["placings"]) == names
        assert list(cycle["purses"].values()) == sorted(cycle["purses"].values(), reverse=True)
        for row in document["standings"]:
            banked = sum(match["banked"].get(row["stable"], 0) for match in cycle["matches"])
            assert (row["reputation"], row["matches"]) == (banked, rounds)
        for name, book in document["ledger"].items():
            assert book["opening"] == 1000
            assert book["closing"] == book["opening"] + book["credits"] - book["debits"] >= 0
            assert book["credits"] >= cycle["purses"][name]
        assert set(document["champions"]) == {"stable", "pilot"}

    @pytest.mark.parametrize("weight_class", ["medium", "heavy", "assault", "multi"])
    def test_every_class_plays(self, weight_class: str) -> None:
        document = play(weight_class=weight_class)
        assert document["weight_class"] == weight_class
        assert {match["ended_by"] for match in document["cycles"][0]["matches"]} != {"forfeit"}

    def test_other_data_is_left_alone(self, stocked: Season) -> None:
        before = list(stocked.stables.values_list("pk", "capital"))
        play()
        stocked.refresh_from_db()
        assert (stocked.state, list(stocked.stables.values_list("pk", "capital"))) == ("recruiting", before)

    def test_every_match_keeps_its_seed_until_the_end_and_settles_once(self, played: dict[str, Any]) -> None:
        assert (
            Match.objects.filter(state="finished", titles=None).count()
            == Fixture.objects.filter(state="settled").count()
            == 6
        )
        assert Job.objects.filter(name="stables.settle_fixture").count() == 6


@pytest.mark.django_db
def test_an_unknown_bot_is_refused() -> None:
    with pytest.raises(CommandError, match="unknown_bot"):
        play(bot="nobody")
    assert Season.objects.count() == 0


def test_inline_equals_two_real_workers(played: dict[str, Any], tmp_path: Path) -> None:
    """Two worker processes on a broker of their own do the jobs of the command's season; the document is the same."""
    variables = os.environ | {"DATABASE_URL": database_url(), "VAR_DIR": str(tmp_path), "DEBUG": "1", "FORECASTS": "0"}
    worker = ("-m", "celery", "-q", "-A", "solaris_site", "worker", "--pool", "threads")
    worker += ("--concurrency", "2", "--without-gossip", "--without-mingle", "--loglevel", "WARNING")
    document = tmp_path / "season.json"
    arguments = ("--stables", "4", "--weight-class", "light", "--seed", "7", "--cycles", "1", "--bot", "random")
    with Nursery(variables, tmp_path) as nursery:
        workers = [nursery.start(*worker, *named_node()) for _ in range(2)]
        command = nursery.start("manage.py", "season", *arguments, "--workers", "--json", str(document))
        status = command.wait()
        for each in workers:
            os.kill(each.pid, signal.SIGTERM)
        # What they still do, they finish.
        for each in workers:
            each.wait()
    assert status == 0, command.errors.read_text()
    assert fingerprint(json.loads(document.read_text())) == fingerprint(played)
    assert Season.objects.count() == 2
    assert refold() == []
    assert Job.objects.filter(state="done").count() == Job.objects.count()


@pytest.fixture
def short_demo(settings: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """A demo that is played by chance, and only to the end of its first round."""
    settings.DEBUG = True
    monkeypatch.setattr(demo, "UP_TO", (1, 1))
    monkeypatch.setattr(demo, "open_exhibition", partial(demo.open_exhibition, bot="random"))


def test_the_demo_goes_to_the_middle_of_the_fourth_cycle() -> None:
    assert (4, matches_per_cycle(FORMATS[3], demo.STABLES) // 2) == demo.UP_TO


@pytest.mark.django_db(transaction=True)
def test_the_demo_leaves_a_stable_to_go_on_with_and_a_season_to_join_and_keeps_both(short_demo: None) -> None:
    first, second = io.StringIO(), io.StringIO()
    call_command("demo", address="http://127.0.0.1:8291", stdout=first)
    season = Season.objects.get(name="Demo season")
    assert (season.state, season.stables.count(), season.organiser.username) == ("running", 8, "demo")
    mine = season.stables.get(is_ai=False)
    assert (mine.number, mine.owner) == (8, season.organiser)
    assert mine.fixture_sides.filter(fixture__round__number=1, fixture__state="settled").exists()
    [waiting] = Fixture.objects.filter(round__cycle__season=season).exclude(state="settled")
    assert (waiting.state, waiting.round.number, waiting.mode) == ("line_ups", 2, "browser")
    assert mine.fixture_sides.get(fixture=waiting).forfeits == ""
    assert not hasattr(mine.fixture_sides.get(fixture=waiting), "line_up"), "it is the newcomer's to hand in"
    assert not Job.objects.exclude(state="done").exists()
    to_join = Season.objects.get(name="Open season")
    assert (to_join.state, to_join.rules.weight_class, to_join.rules.cycles) == ("recruiting", "light", FORMATS)
    assert to_join.organiser == season.organiser
    names = set(to_join.stables.filter(is_ai=True).values_list("name", flat=True))
    assert len(names) == 3
    assert not names & set(season.stables.values_list("name", flat=True))
    assert "with the password" in first.getvalue()
    mine.season = season
    for shown in (season, to_join, mine):
        assert f"http://127.0.0.1:8291{shown.get_absolute_url()}" in first.getvalue()
    password = first.getvalue().split("password ")[1].split()[0]
    assert season.organiser.check_password(password)
    call_command("demo", stdout=second)
    assert Season.objects.count() == 2
    assert "changepassword demo" in second.getvalue()
    assert password not in second.getvalue()
    Season.objects.filter(pk=to_join.pk).update(state=Season.State.FINISHED)
    call_command("demo", stdout=io.StringIO())
    assert Season.objects.count() == 2


def demo_output() -> str:
    output = io.StringIO()
    call_command("demo", stdout=output)
    return output.getvalue()


def require_a_complete_demo(output: str) -> None:
    """The two seasons, and an account that the printed password opens."""
    account = get_user_model().objects.get(username="demo")
    assert account.check_password(output.split("password ")[1].split()[0])
    seasons = {season.name: season for season in Season.objects.all()}
    assert {name: season.state for name, season in seasons.items()} == {
        "Demo season": "running",
        "Open season": "recruiting",
    }
    assert {season.organiser for season in seasons.values()} == {account}
    assert seasons["Demo season"].stables.get(is_ai=False).owner == account


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("place", ["in a match", "at the open season", "while the password is printed"])
def test_a_demo_that_is_stopped_is_completed_by_the_next_one(
    short_demo: None, monkeypatch: pytest.MonkeyPatch, place: str
) -> None:
    stops = iter([True])

    def stop(function: Any) -> Any:
        def stopped(*arguments: Any, **names: Any) -> Any:
            if next(stops, False):
                raise KeyboardInterrupt
            return function(*arguments, **names)

        return stopped

    if place == "in a match":
        monkeypatch.setattr(job_handlers, "resolve_with_bots", stop(job_handlers.resolve_with_bots))
    elif place == "at the open season":
        monkeypatch.setattr(demo, "open_for_people", stop(demo.open_for_people))
    else:
        monkeypatch.setattr(demo.Command, "_tell", stop(demo.Command._tell))
    with pytest.raises(KeyboardInterrupt):
        demo_output()
    assert not get_user_model().objects.exists(), "a password that nobody saw is not stored"
    assert not Job.objects.filter(state=Job.State.RUNNING).exists()
    require_a_complete_demo(demo_output())


@pytest.mark.django_db(transaction=True)
def test_a_demo_that_is_killed_is_completed_by_the_next_one(short_demo: None, monkeypatch: pytest.MonkeyPatch) -> None:

    class Killed(BaseException):
        """Like a SIGKILL it leaves the job as it is."""

    def die(*arguments: Any) -> Any:
        raise Killed

    with monkeypatch.context() as once:
        once.setattr(job_handlers, "resolve_with_bots", die)
        with pytest.raises(Killed):
            demo_output()
    assert Job.objects.filter(state=Job.State.RUNNING).update(lease_until=timezone.now()) == 1
    require_a_complete_demo(demo_output())


@pytest.mark.django_db
def test_a_season_of_people_that_is_called_like_the_demos_is_left_alone(settings: Any) -> None:
    settings.DEBUG = True
    organiser = get_user_model().objects.create_user("somebody", "somebody@example.org", "-")
    opened = open_for_people(name="Demo season", weight_class="light", ai_stables=1, organiser=organiser)
    found_stable(season_id=opened.season_id, name="Mine", owner=organiser)
    Season.objects.filter(pk=opened.season_id).update(state=Season.State.RUNNING)
    assert "Playing" not in demo_output()
    assert Season.objects.get(pk=opened.season_id).organiser == organiser


@pytest.mark.django_db(transaction=True)
def test_one_of_a_thing_is_shown_in_the_singular() -> None:
    output = io.StringIO()
    arguments = {"stables": 4, "weight_class": "light", "seed": 3, "cycles": 1}
    call_command("season", stdout=output, stderr=io.StringIO(), **arguments)
    text = output.getvalue()
    assert "1 kill," in text
    assert not re.search(r"\b1 (kills|wins|rounds)\b", text)


def test_a_win_without_reputation_says_what_decided() -> None:
    match = {
        "sides": ["Ash", "Birch"], "winner": "Ash", "reputation": {"Ash": 0, "Birch": 0},
        "ended_by": "time_limit", "tie_break": "total", "rounds": 1,
    }  # fmt: skip
    assert _versus(match) == "Ash 0 - Birch 0, won by Ash (time_limit, lower build total, 1 round)"


@pytest.mark.django_db
def test_the_demo_is_refused_outside_debug() -> None:
    with pytest.raises(CommandError, match="outside DEBUG"):
        call_command("demo")
    assert Season.objects.count() == 0
