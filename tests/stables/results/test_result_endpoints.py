"""Reporting, confirming, deciding and correcting who may, what is refused, and how."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import timedelta
from html import unescape
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from people.models import Notice
from people.text.notices import notice_sentence
from rules.wording.isolation import bare
from stables.models import Correction, Fixture, LogEntry, Report, Result, Ruling, Season, Stable
from stables.services.results import reports
from stables.text.log import log_sentence
from stables.text.reasons import REASONS
from tests.architecture.pseudo_locale import speak_pseudo, untranslated
from tests.stables.season_worlds import Enters, inside
from tests.stables.shown_again import says
from tests.stables.tabletop_matches import blue_wins, fixture_of, person, red_wins, sides_of


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
    """The owner of another stable of the season."""
    return next(name for name in ("ash", "birch", "cedar", "dogwood") if name not in players(fixture))


def address(name: str, fixture: Fixture) -> str:
    return reverse(f"stables:{name}", args=[fixture.round.cycle.season.slug, fixture.pk])


def send(who: str | None, name: str, fixture: Fixture, body: dict[str, Any]) -> Any:
    return client_of(who).post(address(name, fixture), dict(fields_of(body)))


def fields_of(body: dict[str, Any], path: str = "") -> Iterator[tuple[str, Any]]:
    """The fields of a form that say the same as a document."""
    for name, value in body.items():
        if isinstance(value, dict):
            yield from fields_of(value, f"{path}{name}.")
        else:
            yield f"{path}{name}", "yes" if value is True else "" if value is None else value


def settle(fixture: Fixture, document: dict[str, Any] | None = None) -> None:
    for side in sides_of(fixture):
        reports.file_report(fixture_id=fixture.pk, stable_id=side.stable_id, document=document or red_wins())


FORM = {
    "units.red-1.clicks": "2",
    "units.red-1.kills": "1",
    "units.blue-1.eliminated": "yes",
    "units.blue-1.clicks": "0",
    "sides.red.tokens": "5",
    "sides.blue.tokens": "",
    "ended_by": "",
    "winner": "",
}


def test_a_report_by_form_is_looked_at_filed_and_confirmed(fixture: Fixture) -> None:
    red, blue = players(fixture)
    page = client_of(red).get(address("report_result", fixture))
    assert page.status_code == 200
    assert b'name="units.red-1.clicks"' in page.content
    looked = client_of(red).post(address("report_result", fixture), {**FORM, "step": "look"})
    assert looked.status_code == 200
    assert any("reputation" in line for line in looked.context["changes"])
    assert Report.objects.count() == 0
    sent = client_of(red).post(address("report_result", fixture), {**FORM, "step": "send"})
    assert (sent.status_code, sent["Location"]) == (302, address("fixture", fixture))
    shown = client_of(blue).get(address("fixture", fixture))
    report = Report.objects.get()
    assert f'name="report" value="{report.pk}"' in shown.content.decode()
    confirmed = client_of(blue).post(address("confirm_report", fixture), {"report": report.pk})
    assert confirmed.status_code == 302
    assert Result.objects.get().source == "agreed"
    assert "Confirmed" in client_of(None).get(address("fixture", fixture)).content.decode().title()


def test_a_form_that_cannot_be_comes_back_with_what_was_typed(fixture: Fixture) -> None:
    red, _ = players(fixture)
    answer = client_of(red).post(address("report_result", fixture), {**FORM, "winner": "blue", "step": "send"})
    assert answer.status_code == 409
    assert sides_of(fixture)[1].stable.name in answer.context["problem"]
    assert answer.context["form"].sides[0].units[0]["clicks"].value() == "2"
    answer = client_of(red).post(address("report_result", fixture), {**FORM, "sides.red.tokens": "many"})
    assert answer.status_code == 400
    assert Report.objects.count() == 0


@pytest.mark.parametrize(
    ("body", "status", "code"),
    [
        ({"winner": "green"}, 400, "bad_field"),
        ({"units": {"red-1": {"clicks": -3}}}, 400, "not_a_number"),
        ({**red_wins(), "winner": "blue"}, 409, "report_winner_unlikely"),
        ({**red_wins(), "sides": {"red": {"tokens": 7}}}, 409, "report_tokens_unlikely"),
    ],
)
def test_bad_reports_are_refused(fixture: Fixture, body: Any, status: int, code: str) -> None:
    for step in ({}, {"step": "look"}):
        answer = send(players(fixture)[0], "report_result", fixture, {**body, **step})
        assert (answer.status_code, says(answer, code)) == (status, True)
    assert Report.objects.count() == 0


@pytest.mark.parametrize("name", ["report_result", "confirm_report", "reopen_result"])
def test_only_players_of_the_match_report_confirm_and_reopen(fixture: Fixture, name: str) -> None:
    for who, status in ((None, 302), (stranger_to(fixture), 403), ("organiser", 403), ("spectator", 403)):
        assert send(who, name, fixture, red_wins()).status_code == status
    assert Report.objects.count() == 0


@pytest.mark.parametrize("name", ["decide_result", "correct_result"])
def test_players_and_spectators_neither_decide_nor_correct(fixture: Fixture, name: str) -> None:
    settle(fixture) if name == "correct_result" else None
    for who, status in ((None, 302), (players(fixture)[0], 403), ("spectator", 403)):
        assert send(who, name, fixture, {**red_wins(), "words": "so", "kind": "void"}).status_code == status
    assert Correction.objects.count() == 0


@pytest.mark.parametrize(
    ("name", "status"),
    [
        ("report_result", 302),
        ("decide_result", 302),
        ("correct_result", 302),
        ("confirm_report", 405),
        ("reopen_result", 405),
    ],
)
def test_looking_at_forms_asks_to_log_in_and_other_methods_are_none(fixture: Fixture, name: str, status: int) -> None:
    assert client_of(None).get(address(name, fixture)).status_code == status
    assert client_of(players(fixture)[0]).put(address(name, fixture)).status_code == 405


@pytest.mark.parametrize(
    "name", ["report_result", "decide_result", "correct_result", "confirm_report", "reopen_result"]
)
def test_unknown_fixtures_are_not_found(season: Season, fixture: Fixture, name: str) -> None:
    for slug, pk in ((season.slug, 999_999), ("no-such-season", fixture.pk)):
        assert client_of("organiser").post(reverse(f"stables:{name}", args=[slug, pk])).status_code == 404


def test_confirming_needs_the_number_of_a_report(fixture: Fixture) -> None:
    red, blue = players(fixture)
    send(red, "report_result", fixture, red_wins())
    assert send(blue, "confirm_report", fixture, {"report": "x"}).context["code"] == "not_a_number"
    answer = send(red, "confirm_report", fixture, {"report": Report.objects.get().pk})
    assert (answer.status_code, answer.context["code"]) == (409, "report_not_newest")


def test_a_referee_decides_by_form(fixture: Fixture) -> None:
    red, blue = players(fixture)
    send(red, "report_result", fixture, red_wins())
    send(blue, "report_result", fixture, blue_wins())
    assert "referee" in client_of("referee").get(address("fixture", fixture)).content.decode()
    page = client_of("referee").get(address("decide_result", fixture))
    assert page.status_code == 200
    without = client_of("referee").post(address("decide_result", fixture), {**FORM, "step": "send"})
    assert without.status_code == 400
    assert Result.objects.count() == 0
    form = {**FORM, "step": "send", "reason": "ruling", "words": "I saw it"}
    looked = client_of("referee").post(address("decide_result", fixture), {**form, "step": "look"})
    assert re.search(r'value="ruling"[^>]* checked', looked.content.decode()), "a look keeps the reason"
    assert client_of("referee").post(address("decide_result", fixture), form).status_code == 302
    assert Result.objects.get().source == "referee"
    assert "a ruling: I saw it" in bare(client_of(None).get(address("fixture", fixture)).content.decode())
    assert Ruling.objects.get().reason == "#ruling: I saw it"


@pytest.mark.parametrize(("who", "office"), [("organiser", "an organiser"), ("referee", "a referee")])
def test_the_log_and_the_owners_hear_by_which_office_a_result_was_decided(
    fixture: Fixture, who: str, office: str
) -> None:
    for player, document in zip(players(fixture), (red_wins(), blue_wins()), strict=True):
        send(player, "report_result", fixture, document)
    assert send(who, "decide_result", fixture, {**red_wins(), "reason": "ruling"}).status_code == 302
    entry = LogEntry.objects.get(code="result_decided")
    assert bare(log_sentence(entry.code, entry.parameters)).endswith(f": {office} decided. a ruling")
    told = Notice.objects.filter(code="result_decided").first()
    assert told is not None
    assert f": {office} decided the result of " in bare(notice_sentence(told.code, told.parameters))


def test_an_organiser_types_a_result_from_paper_before_anybody_has_reported(fixture: Fixture) -> None:
    assert send("organiser", "decide_result", fixture, {**red_wins(), "reason": "ruling"}).status_code == 302
    assert Result.objects.get().current["winner"] == "red"
    assert not Report.objects.exists()


@pytest.mark.parametrize(("name", "who"), [("decide_result", "referee"), ("report_result", "player")])
def test_a_settled_match_has_no_preview_of_another_result(fixture: Fixture, name: str, who: str) -> None:
    settle(fixture)
    answer = send(players(fixture)[0] if who == "player" else who, name, fixture, {**red_wins(), "step": "look"})
    assert (answer.status_code, says(answer, "fixture_settled")) == (409, True)


def test_a_result_by_silence_is_opened_again_with_one_tap(fixture: Fixture) -> None:
    red, blue = players(fixture)
    send(red, "report_result", fixture, red_wins())
    assert reports.chase(fixture_id=fixture.pk, now=timezone.now() + timedelta(days=9)) == "confirmed"
    page = client_of(blue).get(address("fixture", fixture)).content.decode()
    assert page.count('name="reason"') == len(REASONS)
    assert send(blue, "reopen_result", fixture, {}).context["code"] == "reason_missing"
    assert send(blue, "reopen_result", fixture, {"reason": "typing_error"}).status_code == 302
    assert Correction.objects.get().reason == "#typing_error"
    assert '<q translate="no">typing error</q>' in client_of(blue).get(address("fixture", fixture)).content.decode()


def test_a_correction_by_form_is_looked_at_then_applied(season: Season, fixture: Fixture) -> None:
    settle(fixture)
    page = client_of("organiser").get(address("correct_result", fixture))
    assert page.status_code == 200
    assert page.context["form"].sides[0].units[0]["clicks"].value() == 2
    whose = f"filled in with the result that counts now ({Result.objects.get().get_source_display()})"
    assert whose in unescape(page.content.decode())
    form = {**FORM, "units.red-1.clicks": "4", "kind": "correct", "reason": "typing_error", "words": "two clicks more"}
    looked = client_of("organiser").post(address("correct_result", fixture), {**form, "step": "look"})
    assert (looked.status_code, len(looked.context["changes"])) == (200, 1)
    seal = looked.context["seal"]
    wrong = client_of("organiser").post(address("correct_result", fixture), {**form, "seal": "no", "step": "send"})
    assert wrong.status_code == 409
    assert Correction.objects.count() == 0
    made = client_of("organiser").post(address("correct_result", fixture), {**form, "seal": seal, "step": "send"})
    assert made.status_code == 302
    shown = client_of(None).get(address("fixture", fixture)).content.decode()
    assert "typing error: two clicks more" in bare(shown)
    assert looked.context["changes"][0] in unescape(shown)


@pytest.mark.parametrize(
    ("wanted", "code"),
    [({"kind": "void"}, "result_voided"), ({"kind": "replace", "forfeits": "number"}, "result_replaced")],
)
def test_a_result_is_voided_or_replaced(season: Season, fixture: Fixture, wanted: dict[str, Any], code: str) -> None:
    settle(fixture)
    if "forfeits" in wanted:
        wanted = {**wanted, "forfeits": sides_of(fixture)[0].stable.number}
    seen = send("organiser", "correct_result", fixture, {**wanted, "step": "look"}).context
    body = {**wanted, "reason": "agreed", "seal": seen["seal"]}
    made = send("organiser", "correct_result", fixture, body)
    assert (made.status_code, Correction.objects.count()) == (302, 1)
    ended = {"void": "void", "replace": "forfeit"}[wanted["kind"]]
    assert Result.objects.get().current["ended_by"] == ended
    assert LogEntry.objects.get(code=code).parameters["effects"] == Correction.objects.get().effects
    again = send("organiser", "correct_result", fixture, body)
    assert (again.status_code, says(again, "correction_changed")) == (409, True)


@pytest.mark.parametrize("body", [{"kind": "burn"}, {}, {"kind": "replace", "forfeits": "x"}, {"kind": "3"}])
def test_bad_corrections_change_nothing(fixture: Fixture, body: dict[str, Any]) -> None:
    settle(fixture)
    for step in ("look", "send"):
        answer = send("organiser", "correct_result", fixture, {**body, "words": "so", "seal": "", "step": step})
        assert answer.status_code in (400, 409)
    assert Correction.objects.count() == 0


def test_what_is_not_settled_is_not_corrected(fixture: Fixture) -> None:
    answer = send("organiser", "correct_result", fixture, {"kind": "void", "step": "look"})
    assert (answer.status_code, answer.context["code"]) == (409, "result_not_settled")


def test_only_organisers_waive_a_debt(season: Season) -> None:
    stable = season.stables.get(number=1)
    Stable.objects.filter(pk=stable.pk).update(owed=40)
    waive = reverse("stables:waive_debt", args=[season.slug, stable.slug])
    for who, is_shown in (("organiser", True), (stable.name.lower(), False), (None, False)):
        assert (waive in client_of(who).get(stable.get_absolute_url()).content.decode()) == is_shown
    for who, status in ((None, 302), (stable.name.lower(), 403), ("referee", 403), ("organiser", 400)):
        assert client_of(who).post(waive, {}).status_code == status
    answer = client_of("organiser").post(waive, {"words": "bad luck"})
    assert answer.status_code == 302
    assert not Stable.objects.get(pk=stable.pk).owed
    answer = client_of("organiser").post(waive, {"words": "bad luck"})
    assert answer.context["code"] == "nothing_owed"
    assert client_of("organiser").get(waive).status_code == 405


@pytest.mark.parametrize("state", ["open", "differing", "corrected"])
def test_pages_of_results_take_few_queries(season: Season, fixture: Fixture, state: str) -> None:
    red, blue = players(fixture)
    if state == "differing":
        send(red, "report_result", fixture, red_wins())
        send(blue, "report_result", fixture, blue_wins())
    if state == "corrected":
        settle(fixture)
        for clicks in (3, 4):
            body = {**red_wins(clicks=clicks), "kind": "correct", "words": "so"}
            seal = send("organiser", "correct_result", fixture, {**body, "step": "look"}).context["seal"]
            assert send("organiser", "correct_result", fixture, {**body, "seal": seal}).status_code == 302
    who = "organiser" if state == "corrected" else red
    form = "correct_result" if state == "corrected" else "report_result"
    client = client_of(who)
    for name in ("fixture", form):
        with CaptureQueriesContext(connection) as queries:
            assert client.get(address(name, fixture)).status_code == 200
        assert len(queries) <= 17, [query["sql"][:90] for query in queries]


@pytest.mark.parametrize("state", ["differing", "corrected"])
def test_everything_on_these_pages_can_be_translated(
    season: Season, fixture: Fixture, state: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    red, blue = players(fixture)
    visits = [(red, "fixture", None), (red, "report_result", None), ("referee", "decide_result", None)]
    visits.append((red, "report_result", {**FORM, "step": "look"}))
    visits.append((red, "report_result", {**FORM, "winner": "blue", "step": "send"}))
    if state == "differing":
        send(red, "report_result", fixture, red_wins())
        send(blue, "report_result", fixture, blue_wins())
    else:
        settle(fixture)
        body = {"kind": "void", "words": "so"}
        seal = send("organiser", "correct_result", fixture, {**body, "step": "look"}).context["seal"]
        send("organiser", "correct_result", fixture, {**body, "seal": seal})
        Stable.objects.filter(pk=season.stables.get(number=1).pk).update(owed=5)
        form = {**FORM, "kind": "correct", "step": "look"}
        visits = [(None, "fixture", None), ("organiser", "correct_result", None), ("organiser", "correct_result", form)]
    speak_pseudo(monkeypatch)
    for who, name, form in visits:
        client = client_of(who)
        page = client.get(address(name, fixture)) if form is None else client.post(address(name, fixture), form)
        assert untranslated(page.content.decode()) == [], (name, form)
