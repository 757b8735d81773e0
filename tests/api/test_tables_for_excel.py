"""Tables for spreadsheets: owners and leavers, units and pilots, and the same tables for Excel (O-S16, F-10, F-W8)."""

from __future__ import annotations

import csv
import io
from decimal import Decimal
from typing import Any

import pytest

from matches.models import Match
from rules.campaign.standings.crew_records import NO_RECORD
from stables.models import Asset, Stable
from stables.selectors.records import records_of_stable
from tests.web.roles.world import World
from web.tables import EXCEL, FORMS, as_excel, lines_of

pytestmark = pytest.mark.django_db
OWN = "seasons/played-season/"
TABLES = ("standings.csv", "units.csv", "pilots.csv", "ledger.csv", "stables/{stable}/ledger.csv")
MARK = "\ufeff"
LANGUAGES = ("en", "pl", "de")


def text_of(api: Any, address: str, role: str = "anonymous", language: str = "en", **query: str) -> str:
    answer = api(role, "get", address, query, headers={"Accept-Language": language})
    assert answer.status_code == 200
    return b"".join(answer.streaming_content).decode("utf-8")


def rows_of(text: str, delimiter: str = ",") -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(text.removeprefix(MARK), newline=""), delimiter=delimiter))


# The form --------------------------------------------------------------------------------------------------------


def test_f_10_excel_gets_a_mark_semicolons_and_decimal_commas() -> None:
    rows = [("Żółw; Ü", Decimal("23.33"), -3, True), ("a,b", None, 0, False)]
    found = b"".join(lines_of(("a", "b", "c", "d"), rows, EXCEL))
    assert found.decode() == '\ufeffa;b;c;d\r\n"Żółw; Ü";23,33;-3;true\r\na,b;;0;false\r\n'
    assert found.startswith(b"\xef\xbb\xbf")
    assert b"".join(lines_of(("a",), [(Decimal("23.33"),)])) == b"a\r\n23.33\r\n"


def test_formulas_are_guarded_in_both_forms() -> None:
    found = b"".join(lines_of(("a",), [("Dogs;=1+1",), ("=1",)], EXCEL)).decode()
    assert found == "\ufeffa\r\n\"Dogs;'=1+1\"\r\n'=1\r\n"


def test_a_finished_table_is_turned_cell_by_cell() -> None:
    assert as_excel('a,b\r\n-1,"x;y"\r\n"two\nlines",\r\n') == '\ufeffa;b\r\n-1;"x;y"\r\n"two\nlines";\r\n'


@pytest.mark.parametrize("name", TABLES)
def test_every_table_of_a_season_is_there_for_excel_too(world: World, api: Any, name: str) -> None:
    address = OWN + name.format(stable=world.seasons["played"].stables.order_by("number")[0].slug)
    plain, excel = text_of(api, address), text_of(api, address, form="excel")
    assert not plain.startswith(MARK)
    assert excel.startswith(MARK)
    assert text_of(api, address, form="plain") == plain
    shown = rows_of(excel, ";")
    assert len(shown) > 0
    decimal = ("reputation_a_match", "strength_of_schedule")
    assert [
        {key: value.replace(",", ".") if key in decimal else value for key, value in row.items()} for row in shown
    ] == rows_of(plain)


@pytest.mark.parametrize("name", TABLES)
def test_programs_get_the_same_bytes_in_every_language_and_excel_that_of_its_reader(
    world: World, api: Any, name: str
) -> None:
    address = OWN + name.format(stable=world.seasons["played"].stables.order_by("number")[0].slug)
    plain, excel = ([text_of(api, address, language=code, form=form) for code in LANGUAGES] for form in FORMS)
    assert plain == [plain[0]] * len(LANGUAGES)
    has_sentences = "what_for" in plain[0]
    assert len(set(excel)) == (len(LANGUAGES) if has_sentences else 1)


