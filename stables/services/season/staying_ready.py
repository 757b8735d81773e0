"""Stables that said that they are ready, and lose by a later act what that was checked for."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from functools import wraps
from typing import Any, TypeVar

from django.db import transaction

from people.services import acts
from people.services.accounts import notify
from rules.campaign.states import CYCLE, SEASON
from stables.models import Cycle, Season, Stable
from stables.selectors.crews import left_to_the_ai, ready_mark, why_no_crew
from stables.selectors.notices.acts import SHOP
from stables.services.base.ledger import look_at_stable
from stables.services.base.locks import lock_season
from stables.services.base.news import stored
from stables.services.season.buyers import basket_of, what_if
from stables.services.season.seasons import has_begun

CREW = "crew"

Lacking = Mapping[int, set[str]]
"""The id of a ready stable -> what it lacks to be ready: CREW, and each line of its sealed basket that cannot be
bought.
"""


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
        season = _lock_if_ready(stable_id)
        before = {} if season is None else lacking_of_ready(season, [stable_id])
        done = act(stable_id=stable_id, **fields)
        lost = [] if season is None else _lose(season, before)
        for stable, cycle in lost:
            ask_again(stable, cycle.number)
        return replace(done, ends_ready=True) if lost else done

    return guarded


def lacking_of_ready(season: Season, stable_ids: Iterable[int] | None = None) -> Lacking:
    """Return what the stables lack whose owners have finished with the open market: these, or all of the season.

    Stables of the AI, those that are left to it, and all of them once the start is asked for, are left out. Call it
    with the season locked. Five queries for each stable at most, and four more.
    """
    cycle = _market_of(season)
    if cycle is None:
        return {}
    found = Stable.objects.filter(season=season, is_ai=False, ready_for=ready_mark(cycle.number))
    if stable_ids is not None:
        found = found.filter(pk__in=stable_ids)
    ready = set(found.values_list("pk", flat=True))
    if not ready or has_begun(cycle):
        return {}
    return {pk: _lacking(pk, cycle) for pk in sorted(ready - left_to_the_ai(season.pk))}


def tell_lost(season: Season, before: Lacking) -> None:
    """Take “ready” back from stables that lack a crew now and did not before somebody else's act, and say so.

    Everybody sees who is ready, and a sealed basket is its owner's alone: that a line of it cannot be bought any more
    changes nothing. `before` is from `lacking_of_ready`. Call it in the transaction of the act, with the season locked.
    """
    for stable, cycle in _lose(season, before, of=frozenset({CREW})):
        facts = {"season": season.name, "stable": stable.name, "cycle": cycle.number}
        facts["due"] = stored(cycle.market_closes_at)
        stable.season = season
        if stable.owner is not None:
            notify([stable.owner], "ready_ended", facts, stable.get_absolute_url())


def mind_crew(season: Season, stable_id: int) -> None:
    """Take “ready” back from a stable that lacks a crew now that it is not left to the AI any more, and say so.

    The AI would have shopped for it, so the owner was not asked for a crew. Call it with the season locked.
    """
    found = lacking_of_ready(season, [stable_id])
    tell_lost(season, {pk: lacking - {CREW} for pk, lacking in found.items()})


def shop_on(stable: Stable, cycle: int) -> None:
    """Store that a stable is not ready for the market of a cycle, which asks its owner for an act again.

    Nothing happens to a stable that is not ready. The notice of the market, or the reminder, opens again: the owner
    knows what they did, and needs no other.
    """
    if not stable.ready_for:
        return
    stable.ready_for = ""
    stable.save(update_fields=["ready_for"])
    ask_again(stable, cycle)


def ask_again(stable: Stable, cycle: int) -> None:
    """Open the newest notice of the market of a cycle to the owner of a stable again."""
    if stable.owner_id is not None:
        acts.open_again(stable.owner_id, SHOP, stable.season.slug, [cycle])


def _lose(season: Season, before: Lacking, of: frozenset[str] | None = None) -> list[tuple[Stable, Cycle]]:
    """Take “ready” back from stables that lack now what they did not lack before, and return them with their owners.

    With `of` only from those that now lack one of these. The caller asks their owners for an act, by the notice that
    they have or by one more.
    """
    after = lacking_of_ready(season, before) if before else {}
    came = {pk: lacking - before[pk] for pk, lacking in after.items()}
    lost = [pk for pk, new in came.items() if (new if of is None else new & of)]
    cycle = _market_of(season) if lost else None
    if cycle is None:
        return []
    found = list(Stable.objects.filter(pk__in=lost).select_related("owner", "season").order_by("pk"))
    Stable.objects.filter(pk__in=lost).update(ready_for="")
    return [(stable, cycle) for stable in found]


def _market_of(season: Season) -> Cycle | None:
    """Return the cycle of a season whose market is open, with its season; None without one."""
    cycle = season.cycles.order_by("-number").first()
    if cycle is None or not (SEASON.may("shop", season.state) and CYCLE.may("shop", cycle.state)):
        return None
    cycle.season = season
    return cycle


def _lock_if_ready(stable_id: int) -> Season | None:
    """Lock the season of a stable whose owner has finished with an open market; None without one.

    Between matches, and for a stable of the AI, nothing is locked: the AI acts there with the stable locked already.
    """
    shopping = Stable.objects.filter(pk=stable_id, is_ai=False, season__cycles__state=Cycle.State.MARKET)
    season_id = shopping.exclude(ready_for="").values_list("season_id", flat=True).first()
    # A start of the cycle that is asked for meanwhile comes before the act or after it.
    return None if season_id is None else lock_season(season_id)


def _lacking(stable_id: int, cycle: Cycle) -> set[str]:
    """Return what a stable lacks to be ready: a crew, and each line of its sealed basket that cannot be bought."""
    stable = look_at_stable(stable_id)
    basket = basket_of(stable, cycle)
    is_sealed = basket is not None and basket.sealed_at is not None
    filled = what_if(stable, basket.lines) if basket is not None and is_sealed else []
    bought = [(one.line.kind, one.line.definition) for one in filled if not one.problems]
    assets = list(stable.assets.filter(sold_at=None).order_by("id"))
    return {
        *([CREW] if why_no_crew(cycle, assets, bought) is not None else []),
        *(f"line {number}" for number, one in enumerate(filled, 1) if one.problems),
    }
