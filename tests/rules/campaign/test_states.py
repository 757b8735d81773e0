"""The tables of states: what leads where, and that nothing is left out or leads out of an end."""

from __future__ import annotations

import networkx
import pytest

from rules.campaign.states import CLAIM, FIXTURE, MACHINES, NOTHING, SEASON, Machine
from rules.core.refusals import SeasonRefused
from tests.tools.states_map import arrows, drawn

each_machine = pytest.mark.parametrize("machine", MACHINES, ids=lambda machine: machine.name)


def graph_of(machine: Machine) -> networkx.DiGraph:
    return networkx.DiGraph((state, act.to or state) for act in machine.acts.values() for state in act.sources)


@each_machine
def test_every_state_is_reached_and_no_other_is_named(machine: Machine) -> None:
    used = set(machine.states) - set(machine.unused)
    assert networkx.descendants(graph_of(machine), NOTHING) == used
    assert {state for act in machine.acts.values() for state in (*act.sources, act.to)} <= {NOTHING, *machine.states}


@each_machine
def test_no_act_leads_out_of_an_end_and_from_every_other_state_one_does(machine: Machine) -> None:
    going_out = {state for state, after in graph_of(machine).edges if state != after} - {NOTHING}
    assert going_out == set(machine.states) - set(machine.ends)


@each_machine
def test_an_act_is_allowed_exactly_where_the_table_says(machine: Machine) -> None:
    for name, act in machine.acts.items():
        for state in (NOTHING, *machine.states):
            if state in act.sources:
                assert machine.may(name, state)
                assert machine.require(name, state, "refused") == machine.next_state(name, state) == (act.to or state)
                continue
            assert not machine.may(name, state)
            with pytest.raises(SeasonRefused) as problem:
                machine.require(name, state, "refused", state=state)
            assert (problem.value.code, problem.value.parameters) == ("refused", {"state": state})
            with pytest.raises(ValueError, match=name):
                machine.next_state(name, state)


def test_an_act_that_there_is_not_is_a_bug() -> None:
    with pytest.raises(KeyError):
        SEASON.may("dance", "running")


def test_the_tables_tell_the_life_of_a_season() -> None:
    state = NOTHING
    for act in ("open", "keep_as_draft", "publish", "start", "pause", "decide_titles", "hold_ceremony", "decide_again",
                "hold_ceremony", "finish"):  # fmt: skip
        state = SEASON.next_state(act, state)
    assert state == "finished"


def test_a_settled_fixture_may_be_opened_again_and_a_withdrawn_claim_taken_up() -> None:
    assert FIXTURE.next_state("reopen", "settled") == "sealed"
    assert CLAIM.next_state("claim_again", "withdrawn") == "choice"


def test_the_picture_shows_the_tables() -> None:
    assert drawn() == arrows(), "make map draws it anew"
