"""The report that the counts of a table become, and one phone for two players."""

from __future__ import annotations

from typing import Any

import pytest

from stables.models import Fixture, Report, Result, TableMark
from stables.presenters.fixture import find_fixture
from stables.presenters.tabletop import Tabletop
from tests.stables.results.test_tabletop import (
    a_won_match,
    address,
    client_of,
    file_from_table,
    fixture,
    made,
    players,
    season,
    seated,
    send,
    stranger_to,
)
from tests.stables.tabletop_matches import person, sides_of

__all__ = ["fixture", "season", "seated"]


# The report ------------------------------------------------------------------------------------------------------


def test_the_counts_fill_the_report_and_both_confirm_on_the_spot(fixture: Fixture) -> None:
    red, blue = players(fixture)
    ours, theirs = a_won_match(fixture)
    send(red, fixture, ours)
    send(blue, fixture, theirs)
    assert file_from_table(client_of(red), fixture).status_code == 302
    report = Report.objects.get()
    found = find_fixture(fixture.round.cycle.season.slug, fixture.pk)
    assert report.document == Tabletop(found).read_report
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


def test_doubtful_places_are_shown_before_a_report(fixture: Fixture) -> None:
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
    wrong = phone.post(address("table_guest", fixture), {**fields, "password": "guess"})
    assert (wrong.status_code, wrong.context["code"]) == (409, "table_wrong_password")
    ours, theirs = a_won_match(fixture)
    assert len(send(phone, fixture, theirs).json()["refused"]) == len(theirs)
    assert phone.post(address("table_guest", fixture), fields).status_code == 302
    assert send(phone, fixture, [*ours, *theirs]).json()["refused"] == []
    assert set(TableMark.objects.values_list("side", "made_by__username")) == {("red", red), ("blue", blue)}
    assert send(client_of(red), fixture, [made("surrender", "blue")]).json()["refused"] != []
    file_from_table(phone, fixture)
    report = Report.objects.get()
    sent = {**fields, "report": report.pk}
    refused = phone.post(address("table_confirm", fixture), {**sent, "password": ""})
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
def test_nobody_else_lets_themselves_in_as_a_guest(fixture: Fixture, name: str) -> None:
    red, blue = players(fixture)
    with_password(blue)
    fields = {"stable": sides_of(fixture)[1].stable.number, "password": "secret words", "report": 1}
    for who, status in ((None, 302), (stranger_to(fixture), 403), ("referee", 403)):
        assert client_of(who).post(address(name, fixture), fields).status_code == status
    own = {**fields, "stable": sides_of(fixture)[0].stable.number}
    assert client_of(red).post(address(name, fixture), own).status_code == 400
