"""The page of a table: a press writes a deed, what it gives stands beside the pilot, and one press undoes it."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client

from challenge.models import Claim, Entry, Event
from challenge.selectors.access import Access
from challenge.selectors.books import book_of
from challenge.services.claims import claim
from challenge.services.events import make_key
from people.models import User
from rules.challenge.state import Event as EventState
from tests.challenge.conftest import GM, LIGHT, Enter


@pytest.fixture
def gm(client: Client, owner: User) -> Client:
    client.force_login(owner)
    return client


@pytest.fixture
def agent(fight: Event) -> Client:
    key = make_key(fight, GM, "agent", table="Factory", label="agent")
    client = Client()
    client.get(f"/challenge/{fight.slug}/key/{key.secret}/")
    return client


def page_of(event: Event, more: str = "", table: str = "Factory") -> str:
    return f"/challenge/{event.slug}/tables/{table}/{more}"


def state_of(event: Event) -> EventState:
    return book_of(Event.objects.get(pk=event.pk)).state


def press(client: Client, event: Event, where: str, **fields: Any) -> Any:
    """One press of a form, with an id of its own."""
    fields.setdefault("client_id", f"p{Entry.objects.count()}")
    return client.post(page_of(event, where), fields)


def test_a_press_writes_a_deed_and_the_attacker_stays_chosen(agent: Client, fight: Event) -> None:
    answer = press(agent, fight, "feat/", by="Ross", at="Jo", phase="fire", feat="critical.gyro", turn=1)
    assert answer.status_code == 302
    assert answer.headers["Location"] == page_of(fight, "?by=Ross&at=Jo&phase=fire")
    fact = state_of(fight).tables["Factory"].facts[-1].entry
    assert (fact.what, fact.by, fact.at, fact.phase, fact.turn) == ("critical", ("Ross",), "Jo", "fire", 1)
    shown = agent.get(answer.headers["Location"]).content.decode()
    assert 'value="Jo"' in shown
    assert "checked" in shown.partition('value="Jo"')[2][:120]


def test_what_the_turn_would_give_stands_beside_the_pilot(agent: Client, fight: Event) -> None:
    press(agent, fight, "feat/", by="Ross", at="Jo", phase="fire", feat="damage", points=65, turn=1)
    view = agent.get(page_of(fight)).context["view"]
    ross = next(tile for tile in view.tiles if tile.pilot.id == "Ross")
    assert [reason.worth for reason in ross.reasons] == [(1, 1, 250_000)] * 3
    assert ross.worth == (3, 3, 750_000)
    assert state_of(fight).pilots["Ross"].fame == 0


def test_the_same_press_twice_is_one_entry(agent: Client, fight: Event) -> None:
    for _ in range(2):
        press(agent, fight, "feat/", client_id="once", by="Ross", at="Jo", feat="head_hit", turn=1)
    assert Entry.objects.filter(event=fight, client_id__startswith="once").count() == 1


@pytest.mark.parametrize(
    ("feat", "expected"),
    [
        ("damage.5-9", {"what": "damage", "band": "5-9", "phase": "fire", "at": "Jo"}),
        ("damage.one_place", {"what": "damage", "points": 50, "one_location": True, "at": "Jo"}),
        ("death_from_above.missed", {"what": "death_from_above", "hit": False, "phase": "physical"}),
        ("melee", {"what": "melee", "phase": "physical", "at": "Jo"}),
        ("crowd", {"what": "crowd", "phase": "end"}),
        ("eject.automatic", {"what": "eject", "automatic": True}),
    ],
)
def test_each_tile_writes_its_own_deed(agent: Client, fight: Event, feat: str, expected: dict[str, Any]) -> None:
    press(agent, fight, "feat/", by="Ross", at="Jo", phase="fire", feat=feat, turn=1)
    document = Entry.objects.filter(event=fight).latest("number").document
    assert document.items() >= expected.items()
    assert ("at" in document) is ("at" in expected or document["what"] == "death_from_above")


def test_a_refusal_shows_the_page_again_and_a_gm_overrules_it(gm: Client, agent: Client, fight: Event) -> None:
    refused = press(agent, fight, "feat/", by="Jo", feat="exit", turn=1)
    assert refused.status_code == 409
    assert "turn 3" in refused.context["problem"]
    assert "overruled" not in refused.content.decode()
    refused = press(gm, fight, "feat/", by="Jo", feat="exit", turn=1)
    fields = dict(refused.context["pressed"])
    assert gm.post(refused.context["pressed_at"], {**fields, "overruled": "agreed"}).status_code == 302
    assert not state_of(fight).pilots["Jo"].is_in_arena
    assert Entry.objects.filter(event=fight).latest("number").document["overruled"] == "agreed"


@pytest.mark.parametrize(("where", "pressed"), [("feat/", {"feat": "damage", "points": "25"}), ("fall/", {})])
def test_a_tile_pressed_first_asks_for_its_target_and_keeps_the_press(
    agent: Client, fight: Event, where: str, pressed: dict[str, str]
) -> None:
    asks = press(agent, fight, where, by="Ross", phase="physical", turn="1", **pressed)
    assert asks.status_code == 409
    assert dict(asks.context["asked"]) == {"by": "Ross", "phase": "physical", "turn": "1", **pressed}
    assert '<button type="submit" name="at" value="Jo"' in asks.content.decode()
    answer = press(agent, fight, where, **dict(asks.context["asked"]), at="Jo", client_id=asks.context["client_id"])
    if where == "fall/":
        assert answer.context["view"].target.id == "Jo"
    else:
        document = Entry.objects.filter(event=fight).latest("number").document
        assert (document["at"], document["points"], document["phase"]) == ("Jo", 25, "physical")


def test_a_press_from_a_closed_turn_is_refused_and_not_moved(agent: Client, fight: Event, enter: Enter) -> None:
    enter(what="end_turn", turn=1)
    answer = press(agent, fight, "feat/", by="Ross", at="Jo", feat="head_hit", turn=1)
    assert answer.status_code == 409
    assert state_of(fight).tables["Factory"].facts == []


def test_one_press_undoes_all_that_the_last_press_wrote(agent: Client, fight: Event) -> None:
    press(agent, fight, "feat/", by="Ross", at="Jo", feat="head_hit", turn=1)
    press(agent, fight, "fall/", at="Jo", phase="fire", shown_phase="fire", claimant=["Ross"], state="kill",
          wounds=2, dead="yes", turn=1)  # fmt: skip
    assert not state_of(fight).pilots["Jo"].alive
    number = agent.get(page_of(fight)).context["view"].last.number
    assert press(agent, fight, "undo/", number=number).status_code == 302
    state = state_of(fight)
    assert state.pilots["Jo"].alive
    assert state.pilots["Jo"].wounds == 0
    assert [fact.entry.what for fact in state.tables["Factory"].facts][-1] == "head_hit"


def test_an_undo_of_a_row_that_is_not_the_last_any_more_does_nothing(agent: Client, fight: Event, enter: Enter) -> None:
    number = agent.get(page_of(fight)).context["view"].last.number
    enter(what="crowd", by="Jo", turn=1)
    press(agent, fight, "undo/", number=number)
    assert state_of(fight).pilots["Jo"].is_in_arena
    assert state_of(fight).tables["Factory"].facts[-1].entry.what == "crowd"


def test_an_undo_touches_its_own_table_alone(agent: Client, gm: Client, fight: Event, enter: Enter) -> None:
    enter(what="crowd", by="Jo", turn=1)
    enter(what="noted", text="rain", table="Jungle", turn=1)
    assert agent.get(page_of(fight)).context["view"].last.text == "2 Jo: Crowd"


def claimed(event: Event, client_id: str, **document: Any) -> Claim:
    who = Access(pilots=frozenset({"Ross"}))
    deed = {"by": "Ross", "at": "Jo", "phase": "fire", "turn": 1, "table": "Factory", **document}
    return claim(event, who, client_id, Claim.Kind.FEAT, "Ross", "Factory", [deed])


def test_claims_are_accepted_one_or_all_and_struck(agent: Client, fight: Event) -> None:
    first, second, third = (claimed(fight, f"c{n}", what="critical", part="gyro") for n in range(3))
    press(agent, fight, "claims/", strike=second.pk, all=[first.pk, third.pk])
    press(agent, fight, "claims/", accept=first.pk, all=[first.pk, third.pk])
    assert len(agent.get(page_of(fight)).context["view"].claims) == 1
    press(agent, fight, "claims/", all=[third.pk])
    assert [claim.state for claim in Claim.objects.order_by("pk")] == ["accepted", "struck", "accepted"]
    facts = state_of(fight).tables["Factory"].facts
    assert [fact.entry.what for fact in facts].count("critical") == 2


def test_a_claim_that_is_answered_is_refused_with_a_sentence(agent: Client, fight: Event) -> None:
    found = claimed(fight, "c", what="head_hit")
    press(agent, fight, "claims/", accept=found.pk)
    assert press(agent, fight, "claims/", strike=found.pk).status_code == 409


def test_a_table_is_for_those_who_run_it(client: Client, agent: Client, fight: Event) -> None:
    assert client.get(page_of(fight)).status_code == 403
    assert agent.get(page_of(fight, table="Jungle")).status_code == 403
    assert agent.get(page_of(fight, table="Nowhere")).status_code == 404
    assert client.post(page_of(fight, "end/"), {"client_id": "x"}).status_code == 403
    for where in ("end/", "initiative/"):
        assert agent.get(page_of(fight, where)).status_code == 200


def test_the_end_of_a_turn_shows_everybody_and_asks_once(agent: Client, fight: Event) -> None:
    press(agent, fight, "feat/", by="Ross", at="Jo", phase="fire", feat="damage.40-59", turn=1)
    view = agent.get(page_of(fight, "end/")).context["view"]
    assert [tile.pilot.id for tile in view.tiles] == ["Ross", "Jo"]
    (question,) = view.questions
    assert (question.pilot, question.least, question.most, question.surely) == ("Jo", 40, 59, False)
    answer = press(agent, fight, "end/", client_id="end", turn=1, **{"stands:fire:Jo": "yes"})
    assert answer.headers["Location"] == page_of(fight, "?closed=1")
    state = state_of(fight)
    assert state.tables["Factory"].turn == 2
    assert state.pilots["Jo"].fame > 0
    closed = agent.get(answer.headers["Location"]).context["closed"]
    assert {name for name, _reasons in closed["by_pilot"]} == {"Ross", "Jo"}
    assert press(agent, fight, "end/", client_id="end", turn=1).status_code == 302
    assert state_of(fight).tables["Factory"].turn == 2


def test_damage_that_has_its_number_is_not_asked_about_again(agent: Client, fight: Event) -> None:
    press(agent, fight, "feat/", by="Ross", at="Jo", phase="fire", feat="damage.40-59", turn=1)
    press(agent, fight, "feat/", by="Jo", phase="fire", feat="sustained", points=41, turn=1)
    assert agent.get(page_of(fight, "end/")).context["view"].questions == []


def test_a_table_of_thirty_turns_asks_the_database_fifteen_times_at_most(
    agent: Client, fight: Event, enter: Enter, django_assert_max_num_queries: Any
) -> None:
    rows = []
    number = fight.written
    for turn in range(1, 31):
        for deed in (
            {"what": "damage", "points": 22, "by": "Ross", "at": "Jo", "phase": "fire"},
            {"what": "critical", "part": "weapon", "by": "Jo", "at": "Ross", "phase": "fire"},
            {"what": "end_turn"},
        ):
            number += 1
            document = {**deed, "table": "Factory", "turn": turn}
            rows.append(Entry(event=fight, number=number, client_id=f"r{number}", kind="deed", document=document,
                              role="gm"))  # fmt: skip
    Entry.objects.bulk_create(rows)
    Event.objects.filter(pk=fight.pk).update(written=number)
    enter(what="head_hit", by="Ross", at="Jo", turn=31, phase="fire")
    for where in ("?by=Ross", "end/", "initiative/", "fall/?at=Jo"):
        with django_assert_max_num_queries(15):
            answer = agent.get(page_of(fight, where))
        assert answer.status_code == 200


def test_a_new_pilot_has_a_tile_once_they_enter(agent: Client, fight: Event, enter: Enter) -> None:
    enter(what="new_pilot", by="Kim")
    enter(do="buy_mech", pilot="Kim", mech=LIGHT)
    assert [tile.pilot.id for tile in agent.get(page_of(fight)).context["view"].tiles] == ["Ross", "Jo"]
    assert press(agent, fight, "enter/", pilot=["Kim"], turn=1).status_code == 302
    assert [tile.pilot.id for tile in agent.get(page_of(fight)).context["view"].tiles] == ["Ross", "Jo", "Kim"]
    assert state_of(fight).pilots["Kim"].portal in ("North", "East")


def test_damage_of_every_phase_is_asked_about_by_its_name(agent: Client, fight: Event) -> None:
    for phase in ("movement", "fire", "physical", "end"):
        press(agent, fight, "feat/", by="Ross", at="Jo", phase=phase, feat="damage.40-59", turn=1)
    shown = agent.get(page_of(fight, "end/")).content.decode()
    assert [f"{phase} phase" in shown for phase in ("movement", "fire", "physical", "end")] == [True] * 4


def test_the_player_says_which_ability_a_wound_takes(agent: Client, fight: Event, enter: Enter) -> None:
    """MC-WOUND-01: of two abilities the second goes, at the table and in the form of a fall."""
    for ability in ("cool_hand", "dodge", "marksman"):
        enter(do="buy_ability", pilot="Jo", ability=ability, overruled="a test")
    view = agent.get(page_of(fight, "?by=Jo")).context["view"]
    assert [value for value, _name in view.wounds] == ["wound.cool_hand", "wound.dodge", "wound.marksman"]
    press(agent, fight, "feat/", by="Jo", phase="fire", feat="wound.dodge", turn=1)
    suspended = [owned.ability.id for owned in state_of(fight).pilots["Jo"].abilities if owned.suspended]
    assert suspended == ["dodge"]
    fall = {"by": "Ross", "at": "Jo", "phase": "fire", "shown_phase": "fire", "turn": 1, "state": "cripple"}
    assert "marksman" in agent.get(page_of(fight, "fall/?at=Jo")).content.decode()
    press(agent, fight, "fall/", wounds=1, ability="marksman", **fall)
    suspended = [owned.ability.id for owned in state_of(fight).pilots["Jo"].abilities if owned.suspended]
    assert suspended == ["dodge", "marksman"]


def test_lion_city_says_when_it_was_swarm(agent: Client, fight: Event, enter: Enter) -> None:
    """MC-STAB-08: the tile with the stable's own load earns no row, the other does."""
    enter(do="join_stable", pilot="Ross", stable="lion_city", overruled="a test")
    view = agent.get(page_of(fight, "?by=Ross")).context["view"]
    assert [value for value, _name in view.own_loads] == ["secondary_target.swarm", "secondary_target.swarm_i"]
    press(agent, fight, "feat/", by="Ross", phase="fire", feat="secondary_target.swarm", turn=1)
    ross = agent.get(page_of(fight)).context["view"].tiles[0]
    assert (ross.pilot.id, ross.reasons) == ("Ross", [])
    press(agent, fight, "feat/", by="Ross", phase="fire", feat="secondary_target", turn=1)
    assert len(agent.get(page_of(fight)).context["view"].tiles[0].reasons) == 1
