"""A person at the page of a match: pointing, pressing keys, and playing it to its end."""

from __future__ import annotations

from collections.abc import Callable

from playwright.sync_api import Locator, Page, expect

MOST_ANSWERS, MOST_STEPS, MOST_TABS = 250, 8, 150
DESK = {"viewport": {"width": 1200, "height": 900}}

Choose = Callable[[Page], None]


def log_in(page: Page, root: str, name: str = "player") -> None:
    page.goto(f"{root}/people/log-in")
    page.locator("#id_username").fill(name)
    page.locator("#id_password").fill("secret words")
    page.locator("main button[type=submit]").click()
    expect(page.get_by_role("button", name="Log out")).to_be_visible()


def follow(what: Locator) -> None:
    """Press what leads to another page, or to the same one anew, and wait for that page with all its parts.

    Of a page that is still on its way less may be there than was expected, and the page before it is still asked.
    """
    # What led here is over once this is seen, and is not taken for what comes of the press.
    expect(what).to_be_visible()
    with what.page.expect_navigation():
        what.click()


COMMIT = "#commit, .presses .options button"
"""What plays an answer: the button of a complete one, or those of a question that takes one press."""


def is_over(page: Page) -> bool:
    return page.locator("#play[data-over]").count() == 1


def answer(page: Page, choose: Choose, play: Choose) -> None:
    """Choose step by step until there is something to play, play it, and wait for what comes of it."""
    version = str(page.locator("#play").get_attribute("data-version"))
    choose_all(page, choose)
    play(page)
    expect(page.locator("#play")).not_to_have_attribute("data-version", version)


def choose_all(page: Page, choose: Choose) -> None:
    """Choose step by step until there is something to play, or until there were as many steps as a decision has."""
    for _ in range(MOST_STEPS):
        # Without its script the page follows a link as any other does, and is there from its top downwards.
        page.wait_for_load_state()
        if page.locator(COMMIT).count():
            break
        before = page.url
        choose(page)
        expect(page).not_to_have_url(before)


def play_out(page: Page, choose: Choose, play: Choose) -> None:
    for _ in range(MOST_ANSWERS):
        if is_over(page):
            return
        answer(page, choose, play)
    raise AssertionError("the match does not end")


def with_the_mouse(page: Page) -> None:
    """Point at the board where something can be pointed at, else at a button: attack if possible."""
    attacks = page.locator('.options a:has-text("Ranged combat"), .options a:has-text("Close combat")')
    picks, aimed = page.locator(".pick:not(.pick-chosen)"), page.locator(".aimed")
    if attacks.count():
        attacks.first.click()
    elif aimed.count():
        aimed.first.click()
    elif picks.count():
        picks.nth(picks.count() // 2).click()
    else:
        page.locator(".question a").first.click()


def tab_to(page: Page, wanted: Locator, key: str = "Tab") -> None:
    """Press Tab, or Shift+Tab, until the focus is on the element."""
    expect(wanted).to_be_attached()
    page.wait_for_load_state()
    for _ in range(MOST_TABS):
        if wanted.evaluate("(element) => element === document.activeElement"):
            return
        page.keyboard.press(key)
    raise AssertionError("the keyboard does not reach it")


def by_keyboard(page: Page) -> None:
    """Reach the question by Tab; walk over the board by arrow keys."""
    question = page.locator(".question").first
    if "question-hexes" in str(question.get_attribute("class")):
        tab_to(page, page.locator('.picks a[tabindex="0"]'))
        focused = "document.activeElement.getAttribute('aria-label')"
        first = page.evaluate(focused)
        for key in ("ArrowUp", "ArrowDown", "ArrowLeft", "ArrowRight"):
            page.keyboard.press(key)
            if page.evaluate(focused) != first:
                break
    else:
        tab_to(page, question.locator("a").last)
    page.keyboard.press("Enter")


def commit_by_keyboard(page: Page) -> None:
    tab_to(page, page.locator(COMMIT).first)
    page.keyboard.press("Enter")


def click_commit(page: Page) -> None:
    page.locator(COMMIT).first.click()
