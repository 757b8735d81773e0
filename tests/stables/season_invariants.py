"""What must be true of a season at every moment, checked from the tables alone."""

from __future__ import annotations

from collections import Counter, defaultdict
from typing import Any

from stables.models import Asset, Crew, CrewCard, Fixture, LedgerEntry, ReputationEntry, Result, Season, Stable
from stables.selectors.definitions import definition_of
from stables.services.base.ledger import refold

Record = tuple[int, int, str]
"""A fixture, a stable's number, and the code of an individual, "" for the stable itself."""


def require_sound_books(season: Season) -> None:
    """Balances refold, nobody is below nothing, every asset was bought once more than it was sold while it is had."""
    assert refold(season_id=season.pk) == []
    for stable in Stable.objects.filter(season=season):
        assert stable.capital >= 0
        assert stable.owed >= 0
    moves: Counter[tuple[int, str]] = Counter()
    for entry in LedgerEntry.objects.filter(stable__season=season, idempotency_key__startswith="asset:"):
        _, asset_id, what, *_ = entry.idempotency_key.split(":")
        moves[int(asset_id), what] += 1
    for asset in Asset.objects.filter(stable__season=season):
        if not asset.price_paid:
            continue
        bought, sold = moves[asset.pk, "buy"], moves[asset.pk, "sell"]
        assert bought == asset.purchases, asset
        assert sold == asset.purchases - (asset.sold_at is None), asset


def require_one_owner(season: Season) -> None:
    """No unique twice on a list; nothing assigned across stables; no unit, pilot or card in two crews of one time."""
    assets = list(Asset.objects.filter(stable__season=season).select_related("assigned_to"))
    held: Counter[tuple[int, str]] = Counter()
    for asset in assets:
        entry = definition_of(season, asset)
        if asset.sold_at is None and (entry.get("rank") == "unique" or entry.get("unique")):
            held[asset.stable_id, asset.catalogue_key] += 1
        if asset.assigned_to is not None:
            assert asset.assigned_to.stable_id == asset.stable_id
            assert asset.assigned_to.sold_at is None
    assert not [key for key, count in held.items() if count > 1]
    in_use: Counter[int] = Counter()
    open_crews = Crew.objects.filter(line_up__side__fixture__round__cycle__season=season).exclude(
        line_up__side__fixture__state=Fixture.State.SETTLED
    )
    for crew in open_crews.select_related("line_up__side", "unit", "pilot"):
        in_use[crew.unit_id] += 1
        assert crew.unit.stable_id == crew.line_up.side.stable_id
        if crew.pilot is not None:
            in_use[crew.pilot.pk] += 1
            assert crew.pilot.stable_id == crew.line_up.side.stable_id
    for card in CrewCard.objects.filter(crew__in=open_crews):
        in_use[card.asset_id] += 1
    assert not [asset_id for asset_id, count in in_use.items() if count > 1]


def require_able_crews(season: Season, known: set[int]) -> None:
    """Of crews not seen before: nobody fights eliminated, sitting out, sold or dead. `known` crews are added to."""
    crews = Crew.objects.filter(line_up__side__fixture__round__cycle__season=season).exclude(pk__in=known)
    for crew in crews.select_related("unit", "pilot", "line_up__side__fixture__round__cycle"):
        known.add(crew.pk)
        if crew.line_up.side.fixture.state == Fixture.State.SETTLED:
            continue
        meeting = crew.line_up.side.fixture.round
        assert not crew.unit.is_eliminated
        assert crew.unit.sold_at is None
        assert (crew.unit.sits_out_cycle, crew.unit.sits_out_round) != (meeting.cycle.number, meeting.number)
        assert crew.unit.damage == crew.damage
        if crew.pilot is not None:
            assert crew.pilot.died_at is None
            assert crew.pilot.sold_at is None


def said_by(document: dict[str, Any]) -> dict[tuple[int, str], tuple[int, int, int, int]]:
    """By stable and individual: reputation, kills, wins and matches that a result brings."""
    records: dict[tuple[int, str], tuple[int, int, int, int]] = {}
    by_side = {
        side["stable"]: {**side, "won": document["winner"] == name} for name, side in document.get("sides", {}).items()
    }
    for number, part in document.get("stables", by_side).items():
        records[int(number), ""] = (part["banked"], part["kills"], int(part["won"]), int(part.get("played", True)))
        for code, gained in part["individuals"].items():
            records[int(number), code] = (gained["reputation"], gained["kills"], 0, 0)
    return {key: value for key, value in records.items() if any(value)}


def require_refolding_reputation(season: Season) -> None:
    """The book says of every fixture exactly what its result brings, the newest correction included."""
    book: dict[Record, list[int]] = defaultdict(lambda: [0, 0, 0, 0])
    byes: Counter[tuple[int, int]] = Counter()
    results = {
        result.fixture_id: result.current
        for result in Result.objects.filter(fixture__round__cycle__season=season).prefetch_related("corrections")
    }
    entries = ReputationEntry.objects.filter(stable__season=season).select_related("stable", "asset", "fixture")
    for entry in entries:
        if entry.fixture_id not in results:
            assert entry.cause == "bye", entry
            byes[entry.fixture_id or entry.cycle_id, entry.stable_id] += entry.asset is None
            continue
        code = "" if entry.asset is None else entry.asset.code
        sums = book[entry.fixture_id, entry.stable.number, code]
        for place, amount in enumerate((entry.amount, entry.kills, entry.wins, entry.matches)):
            sums[place] += amount
    found = {record: tuple(sums) for record, sums in book.items() if any(sums)}
    expected = {
        (fixture_id, *line): deeds
        for fixture_id, document in results.items()
        for line, deeds in said_by(document).items()
    }
    assert found == expected
    assert not [key for key, count in byes.items() if count > 1]


def require_sound(season: Season, known: set[int]) -> None:
    """All of it. `known` holds the crews that were looked at when they were handed in."""
    require_sound_books(season)
    require_one_owner(season)
    require_able_crews(season, known)
    require_refolding_reputation(season)
