"""A bot that raises, talks nonsense, cheats, wrecks its table or hangs neither stops a match nor changes what it is."""

from __future__ import annotations

import itertools
import json
import logging
import random
import threading
import time
from collections import Counter
from collections.abc import Iterator
from html import unescape
from io import StringIO
from queue import Empty
from typing import Any

import pytest
from django.core.management import call_command
from django.db import connection
from django.test import Client
from django.urls import reverse

from matches import guarded, patience
from matches.guarded import faults_of
from matches.models import Match, MatchAction
from matches.selectors import rebuild
from matches.services import Seat, create_match, play_action, resolve_with_bots
from matches.verifying import finding_on
from people.models import User
from rules import bots
from rules.bots.base import TableBot
from rules.bots.relief import LIVES
from rules.catalogue import load_builtin
from rules.competition.table import Choice, Table
from rules.core.dice import SeededDice
from rules.selfplay import random_setup
from rules.verify import main as verify_file
from solaris_site.log_records import OneLine, OneObject
from solaris_site.metrics_rows import Rows

from .conftest import SEED

pytestmark = pytest.mark.django_db

Cause = MatchAction.Cause
LONG = 120.0


class Broken(TableBot):
    """Answers by chance, but for each `every`-th decision of all, at which it fails in its own way."""

    name = "broken"
    asked = itertools.count(1)
    every = 1

    def decide(self, table: Table, rng: random.Random) -> Choice:
        if next(self.asked) % self.every == 0:
            return self.fail(table, rng)
        return sampled(table, rng)

    def fail(self, table: Table, rng: random.Random) -> Choice:
        raise ValueError("no idea what to do")


class Nonsensical(Broken):
    def fail(self, table: Table, rng: random.Random) -> Any:
        return rng.choice([None, (), "pass", (1, 2, 3), {"order": "surrender"}, object()])


class Cheating(Broken):
    """Goes where it likes, or answers as if it were asked something else."""

    def fail(self, table: Table, rng: random.Random) -> Choice:
        return (1, 0, rng.randrange(300), 13, None, 0)


class Wrecking(Broken):
    """Plays on at its table until nothing is left of it, and then answers as if nothing had happened."""

    def fail(self, table: Table, rng: random.Random) -> Choice:
        choice = sampled(table, rng)
        table.dice = SeededDice("its own")
        for _ in range(5):
            if table.open is not None:
                table.answer(sampled(table, rng))
        table.position.clicks[:] = [0] * len(table.position.clicks)
        table.position.outcome = (0, "points", None)
        table.agenda.clear()
        table.open = None
        return choice


class Hanging(Broken):
    is_at_it = threading.Event()

    def fail(self, table: Table, rng: random.Random) -> Choice:
        self.is_at_it.set()
        while True:
            pass


class UntilItHangs(patience.Patience):
    """Gives up a bot that hangs and no other, however slow the machine is that the tests run on."""

    def _await(self, thinker: patience.Thinker) -> Any:
        while True:
            try:
                return thinker.answered.get(timeout=0.05)
            except Empty:
                if Hanging.is_at_it.is_set():
                    Hanging.is_at_it.clear()
                    raise


class Unmade(Broken):
    def __init__(self) -> None:
        raise OSError("its weights are gone")


def sampled(table: Table, rng: random.Random) -> Choice:
    assert table.open is not None
    kind, unit, data = table.open
    return kind.sample(table, unit, data, rng)


