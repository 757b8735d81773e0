"""The stage of a match: the board and the bar that commits are seen whole, and a tap chooses what the bar names."""

from __future__ import annotations

import random
import re
from collections import Counter
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from matches.models import Match
from matches.services.answering import Seat
from matches.services.matches import create_match
from people.models import User
from rules.catalogue import load_builtin
from rules.competition.match import Match as EngineMatch
from rules.competition.narrowing import TOGETHER
from rules.competition.setups import read_setup
from rules.core.dice import SeededDice
from rules.measuring.self_play import random_setup
from tests.matches.playing import KINDS, SEED, match_at, setup_of, store

from .conftest import Visit
from .playing import choose_all, follow, log_in, with_the_mouse

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

SIZES = ((1366, 625), (1280, 640), (390, 664), (360, 640), (1200, 900), (740, 360))
"""Wide and tall, wide and low, two phones; then a tall desk, and a phone on its side, where only hexes may be small."""
EVERYWHERE = ("move", "combat", "free_spin", "initiative", "react")
OTHERS = sorted(KINDS.keys() - {*EVERYWHERE, "repair"})
"""Decisions looked at in every size, and in one. To find a repair takes longer than to look at all the others."""
LEAST_HEX = {(740, 360): 16}
MOST_BYTES = 15_000
SEEN = """
() => {
  const inside = (box) => box.top >= 0 && box.left >= 0 && box.right <= innerWidth && box.bottom <= innerHeight;
  const box = (what) => document.querySelector(what).getBoundingClientRect();
  const ground = box('.board .b-ground'), bar = box('.bar'), commit = document.querySelector('#commit');
  const heading = document.querySelector('.asked h2');
  return {
    scrolled: scrollY, board: inside(ground), bar: inside(bar), hex: box('.board .b-hex').height,
    commit: !commit || inside(commit.getBoundingClientRect()),
    apart: ground.right <= bar.left || ground.bottom <= bar.top,
    told: !commit || !document.querySelector('.in-short') || inside(box('.in-short')),
    asked: box('.asked h2').bottom <= box('.asked').bottom + .5 && heading.scrollWidth <= heading.clientWidth,
  };
}
"""
WHOLE = {"scrolled": 0, "board": True, "bar": True, "commit": True, "apart": True, "told": True, "asked": True}

MARKS_IN_VIEW = """
() => {
  const place = document.querySelector('.stage-board').getBoundingClientRect();
  return [...document.querySelectorAll('.pick')].map((each) => each.getBoundingClientRect()).filter((at) =>
    at.left >= place.left && at.right <= place.right && at.top >= place.top && at.bottom <= place.bottom).length;
}
"""
ABOVE_BAR = """
document.querySelector('#card').getBoundingClientRect().bottom
  <= document.querySelector('.bar').getBoundingClientRect().top
"""
IN_ROWS = """
() => {
  const box = (what) => document.querySelector(what).getBoundingClientRect();
  const strip = document.querySelector('.bar-choices');
  return [strip.scrollWidth <= strip.clientWidth, box('.running').right <= box('.fold summary').left];
}
"""

CUT_OFF = """
card => {
  const { bottom } = card.getBoundingClientRect();
  const edge = (each) => (each.closest(".scroll") || card).getBoundingClientRect().right + 1;
  return [...card.querySelectorAll(".now dd, .sheet :is(td, dd, li)")].filter((each) => each.checkVisibility())
    .filter((each) => each.getBoundingClientRect().right > edge(each) || each.getBoundingClientRect().bottom > bottom)
    .map((each) => each.textContent.trim());
}
"""
BESIDE = """
() => {
  const [choices, back] = [".bar-choices", ".way-back"].map((each) => document.querySelector(each));
  return choices.getBoundingClientRect().right <= back.getBoundingClientRect().left;
}
"""


@pytest.fixture
def player(transactional_db: None) -> User:
    return User.objects.create_user("player", "player@example.org", "secret words")


def open_at(page: Page, root: str, kind: str, player: User) -> Match:
    """Open the page of a match whose open decision is of this kind, as the person of every side."""
    match = match_at(kind, lambda side: Seat(side, player.pk))
    page.goto(f"{root}{match.get_absolute_url()}play/")
    if page.locator("[name=take]").count():
        page.locator("#play button").first.click()
    expect(page.locator(".bar")).to_be_visible()
    return match


