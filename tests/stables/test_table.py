"""Beside a table: who may look and count, marks that arrive once, and the report that the counts become."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any
from uuid import uuid4

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from catalogue.services import load_release
from rules.campaign.table_counts import fold
from rules.catalogue.wording import NAMES
from stables.catalogues import definition_of
from stables.fixture_page import find_fixture
from stables.models import Fixture, Report, Result, Season, TableMark
from stables.services import table as tables_of
from stables.services.contests import contest_of
from stables.services.table import marks_of, stored_marks
from stables.table_page import Table
from tests.architecture.pseudo_locale import speak_pseudo, untranslated
from tests.once import built_once
from tests.stables.tables import at_a_table, fixture_of, person, sides_of, tables
from tests.stables.test_shared_sides_settled import shared

__all__ = ["shared"]
JSON = {"accept": "application/json"}


@pytest.fixture(scope="module")
def seated(django_db_setup: None, django_db_blocker: Any, quiet_settings: None) -> Iterator[Season]:
    """Line-ups are sealed once; every test plays from there."""
    with built_once(django_db_blocker):
        yield tables(load_release(), ["Ash", "Birch", "Cedar", "Dogwood"], matches_per_cycle=1)


@pytest.fixture
def season(db: None, seated: Season) -> Season:
    return Season.objects.get(pk=seated.pk)


@pytest.fixture
def fixture(season: Season) -> Fixture:
    return fixture_of(season)


def client_of(who: str | None) -> Client:
    client = Client()
    if who is not None:
        client.force_login(person(who))
    return client


def players(fixture: Fixture) -> list[str]:
    return [side.stable.owner.username for side in sides_of(fixture)]


def stranger_to(fixture: Fixture) -> str:
    return next(name for name in ("ash", "birch", "cedar", "dogwood") if name not in players(fixture))


def address(name: str, fixture: Fixture) -> str:
    return reverse(f"stables:{name}", args=[fixture.round.cycle.season.slug, fixture.pk])


def made(kind: str, side: str = "red", **fields: Any) -> dict[str, Any]:
    return {"uid": str(uuid4()), "side": side, "at": "2030-01-01T12:00:00Z", "mark": {"kind": kind, **fields}}


def send(who: Client | str | None, fixture: Fixture, marks: Any, since: int = 0) -> Any:
    client = who if isinstance(who, Client) else client_of(who)
    body = json.dumps({"since": since, "marks": marks})
    return client.post(address("table_marks", fixture), body, content_type="application/json", headers=JSON)


def press(client: Client, fixture: Fixture, side: str, **mark: Any) -> Any:
    return client.post(address("table_mark", fixture), {"mark": json.dumps({"side": side, "mark": mark})})


def counts_of(fixture: Fixture) -> Any:
    found = find_fixture(fixture.round.cycle.season.slug, fixture.pk)
    return fold(marks_of(stored_marks(found)), contest_of(found, list(found.sides.all())))


def a_won_match(fixture: Fixture) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """The marks of both phones: blue is eliminated in round 2, red is hurt."""
    dial = contest_of_found(fixture).units["blue-1"].dial
    red = [
        made("damage", unit="red-1", amount=2),
        made("heat", unit="red-1", amount=3),
        made("token", rp=5),
        made("round", number=1),
        made("kill", unit="red-1", of="blue-1"),
    ]
    return red, [made("damage", "blue", unit="blue-1", amount=dial), made("round", "blue", number=1)]


def contest_of_found(fixture: Fixture) -> Any:
    found = find_fixture(fixture.round.cycle.season.slug, fixture.pk)
    return contest_of(found, list(found.sides.all()))


# Who may what ----------------------------------------------------------------------------------------------------


def test_who_may_look_and_who_counts(fixture: Fixture) -> None:
    red, blue = players(fixture)
    for who, status, counts in (
        (red, 200, True),
        (blue, 200, True),
        ("referee", 200, False),
        ("organiser", 200, False),
        (stranger_to(fixture), 403, False),
        ("spectator", 403, False),
        (None, 302, False),
    ):
        answer = client_of(who).get(address("table", fixture))
        assert answer.status_code == status, who
        if status == 200:
            page = answer.content.decode()
            assert ('name="mark"' in page) == counts
            assert ("?from=table" in page) == counts


def test_who_may_send_marks(fixture: Fixture) -> None:
    red, blue = players(fixture)
    hurt = made("damage", unit="red-1", amount=1)
    for who, status in ((None, 401), (stranger_to(fixture), 403), ("spectator", 403)):
        assert send(who, fixture, [hurt]).status_code == status
        assert press(client_of(who), fixture, "red", kind="surrender").status_code in (302, 403)
    for who in (blue, "referee", "organiser"):
        answer = send(who, fixture, [hurt]).json()
        assert [each["code"] for each in answer["refused"]] == ["table_mark_not_yours"]
        assert press(client_of(who), fixture, "red", kind="surrender").status_code == 409
    assert TableMark.objects.count() == 0
    assert send(red, fixture, [hurt]).json()["refused"] == []
    assert TableMark.objects.get().made_by.username == red


def test_a_page_shows_buttons_for_its_own_side_only(fixture: Fixture) -> None:
    red, _ = players(fixture)
    page = client_of(red).get(address("table", fixture)).content.decode()
    assert "&quot;unit&quot;: &quot;red-1&quot;" in page
    assert "&quot;mark&quot;: {&quot;kind&quot;: &quot;damage&quot;, &quot;unit&quot;: &quot;blue-1&quot;" not in page


def test_hands_and_tokens_are_on_no_page(fixture: Fixture) -> None:
    for side in sides_of(fixture):
        assert side.line_up.tokens
    for who in (*players(fixture), "referee"):
        page = client_of(who).get(address("table", fixture)).content.decode()
        for side in sides_of(fixture):
            assert not [token for token in side.line_up.tokens if token in page]
            hand = side.line_up.crews.get().cards.filter(asset__kind="rally_card")
            assert not [card for card in hand if card.asset.name in page]


def test_only_a_sealed_match_at_a_table_has_one(season: Season, fixture: Fixture) -> None:
    red, _ = players(fixture)
    for change, code in (({"state": "line_ups"}, "report_too_early"), ({"mode": "browser"}, "report_not_at_table")):
        Fixture.objects.filter(pk=fixture.pk).update(**{"state": "sealed", "mode": "table", **change})
        answer = client_of(red).get(address("table", fixture), headers=JSON)
        assert (answer.status_code, answer.json()["code"]) == (409, code)
        answer = send(red, fixture, [made("surrender")])
        assert (answer.status_code, answer.json()["code"]) == (409, code)
    assert client_of(red).get(reverse("stables:table", args=[season.slug, 999_999])).status_code == 404
    assert client_of(red).get(address("table_marks", fixture)).status_code == 405


def test_the_page_of_the_match_leads_to_the_table(fixture: Fixture) -> None:
    link = address("table", fixture)
    for who, is_there in ((players(fixture)[0], True), ("referee", True), (stranger_to(fixture), False), (None, False)):
        assert (link in client_of(who).get(address("fixture", fixture)).content.decode()) == is_there


def test_every_text_of_the_page_is_translated(fixture: Fixture, monkeypatch: pytest.MonkeyPatch) -> None:
    red, blue = players(fixture)
    ours, theirs = a_won_match(fixture)
    send(red, fixture, ours)
    send(blue, fixture, theirs)
    file_from_table(client_of(blue), fixture)
    speak_pseudo(monkeypatch)
    for path in (address("table", fixture), address("report_result", fixture) + "?from=table"):
        assert untranslated(client_of(red).get(path).content.decode()) == []


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
        assert client.post(address("table_mark", fixture), {"mark": sent}, headers=JSON).status_code == 400


def test_what_the_page_shows_is_what_the_dials_say(fixture: Fixture) -> None:
    red, _ = players(fixture)
    send(red, fixture, [made("damage", unit="red-1", amount=1), made("heat", unit="red-1", amount=1)])
    found = find_fixture(fixture.round.cycle.season.slug, fixture.pk)
    context = client_of(red).get(address("table", fixture)).context
    (unit,) = context["sides"][0].units
    crew = next(side for side in found.sides.all() if side.side == "red").line_up.crews.get()
    definition = definition_of(found.round.cycle.season, crew.unit)
    click, step = definition["dial"][crew.damage + 1], definition["heat"][1]
    told = {key: number for key, _, number in unit.values}
    pilot = definition_of(found.round.cycle.season, crew.pilot)
    assert told["speed"] == str(max(0, click["speed"] + step["speed"] + pilot["modifiers"].get("speed", 0)))
    assert unit.count.clicks == crew.damage + 1
    shown = {item.name for item in unit.items if not item.is_hidden}
    keys = {item if isinstance(item, str) else item["key"] for item in click["equipment"].values()}
    gear = [definition_of(found.round.cycle.season, card.asset) for card in crew.cards.all()]
    assert shown == {NAMES[key] for key in [*keys, *(card["equipment"] for card in gear if card.get("equipment"))]}


# The report ------------------------------------------------------------------------------------------------------


def file_from_table(client: Client, fixture: Fixture) -> Any:
    """Open the report that the counts fill in, and file its form as it stands."""
    page = client.get(address("report_result", fixture) + "?from=table")
    assert page.status_code == 200
    form = page.context["form"]
    fields = {"ended_by": form["ended_by"], "winner": form["winner"], "step": "send"}
    for side in form["sides"]:
        for name in ("eliminations", "tokens", "flags"):
            fields[f"sides.{side['key']}.{name}"] = str(side["given"][name])
        fields |= {f"sides.{side['key']}.surrendered": "yes"} if side["given"]["surrendered"] else {}
        for unit in side["units"]:
            fields[f"units.{unit['key']}.clicks"] = str(unit["clicks"])
            fields[f"units.{unit['key']}.kills"] = str(unit["given"]["kills"])
            fields |= {f"units.{unit['key']}.eliminated": "yes"} if unit["given"]["eliminated"] else {}
    return client.post(address("report_result", fixture), fields)


def test_the_counts_fill_the_report_and_both_confirm_on_the_spot(fixture: Fixture) -> None:
    red, blue = players(fixture)
    ours, theirs = a_won_match(fixture)
    send(red, fixture, ours)
    send(blue, fixture, theirs)
    assert file_from_table(client_of(red), fixture).status_code == 302
    report = Report.objects.get()
    found = find_fixture(fixture.round.cycle.season.slug, fixture.pk)
    assert report.document == Table(found).read_report
    assert (report.document["winner"], report.document["units"]["blue-1"]["eliminated"]) == ("red", True)
    page = client_of(blue).get(address("table", fixture))
    (view,) = page.context["reports"]
    assert view["is_same"]
    assert "the same as was counted" in page.content.decode()
    assert f'name="report" value="{report.pk}"' in page.content.decode()
    assert client_of(blue).post(address("confirm_report", fixture), {"report": report.pk}).status_code == 302
    result = Result.objects.get()
    assert (result.source, result.document["sides"]["red"]["kills"]) == ("agreed", 1)
    late = send(red, fixture, [made("damage", unit="red-1", amount=1)])
    assert (late.status_code, late.json()["code"]) == (409, "fixture_settled")
    over = client_of(red).get(address("table", fixture))
    assert over.status_code == 200
    assert 'name="mark"' not in over.content.decode()


def test_both_file_what_was_counted_and_it_is_settled(fixture: Fixture) -> None:
    red, blue = players(fixture)
    ours, theirs = a_won_match(fixture)
    send(red, fixture, ours)
    send(blue, fixture, theirs)
    for who in (red, blue):
        assert file_from_table(client_of(who), fixture).status_code == 302
    assert Result.objects.get().source == "agreed"


def test_a_report_that_differs_is_shown_beside_the_counts(fixture: Fixture) -> None:
    red, blue = players(fixture)
    ours, theirs = a_won_match(fixture)
    send(red, fixture, ours)
    send(blue, fixture, theirs)
    file_from_table(client_of(red), fixture)
    send(red, fixture, [made("damage", unit="red-1", amount=1)])
    page = client_of(blue).get(address("table", fixture))
    (view,) = page.context["reports"]
    assert not view["is_same"]
    assert len(view["rows"]) == 1
    assert "reported something else than was counted" in page.content.decode()


def test_doubtful_places_are_told_before_a_report(fixture: Fixture) -> None:
    red, _ = players(fixture)
    send(red, fixture, [made("kill", unit="red-1", of="blue-1")])
    for path in (address("table", fixture), address("report_result", fixture) + "?from=table"):
        page = client_of(red).get(path)
        assert len(page.context["doubts"]) == 1
        assert "counts the kill of" in page.context["doubts"][0]


def test_a_report_from_the_table_is_for_its_players(fixture: Fixture) -> None:
    for who, status in (("organiser", 403), (stranger_to(fixture), 403), (None, 302)):
        assert client_of(who).get(address("report_result", fixture) + "?from=table").status_code == status


# One phone for two -----------------------------------------------------------------------------------------------


def with_password(name: str) -> Any:
    user = person(name)
    user.set_password("secret words")
    user.save()
    return user


def test_one_phone_counts_and_confirms_for_both(fixture: Fixture) -> None:
    red, blue = players(fixture)
    with_password(blue)
    number = sides_of(fixture)[1].stable.number
    phone = client_of(red)
    fields = {"stable": number, "password": "secret words"}
    wrong = phone.post(address("table_guest", fixture), {**fields, "password": "guess"}, headers=JSON)
    assert (wrong.status_code, wrong.json()["code"]) == (409, "table_wrong_password")
    ours, theirs = a_won_match(fixture)
    assert len(send(phone, fixture, theirs).json()["refused"]) == len(theirs)
    assert phone.post(address("table_guest", fixture), fields).status_code == 302
    assert send(phone, fixture, [*ours, *theirs]).json()["refused"] == []
    assert set(TableMark.objects.values_list("side", "made_by__username")) == {("red", red), ("blue", blue)}
    assert send(client_of(red), fixture, [made("surrender", "blue")]).json()["refused"] != []
    file_from_table(phone, fixture)
    report = Report.objects.get()
    sent = {**fields, "report": report.pk}
    refused = phone.post(address("table_confirm", fixture), {**sent, "password": ""}, headers=JSON)
    assert refused.status_code == 409
    assert Result.objects.count() == 0
    assert phone.post(address("table_confirm", fixture), sent).status_code == 302
    assert Result.objects.get().source == "agreed"


def test_a_new_password_ends_what_a_guest_allowed(fixture: Fixture) -> None:
    red, blue = players(fixture)
    user = with_password(blue)
    phone = client_of(red)
    phone.post(
        address("table_guest", fixture), {"stable": sides_of(fixture)[1].stable.number, "password": "secret words"}
    )
    assert phone.get(address("table", fixture)).context["guests"] != []
    user.set_password("other words")
    user.save()
    assert phone.get(address("table", fixture)).context["guests"] == []


@pytest.mark.parametrize("name", ["table_guest", "table_confirm"])
def test_nobody_else_lets_himself_in_as_a_guest(fixture: Fixture, name: str) -> None:
    red, blue = players(fixture)
    with_password(blue)
    fields = {"stable": sides_of(fixture)[1].stable.number, "password": "secret words", "report": 1}
    for who, status in ((None, 401), (stranger_to(fixture), 403), ("referee", 403)):
        assert client_of(who).post(address(name, fixture), fields, headers=JSON).status_code == status
    own = {**fields, "stable": sides_of(fixture)[0].stable.number}
    assert client_of(red).post(address(name, fixture), own, headers=JSON).status_code == 400


# Every format, and what it costs ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("format_key", "stables", "units"),
    [("weapons_dead", 2, 1), ("team", 2, 2), ("tag_team", 2, 2), ("capture_the_flag", 2, 2), ("grand_melee", 4, 1)],
)
def test_every_format_is_counted_and_reported(release: Any, format_key: str, stables: int, units: int) -> None:
    names = ["Ash", "Birch", "Cedar", "Dogwood"][:stables]
    fixture = fixture_of(tables(release, names, cycles=[format_key]))
    contest = contest_of_found(fixture)
    assert len(contest.units) == stables * units
    for side in sides_of(fixture):
        marks = [
            made("elimination", side.side, unit=key) for key, unit in contest.units.items() if unit.side == side.side
        ]
        marks = [] if side.side == "red" else marks
        if format_key == "capture_the_flag":
            marks.append(made("flag", side.side, flag=side.side, place="home", step=1))
        assert send(side.stable.owner.username, fixture, marks).json()["refused"] == []
    kills = [made("kill", unit="red-1", of=key) for key, unit in contest.units.items() if unit.side != "red"]
    owner = sides_of(fixture)[0].stable.owner.username
    assert send(owner, fixture, kills).json()["refused"] == []
    page = client_of(owner).get(address("table", fixture))
    assert page.status_code == 200
    assert page.context["doubts"] == []
    assert page.context["sides"][0].key == "red"
    for side in sides_of(fixture):
        assert file_from_table(client_of(side.stable.owner.username), fixture).status_code == 302
    assert Result.objects.get().document["winner"] == "red"


def test_two_stables_on_one_side_count_and_report_together(shared: Fixture) -> None:
    at_a_table(shared.round.cycle.season)
    ash, birch, cedar, dogwood = (side.stable.owner.username for side in sides_of(shared))
    assert send(ash, shared, [made("kill", unit="red-2", of="blue-1")]).json()["refused"] == []
    assert send(birch, shared, [made("kill", unit="red-1", of="blue-2")]).json()["refused"] == []
    fallen = [made("elimination", "blue", unit=f"blue-{number}") for number in (1, 2)]
    assert len(send(birch, shared, fallen).json()["refused"]) == 2
    assert send(dogwood, shared, fallen).json()["refused"] == []
    assert client_of(cedar).get(address("table", shared)).context["doubts"] == []
    for who in (ash, birch, cedar, dogwood):
        assert file_from_table(client_of(who), shared).status_code == 302
    assert Result.objects.get().document["sides"]["red"]["kills"] == 2


def test_the_page_and_its_polls_cost_the_same_however_much_was_counted(fixture: Fixture) -> None:
    red, _ = players(fixture)
    client = client_of(red)

    def costs() -> tuple[int, int]:
        with CaptureQueriesContext(
            connection,
        ) as page:
            client.get(address("table", fixture))
        with CaptureQueriesContext(connection) as poll:
            send(client, fixture, [])
        return len(page), len(poll)

    client.get(address("table", fixture))
    before = costs()
    send(client, fixture, [made("heat", unit="red-1", amount=1) for _ in range(60)])
    assert costs() == before
    assert max(before) <= 15


def test_the_worker_is_served_for_the_pages_of_tables(client: Client) -> None:
    answer = client.get(reverse("stables:table_worker"))
    assert (answer.status_code, answer["Service-Worker-Allowed"]) == (200, "/seasons/")
    assert answer["Content-Type"].startswith("text/javascript")
