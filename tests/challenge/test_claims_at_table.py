"""Claims at the table: several share a fall, what is refused waits on in its row, and late ones block nobody."""

from __future__ import annotations

from typing import Any

import pytest
from django.core.exceptions import PermissionDenied
from django.test import Client

from challenge.models import Claim, Entry, Event
from challenge.selectors.access import Access
from challenge.services.books import Wish, write
from challenge.services.claims import accept_feats, claim
from rules.challenge.book.rows import UNDO
from rules.challenge.folding import ChallengeRefused
from tests.challenge.conftest import AGENT, LIGHT, Enter
from tests.challenge.test_claim import HIT, ROSS, phones, press
from tests.challenge.test_pilot import Phones, page
from tests.challenge.test_table import page_of, state_of
from tests.challenge.test_table import press as press_at_table

__all__ = ["phones"]


@pytest.fixture
def melee(fight: Event, enter: Enter) -> Event:
    """Kim and Ana stand in the arena, too."""
    for name in ("Kim", "Ana"):
        enter(what="new_pilot", by=name)
        enter(do="buy_mech", pilot=name, mech=LIGHT)
        enter(what="enter", by=name, turn=1, phase="movement")
    fight.refresh_from_db()
    return fight


def claimed(event: Event, pilot: str, **document: Any) -> Claim:
    """A claim as the phone of a pilot sends it."""
    deed = {"by": pilot, "phase": "fire", "turn": 1, "table": "Factory", **document}
    who = Access(pilots=frozenset({pilot}))
    return claim(event, who, f"c{Claim.objects.count()}", Claim.Kind.FEAT, pilot, "Factory", [deed])


def kills(event: Event, name: str) -> tuple[int, int]:
    found = state_of(event).pilots[name].kills
    return found.solo, found.assisted


@pytest.mark.parametrize("one_by_one", [False, True])
def test_two_phones_that_claim_one_kill_share_it(melee: Event, enter: Enter, phones: Phones, one_by_one: bool) -> None:
    """MC-AWD-04: an assist for both, whether the agent takes them together or the second after the first."""
    agent = phones.agent()
    for pilot in ("Ross", "Kim"):
        answer = press(
            phones.player(pilot), melee, f"pilots/{pilot}/claim/", what="kill", at="Jo", phase="fire", turn="1"
        )
        assert answer.status_code == 302
    first, second = Claim.objects.order_by("pk")
    shown = agent.get(page_of(melee)).content.decode()
    assert "Claimed by 3 Kim too" in shown
    assert "Claimed by 1 Ross too" in shown
    if one_by_one:
        press_at_table(agent, melee, "claims/", accept=first.pk)
        assert "Claimed by 1 Ross too" in agent.get(page_of(melee)).content.decode()
        assert press_at_table(agent, melee, "claims/", accept=second.pk).status_code == 302
    else:
        assert press_at_table(agent, melee, "claims/", all=[first.pk, second.pk]).status_code == 302
    enter(what="end_turn", turn=1)
    assert kills(melee, "Ross") == kills(melee, "Kim") == (0, 1)


def test_who_has_fallen_in_this_turn_is_still_a_target_of_a_phone(melee: Event, enter: Enter, phones: Phones) -> None:
    enter(what="kill", by="Ross", at="Jo", turn=1, phase="fire")
    assert 'value="Jo"' in page(phones.player("Kim"), melee, "pilots/Kim/claim/?what=kill")
    enter(what="end_turn", turn=1)
    assert 'value="Jo"' not in page(phones.player("Kim"), melee, "pilots/Kim/claim/?what=kill")


def test_who_falls_still_claims_what_they_did_in_that_phase(fight: Event, enter: Enter, phones: Phones) -> None:
    """MC-AWD-03: two who destroy each other in one phase both claim, the second after their own fall."""
    enter(what="kill", by="Ross", at="Jo", turn=1, phase="fire")
    player = phones.player("Jo")
    assert "What happened?" in page(player, fight, "pilots/Jo/claim/")
    sent = {"what": "kill", "at": "Ross", "turn": "1"}
    assert press(player, fight, "pilots/Jo/claim/", phase="fire", **sent).status_code == 302
    assert press(player, fight, "pilots/Jo/claim/", phase="physical", **sent).status_code == 302
    first, late = Claim.objects.order_by("pk")
    assert list(accept_feats(fight.pk, AGENT, [first.pk, late.pk])) == [late.pk]
    enter(what="end_turn", turn=1)
    assert kills(fight, "Ross") == kills(fight, "Jo") == (1, 0)
    assert "What happened?" not in page(player, fight, "pilots/Jo/claim/")


def test_an_undone_first_claim_leaves_the_second_alone(melee: Event, enter: Enter) -> None:
    first, second = (claimed(melee, name, what="kill", at="Jo") for name in ("Ross", "Kim"))
    accept_feats(melee.pk, AGENT, [first.pk, second.pk])
    number = Entry.objects.get(client_id="c0-0").number
    write(melee.pk, AGENT, [Wish("undo", UNDO, {}, undoes=number)])
    enter(what="end_turn", turn=1)
    assert (kills(melee, "Ross"), kills(melee, "Kim")) == ((0, 0), (1, 0))


