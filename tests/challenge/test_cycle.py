"""The off-board cycle through its pages: at the laptop each press is a deed, on the phone a plan for one press."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.test import Client

from challenge.models import Claim, Entry, Event
from challenge.selectors.books import book_of
from challenge.services.books import Wish, write
from rules.challenge.state import Pilot
from tests.challenge.conftest import GM, LIGHT, Enter
from tests.challenge.test_pilot import Phones, page

EXAMPLE = {"tons": 50, "cost": 4_257_000, "name": "Example"}
"""The 'Mech of the worked examples of repair (EX-REP-2)."""


@pytest.fixture
def phones(event: Event) -> Phones:
    return Phones(event)


@pytest.fixture
def evening(event: Event, enter: Enter) -> Event:
    """Ross comes out of the arena with a structure and four actuators broken, Jo fights on (EX-REP-2)."""
    return out_of_the_arena(event, enter)


def out_of_the_arena(event: Event, enter: Enter, *before: dict[str, Any]) -> Event:
    """Let Ross, who did `before` ahead of the arena and charged Jo in it, come out with a broken 'Mech."""
    write(event.pk, GM, [Wish("list", "mechs", {"mechs": {"example": EXAMPLE}})])
    for name in ("Ross", "Jo"):
        enter(what="new_pilot", by=name)
        enter(what="give", by=name, c_bills=3_000_000)
        for deed in before if name == "Ross" else ():
            enter(**deed)
        enter(do="buy_mech", pilot=name, mech="example")
        enter(what="enter", by=name, turn=1, phase="movement")
    if before:
        enter(what="charge", by="Ross", at="Jo", turn=1, phase="physical")
    enter(what="blown_off", by="Jo", at="Ross", turn=1, phase="fire")
    for _ in range(4):
        enter(what="critical", by="Jo", at="Ross", part="actuator", turn=1, phase="fire")
    for turn in (1, 2, 3):
        enter(what="end_turn", turn=turn)
    enter(what="exit", by="Ross", turn=4, phase="end")
    enter(what="end_turn", turn=4)
    event.refresh_from_db()
    return event


def ross(event: Event) -> Pilot:
    return book_of(Event.objects.get(pk=event.pk)).state.pilots["Ross"]


def press(client: Client, event: Event, path: str = "pilots/Ross/cycle/", **fields: Any) -> Any:
    fields.setdefault("client_id", f"press-{Event.objects.get(pk=event.pk).written}-{Claim.objects.count()}")
    return client.post(f"/challenge/{event.slug}/{path}", fields)


def buttons(shown: str) -> list[str]:
    return [" ".join(found.split()) for found in re.findall(r"<button[^>]*>(.*?)</button>", shown, re.DOTALL)]


def test_both_repairs_stand_side_by_side_with_their_prices(evening: Event, phones: Phones) -> None:
    shown = page(phones.agent(), evening, "pilots/Ross/cycle/?step=4")
    assert "Full repair: 850,000 C-bills" in buttons(shown)
    assert "Spot repair: 930,000 C-bills" in buttons(shown)
    assert "4 × actuator: 510,840 C-bills" in shown
    assert "1 × structure, by location: 425,700 C-bills" in shown


def test_a_modifier_and_the_coupon_are_named(event: Event, enter: Enter, phones: Phones) -> None:
    out_of_the_arena(
        event,
        enter,
        {"what": "give", "by": "Ross", "fame": 3},
        {"do": "join_sponsor", "pilot": "Ross", "sponsor": "devalls"},
    )
    client = phones.agent()
    shown = page(client, event, "pilots/Ross/cycle/?step=4&cp=5")
    assert "Devall&#x27;s Scrapyard: −20 %" in shown
    assert "coupon of a charge or a death from above: −30 %" in shown
    # 851,400 less a fifth, and less 30 percent: each rounded down to 10,000.
    assert "Full repair: 5 CP and 680,000 C-bills" in buttons(shown)
    assert "Full repair (with the coupon): 590,000 C-bills" in buttons(shown)
    fields = {"do": "repair", "mode": "full", "cp": "5", "damage.actuator": "4", "damage.structure": "1"}
    before = ross(event)
    assert press(client, event, **fields).status_code == 302
    assert (ross(event).cp, ross(event).c_bills) == (before.cp - 5, before.c_bills - 680_000)


def test_an_agent_repairs_by_one_press_and_a_second_press_is_the_same(evening: Event, phones: Phones) -> None:
    client, before = phones.agent(), ross(evening).c_bills
    fields = {"do": "repair", "mode": "full", "client_id": "once", "damage.actuator": "4", "damage.structure": "1"}
    for _ in range(2):
        assert press(client, evening, **fields).status_code == 302
    assert ross(evening).c_bills == before - 850_000
    assert Entry.objects.filter(event=evening, client_id="once").count() == 1
    mech = ross(evening).mech
    assert mech is not None
    assert not mech.is_damaged


