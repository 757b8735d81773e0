"""The examples of the rules on phones and at the laptop: what phones claim, a fall, a bet, an exit and a repair.

Every press is made in a browser, on phones of 360 by 640, and counted.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, expect

from challenge.models import Event
from challenge.selectors.access import Access
from challenge.services.books import Wish, write
from challenge.services.events import make_key, open_event
from rules.challenge.book.rows import DEED, MECHS
from tests.browser.conftest import Visit
from tests.browser.test_challenge_evening import Hand, end, state_of

GM = Access(is_gm=True, name="gm")
PHONE = {"width": 360, "height": 640}
LAPTOP = {"viewport": {"width": 1280, "height": 800}}
PILOTS = ("Ross", "Jeremy", "John", "Josh")
MOST_OF_A_CLAIM, MOST_AT_THE_LAPTOP = 4, 24
MECH = {"name": "Example", "tons": 50, "walk": 4, "run": 6, "cost": 4_257_000}


@pytest.fixture
def event(transactional_db: None) -> Event:
    """Four pilots in turn 3, each in a 'Mech of 4,257,000; Ross's has four broken actuators."""
    event = open_event("Steel Night", {"tables": [{"id": "Factory"}], "options": ["betting"]}, {"minimum_turns": 2})
    deeds: list[dict[str, Any]] = []
    for name in PILOTS:
        deeds += [
            {"what": "new_pilot", "by": name},
            {"what": "give", "at": name, "c_bills": 3_000_000},
            {"do": "buy_mech", "pilot": name, "mech": "mech"},
            {"what": "enter", "by": name, "turn": 1, "phase": "movement"},
        ]
    broken = {"what": "critical", "part": "actuator", "at": "Ross", "by": "Josh", "phase": "fire"}
    deeds += [{**broken, "turn": 1} for _ in range(4)] + [{"what": "end_turn", "turn": turn} for turn in (1, 2)]
    rows = [Wish(f"d{place}", DEED, {**each, "table": "Factory"}) for place, each in enumerate(deeds)]
    write(event.pk, GM, [Wish("list", MECHS, {"mechs": {"mech": MECH}}), *rows])
    return Event.objects.get(pk=event.pk)


@pytest.fixture
def phones(browser: Browser, visit: Visit, event: Event, live_server: Any) -> Iterator[dict[str, Hand]]:
    """The phones of Jeremy and of John, each at its pilot's claims."""
    found = {}
    for pilot in ("Jeremy", "John"):
        page = browser.new_context(viewport=PHONE).new_page()  # type: ignore[arg-type]
        page.on("console", lambda said: visit.complaints.append(said.text) if said.type == "error" else None)
        key = make_key(event, GM, "player", pilot=pilot)
        page.goto(f"{live_server.url}/challenge/{event.slug}/key/{key.secret}/")
        page.goto(f"{live_server.url}/challenge/{event.slug}/pilots/{pilot}/claim/")
        found[pilot] = Hand(page)
    yield found
    for hand in found.values():
        hand.page.context.close()


@pytest.fixture
def hand(visit: Visit, event: Event, live_server: Any) -> Hand:
    """The agent's laptop at the table."""
    key = make_key(event, GM, "agent", table="Factory", label="agent")
    visit.open(f"{live_server.url}/challenge/{event.slug}/key/{key.secret}/")
    visit.open(f"{live_server.url}/challenge/{event.slug}/tables/Factory/")
    return Hand(visit.page)


def claim(hand: Hand, feat: str, at: str, points: str = "") -> None:
    """Claim a feat on a phone, and wait until the site has it."""
    page, before = hand.page, hand.presses
    there = page.locator(".claims > li").count()
    hand.tap(page.locator(f"a[href='?what={feat}']"))
    hand.tap(page.locator(".chip").filter(has_text=at))
    if points:
        page.locator("#claim [name=points]").fill(points)
        hand.presses += len(points)
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
    hand.tap(page.get_by_role("button", name="Claim it"))
    expect(page.locator(".claims > li")).to_have_count(there + 1)
    assert hand.presses - before <= MOST_OF_A_CLAIM + len(points)


def cycle_of(hand: Hand, event: Event, pilot: str) -> None:
    """Open the off-board cycle of a pilot."""
    page = hand.page
    hand.tap(page.get_by_role("link", name="Off the board"))
    hand.tap(page.locator(f"main a[href$='/pilots/{pilot}/cycle/']").first)
    expect(page.get_by_role("heading", level=2)).to_contain_text(pilot)


