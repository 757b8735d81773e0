"""What stands inside the fields of a document has a form: what breaks it is refused, what is taken breaks no page."""

from __future__ import annotations

import json
import random
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product, zip_longest
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import get_resolver

from matches.models import Match
from people.models import User
from rules.core.refusals import Malformed, Refused
from stables.documents.reading import SeasonText
from stables.documents.storing import import_season
from stables.models import Fixture, Season
from tests.stables.documents.changes import Change, Document, delete_at, set_at
from tests.stables.documents.conftest import Played
from tests.worlds import taken_back

pytestmark = pytest.mark.database

RESULT = "results.0.document"
LOADOUT = "matches.0.setup.sides.0.units.0"
UNIT, SIDE = f"{RESULT}.units.red-1", f"{RESULT}.sides.red"
IN_RESULT = "results[0].document"
IN_UNIT, IN_SIDE = f"{IN_RESULT}.units.red-1", f"{IN_RESULT}.sides.red"
IN_LOADOUT = "matches[0].setup.sides[0].units[0]"

BROKEN: dict[str, tuple[Change, str, str]] = {
    "a unit's clicks before, a list": (
        set_at(f"{UNIT}.before", [[]]),
        "bad_value",
        f"{IN_UNIT}.before",
    ),
    "no clicks before": (delete_at(f"{UNIT}.before"), "field_missing", IN_UNIT),
    "a unit's clicks, a text": (
        set_at(f"{UNIT}.clicks", "2"),
        "bad_value",
        f"{IN_UNIT}.clicks",
    ),
    "a unit of no stable": (delete_at(f"{UNIT}.stable"), "field_missing", IN_UNIT),
    "a unit that is a list": (set_at(UNIT, []), "bad_value", IN_UNIT),
    "individuals, a text": (
        set_at(f"{SIDE}.individuals", ""),
        "bad_value",
        f"{IN_SIDE}.individuals",
    ),
    "a side's stable, a text": (
        set_at(f"{SIDE}.stable", "1"),
        "bad_value",
        f"{IN_SIDE}.stable",
    ),
    "a side's kills, null": (set_at(f"{SIDE}.kills", None), "bad_value", f"{IN_SIDE}.kills"),
    "an end that nobody knows": (set_at(f"{RESULT}.ended_by", "boredom"), "bad_value", f"{IN_RESULT}.ended_by"),
    "a field more": (set_at(f"{RESULT}.weather", "rain"), "field_unknown", IN_RESULT),
    "no id of a unit": (delete_at(f"{LOADOUT}.unit.id"), "field_missing", f"{IN_LOADOUT}.unit"),
    "no name of a unit": (delete_at(f"{LOADOUT}.unit.name"), "field_missing", f"{IN_LOADOUT}.unit"),
    "no clicks of a loadout": (delete_at(f"{LOADOUT}.clicks"), "field_missing", IN_LOADOUT),
    "no name of a pilot": (delete_at(f"{LOADOUT}.pilot.name"), "field_missing", f"{IN_LOADOUT}.pilot"),
    "no name of an arena": (delete_at("matches.0.setup.arena.name"), "field_missing", "matches[0].setup.arena"),
    "a contender without a claim": (
        delete_at("sudden_deaths.0.contenders.0.claim"),
        "field_missing",
        "sudden_deaths[0].contenders[0]",
    ),
    "an effect of another kind": (
        set_at("corrections.0.effects.0.what", "magic"),
        "bad_value",
        "corrections[0].effects[0].what",
    ),
    "an effect without its amount": (
        delete_at("corrections.0.effects.0.amount"),
        "field_missing",
        "corrections[0].effects[0]",
    ),
    "a ware without a kind": (delete_at("baskets.0.lines.0.kind"), "field_missing", "baskets[0].lines[0]"),
    "a report's clicks": (
        set_at("reports.0.document.units.red-1.clicks", "many"),
        "bad_value",
        "reports[0].document.units.red-1.clicks",
    ),
    "a line-up's tokens": (set_at("line_ups.0.tokens", [[]]), "bad_value", "line_ups[0].tokens"),
    "a repair order": (set_at("stables.0.repair_priority", [3]), "bad_value", "stables[0].repair_priority[0]"),
}


