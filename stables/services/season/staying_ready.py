"""Stables that said that they are ready, and lose by a later act what that was checked for."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import wraps
from typing import Any, TypeVar

from django.db import transaction

from rules.campaign.states import CYCLE, SEASON
from stables.models import Cycle, Stable
from stables.selectors.crews import left_to_the_ai, ready_mark, why_no_crew
from stables.services.base.ledger import look_at_stable
from stables.services.base.locks import lock_season
from stables.services.season.buyers import basket_of, what_if
from stables.services.season.seasons import has_begun


@dataclass(frozen=True, kw_only=True)
class Act:
    """An act of an owner. `ends_ready`: the stable was ready, and by this act it is not any more."""

    ends_ready: bool = False


Done = TypeVar("Done", bound=Act)


def keeps_ready_true(act: Callable[..., Done]) -> Callable[..., Done]:
    """Let an act on the stable `stable_id` take “ready” back where it takes what readiness was checked for.

    That is a crew for the coming match, with the sealed basket bought, and that each line of this basket can be bought.
    What was lacking before the act, the owner knew. A start of the cycle that was asked for stays asked for. One query
    for a stable that is not ready; under the season's lock for one that is.
    """

    @wraps(act)
    @transaction.atomic
    def guarded(*, stable_id: int, **fields: Any) -> Done:
        cycle = _ready_for(stable_id)
        before = set() if cycle is None else _lacking(stable_id, cycle)
        done = act(stable_id=stable_id, **fields)
        if cycle is None or _lacking(stable_id, cycle) <= before:
            return done
        Stable.objects.filter(pk=stable_id).update(ready_for="")
        return replace(done, ends_ready=True)

    return guarded


def _ready_for(stable_id: int) -> Cycle | None:
    """Return the cycle whose open market a stable's owner has finished with, the season locked; None without one.

    Between matches, and for a stable of the AI, nothing is locked: the AI acts there with the stable locked already.
    """
    shopping = Stable.objects.filter(pk=stable_id, is_ai=False, season__cycles__state=Cycle.State.MARKET)
    season_id = shopping.exclude(ready_for="").values_list("season_id", flat=True).first()
    if season_id is None:
        return None
    # A start of the cycle that is asked for meanwhile comes before the act or after it.
    season = lock_season(season_id)
    cycle = season.cycles.order_by("-number").first()
    if cycle is None or not (SEASON.may("shop", season.state) and CYCLE.may("shop", cycle.state)):
        return None
    is_ready = Stable.objects.filter(pk=stable_id, ready_for=ready_mark(cycle.number)).exists()
    if not is_ready or has_begun(cycle) or stable_id in left_to_the_ai(season_id):
        return None
    cycle.season = season
    return cycle


def _lacking(stable_id: int, cycle: Cycle) -> set[str]:
    """Return what a stable lacks to be ready: a crew, and each line of its sealed basket that cannot be bought."""
    stable = look_at_stable(stable_id)
    basket = basket_of(stable, cycle)
    is_sealed = basket is not None and basket.sealed_at is not None
    filled = what_if(stable, basket.lines) if basket is not None and is_sealed else []
    bought = [(one.line.kind, one.line.definition) for one in filled if not one.problems]
    assets = list(stable.assets.filter(sold_at=None).order_by("id"))
    return {
        *(["crew"] if why_no_crew(cycle, assets, bought) is not None else []),
        *(f"line {number}" for number, one in enumerate(filled, 1) if one.problems),
    }
