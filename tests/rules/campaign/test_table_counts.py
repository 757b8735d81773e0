"""Marks made at a table: what can be read, what they come to in every order, and the report that follows."""

from __future__ import annotations

from dataclasses import replace
from typing import Any
from uuid import UUID

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.campaign.results.report_checks import problems
from rules.campaign.results.reports import Contest, Entrant, read
from rules.campaign.results.tabletop_counts import FIELDS, Mark, as_report, doubts, fold, misfit, read_mark
from rules.competition.state.roster import ROLLED_EFFECTS
from rules.core.equipment import EQUIPMENT
from rules.core.refusals import Malformed
from rules.wording.equipment import EQUIPMENT_TEXTS, HEAT_EFFECT_TEXTS

DIAL, HEAT = 8, 6


def contest_of(sides: int = 2, units: int = 1, format_key: str = "standard", **more: Any) -> Contest:
    names = ("red", "blue", "green", "amber")[:sides]
    entrants = {
        f"{side}-{number}": Entrant(side, place, DIAL, 2 if side == "red" else 0, 100 + place, True, HEAT)
        for place, side in enumerate(names, 1)
        for number in range(1, units + 1)
    }
    return Contest(format_key, names, entrants, more.pop("tokens", ((10, 5),) * 6), **more)


DUEL = contest_of()


def mark(place: int, side: str, kind: str, /, **fields: Any) -> Mark:
    return Mark(str(UUID(int=place)), side, read_mark({"kind": kind, **fields}))


def uid(number: int) -> str:
    return str(UUID(int=number))


MATCH = [
    mark(1, "red", "damage", unit="red-1", amount=3),
    mark(2, "red", "heat", unit="red-1", amount=2),
    mark(3, "red", "heat", unit="red-1", amount=-1),
    mark(4, "blue", "damage", unit="blue-1", amount=5),
    mark(5, "blue", "damage", unit="blue-1", amount=5),
    mark(6, "red", "kill", unit="red-1", of="blue-1"),
    mark(7, "red", "kill", unit="red-1", of="blue-1"),
    mark(8, "red", "token", rp=10),
    mark(9, "red", "token", rp=10),
    mark(10, "red", "undo", of=uid(9)),
    mark(11, "red", "round", number=2),
    mark(12, "blue", "round", number=2),
    mark(13, "red", "roll", purpose="attack", dice=[1, 2, 3], by="phone"),
    mark(14, "red", "shutdown", unit="red-1", on=True, step=1),
    mark(15, "red", "shutdown", unit="red-1", on=False, step=2),
]


def test_a_match_is_counted() -> None:
    counts = fold(MATCH, DUEL)
    red, blue = counts.units["red-1"], counts.units["blue-1"]
    assert (red.clicks, red.heat, red.eliminated, red.shutdown, red.killed) == (5, 1, False, False, ("blue-1",))
    assert (blue.clicks, blue.eliminated) == (DIAL, True)
    assert (counts.round, counts.sides["red"].tokens) == (3, (10,))
    assert red.steps["shutdown"] == 3


def random_mark(side: str, number: int) -> st.SearchStrategy[Mark]:
    units = [f"{side}-1", f"{side}-2"]
    other = "blue" if side == "red" else "red"
    unit, amount, step = st.sampled_from(units), st.integers(1, 6), st.integers(1, 4)
    whats = st.one_of(
        st.fixed_dictionaries({"kind": st.sampled_from(["damage", "repair"]), "unit": unit, "amount": amount}),
        st.fixed_dictionaries({"kind": st.just("heat"), "unit": unit, "amount": st.sampled_from([-3, -1, 1, 4])}),
        st.fixed_dictionaries(
            {"kind": st.sampled_from(["shutdown", "unconscious"]), "unit": unit, "on": st.booleans(), "step": step}
        ),
        st.fixed_dictionaries(
            {"kind": st.just("kill"), "unit": unit, "of": st.sampled_from([f"{other}-1", f"{other}-2"])}
        ),
        st.fixed_dictionaries(
            {
                "kind": st.just("flag"),
                "flag": st.sampled_from(["red", "blue"]),
                "place": st.sampled_from(["lost", "home", "carried"]),
                "step": step,
            }
        ),
        st.fixed_dictionaries({"kind": st.just("round"), "number": st.integers(1, 20)}),
        st.fixed_dictionaries({"kind": st.just("elimination"), "unit": unit}),
        st.fixed_dictionaries({"kind": st.just("surrender")}),
        st.fixed_dictionaries({"kind": st.just("undo"), "of": st.integers(1, 30).map(uid)}),
    )
    return whats.map(lambda what: Mark(uid(number), side, read_mark(what)))