def is_whole(page: Page) -> None:
    for width, height in SIZES:
        page.set_viewport_size({"width": width, "height": height})
        seen = page.evaluate(SEEN)
        assert seen.pop("hex") >= LEAST_HEX.get((width, height), 24)
        assert seen == WHOLE, (width, height)


@pytest.mark.parametrize("kind", EVERYWHERE)
def test_board_and_bar_are_whole_at_every_decision(visit: Visit, live_server: Any, player: User, kind: str) -> None:
    """Of a move, an attack, a facing, and one that is answered by yes or no, before and after it is chosen."""
    page = visit.page
    log_in(page, live_server.url)
    open_at(page, live_server.url, kind, player)
    is_whole(page)
    if kind == "react":
        # What an answer costs is said where one press plays it, on a phone too.
        page.set_viewport_size({"width": 360, "height": 640})
        for remark in page.locator(".presses .remark").all():
            expect(remark).to_be_visible()
        assert page.locator(".presses .remark").count()
        # No answer hides beside another one, and the menu not over the score.
        expect(page.locator(".presses button").nth(1)).to_be_in_viewport()
        assert page.evaluate(IN_ROWS) == [True, True]
        page.locator("[name=always]").check()
    choose_all(page, with_the_mouse)
    is_whole(page)
    if kind == "react":
        # The tick not to be asked again went along to the page on which the answer is looked at.
        expect(page.locator("[name=always]")).to_be_checked()


def test_a_large_ground_zooms_to_what_can_be_pointed_at(visit: Visit, live_server: Any, player: User) -> None:
    """The grand melee: hexes of 24 pixels or more, and one tap back to the whole ground."""
    page = visit.page
    log_in(page, live_server.url)
    setup = random_setup(load_builtin(), random.Random(4), "grand_melee", sides=8).to_json()
    match = create_match(setup, SEED, None, [Seat(side["id"], player.pk) for side in setup["sides"]])
    page.goto(f"{live_server.url}{match.get_absolute_url()}play/")
    seen_zoomed(page)
    page.set_viewport_size({"width": 360, "height": 640})
    page.reload()
    assert page.evaluate(MARKS_IN_VIEW)
    page.set_viewport_size({"width": 1366, "height": 625})
    for score in page.locator(".running .side-mark").all():
        expect(score).to_be_in_viewport(ratio=0.9)
    page.locator(".pick").first.click()
    expect(page.locator("#commit")).to_be_visible()
    seen_zoomed(page)
    looks_by_keys(page)
    page.locator("#zoom").click()
    expect(page.locator("#zoom")).to_have_text("Zoom in")
    before = page.url
    page.locator(".pick:not(.pick-chosen)").first.click()
    expect(page).not_to_have_url(before)
    expect(page.locator("#zoom")).to_have_text("Zoom in")
    expect(page.locator("#commit")).to_be_visible()
    for width, height in SIZES:
        page.set_viewport_size({"width": width, "height": height})
        seen = page.evaluate(SEEN)
        seen.pop("hex")
        assert seen == WHOLE, (width, height)


def test_board_and_bar_are_whole_at_the_other_decisions_too(visit: Visit, live_server: Any, player: User) -> None:
    """One phone is enough for them: what can differ is what the bar holds."""
    page = visit.page
    log_in(page, live_server.url)
    page.set_viewport_size({"width": 360, "height": 640})
    for kind in OTHERS:
        open_at(page, live_server.url, kind, player)
        seen = page.evaluate(SEEN)
        assert seen.pop("hex") >= 24 or page.locator("#zoom").count(), kind
        assert seen == WHOLE, kind


@pytest.mark.parametrize("visit", [{"locale": "pl"}, {"locale": "de"}], indirect=True)
@pytest.mark.parametrize("kind", ["cancel", "initiative", "react"])
def test_the_question_is_whole_in_longer_words(visit: Visit, live_server: Any, player: User, kind: str) -> None:
    page = visit.page
    page.goto(f"{live_server.url}/people/log-in")
    page.locator("#id_username").fill("player")
    page.locator("#id_password").fill("secret words")
    follow(page.locator("main button[type=submit]"))
    open_at(page, live_server.url, kind, player)
    is_whole(page)


