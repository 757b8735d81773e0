"""The effects of another result for a settled match: on records, dials, repairs, the dead, places and purses.

Pairings, purchases and later matches never change. Other modules call `change`. A preview calls it and rolls back, so
that it shows exactly what a correction does.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from django.db.models import Min

from matches.models import Match
from matches.signals import result_corrected
from rules.campaign.garage.repair import state_of_unit
from rules.campaign.results.corrections import (
    FOUGHT,
    KEPT,
    REFUND,
    Line,
    Wear,
    changes_of_record,
    cost_in_same_bracket,
    dead_pilots,
    effect_on_unit,
    purse_changes,
    refund_due,
    stables_of,
    take_back,
)
from rules.core.digits import whole_number
from stables.models import Asset, Crew, Cycle, Fixture, LedgerEntry, Placing, Result, Stable
from stables.selectors.definitions import definition_of
from stables.services.base.ledger import Movement, lock_stable, post
from stables.services.results import result_books
from stables.services.results.placings import places_of

Document = dict[str, Any]
REPAIR_CAUSES = ("repair", "compulsory_repair")


@dataclass
class Change:
    """A result that is being replaced, and its effects so far, line by line, as stables.text.results reads them.

    `number` is that of the correction; the keys of all movements contain it.
    """

    fixture: Fixture
    result: Result
    stables: Mapping[int, Stable]
    number: int
    now: datetime
    effects: list[Document] = field(default_factory=list)

    assets: Mapping[Line, Asset] = field(default_factory=dict)

    def tell(self, what: str, line: Line, **values: Any) -> None:
        """Add an effect on a stable or one of its individuals, with their present names."""
        names = {"stable_name": self.stables[line[0]].name}
        if line[1]:
            names["name"] = self.assets[line].label
        self.effects.append({"what": what, "stable": line[0], "individual": line[1], **names, **values})

    @property
    def key(self) -> str:
        return f"result:{self.result.pk}:correction:{self.number}"


def change(
    fixture: Fixture,
    result: Result,
    stables: Mapping[int, Stable],
    document: Document,
    kind: str,
    *,
    reason: str,
    user: Any,
    now: datetime,
    tell_more: Callable[[Change], None] = lambda made: None,
) -> Change:
    """Replace a result by a document, with all effects, and return them; `tell_more` may add effects to them.

    Call it in a transaction with round, fixture and `stables` locked. `stables` are those of the fixture, by number.
    Once the cycle is closed they are all stables of the season, and season and cycle are locked too.
    """
    held = result.current
    fighters = {*stables_of(held), *stables_of(document)}
    assets = result_books.assets_of(stables[number] for number in sorted(fighters))
    made = Change(fixture, result, stables, result_books.number_of_next(result), now, assets=assets)
    _records(made, assets, held, document)
    _units(made, assets, held, document)
    _dead(made, assets, held, document)
    _places(made, document)
    tell_more(made)
    result_books.write_correction(result, made.number, document, kind, reason=reason, user=user, effects=made.effects)
    if fixture.match_id is not None:
        result_corrected.send(sender=Match, match_id=fixture.match_id)
    return made


def _records(made: Change, assets: Mapping[Line, Asset], held: Document, document: Document) -> None:
    """Write the difference in reputation, kills, wins and matches, as new entries of the book."""
    changes = changes_of_record(held, document)
    for line, deeds in changes.items():
        for what in ("reputation", "kills", "wins", "matches"):
            if getattr(deeds, what):
                made.tell(what, line, amount=getattr(deeds, what))
    causes = dict.fromkeys(made.stables, "correction")
    result_books.enter(made.fixture, made.stables, assets, changes, made.number, causes)


def _units(made: Change, assets: Mapping[Line, Asset], held: Document, document: Document) -> None:
    """Turn the dials of units whose damage differs, and refund repairs that cost less by the new result.

    The damage of a repaired unit, of one that has fought since, and of a sold one stays.
    """
    differing = {
        line: (before, after) for line, (before, after) in _wear_of_both(held, document).items() if before != after
    }
    units = {assets[line].pk: assets[line] for line in differing}
    repairs = _first_repairs(made, units)
    fights = dict(
        Crew.objects.filter(unit__in=list(units), line_up__sealed_at__gt=made.result.settled_at)
        .exclude(line_up__side__fixture=made.fixture)
        .order_by()
        .values("unit")
        .annotate(first=Min("line_up__sealed_at"))
        .values_list("unit", "first")
    )
    for line, (before, after) in differing.items():
        unit = assets[line]
        paid, fight = repairs.get(unit.pk), fights.get(unit.pk)
        is_repaired = paid is not None and (fight is None or paid.created_at <= fight)
        effect = effect_on_unit(is_repaired, fight is not None, unit.sold_at is not None)
        if effect in (FOUGHT, KEPT):
            made.tell("damage_stays", line, why=effect)
        elif effect == REFUND and paid is not None:
            _refund(made, line, unit, paid, before, after)
        else:
            unit.damage, unit.is_eliminated = after.clicks, after.eliminated
            unit.save(update_fields=["damage", "is_eliminated"])
            made.tell("damage", line, before=_worn(before), after=_worn(after))


def _worn(wear: Wear) -> Document:
    return {"clicks": wear.clicks, "eliminated": wear.eliminated}


def _wear_of_both(held: Document, document: Document) -> dict[Line, tuple[Wear, Wear]]:
    """Return the damage that each unit has after the old and after the new result.

    A unit that only one of the results names keeps by the other the damage that it brought into the match.
    """

    def left_by(unit_result: Document, unit: Document) -> Wear:
        return (
            Wear(int(unit_result["clicks"]), bool(unit_result["eliminated"]))
            if unit_result
            else Wear(int(unit.get("before", 0)))
        )

    found = {}
    for name in sorted({*held["units"], *document["units"]}):
        old, new = held["units"].get(name, {}), document["units"].get(name, {})
        unit = new or old
        found[int(unit["stable"]), str(unit["asset"])] = (left_by(old, unit), left_by(new, unit))
    return found


def _first_repairs(made: Change, units: Mapping[int, Asset]) -> dict[int, LedgerEntry]:
    """Return the ledger entry of each unit's first repair since the result was settled, by the unit's id.

    One query; none without units.
    """
    found: dict[int, LedgerEntry] = {}
    if units:
        stables = {unit.stable_id for unit in units.values()}
        since = LedgerEntry.objects.filter(
            stable__in=stables, cause__in=REPAIR_CAUSES, created_at__gte=made.result.settled_at
        )
        for entry in since.order_by("stable", "sequence"):
            # The key of a repair names the unit: "asset:12:repair:...".
            number = whole_number(entry.idempotency_key.split(":")[1])
            if number is not None and number in units:
                found.setdefault(number, entry)
    return found


def _refund(made: Change, line: Line, unit: Asset, paid: LedgerEntry, before: Wear, after: Wear) -> None:
    """Refund what the repair cost too much by the new result, or take back the refund of an earlier correction.

    A unit that is not eliminated any more does not sit out a match either.
    """
    definition = definition_of(made.fixture.round.cycle.season, unit)
    state = str(paid.parameters.get("state", ""))

    def due(wear: Wear) -> int:
        now = state_of_unit(definition, wear.clicks, wear.eliminated)
        return refund_due(-paid.amount, cost_in_same_bracket(-paid.amount, state, now))

    amount = due(after) - due(before)
    if before.eliminated and not after.eliminated and unit.sits_out_cycle is not None:
        unit.sits_out_cycle = unit.sits_out_round = None
        unit.save(update_fields=["sits_out_cycle", "sits_out_round"])
    if amount:
        made.tell("repair_refund", line, amount=amount)
        _move(made, line[0], amount, "repair_refund", f"asset:{unit.pk}", {"name": unit.label})
    else:
        made.tell("damage_stays", line, why=REFUND)


def _dead(made: Change, assets: Mapping[Line, Asset], held: Document, document: Document) -> None:
    were, are = dead_pilots(held), dead_pilots(document)
    for line in result_books.revive(assets, were - are):
        made.tell("revival", line)
    for line in result_books.bury(made.fixture, made.stables, assets, are - were, made.now):
        made.tell("death", line)


def _places(made: Change, document: Document) -> None:
    """Write new places for closed cycles whose places the result changes, and post the differences of the purses."""
    cycle = made.fixture.round.cycle
    touched = Cycle.objects.filter(season=cycle.season, state=Cycle.State.CLOSED, number__gte=cycle.number)
    if cycle.season.rules.purse_rank_by != "total_reputation":
        touched = touched.filter(number=cycle.number)
    for closed in touched.order_by("number"):
        closed.season = cycle.season
        melee = document if closed.pk == cycle.pk else None
        held = list(Placing.current().filter(cycle=closed).select_related("stable").order_by("place"))
        if not held:  # a dropped cycle has no places
            continue
        places = places_of(closed, closed.placings_revision + 1, melee)
        if [_figures(placing) for placing in held] == [_figures(placing) for placing in places]:
            continue
        Placing.objects.bulk_create(places)
        closed.placings_revision += 1
        closed.save(update_fields=["placings_revision"])
        was = {placing.stable.number: placing for placing in held}
        for placing in places:
            number = placing.stable.number
            if was[number].place != placing.place:
                made.tell("place", (number, ""), cycle=closed.number, before=was[number].place, after=placing.place)
        purses = purse_changes(_purses(held), _purses(places))
        for number, amount in purses.items():
            made.tell("purse", (number, ""), cycle=closed.number, amount=amount)
            _move(made, number, amount, "purse_corrected", f"purse:{closed.number}", {"cycle": closed.number})


def _figures(placing: Placing) -> tuple[Any, ...]:
    return (
        placing.stable_id,
        placing.place,
        placing.reputation,
        placing.kills,
        placing.wins,
        placing.matches,
        placing.decided_by,
        placing.purse,
    )


def _purses(placings: Iterable[Placing]) -> dict[int, int]:
    return {placing.stable.number: placing.purse for placing in placings}


def _move(made: Change, number: int, amount: int, cause: str, what: str, parameters: Document) -> None:
    """Post Stones to a stable. If a negative amount is more than its capital, it owes the rest."""
    stable = made.stables[number]
    key = f"{made.key}:{what}:stable:{stable.pk}"
    if amount > 0:
        post(stable_id=stable.pk, movements=[Movement(amount, cause, key, parameters)])
        return
    taking = take_back(lock_stable(stable.pk).capital, -amount)
    if taking.taken:
        post(stable_id=stable.pk, movements=[Movement(-taking.taken, cause, key, parameters)])
    if taking.owed:
        now_owed = lock_stable(stable.pk)
        now_owed.owed += taking.owed
        now_owed.save(update_fields=["owed"])
        made.tell("owed", (number, ""), amount=taking.owed)