some_marks = st.lists(st.sampled_from(["red", "blue"]), max_size=30).flatmap(
    lambda sides: st.tuples(*[random_mark(side, number) for number, side in enumerate(sides, 1)])
)


@given(some_marks, st.randoms(use_true_random=False), st.data())
def test_every_order_and_every_repetition_gives_the_same_counts(
    marks: tuple[Mark, ...], chance: Any, data: st.DataObject
) -> None:
    contest = contest_of(units=2, format_key="capture_the_flag", tokens=())
    again = [*marks, *(data.draw(st.lists(st.sampled_from(marks))) if marks else [])]
    chance.shuffle(again)
    counts = fold(marks, contest)
    assert fold(again, contest) == counts
    for unit in counts.units.values():
        assert 0 <= unit.clicks <= DIAL
        assert 0 <= unit.heat <= HEAT
        assert unit.eliminated == (unit.clicks == DIAL)


@given(some_marks)
def test_undoing_everything_brings_back_the_start(marks: tuple[Mark, ...]) -> None:
    contest = contest_of(units=2, format_key="capture_the_flag", tokens=())
    undone = [Mark(uid(100 + place), each.side, {"kind": "undo", "of": each.uid}) for place, each in enumerate(marks)]
    kept = [each for each in marks if each.what["kind"] != "undo"]
    counts, start = fold([*undone, *kept], contest), fold([], contest)
    assert (counts.units, counts.sides, counts.round) == (start.units, start.sides, start.round)


def test_damage_carried_into_the_match_is_the_start_and_a_repair_stops_at_the_start_marker() -> None:
    assert fold([], DUEL).units["red-1"].clicks == 2
    assert fold([mark(1, "red", "repair", unit="red-1", amount=9)], DUEL).units["red-1"].clicks == 0


def test_r_shd_01_a_heat_dial_at_its_end_shows_a_shutdown() -> None:
    hot = mark(1, "red", "heat", unit="red-1", amount=HEAT + 3)
    assert fold([hot], DUEL).units["red-1"].shutdown
    assert fold([hot], DUEL).units["red-1"].heat == HEAT
    assert not fold([hot, mark(2, "red", "heat", unit="red-1", amount=-4)], DUEL).units["red-1"].shutdown


def test_of_two_phones_the_later_switch_holds_whichever_comes_first() -> None:
    on = mark(1, "red", "unconscious", unit="red-1", on=True, step=1)
    off = mark(2, "red", "unconscious", unit="red-1", on=False, step=2)
    assert not fold([on, off], DUEL).units["red-1"].unconscious
    assert not fold([off, on], DUEL).units["red-1"].unconscious
    assert fold([off, on, mark(3, "red", "undo", of=off.uid)], DUEL).units["red-1"].unconscious


def test_nobody_undoes_or_counts_for_the_other_side() -> None:
    hurt = mark(1, "red", "damage", unit="red-1", amount=1)
    assert fold([hurt, mark(2, "blue", "undo", of=hurt.uid)], DUEL).units["red-1"].clicks == 3
    foreign = mark(3, "blue", "damage", unit="red-1", amount=4)
    assert fold([hurt, foreign], DUEL).units["red-1"].clicks == 3