def store(document: Document) -> Season:
    made = import_season(SeasonText.of(json.dumps(document).encode()), slug="moved")
    return Season.objects.get(pk=made.season_id)


@pytest.mark.parametrize("name", BROKEN)
def test_a_broken_form_is_refused_with_its_place(played: Played, name: str) -> None:
    change, code, place = BROKEN[name]
    document = played.document()
    change(document)
    with pytest.raises((Refused, Malformed)) as caught:
        store(document)
    assert caught.value.code == f"season_document_{code}"
    assert caught.value.parameters["place"] == place
    assert not Season.objects.filter(slug="moved").exists()


def addresses(season: Season) -> list[str]:
    """Every address of the site that can be made of a season and what belongs to it."""
    known: dict[str, list[Any]] = {
        "season_slug": [season.slug],
        "season_id": [season.pk],
        "stable_slug": list(season.stables.values_list("slug", flat=True)),
        "stable_id": list(season.stables.values_list("pk", flat=True)),
        "number": [1],
        "fixture_id": list(Fixture.objects.filter(round__cycle__season=season).values_list("pk", flat=True)),
        "match_id": list(
            Match.objects.filter(fixture__round__cycle__season=season).values_list("public_id", flat=True)
        ),
        "identity_id": list(season.stables.values_list("identity_id", flat=True)),
    }
    found: list[str] = []
    for route in routes(get_resolver().url_patterns):
        names = PARAMETER.findall(route)
        if names and set(names) <= set(known):
            found += ["/" + fill(route, names, values) for values in product(*(known[name] for name in names))]
    return found


PARAMETER = re.compile(r"<(?:\w+:)?(\w+)>")


def routes(patterns: list[Any], before: str = "") -> Iterator[str]:
    for each in patterns:
        route = before + str(each.pattern)
        if hasattr(each, "url_patterns"):
            yield from routes(each.url_patterns, route)
        elif "^" not in route and not route.startswith("admin"):
            yield route


def fill(route: str, names: list[str], values: tuple[Any, ...]) -> str:
    by_name = dict(zip(names, values, strict=True))
    return PARAMETER.sub(lambda found: str(by_name[found[1]]), route)


