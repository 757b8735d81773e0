"""Jobs, the console and the close of a cycle by the interface; and what stays secret from organisers."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from jobs.models import Job, JobStep
from rules.catalogue import load_builtin
from stables.models import LineUp, Season
from stables.services.line_ups import line_ups
from stables.services.market import baskets
from tests.web.roles.test_secrets import trio, twins
from tests.web.roles.world import World
from tests.worlds import taken_back

pytestmark = pytest.mark.django_db

RECRUITING, RUNNING, TABLE, PLAYED = (
    f"seasons/{name}-season/" for name in ("recruiting", "running", "table", "played")
)


def code_of(answer: Any) -> tuple[int, str]:
    return answer.status_code, answer.json()["code"]


# Jobs ----------------------------------------------------------------------------------------------------------------


def test_jobs_tell_how_far_they_are_and_why_they_failed(world: World, api: Any) -> None:
    own = world.seasons["table"].pk
    working = Job.objects.create(
        name="stables.close_cycle", payload={"season": own}, planned=3, last_attempt=5, state="queued"
    )
    JobStep.objects.create(job=working, name="places", attempt=1)
    Job.objects.filter(pk=world.values["job_id"]).update(error_code="KeyError", error_text="KeyError: 'x'")
    rows = api("organiser", "get", f"{TABLE}jobs/").json()["results"]
    assert rows[0]["id"] == world.values["job_id"], "failed ones first"
    assert [rows[0][key] for key in ("state", "error_code", "error")] == ["failed", "KeyError", "KeyError: 'x'"]
    [found] = [row for row in rows if row["id"] == working.pk]
    assert [found[key] for key in ("name", "done", "planned", "error_code")] == ["stables.close_cycle", 1, 3, ""]
    assert api("organiser", "get", f"{TABLE}jobs/{working.pk}/").json() == found
    failed = api("organiser", "get", f"{TABLE}jobs/", {"state": "failed"}).json()["results"]
    assert [row["id"] for row in failed] == [world.values["job_id"]]
    assert code_of(api("organiser", "get", f"{TABLE}jobs/", {"state": "lost"})) == (400, "invalid")
    assert api("organiser", "get", f"{TABLE}organise/").json()["jobs"] == rows


def test_a_job_that_is_done_can_be_read_but_is_not_waited_for(world: World, api: Any) -> None:
    done = Job.objects.filter(payload__season=world.seasons["table"].pk, state="done").first()
    assert done is not None
    assert api("organiser", "get", f"{TABLE}jobs/{done.pk}/").json()["state"] == "done"
    assert done.pk not in {row["id"] for row in api("organiser", "get", f"{TABLE}jobs/").json()["results"]}


def test_a_failed_job_is_started_again_once(world: World, api: Any) -> None:
    address = f"{TABLE}jobs/{world.values['job_id']}/restart"
    before = Job.objects.get(pk=world.values["job_id"]).attempt
    answer = api("organiser", "post", address, key="again")
    assert (answer.status_code, answer.json()["state"], answer.json()["attempt"]) == (200, "queued", before + 1)
    assert api("organiser", "post", address, key="again").json() == answer.json()
    assert code_of(api("organiser", "post", address)) == (409, "job_not_failed")


def test_jobs_of_other_seasons_are_not_there(world: World, api: Any) -> None:
    number = world.values["job_id"]
    assert code_of(api("organiser", "get", f"{RUNNING}jobs/{number}/")) == (404, "not_found")
    assert code_of(api("organiser", "post", f"{RUNNING}jobs/{number}/restart")) == (404, "not_found")
    assert code_of(api("organiser", "post", f"{TABLE}jobs/{10**30}/restart")) == (404, "not_found")


# Console and close-out -----------------------------------------------------------------------------------------------


def test_the_console_says_for_whom_the_season_waits(world: World, api: Any) -> None:
    console = api("organiser", "get", f"{RECRUITING}organise/").json()
    assert (console["course"]["state"], set(console["shopping"])) == ("recruiting", {"player-sons", "rival-sons"})
    console = api("helper", "get", f"{RUNNING}organise/").json()
    number = world.fixtures["running"].pk
    assert {(each["stable"], each["fixture"], each["round"]) for each in console["missing_line_ups"]} == {
        ("player-sons", number, 1),
        ("rival-sons", number, 1),
    }
    console = api("organiser", "get", f"{PLAYED}organise/").json()
    assert (console["course"]["state"], console["missing_line_ups"], console["plan"]) == ("finished", [], [])


def test_the_plan_and_its_warnings_are_shown(world: World, api: Any) -> None:
    body = {"preset": "weekly", "line_up_hours": 100, "play_hours": 100, "ends_on": "2020-01-01"}
    assert api("organiser", "put", f"{RUNNING}calendar/", body).status_code == 200
    console = api("organiser", "get", f"{RUNNING}organise/").json()
    assert [(cycle["number"], cycle["format"]) for cycle in console["plan"]] == [(2, "team")]
    assert {"week_too_short", "ends_too_late"} <= {each["code"] for each in console["warnings"]}
    assert all("{" not in each["detail"] for each in console["warnings"])


def test_what_a_close_would_bring_is_for_all_and_what_is_open_for_organisers(world: World, api: Any) -> None:
    address = f"{TABLE}close-out/"
    own = api("organiser", "get", address).json()
    assert (own["cycle"], own["cycle_state"], own["next_cycle"], own["next_format"]) == (1, "rounds", 2, "team")
    assert {share["stable"] for share in own["shares"]} == {"player-sons", "rival-sons"}
    assert own["shares"][0]["place"] == {"least": 1, "most": 2}, "nothing is played: a die would part them"
    [match] = own["unplayed"]
    assert (match["fixture"], match["is_disputed"]) == (world.fixtures["table"].pk, True)
    for role in ("anonymous", "player", "referee"):
        document = api(role, "get", address).json()
        assert (document["missing"], document["unplayed"]) == (None, None)
        assert all(share["repairs"] is None is share["repair_price"] for share in document["shares"])
        assert [share["place"] for share in document["shares"]] == [share["place"] for share in own["shares"]]
    missing = api("organiser", "get", f"{RUNNING}close-out/").json()["missing"]
    assert {(each["stable"], each["stand_in"], each["is_called"]) for each in missing} == {
        ("player-sons", "nearest", True),
        ("rival-sons", "nearest", True),
    }
    before = api("anonymous", "get", f"{RECRUITING}close-out/").json()
    assert (before["cycle"], before["cycle_state"], before["shares"]) == (1, "market", [])


# Secrets -------------------------------------------------------------------------------------------------------------

READS = ("organise/", "close-out/", "jobs/", "invitations/", "roles/", "sudden-death/")


def differing(world: World, api: Any, role: str, season: str, secret: Callable[[int], Any]) -> list[str]:
    """The addresses by which a role could tell two secrets apart."""
    # The token is made here, so that it is not taken back with the first secret.
    assert api(role, "get", f"{season}close-out/").status_code == 200
    read = []
    for which in (0, 1):
        with taken_back():
            secret(which)
            read.append([api(role, "get", season + address).json() for address in READS])
    return [address for address, one, other in zip(READS, *read, strict=True) if one != other]


@pytest.mark.parametrize("role", ["organiser", "helper", "staff"])
def test_who_runs_a_season_can_tell_neither_line_ups_nor_baskets_apart(world: World, api: Any, role: str) -> None:
    stable, fixture = world.stable("running"), world.fixtures["running"]

    def hand_in(which: int) -> None:
        units, pilot = twins(stable)
        crew = line_ups.CrewChoice(units[which].pk, pilot.pk)
        line_ups.submit(stable_id=stable.pk, fixture_id=fixture.pk, crews=[crew], tokens=trio())
        assert LineUp.objects.filter(side__fixture=fixture).count() == 1

    assert differing(world, api, role, RUNNING, hand_in) == []
    shopping = world.stable("recruiting")
    keys = [key for key, unit in sorted(load_builtin().units.items()) if unit["class"] == "light"]

    def fill(which: int) -> None:
        baskets.put_in(stable_id=shopping.pk, kind="unit", key=keys[which])

    assert differing(world, api, role, RECRUITING, fill) == []


def test_the_secret_of_a_season_is_nowhere(world: World, api: Any) -> None:
    secret = bytes(Season.objects.get(pk=world.seasons["table"].pk).secret)
    for address in READS:
        text = api("organiser", "get", TABLE + address).content
        assert secret not in text
        assert secret.hex().encode() not in text
