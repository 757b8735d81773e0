"""Coded reasons why an answer to an open decision is good or bad, from what is visible on a possible table."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from rules.bots.advice.attacks import AnyAsked, Asked, own_attack, reasons_of_attack
from rules.bots.advice.heat import heat_of_order, reasons_of_heat, reasons_of_vent
from rules.bots.advice.places import place_of, reasons_of_move, reasons_of_spin, reasons_of_staying
from rules.bots.advice.reactions import SMALL, reasons_of_digging_in
from rules.bots.advice.reason import Reason, percent
from rules.bots.advice.threats import reasons_of_threat
from rules.competition.match import Match
from rules.competition.state.match_state import Choice
from rules.core.equipment import bits_of

MOVING = ("assault", "charge", "death_from_above")
"""Orders that attack and may end in another hex."""

KINDS = {
    **dict.fromkeys(("hits", "hits_for", "hits_by_die"), "chance"),
    **dict.fromkeys(
        ("hit_destroys", "hit_may_destroy", "share_could_destroy", "falls_anyway", "leaves_clicks", "token_brings"),
        "fall",
    ),
    **dict.fromkeys(("heat_adds", "heat_effect_shows", "heat_weakens"), "heat"),
}
"""Code -> kind, for reasons that come once for each target or consequence; any other code is its own kind."""

BEHIND_A_CHANCE = ("counts_for", "counts_against", "armor_takes")
"""Codes of reasons that only explain the numbers of other reasons."""


def explain(match: Match, choice: Choice) -> list[Reason]:
    """Return the reasons for and against a legal choice for the open decision.

    `match` is a possible match, which holds no secrets from the asked side. Nothing is played and no dice are rolled.
    """
    assert match.table.open is not None
    kind, unit, data = match.table.open
    asked: AnyAsked = Asked(match, unit, data, choice, match.action_of(choice))
    if kind.name == "free_spin":
        return reasons_of_spin(asked)
    if kind.name in SMALL:
        return SMALL[kind.name](asked)
    return _of_order(asked, kind.name)


def foremost(found: Sequence[Reason], most: int) -> list[Reason]:
    """Return the `most` most important reasons, in their order.

    The first reason of each kind is the most important, then the second of each kind, and so on. Reasons that only
    explain numbers come last.
    """
    counts = Counter[str]()
    ranks = []
    for place, reason in enumerate(found):
        kind = KINDS.get(reason.code, reason.code)
        ranks.append((reason.code in BEHIND_A_CHANCE, counts[kind], place))
        counts[kind] += 1
    return [found[place] for place in sorted(place for *_, place in sorted(ranks)[:most])]


def _of_order(asked: AnyAsked, kind: str) -> list[Reason]:
    """Return the reasons for and against an order, in any of the three phases in which units take turns."""
    order = str(asked.action["order"])
    table, unit = asked.table, asked.unit
    runs, cancelled = bool(asked.action.get("run")), bits_of(asked.action.get("cancel", ()))
    heat = reasons_of_heat(table, unit, heat_of_order(table, unit, order, runs, cancelled))
    if order == "move":
        return reasons_of_move(asked) + heat
    if order == "pass":
        return reasons_of_staying(asked) if kind == "move" else _of_passing(asked, kind)
    if order == "vent":
        return reasons_of_vent(table, unit) + _forgone(asked)
    if order == "dig_in":
        return reasons_of_digging_in(asked)
    if order == "pin":
        return [Reason("pins", {"target": asked.action["targets"][0]})]
    found = reasons_of_attack(asked)
    if order in MOVING:
        found += reasons_of_threat(table, unit, *place_of(asked))
    return found + heat


def _of_passing(asked: AnyAsked, kind: str) -> list[Reason]:
    """Return what the unit forgoes or gains by passing."""
    table, unit = asked.table, asked.unit
    if kind == "special":
        return [Reason("acts_later")]
    found = _forgone(asked) or [Reason("no_attack_from_here")]
    if table.position.heat[unit] and not table.was_ordered(unit):
        found.append(Reason("rest_cools"))
    return found


def _forgone(asked: AnyAsked) -> list[Reason]:
    own = own_attack(asked.table, asked.unit)
    if own is None:
        return []
    return [Reason("forgoes_attack", {"target": own.target, "chance": percent(own.chance)})]
