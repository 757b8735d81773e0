"""Feats claimed from a phone: they wait, and count only when somebody at the table accepts them."""

from __future__ import annotations

from typing import Any

import pytest
from django.core.exceptions import PermissionDenied
from django.test import Client

from challenge.models import Claim, Entry, Event
from challenge.selectors.access import Access
from challenge.services import claims
from challenge.services.events import close_event
from rules.challenge.folding import ChallengeRefused
from tests.challenge.conftest import GM, Enter
from tests.challenge.test_pilot import Phones, page

ROSS = Access(pilots=frozenset({"Ross"}), name="Ross")
HIT: dict[str, Any] = {"what": "head_hit", "by": "Ross", "at": "Jo", "turn": 1, "phase": "fire", "table": "Factory"}


@pytest.fixture
def phones(event: Event) -> Phones:
    return Phones(event)


def press(client: Client, event: Event, path: str = "pilots/Ross/claim/", **fields: str) -> Any:
    fields.setdefault("client_id", f"phone-{Claim.objects.count()}")
    return client.post(f"/challenge/{event.slug}/{path}", fields)


def test_a_feat_waits_and_counts_when_it_is_accepted(fight: Event, phones: Phones) -> None:
    player, rows = phones.player("Ross"), Entry.objects.count()
    answer = press(player, fight, what="damage", at="Jo", points="25", phase="fire", turn="1")
    assert answer.status_code == 302
    assert Entry.objects.count() == rows
    shown = page(player, fight, "pilots/Ross/claim/")
    assert "waiting" in shown
    assert "Damage: at Jo (2) and 25 points" in shown
    claim = Claim.objects.get()
    press(phones.agent(), fight, "claims/", claim=str(claim.pk), press="accept")
    assert Entry.objects.filter(event=fight).latest("number").document["points"] == 25
    assert "accepted" in page(player, fight, "pilots/Ross/claim/")


def test_each_feat_has_a_button_and_a_form_with_its_targets(fight: Event, phones: Phones) -> None:
    player = phones.player("Ross")
    shown = page(player, fight, "pilots/Ross/claim/")
    assert shown.count('href="?what=') == len(claims.OF_PLAYERS)
    for what in claims.OF_PLAYERS:
        form = page(player, fight, f"pilots/Ross/claim/?what={what}")
        assert f'name="what" value="{what}"' in form
        assert 'value="Ross"' not in form


def test_a_feat_without_its_figures_is_refused_with_a_sentence(fight: Event, phones: Phones) -> None:
    player = phones.player("Ross")
    answer = press(player, fight, what="critical", at="Jo")
    assert answer.status_code == 400
    assert 'role="alert"' in answer.content.decode()
    assert press(player, fight, what="damage", at="Jo", points="x").status_code == 400
    assert press(player, fight, what="sneeze").status_code == 400
    assert Claim.objects.count() == 0


def test_a_second_arrival_is_the_same_claim(fight: Event, phones: Phones) -> None:
    player = phones.player("Ross")
    for _ in range(2):
        assert press(player, fight, what="head_hit", at="Jo", client_id="kept").status_code == 302
    assert Claim.objects.count() == 1


def test_a_late_claim_is_one_of_its_own_turn(fight: Event, enter: Enter, phones: Phones) -> None:
    enter(what="end_turn", turn=1)
    press(phones.player("Ross"), fight, what="head_hit", at="Jo", turn="1")
    assert Claim.objects.get().documents[0]["turn"] == 1
    answer = press(phones.agent(), fight, "claims/", claim=str(Claim.objects.get().pk), press="accept")
    assert answer.status_code == 409
    assert "Turn 1 is closed" in answer.content.decode()


def test_only_the_own_pilot_and_only_feats(fight: Event, phones: Phones) -> None:
    for client in (phones.with_key(), phones.player("Jo"), phones.agent()):
        page(client, fight, "pilots/Ross/claim/", 403)
        assert press(client, fight, what="head_hit", at="Jo").status_code == 403
    assert press(phones.player("Ross"), fight, what="give").status_code == 403
    for document in (
        {**HIT, "by": "Jo", "at": None},
        {**HIT, "overruled": "agreed"},
        {"what": "crowd", "by": "Ross", "table": "Factory"},
        {"do": "buy_edge", "pilot": "Ross", "table": "Factory"},
    ):
        with pytest.raises(PermissionDenied):
            claims.claim(fight, ROSS, "x", Claim.Kind.FEAT, "Ross", "Factory", [document])


def test_an_agent_answers_at_their_own_table_alone(fight: Event, phones: Phones) -> None:
    claims.claim(fight, ROSS, "x", Claim.Kind.FEAT, "Ross", "Factory", [HIT])
    answer = press(phones.agent("Jungle"), fight, "claims/", claim=str(Claim.objects.get().pk), press="accept")
    assert answer.status_code == 403
    assert Claim.objects.get().state == "waiting"


def test_who_is_off_the_board_claims_nothing(fight: Event, enter: Enter, phones: Phones) -> None:
    enter(what="eject", at="Ross", turn=1)
    player = phones.player("Ross")
    assert "not in the arena" in page(player, fight, "pilots/Ross/claim/")
    assert press(player, fight, what="head_hit", at="Jo").status_code == 409


def test_a_flood_of_claims_and_a_closed_event_are_refused(fight: Event) -> None:
    for number in range(claims.MOST_WAITING):
        claims.claim(fight, ROSS, f"x{number}", Claim.Kind.FEAT, "Ross", "Factory", [HIT])
    with pytest.raises(ChallengeRefused) as refused:
        claims.claim(fight, ROSS, "more", Claim.Kind.FEAT, "Ross", "Factory", [HIT])
    assert refused.value.code == "claims_waiting"
    Claim.objects.update(state="struck")
    close_event(fight.pk, GM)
    with pytest.raises(ChallengeRefused) as refused:
        claims.claim(fight, ROSS, "late", Claim.Kind.FEAT, "Ross", "Factory", [HIT])
    assert refused.value.code == "event_closed"


def test_an_answer_goes_back_to_this_site_alone(fight: Event, phones: Phones) -> None:
    agent = phones.agent()
    for number, (following, place) in enumerate(
        (("https://example.org/", "/off-board/"), ("//example.org/", "/off-board/"), ("/challenge/", "/challenge/"))
    ):
        claim = claims.claim(fight, ROSS, f"x{number}", Claim.Kind.FEAT, "Ross", "Factory", [HIT])
        answer = press(agent, fight, "claims/", claim=str(claim.pk), press="strike", next=following)
        assert answer.headers["Location"].endswith(place)
        assert "example.org" not in answer.headers["Location"]
