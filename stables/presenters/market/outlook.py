"""What market and garage answer an owner, in sentences: may the stable fight, how long, and what do repairs leave?"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext

from rules.campaign.classes import TWO_UNIT_FORMATS, units_a_side
from rules.campaign.garage.repair import ELIMINATED
from rules.campaign.market.advice import (
    Answer,
    RepairOutlook,
    Roster,
    can_field,
    repair_outlook,
    survives_one_elimination,
)
from rules.campaign.market.hire import hires_in_emergency
from rules.wording import sentence
from stables.models import Asset, Stable
from stables.selectors.assets import cost_of_repair, gear_by_unit, state_of
from stables.selectors.crews import Ware, roster_of, with_wares
from stables.selectors.windows import Window
from stables.services.garage.repairs import repair_costs
from stables.text import names as words


@dataclass(frozen=True)
class OutlookAnswer:
    """A question of the owner's, whether the answer is yes, and the answer in words."""

    question: str
    is_yes: bool
    answer: str
    badge: str = ""
    """The answer in a word or two where it is neither yes nor no; otherwise empty."""


def outlook_answers(
    stable: Stable, window: Window, assets: Iterable[Asset], bought: Sequence[Ware] = ()
) -> list[OutlookAnswer]:
    """Return the answers for the owner alone; [] while the stable is not between matches. No query.

    After the last match of a cycle there is only the one about repairs. `bought` is what the stable's sealed basket
    buys: the first answer counts it, the others do not.
    """
    if not window.is_between_matches or not window.match_class:
        return []
    listed = [asset for asset in assets if asset.sold_at is None and asset.died_at is None]
    labels = {asset.code: asset.label for asset in listed}
    lines = []
    if not window.is_market and window.in_break:
        return [_of_repairs(stable, window, listed)]
    roster = _roster(stable, window, listed, window.cycle, window.match_class, window.format)
    size = units_a_side(window.format)
    lines.append(_of_coming_match(roster, size, bought, labels))
    if window.is_market or window.matches_left > 1:
        question = gettext("Could it still fight the match after one elimination?")
        lines.append(_of_team(question, survives_one_elimination(roster), labels))
    two = _next_of_two(stable, window)
    if two is not None:
        number, match_class, format_name = two
        values = {"format": words.word(words.FORMATS, format_name), "cycle": number}
        question = gettext("Two ’Mechs for the cycle of two a side (%(format)s, cycle %(cycle)s)?") % values
        then = _roster(stable, window, listed, number, match_class, format_name)
        lines.append(_of_team(question, can_field(then, 2), labels))
    lines.append(_of_repairs(stable, window, listed))
    if hires_in_emergency(stable.season.rules) and not window.is_market and not lines[0].is_yes:
        question = gettext("Does an emergency hire help?")
        answer = gettext("A common pilot can be hired between matches when nothing but a pilot is missing.")
        lines.append(OutlookAnswer(question, True, answer))
    return lines


def _roster(
    stable: Stable, window: Window, assets: list[Asset], cycle: int, match_class: str, format_name: str
) -> Roster:
    return roster_of(
        stable.season,
        assets,
        cycle=cycle,
        round_number=window.next_round if cycle == window.cycle else 1,
        match_class=match_class,
        format_name=format_name,
        # Before the first match of a later cycle there is a break (R-CRP-09).
        sits_out_repaired=cycle == window.cycle and not window.in_break,
    )


def _next_of_two(stable: Stable, window: Window) -> tuple[int, str, str] | None:
    """Return number, class and format of the next later cycle with two units a side; None without one."""
    rules = stable.season.rules
    for number, format_name in enumerate(rules.cycles, 1):
        if number > window.cycle and format_name in TWO_UNIT_FORMATS:
            return number, rules.class_of(number), format_name
    return None


def _of_coming_match(roster: Roster, size: int, bought: Sequence[Ware], labels: Mapping[str, str]) -> OutlookAnswer:
    question, answer = gettext("Can the stable fight the coming match?"), can_field(roster, size)
    then = answer if answer.is_yes else can_field(with_wares(roster, bought), size)
    if answer.is_yes or not then.is_yes:
        return _of_team(question, answer, labels)
    new = {f"new:{number}": str(entry["name"]) for number, (_, entry) in enumerate(bought, 1)}
    text = gettext("With %(crews)s, once your sealed basket is bought.")
    return OutlookAnswer(question, True, text % {"crews": _crews(then, {**labels, **new})})


def _of_team(question: str, answer: Answer, labels: Mapping[str, str]) -> OutlookAnswer:
    if answer.reason is not None:
        return OutlookAnswer(question, False, sentence(answer.reason.code, answer.reason.parameters, gettext))
    return OutlookAnswer(question, True, gettext("With %(crews)s.") % {"crews": _crews(answer, labels)})


def _crews(answer: Answer, labels: Mapping[str, str]) -> str:
    return "; ".join(
        labels.get(crew.unit, crew.unit) + (f" + {labels.get(crew.pilot, crew.pilot)}" if crew.pilot else "")
        for crew in answer.team
    )


def _of_repairs(stable: Stable, window: Window, assets: list[Asset]) -> OutlookAnswer:
    outlook = outlook_of(stable, window, assets)
    values: dict[str, Any] = {"now": outlook.now, "worst": outlook.worst, "left": abs(outlook.left)}
    if outlook.left >= 0:
        answer = gettext(
            "Repairs cost %(now)s Stones now, and the dearest loss of the next match %(worst)s more: %(left)s are left."
        )
    else:
        answer = gettext(
            "Repairs cost %(now)s Stones now, and the dearest loss of the next match %(worst)s more: %(left)s are "
            "missing (R-CRP-02). Keep that much, or sell what you do not need."
        )
    badge = gettext("enough") if outlook.left >= 0 else gettext("too little")
    return OutlookAnswer(
        gettext("What is left for repairs in the worst case?"), outlook.left >= 0, answer % values, badge
    )


def outlook_of(stable: Stable, window: Window, assets: list[Asset]) -> RepairOutlook:
    """Return what repairs cost now and in the worst case, and what they leave of the capital; no query."""
    season = stable.season
    units = [asset for asset in assets if asset.kind == Asset.Kind.UNIT]
    gear = gear_by_unit(assets)
    costs = repair_costs(stable, assets)
    return repair_outlook(
        stable.capital,
        {unit.code: state_of(season, unit) for unit in units},
        {unit.code: costs.get(unit.pk, 0) for unit in units},
        {unit.code: cost_of_repair(season, unit, gear.get(unit.pk, ()), ELIMINATED) for unit in units},
        units_a_side(window.format),
    )