def test_what_can_be_taken_is_and_the_rest_waits_in_its_row(melee: Event, phones: Phones) -> None:
    agent = phones.agent()
    good = [claimed(melee, "Ross", what="head_hit", at="Jo"), claimed(melee, "Kim", what="head_hit", at="Jo")]
    edges = [claimed(melee, "Ana", what="edge", on="any roll") for _ in range(2)]
    answer = press_at_table(agent, melee, "claims/", all=[each.pk for each in (good[0], *edges, good[1])])
    assert answer.status_code == 409
    assert answer.context["problem"] == ""
    (row,) = answer.context["view"].claims
    assert row.claim == edges[1]
    assert "Ana" in row.refused
    facts = state_of(melee).tables["Factory"].facts
    assert [fact.entry.what for fact in facts][-3:] == ["head_hit", "head_hit", "edge"]
    assert "overruled" not in answer.content.decode()


def test_the_chips_of_a_refused_claim_overrule_it(melee: Event, phones: Phones, enter: Enter) -> None:
    gm, refused = phones.gm(), claimed(melee, "Ross", what="token", ability="uncanny_luck")
    answer = press_at_table(gm, melee, "claims/", all=[refused.pk])
    assert answer.status_code == 409
    (row,) = answer.context["view"].claims
    assert 'name="overruled" value="agreed"' in answer.content.decode()
    with pytest.raises(PermissionDenied):
        accept_feats(melee.pk, AGENT, [refused.pk], "agreed")
    assert press_at_table(gm, melee, "claims/", **dict(row.pressed), overruled="agreed").status_code == 302
    assert Entry.objects.filter(event=melee).latest("number").document["overruled"] == "agreed"
    assert Claim.objects.get().state == "accepted"


def test_a_claim_of_a_closed_turn_is_marked_and_blocks_no_other(melee: Event, enter: Enter, phones: Phones) -> None:
    agent = phones.agent()
    late = claimed(melee, "Ross", what="head_hit", at="Jo")
    enter(what="end_turn", turn=1)
    good = claimed(melee, "Kim", what="head_hit", at="Jo", turn=2)
    answer = agent.get(page_of(melee))
    assert [each.claim for each in answer.context["view"].in_time] == [good]
    assert "Turn 1 is closed" in answer.content.decode()
    assert f'name="accept" value="{late.pk}"' not in answer.content.decode()
    assert press_at_table(agent, melee, "claims/", all=[late.pk, good.pk]).status_code == 409
    assert [each.state for each in Claim.objects.order_by("pk")] == ["waiting", "accepted"]
    assert "Turn 1 is closed" in page(phones.player("Ross"), melee, "pilots/Ross/claim/")


def test_a_feat_without_its_target_is_refused_at_the_phone(fight: Event, phones: Phones) -> None:
    answer = press(phones.player("Ross"), fight, what="head_hit", turn="1")
    assert answer.status_code == 409
    assert "Say at whom" in answer.content.decode()
    assert press(phones.player("Ross"), fight, what="damage", at="Jo", turn="1").status_code == 409
    assert Claim.objects.count() == 0


def test_no_phone_moves_the_turn_of_its_table(fight: Event, phones: Phones, enter: Enter) -> None:
    enter(what="end_turn", turn=1)
    assert press(phones.player("Ross"), fight, what="head_hit", at="Jo", turn="40").status_code == 409
    old = Claim.objects.create(event=fight, client_id="old", kind="feat", pilot="Ross", table="Factory",
                               documents=[{**HIT, "turn": 40}])  # fmt: skip
    assert accept_feats(fight.pk, AGENT, [old.pk])[old.pk].code == "turn_open_at_table"
    assert press(phones.agent(), fight, "claims/", claim=str(old.pk), press="accept").status_code == 409
    assert state_of(fight).tables["Factory"].turn == 2


def test_the_end_of_a_turn_names_the_claims_that_wait(melee: Event, phones: Phones) -> None:
    agent = phones.agent()
    assert "claim waits" not in agent.get(page_of(melee, "end/")).content.decode()
    claimed(melee, "Ross", what="kill", at="Jo")
    shown = agent.get(page_of(melee, "end/")).content.decode()
    assert "1 claim waits" in shown
    assert "1 Ross → 2 Jo: destroyed" in shown


def test_a_quiet_turn_ends_from_the_page_of_its_table(fight: Event, enter: Enter, phones: Phones) -> None:
    agent = phones.agent()
    assert (
        page_of(fight, "end/", table="Jungle")
        not in phones.agent("Jungle").get(page_of(fight, table="Jungle")).content.decode()
    )
    enter(what="end_turn", turn=1)
    assert page_of(fight, "end/") in agent.get(page_of(fight)).content.decode()
    assert press_at_table(agent, fight, "end/", turn=2).status_code == 302
    assert state_of(fight).tables["Factory"].turn == 3


def test_long_ids_that_begin_alike_are_two_entries(fight: Event) -> None:
    found = [claim(fight, ROSS, "a" * 60 + str(n), Claim.Kind.FEAT, "Ross", "Factory", [HIT]) for n in range(2)]
    accept_feats(fight.pk, AGENT, [each.pk for each in found])
    assert Entry.objects.filter(event=fight, document__what="head_hit").count() == 2


def test_claims_that_somebody_else_has_answered_are_passed_over(fight: Event) -> None:
    found = [claim(fight, ROSS, str(n), Claim.Kind.FEAT, "Ross", "Factory", [HIT]) for n in range(2)]
    accept_feats(fight.pk, AGENT, [found[0].pk])
    assert accept_feats(fight.pk, AGENT, [each.pk for each in found]) == {}
    with pytest.raises(ChallengeRefused, match="claim_answered"):
        accept_feats(fight.pk, AGENT, [each.pk for each in found])


def test_a_client_alone_is_a_guest(fight: Event) -> None:
    assert Client().post(page_of(fight, "claims/"), {"all": "1"}).status_code == 403
