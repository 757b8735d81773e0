"""A player's phone on the network of a hall: claims wait in it, arrive once, and polls carry nothing of the reader."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Page, Request, expect

from challenge.models import Claim, Event
from challenge.selectors.access import Access
from challenge.services.books import Wish, write
from challenge.services.events import make_key, open_event
from rules.challenge.book.rows import DEED
from tests.browser.conftest import Visit
from tests.browser.networks import can_fail, failing

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

GM = Access(is_gm=True, name="gm")
PLAIN_HTTP = """
delete Crypto.prototype.randomUUID;
for (const name of ["serviceWorker", "wakeLock"]) delete Navigator.prototype[name];
"""
"""What a browser does not offer a page of the laptop, whose address is plain http."""
KEEPS_NOTHING = "Storage.prototype.setItem = () => { throw new DOMException('full', 'QuotaExceededError'); };"
FORGOTTEN_AFTER_MINUTES = 3


@pytest.fixture
def event(transactional_db: None) -> Event:
    """Ross and Jo stand in the arena of one table."""
    event = open_event("Steel Night", {"tables": [{"id": "Factory"}]}, {"minimum_turns": 2})
    deeds: list[dict[str, Any]] = []
    for name in ("Ross", "Jo"):
        deeds += [
            {"what": "new_pilot", "by": name},
            {"do": "buy_mech", "pilot": name, "mech": "locust_lct_1v"},
            {"what": "enter", "by": name, "turn": 1, "phase": "movement"},
        ]
    write(event.pk, GM, [Wish(f"d{place}", DEED, {**each, "table": "Factory"}) for place, each in enumerate(deeds)])
    return Event.objects.get(pk=event.pk)


@pytest.fixture
def form(visit: Visit, event: Event, live_server: Any) -> str:
    """The address at which Ross's phone claims a hit on a head."""
    can_fail(visit.page)
    visit.page.add_init_script(PLAIN_HTTP)
    key = make_key(event, GM, "player", pilot="Ross")
    visit.open(f"{live_server.url}/challenge/{event.slug}/key/{key.secret}/")
    return f"{live_server.url}/challenge/{event.slug}/pilots/Ross/claim/?what=head_hit"


def claim_a_hit(page: Page) -> None:
    page.locator(".chip", has_text="Jo").click()
    page.get_by_role("button", name="Claim it").click()


def test_a_claim_waits_in_the_phone_over_a_reload_and_arrives_once(visit: Visit, form: str, event: Event) -> None:
    page = visit.open(form)
    # The radio link fails for what scripts send, also while the page is loaded again.
    page.route("**/claim/", lambda route: route.abort() if route.request.method == "POST" else route.continue_())
    claim_a_hit(page)
    expect(page.locator("#unsent")).to_contain_text("kept on this phone: 1")
    page.reload()
    expect(page.locator("#unsent")).to_contain_text("kept on this phone: 1")
    assert not Claim.objects.exists()
    page.unroute("**/claim/")
    page.evaluate("dispatchEvent(new Event('online'))")
    expect(page.locator("main")).to_contain_text("waiting")
    expect(page.locator("#unsent")).to_be_hidden()
    claim = Claim.objects.get(event=event)
    assert (claim.pilot, claim.documents[0]["what"], claim.documents[0]["at"]) == ("Ross", "head_hit", "Jo")
    page.reload()
    expect(page.locator("#unsent")).to_be_hidden()
    assert Claim.objects.count() == 1
    visit.complaints[:] = [each for each in visit.complaints if "ERR_FAILED" not in each]


def test_a_claim_whose_answer_was_lost_is_sent_again_and_is_one_claim(visit: Visit, form: str) -> None:
    page = visit.open(form)
    with failing(visit, "silent"):
        claim_a_hit(page)
        kept = page.evaluate("Object.entries(localStorage).find(([name]) => name.startsWith('challenge-claims'))")
    page.reload()
    expect(page.locator("main")).to_contain_text("waiting")
    # The site has it, and the phone keeps it all the same, as one does whose answer was lost.
    page.evaluate("([name, text]) => localStorage.setItem(name, text)", kept)
    with page.expect_response(lambda answer: answer.request.method == "POST" and "/claim/" in answer.url):
        page.reload()
    expect(page.locator("#unsent")).to_be_hidden()
    assert page.evaluate("name => localStorage.getItem(name)", kept[0]) == "[]"
    assert Claim.objects.count() == 1


def test_a_claim_that_is_refused_says_why(visit: Visit, form: str, event: Event) -> None:
    page = visit.open(form)
    ejects = {"what": "eject", "at": "Ross", "turn": 1, "phase": "fire", "table": "Factory"}
    write(event.pk, GM, [Wish("out", DEED, ejects)])
    claim_a_hit(page)
    expect(page.locator("#unsent")).to_contain_text("Refused: Ross is not in the arena")
    visit.complaints[:] = [each for each in visit.complaints if "409" not in each]


def test_a_phone_that_keeps_nothing_still_sends(visit: Visit, form: str) -> None:
    visit.page.add_init_script(KEEPS_NOTHING)
    page = visit.open(form)
    claim_a_hit(page)
    expect(page.locator("main")).to_contain_text("waiting")
    assert Claim.objects.count() == 1


def test_the_page_says_how_old_its_data_are(visit: Visit, form: str) -> None:
    visit.page.clock.install()
    page = visit.open(form)
    expect(page.locator("#age")).to_contain_text("Read at")
    page.clock.run_for(FORGOTTEN_AFTER_MINUTES * 60_000 + 10_000)
    expect(page.locator("#age")).to_contain_text(f"Minutes since it was read: {FORGOTTEN_AFTER_MINUTES}")


def test_a_poll_of_the_board_carries_no_cookie_and_is_empty_without_news(
    visit: Visit, form: str, event: Event, live_server: Any
) -> None:
    page = visit.page
    assert any(each["name"] == "sessionid" for each in page.context.cookies()), "the phone has a key"
    asked: list[Request] = []
    page.on("request", lambda request: asked.append(request) if "/board/state/" in request.url else None)
    page.clock.install()
    visit.open(f"{live_server.url}/challenge/{event.slug}/board/")
    with page.expect_response("**/board/state/**") as unchanged:
        page.clock.run_for(4_000)
    assert (unchanged.value.status, unchanged.value.headers.get("content-length", "0")) == (204, "0")
    hit = {"what": "head_hit", "by": "Ross", "at": "Jo", "turn": 1, "phase": "fire", "table": "Factory"}
    write(event.pk, GM, [Wish("hit", DEED, hit)])
    with page.expect_response("**/board/state/**") as changed:
        page.clock.run_for(4_000)
    assert changed.value.status == 200
    assert len(asked) >= 2
    assert all("cookie" not in each.all_headers() for each in asked)
