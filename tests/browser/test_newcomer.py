"""A newcomer's first evening: from the front page to the purse of a cycle, pressing what the pages offer."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from jobs.services import run_pending
from matches.models import Match, MatchAction
from stables.models import LedgerEntry, Placing
from stables.services.ai import solo

from .conftest import PHONE, Visit
from .playing import DESK, answer, click_commit, is_over

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

MOST_PRESSES = 8
"""From “Sign up” to the first decision on the board, everything bought by oneself."""
MOST_ANSWERS = 150
SECRET = b"a season's secret of thirty-two."
"""So that the same presses bring the same evening."""
TOUCH = {"viewport": PHONE, "has_touch": True, "is_mobile": True}


class Person:
    """Presses and counts; between presses the jobs are done, as a worker would, and the page moves on by itself."""

    def __init__(self, page: Page, root: str, is_touching: bool) -> None:
        self.page, self.root, self.is_touching = page, root, is_touching
        self.presses = 0

    def press(self, what: Locator) -> None:
        self.presses += 1
        if self.is_touching:
            what.tap()
        else:
            what.click()

    def button(self, name: str) -> Locator:
        return self.page.get_by_role("button", name=name, exact=True)

    def is_led_to(self, heading: str | re.Pattern[str], level: int = 1) -> None:
        """The page that waits goes on by itself, as soon as what it waits for is done."""
        run_pending()
        expect(self.page.get_by_role("heading", name=heading, level=level)).to_be_visible()

    def attack_if_possible(self, page: Page) -> None:
        """Take the first attack offered, else the first answer; on the board, a hex in the middle of those marked."""
        attacks = page.locator('.options a:has-text("Ranged combat"), .options a:has-text("Close combat")')
        answers, picks = page.locator(".question .options a"), page.locator(".pick:not(.pick-chosen)")
        if attacks.count():
            self.press(attacks.first)
        elif answers.count():
            self.press(answers.first)
        else:
            self.press(picks.nth(picks.count() // 2))


def sign_up(person: Person, length: str) -> None:
    """From the front page to a solo season: choose, sign up, and the season begins with that press."""
    page = person.page
    page.goto(person.root)
    person.press(page.get_by_role("link", name="Play a solo evening").first)
    page.get_by_label("Name of your stable").fill("Copper Lantern")
    page.locator(f"#length-{length}").check()
    page.locator("#difficulty-easy").check()
    person.press(page.locator("#solo-sign-up"))
    page.get_by_label("Username:").fill("newcomer")
    page.get_by_label("E-mail address:").fill("newcomer@example.org")
    page.get_by_label("Password:", exact=True).fill("a stable of copper")
    page.get_by_label("Password confirmation:").fill("a stable of copper")
    person.presses = 0
    person.press(person.button("Sign up"))
    expect(page).not_to_have_url(re.compile("/sign-up"))
    person.is_led_to("Market")


def buy(person: Person, kind: str) -> str:
    """Show one kind and buy the first that can be bought; returns its name."""
    page = person.page
    page.get_by_label("Kind").select_option(kind)
    person.press(person.button("Show"))
    expect(page).to_have_url(re.compile(f"kind={kind}"))
    offer = page.locator("tr", has=page.get_by_role("button", name=re.compile("^Buy"))).first
    name = str(offer.locator("th a").text_content())
    person.press(offer.get_by_role("button", name=re.compile("^Buy")))
    expect(page.locator(".messages")).to_contain_text(name)
    return name


def shop(person: Person) -> tuple[str, str]:
    bought = buy(person, "unit"), buy(person, "pilot")
    person.press(person.page.locator("#say-ready"))
    expect(person.page).not_to_have_url(re.compile("/market/"))
    return bought


def hand_in(person: Person) -> None:
    person.is_led_to("Line-ups")
    person.press(person.button("Hand in and seal"))
    expect(person.page).not_to_have_url(re.compile("/line-ups/$"))


def come_to_the_board(person: Person) -> None:
    run_pending()
    expect(person.page.locator("#play")).to_be_visible()


def play_out(person: Person, choose: Callable[[Page], None]) -> None:
    for _ in range(MOST_ANSWERS):
        if is_over(person.page):
            return
        answer(person.page, choose, click_commit)
    raise AssertionError("the match does not end")


def sees_the_result(person: Person) -> Match:
    """The end of the match on its page, and the same told by the page of what came of it."""
    page = person.page
    match = Match.objects.get(seats__user__username="newcomer")
    assert match.is_finished
    expect(page.locator("#asked-heading")).to_have_text("The match is over")
    own = next(seat.side for seat in match.seats.all() if seat.user_id)
    if match.result["winner"] == own:
        expect(page.locator(".asked .lead")).to_have_text("You won.")
    earned = match.result["sides"][own]["reputation"]
    expect(page.locator(".asked ul").first).to_contain_text(f"Reputation earned: {earned}.")
    return match


def give_the_rest_to_the_ai(person: Person) -> None:
    """The matches that are left: a market, a line-up, and the two presses that hand the match over.

    Who has lost its only ’Mech forfeits, as the page offers.
    """
    for _ in range(2):
        person.is_led_to("Market")
        person.press(person.page.locator("#say-ready"))
        expect(person.page).not_to_have_url(re.compile("/market/"))
        person.is_led_to("Line-ups")
        forfeit = person.button("Forfeit the match")
        expect(forfeit.or_(person.button("Hand in and seal")).first).to_be_visible()
        person.page.wait_for_load_state()
        if forfeit.count():
            person.press(forfeit)
            expect(person.page).not_to_have_url(re.compile("/line-ups/$"))
            continue
        hand_in(person)
        come_to_the_board(person)
        person.press(person.page.locator("#finish-match"))
        person.press(person.page.locator("#finish-yes"))
        expect(person.page.locator("#asked-heading")).to_have_text("The match is over")
        sees_what_happened(person)


def sees_what_happened(person: Person) -> None:
    """After a match: what happened to each of theirs, and the button to what is next."""
    person.press(person.page.locator("#what-is-next"))
    expect(person.page).to_have_url(re.compile("/after/"))
    person.is_led_to(re.compile("^(You (won|lost)|Nobody won)$"))
    person.is_led_to("What happened to your units", level=2)
    person.press(person.page.locator("#next-step-go"))
    expect(person.page).not_to_have_url(re.compile("/after/"))


def sees_the_purse(person: Person) -> None:
    """After the ceremony, in the season, the places and what was earned; at the stable the same purse in the book."""
    page = person.page
    person.is_led_to(re.compile("Champions of Evening of Copper Lantern"))
    person.press(page.get_by_role("link", name="To the season"))
    person.is_led_to(re.compile("Evening of Copper Lantern"))
    placing = Placing.objects.select_related("stable").get(stable__owner__username="newcomer", cycle__number=3)
    row = page.locator("tr.mine", has=page.locator('td[data-label="Purse (Stones)"]')).first
    expect(row.locator('td[data-label="Reputation"]')).to_have_text(str(placing.reputation))
    expect(row.locator('td[data-label="Purse (Stones)"]')).to_have_text(str(placing.purse))
    person.press(row.get_by_role("link", name="Copper Lantern"))
    expect(page.locator("body")).to_contain_text(f"Cycle 3: place {placing.place}, purse {placing.purse} Stones.")
    book = page.locator("section", has=page.locator("#ledger-heading")).locator("tbody tr")
    entry = LedgerEntry.objects.filter(stable=placing.stable, cause="purse").order_by("sequence").last()
    assert entry is not None
    line = book.filter(has=page.locator("td.number", has_text=re.compile(f"^{entry.sequence}$"))).first
    expect(line.locator("td").nth(2)).to_contain_text(str(placing.purse))
    expect(book.first.locator("td").last).to_have_text(str(placing.stable.capital))


@pytest.mark.parametrize("visit", [DESK, TOUCH], indirect=True, ids=["mouse", "touch"])
def test_a_newcomer_plays_a_duel_and_sees_what_it_brought(
    visit: Visit,
    live_server: Any,
    transactional_db: None,
    request: pytest.FixtureRequest,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(solo, "new_secret", lambda: SECRET)
    person = Person(visit.page, live_server.url, "touch" in request.node.callspec.id)
    sign_up(person, "three")
    unit, pilot = shop(person)
    hand_in(person)
    come_to_the_board(person)
    expect(visit.page.locator("#asked-heading")).to_be_visible()
    assert person.presses <= MOST_PRESSES
    for name in (unit, pilot):
        expect(visit.page.locator("#play")).to_contain_text(name)
    play_out(person, person.attack_if_possible)
    match = sees_the_result(person)
    assert not match.actions.filter(cause=MatchAction.Cause.GIVEN).exists()
    sees_what_happened(person)
    give_the_rest_to_the_ai(person)
    sees_the_purse(person)
