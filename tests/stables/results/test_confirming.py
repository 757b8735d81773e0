"""Whoever confirms or decides a result sees what was reported, by whom, and what it changes."""

from __future__ import annotations

from html import unescape
from typing import Any

import pytest

from stables.models import Fixture, Report, Season
from stables.services.results import reports
from stables.services.results.corrections import Wanted
from tests.stables.results.test_corrections import correct
from tests.stables.season_worlds import Enters
from tests.stables.tabletop_matches import blue_wins, fixture_of, red_wins, sides_of

from .test_result_endpoints import address, client_of, players


@pytest.fixture
def fixture(db: None, two_at_tables: Enters) -> Fixture:
    return fixture_of(Season.objects.get(pk=two_at_tables().pk))


def file(fixture: Fixture, place: int, document: dict[str, Any]) -> Report:
    side = sides_of(fixture)[place]
    reports.file_report(fixture_id=fixture.pk, stable_id=side.stable_id, document=document)
    return Report.objects.get(stable=side.stable)


def shown(who: str, name: str, fixture: Fixture, query: str = "") -> Any:
    answer = client_of(who).get(address(name, fixture) + query)
    assert answer.status_code == 200
    return answer


def text(answer: Any) -> str:
    return " ".join(unescape(answer.content.decode()).split())


@pytest.mark.parametrize("page", ["fixture", "table"])
def test_the_button_to_confirm_stands_under_what_was_reported_and_what_it_changes(fixture: Fixture, page: str) -> None:
    _, blue = players(fixture)
    report = file(fixture, 0, red_wins(tokens=5))
    name = report.stable.name
    whole = text(shown(blue, page, fixture))
    button = whole.index(f'name="report" value="{report.pk}"')
    for said in (f"winner: <strong>{name}</strong>", "clicks of damage: <strong>2</strong>", "reputation."):
        assert 0 < whole.index(said) < button, said


def test_o_6_3_the_phone_that_is_handed_over_shows_what_the_other_player_confirms(fixture: Fixture) -> None:
    red, _ = players(fixture)
    name = file(fixture, 0, red_wins(tokens=5)).stable.name
    whole = text(shown(red, "table", fixture))
    asked = whole.index("Confirm on this phone")
    for said in (f"winner: <strong>{name}</strong>", "clicks of damage: <strong>2</strong>", "reputation."):
        assert 0 < whole.index(said) < asked, said


def test_whose_figures_a_form_begins_with_is_said(fixture: Fixture) -> None:
    red, blue = players(fixture)
    name = file(fixture, 0, red_wins()).stable.name
    assert f'with what <span translate="no">{name}</span> reported' in text(shown(blue, "report_result", fixture))
    assert "with your own report" in text(shown(red, "report_result", fixture))


def test_a_form_without_a_report_begins_with_damage_from_before(fixture: Fixture) -> None:
    red, _ = players(fixture)
    for name, page in ((red, "report_result"), ("referee", "decide_result")):
        assert "Damage is filled in as each unit came" in text(shown(name, page, fixture))


def test_after_a_void_the_form_to_correct_begins_with_damage_from_before(fixture: Fixture) -> None:
    file(fixture, 0, red_wins())
    file(fixture, 1, red_wins())
    assert "with the result that counts now" in text(shown("organiser", "correct_result", fixture))
    correct(Fixture.objects.get(pk=fixture.pk), Wanted("void"))
    page = text(shown("organiser", "correct_result", fixture))
    assert "with the result that counts now" not in page
    assert "Damage is filled in as each unit came" in page


def test_the_referee_sees_both_reports_and_chooses_what_the_form_begins_with(fixture: Fixture) -> None:
    file(fixture, 0, red_wins(clicks=2))
    second = file(fixture, 1, blue_wins())
    page = shown("referee", "decide_result", fixture)
    rows = {row["field"]: row for row in page.context["rows"]}
    names = [side.stable.name for side in sides_of(fixture)]
    assert rows["winner"] == {"field": "winner", "values": names, "is_differing": True}
    assert not all(row["is_differing"] for row in rows.values())
    assert 'name="units.red-1.clicks"' not in text(page)
    begun = shown("referee", "decide_result", fixture, f"?report={second.pk}")
    assert f'with what <span translate="no">{second.stable.name}</span> reported' in text(begun)
    assert begun.context["form"]["winner"].value() == "blue"
    empty = shown("referee", "decide_result", fixture, "?report=0")
    assert 'name="units.red-1.clicks"' in text(empty)
    assert "The form is filled in" not in text(empty)


def test_one_report_alone_fills_the_referees_form_and_is_named(fixture: Fixture) -> None:
    report = file(fixture, 0, red_wins())
    page = shown("referee", "decide_result", fixture)
    assert f'with what <span translate="no">{report.stable.name}</span> reported' in text(page)
