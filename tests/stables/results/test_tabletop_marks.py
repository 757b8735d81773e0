"""Marks of a table: each arrives once, bad ones are refused, and the page shows what they say."""

from __future__ import annotations

from typing import Any

import pytest

from rules.catalogue.wording import NAMES
from stables.models import Fixture, TableMark
from stables.presenters.fixture import find_fixture
from stables.selectors.definitions import definition_of
from stables.services.results import tabletop as tables_of
from tests.stables.results.test_tabletop import (
    address,
    client_of,
    counts_of,
    fixture,
    made,
    players,
    press,
    season,
    seated,
    send,
)
from tests.stables.tabletop_matches import sides_of

__all__ = ["fixture", "season", "seated"]


# Marks -----------------------------------------------------------------------------------------------------------


def test_marks_sent_twice_in_any_order_count_once(fixture: Fixture) -> None:
    red, _ = players(fixture)
    first, second = made("damage", unit="red-1", amount=2), made("heat", unit="red-1", amount=1)
    send(red, fixture, [second])
    answer = send(red, fixture, [second, first, first])
    assert (answer.status_code, answer.json()["refused"]) == (200, [])
    assert TableMark.objects.count() == 2
    before = sides_of(fixture)[0].line_up.crews.get().damage
    count = counts_of(fixture).units["red-1"]
    assert (count.clicks, count.heat) == (before + 2, 1)


def test_two_phones_of_one_side_and_the_rivals_learn_of_each_other(fixture: Fixture) -> None:
    red, blue = players(fixture)
    phone, other, rival = client_of(red), client_of(red), client_of(blue)
    cursor = send(phone, fixture, [made("damage", unit="red-1", amount=1)]).json()["cursor"]
    news = send(other, fixture, [made("damage", unit="red-1", amount=1)]).json()
    assert [line["mark"]["amount"] for line in news["marks"]] == [1, 1]
    news = send(phone, fixture, [], since=cursor).json()
    assert len(news["marks"]) == 1
    assert news["cursor"] > cursor
    seen = send(rival, fixture, []).json()["marks"]
    assert [line["side"] for line in seen] == ["red", "red"]
    assert seen[0]["told"].endswith("1 damage")
    assert send(rival, fixture, [], since=news["cursor"]).json()["marks"] == []


def test_a_bad_mark_is_refused_and_the_good_ones_beside_it_stay(fixture: Fixture) -> None:
    red, _ = players(fixture)
    good = made("damage", unit="red-1", amount=1)
    bad = [
        made("damage", unit="red-1", amount="many"),
        made("dance"),
        made("damage", "blue", unit="blue-1", amount=1),
        made("damage", unit="blue-1", amount=1),
        {**made("surrender"), "uid": "1"},
        {**made("surrender"), "at": "yesterday"},
        made("roll", purpose="one", dice=[6], by="site"),
        made("flag", flag="red", place="home", step=1),
        "surrender",
    ]
    answer = send(red, fixture, [*bad, good])
    assert answer.status_code == 200
    assert [each["code"] for each in answer.json()["refused"]] == [
        "bad_field",
        "table_mark_unknown",
        "table_mark_not_yours",
        "table_mark_not_yours",
        "bad_field",
        "bad_field",
        "bad_field",
        "table_mark_unfit",
        "not_an_object",
    ]
    assert [str(mark.uid) for mark in TableMark.objects.all()] == [good["uid"]]


def test_an_id_of_the_other_side_is_taken(fixture: Fixture) -> None:
    red, blue = players(fixture)
    mine = made("surrender")
    send(red, fixture, [mine])
    theirs = {**mine, "side": "blue"}
    assert [each["code"] for each in send(blue, fixture, [theirs]).json()["refused"]] == ["table_uid_taken"]
    assert TableMark.objects.get().side == "red"


def test_a_side_is_limited_and_the_other_one_goes_on(fixture: Fixture, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tables_of, "MOST_MARKS", 3)
    red, blue = players(fixture)
    marks = [made("heat", unit="red-1", amount=1) for _ in range(5)]
    answer = send(red, fixture, marks).json()
    assert [each["code"] for each in answer["refused"]] == ["table_full"] * 2
    assert send(red, fixture, marks[:3]).json()["refused"] == []
    assert send(blue, fixture, [made("heat", "blue", unit="blue-1", amount=1)]).json()["refused"] == []
    assert TableMark.objects.count() == 4


@pytest.mark.parametrize(
    ("marks", "code"),
    [
        ([{}] * 101, "table_batch_too_large"),
        (["x" * 100_001], "table_batch_too_large"),
        ({"0": {}}, "bad_field"),
    ],
)
def test_a_message_that_is_too_large_or_no_list_is_refused_as_a_whole(fixture: Fixture, marks: Any, code: str) -> None:
    answer = send(players(fixture)[0], fixture, marks)
    assert (answer.status_code, answer.json()["code"]) == (400, code)


def test_a_phones_clock_that_runs_ahead_is_held_back(fixture: Fixture) -> None:
    send(players(fixture)[0], fixture, [{**made("surrender"), "at": "2999-01-01T00:00:00Z"}])
    mark = TableMark.objects.get()
    assert mark.made_at <= mark.received_at


def test_plain_forms_make_one_mark_each_and_undo_the_last(fixture: Fixture) -> None:
    red, _ = players(fixture)
    client = client_of(red)
    before = sides_of(fixture)[0].line_up.crews.get().damage
    answer = press(client, fixture, "red", kind="damage", unit="red-1", amount=3)
    assert (answer.status_code, answer["Location"]) == (302, address("table", fixture) + "#red-1")
    assert counts_of(fixture).units["red-1"].clicks == before + 3
    page = client.get(address("table", fixture))
    client.post(address("table_mark", fixture), {"mark": page.context["undo_value"]})
    assert counts_of(fixture).units["red-1"].clicks == before
    assert client.get(address("table", fixture)).context["last"] is None
    press(client, fixture, "red", kind="roll", purpose="attack")
    rolled = TableMark.objects.latest("id").mark
    assert (len(rolled["dice"]), rolled["by"]) == (3, "site")
    for sent in ("", "7", '{"mark": 7}', '{"side": "red", "mark": {"kind": "damage"}}'):
        assert client.post(address("table_mark", fixture), {"mark": sent}).status_code == 400


def test_what_the_page_shows_is_what_the_dials_say(fixture: Fixture) -> None:
    red, _ = players(fixture)
    send(red, fixture, [made("damage", unit="red-1", amount=1), made("heat", unit="red-1", amount=1)])
    found = find_fixture(fixture.round.cycle.season.slug, fixture.pk)
    context = client_of(red).get(address("table", fixture)).context
    (unit,) = context["sides"][0].units
    crew = next(side for side in found.sides.all() if side.side == "red").line_up.crews.get()
    definition = definition_of(found.round.cycle.season, crew.unit)
    click, step = definition["dial"][crew.damage + 1], definition["heat"][1]
    values = {key: number for key, _, number in unit.values}
    pilot = definition_of(found.round.cycle.season, crew.pilot)
    assert values["speed"] == str(max(0, click["speed"] + step["speed"] + pilot["modifiers"].get("speed", 0)))
    assert unit.count.clicks == crew.damage + 1
    shown = {item.name for item in unit.items if not item.is_hidden}
    keys = {item if isinstance(item, str) else item["key"] for item in click["equipment"].values()}
    gear = [definition_of(found.round.cycle.season, card.asset) for card in crew.cards.all()]
    assert shown == {NAMES[key] for key in [*keys, *(card["equipment"] for card in gear if card.get("equipment"))]}
