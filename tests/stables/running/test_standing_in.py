"""A person stands in for an owner: what they may do in one match or one evening, and how it ends."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.core.exceptions import PermissionDenied
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from jobs.services import run_pending
from people.models import Notice, User
from people.services import leaving
from people.services.kept import own_data
from people.text.notices import notice_sentence
from stables.models import Correction, Fixture, FixtureSide, LogEntry, Result, Season, StandIn
from stables.selectors.access import may_see
from stables.selectors.standing_in import open_stand_ins
from stables.services.base.standing_in import take_up
from stables.services.fixtures import hand_overs, swaps
from stables.services.results import pins, reports, rulings, settlement
from stables.services.running import passing, standing_in
from stables.text.log import log_sentence
from tests.stables.duels import Club, sides_of
from tests.stables.running.test_hand_on_stables import code_of
from tests.stables.tabletop_matches import red_wins

pytestmark = [pytest.mark.django_db, pytest.mark.database]
NOW = timezone.now()
TONIGHT = NOW + timedelta(hours=6)


@pytest.fixture
def match(club: Club) -> Fixture:
    return club.fixture("anna", "ben")


def name(club: Club, match: Fixture | None, who: str = "spectator", by: str = "organiser", **values: Any) -> StandIn:
    when = {"until": TONIGHT} if match is None else {"fixture_id": match.pk}
    about: dict[str, Any] = {"reason": "ill", **when, **values}
    return standing_in.name_person(stable_id=club.stable_id("anna"), name=who, user=club.people[by], **about)


def link(club: Club, match: Fixture) -> str:
    about: dict[str, Any] = {"reason": "ill", "user": club.people["organiser"]}
    return standing_in.make_link(stable_id=club.stable_id("anna"), fixture_id=match.pk, **about).code


def side(club: Club, match: Fixture) -> FixtureSide:
    return FixtureSide.objects.get(fixture=match, stable=club.stable_id("anna"))


def line_up_page(club: Club) -> str:
    return reverse("stables:line_ups", args=[club.season.slug, club.stables["anna"].slug])


def hand_in_from_page(club: Club, client: Client) -> int:
    """Send the line-up that the form proposes."""
    form = client.get(line_up_page(club)).context["line_up"]["form"]
    sent = {field.html_name: field.value() for field in form if field.value() not in (None, "")}
    address = reverse("stables:line_up", args=[club.season.slug, club.stables["anna"].slug])
    return client.post(address, sent).status_code


def test_the_stand_in_hands_in_the_line_up_and_plays_in_the_browser(club: Club, match: Fixture) -> None:
    name(club, match)
    spectator = club.client("spectator")
    assert hand_in_from_page(club, spectator) == 302
    assert "sealed" in spectator.get(line_up_page(club)).content.decode()
    club.hand_in(match, "ben")
    run_pending()
    seats = [("red", club.people["spectator"].pk, ""), ("blue", club.people["ben"].pk, "")]
    assert sides_of(match) == seats


def test_naming_and_ending_change_the_seat_of_a_running_match(club: Club, match: Fixture) -> None:
    club.hand_in(match, "anna", "ben")
    run_pending()
    assert sides_of(match)[0][1] == club.people["anna"].pk
    row = name(club, match, by="anna")
    assert sides_of(match)[0][1] == club.people["spectator"].pk
    standing_in.end(season_id=club.season.pk, stand_in_id=row.pk, user=club.people["anna"])
    assert sides_of(match)[0][1] == club.people["anna"].pk
    assert side(club, match).stand_in is None


def test_nothing_else_of_the_stable_is_open(club: Club, match: Fixture) -> None:
    name(club, match)
    spectator, of_stable = club.client("spectator"), [club.season.slug, club.stables["anna"].slug]
    for page in ("market", "garage", "hand_over", "stand_ins"):
        assert spectator.get(reverse(f"stables:{page}", args=of_stable)).status_code == 403, page
    for act in ("line_up_save", "line_up_forfeit", "withdraw", "say_ready"):
        assert spectator.post(reverse(f"stables:{act}", args=of_stable), {"sure": "yes"}).status_code == 403, act
    assert spectator.post(club.address("propose_appointment", match), {"mode": "table"}).status_code == 403
    page = spectator.get(line_up_page(club)).content.decode()
    assert "Save for matches" not in page
    assert reverse("stables:market", args=of_stable) not in page
    assert club.client("carla").get(line_up_page(club)).status_code == 403


def test_a_match_of_another_round_stays_closed(club: Club, match: Fixture) -> None:
    """The right is for the match that was named, and the line-up that is called for belongs to another one."""
    FixtureSide.objects.filter(pk=side(club, match).pk).update(stand_in=None)
    other = Fixture.objects.create(round=club.round, number=9, mode="browser", arena_key="factory", state="sealed")
    FixtureSide.objects.create(fixture=other, stable=club.stables["anna"], side="red")
    name(club, other)
    assert club.client("spectator").get(line_up_page(club)).status_code == 403


def test_at_a_table_the_stand_in_reports_and_confirms_and_then_it_is_over(club: Club) -> None:
    match = club.fixture("anna", "ben", mode="table")
    row = name(club, match)
    club.hand_in(match, "anna", "ben")
    spectator = club.client("spectator")
    assert spectator.get(club.address("table", match)).status_code == 200
    mark = {"mark": '{"side": "red", "mark": {"kind": "damage", "unit": "red-1", "amount": 1}}'}
    assert spectator.post(club.address("table_mark", match), mark).status_code == 302
    assert match.marks.get().made_by == club.people["spectator"]
    made = pins.make_pin(fixture_id=match.pk, stable_id=club.stable_id("anna"), user=club.people["spectator"])
    assert made.pin
    reports.file_report(fixture_id=match.pk, stable_id=club.stable_id("ben"), document=red_wins())
    assert Notice.objects.filter(code="report_names_you", user=club.people["spectator"]).exists()
    number = match.reports.get().pk
    assert f'value="{number}"' in spectator.get(club.address("fixture", match)).content.decode()
    assert spectator.post(club.address("confirm_report", match), {"report": number}).status_code == 302
    match.refresh_from_db()
    assert match.state == "settled"
    row.refresh_from_db()
    assert (row.ended_at is not None, side(club, match).stand_in) == (True, None)
    assert spectator.get(club.address("table", match)).status_code == 403


def test_a_pin_ends_with_the_stand_in(club: Club) -> None:
    match = club.fixture("anna", "ben", mode="table")
    club.hand_in(match, "anna", "ben")
    row = name(club, match)
    pin = pins.make_pin(fixture_id=match.pk, stable_id=club.stable_id("anna"), user=club.people["spectator"]).pin
    filed = reports.file_report(fixture_id=match.pk, stable_id=club.stable_id("ben"), document=red_wins())
    standing_in.end(season_id=club.season.pk, stand_in_id=row.pk, user=club.people["organiser"])
    report = match.reports.get(number=filed.number)
    about: dict[str, Any] = {"fixture_id": match.pk, "stable_id": club.stable_id("anna"), "report_id": report.pk}
    assert code_of(pins.confirm_by_pin, pin=pin, **about) == "table_no_pin"


def test_who_gets_a_notice_and_what_the_log_says(club: Club, match: Fixture) -> None:
    row = name(club, match)
    told = Notice.objects.filter(code__startswith="stand_in").values_list("user__username", "code")
    assert set(told) == {
        ("anna", "stand_in_named"), ("ben", "stand_in_named"), ("spectator", "stand_in_yours"),
    }  # fmt: skip
    standing_in.end(season_id=club.season.pk, stand_in_id=row.pk, user=club.people["spectator"])
    assert Notice.objects.get(code="stand_in_over").user == club.people["anna"]
    said = [notice_sentence(each.code, each.parameters) for each in Notice.objects.filter(code__startswith="stand_in")]
    assert all("Stable of anna – Stable of ben" in each and "round 1" in each for each in said), said
    logged = LogEntry.objects.filter(code__startswith="stable_stand_in").order_by("id")
    lines = [log_sentence(entry.code, entry.parameters) for entry in logged]
    assert all(line.startswith("Round 1, Stable of anna – Stable of ben: ") for line in lines), lines
    assert [(entry.code, entry.actor.username) for entry in logged if entry.actor] == [
        ("stable_stand_in", "organiser"), ("stable_stand_in_over", "spectator"),
    ]  # fmt: skip


@pytest.mark.parametrize("who", ["ben", "anna"])
def test_nobody_plays_for_two_stables_of_a_match(club: Club, match: Fixture, who: str) -> None:
    assert code_of(name, club=club, match=match, who=who) == "stand_in_plays"
    assert code_of(name, club=club, match=None, who="carla") == "stand_in_plays"
    name(club, match, who="carla")


def test_who_may_name_whom(club: Club, match: Fixture) -> None:
    with pytest.raises(PermissionDenied):
        name(club, match, by="ben")
    assert code_of(name, club=club, match=match, who="nobody") == "unknown_person"
    assert code_of(name, club=club, match=match, until=TONIGHT) == "bad_field"
    assert code_of(name, club=club, match=None, until=NOW - timedelta(hours=1)) == "date_not_ahead"
    assert code_of(name, club=club, match=match, reason=" ") == "reason_missing"
    Fixture.objects.filter(pk=match.pk).update(state="settled")
    assert code_of(name, club=club, match=match) == "stand_in_without_match"


def test_an_organiser_who_plays_is_no_judge_of_the_match(club: Club, match: Fixture) -> None:
    name(club, match, who="organiser", by="anna")
    assert rulings.takes_part(club.people["organiser"], match)
    fresh = Fixture.objects.get(pk=match.pk)
    assert code_of(rulings.require_office, user=club.people["organiser"], fixture=fresh) == "referee_takes_part"


def test_who_stood_in_only_between_a_reopening_and_the_new_result_may_judge(club: Club, match: Fixture) -> None:
    name(club, match)
    settlement_of_match(club, match)
    result = Result.objects.get(fixture=match)

    def corrected(kind: str, reason: str) -> Correction:
        number = result.corrections.count() + 1
        return Correction.objects.create(
            result=result, number=number, kind=kind, reason=reason, document=result.document
        )

    opened, again = corrected("reopen", "I was away"), corrected("replace", "")
    stable = club.stables["anna"]
    for who, ended in (("carla", opened.created_at), ("organiser", again.created_at)):
        StandIn.objects.create(stable=stable, fixture=match, user=club.people[who], reason="ill", ended_at=ended)
    judged = {who: rulings.takes_part(club.people[who], match) for who in ("spectator", "carla", "organiser")}
    assert judged == {"spectator": True, "carla": False, "organiser": True}


def test_an_evening_covers_the_matches_that_are_called_for_in_it(club: Club, match: Fixture) -> None:
    row = name(club, None)
    assert side(club, match).stand_in == club.people["spectator"]
    settlement_of_match(club, match)
    row.refresh_from_db()
    assert row.ended_at is None
    second = club.fixture("anna", "carla")
    take_up(list(second.sides.select_related("stable")), TONIGHT + timedelta(minutes=1))
    assert side(club, second).stand_in is None
    take_up(list(second.sides.select_related("stable")), TONIGHT - timedelta(minutes=1))
    assert side(club, second).stand_in == club.people["spectator"]
    standing_in.end(season_id=club.season.pk, stand_in_id=row.pk, user=club.people["organiser"])
    assert side(club, second).stand_in is None


def settlement_of_match(club: Club, match: Fixture) -> None:
    club.hand_in(match, "anna")
    settle_now(club, match)


def test_the_ai_leaves_the_line_up_of_an_absent_owner_to_the_stand_in(club: Club, match: Fixture) -> None:
    anna = club.stable_id("anna")
    held = hand_overs.hand_over(stable_id=anna, starts_at=NOW, ends_at=NOW + timedelta(days=2))
    made = club.stables["anna"].hand_overs.get(pk=held.hand_over_id)
    assert hand_overs.waiting_fixtures(made) == [match.pk]
    name(club, match)
    assert hand_overs.waiting_fixtures(made) == []
    club.hand_in(match, "anna", "ben")
    run_pending()
    assert sides_of(match)[0][1] == club.people["spectator"].pk


def test_an_exchange_ends_the_stand_in_of_the_old_match(club: Club, match: Fixture) -> None:
    other = club.fixture("carla", "machines")
    row = name(club, match)
    about: dict[str, Any] = {"reason": "ill", "user": club.people["organiser"]}
    swaps.swap(fixture_id=match.pk, stable_id=club.stable_id("anna"), other_id=club.stable_id("carla"), **about)
    row.refresh_from_db()
    assert row.ended_at is not None
    assert not FixtureSide.objects.exclude(stand_in=None).exists()
    assert other.sides.filter(stable=club.stable_id("anna")).exists()


def test_a_private_season_is_open_to_a_stand_in_until_the_match_is_over(club: Club, match: Fixture) -> None:
    Season.objects.filter(pk=club.season.pk).update(visibility="private")
    season = Season.objects.get(pk=club.season.pk)
    assert not may_see(club.people["spectator"], season)
    name(club, match)
    assert may_see(club.people["spectator"], season)
    settlement_of_match(club, match)
    assert not may_see(club.people["spectator"], season)


# Links for guests -----------------------------------------------------------------------------------------------------


def test_a_guest_plays_one_match_by_a_link_and_their_account_ends_with_it(club: Club, match: Fixture) -> None:
    code = link(club, match)
    phone = Client()
    phone.get(reverse("stables:open_link", args=[code]))
    asked = phone.get(reverse("stables:take_over")).content.decode()
    assert "Stand in for" in asked
    assert "is yours" not in asked
    answer = phone.post(reverse("stables:take_over"), {"as": "guest"})
    assert answer["Location"] == club.address("fixture", match)
    guest = User.objects.get(is_guest=True)
    assert side(club, match).stand_in == guest
    assert club.stables["anna"].owner_id == club.people["anna"].pk
    assert hand_in_from_page(club, phone) == 302
    other = reverse("stables:say_ready", args=[club.season.slug, club.stables["anna"].slug])
    assert phone.post(other).status_code == 403
    again = Client().get(reverse("stables:open_link", args=[code]))
    assert (again.status_code, again.context["code"]) == (409, "link_used")
    settle_now(club, match)
    guest.refresh_from_db()
    assert (guest.is_active, guest.left_at is not None) == (False, True)
    assert phone.post(other).status_code == 302


def settle_now(club: Club, match: Fixture) -> None:
    club.hand_in(match, "ben")
    FixtureSide.objects.filter(fixture=match, stable=club.stable_id("ben")).update(forfeits="no_show")
    settlement.settle_fixture(fixture_id=match.pk)


def test_a_link_passes_no_stable_on_and_is_revocable(club: Club, match: Fixture) -> None:
    code = link(club, match)
    found = passing.find(code)
    assert code_of(passing.take_over, passing_id=found.pk, user=club.people["spectator"]) == "unknown_passing"
    assert not passing.open_links(club.stable_id("anna")).exists()
    known = {"season_id": club.season.pk, "user": club.people["organiser"]}
    assert code_of(passing.revoke_link, passing_id=found.pk, **known) == "unknown_passing"
    assert not LogEntry.objects.filter(code="stable_offer_revoked").exists()
    row = StandIn.objects.get()
    standing_in.end(season_id=club.season.pk, stand_in_id=row.pk, user=club.people["anna"])
    assert code_of(passing.find, code=code) == "link_revoked"


def test_a_link_ends_with_its_match(club: Club, match: Fixture) -> None:
    code = link(club, match)
    assert open_stand_ins(club.stables["anna"]).count() == 1
    settlement_of_match(club, match)
    assert not open_stand_ins(club.stables["anna"]).exists()
    assert code_of(standing_in.take_place, passing_id=passing.find(code).pk) == "stand_in_without_match"


def test_an_account_may_use_the_link_as_well(club: Club, match: Fixture) -> None:
    found = passing.find(link(club, match))
    person, played = standing_in.take_place(passing_id=found.pk, user=club.people["spectator"])
    assert (person, played) == (club.people["spectator"], match)
    second = passing.find(link(club, match))
    assert side(club, match).stand_in is None
    assert code_of(standing_in.take_place, passing_id=second.pk, user=club.people["ben"]) == "stand_in_plays"


# The page, and leaving ------------------------------------------------------------------------------------------------


def test_the_page_names_links_and_ends(club: Club, match: Fixture) -> None:
    address = reverse("stables:stand_ins", args=[club.season.slug, club.stables["anna"].slug])
    anna = club.client("anna")
    sent = {"act": "name", "match": match.pk, "person": "Spectator", "reason": "agreed"}
    assert anna.post(address, sent)["Location"] == address
    row = StandIn.objects.get()
    assert "spectator" in anna.get(address).content.decode()
    assert "You stand in for" in club.client("spectator").get(club.address("fixture", match)).content.decode()
    assert "spectator stands in" in club.client(None).get(club.address("fixture", match)).content.decode()
    end = reverse("stables:end_stand_in", args=[club.season.slug, club.stables["anna"].slug])
    assert club.client("ben").post(end, {"stand_in": row.pk}).status_code == 403
    assert club.client("spectator").post(end, {"stand_in": row.pk}).status_code == 302
    evening = {**sent, "match": "evening", "until": (TONIGHT).strftime("%Y-%m-%dT%H:%M")}
    assert anna.post(address, evening).status_code == 302
    refused = anna.post(address, {**sent, "person": "nobody"})
    assert (refused.status_code, 'value="nobody"' in refused.content.decode()) == (400, True)
    made = club.client("organiser").post(address, {**sent, "act": "link"})
    assert (made.status_code, "stable-links" in made.context["link"]) == (200, True)
    assert LogEntry.objects.get(code="stable_stand_in_link").parameters["stable"] == club.stables["anna"].name
    assert 'class="qr"' in made.content.decode()
    assert anna.post(address, {**evening, "act": "link"}).status_code == 400


def test_who_deletes_their_account_stands_in_no_more(club: Club, match: Fixture) -> None:
    name(club, match)
    spectator = club.people["spectator"]
    kept = own_data(spectator)["seasons"]["stand_ins"]
    assert [(each["stable"], each["reason"]) for each in kept] == [("Stable of anna", "ill")]
    leaving.leave(spectator, "-")
    assert side(club, match).stand_in is None
    assert StandIn.objects.get().ended_at is not None
