"""An evening of the Challenge at a laptop: the examples of the rules in a turn of eight pilots, and their presses."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from challenge.models import Claim, Entry, Event
from challenge.selectors.access import Access
from challenge.selectors.books import book_of
from challenge.services.events import make_key, open_event
from rules.challenge.state import Event as EventState
from tests.browser.conftest import Visit

LAPTOP = {"viewport": {"width": 1280, "height": 800}}
PILOTS = ("Ross", "Jeremy", "John", "Josh", "Kim", "Ana", "Lee", "Max")
HUNCHBACK, LOCUST = "hunchback_hbk_4g", "locust_lct_1v"
MOST_TYPED, MOST_WITH_CLAIMS, MOST_OF_A_FALL, MOST_OF_AN_UNDO = 60, 12, 5, 1


class Hand:
    """A hand at the laptop. Each click and each key is a press; a number that is typed is one for each digit."""

    def __init__(self, page: Page) -> None:
        self.page, self.presses = page, 0

    def tap(self, control: Locator) -> None:
        control.click()
        self.presses += 1

    def key(self, *keys: str) -> None:
        for key in keys:
            self.page.keyboard.press(key)
            self.presses += 1

    def tile(self, name: str) -> None:
        """Press a tile, and wait until its deed stands in the page."""
        before = number_of(self.page)
        self.tap(self.page.locator(f"[name=feat][value='{name}']"))
        expect(self.page.locator("[data-undo] [name=number]")).not_to_have_value(before)

    def letter(self, key: str) -> None:
        """Press the key of a tile, and wait until its deed stands in the page."""
        before = number_of(self.page)
        self.key(key)
        expect(self.page.locator("[data-undo] [name=number]")).not_to_have_value(before)

    def target(self, name: str) -> None:
        self.tap(self.page.locator(f".target:has([name=at][value={name}])"))

    def actor(self, name: str) -> None:
        self.tap(self.page.locator(".pilot-tile").filter(has_text=name))
        expect(self.page.locator("[data-feats] input[name=by]")).to_have_value(name)


def number_of(page: Page) -> str:
    return page.locator("[data-undo] [name=number]").input_value()


def state_of(event: Event) -> EventState:
    return book_of(Event.objects.get(pk=event.pk)).state


@pytest.fixture
def event(transactional_db: None) -> Event:
    """Eight pilots in the arena: Lee in a light 'Mech, the others in medium ones."""
    opened = open_event("Steel Night", {"tables": [{"id": "Factory"}]}, {"minimum_turns": 2})
    deeds: list[dict[str, Any]] = []
    for name in PILOTS:
        deeds += [
            {"what": "new_pilot", "by": name},
            {"what": "give", "at": name, "c_bills": 1_000_000, "reason": "for a medium"},
            {"do": "buy_mech", "pilot": name, "mech": LOCUST if name == "Lee" else HUNCHBACK},
            {"what": "enter", "by": name, "turn": 1, "phase": "movement"},
        ]
    first = opened.written + 1
    Entry.objects.bulk_create(
        Entry(event=opened, number=number, client_id=f"a{number}", kind="deed", role="gm",
              document={**deed, "table": "Factory"})
        for number, deed in enumerate(deeds, start=first)
    )  # fmt: skip
    Event.objects.filter(pk=opened.pk).update(written=opened.written + len(deeds))
    opened.refresh_from_db()
    return opened


@pytest.fixture
def hand(visit: Visit, event: Event, live_server: Any) -> Hand:
    key = make_key(event, Access(is_gm=True), "agent", table="Factory", label="agent")
    visit.open(f"{live_server.url}/challenge/{event.slug}/key/{key.secret}/")
    visit.open(f"{live_server.url}/challenge/{event.slug}/tables/Factory/")
    return Hand(visit.page)


def end(hand: Hand) -> None:
    hand.tap(hand.page.get_by_role("link", name="Nothing for all who are left"))
    hand.tap(hand.page.get_by_role("button", name="End the turn"))
    expect(hand.page.get_by_role("heading", name="is closed")).to_be_visible()


def gained(event: Event, name: str) -> tuple[int, int, int]:
    """What a pilot has beyond their start, without what they paid for their 'Mech."""
    pilot = state_of(event).pilots[name]
    assert pilot.mech is not None
    return pilot.fame, pilot.cp - 10, pilot.c_bills + pilot.mech.paid - 4_000_000


