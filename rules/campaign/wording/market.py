"""The sentences of the refusals of market and garage; part of rules.campaign.wording.refusals."""

from __future__ import annotations

from collections.abc import Mapping

from rules.core.messages import gettext_noop

SENTENCES: Mapping[str, str] = {
    "basket_empty": gettext_noop("The basket is empty, so there is nothing to seal. Put something into it first."),
    "basket_no_advice": gettext_noop(
        "The advice has nothing to buy that fits into your basket now. Look at what is in it, or at the advice."
    ),
    "basket_not_sealed": gettext_noop(
        "The basket was not sealed when the market closed, so nothing of it was bought. Say next time that you are "
        "ready: that seals it."
    ),
    "basket_not_valid": gettext_noop(
        "Line {line} of your basket cannot be bought: {problem}. Take it out, or seal the basket as it is; then this "
        "line is skipped."
    ),
    "basket_sealed": gettext_noop("The basket is sealed. Break the seal to change it; it can be sealed again."),
    "basket_too_long": gettext_noop("A basket has {most} lines at most. Take something out of it first."),
    "gear_locked": gettext_noop(
        "{name} is on {unit}, which is eliminated: it can neither be moved nor sold before that unit is repaired "
        "({rule})."
    ),
    "no_crew_for_match": gettext_noop(
        "The stable has nobody for the coming match, not even with its basket: {problem}. It forfeits every match of "
        "the cycle that it cannot play: its opponent gets {others} reputation, it gets {pays}."
    ),
    "no_crew_suggested": gettext_noop(
        "No crew can be suggested: the stable has one already, or one needs a sale, a repair or more Stones first. The "
        "advice in the market says which."
    ),
    "no_emergency": gettext_noop(
        "Between matches a common pilot can be hired only by a stable that cannot field anybody for want of a pilot, "
        "and only one who would end that. The market opens again when this cycle is closed ({rule})."
    ),
    "no_reserve": gettext_noop(
        "If {name} is eliminated, nothing able is left for the next match: it sits that out even when it is repaired. "
        "A second ’Mech of the class with a pilot of its own helps ({rule})."
    ),
    "no_unit": gettext_noop("The stable has no ’Mech of this class: {needed}. Buy one in the market ({rule})."),
    "one_crew_only": gettext_noop(
        "The stable can field one ’Mech with a pilot and a match takes {needed}. It may fight alone; a second ’Mech "
        "and a second pilot help ({rule})."
    ),
    "only_salvage": gettext_noop(
        "{name} shows Salvage: it may be fielded and need not be. Repair it to have an able ’Mech ({rule})."
    ),
    "pilot_died": gettext_noop(
        "{name} died in this stable’s service and cannot be bought again in this season. Choose another pilot ({rule})."
    ),
    "repair_too_late": gettext_noop(
        "{name} is eliminated, and even if it is repaired now it sits out the coming match ({rule})."
    ),
    "repairs_ended": gettext_noop(
        "Gear was swapped since the last match, and that ends the repairs until the next pause. {name} can be repaired "
        "after the next match ({rule})."
    ),
    "repairs_would_end": gettext_noop(
        "Moving gear ends the repairs until the next pause, and these are damaged: {units}. Repair them first, or "
        "confirm that they stay as they are ({rule})."
    ),
    "swaps_closed": gettext_noop(
        "Gear and pilots change places between matches: after a result is settled and before the next line-up is "
        "handed in ({rule})."
    ),
    "swaps_wait_for_repairs": gettext_noop(
        "The cycle’s last match is over: gear stays where it is until the cycle is closed and its repairs are made. It "
        "can be moved when the market opens ({rule})."
    ),
    "too_many_assets": gettext_noop(
        "A stable has {most} ’Mechs at most, and as many pilots, pieces of gear and rally cards. Sell something of the "
        "kind first."
    ),
    "unique_by_basket": gettext_noop(
        "In this season every Unique is there once, so {name} is bought by a sealed basket only. Put it into yours "
        "({rule})."
    ),
    "unique_lost_by_die": gettext_noop(
        "Several baskets wanted {name} and a die decided: {rolls} against {best}. Another stable has it now ({rule})."
    ),
    "unique_taken": gettext_noop(
        "In this season every Unique is there once, and another stable has {name}. It is free again when that stable "
        "sells it ({rule})."
    ),
}
"""Code -> template with {name} placeholders."""
