"""Tables for spreadsheets and replays as files: numbers as on the pages, forms as their standards have them."""

from __future__ import annotations

import csv
import io
import json
import re
import subprocess
import sys
import zipfile
from pathlib import Path
from typing import Any

import pytest
from django.db import connection
from django.db.models import Sum
from django.test.utils import CaptureQueriesContext

from matches.services.beginning.demonstration import demonstration_setup
from matches.services.matches import create_match, resolve_with_bots
from stables.models import Fixture, LedgerEntry, Season, Stable
from stables.services.base.ledger import Movement, post
from tests.web.roles.world import World
from web.tables import guarded, lines_of

pytestmark = pytest.mark.django_db
ROOT = Path(__file__).resolve().parents[2]


def text_of(answer: Any) -> str:
    assert answer.status_code == 200, answer
    return b"".join(answer.streaming_content).decode("utf-8")


def rows_of(answer: Any) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(text_of(answer), newline="")))


# How a table is written ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("value", "cell"),
    [
        ("=1+1", "'=1+1"),
        ("+49 30", "'+49 30"),
        ("-Wolves-", "'-Wolves-"),
        ("@home", "'@home"),
        ("  =HYPERLINK(1)", "'  =HYPERLINK(1)"),
        ("\tx", "'\tx"),
        ("\r=1", "'\r=1"),
        ("＝1", "'＝1"),
        ("\ufeff=1", "'=1"),
        ("\u200b \u2060@home", "' @home"),
        ("Dogs;=1+1", "Dogs;'=1+1"),
        ("Dogs\t@x; +2", "Dogs\t'@x; '+2"),
        ("Dogs;\u200b=1", "Dogs;'=1"),
        ("=1;=2", "'=1;'=2"),
        ("a; b", "a; b"),
        ("\ufeffDogs", "\ufeffDogs"),
        ("Iron Dogs", "Iron Dogs"),
        ("a=b", "a=b"),
        ("", ""),
        (-12, -12),
        (None, None),
    ],
)
def test_texts_that_would_be_formulas_are_guarded_and_numbers_stay(value: Any, cell: Any) -> None:
    assert guarded(value) == cell


def test_lines_are_as_the_standard_has_them() -> None:
    text = b"".join(lines_of(("a", "b"), [('say "x", y', 1), ("two\nlines", True), (None, -3), ("Ä", 0)])).decode()
    assert text == 'a,b\r\n"say ""x"", y",1\r\n"two\nlines",true\r\n,-3\r\nÄ,0\r\n'


# The tables ------------------------------------------------------------------------------------------------------


def test_the_standings_are_those_of_the_page(world: World, api: Any) -> None:
    season = world.seasons["played"]
    answer = api("anonymous", "get", f"seasons/{season.slug}/standings.csv", headers={"Accept": "text/csv"})
    assert answer.headers["Content-Type"] == "text/csv; charset=utf-8; header=present"
    assert answer.headers["Content-Disposition"] == f'attachment; filename="{season.slug}-standings.csv"'
    rows = rows_of(answer)
    page = world.clients["anonymous"].get(f"{season.get_absolute_url()}standings/").context["rows"]
    assert len(rows) == len(page) == 2
    for row, shown in zip(rows, page, strict=True):
        assert row == {
            "rank": str(shown.standing.rank),
            "tied": str(shown.standing.is_shared).lower(),
            "stable": shown.stable.name,
            "slug": shown.stable.slug,
            "matches": str(shown.total.matches),
            "reputation": str(shown.total.reputation),
            "reputation_a_match": str(shown.total.reputation_a_match),
            "kills": str(shown.total.kills),
            "wins": str(shown.total.wins),
            "losses": str(shown.total.losses),
            "purses": str(shown.purses),
            "net_worth": str(shown.worth),
            "champion": str(shown.is_champion).lower(),
            "owner": "" if shown.stable.is_ai else shown.stable.owner.get_username(),
            "is_ai": str(shown.stable.is_ai).lower(),
            "left_in_cycle": "",
            "strength_of_schedule": "" if shown.schedule is None else str(shown.schedule),
        }
    assert sum(int(row["wins"]) for row in rows) > 0


