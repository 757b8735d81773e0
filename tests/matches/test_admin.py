"""Matches in the admin: staff sees of a running match nothing that its players hide, and all of a finished one."""

from __future__ import annotations

import json
import re
from html import unescape
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from matches.models import Match, MatchAction

from .conftest import play_some

pytestmark = pytest.mark.django_db


@pytest.fixture
def staff(django_user_model: Any) -> Client:
    client = Client()
    client.force_login(django_user_model.objects.create_superuser("staff", "staff@example.org", "-"))
    return client


def pages_of(client: Client, match: Match) -> str:
    """Everything that the admin shows of a match and its first steps."""
    steps = MatchAction.objects.filter(match=match).order_by("sequence")[: 4 if match.is_finished else 0]
    addresses = [reverse("admin:matches_match_change", args=[match.pk])]
    addresses += [reverse("admin:matches_matchaction_change", args=[step.pk]) for step in steps]
    addresses += [reverse("admin:matches_match_changelist"), reverse("admin:matches_matchaction_changelist")]
    answers = [client.get(address) for address in addresses]
    assert {answer.status_code for answer in answers} == {200}
    return unescape("".join(answer.content.decode() for answer in answers))


def test_a_running_match_shows_no_token_no_setup_and_no_step(waiting: Match, staff: Client) -> None:
    for count in (0, 3):
        play_some(waiting, count)
        shown = pages_of(staff, waiting)
        hidden = [token[key] for side in waiting.setup["sides"] for token in side["tokens"] for key in ("id", "name")]
        assert [word for word in hidden if word in shown] == []
        assert [word for word in ('"event"', "'event'", '"dial"', "'dial'") if word in shown] == []
        assert "shown when the match is finished" in shown
        assert waiting.seed_commitment in shown


def test_a_running_match_does_not_tell_how_many_steps_it_has(waiting: Match, staff: Client) -> None:
    """A question for a rally card, which nobody else hears of, is a step as well."""
    lists = [reverse(f"admin:matches_{name}_changelist") for name in ("match", "matchaction")]
    lists += [reverse("admin:matches_match_change", args=[waiting.pk])]
    play_some(waiting, 3)

    def shown() -> list[bytes]:
        return [re.sub(rb'csrfmiddlewaretoken" value="[^"]*', b"", staff.get(address).content) for address in lists]

    before = shown()
    Match.objects.filter(pk=waiting.pk).update(last_sequence=4)
    MatchAction.objects.create(match=waiting, sequence=4, side="red", action={}, events=[])
    assert shown() == before


def test_a_finished_match_shows_setup_and_steps(finished: Match, staff: Client) -> None:
    shown = pages_of(staff, finished)
    assert finished.setup["sides"][0]["tokens"][0]["id"] in shown
    assert json.dumps(finished.actions.get(sequence=1).action) in shown
    assert "shown when the match is finished" not in shown
    assert bytes(finished.seed).hex() not in shown
