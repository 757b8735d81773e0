"""What market and garage answer an owner, in sentences: may the stable fight, how long, and what do repairs leave?"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from django.utils.translation import gettext

from rules.campaign.classes import TWO_UNIT_FORMATS, units_a_side
from rules.campaign.garage.repair import ELIMINATED
from rules.campaign.line_ups.checks import MatchTerms
from rules.campaign.market.advice import (
    Answer,
    RepairOutlook,
    Roster,
    can_field,
    can_fight,
    repair_outlook,
    survives_one_elimination,
)
from rules.campaign.market.baskets import Line
from rules.campaign.market.hire import hires_in_emergency
from rules.solaris.house_rules import HouseRules
from rules.wording import sentence
from rules.wording.isolation import name_of
from stables.models import Asset, Season, Stable
from stables.presenters.market.left_over import left_over
from stables.selectors.assets import cost_of_repair, gear_by_unit, holding_of, state_of
from stables.selectors.crews import ready_mark
from stables.selectors.windows import Window
from stables.services.garage.repairs import repair_costs
from stables.services.market.readiness import may_shop
from stables.text import names as words
from web.languages.reader import in_stones, translate


@dataclass(frozen=True)
class OutlookAnswer:
    """A question of the owner's, whether the answer is yes, and the answer in words."""

    question: str
    is_yes: bool
    answer: str
    badge: str = ""
    """The answer in a word or two where it is neither yes nor no; otherwise empty."""


@dataclass(frozen=True)
class Planned:
    """What a basket would buy now, in order, and the capital after it in Stones; only a sealed one is bought."""

    lines: tuple[Line, ...]
    capital_after: int
    is_sealed: bool


def planned_in(basket: Mapping[str, Any] | None) -> Planned | None:
    """Return the plan of a basket (stables.presenters.market.offers.basket_view); None if it would buy nothing."""
    bought = () if basket is None else tuple(one for one in basket["filled"] if not one.problems)
    if basket is None or not bought:
        return None
    is_sealed = basket["basket"].sealed_at is not None
    return Planned(tuple(one.line for one in bought), bought[-1].capital_after, is_sealed)


def outlook_answers(
    stable: Stable, window: Window, assets: Iterable[Asset], planned: Planned | None = None
) -> list[OutlookAnswer]:
    """Return the answers for the owner alone; [] while the stable is not between matches. No query.

    After the last match of a cycle there is only the one about repairs. A sealed basket counts as bought (O-S6). One
    that is not sealed does not; if it would make the stable able to fight, the answer says that it must be sealed.
    """
    if not window.is_between_matches or not window.match_class:
        return []
    own = [asset for asset in assets if asset.sold_at is None and asset.died_at is None]
    if not window.is_market or planned is None:
        return _answers(stable, window, own, stable.capital)
    then = [*own, *_bought(stable, own, planned)]
    if planned.is_sealed:
        answers = _answers(stable, window, then, planned.capital_after)
        counted = gettext("Your sealed basket is counted.")
        return [replace(one, answer=f"{one.answer} {counted}") for one in answers]
    answers = _answers(stable, window, own, stable.capital)
    first = answers[0]
    if not first.is_yes and _answers(stable, window, then, planned.capital_after)[0].is_yes:
        hint = gettext("What is in your basket would change that, but only a sealed basket is bought.")
        answers[0] = replace(first, answer=f"{first.answer} {hint}")
    return answers


@dataclass(frozen=True)
class CrewState:
    """Whether the stable has all crews of the coming match, and in a few words what is missing.

    `may_say_ready`: its owner may say now that they have finished with the market. `has_left_over`: something that they
    have stays out of the match as things stand.
    """

    is_complete: bool
    lack: str
    may_say_ready: bool
    has_left_over: bool


def crew_state(
    stable: Stable, window: Window, assets: Iterable[Asset], planned: Planned | None = None
) -> CrewState | None:
    """Return what the line with the Stones says of the crew; None while no market is open. At most three queries.

    A sealed basket counts as bought.
    """
    if not window.is_market or not window.match_class:
        return None
    own = [asset for asset in assets if asset.sold_at is None and asset.died_at is None]
    has_left_over = bool(left_over(stable.season, window.cycle, own))
    if planned is not None and planned.is_sealed:
        own += _bought(stable, own, planned)
    roster = _roster(stable, window, own, window.cycle, window.match_class, window.format)
    answer = can_field(roster, units_a_side(window.format))
    is_running = stable.season.state == Season.State.RUNNING
    is_asked = answer.is_yes and is_running and stable.ready_for != ready_mark(window.cycle)
    return CrewState(answer.is_yes, _lack_of(answer), is_asked and may_shop(stable), has_left_over)


def _lack_of(answer: Answer) -> str:
    lack = answer.reason
    if answer.is_yes or lack is None:
        return ""
    short = {
        "no_unit": gettext("a ’Mech and its pilot are missing."),
        "pilot_missing": gettext("a pilot is missing."),
        "one_crew_only": gettext("a second ’Mech with its pilot is missing."),
    }
    return short.get(lack.code) or sentence(lack.code, lack.parameters, translate)


def _bought(stable: Stable, own: Iterable[Asset], planned: Planned) -> list[Asset]:
    """Return what a basket would buy as assets that are not stored. Their ids are negative, so none is another's."""
    serials: dict[tuple[str, str], int] = {}
    for asset in own:
        ware = (asset.kind, asset.catalogue_key)
        serials[ware] = max(serials.get(ware, 0), asset.serial)
    found = []
    for number, line in enumerate(planned.lines, 1):
        serials[line.ware] = serials.get(line.ware, 0) + 1
        kind, key = line.ware
        name = name_of(line.definition)
        found.append(
            Asset(pk=-number, stable=stable, kind=kind, catalogue_key=key, name=name, serial=serials[line.ware])
        )
    return found