@pytest.mark.parametrize("visit", [LAPTOP], indirect=True)
def test_eight_pilots_with_20_feats_take_60_presses_and_a_fall_five(hand: Hand, event: Event) -> None:
    page = hand.page
    # EX-AWD-1: a weapon critical; a head hit and a sensor critical; Ross is crippled by both.
    hand.actor("Jeremy")
    hand.target("Ross")
    hand.tile("critical.weapon")
    hand.actor("John")
    hand.target("Ross")
    hand.tile("head_hit")
    hand.tile("critical.head")
    before = hand.presses
    hand.tap(page.get_by_role("button", name="The target falls"))
    # The page before has phases of the same names.
    expect(page.locator("[name=shown_phase]")).to_have_count(1)
    hand.tap(page.get_by_role("button", name="Crippled"))
    expect(page.locator(".pilot-tile").filter(has_text="Ross")).to_contain_text("crippled T1")
    assert hand.presses - before <= MOST_OF_A_FALL

    # EX-AWD-3: 65 damage by a medium, 19 by a medium for nothing, 19 by a light.
    hand.actor("Kim")
    hand.target("Ana")
    hand.tap(page.locator("#points"))
    hand.key("6", "5", "Enter")
    expect(page.locator(".gives")).to_contain_text("Kim (5) does 65 damage")
    hand.actor("Ana")
    hand.target("Kim")
    hand.tile("damage.10-19")
    hand.actor("Lee")
    hand.target("Max")
    hand.tile("damage.10-19")

    # A wrong press, and one press that undoes it.
    before = hand.presses
    hand.tile("critical.gyro")
    hand.key("Backspace")
    expect(page.locator("[data-undo] button")).to_contain_text("10–19 damage")
    assert hand.presses - before == 1 + MOST_OF_AN_UNDO

    # By keys: the next pilots with Enter, their target by its card, a letter for each feat.
    for name, card, letters in (("Max", "7", "hvl"), ("Ross", "3", "pfg"), ("Josh", "5", "hav")):
        while page.locator("[data-feats] input[name=by]").input_value() != name:
            current = page.locator("[data-feats] input[name=by]").input_value()
            hand.key("Enter")
            expect(page.locator("[data-feats] input[name=by]")).not_to_have_value(current)
        hand.key(card)
        for letter in letters:
            hand.letter(letter)
    hand.key("6")
    for letter in "hvxl":
        hand.letter(letter)
    facts = [fact.entry for fact in state_of(event).tables["Factory"].facts if fact.entry.what != "enter"]
    assert len(facts) == 20
    end(hand)
    assert hand.presses <= MOST_TYPED
    assert gained(event, "Jeremy") == (2, 4, 1_550_000)
    assert gained(event, "John") == (3, 6, 1_950_000)
    assert gained(event, "Kim") == (3, 3, 750_000)
    assert gained(event, "Ana") == (0, 0, 0)
    assert gained(event, "Lee") == (0, 1, 100_000)


@pytest.mark.parametrize("visit", [LAPTOP], indirect=True)
def test_a_charge_destroys_who_fire_crippled_and_claims_take_twelve_presses(hand: Hand, event: Event) -> None:
    page = hand.page
    # EX-AWD-2: 40 damage by Ross, who cripples Jeremy in the fire phase; Josh's charge destroys him in the next.
    for number, (name, deed) in enumerate(
        [("Ross", {"what": "damage", "points": 40, "phase": "fire"}),
         ("Ross", {"what": "cripple", "phase": "fire"}),
         *((name, {"what": "rear_attack", "phase": "fire"}) for name in PILOTS if name != "Jeremy"),
         *((name, {"what": "damage", "band": "5-9", "phase": "fire"}) for name in ("Kim", "Ana", "Max")),
         *((name, {"what": "secondary_target", "phase": "fire"}) for name in PILOTS if name not in ("Ross", "Josh"))]
    ):  # fmt: skip
        document = {**deed, "by": name, "at": "Jeremy", "turn": 1, "table": "Factory"}
        if name == "Jeremy" or deed["what"] in ("rear_attack", "secondary_target"):
            del document["at"]
        Claim.objects.create(
            event=event, client_id=f"c{number}", kind="feat", pilot=name, table="Factory", documents=[document]
        )
    page.reload()
    hand.tap(page.get_by_role("button", name="Accept all"))
    expect(page.get_by_role("button", name="Accept all")).to_have_count(0)
    hand.actor("Josh")
    hand.target("Jeremy")
    before = hand.presses
    hand.tap(page.get_by_role("button", name="The target falls"))
    # The page before has phases of the same names.
    expect(page.locator("[name=shown_phase]")).to_have_count(1)
    hand.tap(page.get_by_label("physical"))
    expect(page.locator("[name=shown_phase]")).to_have_value("physical")
    hand.tap(page.get_by_label("a charge", exact=True))
    expect(page.get_by_label("a charge", exact=True)).to_be_checked()
    hand.tap(page.locator(".target:has([name=claimant][value=Josh])"))
    expect(page.locator(".card").filter(has_text="If destroyed")).to_contain_text("Josh")
    hand.tap(page.get_by_role("button", name="Destroyed"))
    expect(page.locator(".pilot-tile").filter(has_text="Jeremy")).to_contain_text("left")
    assert hand.presses - before <= MOST_OF_A_FALL
    end(hand)
    assert hand.presses <= MOST_WITH_CLAIMS
    assert gained(event, "Ross") == (2, 2, 500_000)
    assert gained(event, "Josh") == (6, 10, 3_500_000)
    assert state_of(event).pilots["Josh"].coupon


@pytest.mark.parametrize("visit", [LAPTOP], indirect=True)
def test_a_press_without_network_waits_in_the_browser_and_is_sent_once(visit: Visit, hand: Hand, event: Event) -> None:
    page = hand.page
    hand.actor("Ross")
    hand.target("Ana")
    hand.presses = 0
    page.context.set_offline(True)
    hand.tap(page.locator("[name=feat][value=head_hit]"))
    expect(page.locator("#table-offline")).to_contain_text("Presses that wait: 1")
    page.context.set_offline(False)
    expect(page.locator("#table-offline")).to_be_hidden()
    expect(page.locator("[data-undo] button")).to_contain_text("Head hit")
    facts = [fact.entry for fact in state_of(event).tables["Factory"].facts]
    assert [entry.what for entry in facts].count("head_hit") == 1
    visit.complaints.clear()
