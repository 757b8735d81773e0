"""What a deed of the Challenge is called, and a few words that say one before it has become lines of the book."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from rules.challenge.entries import Entry
from rules.challenge.state import Event
from rules.challenge.worth import Worth
from rules.core.messages import gettext_noop, ngettext_noop, pgettext_noop
from rules.wording import challenge_words as words
from rules.wording.filling import joined, say
from rules.wording.language import Translate, identity

DEEDS: Mapping[str, str] = {
    # On the board.
    "enter": gettext_noop("Enters the arena"),
    "damage": gettext_noop("Damage"),
    "sustained": gettext_noop("Damage taken in one phase"),
    "head_hit": gettext_noop("Head hit"),
    "critical": gettext_noop("Critical hit"),
    "blown_off": gettext_noop("Limb or head blown off"),
    "melee": gettext_noop("Physical attack"),
    "melee_weapon": gettext_noop("Melee weapon"),
    "charge": pgettext_noop("Challenge", "Charge"),
    "death_from_above": gettext_noop("Death from above"),
    "secondary_target": gettext_noop("Secondary targets"),
    "rear_attack": gettext_noop("Attack from behind"),
    "knocked_out": gettext_noop("Pilot knocked out"),
    "crowd": gettext_noop("The crowd goes wild"),
    "standing_after_50": gettext_noop("Standing after 50 points"),
    "cripple": gettext_noop("Cripple"),
    "kill": pgettext_noop("Challenge", "Kill"),
    "turret": gettext_noop("Turret destroyed"),
    "eject": gettext_noop("Ejection"),
    "exit": gettext_noop("Leaves the arena"),
    "wound": gettext_noop("Wound"),
    "death": gettext_noop("Death"),
    "unconscious": gettext_noop("Unconscious"),
    "edge": gettext_noop("Edge card spent"),
    "token": gettext_noop("Ability used"),
    "conscious": gettext_noop("Conscious again"),
    "noted": gettext_noop("Note"),
    "overrun": gettext_noop("Movement over a minute"),
    "turret_search": gettext_noop("Turret searches"),
    "turret_damage": gettext_noop("Turret hit"),
    "tank_damage": gettext_noop("Storage tank hit"),
    "minefield": gettext_noop("Minefield"),
    "bet": gettext_noop("Bet"),
    "settle_bet": gettext_noop("Bet settled"),
    "give": gettext_noop("Given or taken by the GM"),
    "stage": gettext_noop("Stage of the tournament"),
    "new_pilot": gettext_noop("New pilot"),
    "approve": gettext_noop("Pilot approved"),
    "sheets_in": gettext_noop("Sheets handed in"),
    "forfeit": gettext_noop("Forfeit"),
    "initiative": gettext_noop("Initiative"),
    "rebar": gettext_noop("Rebar"),
    "end_turn": gettext_noop("End of the turn"),
    "end_day": gettext_noop("End of the day"),
    # Off the board.
    "cash_chips": gettext_noop("Cash chips"),
    "verify_sponsors": gettext_noop("The sponsors look"),
    "favour": gettext_noop("Favour for a sponsor"),
    "deposit": gettext_noop("Deposit for the team"),
    "team_up": gettext_noop("Joins a team"),
    "join_team_sponsor": gettext_noop("Sponsor for the team"),
    "split": gettext_noop("The team breaks up"),
    "drop_sponsor": gettext_noop("Leaves a sponsor"),
    "drop_stable": gettext_noop("Leaves the stable"),
    "repair": gettext_noop("Repair"),
    "heal": gettext_noop("Healing"),
    "replace_weapon": gettext_noop("Roll for a Clan weapon"),
    "sell": gettext_noop("Sale of the 'Mech"),
    "give_back": gettext_noop("'Mech given back"),
    "join_sponsor": gettext_noop("Signs with a sponsor"),
    "join_stable": gettext_noop("Joins a stable"),
    "buy_ability": gettext_noop("Ability"),
    "buy_edge": gettext_noop("Edge cards"),
    "declare_house": gettext_noop("House declared"),
    "change_house": gettext_noop("House changed"),
    "verify_stable": gettext_noop("The stable looks"),
    "buy_mech": gettext_noop("Purchase of a 'Mech"),
    "buy_back": gettext_noop("'Mech bought back"),
    "loan": gettext_noop("Loan"),
    "repay": gettext_noop("Repayment"),
    "lend": gettext_noop("Loan to a stablemate"),
    "special_ammunition": gettext_noop("Special ammunition"),
    "customise": gettext_noop("Change of the 'Mech"),
    "prison_roll": gettext_noop("Roll of Solaris Prison"),
    "approve_cycle": gettext_noop("Off-board cycle approved"),
}

AT = gettext_noop("at {pilot}")
POINTS = ngettext_noop("{points} point", "{points} points", "points")
ONE_PLACE = gettext_noop("all in one location")
MISSED = gettext_noop("missed")

Naming = Callable[[Event, Any, Translate], str]

FACTS: Mapping[str, Naming] = {
    "points": lambda state, value, translate: say(POINTS, {"points": value}, translate),
    "band": lambda state, value, translate: say(POINTS, {"points": translate(words.BANDS[value])}, translate),
    "one_location": lambda state, value, translate: translate(ONE_PLACE) if value else "",
    "hit": lambda state, value, translate: "" if value else translate(MISSED),
    "part": lambda state, value, translate: translate(words.CRITICALS.get(value, value)),
    "method": lambda state, value, translate: translate(words.METHODS.get(value, value)),
    "mode": lambda state, value, translate: translate(words.REPAIR_MODES.get(value, value)),
    "ability": words.ability_name,
    "stable": words.member_name,
    "sponsor": words.member_name,
    "with": words.member_name,
    "house": words.house_name,
    "mech": lambda state, value, translate: words.mech_name(state, value),
    "to": lambda state, value, translate: words.pilot_called(state, value),
    "amount": lambda state, value, translate: words.worth_words(Worth(c_bills=value), translate),
    "c_bills": lambda state, value, translate: words.worth_words(Worth(c_bills=value), translate),
    "fame": lambda state, value, translate: words.worth_words(Worth(fame=value), translate) if value else "",
    "cp": lambda state, value, translate: words.worth_words(Worth(cp=value), translate) if value else "",
    "cards": lambda state, value, translate: str(value),
    "wounds": lambda state, value, translate: str(value),
    "ammunition": lambda state, value, translate: words.ammunition_name(value, translate),
    "choice": lambda state, value, translate: str(value),
    "on": lambda state, value, translate: str(value),
    "team": lambda state, value, translate: str(value),
    "portal": lambda state, value, translate: str(value),
    "reason": lambda state, value, translate: words.reason_words(value, translate),
}
"""The facts of a deed that are said, and how; others stay out."""


def deed_name(what: str, translate: Translate = identity) -> str:
    """Return what a kind of entry is called."""
    return translate(DEEDS[what]) if what in DEEDS else what.replace("_", " ")


def deed_words(state: Event, entry: Entry, translate: Translate = identity) -> str:
    """Return a deed in a few words, as `Damage: at Jo (7) and 25 points`. Who did it is left out."""
    facts = [naming(state, entry.facts[name], translate) for name, naming in FACTS.items() if name in entry.facts]
    if entry.at is not None and entry.at not in entry.by:
        facts.insert(0, say(AT, {"pilot": words.pilot_called(state, entry.at)}, translate))
    said = joined([fact for fact in facts if fact], translate)
    return f"{deed_name(entry.what, translate)}: {said}" if said else deed_name(entry.what, translate)