def _answers(stable: Stable, window: Window, listed: list[Asset], capital: int) -> list[OutlookAnswer]:
    labels = {asset.code: asset.label for asset in listed}
    lines = []
    if not window.is_market and window.in_break:
        return _of_repairs(stable, window, listed, capital)
    roster = _roster(stable, window, listed, window.cycle, window.match_class, window.format)
    size = units_a_side(window.format)
    lines.append(_of_team(gettext("Can the stable fight the coming match?"), can_fight(roster, size), labels))
    # After the only match of a cycle come its repairs and a market, and nobody sits out (R-CRP-09).
    if window.matches_left > 1 or (window.is_market and stable.season.rules.matches_per_cycle != 1):
        question = gettext("Could it still fight the match after one elimination?")
        lines.append(_of_team(question, survives_one_elimination(roster), labels))
    two = _next_of_two(stable, window)
    if two is not None:
        number, match_class, format_name = two
        values = {"format": words.word(words.FORMATS, format_name), "cycle": number}
        question = gettext("Two ’Mechs for the cycle of two a side (%(format)s, cycle %(cycle)s)?") % values
        then = _roster(stable, window, listed, number, match_class, format_name)
        lines.append(_of_team(question, can_field(then, 2), labels))
    lines += _of_repairs(stable, window, listed, capital)
    if hires_in_emergency(stable.season.rules) and not window.is_market and not lines[0].is_yes:
        question = gettext("Does an emergency hire help?")
        answer = gettext("A common pilot can be hired between matches when nothing but a pilot is missing.")
        lines.append(OutlookAnswer(question, True, answer))
    return lines


def _roster(
    stable: Stable, window: Window, assets: list[Asset], cycle: int, match_class: str, format_name: str
) -> Roster:
    season = stable.season
    round_number = window.next_round if cycle == window.cycle else 1
    holding = holding_of(season, assets, cycle=cycle, round_number=round_number)
    house_rules = HouseRules.from_json(season.rules.house_rules)
    terms = MatchTerms(match_class, format_name, house_rules)
    # Before the first match of a later cycle there is a break (R-CRP-09).
    return Roster(
        tuple(holding.units.values()),
        tuple(holding.pilots.values()),
        terms,
        pilots_die=house_rules.pilot_death,
        sits_out_repaired=cycle == window.cycle and not window.in_break,
    )


def _next_of_two(stable: Stable, window: Window) -> tuple[int, str, str] | None:
    """Return number, class and format of the next later cycle with two units a side; None without one."""
    rules = stable.season.rules
    for number, format_name in enumerate(rules.cycles, 1):
        if number > window.cycle and format_name in TWO_UNIT_FORMATS:
            return number, rules.class_of(number), format_name
    return None


def _of_team(question: str, answer: Answer, labels: dict[str, str]) -> OutlookAnswer:
    why = "" if answer.reason is None else sentence(answer.reason.code, answer.reason.parameters, translate)
    if not answer.is_yes:
        return OutlookAnswer(question, False, why)
    names = [
        labels.get(crew.unit, crew.unit) + (f" + {labels.get(crew.pilot, crew.pilot)}" if crew.pilot else "")
        for crew in answer.team
    ]
    said = gettext("With %(crews)s.") % {"crews": "; ".join(names)}
    return OutlookAnswer(question, True, f"{said} {why}".strip())


def _of_repairs(stable: Stable, window: Window, assets: list[Asset], capital: int) -> list[OutlookAnswer]:
    if not any(asset.kind == Asset.Kind.UNIT for asset in assets):
        # Who has no ’Mech has none to lose.
        return []
    outlook = outlook_of(stable, window, assets, capital)
    values = {"now": in_stones(outlook.now), "worst": in_stones(outlook.worst), "left": in_stones(abs(outlook.left))}
    repairs = gettext("Repairs cost %(now)s now.") if outlook.now else gettext("Nothing to repair.")
    if outlook.left >= 0:
        loss = gettext("If you lose your most expensive ’Mech next match (%(worst)s), you still have %(left)s.")
    else:
        loss = gettext(
            "If you lose your most expensive ’Mech next match (%(worst)s), you are short by %(left)s "
            "(R-CRP-02). Keep that much, or sell what you do not need."
        )
    answer = f"{repairs} {loss}"
    badge = gettext("enough") if outlook.left >= 0 else gettext("too little")
    question = gettext("What is left for repairs in the worst case?")
    return [OutlookAnswer(question, outlook.left >= 0, answer % values, badge)]


def outlook_of(stable: Stable, window: Window, assets: list[Asset], capital: int) -> RepairOutlook:
    """Return what repairs cost now and in the worst case, and what they leave of `capital` Stones; no query."""
    season = stable.season
    units = [asset for asset in assets if asset.kind == Asset.Kind.UNIT]
    gear = gear_by_unit(assets)
    costs = repair_costs(stable, assets)
    return repair_outlook(
        capital,
        {unit.code: state_of(season, unit) for unit in units},
        {unit.code: costs.get(unit.pk, 0) for unit in units},
        {unit.code: cost_of_repair(season, unit, gear.get(unit.pk, ()), ELIMINATED) for unit in units},
        units_a_side(window.format),
    )