def places_in(value: Any, way: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """The ways to everything inside a value."""
    for key, inner in value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ():
        yield (*way, key)
        yield from places_in(inner, (*way, key))


VALUES: tuple[Any, ...] = (None, "", "x", 0, -1, 7, True, [], [[]], {}, {"x": 1}, 10**12)


def mutate(document: Document, dice: random.Random) -> str:
    """Change one thing anywhere, each table as likely as every other; returns what was done."""
    table = dice.choice([key for key in document if document[key] and isinstance(document[key], (dict, list))])
    shown = document[table]
    if table == "matches":
        shown = [{key: value for key, value in dice.choice(shown).items() if key != "steps"}]
    way = dice.choice(list(places_in(shown)))
    place = shown
    for step in way[:-1]:
        place = place[step]
    if table == "matches" and len(way) == 2:
        index = next(i for i, each in enumerate(document["matches"]) if each["of"] == shown[0]["of"])
        place = document["matches"][index]
    if dice.random() < 0.4:
        del place[way[-1]]
        return f"{table}{way} removed"
    place[way[-1]] = dice.choice(VALUES)
    return f"{table}{way} is {place[way[-1]]!r}"


Rows = dict[str, list[tuple[Any, ...]]]


def stored() -> Rows:
    """All that the database holds, by table."""
    rows: Rows = {}
    with connection.cursor() as cursor:
        for table in connection.introspection.table_names(cursor):
            cursor.execute(f"SELECT * FROM {connection.ops.quote_name(table)}")  # noqa: S608
            rows[table] = cursor.fetchall()
    return rows


def cells_apart(one: Rows, other: Rows) -> set[tuple[str, int, int]]:
    """Table, row and column of everything in which two databases differ; a row that only one has differs everywhere."""
    return {
        (table, number, column)
        for table in one
        if one[table] != other[table]
        for number, pair in enumerate(zip_longest(one[table], other[table], fillvalue=()))
        for column, (mine, theirs) in enumerate(zip_longest(*pair))
        if mine != theirs
    }


@dataclass(frozen=True)
class Unchanged:
    """The season of the document as it is: what an import stores, which cells of that differ from one to the next (its
    chance and its clock), and the SQL by which an address is answered.
    """

    rows: Rows
    own: set[tuple[str, int, int]]
    asked: dict[str, str]

    def apart(self) -> set[str]:
        """The tables that do not hold now what the unchanged document stored."""
        return {table for table, *_ in cells_apart(self.rows, stored()) - self.own}

    def could_differ(self, address: str, apart: set[str]) -> bool:
        """Say whether the address asks a table that is not as it was, or was not there."""
        sql = self.asked.get(address)
        return sql is None or any(table in sql for table in apart)


@pytest.fixture(scope="module")
def unchanged(played_once: Played) -> Unchanged | None:
    """None where a sequence counts on after what is taken back, so that no two imports have the same keys."""
    if connection.vendor != "sqlite":
        return None
    with taken_back():
        store(played_once.document())
        before = stored()
    with taken_back():
        season = store(played_once.document())
        rows = stored()
        client, asked = operator_of(season), {}
        for address in addresses(season):
            with CaptureQueriesContext(connection) as queries:
                client.get(address)
            asked[address] = "\n".join(query["sql"] for query in queries)
    return Unchanged(rows, cells_apart(before, rows), asked)


def operator_of(season: Season) -> Client:
    client = Client(raise_request_exception=False)
    user = User.objects.create_user("operator", "operator@example.org", "x", is_staff=True, is_superuser=True)
    Season.objects.filter(pk=season.pk).update(organiser=user)
    client.force_login(user)
    return client


def failing(document: Document, unchanged: Unchanged | None) -> dict[str, int]:
    """The addresses of the imported season that fail, for its organiser; none if it is refused.

    An address that asks no table in which the import differs from that of the unchanged document answers as there.
    """
    with taken_back():
        try:
            season = store(document)
        except (Refused, Malformed):
            return {}
        asked = addresses(season)
        if unchanged is not None:
            apart = unchanged.apart()
            asked = [address for address in asked if unchanged.could_differ(address, apart)]
        client = operator_of(season)
        found = {address: client.get(address).status_code for address in asked}
        return {address: status for address, status in found.items() if status >= 500}


@pytest.mark.parametrize("seed", range(48))
def test_what_is_changed_anywhere_is_refused_or_breaks_no_page(
    played: Played, unchanged: Unchanged | None, seed: int
) -> None:
    document = played.document()
    what = mutate(document, random.Random(seed))
    assert failing(document, unchanged) == {}, what


def test_an_address_is_asked_where_a_table_that_it_reads_is_not_as_it_was(
    played: Played, unchanged: Unchanged | None
) -> None:
    """Else the test above would leave out what a change may break."""
    if unchanged is None:
        pytest.skip("every address is asked on this database")
    same, renamed = played.document(), played.document()
    renamed["season"]["name"] = "Another name"
    with taken_back():
        store(same)
        assert unchanged.apart() == set()
    with taken_back():
        page, apart = store(renamed).get_absolute_url(), unchanged.apart()
    assert "stables_season" in apart
    assert unchanged.could_differ(page, apart)
    assert unchanged.could_differ("/an/address/that/was/not/there", set())
    assert not unchanged.could_differ(page, set())


def test_what_is_not_changed_breaks_no_page(played: Played) -> None:
    """Else the test above could not find anything."""
    season = store(played.document())
    answers = Counter(Client().get(address).status_code for address in addresses(season))
    assert answers[200] > 60
    assert max(answers) < 500
