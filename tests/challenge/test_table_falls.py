"""A target that falls: one form settles it with all its claimants, by phase, and shows first what each would get."""

from __future__ import annotations

import pytest
from django.test import Client

from challenge.models import Entry, Event
from challenge.presenters.falls import Fall, outcome
from challenge.services.events import make_key
from tests.challenge.conftest import GM, LIGHT, Enter
from tests.challenge.test_table import press, state_of


@pytest.fixture
def agent(fight: Event, enter: Enter) -> Client:
    """An agent of the table, where Kim and Ana have entered too."""
    for name in ("Kim", "Ana"):
        enter(what="new_pilot", by=name)
        enter(do="buy_mech", pilot=name, mech=LIGHT)
        enter(what="enter", by=name, turn=1, phase="movement")
    key = make_key(fight, GM, "agent", table="Factory", label="agent")
    client = Client()
    client.get(f"/challenge/{fight.slug}/key/{key.secret}/")
    return client


def test_who_hurt_the_target_in_the_phase_is_ticked(agent: Client, fight: Event, enter: Enter) -> None:
    enter(what="damage", points=12, by="Ross", at="Jo", turn=1, phase="fire")
    enter(what="head_hit", by="Kim", at="Jo", turn=1, phase="fire")
    enter(what="melee", by="Ana", at="Jo", turn=1, phase="physical")
    enter(what="head_hit", by="Ross", at="Kim", turn=1, phase="fire")
    shown = press(agent, fight, "fall/", at="Jo", by="Ross", phase="fire", turn=1).context["view"]
    assert (shown.fall.phase, shown.fall.claimants) == ("physical", ("Ana",))
    other = press(agent, fight, "fall/", at="Jo", by="Ross", phase="fire", shown_phase="physical", claimant=["Ana"],
                  show="yes", turn=1).context["view"]  # fmt: skip
    assert other.fall.claimants == ("Ross", "Kim")
    assert Entry.objects.filter(event=fight, document__what="kill").count() == 0


def test_the_preview_is_what_the_turn_then_gives(agent: Client, fight: Event, enter: Enter) -> None:
    enter(what="damage", points=12, by="Ross", at="Jo", turn=1, phase="fire")
    fall = Fall("Jo", "fire", ("Ross", "Kim"))
    shown = {
        name: [reason.worth for reason in reasons]
        for name, reasons in outcome(state_of(fight), "Factory", fall, "kill").by_pilot
    }
    assert set(shown) == {"Ross", "Kim"}
    before = state_of(fight).pilots["Kim"]
    assert (before.fame, before.cp) == (0, 10)
    press(agent, fight, "fall/", at="Jo", by="Ross", phase="fire", shown_phase="fire", claimant=["Ross", "Kim"],
          state="kill", turn=1)  # fmt: skip
    enter(what="end_turn", turn=1)
    kim = state_of(fight).pilots["Kim"]
    assert (kim.fame, kim.cp - 10, kim.c_bills - before.c_bills) == shown["Kim"][0]
    assert kim.kills.assisted == 1


def test_a_fall_that_voids_an_award_says_so(agent: Client, fight: Event, enter: Enter) -> None:
    enter(what="cripple", by=["Ross"], at="Jo", turn=1, phase="fire")
    found = outcome(state_of(fight), "Factory", Fall("Jo", "physical", ("Kim",), "charge"), "kill")
    assert [(name, len(reasons)) for name, reasons in found.by_pilot] == [("Kim", 2)]
    assert [name for name, _reasons in found.void] == ["Ross"]


def test_a_charge_that_destroys_pays_whose_charge_it_was(agent: Client, fight: Event, enter: Enter) -> None:
    press(agent, fight, "fall/", at="Jo", phase="physical", shown_phase="physical", claimant=["Ross", "Kim"],
          method="charge", first="Kim", state="kill", turn=1)  # fmt: skip
    enter(what="end_turn", turn=1)
    assert {name for name, pilot in state_of(fight).pilots.items() if pilot.coupon} == {"Kim"}


def test_wounds_and_death_are_part_of_the_same_press(agent: Client, fight: Event) -> None:
    press(agent, fight, "fall/", at="Jo", phase="fire", shown_phase="fire", claimant=["Ross"], wounds=2, dead="yes",
          state="cripple", turn=1)  # fmt: skip
    jo = state_of(fight).pilots["Jo"]
    assert (jo.wounds, jo.alive, jo.fame, jo.is_in_arena) == (2, False, 8, False)
    assert jo.mech is not None
    assert jo.mech.state == "crippled"


def test_a_fall_without_a_target_or_of_a_stranger_is_refused(agent: Client, fight: Event) -> None:
    for at in ("", "Nobody"):
        assert press(agent, fight, "fall/", at=at, state="kill", turn=1).status_code == 409


def test_a_target_falls_in_five_presses_at_most(agent: Client, fight: Event, enter: Enter) -> None:
    """Press: the target, that it falls, another phase, that the pilot is dead, destroyed."""
    enter(what="damage", points=12, by="Ross", at="Jo", turn=1, phase="fire")
    enter(what="charge", by="Kim", at="Jo", turn=1, phase="physical")
    shown = press(agent, fight, "fall/", at="Jo", by="Kim", phase="fire", turn=1)
    assert shown.context["view"].fall.claimants == ("Kim",)
    press(agent, fight, "fall/", at="Jo", by="Kim", phase="fire", shown_phase="physical", show="yes", turn=1)
    press(agent, fight, "fall/", at="Jo", by="Kim", phase="fire", shown_phase="fire", claimant=["Ross"], dead="yes",
          state="kill", turn=1)  # fmt: skip
    enter(what="end_turn", turn=1)
    pilots = state_of(fight).pilots
    assert pilots["Ross"].kills.solo == 1
    assert not pilots["Jo"].alive