@pytest.mark.parametrize("kind", ["season", "match"])
def test_documents_are_the_same_in_every_language(world: World, api: Any, kind: str) -> None:
    match = Match.objects.filter(fixture__round__cycle__season=world.seasons["played"], state=Match.State.FINISHED)[0]
    addresses = {"season": OWN + "export/", "match": f"{match.get_absolute_url()}replay.json"}
    given = [api("anonymous", "get", addresses[kind], headers={"Accept-Language": language}) for language in LANGUAGES]
    assert {answer.status_code for answer in given} == {200}
    assert len({answer.getvalue() for answer in given}) == 1


def test_another_form_is_refused(api: Any) -> None:
    answer = api("anonymous", "get", OWN + "standings.csv", {"form": "numbers"})
    assert (answer.status_code, answer.json()["code"]) == (400, "invalid")


def test_pages_offer_both_forms(world: World) -> None:
    season = world.seasons["played"]
    stable = season.stables.order_by("number")[0]
    client, own = world.clients["anonymous"], f"/api/v1{season.get_absolute_url()}"
    for page, names in (
        ("standings/", ["standings.csv", "units.csv", "pilots.csv"]),
        (f"stables/{stable.slug}/", ["ledger.csv", f"stables/{stable.slug}/ledger.csv"]),
    ):
        text = client.get(season.get_absolute_url() + page).content.decode()
        for name in names:
            assert f'href="{own}{name}"' in text
            assert f'href="{own}{name}?form=excel"' in text


def test_the_units_of_the_catalogue_are_there_for_excel_too(world: World) -> None:
    client = world.clients["anonymous"]
    plain, excel = (client.get("/catalogue/export.csv", query) for query in ({}, {"form": "excel"}))
    assert excel.content.decode() == as_excel(plain.content.decode())
    assert excel.content.startswith(b"\xef\xbb\xbf")
    assert excel["ETag"] != plain["ETag"]
    assert "form=excel" in client.get("/catalogue/").content.decode()


# What is in them -------------------------------------------------------------------------------------------------


def test_o_s16_standings_name_the_owner_and_who_left(world: World, api: Any) -> None:
    season = world.seasons["played"]
    first, second = season.stables.order_by("number")[:2]
    Stable.objects.filter(pk=first.pk).update(owner=world.people["player"], is_ai=False)
    Stable.objects.filter(pk=second.pk).update(left_in_cycle=1)
    rows = {row["slug"]: row for row in rows_of(text_of(api, OWN + "standings.csv"))}
    owner = world.people["player"].get_username()
    assert (rows[first.slug]["owner"], rows[first.slug]["is_ai"], rows[first.slug]["left_in_cycle"]) == (
        owner, "false", "",
    )  # fmt: skip
    assert (rows[second.slug]["owner"], rows[second.slug]["is_ai"], rows[second.slug]["left_in_cycle"]) == (
        "", "true", "1",
    )  # fmt: skip
    page = world.clients["anonymous"].get(first.get_absolute_url()).content.decode()
    assert owner in page, "the table says no more than the page"


@pytest.mark.parametrize("kind", ["unit", "pilot"])
def test_f_w8_units_and_pilots_have_their_own_records(world: World, api: Any, kind: str) -> None:
    season = world.seasons["played"]
    rows = rows_of(text_of(api, f"{OWN}{kind}s.csv"))
    assert len(rows) == Asset.objects.filter(stable__season=season, kind=kind).count() > 0
    for stable in season.stables.all():
        records = records_of_stable(stable)
        for row in (row for row in rows if row["slug"] == stable.slug):
            record = records.get(row["code"], NO_RECORD)
            shown = [int(row[name]) for name in ("matches", "wins", "losses", "kills", "damage_taken", "eliminations")]
            assert shown == [
                record.matches, record.wins, record.losses, record.kills, record.damage, record.eliminations,
            ]  # fmt: skip
    assert sum(int(row["matches"]) for row in rows) > 0
    assert sum(int(row["damage_taken"]) for row in rows) > 0
