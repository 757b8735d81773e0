"""A bot that raises, talks nonsense, cheats, wrecks its table or searches on neither stops a match nor changes it."""

from __future__ import annotations

import json
import logging
from collections import Counter
from html import unescape
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from matches.models import MatchAction
from matches.selectors.matches import rebuild
from matches.services.matches import resolve_with_bots
from people.models import User
from rules.core.dice import SeededDice
from rules.verify import main as verify_file
from solaris_site.log_records import OneLine, OneObject
from solaris_site.metrics_rows import Rows
from tests.matches.failing_bots import (
    Broken,
    Cheating,
    Endless,
    Nonsensical,
    Unmade,
    Wrecking,
    against,
    causes,
    is_sound,
    play_on,
    resolved,
)

from .conftest import SEED

pytestmark = [pytest.mark.django_db, pytest.mark.database]

Cause = MatchAction.Cause


@pytest.mark.parametrize(
    ("kind", "cause"),
    [(Broken, "failed"), (Nonsensical, "failed"), (Cheating, "failed"), (Unmade, "failed"), (Endless, "overran")],
)
def test_a_bot_that_always_fails_gives_default_answers_and_each_is_reported(
    kind: type[Broken], cause: str, seat_of: Any, setup_document: dict[str, Any], lines: list[logging.LogRecord]
) -> None:
    match = resolved(setup_document, seat_of(kind))
    found = causes(match, "red")
    assert set(found) == {cause}
    assert set(causes(match, "blue")) == {""}
    assert is_sound(match)
    assert len(lines) == len(found)


def test_what_failed_is_the_default_answer(seat_of: Any, setup_document: dict[str, Any]) -> None:
    match = resolved(setup_document, seat_of(Broken, every=7))
    failed = match.actions.filter(cause=Cause.FAILED)
    assert failed.count() >= 3
    for step in failed:
        engine = rebuild(match)
        before = type(engine).replay(engine.setup, SeededDice(SEED), engine.actions[: step.sequence - 1])
        assert step.action == before.default_action()


def test_a_bot_that_fails_now_and_then_plays_on(seat_of: Any, setup_document: dict[str, Any]) -> None:
    match = resolved(setup_document, seat_of(Nonsensical, every=9))
    counts = Counter(causes(match, "red"))
    assert counts[Cause.FAILED] > 0
    assert set(counts) == {"", Cause.FAILED}
    assert is_sound(match)


def test_a_bot_that_wrecks_its_table_changes_nothing(seat_of: Any, setup_document: dict[str, Any]) -> None:
    match = resolved(setup_document, seat_of(Wrecking))
    assert set(causes(match, "red")) == {""}
    assert is_sound(match)


def test_who_plays_and_who_reads_the_replay_are_shown(
    player: User, seat_of: Any, setup_document: dict[str, Any], client: Client
) -> None:
    match = against(player, seat_of(Broken, every=2), setup_document)
    client.force_login(player)
    shown = ""
    for _ in range(12):
        play_on(match, 1)
        shown += unescape(client.get(reverse("matches:play", args=[match.public_id])).content.decode())
    assert str(Cause.FAILED.label) in shown
    resolve_with_bots(match.pk, {"red": "random", "blue": "broken"})
    pages = ""
    for step in range(1, 40):
        pages += unescape(client.get(match.get_absolute_url(), {"step": step}).content.decode())
    assert str(Cause.FAILED.label) in pages


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


def test_faults_are_counted_for_prometheus_and_shown_in_the_administration(
    seat_of: Any, setup_document: dict[str, Any], django_user_model: Any
) -> None:
    def counted() -> dict[str, float]:
        families = [each for each in Rows().collect() if each.name == "solaris_bot_faults"]
        return {sample.labels["fault"]: sample.value for each in families for sample in each.samples}

    assert counted() == {"failed": 0, "overran": 0}
    failed = causes(resolved(setup_document, seat_of(Broken, every=9)), "red").count("failed")
    overran = causes(resolved(setup_document, seat_of(Endless, every=9), key="fixture:2"), "red").count("overran")
    assert failed
    assert overran
    assert counted() == {"failed": failed, "overran": overran}
    client = Client()
    client.force_login(django_user_model.objects.create_superuser("staff", "staff@example.org", "-"))
    listed = reverse("admin:matches_matchaction_changelist")
    page = unescape(client.get(listed, {"fault": "overran"}).content.decode())
    assert f'<td class="field-fault">{Cause.OVERRAN.label}</td>' in page
    assert f'<td class="field-fault">{Cause.FAILED.label}</td>' not in page
    assert page.count('<td class="field-fault">') == overran
    assert unescape(client.get(listed).content.decode()).count('<td class="field-fault">') > 1
