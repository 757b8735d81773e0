"""How many presses a turn takes by plain forms: 24 pilots with 60 feats, typed and with claims."""

from __future__ import annotations

from typing import Any

import pytest
from django.http import QueryDict
from django.test import Client

from challenge.forms.feats import Chosen
from challenge.models import Claim, Entry, Event
from challenge.services.events import make_key
from tests.challenge.conftest import GM, LIGHT
from tests.challenge.test_table import page_of, state_of

PILOTS = [f"Pilot {number}" for number in range(1, 25)]
FEATS = ("damage.20-39", "critical.weapon", "head_hit", "melee", "blown_off", "critical.gyro")
MOST_TYPED, MOST_WITH_CLAIMS = 180, 36


class Hand:
    """A hand that presses what a page shows, and counts: a link, a target, a tile, each one press."""

    def __init__(self, client: Client, event: Event) -> None:
        self.client, self.event, self.presses, self.posts = client, event, 0, 0
        self.look(page_of(event))

    def look(self, address: str) -> None:
        answer = self.client.get(address)
        assert answer.status_code == 200
        self.context, self.page = answer.context, answer.content.decode()

    def follow(self, name: str) -> None:
        """Press the tile of a pilot."""
        self.presses += 1
        self.look(page_of(self.event, f"?by={name.replace(' ', '%20')}&phase=fire"))
        self.chosen: Chosen = self.context["view"].chosen

    def tile(self, feat: str, at: str) -> None:
        """Press a tile, and before it the target unless it is chosen still."""
        chosen = self.chosen
        self.presses += 1 + (chosen.at != at)
        assert f'name="at" value="{at}"' in self.page
        assert f'name="feat" value="{feat}"' in self.page
        self.post("feat/", by=chosen.by, at=at, phase=chosen.phase, feat=feat)
        self.chosen = Chosen.read(QueryDict(self.answered.partition("?")[2]))

    def post(self, where: str, **fields: Any) -> None:
        self.posts += 1
        sent = {"client_id": f"press{self.posts}", "turn": 1, **fields}
        answer = self.client.post(page_of(self.event, where), sent)
        assert answer.status_code == 302, answer.context["problem"]
        self.answered: str = answer.headers["Location"]

    def end(self) -> None:
        """Press "Nothing for all who are left", then confirm."""
        self.presses += 2
        assert page_of(self.event, "end/") in self.page
        self.look(page_of(self.event, "end/"))
        self.post("end/")


@pytest.fixture
def arena(event: Event) -> Event:
    """24 pilots in the arena, each in a Locust."""
    deeds = []
    for name in PILOTS:
        deeds += [{"what": "new_pilot", "by": name}, {"do": "buy_mech", "pilot": name, "mech": LIGHT},
                  {"what": "enter", "by": name, "turn": 1, "phase": "movement"}]  # fmt: skip
    first = event.written + 1
    Entry.objects.bulk_create(
        Entry(event=event, number=number, client_id=f"a{number}", kind="deed", role="gm",
              document={**deed, "table": "Factory"})
        for number, deed in enumerate(deeds, start=first)
    )  # fmt: skip
    Event.objects.filter(pk=event.pk).update(written=event.written + len(deeds))
    event.refresh_from_db()
    return event


@pytest.fixture
def hand(arena: Event) -> Hand:
    key = make_key(arena, GM, "agent", table="Factory", label="agent")
    client = Client()
    client.get(f"/challenge/{arena.slug}/key/{key.secret}/")
    return Hand(client, arena)


def feats() -> list[tuple[str, str, list[str]]]:
    """60 feats: every pilot in turn at the next one, two or three each."""
    return [
        (name, PILOTS[(place + 1) % len(PILOTS)], [FEATS[(place + each) % len(FEATS)] for each in range(2 + place % 2)])
        for place, name in enumerate(PILOTS)
    ]


def test_24_pilots_with_60_feats_take_180_presses_at_most(hand: Hand, arena: Event) -> None:
    for name, at, own in feats():
        hand.follow(name)
        for feat in own:
            hand.tile(feat, at)
    facts = [fact for fact in state_of(arena).tables["Factory"].facts if fact.entry.what != "enter"]
    assert len(facts) == 60
    hand.end()
    state = state_of(arena)
    assert state.tables["Factory"].turn == 2
    assert all(pilot.fame > 0 for pilot in state.pilots.values())
    assert hand.presses <= MOST_TYPED


def test_with_claims_they_take_36_at_most(hand: Hand, arena: Event) -> None:
    for number, (name, at, own) in enumerate(feats()):
        documents = [
            {"what": "critical" if "critical" in feat else "blown_off", "by": name, "at": at, "phase": "fire",
             "turn": 1, "table": "Factory", **({"part": feat.partition(".")[2]} if "critical" in feat else {})}
            for feat in own
        ]  # fmt: skip
        Claim.objects.create(event=arena, client_id=f"c{number}", kind="feat", pilot=name, table="Factory",
                             documents=documents)  # fmt: skip
    hand.look(page_of(arena))
    hand.presses += 1
    hand.post("claims/", all=[each.claim.pk for each in hand.context["view"].claims])
    hand.end()
    assert hand.presses <= MOST_WITH_CLAIMS
    assert all(pilot.fame > 0 for pilot in state_of(arena).pilots.values())
