"""The page that plays a finished match again and says in words what it found."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from django.core.cache import cache
from django.test import Client

import rules
from matches.models import Match, MatchAction
from matches.presenters.replaying import verifying
from matches.presenters.replaying.replay import cut_into_steps
from rules import verify as verify_file
from tests.markup import closed_up
from tests.matches.test_commands import falsified

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def forgetful() -> None:
    cache.clear()


def page(client: Client, match: Match) -> str:
    answer = client.get(f"{match.get_absolute_url()}verify/")
    assert answer.status_code == 200
    return answer.content.decode()


def test_a_match_as_played_is_called_fair(finished: Match, client: Client) -> None:
    shown = page(client, finished)
    events = sum(len(step.events) for step in finished.actions.all())
    assert "✓ Yes." in shown
    assert f"all {events} events" in shown
    assert f"its {finished.last_sequence} decisions" in shown
    assert "The seed is the one that was promised" in shown
    assert finished.seed_commitment in shown


def test_a_tampered_step_is_shown_and_linked(finished: Match, client: Client) -> None:
    copy = falsified(finished, 5, 0, amount=99)
    shown = page(client, copy)
    assert "first at decision 5" in shown
    assert "99" in shown
    steps = cut_into_steps(event for step in copy.actions.order_by("sequence") for event in step.events)
    before = sum(len(step.events) for step in copy.actions.filter(sequence__lt=5))
    number = next(step.number for step in steps if step.stop > before)
    assert f'href="{copy.get_absolute_url()}?step={number}#replay"' in shown
    assert "The seed is the one that was promised" in shown
    answer = client.get(copy.get_absolute_url(), {"step": number})
    assert answer.status_code == 200


def test_a_seed_that_was_not_promised_is_shown(finished: Match, client: Client) -> None:
    Match.objects.filter(pk=finished.pk).update(seed=b"another seed of thirty-two bytes")
    shown = page(client, finished)
    assert "✕ No" in closed_up(shown)
    assert "The seed is not the one that was promised" in shown


def test_a_changed_result_is_shown(finished: Match, client: Client) -> None:
    Match.objects.filter(pk=finished.pk).update(result={**finished.result, "rounds": 99})
    assert "✕ No" in closed_up(page(client, finished))


def test_actions_that_are_none_any_more_are_shown(finished: Match, client: Client) -> None:
    copy = falsified(finished, 2, 0)
    rows = list(copy.actions.order_by("sequence"))
    for row in rows:
        row.pk = None
    another = falsified(finished, 2, 0)
    Match.objects.filter(pk=another.pk).update(setup={**another.setup, "sides": another.setup["sides"][:1]})
    answer = client.get(f"{another.get_absolute_url()}verify/")
    assert answer.status_code == 200
    assert "✕ No" in closed_up(answer.content.decode())


def test_a_match_of_other_rules_is_not_judged(finished: Match, client: Client) -> None:
    Match.objects.filter(pk=finished.pk).update(rules_version="0.0.0-of-old")
    shown = page(client, finished)
    assert "recorded under other rules" in shown
    assert "0.0.0-of-old" in shown
    assert rules.RULES_VERSION in shown
    assert "✕" not in shown


def test_a_match_that_is_played_is_not_checked(waiting: Match, client: Client) -> None:
    answer = client.get(f"{waiting.get_absolute_url()}verify/", headers={"accept": "text/html"})
    assert answer.status_code == 409
    assert "still being played" in answer.content.decode()


def test_a_match_is_played_again_once_and_for_each_version_of_the_rules(
    finished: Match, client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    calls: list[Any] = []
    real = verifying.verify
    monkeypatch.setattr(verifying, "verify", lambda document: calls.append(document) or real(document))
    for _ in range(3):
        page(client, finished)
    assert len(calls) == 1
    monkeypatch.setattr(rules, "RULES_VERSION", "another")
    page(client, finished)
    assert len(calls) == 2


def test_the_file_is_named_explained_and_checked_at_home(finished: Match, client: Client, tmp_path: Path) -> None:
    name = f"match-{finished.public_id}.json"
    shown = page(client, finished)
    assert f"python -m rules.verify {name}" in shown
    assert f'download="{name}"' in shown
    answer = client.get(f"{finished.get_absolute_url()}replay.json")
    assert answer["Content-Disposition"] == f'attachment; filename="{name}"'
    document = json.loads(answer.content)
    for field in document:
        assert f'<code translate="no">{field}</code>' in shown
    (tmp_path / name).write_bytes(answer.content)
    assert verify_file.main([str(tmp_path / name)]) == 0


def test_the_match_page_leads_here_when_it_is_over(finished: Match, waiting: Match, client: Client) -> None:
    for match, leads in ((finished, True), (waiting, False)):
        shown = client.get(match.get_absolute_url()).content.decode()
        assert (f'href="{match.get_absolute_url()}verify/"' in shown) == leads
    assert MatchAction.objects.filter(match=finished).exists()