def test_a_step_left_behind_is_shut(evening: Event, phones: Phones) -> None:
    client = phones.agent()
    assert press(client, evening, do="heal", wounds="1").status_code == 409
    press(client, evening, do="repair", mode="full")
    press(client, evening, do="sell", mech="example")
    shown = page(client, evening, "pilots/Ross/cycle/?step=4")
    assert "Go back to “Repair and heal”" not in shown
    assert "Full repair" not in shown
    answer = press(client, evening, do="repair", mode="full")
    assert answer.status_code == 409
    assert "Nothing was entered." in answer.content.decode()


def test_steps_are_skipped_by_a_link_and_nothing_is_written(evening: Event, phones: Phones) -> None:
    client, rows = phones.agent(), Entry.objects.count()
    shown = page(client, evening, "pilots/Ross/cycle/")
    assert "Leave this step and go to step 5" in shown
    shown = page(client, evening, "pilots/Ross/cycle/?step=7")
    assert "Go back to “Repair and heal”" in shown
    assert Entry.objects.count() == rows


def test_who_does_not_take_the_pilot_says_why(evening: Event, phones: Phones) -> None:
    shown = page(phones.agent(), evening, "pilots/Ross/cycle/?step=6")
    assert "and this asks for 10 (MC-" not in shown
    assert "Ross has 0 Fame, and this asks for 10." in shown
    assert 'Only pilots of one house are taken there (<a href="/help/rules/challenge/#MC-MEM-04"' in shown
    assert "MC-MEM-04</a>): Free Worlds League." in shown


def test_a_loan_has_its_ceiling_and_price_and_more_is_refused(evening: Event, phones: Phones) -> None:
    client = phones.agent()
    shown = page(client, evening, "pilots/Ross/cycle/")
    assert "Loan of up to 200,000 C-bills" in shown
    assert "Open the loan: 5 CP" in buttons(shown)
    answer = press(client, evening, do="loan", amount="200001")
    assert answer.status_code == 409
    assert "Ross may borrow 200,000 C-bills" in answer.content.decode()
    assert press(client, evening, do="loan", amount="200000").status_code == 302
    loan = ross(evening).loan
    assert loan is not None
    assert loan.limit == 200_000


def test_the_gm_overrules_with_a_chip_and_an_agent_does_not(evening: Event, phones: Phones) -> None:
    fields = {"do": "loan", "amount": "300000", "overruled": "agreed"}
    assert press(phones.agent(), evening, **fields).status_code == 409
    shown = press(phones.gm(), evening, do="loan", amount="300000").content.decode()
    assert "Overrule:" in shown
    assert 'name="amount" value="300000"' in shown
    assert 'name="overruled" value="judge&#x27;s ruling">judge’s ruling<' in shown
    assert press(phones.gm(), evening, **fields).status_code == 302
    assert ross(evening).loan is not None


def test_a_plan_of_a_phone_writes_nothing_until_one_press_approves_it(
    evening: Event, enter: Enter, phones: Phones
) -> None:
    player, agent, rows = phones.player("Ross"), phones.agent(), Entry.objects.count()
    for fields in (
        {"do": "repair", "mode": "full", "damage.actuator": "4", "damage.structure": "1"},
        {"do": "sell", "mech": "example"},
        {"do": "buy_mech", "mech": LIGHT},
    ):
        assert press(player, evening, **fields).status_code == 302
    before = ross(evening)
    shown = page(player, evening, "pilots/Ross/cycle/")
    assert "Ross (1) sells the Example for 75 % of its book cost." in shown
    assert "Send to the agent" in shown
    assert Entry.objects.count() == rows
    assert press(player, evening, "pilots/Ross/plan/", press="send").status_code == 302
    claim = Claim.objects.get()
    assert (claim.kind, claim.state, len(claim.documents)) == ("cycle", "waiting", 3)
    assert "a plan waits" in page(agent, evening, "off-board/")
    assert "Approve and enter all of it" in page(agent, evening, "pilots/Ross/cycle/")
    answer = press(agent, evening, "claims/", claim=str(claim.pk), press="accept")
    assert answer.status_code == 302
    after = ross(evening)
    assert after.mech is not None
    assert after.mech.model.id == LIGHT
    assert after.c_bills == before.c_bills - 850_000 + 3_190_000 - after.mech.paid
    assert Claim.objects.get().state == "accepted"


def test_a_press_on_a_plan_that_arrives_again_is_the_same_press(evening: Event, enter: Enter, phones: Phones) -> None:
    """A phone whose answer was lost sends again; other words from the same page are another press."""
    enter(what="give", at="Ross", cp=20)
    player = phones.player("Ross")

    def planned() -> int:
        return len(player.get(f"/challenge/{evening.slug}/pilots/Ross/cycle/").context["plan"].deeds)

    for fields, deeds in (
        ({"do": "loan", "amount": "100000", "client_id": "a"}, 1),
        ({"do": "buy_edge", "cards": "1", "client_id": "b"}, 2),
        ({"do": "declare_house", "house": "CC", "client_id": "b"}, 3),
    ):
        for _ in range(2):
            assert press(player, evening, **fields).status_code == 302
            assert planned() == deeds
    for _ in range(2):
        assert press(player, evening, "pilots/Ross/plan/", press="take_back", client_id="d").status_code == 302
        assert planned() == 2
    for _ in range(2):
        assert press(player, evening, "pilots/Ross/plan/", press="send", client_id="e").status_code == 302
    assert (Claim.objects.count(), len(Claim.objects.get().documents)) == (1, 2)


