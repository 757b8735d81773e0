"""A PIN confirms one match on a rival's phone, within five tries, and nothing else."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.core.exceptions import PermissionDenied
from django.urls import reverse

from people.models import Notice
from people.text.notices import notice_sentence
from rules.core.refusals import Malformed, SeasonRefused
from stables.models import Fixture, LogEntry, Report, Result, SeasonRole, TablePin
from stables.services.results import pins, reports
from stables.text.log import log_sentence
from tests.stables.results.test_tabletop import (
    a_won_match,
    address,
    client_of,
    file_from_table,
    fixture,
    players,
    season,
    seated,
    send,
    stranger_to,
)
from tests.stables.tabletop_matches import fixture_of, person, red_wins, sides_of

__all__ = ["fixture", "season", "seated"]


def make(fixture: Fixture, of: int = 1, by: str = "") -> str:
    side = sides_of(fixture)[of]
    user = person(by) if by else side.stable.owner
    return pins.make_pin(fixture_id=fixture.pk, stable_id=side.stable_id, user=user).pin


def wrong(pin: str) -> str:
    return f"{(int(pin) + 1) % 10**pins.DIGITS:04d}"


def reported(fixture: Fixture) -> Report:
    side = sides_of(fixture)[0]
    reports.file_report(fixture_id=fixture.pk, stable_id=side.stable_id, document=red_wins(), user=side.stable.owner)
    return Report.objects.latest("pk")


def confirm(fixture: Fixture, pin: str, of: int = 1) -> Any:
    return pins.confirm_by_pin(
        fixture_id=fixture.pk,
        stable_id=sides_of(fixture)[of].stable_id,
        report_id=Report.objects.latest("pk").pk,
        pin=pin,
    )


def refusal(fixture: Fixture, pin: str) -> str:
    with pytest.raises((SeasonRefused, Malformed)) as refused:
        confirm(fixture, pin)
    return str(refused.value.code)


def test_a_pin_confirms_the_report_on_the_phone_of_the_rival(fixture: Fixture) -> None:
    red, blue = players(fixture)
    page = client_of(blue).post(address("table_pins", fixture), {"stable": sides_of(fixture)[1].stable.number})
    assert page["Cache-Control"].count("no-store") == 1
    (pin,) = re.findall(r'translate="no">([0-9]{4})<', page.content.decode())
    assert pin not in client_of(blue).get(address("table_pins", fixture)).content.decode()
    assert pin not in TablePin.objects.get().pin_hash
    phone = client_of(red)
    ours, theirs = a_won_match(fixture)
    send(red, fixture, ours)
    send(blue, fixture, theirs)
    file_from_table(phone, fixture)
    assert 'name="pin"' in phone.get(address("table", fixture)).content.decode()
    sent = {"report": Report.objects.get().pk, "stable": sides_of(fixture)[1].stable.number}
    refused = phone.post(address("table_confirm", fixture), {**sent, "pin": wrong(pin)})
    assert (refused.status_code, refused.context["code"]) == (409, "table_wrong_pin")
    assert TablePin.objects.get().tries_left == pins.TRIES - 1
    assert phone.post(address("table_confirm", fixture), {**sent, "pin": pin}).status_code == 302
    assert Result.objects.get().source == "agreed"
    lines = [log_sentence(one.code, one.parameters) for one in LogEntry.objects.filter(code__startswith="table_pin")]
    pairing = " – ".join(side.stable.name for side in sides_of(fixture))
    assert [line.startswith(f"Round 1, {pairing}: ") for line in lines] == [True, True]
    told = Notice.objects.get(code="table_pin_confirmed", user__username=blue)
    assert f"round 1: your PIN confirmed a report of {pairing}, for " in notice_sentence(told.code, told.parameters)


def test_five_wrong_tries_end_a_pin_until_somebody_who_judges_makes_a_new_one(fixture: Fixture) -> None:
    pin = make(fixture)
    reported(fixture)
    assert [refusal(fixture, wrong(pin)) for _ in range(6)] == ["table_wrong_pin"] * 5 + ["table_pin_locked"]
    assert refusal(fixture, pin) == "table_pin_locked"
    with pytest.raises(SeasonRefused) as refused:
        make(fixture)
    assert refused.value.code == "table_pin_locked"
    new = make(fixture, by="organiser")
    assert Notice.objects.filter(code="table_pin_made").count() == 1
    assert confirm(fixture, new).settled


def test_the_right_pin_uses_no_try_and_anything_but_four_digits_uses_none(fixture: Fixture) -> None:
    pin = make(fixture)
    reported(fixture)
    assert [refusal(fixture, text) for text in ("", "12", "12345", "abcd", "１２３４")] == ["bad_field"] * 5
    side = sides_of(fixture)[1]
    with pytest.raises(SeasonRefused):
        pins.confirm_by_pin(fixture_id=fixture.pk, stable_id=side.stable_id, report_id=0, pin=pin)
    assert TablePin.objects.get().tries_left == pins.TRIES
    assert Result.objects.count() == 0


def test_a_pin_is_good_for_its_side_and_its_fixture_alone(fixture: Fixture, season: Any) -> None:
    pin = make(fixture)
    reported(fixture)
    other = fixture_of(season, 2)
    make(other)
    other_pin = TablePin.objects.get(side__fixture=other)
    known = TablePin.objects.get(side__fixture=fixture)
    assert refusal(other, pin) in ("table_wrong_pin", "report_not_newest")
    # The hash of one side, copied to another, fits no PIN there.
    TablePin.objects.filter(pk=other_pin.pk).update(pin_hash=known.pin_hash)
    assert refusal(other, pin) == "table_wrong_pin"
    with pytest.raises(SeasonRefused) as none:
        confirm(fixture, pin, of=0)
    assert none.value.code == "table_no_pin"
    guest = client_of(players(fixture)[0]).post(
        address("table_guest", fixture), {"stable": sides_of(fixture)[1].stable.number, "password": pin}
    )
    assert guest.context["code"] == "table_wrong_password"


def test_a_pin_of_the_old_owner_is_none_of_the_new_one(fixture: Fixture) -> None:
    pin = make(fixture)
    reported(fixture)
    stable = sides_of(fixture)[1].stable
    stable.owner = person("newcomer")
    stable.save(update_fields=["owner"])
    assert refusal(fixture, pin) == "table_wrong_pin"


def test_only_the_owner_and_people_who_judge_make_a_pin(fixture: Fixture) -> None:
    red = players(fixture)[0]
    for who in (red, stranger_to(fixture)):
        with pytest.raises(PermissionDenied):
            make(fixture, by=who)
    number = {"stable": sides_of(fixture)[1].stable.number}
    for who, status in ((None, 302), (stranger_to(fixture), 403), (red, 400), ("referee", 200)):
        assert client_of(who).post(address("table_pins", fixture), number).status_code == status
    assert TablePin.objects.count() == 1


def test_a_stranger_confirms_nothing_with_the_right_pin(fixture: Fixture) -> None:
    pin = make(fixture)
    sent = {"report": reported(fixture).pk, "stable": sides_of(fixture)[1].stable.number, "pin": pin}
    for who, status in ((None, 302), (stranger_to(fixture), 403), ("referee", 403)):
        assert client_of(who).post(address("table_confirm", fixture), sent).status_code == status
    assert Result.objects.count() == 0


def test_people_who_judge_print_the_missing_pins_of_open_matches(fixture: Fixture, season: Any) -> None:
    own = make(fixture)
    sheet = reverse("stables:print_pins", args=[season.slug])
    for who, status in ((None, 302), (players(fixture)[0], 403), ("organiser", 200)):
        assert client_of(who).post(sheet).status_code == status
    page = client_of("referee").post(sheet)
    assert TablePin.objects.count() == 4
    assert page.context["made"] == []
    reported(fixture)
    assert confirm(fixture, own).settled


def test_printed_pins_fit_their_sides_and_leave_out_the_own_match(fixture: Fixture, season: Any) -> None:
    SeasonRole.objects.create(season=season, user=person(players(fixture)[0]), role=SeasonRole.Role.REFEREE)
    sheet = reverse("stables:print_pins", args=[season.slug])
    made = client_of(players(fixture)[0]).post(sheet)
    assert "no-store" in made["Cache-Control"]
    assert {each.side_id for each in made.context["made"]} == {side.pk for side in sides_of(fixture_of(season, 2))}
    for each in made.context["made"]:
        assert each.pin in made.content.decode()
    other = fixture_of(season, 2)
    reported(other)
    assert confirm(other, made.context["made"][1].pin).settled


def test_a_referee_whose_stable_forfeits_prints_the_pins_of_the_other_matches(fixture: Fixture, season: Any) -> None:
    referee = players(fixture)[0]
    SeasonRole.objects.create(season=season, user=person(referee), role=SeasonRole.Role.REFEREE)
    fixture.sides.filter(stable__owner__username=referee).update(forfeits="left")
    made = client_of(referee).post(reverse("stables:print_pins", args=[season.slug]))
    assert made.status_code == 200
    assert {each.side_id for each in made.context["made"]} == {side.pk for side in sides_of(fixture_of(season, 2))}