def test_three_weapons_are_whole_in_the_bar_of_a_phone(visit: Visit, live_server: Any, player: User) -> None:
    page = visit.page
    log_in(page, live_server.url)
    page.set_viewport_size({"width": 360, "height": 640})
    setup, seed, engine, target = with_three_weapons()
    match = store(setup, seed, engine, [Seat(side["id"], player.pk) for side in setup["sides"]])
    page.goto(f"{live_server.url}{match.get_absolute_url()}play/")
    page.locator("#play button").first.click()
    expect(page.locator(".bar")).to_be_visible()
    page.goto(f"{live_server.url}{match.get_absolute_url()}play/?order=ranged&target={target}")
    weapons = page.locator(".bar .options a")
    assert weapons.count() >= 3
    for weapon in weapons.all():
        expect(weapon).to_be_in_viewport(ratio=1)


def with_three_weapons() -> tuple[dict[str, Any], bytes, EngineMatch, str]:
    """A match in which one target can be shot at in three ways, and that target."""
    for number in range(40):
        setup, seed, rng = setup_of("cards", number), f"seed {number}".encode().ljust(32), random.Random(number)
        engine = EngineMatch.start(read_setup(setup), SeededDice(seed))
        while engine.decision is not None and len(engine.actions) < 250:
            shots = Counter(
                TOGETHER.join(each["targets"]) for each in engine.legal_actions() if each.get("order") == "ranged"
            )
            if shots and (best := shots.most_common(1)[0])[1] == 3:
                return setup, seed, engine, best[0]
            engine.play(engine.sample_action(rng))
    raise AssertionError("nobody has three weapons")


def looks_by_keys(page: Page) -> None:
    """Enter on the button that shows the whole ground leaves the focus there, so that a second one plays nothing."""
    version = str(page.locator("#play").get_attribute("data-version"))
    page.locator("#zoom").focus()
    for text in ("Zoom in", "Whole board"):
        page.keyboard.press("Enter")
        expect(page.locator("#zoom")).to_have_text(text)
        expect(page.locator("#zoom")).to_be_focused()
    expect(page.locator("#play")).to_have_attribute("data-version", version)


def seen_zoomed(page: Page) -> None:
    for width, height in SIZES:
        page.set_viewport_size({"width": width, "height": height})
        seen = page.evaluate(SEEN)
        assert seen["hex"] >= LEAST_HEX.get((width, height), 24)
        assert (seen["scrolled"], seen["bar"], seen["commit"]) == (0, True, True)


def test_keys_commit_go_back_and_explain(visit: Visit, live_server: Any, player: User) -> None:
    page, box = visit.page, visit.page.locator("#box")
    log_in(page, live_server.url)
    open_at(page, live_server.url, "move", player)
    there = page.url
    # Of a long text the first line is seen until it is pressed.
    page.locator(".asked").click()
    page.locator(".asked .rule").click()
    expect(box).to_contain_text("moving needs a move order")
    assert page.url == there
    page.keyboard.press("Escape")
    page.keyboard.press("?")
    expect(box).to_contain_text("takes the last choice back")
    expect(box.locator(".taps")).to_be_hidden()
    page.keyboard.press("Escape")
    page.locator(".pick").first.click()
    expect(page.locator("#commit")).to_have_text(re.compile(r"(Walk|Run|Jump) to \d{4}"))
    page.keyboard.press("Backspace")
    expect(page.locator("#commit")).to_have_count(0)
    sent: list[str] = []
    page.on("request", lambda request: sent.append(request.method))
    page.locator(".pick").first.focus()
    page.keyboard.down("Enter")
    expect(page.locator("#commit")).to_be_focused()
    # The key is still down, and repeats itself: on the button, and where nothing has the focus.
    page.keyboard.down("Enter")
    page.locator("#commit").blur()
    page.keyboard.down("Enter")
    page.keyboard.up("Enter")
    expect(page.locator("#play")).not_to_have_attribute("aria-busy", "true")
    assert "POST" not in sent
    version = str(page.locator("#play").get_attribute("data-version"))
    page.locator("#commit").blur()
    with page.expect_response(lambda answer: answer.request.method == "POST") as played:
        page.keyboard.press("Enter")
    expect(page.locator("#play")).not_to_have_attribute("data-version", version)
    assert played.value.status == 200
    assert int(played.value.headers["content-length"]) <= MOST_BYTES