def test_a_deed_that_the_rules_forbid_does_not_enter_the_plan(evening: Event, phones: Phones) -> None:
    player = phones.player("Ross")
    answer = press(player, evening, do="sell", mech="example")
    assert answer.status_code == 409
    assert "Repair the &#x27;Mech in full before its sale" in answer.content.decode()
    assert "Send to the agent" not in page(player, evening, "pilots/Ross/cycle/")


def test_a_plan_is_taken_back_and_one_that_waits_is_changed(evening: Event, phones: Phones) -> None:
    player = phones.player("Ross")
    press(player, evening, do="repair", mode="full")
    press(player, evening, do="buy_edge", cards="1")
    press(player, evening, "pilots/Ross/plan/", press="take_back")
    press(player, evening, "pilots/Ross/plan/", press="send")
    claim = Claim.objects.get()
    assert [each["do"] for each in claim.documents] == ["repair"]
    shown = page(player, evening, "pilots/Ross/cycle/")
    assert "A plan waits for approval" in shown
    assert "Full repair" not in "".join(buttons(shown))
    press(player, evening, "pilots/Ross/plan/", press="withdraw", claim=str(claim.pk))
    claim.refresh_from_db()
    assert claim.state == "struck"
    assert "Take the last one back" in page(player, evening, "pilots/Ross/cycle/")


def test_accepting_a_plan_approves_the_cycle_where_the_event_asks_for_it(
    evening: Event, enter: Enter, phones: Phones
) -> None:
    setup = {**book_of(evening).setup, "switches": {"cycle_approval": True}}
    write(evening.pk, GM, [Wish("approval", "setup", setup)])
    player, agent = phones.player("Ross"), phones.agent()
    assert "Approve what was done in this cycle" in page(agent, evening, "pilots/Ross/cycle/")
    press(player, evening, do="repair", mode="full")
    press(player, evening, "pilots/Ross/plan/", press="send")
    press(agent, evening, "claims/", claim=str(Claim.objects.get().pk), press="accept")
    assert "A judge has approved this cycle." in page(agent, evening, "pilots/Ross/cycle/")
    enter(what="end_turn", turn=5)
    enter(what="end_turn", turn=6)
    enter(what="enter", by="Ross", turn=7, phase="movement")
    assert ross(evening).is_in_arena


def test_a_plan_that_the_book_has_overtaken_is_not_entered(evening: Event, enter: Enter, phones: Phones) -> None:
    player, agent = phones.player("Ross"), phones.agent()
    press(player, evening, do="repair", mode="full")
    press(player, evening, "pilots/Ross/plan/", press="send")
    enter(do="repair", pilot="Ross", mode="full")
    shown = page(agent, evening, "pilots/Ross/cycle/")
    assert "has nothing that costs to repair" in shown
    assert "Approve and enter all of it" not in shown
    answer = press(agent, evening, "claims/", claim=str(Claim.objects.get().pk), press="accept")
    assert answer.status_code == 409
    assert Claim.objects.get().state == "waiting"
    press(agent, evening, "claims/", claim=str(Claim.objects.get().pk), press="strike")
    assert Claim.objects.get().state == "struck"


def test_others_stay_out(evening: Event, phones: Phones) -> None:
    for client in (phones.with_key(), phones.player("Jo")):
        page(client, evening, "pilots/Ross/cycle/", 403)
        page(client, evening, "off-board/", 403)
        assert press(client, evening, do="buy_edge", cards="1").status_code == 403
        assert press(client, evening, "pilots/Ross/plan/", press="send").status_code == 403
        assert press(client, evening, "claims/", claim="1", press="accept").status_code == 403
    page(phones.player("Ross"), evening, "off-board/", 403)


def test_a_player_plans_neither_gifts_nor_rolls_of_dice(evening: Event, phones: Phones) -> None:
    player = phones.player("Ross")
    assert press(player, evening, do="approve_cycle").status_code == 403
    assert press(player, evening, do="prison_roll", dice=["6", "6"]).status_code == 403
    assert press(player, evening, do="give", fame="9").status_code == 400
    assert press(player, evening, "pilots/Ross/plan/", press="send").status_code == 400
    assert Claim.objects.count() == 0


def test_anything_but_a_number_changes_nothing(evening: Event, phones: Phones) -> None:
    rows = Entry.objects.count()
    for amount in ("many", "-5", "9" * 20):
        assert press(phones.agent(), evening, do="loan", amount=amount).status_code in (400, 409)
    assert Entry.objects.count() == rows
