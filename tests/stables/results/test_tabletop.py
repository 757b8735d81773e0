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

from rules.campaign.results.tabletop_counts import fold
from stables.models import Fixture, Result, Season, TableMark
from stables.presenters.fixture import find_fixture
from stables.services.results.contests import contest_of
from stables.services.results.tabletop import marks_of, stored_marks
from tests.architecture.pseudo_locale import speak_pseudo, untranslated
from tests.stables.results.test_shared_sides_settled import shared
from tests.stables.season_worlds import Enters, inside
from tests.stables.shown_again import as_it_stands
from tests.stables.tabletop_matches import at_a_table, fixture_of, person, sides_of, tables

__all__ = ["shared"]


@pytest.fixture(scope="module")
def seated(django_db_blocker: Any, four_at_tables: Enters) -> Iterator[Season]:
    """Line-ups are sealed once; every test plays from there."""
    with inside(django_db_blocker, four_at_tables) as made:
        yield made


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
    return client.post(address("table_marks", fixture), body, content_type="application/json")


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


def file_from_table(client: Client, fixture: Fixture) -> Any:
    """Open the report that the counts fill in, and file its form as it stands."""
    page = client.get(address("report_result", fixture) + "?from=table")
    assert page.status_code == 200
    form = page.context["form"]
    fields = as_it_stands(form, *form.sides, *(unit for side in form.sides for unit in side.units)) | {"step": "send"}
    return client.post(address("report_result", fixture), fields)


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
        answer = client_of(red).get(address("table", fixture))
        assert (answer.status_code, answer.context["code"]) == (409, code)
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