@pytest.fixture(autouse=True)
def _threads_end(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Who was left behind is gone before the next test begins."""
    monkeypatch.setattr(patience, "AGAIN_SECONDS", 0.05)
    yield
    for thread in threading.enumerate():
        if thread.name in ("bot", "bot-end"):
            thread.join(LONG)
            assert not thread.is_alive()


@pytest.fixture
def until_it_hangs(monkeypatch: pytest.MonkeyPatch) -> None:
    Hanging.is_at_it.clear()
    monkeypatch.setattr(guarded, "Patience", UntilItHangs)


@pytest.fixture
def seat_of(monkeypatch: pytest.MonkeyPatch) -> Any:
    """Puts a bot of a class onto the list of bots; returns its name."""

    def put(kind: type[Broken], every: int = 1, name: str = "broken") -> str:
        monkeypatch.setattr(Broken, "asked", itertools.count(1))
        monkeypatch.setattr(Broken, "every", every)
        monkeypatch.setitem(bots._BOTS, name, kind)  # type: ignore[arg-type]
        return name

    return put


@pytest.fixture
def lines() -> Iterator[list[logging.LogRecord]]:
    """What is logged of bots."""
    found: list[logging.LogRecord] = []

    class Keeps(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            found.append(record)

    logger, handler = logging.getLogger("matches.bots"), Keeps()
    logger.addHandler(handler)
    yield found
    logger.removeHandler(handler)


def resolved(setup: dict[str, Any], red: str, blue: str = "random", key: str = "fixture:1") -> Match:
    match = create_match(setup, SEED, key, [Seat("red", bot=red), Seat("blue", bot=blue)])
    return resolve_with_bots(match.pk, {"red": red, "blue": blue})


def causes(match: Match, side: str) -> list[str]:
    return list(match.actions.filter(side=side, sequence__gt=0).order_by("sequence").values_list("cause", flat=True))


def is_sound(match: Match) -> bool:
    """Whether the match is over and plays again to the last event, on the site, by the command and as a file."""
    out = StringIO()
    call_command("verify_match", str(match.public_id), stdout=out)
    engine = rebuild(match)
    is_whole = match.is_finished and engine.result is not None and engine.result.to_json() == match.result
    return is_whole and finding_on(match).outcome == "ok" and ": ok" in out.getvalue()


@pytest.mark.parametrize("kind", [Broken, Nonsensical, Cheating, Unmade])
def test_a_bot_that_always_fails_is_relieved_and_the_match_is_played(
    kind: type[Broken], seat_of: Any, setup_document: dict[str, Any], lines: list[logging.LogRecord]
) -> None:
    match = resolved(setup_document, seat_of(kind))
    told = causes(match, "red")
    assert told[:LIVES] == [Cause.FAILED] * LIVES
    assert set(told[LIVES:]) == {Cause.RELIEVED}
    assert set(causes(match, "blue")) == {""}
    assert is_sound(match)
    assert len(lines) == LIVES


def test_what_failed_is_the_default_answer(seat_of: Any, setup_document: dict[str, Any]) -> None:
    match = resolved(setup_document, seat_of(Broken, every=7))
    failed = match.actions.filter(cause=Cause.FAILED)
    assert failed.count() == LIVES
    for step in failed:
        engine = rebuild(match)
        before = type(engine).replay(engine.setup, SeededDice(SEED), engine.actions[: step.sequence - 1])
        assert step.action == before.default_action()


def test_a_bot_that_fails_now_and_then_plays_on(seat_of: Any, setup_document: dict[str, Any]) -> None:
    match = resolved(setup_document, seat_of(Nonsensical, every=9))
    told = Counter(causes(match, "red"))
    assert 0 < told[Cause.FAILED] < LIVES
    assert set(told) == {"", Cause.FAILED}
    assert is_sound(match)


def test_a_bot_that_wrecks_its_table_changes_nothing(seat_of: Any, setup_document: dict[str, Any]) -> None:
    match = resolved(setup_document, seat_of(Wrecking))
    assert set(causes(match, "red")) == {""}
    assert is_sound(match)


@pytest.mark.usefixtures("until_it_hangs")
def test_a_bot_that_hangs_costs_its_time_once(
    seat_of: Any, setup_document: dict[str, Any], lines: list[logging.LogRecord]
) -> None:
    name = seat_of(Hanging, every=5)
    match = resolved(setup_document, name)
    told = causes(match, "red")
    place = told.index(Cause.OVERRAN)
    assert (set(told[:place]), set(told[place + 1 :])) == ({""}, {Cause.RELIEVED})
    assert is_sound(match)
    assert [line.fault for line in lines] == ["overran"]  # type: ignore[attr-defined]


@pytest.mark.usefixtures("until_it_hangs")
def test_where_the_one_who_takes_over_fails_too_defaults_end_the_match(
    seat_of: Any, setup_document: dict[str, Any]
) -> None:
    seat_of(Hanging, name="greedy")
    seat_of(Broken)
    match = resolved(setup_document, "broken")
    told = causes(match, "red")
    assert told[: LIVES + 1] == [Cause.FAILED] * LIVES + [Cause.OVERRAN]
    assert set(told[LIVES + 1 :]) == {Cause.WITHDRAWN}
    assert is_sound(match)


@pytest.mark.django_db(transaction=True)
def test_the_clock_holds_in_a_thread_of_a_worker_where_no_signal_arrives(
    seat_of: Any, setup_document: dict[str, Any], settings: Any
) -> None:
    name = seat_of(Hanging)
    settings.BOT_DECISION_SECONDS = 0.3
    found: list[Match] = []

    def work() -> None:
        try:
            found.append(resolved(setup_document, name))
        finally:
            connection.close()

    worker = threading.Thread(target=work)
    worker.start()
    worker.join(LONG)
    assert [match.is_finished for match in found] == [True]
    assert causes(found[0], "red")[0] == Cause.OVERRAN


def against(player: User, name: str, setup: dict[str, Any]) -> Match:
    return create_match(setup, SEED, None, [Seat("red", player.pk), Seat("blue", bot=name)])


def play_on(match: Match, count: int) -> None:
    """The person, red, gives so many answers by chance."""
    rng = random.Random(4)
    for _ in range(count):
        match.refresh_from_db()
        if match.is_finished:
            return
        engine = rebuild(match)
        assert engine.decision is not None
        assert engine.decision.side == "red"
        play_action(match.pk, "red", match.last_sequence, engine.sample_action(rng))
    match.refresh_from_db()


@pytest.mark.usefixtures("until_it_hangs")
def test_a_person_waits_once_for_a_bot_that_hangs(
    player: User, seat_of: Any, setup_document: dict[str, Any], lines: list[logging.LogRecord]
) -> None:
    """Each answer of the person is a request of its own, to whatever process: what is known is what is stored."""
    name = seat_of(Hanging)
    match = against(player, name, setup_document)
    play_on(match, 12)
    told = causes(match, "blue")
    assert told[0] == Cause.OVERRAN
    assert set(told[1:]) == {Cause.RELIEVED}
    assert len(told) > 5
    assert next(Broken.asked) == 2, "it was asked once"
    assert faults_of(match) == [("blue", "overran")]
    assert len(lines) == 1


class Slow(Broken):
    """Thinks for half a second, by the clock, about everything."""

    def decide(self, table: Table, rng: random.Random) -> Choice:
        next(self.asked)
        time.sleep(0.5)
        return sampled(table, rng)


def melee_of(player: User, names: list[str], seed: int = 5) -> Match:
    """A grand melee of eight: a person and seven bots."""
    setup = random_setup(load_builtin(), random.Random(seed), "grand_melee", 8)
    sides = [side.key for side in setup.sides]
    seats = [Seat(sides[0], player.pk), *(Seat(side, bot=name) for side, name in zip(sides[1:], names, strict=True))]
    return create_match(setup.to_json(), SEED, None, seats)


def play_first(match: Match, count: int) -> None:
    side = match.seats.exclude(user=None).get().side
    for _ in range(count):
        match.refresh_from_db()
        engine = rebuild(match)
        assert engine.decision is not None
        assert engine.decision.side == side
        play_action(match.pk, side, match.last_sequence, engine.default_action())
    match.refresh_from_db()


@pytest.mark.usefixtures("until_it_hangs")
def test_a_person_waits_once_for_a_bot_that_hangs_in_every_seat(player: User, seat_of: Any) -> None:
    match = melee_of(player, [seat_of(Hanging)] * 7)
    play_first(match, 4)
    assert next(Broken.asked) == 2, "it was asked once, whatever the seat, in each of the requests"
    assert [fault for _, fault in faults_of(match)] == ["overran"]
    assert match.actions.filter(cause=Cause.RELIEVED).count() > 7
    assert len(set(match.actions.filter(cause=Cause.RELIEVED).values_list("side", flat=True))) == 7


def test_a_person_waits_for_all_bots_together_no_longer_than_a_few_decisions(
    player: User, seat_of: Any, settings: Any, lines: list[logging.LogRecord]
) -> None:
    """Seven bots that are all within their own time; in the next request they are asked again, for nobody failed."""
    settings.BOT_DECISION_SECONDS = 0.7
    name = seat_of(Slow)
    match = melee_of(player, [name] * 7)
    assert next(Broken.asked) == 4, "two answered, and the third was given up"
    assert faults_of(match) == []
    assert {line.levelname for line in lines} == {"ERROR"}
    assert lines[0].bot == name  # type: ignore[attr-defined]
    told = list(match.actions.filter(sequence__gt=0).order_by("sequence").values_list("cause", flat=True))
    assert told[:2] == ["", ""]
    assert set(told[2:]) == {Cause.RELIEVED}
    play_first(match, 1)
    assert next(Broken.asked) > 5


def test_where_who_takes_over_is_slow_too_nobody_is_asked_any_more(
    player: User, seat_of: Any, settings: Any
) -> None:
    settings.BOT_DECISION_SECONDS = 0.7
    seat_of(Slow, name="greedy")
    match = melee_of(player, ["greedy"] * 7)
    assert next(Broken.asked) == 6, "three decisions' time in all"
    assert faults_of(match) == []
    told = list(match.actions.filter(sequence__gt=0).order_by("sequence").values_list("cause", flat=True))
    assert told[-1] == Cause.WITHDRAWN


def test_without_clocks_a_slow_bot_answers_for_itself(
    seat_of: Any, settings: Any, setup_document: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.BOT_DECISION_SECONDS = 0.01
    monkeypatch.setattr(time, "sleep", lambda seconds, sleep=time.sleep: sleep(0.05))
    with patience.without_clocks():
        match = resolved(setup_document, seat_of(Slow))
    assert set(causes(match, "red")) == {""}
    assert patience.has_clocks()


def test_who_plays_and_who_reads_the_replay_are_told(
    player: User, seat_of: Any, setup_document: dict[str, Any], client: Client
) -> None:
    match = against(player, seat_of(Broken, every=2), setup_document)
    client.force_login(player)
    shown = ""
    for _ in range(12):
        play_on(match, 1)
        shown += unescape(client.get(reverse("matches:play", args=[match.public_id])).content.decode())
    assert str(Cause.FAILED.label) in shown
    assert str(Cause.RELIEVED.label) in shown
    resolve_with_bots(match.pk, {"red": "random", "blue": "broken"})
    pages = ""
    for step in range(1, 40):
        pages += unescape(client.get(match.get_absolute_url(), {"step": step}).content.decode())
    assert str(Cause.FAILED.label) in pages
    assert str(Cause.RELIEVED.label) in pages


def test_the_replay_as_a_file_is_still_checked_by_anybody(
    seat_of: Any, setup_document: dict[str, Any], client: Client, tmp_path: Any
) -> None:
    match = resolved(setup_document, seat_of(Broken))
    document = client.get(reverse("matches:download", args=[match.public_id]))
    file = tmp_path / "match.json"
    file.write_bytes(b"".join(document.streaming_content) if document.streaming else document.content)
    assert verify_file([str(file)]) == 0


def test_the_log_names_match_bot_and_fault(
    seat_of: Any, setup_document: dict[str, Any], lines: list[logging.LogRecord]
) -> None:
    match = resolved(setup_document, seat_of(Broken))
    line = json.loads(OneObject().format(lines[0]))
    first = match.actions.filter(cause=Cause.FAILED).order_by("sequence").first()
    assert first is not None
    assert line["level"] == "ERROR"
    expected = {"match": str(match.public_id), "action": first.sequence, "side": "red", "bot": "broken"}
    assert {key: line[key] for key in expected} == expected
    assert (line["fault"], line["unit"]) == ("raised", "red-1")
    assert "no idea what to do" in line["message"]
    assert "Traceback" in line["exc_info"]
    assert "in fail" in OneLine().format(lines[0])
    assert bytes(match.seed).hex() not in OneObject().format(lines[0])


@pytest.mark.usefixtures("until_it_hangs")
def test_faults_are_counted_for_prometheus_and_shown_in_the_administration(
    seat_of: Any, setup_document: dict[str, Any], django_user_model: Any
) -> None:
    def counted() -> dict[str, float]:
        families = [each for each in Rows().collect() if each.name == "solaris_bot_faults"]
        return {sample.labels["fault"]: sample.value for each in families for sample in each.samples}

    assert counted() == {"failed": 0, "overran": 0}
    resolved(setup_document, seat_of(Broken))
    resolved(setup_document, seat_of(Hanging), key="fixture:2")
    assert counted() == {"failed": LIVES, "overran": 1}
    client = Client()
    client.force_login(django_user_model.objects.create_superuser("staff", "staff@example.org", "-"))
    listed = reverse("admin:matches_matchaction_changelist")
    page = unescape(client.get(listed, {"fault": "overran"}).content.decode())
    assert f'<td class="field-fault">{Cause.OVERRAN.label}</td>' in page
    assert f'<td class="field-fault">{Cause.FAILED.label}</td>' not in page
    assert page.count('<td class="field-fault">') == 1
    assert unescape(client.get(listed).content.decode()).count('<td class="field-fault">') > 1
