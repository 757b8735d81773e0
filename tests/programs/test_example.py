"""The program of examples/ plays real matches over the interface, as a process of its own."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.test import Client

from catalogue.services.releases import load_release
from jobs.services import run_pending
from matches.models import Match
from matches.services.answering import Seat
from matches.services.beginning.friendly import Wishes, start_friendly
from matches.services.matches import answer_with_bots, reseat
from people.models import ApiToken, User
from people.services.tokens import make_token
from stables.models import ExternalSeat
from stables.services.fixtures import programs
from tests.stables.duels import open_club
from tests.waiting import DEADLINE_SECONDS, wait_until

PROGRAM = Path(__file__).parents[2] / "examples" / "play_a_match.py"
Run = Callable[..., Any]


@pytest.fixture
def run(live_server: Any) -> Run:
    """Runs the program against the site of this test."""

    def started(token: str, *words: str) -> Any:
        place = {"SOLARIS_SITE": live_server.url, "SOLARIS_TOKEN": token, "PATH": os.environ["PATH"]}
        command = [sys.executable, "-S", "-E", str(PROGRAM), *words]
        return subprocess.run(command, env=place, capture_output=True, text=True, timeout=DEADLINE_SECONDS, check=False)

    return started


def token_of(person: User) -> str:
    return make_token(user=person, name="program", scopes=["read", "play"]).text


@pytest.mark.django_db(transaction=True)
def test_the_program_plays_a_match_to_its_end(run: Run, live_server: Any) -> None:
    person = User.objects.create_user("anna", "anna@example.org", "-")
    done = run(token_of(person))
    assert done.returncode == 0, done.stderr
    match = Match.objects.get()
    assert match.is_finished
    assert [(seat.user_id, seat.bot) for seat in match.seats.all()] == [(person.pk, ""), (None, "greedy")]
    assert match.result is not None
    last = done.stdout.splitlines()[-1]
    assert last.startswith(f"Over: {live_server.url}{match.get_absolute_url()}")
    assert f"The winner is {match.result['winner'] or 'nobody'}" in last
    played = match.actions.filter(side="red", cause="").count()
    assert played
    assert len(done.stdout.splitlines()) > played, "it tells what happens"


@pytest.mark.django_db(transaction=True)
def test_the_program_takes_a_free_seat_and_waits_for_its_rival(live_server: Any) -> None:
    anna = User.objects.create_user("anna", "anna@example.org", "-")
    robot = User.objects.create_user("robot", "robot@example.org", "-")
    match = start_friendly(anna, Wishes(opponent="link"))
    words = [sys.executable, str(PROGRAM), str(match.public_id), "--site", live_server.url, "--token", token_of(robot)]
    with subprocess.Popen(words, stdout=subprocess.PIPE, text=True) as program:
        try:
            wait_until(lambda: match.seats.filter(user=robot).exists(), "the program at its seat")
            # Anna decides or the program does; from here on the AI plays for her.
            reseat(match.pk, [Seat("red", bot="random")])
            answer_with_bots(match.pk)
            output, _ = program.communicate(timeout=DEADLINE_SECONDS)
        finally:
            program.kill()
    match.refresh_from_db()
    assert (program.returncode, match.is_finished) == (0, True)
    assert "Over: " in output


@pytest.mark.django_db(transaction=True)
def test_a_program_that_all_consent_to_plays_in_a_season(run: Run) -> None:
    club = open_club(load_release())
    robot = User.objects.create_user("robot", "robot@example.org", "-")
    seat = programs.propose(stable_id=club.stable_id("ben"), username="robot")
    for name in ("anna", "carla"):
        programs.consent(seat_id=seat.seat_id, stable_id=club.stable_id(name))
    assert ExternalSeat.objects.get().agreed_at is not None
    duel = club.fixture("ben", "machines")
    club.hand_in(duel, "ben", "machines")
    run_pending()
    duel.refresh_from_db()
    assert duel.match is not None
    address = f"/api/v1/matches/{duel.match.public_id}/"
    side = Client().get(address).json()["sides"][0]
    assert (side["name"], side["seat"]) == (
        "Stable of ben",
        {"kind": "program", "account": "robot", "bot": None},
    )
    assert "robot" in Client().get(duel.match.get_absolute_url()).content.decode()
    done = run(token_of(robot), "--all")
    assert done.returncode == 0, done.stderr
    duel.match.refresh_from_db()
    assert duel.match.is_finished
    assert duel.match.actions.filter(side="red", cause="").exists()
    run_pending()
    duel.refresh_from_db()
    assert duel.state == "settled"
    assert Client().get(address).json()["sides"][0]["seat"]["kind"] == "program"


def test_the_program_has_sixty_lines() -> None:
    assert len([line for line in PROGRAM.read_text(encoding="utf-8").splitlines() if line.strip()]) <= 60


def test_without_a_token_the_program_says_how_to_get_one() -> None:
    done = subprocess.run(
        [sys.executable, str(PROGRAM)], env={"PATH": os.environ["PATH"]}, capture_output=True, text=True, check=False
    )
    assert done.returncode == 1
    assert "manage.py make_token" in done.stderr


@pytest.mark.django_db
def test_a_token_from_the_shell(capsys: pytest.CaptureFixture[str]) -> None:
    person = User.objects.create_user("anna", "anna@example.org", "-")
    call_command("make_token", "Anna")
    text = capsys.readouterr().out.strip()
    made = ApiToken.objects.get()
    assert (made.user, made.scopes) == (person, ["read", "play"])
    assert Client().get("/api/v1/matches/", headers={"Authorization": f"Bearer {text}"}).status_code == 200
    call_command("make_token", "anna", "--scopes", "organise", "--days", "3", "--name", "robot")
    assert ApiToken.objects.get(name="robot").scopes == ["organise"]
    for words in (("nobody",), ("anna", "--scopes", "rule"), ("anna", "--name", "robot"), ("anna", "--days", "0")):
        with pytest.raises(CommandError):
            call_command("make_token", *words)