def test_the_ledger_is_that_of_the_page_and_adds_up(world: World, api: Any) -> None:
    season = world.seasons["played"]
    stable = season.stables.order_by("number")[0]
    rows = rows_of(api("anonymous", "get", f"seasons/{season.slug}/stables/{stable.slug}/ledger.csv"))
    page = world.clients["anonymous"].get(f"{season.get_absolute_url()}stables/{stable.slug}/").context["ledger"]
    assert [(row["number"], row["what_for"], row["stones"], row["balance"]) for row in rows] == [
        (str(entry.sequence), sentence, str(entry.amount), str(entry.balance_after))
        for entry, sentence, _ in reversed(page)
    ]
    assert any(int(row["stones"]) < 0 for row in rows), "debits stay numbers"
    assert sum(int(row["stones"]) for row in rows) == int(rows[-1]["balance"]) == stable.capital
    assert {row["stable"] for row in rows} == {stable.name}
    assert rows[0]["posted_at"].endswith("Z")


def test_the_ledger_of_a_season_holds_every_entry(world: World, api: Any) -> None:
    season = world.seasons["played"]
    rows = rows_of(api("anonymous", "get", f"seasons/{season.slug}/ledger.csv"))
    book = LedgerEntry.objects.filter(stable__season=season)
    assert len(rows) == book.count() > 4
    assert sum(int(row["stones"]) for row in rows) == book.aggregate(sum=Sum("amount"))["sum"]
    order = [(row["stable"], int(row["number"])) for row in rows]
    names = list(season.stables.order_by("number").values_list("name", flat=True))
    assert order == sorted(order, key=lambda each: (names.index(each[0]), each[1]))


def test_a_name_that_is_a_formula_stays_a_name(world: World, api: Any) -> None:
    season = world.seasons["played"]
    stable = season.stables.order_by("number")[0]
    Stable.objects.filter(pk=stable.pk).update(name='=HYPERLINK("https://evil.example")')
    names = {row["stable"] for row in rows_of(api("anonymous", "get", f"seasons/{season.slug}/standings.csv"))}
    assert """'=HYPERLINK("https://evil.example")""" in names
    names = {row["stable"] for row in rows_of(api("anonymous", "get", f"seasons/{season.slug}/ledger.csv"))}
    assert """'=HYPERLINK("https://evil.example")""" in names


@pytest.mark.parametrize("name", ["standings.csv", "ledger.csv", "units.csv", "pilots.csv"])
def test_a_table_takes_as_many_queries_for_many_rows(world: World, api: Any, name: str) -> None:
    season = world.seasons["played"]

    def taken() -> tuple[int, int]:
        with CaptureQueriesContext(connection) as queries:
            rows = rows_of(api("anonymous", "get", f"seasons/{season.slug}/{name}"))
        return len(queries), len(rows)

    few, rows = taken()
    assert rows > 0
    machine = season.stables.order_by("number")[0]
    for number in range(3, 6):
        made = Stable.objects.create(
            season=season, number=number, name=f"More {number}", slug=f"more-{number}", bot=machine.bot
        )
        post(
            stable_id=made.pk,
            movements=[Movement(10, "starting_capital", f"{made.pk}:start"), Movement(5, "sale", f"{made.pk}:sale")],
        )
    many, more_rows = taken()
    assert more_rows > rows or name in ("units.csv", "pilots.csv")
    assert many == few <= 9


def test_pages_lead_to_the_tables(world: World) -> None:
    season = world.seasons["played"]
    stable = season.stables.order_by("number")[0]
    own = f"/api/v1{season.get_absolute_url()}"
    assert (
        f'href="{own}standings.csv"'
        in world.clients["anonymous"].get(f"{season.get_absolute_url()}standings/").content.decode()
    )
    page = world.clients["anonymous"].get(f"{season.get_absolute_url()}stables/{stable.slug}/").content.decode()
    assert f'href="{own}stables/{stable.slug}/ledger.csv"' in page
    assert f'href="{own}ledger.csv"' in page


FILES = ("standings.csv", "units.csv", "pilots.csv", "ledger.csv", "replays.zip")


@pytest.mark.parametrize("name", FILES)
def test_who_accepts_no_such_form_hears_so(world: World, api: Any, name: str) -> None:
    answer = api("anonymous", "get", f"seasons/played-season/{name}", headers={"Accept": "application/json"})
    assert (answer.status_code, answer.headers["Content-Type"]) == (406, "application/problem+json")
    assert answer.json()["code"] == "not_acceptable"
    for accepted in ("*/*", "text/*, application/zip"):
        assert api("anonymous", "get", f"seasons/played-season/{name}", headers={"Accept": accepted}).status_code == 200