@pytest.mark.parametrize(
    ("what", "code"),
    [
        ({"kind": "damage", "unit": "blue-1", "amount": 1}, "table_mark_not_yours"),
        ({"kind": "damage", "unit": "nobody", "amount": 1}, "table_mark_not_yours"),
        ({"kind": "kill", "unit": "red-1", "of": "red-1"}, "table_mark_unfit"),
        ({"kind": "kill", "unit": "red-1", "of": "nobody"}, "table_mark_unfit"),
        ({"kind": "flag", "flag": "red", "place": "home", "step": 1}, "table_mark_unfit"),
        ({"kind": "token", "rp": 10}, None),
        ({"kind": "surrender"}, None),
    ],
)
def test_what_does_not_fit_a_match(what: dict[str, Any], code: str | None) -> None:
    found = misfit(read_mark(what), "red", DUEL)
    assert (found.code if found else None) == code
    assert misfit(read_mark({"kind": "token", "rp": 10}), "red", contest_of(tokens=())) is not None


@pytest.mark.parametrize(
    "document",
    [
        {"kind": "damage", "unit": "red-1", "amount": 0},
        {"kind": "damage", "unit": "red-1", "amount": -1},
        {"kind": "damage", "unit": "red-1", "amount": 100},
        {"kind": "damage", "unit": "red-1", "amount": True},
        {"kind": "damage", "unit": "red-1", "amount": "1"},
        {"kind": "damage", "unit": "x" * 41, "amount": 1},
        {"kind": "damage", "amount": 1},
        {"kind": "heat", "unit": "red-1", "amount": 0},
        {"kind": "shutdown", "unit": "red-1", "on": 1, "step": 1},
        {"kind": "shutdown", "unit": "red-1", "on": True, "step": 0},
        {"kind": "flag", "flag": "red", "place": "moon", "step": 1},
        {"kind": "round", "number": 1000},
        {"kind": "roll", "purpose": "attack", "dice": [1, 2], "by": "phone"},
        {"kind": "roll", "purpose": "attack", "dice": [1, 2, 7], "by": "phone"},
        {"kind": "roll", "purpose": "luck", "dice": [1], "by": "phone"},
        {"kind": "roll", "purpose": "one", "dice": [1], "by": "cup"},
        {"kind": "undo", "of": "1"},
        {"kind": "undo", "of": "z" * 36},
        {"kind": "token", "rp": 1000},
    ],
)
def test_a_bad_field_is_named(document: dict[str, Any]) -> None:
    with pytest.raises(Malformed) as caught:
        read_mark(document)
    assert caught.value.code == "bad_field"


@pytest.mark.parametrize(
    ("document", "code"),
    [
        ([], "not_an_object"),
        ("damage", "not_an_object"),
        ({}, "table_mark_unknown"),
        ({"kind": 3}, "table_mark_unknown"),
    ],
)
def test_a_document_that_is_not_a_mark_is_refused(document: object, code: str) -> None:
    with pytest.raises(Malformed) as caught:
        read_mark(document)
    assert caught.value.code == code


def test_a_mark_keeps_its_own_fields_only() -> None:
    read_back = read_mark({"kind": "surrender", "unit": "red-1", "name": "<b>"})
    assert read_back == {"kind": "surrender"}
    assert set(FIELDS) >= {"damage", "undo"}


# The report ------------------------------------------------------------------------------------------------------


def test_the_report_is_that_of_the_counts() -> None:
    report = read(as_report(fold(MATCH, DUEL), DUEL, 10), DUEL)
    assert (report.winner, report.ended_by) == ("red", "last_side")
    assert (report.units["red-1"].clicks, report.units["red-1"].kills) == (5, 1)
    assert (report.sides["red"].eliminations, report.sides["red"].tokens) == (80, 10)
    assert problems(DUEL, report) == []
    assert doubts(fold(MATCH, DUEL), DUEL, 10) == []


@pytest.mark.parametrize(
    ("ended", "last", "ended_by"), [(10, 10, "time_limit"), (4, 10, "agreement"), (4, None, "time_limit")]
)
def test_how_it_ended_follows_from_the_rounds(ended: int, last: int | None, ended_by: str) -> None:
    counts = fold([mark(1, "red", "round", number=ended), mark(2, "red", "token", rp=5)], DUEL)
    assert as_report(counts, DUEL, last)["ended_by"] == ended_by


