"""The writers of a result, a first one or a replacement: records, dials, the dead.

R-CYC-05, R-CYC-06, R-CRP-07, R-CRP-08, R-CRP-13, R-DTH-01..03. Call them with the fixture and its stables locked.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Any

from rules.campaign.results.corrections import Deeds, Line, stables_of
from stables.models import Asset, Correction, Fixture, ReputationEntry, Result, Stable
from stables.selectors.fixtures import sides_with_owners
from stables.services.base import log
from stables.services.base.news import place_of

RECORDED = (Asset.Kind.UNIT, Asset.Kind.PILOT)


def lock_stables(stables: Iterable[Stable]) -> dict[int, Stable]:
    """Lock stables in order of id, so that two results never wait for each other, and return them by number."""
    ids = [stable.pk for stable in stables]
    locked = Stable.objects.select_for_update(of=("self",), no_key=True).filter(pk__in=ids).order_by("pk")
    return {stable.number: stable for stable in locked}


def assets_of(stables: Iterable[Stable]) -> dict[Line, Asset]:
    """Return every unit and pilot that the stables ever had, by the stable's number and the asset's code; one query."""
    numbers = {stable.pk: stable.number for stable in stables}
    found = Asset.objects.filter(stable__in=list(numbers), kind__in=RECORDED).order_by("id")
    return {(numbers[asset.stable_id], asset.code): asset for asset in found}


def causes_of(document: Mapping[str, Any]) -> dict[int, str]:
    """Return the cause of each stable's entries in the reputation book, by the stable's number."""
    return {number: str(entry.get("cause", "correction")) for number, entry in stables_of(document).items()}


def enter(
    fixture: Fixture,
    stables: Mapping[int, Stable],
    assets: Mapping[Line, Asset],
    deeds: Mapping[Line, Deeds],
    edition: int,
    causes: Mapping[int, str],
) -> None:
    """Write deeds as entries of the reputation book.

    `edition` is 0 for the first result and the correction's number after that. `causes` names by a stable's number the
    cause of its entries, "correction" if it has none.
    """
    prefix = f"fixture:{fixture.pk}" if edition == 0 else f"fixture:{fixture.pk}:correction:{edition}"
    entries = []
    for (number, code), gained in deeds.items():
        asset = assets[number, code] if code else None
        whose = f"stable:{stables[number].pk}" if asset is None else f"asset:{asset.pk}"
        entries.append(
            ReputationEntry(
                stable=stables[number],
                asset=asset,
                cycle=fixture.round.cycle,
                fixture=fixture,
                amount=gained.reputation,
                kills=gained.kills,
                wins=gained.wins,
                matches=gained.matches,
                cause=causes.get(number, "correction"),
                idempotency_key=f"{prefix}:{whose}",
            )
        )
    ReputationEntry.objects.bulk_create(entries)


def write_wear(assets: Mapping[Line, Asset], document: Mapping[str, Any]) -> None:
    """Write the damage that the units have after the match (R-CRP-07, R-CRP-08, R-CRP-13)."""
    changed = []
    for entry in document["units"].values():
        unit = assets[int(entry["stable"]), entry["asset"]]
        unit.damage, unit.is_eliminated = int(entry["clicks"]), bool(entry["eliminated"])
        changed.append(unit)
    Asset.objects.bulk_update(changed, ["damage", "is_eliminated"])


def bury(
    fixture: Fixture, stables: Mapping[int, Stable], assets: Mapping[Line, Asset], dead: Iterable[Line], now: datetime
) -> list[Line]:
    """Take dead pilots off their units and lists, and log it (R-DTH-01..03).

    Their records stay, and no Stones come back. Return the pilots that were alive until now.
    """
    cycle = fixture.round.cycle
    buried: list[Line] = []
    place: dict[str, Any] = {}
    for line in sorted(dead):
        pilot = assets[line]
        if pilot.died_at is not None:
            continue
        pilot.died_at, pilot.assigned_to = now, None
        pilot.save(update_fields=["died_at", "assigned_to"])
        place = place or place_of(fixture, sides_with_owners(fixture))
        parameters = {**place, "pilot": pilot.label, "stable": stables[line[0]].name}
        log.record(cycle.season, "pilot_died", parameters, cycle=cycle, fixture=fixture)
        buried.append(line)
    return buried


def revive(assets: Mapping[Line, Asset], alive: Iterable[Line]) -> list[Line]:
    """Put pilots whose death is cancelled back on their lists, and return those that were dead until now.

    They stay off their units.
    """
    revived = []
    for line in sorted(alive):
        pilot = assets[line]
        if pilot.died_at is not None:
            pilot.died_at = None
            pilot.save(update_fields=["died_at"])
            revived.append(line)
    return revived


def number_of_next(result: Result) -> int:
    """Return the number of the next correction of a result, from 1. Prefetch `corrections`."""
    return max((one.number for one in result.corrections.all()), default=0) + 1


def write_correction(
    result: Result, number: int, document: dict[str, Any], kind: str, *, reason: str, user: Any, effects: Any
) -> Correction:
    """Write a correction, whose document is the valid one from now on."""
    return Correction.objects.create(
        result=result, number=number, kind=kind, document=document, effects=list(effects), reason=reason, user=user
    )
