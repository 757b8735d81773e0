"""The page after a match for the owner of a stable: what happened to each of theirs, what it costs, what comes next."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from rules.campaign.classes import units_a_side
from rules.campaign.garage.repair import ELIMINATED, UNDAMAGED, must_sit_out
from rules.campaign.states import OPEN
from rules.core.table_units import clicks_of
from rules.solaris.building import class_problems
from rules.solaris.house_rules import HouseRules
from rules.wording.filling import signed
from stables.models import Asset, Cycle, Fixture, LedgerEntry, Placing, Stable
from stables.presenters.next_step import Step, next_step
from stables.selectors.assets import state_of
from stables.selectors.definitions import definition_of
from stables.selectors.entrants import entrants
from stables.selectors.leaders import ranks_of
from stables.selectors.windows import Window, repairs_are_over, window_of
from stables.services.garage.repairs import RepairPreview, preview
from stables.services.results.placings import purse_at
from stables.text import names as words
from stables.text import results as result_words

CAUSES_OF_CLOSING = ("purse", "compulsory_repair", "sponsor_grant")
"""The causes of ledger entries that close a cycle."""


@dataclass(frozen=True)
class Mine:
    """One of the owner's units in a match, and how it is now.

    `lost` of `clicks` clicks went in the match, and `left` were left after it; `clicks` is 0 for a unit whose dial
    nobody here knows. `fate` is eliminated, damaged or unhurt. `price` is what its repair costs now, in Stones: 0 for
    a unit on its start marker, and for one that was sold. `ahead` says whether it may fight in the stable's next match
    and why not, "" when none is planned or it was sold.
    """

    asset: Asset
    pilot: Asset | None
    lost: int
    left: int
    clicks: int
    fate: str
    kills: int
    pilot_dead: bool
    price: int
    is_too_dear: bool
    is_sold: bool
    ahead: str


@dataclass(frozen=True)
class Purse:
    """What the cycle pays: `place` and `stones` once it is decided; before that None, and what is possible.

    `least` and `most` are what the last and the first of `count` places pay. `lines` are the stable's movements of the
    closed cycle: (sentence, amount in Stones with its sign).
    """

    place: int | None
    stones: int | None
    least: int
    most: int
    count: int
    lines: tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class Next:
    """The next match that a stable may have: its cycle, its round with the rounds of that cycle (0 while they are not
    planned), its format and its class."""

    cycle: int
    round: int
    rounds: int
    format: str
    match_class: str

    @property
    def in_words(self) -> str:
        """A sentence with round, format, class, and how many ’Mechs a side brings."""
        values = {
            "cycle": self.cycle,
            "round": self.round,
            "rounds": self.rounds,
            "format": words.word(words.FORMATS, self.format),
            "class": words.word(words.CLASSES, self.match_class),
        }
        units = units_a_side(self.format)
        first = _("Your next match begins cycle %(cycle)s: %(format)s, %(class)s.")
        if self.rounds:
            first = _("Your next match is in round %(round)s of %(rounds)s: %(format)s, %(class)s.")
        brings = ngettext("You bring %(units)s ’Mech.", "You bring %(units)s ’Mechs.", units)
        return f"{first % values} {brings % {'units': units}}"


@dataclass(frozen=True)
class AfterMatch:
    """The page after a settled match. `banked` is the reputation that the stable keeps of it, `rank` its rank in the
    season of `ranked` stables, and `total` its reputation there. `next` is None when no match is planned any more."""

    outcome: str
    ending: str
    banked: int
    units: tuple[Mine, ...]
    repairs: RepairPreview
    can_repair: bool
    is_break: bool
    purse: Purse
    rank: int
    ranked: int
    total: int
    step: Step
    next: Next | None


def after_match(fixture: Fixture, stable: Stable) -> AfterMatch:
    """Return what a settled match means for a stable that was paired in it; a constant number of queries.

    Prices, places and windows come from the services of the season. Fetch the fixture with its cycle, season, release,
    result and corrections, and the stable with the same season.
    """
    document = fixture.result.current
    cycle = fixture.round.cycle
    assets = list(Asset.objects.filter(stable=stable).order_by("id"))
    window = window_of(stable)
    unsold = [asset for asset in assets if asset.sold_at is None]
    repairs = preview(stable, unsold)
    own = (document.get("stables") or {}).get(str(stable.number), {})
    ranks = ranks_of(stable.season)
    rank = ranks.get(stable.number)
    can_repair = window.is_between_matches and not repairs_are_over(stable, window)
    ahead = _next(stable, window)
    return AfterMatch(
        outcome=_outcome(document, own),
        ending=str(result_words.ENDINGS.get(document["ended_by"], "")),
        banked=int(own.get("banked", 0)),
        units=tuple(_units(document, stable, assets, repairs, _Prospect(window, ahead, can_repair))),
        repairs=repairs,
        can_repair=can_repair,
        is_break=window.in_break,
        purse=_purse(cycle, stable),
        rank=rank.rank if rank else 0,
        ranked=len(ranks),
        total=rank.reputation if rank else 0,
        step=next_step(stable),
        next=ahead,
    )


def _next(stable: Stable, window: Window) -> Next | None:
    """Return the next match of the stable's plan; None when it has left, and after the last cycle."""
    rules = stable.season.rules
    if stable.left_in_cycle is not None or stable.season.state not in OPEN:
        return None
    if window.matches_left > 0:
        rounds = window.next_round + window.matches_left - 1
        return Next(window.cycle, window.next_round, rounds, window.format, window.match_class)
    number = window.cycle if window.is_market else window.cycle + 1
    if number > len(rules.cycles):
        return None
    return Next(number, 1, 0, rules.cycles[number - 1], rules.class_of(number))


