"""A match cut into steps, and the page that walks through them."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.template.loader import render_to_string
from django.test import Client

from matches.models import Match
from matches.presenters.dials import unit_sheets
from matches.presenters.replaying.replay import cut_into_steps, moment
from matches.selectors.matches import rebuild
from matches.selectors.sides import names_in
from rules import wording
from rules.catalogue import load_builtin
from tests.markup import closed_up

pytestmark = [pytest.mark.django_db, pytest.mark.database]


def events_of(match: Match) -> list[Any]:
    return [event for step in match.actions.order_by("sequence") for event in step.events]


def test_every_event_is_in_exactly_one_step(finished: Match) -> None:
    events = events_of(finished)
    steps = cut_into_steps(events)
    assert [event for step in steps for event in step.events] == events
    assert [step.number for step in steps] == list(range(1, len(steps) + 1))
    assert [step.stop for step in steps][-1] == len(events)


def test_a_step_never_mixes_rounds_phases_or_turns(finished: Match) -> None:
    for step in cut_into_steps(events_of(finished)):
        for kind in ("round_began", "phase_began", "turn_began"):
            assert sum(event["event"] == kind for event in step.events) <= 1
        kinds = [event["event"] for event in step.events if event["event"] not in ("round_began", "phase_began")]
        assert "turn_began" not in kinds[1:]


def test_the_position_after_the_last_step_is_that_of_the_engine(finished: Match) -> None:
    events = events_of(finished)
    last = cut_into_steps(events)[-1]
    assert moment(finished.setup, events, last).snapshot == rebuild(finished).snapshot()


def page(client: Client, match: Match, step: str = "1") -> str:
    answer = client.get(match.get_absolute_url(), {"step": step})
    assert answer.status_code == 200
    return answer.content.decode()


def link(shown: str, name: str) -> str | None:
    found = re.search(rf'<a\s+class="[^"]*"\s+data-step="{name}"[^>]*href="\?step=(\d+)#replay"', shown)
    return found.group(1) if found else None


def test_plain_links_lead_through_every_step_and_back(finished: Match, client: Client) -> None:
    count = len(cut_into_steps(events_of(finished)))
    visited, step = [], "1"
    while step is not None:
        visited.append(int(step))
        shown = page(client, finished, step)
        assert link(shown, "previous") == (str(visited[-1] - 1) if visited[-1] > 1 else None)
        step = link(shown, "next")  # type: ignore[assignment]
    assert visited == list(range(1, count + 1))
    assert link(page(client, finished, "1"), "last") == str(count)
    assert link(page(client, finished, str(count)), "first") == "1"


@pytest.mark.parametrize(("wanted", "shown"), [("0", 1), ("-4", 1), ("x", 1), ("", 1), ("99999", -1), ("1e3", 1)])
def test_a_step_that_is_not_there_leads_to_the_nearest(
    finished: Match, client: Client, wanted: str, shown: int
) -> None:
    count = len(cut_into_steps(events_of(finished)))
    assert f'value="{shown if shown > 0 else count}"' in page(client, finished, wanted)


def test_a_running_match_opens_at_its_newest_step(waiting: Match, client: Client) -> None:
    shown = client.get(waiting.get_absolute_url()).context["page"].shown
    assert shown.step.number == shown.count


def test_each_round_and_each_elimination_has_a_link(finished: Match, client: Client) -> None:
    steps = cut_into_steps(events_of(finished))
    shown = page(client, finished)
    rounds = {step.round for step in steps}
    assert len(re.findall(r'aria-label="Rounds".*?</nav>', shown, re.S)[0].split("<a ")) - 1 == len(rounds)
    for step in steps:
        if step.has_kill:
            assert f'href="?step={step.number}#replay"' in shown


def test_every_attack_shows_its_arithmetic(finished: Match, client: Client) -> None:
    attacks = 0
    for step in cut_into_steps(events_of(finished)):
        resolved = [event for event in step.events if event["event"] == "attack_resolved"]
        if not resolved:
            continue
        shown = page(client, finished, str(step.number))
        assert shown.count('<div class="attack">') == len(resolved)
        for event in resolved:
            attacks += 1
            why = event["why"]
            assert f"= {why['roll']}</span>" in shown
            for target in why["targets"].values():
                own = why["attack_printed"] + sum(target["modifiers"].values())
                assert target["result"] == why["roll"] + max(own, 0)
                assert target["defense"] == target["defense_printed"] + sum(target["defense_modifiers"].values())
                for name in target["modifiers"]:
                    assert target["rules"][name] in shown
    assert attacks


def test_both_dials_mark_the_click_of_the_moment(finished: Match, client: Client) -> None:
    answer = client.get(finished.get_absolute_url(), {"step": "99999"})
    snapshot = rebuild(finished).snapshot()
    sheets = answer.context["page"].sheets
    assert len(sheets) == 2
    for sheet in sheets:
        marked = [click.number for click in sheet.dial if click.is_current]
        state = snapshot["units"][sheet.id]
        assert marked == ([] if state["eliminated"] else [state["clicks"] + 1])
        # Click 1 is the start marker, as on the pages of the catalogue.
        assert [click.number for click in sheet.dial] == list(range(1, len(sheet.dial) + 1))
        assert [step.number for step in sheet.heat] == list(range(len(sheet.heat)))


def test_every_event_has_words_and_no_key_shows(finished: Match) -> None:
    names = names_in(finished.setup)
    for event in events_of(finished):
        sentence = wording.event_sentence(event, names)
        assert "red-1" not in sentence
        assert "{" not in sentence
        assert "_" not in sentence


def test_the_page_takes_a_constant_and_small_number_of_queries(
    finished: Match, waiting: Match, client: Client, player: Any, django_assert_max_num_queries: Any
) -> None:
    client.force_login(player)
    counts = set()
    for match, step in ((finished, "1"), (finished, "99999"), (waiting, "1")):
        with django_assert_max_num_queries(15) as queries:
            page(client, match, step)
        counts.add((match.pk == waiting.pk, len(queries)))
    assert len(counts) == 2


def test_a_sheet_says_what_the_unit_its_pilot_and_its_gear_cost_and_do(setup_document: dict[str, Any]) -> None:
    catalogue = load_builtin()
    pilot = next(iter(catalogue.pilots.values()))
    gear = next(card for card in catalogue.gear.values() if card["equipment"] == "evade")
    setup_document["sides"][0]["units"][0] |= {"pilot": pilot, "gear": [gear]}
    manned, unmanned = unit_sheets(setup_document, {})
    unit = setup_document["sides"][0]["units"][0]["unit"]
    assert (manned.points, manned.pilot_points, manned.gear_points) == (
        unit["points"], pilot["points"], gear["points"],
    )  # fmt: skip
    assert manned.total == unit["points"] + pilot["points"] + gear["points"]
    assert (unmanned.pilot_points, unmanned.gear, unmanned.total) == (0, (), unmanned.points)
    shown = closed_up(render_to_string("components/unit_sheet.html", {"sheet": manned}))
    assert f"{manned.total} points" in shown
    assert f"’Mech {unit['points']} + pilot {pilot['points']} + gear {gear['points']}" in shown
    assert f'Gear:<span translate="no">{gear["name"]}</span></dt><dd>Evade: +2 defense' in shown


def test_a_card_names_the_equipment_that_shows_now_and_none_past_the_dials_end(setup_document: dict[str, Any]) -> None:
    loadout = setup_document["sides"][0]["units"][0]
    loadout["unit"] = {**loadout["unit"], "dial": [dict(click) for click in loadout["unit"]["dial"]]}
    loadout["unit"]["dial"][1]["equipment"] = {"defense": {"key": "decoy", "single_use": True}, "speed": "evade"}
    for clicks, names in ((1, ["Decoy", "Evade"]), (len(loadout["unit"]["dial"]), [])):
        snapshot = {"units": {loadout["id"]: {"clicks": clicks, "heat": 0}}}
        sheet = next(unit_sheets(setup_document, snapshot))
        assert [piece.name for piece in sheet.equipment] == names
        assert all(piece.words for piece in sheet.equipment)


def test_a_hand_is_on_the_card_only_where_it_may_be_seen(setup_document: dict[str, Any]) -> None:
    card = next(iter(load_builtin().rally_cards.values()))
    setup_document["sides"][0]["units"][0]["hand"] = [card, {"id": "?", "hidden": True}]
    closed, opened = (next(unit_sheets(setup_document, {}, with_hands=seen)) for seen in (False, True))
    assert (closed.hand, closed.hidden_cards) == ((), 0)
    assert ([piece.name for piece in opened.hand], opened.hidden_cards) == ([card["name"]], 1)
