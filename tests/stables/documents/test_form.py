"""What stands inside the fields of a document has a form: what breaks it is refused, what is taken breaks no page."""

from __future__ import annotations

import json
import random
import re
from collections import Counter
from collections.abc import Iterator
from functools import partial
from itertools import product
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.urls import get_resolver

from matches.models import Match
from people.models import User
from rules.core.refusals import Malformed, Refused
from stables.documents.reading import SeasonText
from stables.documents.storing import import_season
from stables.models import Fixture, Season
from tests.stables.documents.changes import Change, Document, delete_at, set_at
from tests.stables.documents.conftest import Played
from tests.traces import Recall, Traces, alike
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


@pytest.fixture(scope="module")
def traces(played_once: Played) -> Traces[int]:
    """What each address answers when the document is imported as it is, as statuses."""
    found = Traces[int]()
    with taken_back():
        statuses(found, imported(played_once.document()))
    return found


def imported(document: Document) -> Season:
    """Import it at a held moment: two imports of one document store the same."""
    with alike("import"):
        return store(document)


def statuses(traces: Traces[int], season: Season) -> tuple[dict[str, int], list[str]]:
    """Return the status of each address of the season, for its organiser, and those that had to be asked."""
    with alike("operator"):
        client = operator_of(season)
    recall = Recall(traces)
    found = {address: recall.answer(address, partial(_status, client, address)) for address in addresses(season)}
    return found, recall.asked


def _status(client: Client, address: str) -> int:
    return client.get(address).status_code


def operator_of(season: Season) -> Client:
    client = Client(raise_request_exception=False)
    user = User.objects.create_user("operator", "operator@example.org", "x", is_staff=True, is_superuser=True)
    Season.objects.filter(pk=season.pk).update(organiser=user)
    client.force_login(user)
    return client


def failing(document: Document, traces: Traces[int]) -> dict[str, int]:
    """The addresses of the imported season that fail, for its organiser; none if it is refused."""
    with taken_back():
        try:
            season = imported(document)
        except (Refused, Malformed):
            return {}
        found, _ = statuses(traces, season)
        return {address: status for address, status in found.items() if status >= 500}


@pytest.mark.parametrize("seed", range(48))
def test_what_is_changed_anywhere_is_refused_or_breaks_no_page(played: Played, traces: Traces[int], seed: int) -> None:
    document = played.document()
    what = mutate(document, random.Random(seed))
    assert failing(document, traces) == {}, what


def test_an_address_is_asked_where_a_statement_gives_something_else(played: Played, traces: Traces[int]) -> None:
    """Else the test above would leave out what a change may break."""
    same, renamed = played.document(), played.document()
    renamed["season"]["name"] = "Another name"
    if connection.vendor == "sqlite":
        # Elsewhere a sequence counts on after what is taken back, so that no two imports have the same keys.
        with taken_back():
            assert statuses(traces, imported(same))[1] == []
    with taken_back():
        season = imported(renamed)
        assert season.get_absolute_url() in statuses(traces, season)[1]


def test_what_is_not_changed_breaks_no_page(played: Played) -> None:
    """Else the test above could not find anything."""
    season = store(played.document())
    answers = Counter(Client().get(address).status_code for address in addresses(season))
    assert answers[200] > 60
    assert max(answers) < 500
