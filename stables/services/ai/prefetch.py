"""What AI owners will be asked in a market and before the matches of a round, read for all together.

It is foreseen without a lock and nothing is written. What has changed by the time the transaction of a stable begins is
asked about there, as if nothing had been foreseen; so it is with everything where foreseeing fails, which the log is
told and nobody else.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import partial

from stables.models import Asset, Cycle, Fixture, FixtureSide, Stable
from stables.selectors.windows import before_match, in_market
from stables.services.ai import owners
from stables.services.ai.guarded import Ask, foreseen
from stables.services.garage.repairs import make_as_new
from stables.services.line_ups.sealing import called_of, is_ready

Foreseen = dict[int, Callable[[Ask], None]]
"""For the id of a stable, what puts to its owner what can be foreseen; it may raise what is no fault of the owner."""


def of_round(round_id: int | None) -> Foreseen:
    """Return for each stable of the AI that has yet to prepare for its match what it will be asked; three queries."""
    return foreseen(partial(_of_round, round_id), {})


def _of_round(round_id: int | None) -> Foreseen:
    fixtures = Fixture.objects.filter(round=round_id, kind=Fixture.Kind.MATCH, state=Fixture.State.LINE_UPS)
    by_id = {fixture.pk: fixture for fixture in fixtures.select_related("round__cycle__season__release")}
    listed: dict[int, list[FixtureSide]] = {fixture_id: [] for fixture_id in by_id}
    for side in FixtureSide.objects.filter(fixture__in=by_id).select_related("stable", "line_up").order_by("id"):
        listed[side.fixture_id].append(side)
    waiting = [side for sides in listed.values() for side in sides if side.stable.is_ai and not is_ready(side)]
    owned = _assets_of([side.stable_id for side in waiting])
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
    repairs = owners.repairs_of(stable, window, stock)
    for code in () if repairs is None else ask(repairs):
        make_as_new(stable, stock.by_code[code], window)
    ask(owners.line_up_of(called_of(fixture, side, stable, sides, assets)))


def of_market(cycle: Cycle, stables: Iterable[Stable]) -> Foreseen:
    """Return for each of these stables of the AI what it will be asked in the open market of a cycle; one query.

    `cycle` comes with its season and the release of that.
    """
    return foreseen(partial(_of_market, cycle, stables), {})


def _of_market(cycle: Cycle, stables: Iterable[Stable]) -> Foreseen:
    shopping = list(stables) if cycle.state == Cycle.State.MARKET else []
    owned = _assets_of([stable.pk for stable in shopping])
    return {stable.pk: partial(_foresee_shopping, cycle, stable, owned[stable.pk]) for stable in shopping}


def _foresee_shopping(cycle: Cycle, stable: Stable, assets: Sequence[Asset], ask: Ask) -> None:
    """Ask what `owners.shop` will ask, up to the first step that changes what the stable has. No query."""
    stable.season = cycle.season
    window = in_market(cycle)
    for step in owners.shopping_of(stable, cycle, window, owners.stock_among(stable, window, assets)):
        if any([ask(question) for question in step if question is not None]):
            return


def _assets_of(stable_ids: Iterable[int]) -> dict[int, list[Asset]]:
    """Return the unsold assets of each stable in order of id; one query."""
    found: dict[int, list[Asset]] = {stable_id: [] for stable_id in stable_ids}
    for asset in Asset.objects.filter(stable__in=found, sold_at=None).order_by("id"):
        found[asset.stable_id].append(asset)
    return found
