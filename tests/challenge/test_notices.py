"""Notices of an event: who gets one of a closed day, the final and an answered plan, and by what job."""

from __future__ import annotations

import pytest
from django.test import Client

from challenge.models import Event, Key
from challenge.selectors.access import Access
from challenge.services import claims
from challenge.services.events import make_key
from jobs.services import run_pending
from people.models import Notice, User
from people.text.notices import notice_sentence
from tests.challenge.conftest import AGENT, GM, Enter

ROSS = Access(pilots=frozenset({"Ross"}))


@pytest.fixture
def ross(event: Event) -> User:
    """The account that opens the key of the pilot Ross, while logged in."""
    return opens(event, make_key(event, GM, Key.Role.PLAYER, pilot="Ross"), "ross")


def opens(event: Event, key: Key, name: str) -> User:
    user, browser = User.objects.create_user(name, f"{name}@example.org", "-"), Client()
    browser.force_login(user)
    assert browser.get(f"/challenge/{event.slug}/key/{key.secret}/").status_code == 302
    return user


def said() -> list[tuple[str, str]]:
    found = Notice.objects.order_by("user__username", "pk")
    return [(each.user.username, notice_sentence(each.code, each.parameters)) for each in found]


def test_a_closed_day_and_the_final_are_said_to_the_owner_and_to_accounts_with_keys(
    event: Event, ross: User, enter: Enter
) -> None:
    ended = make_key(event, GM, Key.Role.AGENT, label="somebody")
    opens(event, ended, "jo")
    Key.objects.filter(pk=ended.pk).update(ended_at=event.opened_at)
    enter(what="new_pilot", by="Ross")
    enter(what="end_day")
    assert said() == []
    run_pending()
    enter(what="stage", stage="final", finalists=["Ross"])
    run_pending()
    lines = ["Steel Night: day 1 is closed.", "Steel Night: the final is called. It is fought by Ross."]
    assert said() == [(name, line) for name in ("gm", "ross") for line in lines]
    assert set(Notice.objects.values_list("url", flat=True)) == {f"/challenge/{event.slug}/"}


def test_whoever_did_it_gets_no_notice(event: Event, owner: User, ross: User, enter: Enter) -> None:
    enter(Access(is_gm=True, user_id=owner.pk), what="end_day")
    run_pending()
    assert said() == [("ross", "Steel Night: day 1 is closed.")]


def test_a_key_belongs_to_the_account_that_opened_it_first(event: Event, ross: User) -> None:
    opens(event, Key.objects.get(pilot="Ross"), "jo")
    Client().get(f"/challenge/{event.slug}/key/{Key.objects.get(pilot='Ross').secret}/")
    assert Key.objects.get(pilot="Ross").user == ross


@pytest.mark.parametrize("is_accepted", [True, False])
def test_the_answer_to_a_plan_is_said_to_its_player(event: Event, ross: User, enter: Enter, is_accepted: bool) -> None:
    enter(what="new_pilot", by="Ross")
    plan = [{"do": "buy_edge", "pilot": "Ross", "cards": 1, "table": "Factory"}]
    found = claims.claim(event, ROSS, "c", "cycle", "Ross", "Factory", plan)
    (claims.accept if is_accepted else claims.strike)(event.pk, AGENT, [found.pk])
    run_pending()
    answer = "is approved" if is_accepted else "was turned down"
    assert said() == [("ross", f"Steel Night: the plan for the off-board cycle of Ross {answer}.")]
    assert Notice.objects.get().url == f"/challenge/{event.slug}/pilots/Ross/"
