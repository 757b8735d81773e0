"""On a phone every answer of the bar is seen, also when the last step can be taken back."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import expect

from matches.presenters import play
from matches.services.answering import Seat
from people.models import User
from tests.matches.playing import KINDS, match_at

from .conftest import Visit
from .playing import log_in

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

PHONES = ((360, 640), (390, 664))
HIDDEN = """
() => {
  const place = document.querySelector(".bar-choices").getBoundingClientRect();
  const answers = document.querySelectorAll(".bar .question:not(.question-facings) .options :is(.button, button)");
  return [...answers].filter((each) => {
    const at = each.getBoundingClientRect();
    return at.top < place.top - 1 || at.bottom > Math.min(place.bottom, innerHeight) + 1 || at.left < place.left - 1
      || at.right > place.right + 1 || each.scrollWidth > each.clientWidth;
  }).map((each) => each.innerText);
}
"""


def test_every_answer_is_seen_on_a_phone(
    visit: Visit, live_server: Any, monkeypatch: pytest.MonkeyPatch, transactional_db: None
) -> None:
    player = User.objects.create_user("player", "player@example.org", "secret words")
    monkeypatch.setattr(play, "answers_to_take_back", lambda *_: 1)
    page = visit.page
    log_in(page, live_server.url)
    hidden = {}
    # To find a repair takes longer than to look at all the others.
    for kind in sorted(KINDS.keys() - {"repair"}):
        match = match_at(kind, lambda side: Seat(side, player.pk))
        page.goto(f"{live_server.url}{match.get_absolute_url()}play/")
        if page.locator("[name=take]").count():
            page.locator("#play button").first.click()
        expect(page.locator("#take-back")).to_be_visible()
        for width, height in PHONES:
            page.set_viewport_size({"width": width, "height": height})
            if found := page.evaluate(HIDDEN):
                hidden[kind, width] = found
    assert hidden == {}