def test_a_unit_shows_its_whole_card_to_a_mouse_a_key_and_a_finger(
    visit: Visit, live_server: Any, player: User
) -> None:
    """The other side's cards stay face down, and a press on a unit plays and chooses nothing."""
    page, card = visit.page, visit.page.locator("#card")
    log_in(page, live_server.url)
    match = open_at(page, live_server.url, "combat", player)
    there = page.url
    units = [side["units"][0]["id"] for side in match.setup["sides"]]
    mine, theirs = (page.locator(f"svg a.b-unit[data-card='sheet-{unit}']") for unit in units)
    # While what happened before is played, a unit may move away from the pointer.
    expect(page.locator(".board .playback")).to_have_count(0)
    theirs.hover()
    expect(card.locator("tr.current").first).to_be_visible()
    expect(card).to_contain_text("face-down rally cards")
    expect(card).to_contain_text(match.setup["sides"][1]["units"][0]["gear"][0]["name"])
    expect(card.get_by_role("button")).to_be_hidden()
    assert page.evaluate(ABOVE_BAR)
    page.locator(".b-ground").hover(position={"x": 3, "y": 3}, force=True)
    expect(card).to_be_hidden()
    page.keyboard.press("Tab")
    mine.focus()
    expect(card).to_contain_text("Rally card:")
    page.keyboard.press("Escape")
    expect(card).to_be_hidden()
    mine.click()
    expect(card.locator("tr.current").first).to_be_in_viewport()
    expect(card.get_by_role("button")).to_be_in_viewport(ratio=1)
    card.get_by_role("button").click()
    expect(card).to_be_hidden()
    assert page.url == there


@pytest.mark.parametrize("visit", [{"viewport": {"width": 1366, "height": 625}}], indirect=True)
def test_the_card_of_a_unit_that_is_pointed_at_is_seen_whole(visit: Visit, live_server: Any, match: Match) -> None:
    """In a duel without cards: a mouse cannot scroll it, so both dials and what equipment does are on the screen."""
    page, card = visit.page, visit.page.locator("#card")
    log_in(page, live_server.url)
    page.goto(f"{live_server.url}{match.get_absolute_url()}play/")
    for unit in page.locator("svg a.b-unit[data-card]").all():
        page.mouse.move(2, 2)
        unit.hover(force=True)
        expect(card.locator("tr.current")).to_have_count(2)
        assert card.evaluate(CUT_OFF) == []


@pytest.mark.parametrize("visit", [{"viewport": {"width": 360, "height": 640}, "has_touch": True}], indirect=True)
def test_choices_and_the_ways_back_stand_beside_each_other(visit: Visit, live_server: Any, player: User) -> None:
    page = visit.page
    log_in(page, live_server.url)
    page.set_viewport_size({"width": 360, "height": 640})
    match = open_at(page, live_server.url, "move", player)
    page.goto(f"{live_server.url}{match.get_absolute_url()}play/?order=move")
    expect(page.locator(".way-back")).to_be_visible()
    assert page.evaluate(BESIDE)


def test_facings_are_large_enough_for_a_finger(visit: Visit, live_server: Any, player: User) -> None:
    """24 pixels or more, for a unit on the rim of the board too."""
    page = visit.page
    log_in(page, live_server.url)
    open_at(page, live_server.url, "move", player)
    page.set_viewport_size({"width": 360, "height": 640})
    choose_all(page, with_the_mouse)
    expect(page.locator(".question-facings [aria-current]")).to_be_in_viewport(ratio=1)
    boxes = [spoke.bounding_box() for spoke in page.locator(".spoke .touch").all()]
    assert len(boxes) == 12
    assert all(box and box["width"] >= 24 and box["height"] >= 24 for box in boxes)
