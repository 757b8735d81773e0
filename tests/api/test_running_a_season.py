"""Running a season by the interface: each decision of its organisers, who may take it, and what is refused."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.utils import timezone
from django.utils.dateparse import parse_datetime

from jobs.models import Job
from people.models import User
from stables.models import Invitation, Round, Season, SeasonRole, Stable
from stables.services.fixtures import pairing
from tests.stables.conftest import open_with
from tests.stables.fixtures.test_pair_ready import begin, play
from tests.web.roles.world import World

pytestmark = pytest.mark.django_db

RECRUITING, RUNNING, TABLE, PLAYED = (
    f"seasons/{name}-season/" for name in ("recruiting", "running", "table", "played")
)
SOON = (timezone.now() + timedelta(days=3)).replace(microsecond=0)


def code_of(answer: Any) -> tuple[int, str]:
    return answer.status_code, answer.json()["code"]


def season(address: str) -> Season:
    return Season.objects.get(slug=address.split("/")[1])


# Who may ---------------------------------------------------------------------------------------------------------

WRITES = [
    ("post", "publish", {}),
    ("post", "again", {}),
    ("post", "take-up-collection", {"collection": ""}),
    ("post", "make-collection", {"name": "Ours"}),
    ("post", "start", {}),
    ("post", "start-cycle", {}),
    ("post", "call-time", {}),
    ("post", "pair-ready", {}),
    ("post", "pause", {}),
    ("post", "resume", {}),
    ("post", "close", {}),
    ("post", "cancel", {"sure": True}),
    ("post", "found-ai", {}),
    ("post", "settings/", {"absence_pays": 1}),
    ("delete", "settings/announced/", {}),
    ("put", "calendar/", {}),
    ("post", "deadline", {"what": "line_ups", "at": SOON.isoformat()}),
    ("put", "visibility/", {"visibility": "private"}),
    ("put", "language/", {"language": ""}),
    ("post", "who-comes/", {"at": SOON.isoformat()}),
    ("put", "page/", {"text": "Ours"}),
    ("post", "message", {"text": "Ours"}),
    ("post", "last-call", {}),
    ("post", "invitations/", {}),
    ("delete", "invitations/1/", {}),
    ("post", "roles/", {"name": "spectator", "role": "referee"}),
    ("delete", "roles/1/", {}),
    ("post", "stables/player-sons/waive-debt", {"reason": "ours"}),
    ("post", "jobs/1/restart", {}),
]
READS = ["organise/", "invitations/", "roles/", "jobs/", "jobs/1/"]


@pytest.mark.parametrize(("method", "address", "body"), WRITES, ids=[f"{row[0]} {row[1]}" for row in WRITES])
def test_running_a_season_is_for_its_organisers(api: Any, method: str, address: str, body: dict[str, Any]) -> None:
    assert code_of(api("anonymous", method, TABLE + address, body)) == (401, "log_in_needed")
    for role in ("player", "referee", "staff"):
        assert code_of(api(role, method, TABLE + address, body)) == (403, "forbidden"), role
    lacking = api("organiser", method, TABLE + address, body, scopes=("read", "play"))
    assert code_of(lacking) == (403, "scope_missing")
    hidden = f"seasons/private-season/{address}"
    assert code_of(api("spectator", method, hidden, body)) == (404, "not_found")


@pytest.mark.parametrize("address", READS)
def test_what_organisers_read_is_for_them(api: Any, address: str) -> None:
    assert code_of(api("anonymous", "get", TABLE + address)) == (401, "log_in_needed")
    for role in ("player", "referee", "staff"):
        assert code_of(api(role, "get", TABLE + address)) == (403, "forbidden"), role
    assert code_of(api("spectator", "get", f"seasons/private-season/{address}")) == (404, "not_found")
    answer = api("helper", "get", TABLE + address)
    assert answer.status_code == 200 or "1/" in address, "co-organisers read it as the organiser does"


def test_who_is_not_known_cannot_tell_seasons_that_are_hidden_from_none_at_all(api: Any) -> None:
    for season_slug in ("private-season", "no-such-season"):
        for method, last in (("get", "organise/"), ("post", "start"), ("put", "visibility/"), ("delete", "roles/1/")):
            answer = api("anonymous", method, f"seasons/{season_slug}/{last}")
            assert code_of(answer) == (401, "log_in_needed")
            assert answer.headers["WWW-Authenticate"].startswith("Bearer")
        assert code_of(api("anonymous", "get", f"seasons/{season_slug}/close-out/")) == (404, "not_found")


@pytest.mark.parametrize("address", ["invitations/", "roles/", "jobs/"])
def test_ids_beyond_any_are_not_found(api: Any, address: str) -> None:
    method = "get" if address == "jobs/" else "delete"
    for number in ("0", "9" * 30):
        assert code_of(api("organiser", method, f"{TABLE}{address}{number}/")) == (404, "not_found")


# The course ------------------------------------------------------------------------------------------------------


def test_a_season_starts_once(api: Any) -> None:
    assert code_of(api("organiser", "post", f"{RECRUITING}start")) == (409, "stables_unprepared")
    answer = api("organiser", "post", f"{RECRUITING}start", {"sure": True}, key="go")
    assert (answer.status_code, answer.json()["state"], answer.json()["cycle"]) == (200, "running", 1)
    assert api("organiser", "post", f"{RECRUITING}start", {"sure": True}, key="go").json() == answer.json()
    assert code_of(api("organiser", "post", f"{RECRUITING}start")) == (409, "season_not_recruiting")


def test_a_cycle_starts_although_somebody_shops(api: Any) -> None:
    api("organiser", "post", f"{RECRUITING}start", {"sure": True})
    answer = api("organiser", "post", f"{RECRUITING}start-cycle", {"sure": True})
    assert (answer.status_code, answer.json()["cycle_state"]) == (200, "market"), "a job begins it"
    assert Job.objects.filter(name="stables.start_cycle", payload__season=season(RECRUITING).pk).count() == 1
    assert code_of(api("organiser", "post", f"{TABLE}start-cycle")) == (409, "no_open_market")


def test_time_is_called_for_line_ups(world: World, api: Any) -> None:
    answer = api("organiser", "post", f"{RUNNING}call-time", key="called")
    assert answer.json()["forfeited"] == []
    assert sorted(answer.json()["nominated"]) == [1, 2]
    assert api("organiser", "post", f"{RUNNING}call-time", key="called").json() == answer.json()
    assert api("organiser", "post", f"{RUNNING}call-time").json() == {"forfeited": [], "nominated": []}
    assert code_of(api("organiser", "post", f"{RECRUITING}call-time")) == (409, "no_round_to_call")


def test_the_ready_are_paired(world: World, api: Any) -> None:
    made = open_with(world.seasons["table"].release, ["Ash", "Birch", "Cedar", "Dogwood", "Elm", "Fir"])
    Season.objects.filter(pk=made.pk).update(organiser=world.people["organiser"])
    cycle = begin(made)
    late, *others = cycle.rounds.get(number=1).fixtures.order_by("number")
    for fixture in others:
        play(fixture)
    ready = {stable.slug for group in pairing.ready_for_rounds(cycle).values() for stable in group}
    console = api("organiser", "get", f"seasons/{made.slug}/organise/").json()
    assert {slug for group in console["ready"] for slug in group["stables"]} == ready != set()
    answer = api("organiser", "post", f"seasons/{made.slug}/pair-ready")
    assert answer.status_code == 200
    assert set(answer.json()["paired"]) == set(
        made.stables.exclude(fixture_sides__fixture=late).values_list("number", flat=True)
    )
    assert code_of(api("organiser", "post", f"{TABLE}pair-ready")) == (409, "nobody_to_pair")


def test_a_season_is_paused_and_goes_on(api: Any) -> None:
    assert code_of(api("organiser", "post", f"{RUNNING}resume")) == (409, "not_paused")
    answer = api("organiser", "post", f"{RUNNING}pause")
    assert parse_datetime(answer.json()["paused_at"]) == season(RUNNING).paused_at is not None
    assert code_of(api("organiser", "post", f"{RUNNING}pause")) == (409, "paused_already")
    assert api("organiser", "post", f"{RUNNING}resume").json()["paused_at"] is None
    assert code_of(api("organiser", "post", f"{RECRUITING}pause")) == (409, "season_not_running")


def test_a_season_is_cancelled_by_those_who_are_sure(api: Any) -> None:
    assert code_of(api("organiser", "post", f"{RUNNING}cancel")) == (409, "not_sure")
    assert code_of(api("organiser", "post", f"{RUNNING}cancel", {"sure": "yes"})) == (400, "invalid")
    assert api("organiser", "post", f"{RUNNING}cancel", {"sure": True}).json()["state"] == "cancelled"
    assert code_of(api("organiser", "post", f"{PLAYED}cancel", {"sure": True})) == (409, "season_is_over")
    assert api("organiser", "post", f"{RECRUITING}cancel").json()["state"] == "cancelled", "nobody has begun"


def test_stables_of_the_ai_are_founded(api: Any) -> None:
    answer = api("organiser", "post", f"{RECRUITING}found-ai", {"character": "reckless"}, key="one")
    assert answer.status_code == 201
    made = Stable.objects.get(season=season(RECRUITING), slug=answer.json()["slug"])
    assert (made.is_ai, made.character, made.capital) == (True, "reckless", answer.json()["capital"])
    before = Stable.objects.count()
    assert api("organiser", "post", f"{RECRUITING}found-ai", {"character": "reckless"}, key="one").status_code == 201
    assert Stable.objects.count() == before
    assert code_of(api("organiser", "post", f"{RECRUITING}found-ai", {"character": "kind"})) == (400, "invalid")
    assert code_of(api("organiser", "post", f"{TABLE}found-ai")) == (409, "season_closed_to_newcomers")


@pytest.mark.parametrize(
    ("sent", "bot"), [({"bot": "tactical"}, "tactical"), ({"bot": "random"}, "random"), ({}, "greedy")]
)
def test_who_plays_for_a_stable_of_the_ai_is_kept_and_shown(api: Any, sent: dict[str, Any], bot: str) -> None:
    slug = api("organiser", "post", f"{RECRUITING}found-ai", sent).json()["slug"]
    assert Stable.objects.get(season=season(RECRUITING), slug=slug).bot == bot
    assert api("anonymous", "get", f"{RECRUITING}stables/{slug}/").json()["bot"] == bot


@pytest.mark.parametrize("bot", ["nobody", "strong", "program:7", "", None, 7, ["greedy"]])
def test_who_plays_for_no_stable_of_the_ai_is_refused(api: Any, bot: Any) -> None:
    before = Stable.objects.count()
    answer = api("organiser", "post", f"{RECRUITING}found-ai", {"bot": bot})
    assert code_of(answer) == (400, "invalid")
    assert [error["field"] for error in answer.json()["parameters"]["errors"]] == ["bot"]
    assert Stable.objects.count() == before


# Settings, dates, visibility -----------------------------------------------------------------------------------------


def test_settings_hold_at_once_while_a_season_recruits(api: Any) -> None:
    body = {"absence_pays": 7, "house_rules": {"pilot_death": True}}
    assert api("organiser", "post", f"{RECRUITING}settings/", body).json() == {
        "changes": {"absence_pays": 7, "house_rules": {"pilot_death": True}},
        "from_cycle": 1,
    }
    assert season(RECRUITING).rules.absence_pays == 7
    api("organiser", "post", f"{RECRUITING}settings/", {"house_rules": {"target_tokens": False}})
    assert season(RECRUITING).rules.house_rules == {"pilot_death": True, "target_tokens": False}


def test_settings_of_a_running_season_are_announced_and_taken_back(api: Any) -> None:
    address = f"{RUNNING}settings/"
    assert code_of(api("organiser", "delete", f"{address}announced/")) == (409, "nothing_announced")
    answer = api("organiser", "post", address, {"absence_pays": 7})
    assert answer.json() == {"changes": {"absence_pays": 7}, "from_cycle": 2}
    assert api("organiser", "get", f"{RUNNING}organise/").json()["announced_settings"] == {"absence_pays": 7}
    assert season(RUNNING).rules.absence_pays == 30
    answer = api("organiser", "delete", f"{address}announced/", key="back")
    assert (answer.status_code, answer.content) == (204, b"")
    again = api("organiser", "delete", f"{address}announced/", key="back")
    assert (again.status_code, again.headers["Idempotency-Replayed"]) == (204, "true")
    assert season(RUNNING).pending_settings == {}


@pytest.mark.parametrize(
    ("body", "status", "code"),
    [
        ({"weight_class": "heavy"}, 409, "setting_fixed"),
        ({"places": 5}, 409, "setting_fixed"),
        ({"absence_pays": 30}, 409, "settings_unchanged"),
        ({}, 409, "settings_unchanged"),
        ({"weight_class": None}, 409, "setting_out_of_range"),
        ({"cycles": ["standard", "standard"]}, 409, "setting_out_of_range"),
        ({"house_rules": {"clock_seconds": 9}}, 409, "setting_not_built"),
        ({"absence_pays": 31}, 400, "invalid"),
        ({"absence_pays": True}, 400, "invalid"),
        ({"weight_class": "multi"}, 400, "invalid"),
        ({"house_rules": {"luck": True}}, 400, "invalid"),
        ([], 400, "invalid"),
    ],
)
def test_settings_that_cannot_be(api: Any, body: Any, status: int, code: str) -> None:
    assert code_of(api("organiser", "post", f"{RUNNING}settings/", body)) == (status, code)
    assert season(RUNNING).pending_settings == {}


def test_the_calendar_is_replaced(api: Any) -> None:
    body = {"preset": "correspondence", "mode": "browser", "hours_a_round": None}
    answer = api("organiser", "put", f"{RUNNING}calendar/", body)
    held = season(RUNNING).calendar
    assert answer.json() == {"calendar": held}
    assert (held["preset"], held["play_hours"], held["hours_a_round"]) == ("correspondence", 240, None)
    assert api("organiser", "get", f"{RUNNING}organise/").json()["plan"][0]["number"] == 2
    refused = api("organiser", "put", f"{RUNNING}calendar/", {"preset": "solo", "time_zone": "Nowhere"})
    assert code_of(refused) == (409, "setting_out_of_range")
    assert code_of(api("organiser", "put", f"{RUNNING}calendar/", {"weekday": 7})) == (400, "invalid")
    assert code_of(api("organiser", "put", f"{RUNNING}calendar/", {})) == (400, "invalid"), "nothing is taken away"
    assert code_of(api("organiser", "put", f"{PLAYED}calendar/", {"preset": "solo"})) == (409, "season_not_running")


def test_days_off_are_named_shown_and_move_deadlines_on_request(api: Any) -> None:
    span = {"first": "2099-12-24", "last": "2099-12-26", "word": "Christmas"}
    called = Round.objects.get(cycle__season=season(RUNNING))
    due = datetime(2099, 12, 25, 12, tzinfo=UTC)
    Round.objects.filter(pk=called.pk).update(play_due_at=due, confirm_due_at=due)
    body = {"preset": "correspondence", "days_off": [span]}
    answer = api("organiser", "put", f"{RUNNING}calendar/", body)
    assert answer.json()["calendar"]["days_off"] == season(RUNNING).calendar["days_off"] == [span]
    console = api("organiser", "get", f"{RUNNING}organise/").json()
    assert (console["days_off"], console["played"]["number"]) == ([span], 1)
    # What is left of the open cycle comes before the next market.
    ends, closes = console["played"]["ends"], console["plan"][0]["market_closes"]
    assert due < parse_datetime(ends) < parse_datetime(closes)
    called.refresh_from_db()
    assert called.play_due_at == due
    api("organiser", "put", f"{RUNNING}calendar/", {"preset": "correspondence"})
    api("organiser", "put", f"{RUNNING}calendar/", {**body, "move_deadlines": True})
    called.refresh_from_db()
    assert called.play_due_at == due + timedelta(days=3)
    on_it = {"what": "play", "at": due.isoformat()}
    assert code_of(api("organiser", "post", f"{RUNNING}deadline", on_it)) == (409, "deadline_on_day_off")
    for bad, answered in (
        ([{**span, "last": "2099-12-23"}], (409, "setting_out_of_range")),
        ([{**span, "first": "soon"}], (400, "invalid")),
        ([{**span, "why": "rest"}], (400, "invalid")),
        ([{"first": "2099-12-24"}], (400, "invalid")),
        ([span] * 13, (400, "invalid")),
    ):
        assert code_of(api("organiser", "put", f"{RUNNING}calendar/", {**body, "days_off": bad})) == answered
    assert season(RUNNING).calendar["days_off"] == [span]
    log = api("spectator", "get", f"{RUNNING}log/").json()["results"]
    assert [each["parameters"] for each in log if each["code"] == "calendar_days_off"] == [span, span]


def test_a_deadline_is_moved(api: Any) -> None:
    address = f"{RUNNING}deadline"
    answer = api("organiser", "post", address, {"what": "line_ups", "at": SOON.isoformat()})
    assert (answer.status_code, parse_datetime(answer.json()["at"])) == (200, SOON)
    assert Round.objects.get(cycle__season=season(RUNNING)).line_ups_due_at == SOON
    console = api("organiser", "get", f"{RUNNING}organise/").json()
    assert [(each["what"], each["round"]) for each in console["deadlines"]] == [("line_ups", 1)]
    past = {"what": "line_ups", "at": "2020-01-01T00:00:00Z"}
    assert code_of(api("organiser", "post", address, past)) == (409, "deadline_not_ahead")
    far = {"what": "line_ups", "at": "9999-12-31T23:59:59Z"}
    assert code_of(api("organiser", "post", address, far)) == (409, "deadline_too_far")
    closed = {"what": "market", "at": SOON.isoformat()}
    assert code_of(api("organiser", "post", address, closed)) == (409, "no_deadline")
    for body in ({"what": "line_ups"}, {"what": "dinner", "at": SOON.isoformat()}, {"what": "play", "at": "tomorrow"}):
        assert code_of(api("organiser", "post", address, body)) == (400, "invalid")


def test_who_may_see_a_season_is_changed(api: Any) -> None:
    address = f"{RUNNING}visibility/"
    assert api("organiser", "put", address, {"visibility": "private"}).json()["visibility"] == "private"
    assert api("spectator", "get", f"{RUNNING}close-out/").status_code == 404
    assert code_of(api("organiser", "put", address, {"visibility": "secret"})) == (400, "invalid")
    assert code_of(api("organiser", "put", address, {})) == (400, "invalid")


# Helpers -------------------------------------------------------------------------------------------------------------


def test_invitations_are_made_listed_and_taken_back(world: World, api: Any) -> None:
    address = f"{RECRUITING}invitations/"
    made = api("organiser", "post", address, {"most_uses": 2}, key="invite")
    assert (made.status_code, made.json()["most_uses"], made.json()["used"]) == (201, 2, 0)
    assert made.json()["link"].endswith(f"/join/{made.json()['code']}/")
    again = api("organiser", "post", address, {"most_uses": 2}, key="invite").json()
    assert again == {**made.json(), "code": None, "link": None}
    listed = api("helper", "get", address).json()
    assert listed["count"] == Invitation.objects.filter(season=season(RECRUITING)).count() == 2
    assert listed["results"][0] == made.json(), "the newest first"
    own = f"{address}{made.json()['id']}/"
    assert [api("organiser", "delete", own).status_code for _ in range(2)] == [204, 204]
    assert api("organiser", "get", address).json()["results"][0]["revoked_at"] is not None
    elsewhere = f"{TABLE}invitations/{made.json()['id']}/"
    assert code_of(api("organiser", "delete", elsewhere)) == (404, "not_found")


@pytest.mark.parametrize("most_uses", [0, 101, "2", 1.5])
def test_invitations_of_another_form(api: Any, most_uses: Any) -> None:
    assert code_of(api("organiser", "post", f"{RECRUITING}invitations/", {"most_uses": most_uses})) == (400, "invalid")


def test_nobody_is_invited_to_what_has_ended_nor_by_floods(world: World, api: Any) -> None:
    assert code_of(api("organiser", "post", f"{PLAYED}invitations/")) == (409, "season_not_running")
    rows = [Invitation(season=season(RECRUITING), code=f"code-{number}") for number in range(50)]
    Invitation.objects.bulk_create(rows)
    assert code_of(api("organiser", "post", f"{RECRUITING}invitations/")) == (409, "bad_field")


def test_roles_are_given_listed_and_taken(world: World, api: Any) -> None:
    address = f"{RUNNING}roles/"
    given = api("organiser", "post", address, {"name": "SPECTATOR", "role": "referee"})
    assert (given.status_code, given.json()["name"]) == (201, "spectator")
    assert SeasonRole.objects.get(pk=given.json()["id"]).user == world.people["spectator"]
    assert given.json() in api("organiser", "get", address).json()["results"]
    twice = api("organiser", "post", address, {"name": "spectator", "role": "co_organiser"})
    assert code_of(twice) == (409, "role_taken")
    nobody = api("organiser", "post", address, {"name": "nobody at all", "role": "referee"})
    assert code_of(nobody) == (409, "unknown_person")
    for body in ({"name": "spectator"}, {"name": "", "role": "referee"}, {"name": "spectator", "role": "king"}):
        assert code_of(api("organiser", "post", address, body)) == (400, "invalid")
    assert api("organiser", "delete", f"{address}{given.json()['id']}/").status_code == 204
    assert code_of(api("organiser", "delete", f"{address}{given.json()['id']}/")) == (404, "not_found")


def test_lists_take_as_many_queries_for_one_row_as_for_many(
    world: World, api: Any, django_assert_max_num_queries: Any
) -> None:
    from django.db import connection
    from django.test.utils import CaptureQueriesContext

    def queries(address: str) -> int:
        api("organiser", "get", address)
        with CaptureQueriesContext(connection) as counted:
            assert api("organiser", "get", address).status_code == 200
        return len(counted)

    addresses = [f"{TABLE}{name}/" for name in ("invitations", "roles", "jobs", "organise")]
    own = season(TABLE)

    def row(number: int) -> None:
        Invitation.objects.create(season=own, code=f"another-{number}")
        person = User.objects.create_user(f"helper-{number}", f"helper-{number}@example.org")
        SeasonRole.objects.create(season=own, user=person, role="referee")
        Job.objects.create(name="stables.chase", payload={"season": own.pk}, state="failed", last_attempt=5)

    row(0)
    few = [queries(address) for address in addresses]
    for number in range(1, 12):
        row(number)
    assert [queries(address) for address in addresses] == few