def test_r_sur_03_a_surrender_is_reported_before_it_halves_anything() -> None:
    counts = fold([mark(1, "blue", "surrender"), mark(2, "blue", "token", rp=10)], DUEL)
    document = as_report(counts, DUEL, 10)
    assert (document["ended_by"], document["sides"]["blue"]["tokens"]) == ("surrender", 10)
    assert read(document, DUEL).winner == "red"


def test_r_fmt_19_flags_bring_what_their_places_are_worth() -> None:
    contest = contest_of(units=2, format_key="capture_the_flag", tokens=())
    counts = fold(
        [
            mark(1, "red", "flag", flag="red", place="home", step=1),
            mark(2, "red", "flag", flag="blue", place="home", step=1),
            mark(3, "red", "flag", flag="blue", place="carried", step=2),
        ],
        contest,
    )
    assert counts.sides["red"].flags == 60
    assert read(as_report(counts, contest, 20), contest).winner == "red"
    assert doubts(counts, contest, 20) == []


def test_a_melee_of_four_sides_is_reported() -> None:
    contest = contest_of(sides=4, format_key="grand_melee")
    fallen = [
        mark(place, side, "elimination", unit=f"{side}-1") for place, side in enumerate(("blue", "green", "amber"), 1)
    ]
    kills = [
        mark(10 + place, "red", "kill", unit="red-1", of=f"{side}-1") for place, side in enumerate(("blue", "green"))
    ]
    counts = fold([*fallen, *kills], contest)
    report = read(as_report(counts, contest, 30), contest)
    assert (report.winner, report.ended_by, report.sides["red"].eliminations) == ("red", "last_side", 160)
    assert [each.code for each in doubts(counts, contest, 30)] == ["table_kill_of_nobody"]


@pytest.mark.parametrize(
    ("marks", "code"),
    [
        ([mark(1, "red", "kill", unit="red-1", of="blue-1")], "table_kill_of_standing"),
        ([mark(1, "blue", "elimination", unit="blue-1")], "table_kill_of_nobody"),
        ([mark(1, "red", "token", rp=7)], "report_tokens_unlikely"),
    ],
)
def test_doubtful_places_are_named(marks: list[Mark], code: str) -> None:
    assert code in [each.code for each in doubts(fold(marks, DUEL), DUEL, 10)]


def test_r_cyc_06_a_unit_that_is_gone_counted_its_kill_before() -> None:
    contest = contest_of(sides=3, format_key="grand_melee")
    units = dict(contest.units)
    contest = replace(contest, sides=("red", "blue"), gone={"green-1": units.pop("green-1")}, units=units)
    fallen, kill = mark(1, "blue", "elimination", unit="blue-1"), mark(2, "green", "kill", unit="green-1", of="blue-1")
    assert doubts(fold([fallen, kill], contest), contest, 30) == []
    # Neither a kill that is taken back nor one that another side counts for the unit is its kill.
    undo = mark(3, "green", "undo", of=kill.uid)
    for marks in ([fallen], [fallen, kill, undo], [fallen, replace(kill, side="red")]):
        assert [each.code for each in doubts(fold(marks, contest), contest, 30)] == ["table_kill_of_nobody"]


def test_a_kill_that_two_units_count_is_doubtful() -> None:
    contest = contest_of(units=2, format_key="team")
    kills = [mark(number, "red", "kill", unit=f"red-{number}", of="blue-1") for number in (1, 2)]
    counts = fold([*kills, mark(3, "blue", "elimination", unit="blue-1")], contest)
    assert [each.code for each in doubts(counts, contest, 20)] == ["table_kill_twice"]


def test_an_even_match_asks_who_won() -> None:
    even = Contest(
        "standard",
        ("red", "blue"),
        {f"{side}-1": Entrant(side, place, DIAL, 0, 100, True, HEAT) for place, side in enumerate(("red", "blue"), 1)},
        (),
    )
    assert [each.code for each in doubts(fold([], even), even, 10)] == ["table_winner_open"]


def test_the_sentences_about_equipment_are_of_the_rules_keys() -> None:
    assert set(EQUIPMENT_TEXTS) == set(EQUIPMENT)
    assert set(HEAT_EFFECT_TEXTS) == {*ROLLED_EFFECTS, "ammunition_jam", "weapons_offline", "engine_overheat"}