def _outcome(document: Mapping[str, Any], own: Mapping[str, Any]) -> str:
    """Return how the match ended for the stable: void, unwon, won or lost."""
    if document["ended_by"] == "void":
        return "void"
    if document["winner"] is None:
        return "unwon"
    return "won" if own.get("won") else "lost"


@dataclass(frozen=True)
class _Prospect:
    """What decides whether a unit may fight in the next match, apart from the unit."""

    window: Window
    next: Next | None
    can_repair: bool


def _units(
    document: Mapping[str, Any],
    stable: Stable,
    assets: Sequence[Asset],
    repairs: RepairPreview,
    prospect: _Prospect,
) -> Iterable[Mine]:
    by_code = {asset.code: asset for asset in assets}
    for end in document["units"].values():
        asset = by_code.get(end["asset"])
        if asset is None or int(end["stable"]) != stable.number:
            continue
        clicks = clicks_of(definition_of(stable.season, asset))
        lost = max(0, int(end["clicks"]) - int(end["before"]))
        price = repairs.costs.get(asset.pk, 0)
        yield Mine(
            asset=asset,
            pilot=by_code.get(end["pilot"] or ""),
            lost=lost,
            left=0 if end["eliminated"] else max(0, clicks - int(end["clicks"])),
            clicks=clicks,
            fate="eliminated" if end["eliminated"] else "damaged" if lost else "unhurt",
            kills=int(end["kills"]),
            pilot_dead=bool(end["pilot_dead"]),
            price=price,
            is_too_dear=price > stable.capital,
            is_sold=asset.sold_at is not None,
            ahead=_ahead(stable, asset, prospect),
        )


def _ahead(stable: Stable, asset: Asset, prospect: _Prospect) -> str:
    """Return whether a unit may fight in the next match, and why not (R-CRP-07..09, R-CRP-13)."""
    if asset.sold_at is not None or prospect.next is None:
        return ""
    points_only = HouseRules.from_json(stable.season.rules.house_rules).points_only
    needed = None if points_only else prospect.next.match_class
    if class_problems(definition_of(stable.season, asset), needed):
        return _("It cannot fight in your next match, which is for another class.")
    window = prospect.window
    if asset.sits_out_round and (asset.sits_out_cycle, asset.sits_out_round) == window.pause:
        return _("It was eliminated and is repaired: it sits out your next match, and may fight again after it.")
    state = state_of(stable.season, asset)
    if state == UNDAMAGED:
        return _("It may fight in your next match, with all its clicks.")
    if state != ELIMINATED:
        if prospect.can_repair:
            return _("It may fight in your next match: repaired with all its clicks, otherwise with those it has left.")
        return _("It may fight in your next match, with the clicks it has left.")
    if not prospect.can_repair:
        return _("It cannot fight until it is repaired.")
    if must_sit_out(state, window.in_break):
        return _("Repaired now, it sits out your next match; not repaired, it cannot fight either.")
    return _("Repaired before the next cycle’s first match, it may fight in it; not repaired, it cannot.")


def _purse(cycle: Cycle, stable: Stable) -> Purse:
    placing = Placing.current().filter(cycle=cycle, stable=stable).first()
    count = cycle.started_with or len(entrants(stable.season, cycle.number))
    paid = [purse_at(cycle, stable, place, count) for place in (1, count)]
    closing: list[LedgerEntry] = []
    if placing is not None:
        posted = LedgerEntry.objects.filter(stable=stable, cause__in=CAUSES_OF_CLOSING).order_by("sequence")
        closing = list(_of_cycle(posted, f"cycle:{cycle.pk}:stable:{stable.pk}:purse"))
    return Purse(
        place=placing.place if placing else None,
        stones=placing.purse if placing else None,
        least=min(paid),
        most=max(paid),
        count=count,
        lines=tuple((words.ledger_sentence(entry.cause, entry.parameters), signed(entry.amount)) for entry in closing),
    )


def _of_cycle(posted: Iterable[LedgerEntry], purse_key: str) -> Iterator[LedgerEntry]:
    """Yield the entries of the cycle whose purse has this key: from the purse up to the next one."""
    is_own = False
    for entry in posted:
        if entry.cause == "purse":
            is_own = entry.idempotency_key == purse_key
        if is_own:
            yield entry