@pytest.mark.parametrize("visit", [LAPTOP], indirect=True)
def test_an_evening_of_phones_and_a_laptop(visit: Visit, phones: dict[str, Hand], hand: Hand, event: Event) -> None:
    page, (jeremy, john) = hand.page, phones.values()
    # EX-BET-1: all 20 of an LB-X 20. Both destroy Josh (MC-AWD-04). EX-REP-2: a limb of Ross beside his actuators.
    claim(jeremy, "damage", "Ross", "20")
    claim(jeremy, "kill", "Josh")
    claim(john, "kill", "Josh")
    claim(john, "blown_off", "Ross")
    page.reload()
    expect(page.locator(".claims")).to_contain_text("Claimed by 3 John too")
    hand.tap(page.get_by_role("button", name="Accept all"))
    expect(page.locator(".pilot-tile").filter(has_text="Josh")).to_contain_text("left")
    end(hand)
    kills = {name: state_of(event).pilots[name].kills for name in ("Jeremy", "John")}
    assert {name: (each.solo, each.assisted) for name, each in kills.items()} == {"Jeremy": (0, 1), "John": (0, 1)}

    # EX-BET-2: the house bets that a death from above fails; it does not, and Jeremy wins a second chip.
    hand.tap(page.get_by_role("link", name="Bets (0)"))
    page.locator("#on").fill("Ross’s death from above hits")
    page.locator("#own").select_option("flashy.B|Jeremy")
    hand.presses += 3
    hand.tap(page.get_by_role("button", name="The bet stands"))
    hand.tap(page.get_by_role("button", name="It happened"))
    expect(page.locator("main")).to_contain_text("No bet is open")
    assert [chip.row for chip in state_of(event).pilots["Jeremy"].chips].count("flashy.B") == 2

    hand.tap(page.get_by_role("link", name="Back to the table"))
    # A tile pressed first asks for its target: the number of a card completes the press.
    hand.actor("John")
    hand.key("h")
    expect(page.get_by_role("alert")).to_contain_text("Say at whom")
    hand.key("1")
    expect(page.locator("[data-undo] button")).to_contain_text("3 John → 1 Ross: Head hit")
    visit.complaints[:] = [each for each in visit.complaints if "409" not in each]
    # After their least turns both leave by a portal.
    for name in ("Ross", "Jeremy"):
        hand.actor(name)
        hand.tile("exit")
    end(hand)
    assert hand.presses <= MOST_AT_THE_LAPTOP

    # EX-REP-2 and EX-REP-3: by its parts the repair costs 930,000, in full 850,000.
    cycle_of(hand, event, "Ross")
    while not page.locator(".sheet").count():
        hand.tap(page.get_by_role("link", name="Leave this step"))
    before = state_of(event).pilots["Ross"].c_bills
    expect(page.locator(".offer").filter(has_text="850,000")).to_have_count(1)
    hand.tap(page.locator(".offer").filter(has_text="930,000").get_by_role("button"))
    expect(page.locator(".offer").filter(has_text="930,000")).to_have_count(0)
    ross = state_of(event).pilots["Ross"]
    assert before - ross.c_bills == 930_000
    # EX-BET-5: Jeremy cashes 2 Fame, 2 CP and 500,000, and his share of the kill.
    before = state_of(event).pilots["Jeremy"].c_bills
    cycle_of(hand, event, "Jeremy")
    hand.tap(page.locator(".offer").filter(has_text="chips").get_by_role("button").first)
    expect(page.locator(".offer").filter(has_text="chips")).to_have_count(0)
    found = state_of(event).pilots["Jeremy"]
    assert (found.fame, found.cp - 10, found.c_bills - before) == (2 + 1, 2 + 2, 500_000 + 800_000)


@pytest.mark.parametrize("visit", [{"viewport": PHONE}], indirect=True)
def test_24_pilots_stand_on_the_first_screen_of_a_phone(visit: Visit, transactional_db: None, live_server: Any) -> None:
    event = open_event("Steel Night", {"tables": [{"id": "Factory"}]}, {"minimum_turns": 2})
    deeds: list[dict[str, Any]] = []
    for number in range(24):
        name = f"Pilot {number}"
        deeds += [
            {"what": "new_pilot", "by": name},
            {"do": "buy_mech", "pilot": name, "mech": "locust_lct_1v"},
            {"what": "enter", "by": name, "turn": 1, "phase": "movement"},
        ]
    write(event.pk, GM, [Wish(f"d{place}", DEED, {**each, "table": "Factory"}) for place, each in enumerate(deeds)])
    key = make_key(event, GM, "agent", table="Factory", label="agent")
    visit.open(f"{live_server.url}/challenge/{event.slug}/key/{key.secret}/")
    tiles = visit.open(f"{live_server.url}/challenge/{event.slug}/tables/Factory/").locator(".pilot-tile")
    expect(tiles).to_have_count(24)
    expect(tiles.last).to_be_in_viewport(ratio=1)
