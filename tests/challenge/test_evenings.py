"""Evenings at random through the services, and the demonstration in the middle of its second day."""

from __future__ import annotations

import json
from io import StringIO

import pytest
from django.core.management import CommandError, call_command

from challenge.models import Event
from challenge.selectors.books import book_of
from challenge.selectors.refolding import differences
from rules.challenge.checking import faults

pytestmark = pytest.mark.django_db


def printed(*arguments: str) -> str:
    out = StringIO()
    call_command("challenge_evening", *arguments, stdout=out)
    return out.getvalue()


def test_the_same_arguments_give_the_same_evening() -> None:
    arguments = ("--pilots", "6", "--turns", "5", "--seed", "3")
    first, second = printed(*arguments, "--json"), printed(*arguments, "--json")
    assert first == second
    document = json.loads(first)
    assert document["entries"] > 50
    assert set(document["ranking"]) <= set(document["balances"])
    assert "no difference" in printed(*arguments)
    with pytest.raises(CommandError):
        printed("--pilots", "1000")


def test_the_demonstration_stands_in_its_second_day() -> None:
    for _ in range(2):
        call_command("challenge_demo", stdout=StringIO())
    event = Event.objects.get()
    state = book_of(event).state
    assert (state.day, state.stage) == (2, "qualifier")
    assert set(state.tables) == {table.id for table in book_of(event).tables}
    assert any(pilot.is_in_arena for pilot in state.pilots.values())
    assert any(pilot.kills.total() for pilot in state.pilots.values())
    assert list(faults(state)) == []
    assert differences(event) == []
