"""Reading a season by the interface."""

from __future__ import annotations

from typing import Any

from catalogue.services.releases import load_release
from stables.models import Fixture, Season
from stables.services.results import corrections, reports
from stables.services.results.corrections import Wanted
from tests.stables.tabletop_matches import fixture_of, person, sides_of, tables

PLAYED = "seasons/played-season/"


LISTS = ("cycles/", "fixtures/", "results/", "stables/", "champions/", "log/")


OF_STABLE = ("assets/", "ledger/")


def read(api: Any, address: str, role: str = "anonymous", **asked: Any) -> Any:
    answer = api(role, "get", address, asked)
    assert answer.status_code == 200, (address, answer.content)
    return answer.json()


def rows(api: Any, address: str, role: str = "anonymous", **asked: Any) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = read(api, address, role, page_size=100, **asked)["results"]
    return found


def addresses_of(season: Season) -> list[str]:
    """Every address below a season that programs read."""
    own = f"seasons/{season.slug}/"
    stable = season.stables.order_by("number")[0]
    found = [own, f"{own}standings/", f"{own}stables/{stable.slug}/", *(own + part for part in LISTS)]
    found += [f"{own}stables/{stable.slug}/{part}" for part in OF_STABLE]
    found += [f"{own}cycles/{cycle.number}/" for cycle in season.cycles.all()[:1]]
    found += [f"{own}fixtures/{each.pk}/" for each in Fixture.objects.filter(round__cycle__season=season)[:1]]
    return found


def at_tables(documents: list[dict[str, Any]]) -> Season:
    """A running season whose first round was played at tables, with these results."""
    season = tables(load_release(), ["Ash", "Birch", "Cedar", "Dogwood"], matches_per_cycle=1)
    for number, document in enumerate(documents, 1):
        fixture = fixture_of(season, number)
        for side in sides_of(fixture):
            reports.file_report(fixture_id=fixture.pk, stable_id=side.stable_id, document=document)
    return season


def correct(fixture: Fixture, wanted: Wanted) -> Any:
    organiser = person("organiser")
    seen = corrections.foresee(fixture_id=fixture.pk, wanted=wanted, user=organiser)
    return corrections.correct(
        fixture_id=fixture.pk, wanted=wanted, reason="a typing error", seal=seen.seal, user=organiser
    )
