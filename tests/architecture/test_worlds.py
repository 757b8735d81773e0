"""Worlds that tests enter: the same, whoever builds them first."""

from __future__ import annotations

from typing import Any

from people.models import User
from tests.worlds import Worlds, taken_back


def _one_person() -> User:
    return User.objects.create_user("theirs", "theirs@example.org", "secret words")


def test_a_world_holds_nothing_of_the_test_that_builds_it(db: None, worlds: Worlds) -> None:
    with taken_back():
        User.objects.create_user("mine", "mine@example.org", "secret words", pk=999)
        worlds.enter("one person, asked for beside another", _one_person)
        assert {user.username for user in User.objects.all()} == {"mine", "theirs"}
    theirs = worlds.enter("one person, asked for beside another", _one_person)
    assert list(User.objects.all()) == [theirs]


def test_a_world_can_be_entered_twice(db: None, worlds: Worlds) -> None:
    def built() -> tuple[User, User]:
        return worlds.enter("one person", _one_person), User.objects.create_user(
            "second", "second@example.org", "words"
        )

    for _ in range(2):
        first, second = worlds.enter("two people", built)
        assert list(User.objects.order_by("pk")) == [first, second]


def test_a_world_brings_its_counters(db: None, worlds: Worlds) -> None:
    def built() -> None:
        for number in range(3):
            User.objects.create_user(f"gone {number}", f"{number}@example.org", "words").delete()

    worlds.enter("three people who left", built)
    assert User.objects.create_user("next", "next@example.org", "words").pk > 3


def test_a_world_replaces_what_was_there(transactional_db: Any, worlds: Worlds) -> None:
    worlds.replace("one person", _one_person)
    assert [user.username for user in User.objects.all()] == ["theirs"]