@pytest.mark.parametrize("name", FILES)
@pytest.mark.parametrize("accepted", ["*/*", "text/csv", "application/zip"])
def test_nothing_of_a_private_season_is_exported_to_others(api: Any, name: str, accepted: str) -> None:
    address = f"seasons/private-season/{name}"
    for role in ("anonymous", "spectator"):
        answer = api(role, "get", address, headers={"Accept": accepted})
        assert (answer.status_code, answer.headers["Content-Type"]) == (404, "application/problem+json")
    assert api("player", "get", "seasons/private-season/standings.csv").status_code == 200


def test_a_stable_that_is_not_there_is_a_problem_document(api: Any) -> None:
    address = "seasons/played-season/stables/nobody/ledger.csv"
    answer = api("anonymous", "get", address, headers={"Accept": "text/csv"})
    assert (answer.status_code, answer.json()["code"]) == (404, "not_found")


# Replays ---------------------------------------------------------------------------------------------------------


def archive_of(answer: Any) -> zipfile.ZipFile:
    assert answer.status_code == 200
    assert answer.headers["Content-Type"] == "application/zip"
    return zipfile.ZipFile(io.BytesIO(b"".join(answer.streaming_content)))


def test_the_replays_of_a_finished_season_come_in_one_file_and_verify(world: World, api: Any, tmp_path: Path) -> None:
    season = world.seasons["played"]
    archive = archive_of(api("anonymous", "get", f"seasons/{season.slug}/replays.zip"))
    played = Fixture.objects.filter(round__cycle__season=season, match__state="finished")
    assert len(archive.namelist()) == played.count() + season.sudden_deaths.exclude(match=None).count()
    assert "sudden-death-stable.json" in archive.namelist()
    assert "cycle-1-round-2-match-1-old-machines-2-vs-old-machines-1.json" in archive.namelist()
    for name in archive.namelist():
        assert re.fullmatch(r"(cycle-\d+-round-\d+-match-\d+-[a-z0-9-]+-vs-[a-z0-9-]+|sudden-death-\w+)\.json", name)
    first = archive.namelist()[0]
    alone = world.clients["anonymous"].get(f"/matches/{world.finished.public_id}/replay.json").json()
    assert alone in [json.loads(archive.read(name)) for name in archive.namelist()]
    archive.extract(first, tmp_path)
    done = subprocess.run(
        [sys.executable, "-m", "rules.verify", str(tmp_path / first)], cwd=ROOT, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_replays_of_a_season_that_goes_on_are_refused(world: World, api: Any) -> None:
    answer = api("player", "get", "seasons/running-season/replays.zip")
    assert (answer.status_code, answer.json()["code"]) == (409, "replays_not_yet")


def test_replays_that_are_known_are_not_sent_again(api: Any) -> None:
    first = api("anonymous", "get", "seasons/played-season/replays.zip")
    known = api("anonymous", "get", "seasons/played-season/replays.zip", headers={"If-None-Match": first["ETag"]})
    assert (known.status_code, known.content) == (304, b"")


def test_a_file_takes_two_queries_a_match(world: World, api: Any) -> None:
    season = world.seasons["played"]

    def taken() -> int:
        with CaptureQueriesContext(connection) as queries:
            api("anonymous", "get", f"seasons/{season.slug}/replays.zip")
        return len(queries)

    few = taken()
    fixture = Fixture.objects.filter(round__cycle__season=season, kind="match").order_by("pk")[0]
    for number in (91, 92):
        made = create_match(demonstration_setup(), f"another seed {number}".encode() * 2, f"test:{number}")
        resolve_with_bots(made.pk, {"red": "random", "blue": "random"})
        Fixture.objects.create(round=fixture.round, number=number, state="settled", match=made, arena_key="plaza")
    assert taken() == few + 4


def test_a_replay_of_one_match_is_taken_by_the_verifier(world: World, tmp_path: Path) -> None:
    answer = world.clients["anonymous"].get(f"/matches/{world.finished.public_id}/replay.json")
    (tmp_path / "match.json").write_bytes(answer.content)
    done = subprocess.run(
        [sys.executable, "-m", "rules.verify", str(tmp_path / "match.json")], cwd=ROOT, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert Season.objects.get(pk=world.seasons["played"].pk).state == "finished"
