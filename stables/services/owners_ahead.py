"""What owners made of code will be asked before the matches of a round, read for all of them together.

It is foreseen without a lock and nothing is written. What has changed by the time the transaction of a stable begins is
asked about there, as if nothing had been foreseen.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from stables.models import Asset, Fixture, FixtureSide
from stables.services import owners
from stables.services.garage import make_as_new
from stables.services.owners_asked import Ask
from stables.services.sealing import called_of, is_ready
from stables.services.windows import before_match


def of_round(round_id: int | None) -> dict[int, Callable[[Ask], None]]:
    """Return for each stable of the AI that has yet to prepare for its match what it will be asked; three queries."""
    fixtures = Fixture.objects.filter(round=round_id, kind=Fixture.Kind.MATCH, state=Fixture.State.LINE_UPS)
    by_id = {fixture.pk: fixture for fixture in fixtures.select_related("round__cycle__season__release")}
    listed: dict[int, list[FixtureSide]] = {fixture_id: [] for fixture_id in by_id}
    for side in FixtureSide.objects.filter(fixture__in=by_id).select_related("stable", "line_up").order_by("id"):
        listed[side.fixture_id].append(side)
    waiting = [side for sides in listed.values() for side in sides if side.stable.is_ai and not is_ready(side)]
    owned: dict[int, list[Asset]] = {side.stable_id: [] for side in waiting}
    for asset in Asset.objects.filter(stable__in=owned, sold_at=None).order_by("id"):
        owned[asset.stable_id].append(asset)
    return {
        side.stable_id: partial(_foresee, by_id[side.fixture_id], side, listed[side.fixture_id], owned[side.stable_id])
        for side in waiting
    }


def _foresee(
    fixture: Fixture, side: FixtureSide, sides: Sequence[FixtureSide], assets: Sequence[Asset], ask: Ask
) -> None:
    """Ask what `owners.prepare` will ask: what to repair, and whom to field once that is repaired. No query."""
    stable, cycle = side.stable, fixture.round.cycle
    stable.season = cycle.season
    window = before_match(cycle, fixture.round.number, is_open=True)
    stock = owners.stock_among(stable, window, assets)
    repairs = owners.repairs_before_match(stable, window, stock)
    for code in () if repairs is None else ask(repairs):
        make_as_new(stable, stock.by_code[code], window)
    ask(owners.line_up_of(called_of(fixture, side, stable, sides, assets)))
