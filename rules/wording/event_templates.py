"""The templates of events whose line depends on their kind, or on their kind and one field."""

from __future__ import annotations

from collections.abc import Mapping

from rules.core.messages import gettext_noop
from rules.wording.cards import EVENTS as CARD_EVENTS
from rules.wording.cards import SOURCES
from rules.wording.format_events import FLAG_AWARDS, FORMAT_BY_FIELD, FORMAT_TEMPLATES

TEMPLATES: Mapping[str, str] = {
    "match_started": gettext_noop("{format}: {sides}."),
    "setup_rolled": gettext_noop("{side} rolls {dice} = {total} for setup."),
    "first_side": gettext_noop("{side} is the first player."),
    "unit_placed": gettext_noop("{unit} starts in {hex}, facing {clock} o'clock."),
    "token_drawn": gettext_noop("{side} draws the target token {token}."),
    "token_placed": gettext_noop("The target token {token} lies in {hex}."),
    "token_counted": gettext_noop("Counted from corner {corner}: {across} across, {along} along."),
    "round_began": gettext_noop("Round {round} begins."),
    "phase_began": gettext_noop("Phase: {phase}."),
    "turn_order": gettext_noop("Turn order: {order}."),
    "turn_began": gettext_noop("It is the turn of {unit}."),
    "passed": gettext_noop("{unit} passes."),
    "order_given": gettext_noop("{unit} is given an order: {order}."),
    "equipment_cancelled": gettext_noop("{unit} does without: {equipment}."),
    "faced": gettext_noop("{unit} turns to {clock} o'clock."),
    "attack_rolled": gettext_noop("{unit} rolls {dice}."),
    "damage_noted": gettext_noop("{unit} marks {amount} damage."),
    "heat_noted": gettext_noop("{unit} marks {amount} heat."),
    "heat_die_cleared": gettext_noop("{unit} takes {amount} off its heat die."),
    "heat_dial_turned": gettext_noop("The heat dial of {unit} turns from {from} to {to}."),
    "shut_down": gettext_noop("{unit} shuts down."),
    "restarted": gettext_noop("{unit} restarts."),
    "pilot_unconscious": gettext_noop("The pilot of {unit} is knocked unconscious."),
    "pilot_revived": gettext_noop("The pilot of {unit} is conscious again."),
    "kill": gettext_noop("{side} gains {reputation} reputation: {by} has eliminated {unit}."),
    "surrendered": gettext_noop("{side} surrenders. Out of the arena: {units}."),
    "agreed": gettext_noop("{side} agrees to end the match."),
    "taken_back": gettext_noop("{side} takes a step back."),
    "time_up": gettext_noop("The time is up."),
    "tie_rolled": gettext_noop("{side} rolls {die} to break the tie."),
    **CARD_EVENTS,
    "special_attack": gettext_noop("{unit} makes a special attack on {target}: {attack}."),
    "pinned": gettext_noop("{unit} pins {target}."),
    # Translators: the unit stays where it is for the rest of the round
    "grounded": gettext_noop("{unit} cannot move this round."),
    "marked": gettext_noop("{target} is marked for ballistic fire until the combat phase ends."),
    "equipment_rolled": gettext_noop("{unit}, {equipment}: {die} rolled."),
    "repaired": gettext_noop("{by} repairs {unit}: its combat dial turns back from {from} to {to}."),
    **FORMAT_TEMPLATES,
}
"""Kind -> template, for every kind and value that BY_FIELD does not list."""

BY_FIELD: Mapping[str, tuple[str, Mapping[str, str]]] = {
    # An empty line: the next event says it.
    "order_given": (
        "order",
        {
            "move": "",
            "close": "",
            "ranged": "",
            "assault": "",
            "dig_in": gettext_noop("{unit} digs in."),
            "defend": gettext_noop("{unit} defends."),
            "dodge": gettext_noop("{unit} dodges."),
            "vent": gettext_noop("{unit} vents."),
            "charge": "",
            "death_from_above": "",
        },
    ),
    "token_rolled": (
        "direction",
        {
            "across": gettext_noop("{side} rolls {dice} = {total} for the hexes across."),
            "along": gettext_noop("{side} rolls {dice} = {total} for the hexes along."),
        },
    ),
    "source_chosen": ("from", SOURCES),
    "initiative_chosen": (
        "first",
        {
            "True": gettext_noop("{unit} rolled highest and chooses to go first."),
            "False": gettext_noop("{unit} rolled highest and goes last."),
        },
    ),
    "faced": (
        "cause",
        {
            "free_spin": gettext_noop("{unit} makes a free spin to {clock} o'clock."),
            "failed_break_away": gettext_noop("{unit} stays where it is and turns to {clock} o'clock."),
        },
    ),
    "break_away_rolled": (
        "success",
        {
            "True": gettext_noop("{unit} rolls {die} to break away, {needed} needed: it gets away."),
            "False": gettext_noop("{unit} rolls {die} to break away, {needed} needed: it is held."),
        },
    ),
    "targeted": (
        "indirect",
        {
            "True": gettext_noop("{unit} attacks {targets} by indirect fire: {value}."),
            "False": gettext_noop("{unit} attacks {targets}: {value}."),
        },
    ),
    "die_rerolled": (
        "die",
        {
            "2": gettext_noop("{unit} rolls its odd die again ({cause}): {to} instead of {from}."),
            "1": gettext_noop("{unit} rolls a die of the pair again ({cause}): {to} instead of {from}."),
            "0": gettext_noop("{unit} rolls a die of the pair again ({cause}): {to} instead of {from}."),
        },
    ),
    "special_attack": (
        "attack",
        {
            "charge": gettext_noop("{unit} charges {target}."),
            "pin": "",
            "death_from_above": gettext_noop("{unit} jumps on {target}: death from above."),
        },
    ),
    "second_roll": (
        "success",
        {
            "True": gettext_noop(
                "{target} has a Decoy: {unit} rolls again, {dice}, {result} against {defense}, and still hits."
            ),
            "False": gettext_noop(
                "{unit} would hit, but {target} has a Decoy: {unit} rolls again, {dice}, {result} against {defense}, "
                "and misses."
            ),
        },
    ),
    "damage_noted": (
        "cause",
        {
            "attack": "",
            "friendly_fire": "",
            "impact": "",
            "charge": gettext_noop("{unit} marks {amount} damage on itself for its charge."),
            "death_from_above": gettext_noop("{unit} marks {amount} damage on itself for its death from above."),
            "critical_miss": gettext_noop("{unit} marks {amount} damage on itself for the critical miss."),
            "single_use": gettext_noop("{unit} marks {amount} damage on itself for single-use equipment."),
            "explosion": gettext_noop("Ammunition explodes: {unit} marks {amount} damage."),
        },
    ),
    "heat_noted": (
        "cause",
        {
            "close": gettext_noop("{unit} marks {amount} heat for the attack."),
            "ranged": gettext_noop("{unit} marks {amount} heat for the attack."),
            "assault": gettext_noop("{unit} marks {amount} heat for the assault."),
            "dig_in": gettext_noop("{unit} marks {amount} heat for digging in."),
            "defend": gettext_noop("{unit} marks {amount} heat for defending."),
            "dodge": gettext_noop("{unit} marks {amount} heat for dodging."),
            "run": gettext_noop("{unit} marks {amount} heat for running."),
            "charge": gettext_noop("{unit} marks {amount} heat for its charge."),
            "energy_hit": gettext_noop("{unit} marks {amount} heat for the energy hit."),
        },
    ),
    "heat_die_cleared": ("cause", {"cleanup": ""}),
    "heat_dial_turned": (
        "cause",
        {
            "heat_die": gettext_noop("{unit} heats up from {from} to {to}."),
            "overload": gettext_noop("Heat sink overload: {unit} heats up from {from} to {to}."),
            "vent": gettext_noop("{unit} cools down by venting, from {from} to {to}."),
            "coolant_flush": gettext_noop("{unit} is cooled by a Coolant Flush, from {from} to {to}."),
            "alpha_strike": gettext_noop("Alpha Strike: the heat dial of {unit} turns from {from} to {to}."),
            "cooling": gettext_noop("{unit} cools down from {from} to {to}."),
        },
    ),
    "heat_effect_rolled": (
        "success",
        {
            "True": gettext_noop("{unit}, {effect}: {die} rolled, {needed} needed. Success."),
            "False": gettext_noop("{unit}, {effect}: {die} rolled, {needed} needed. Failure."),
        },
    ),
    "shut_down": (
        "cause",
        {
            "heat": gettext_noop("{unit} shuts down: its heat dial shows three radiation symbols."),
            "tsemp": gettext_noop("{unit} is shut down by the TSEMP."),
            "alpha_strike": gettext_noop("{unit} shuts down after its Alpha Strike."),
        },
    ),
    "restarted": ("cause", {"cooled": gettext_noop("{unit} restarts: its heat dial is back at the start.")}),
    "eliminated": (
        "by",
        {"None": gettext_noop("{unit} is eliminated."), "": gettext_noop("{unit} is eliminated by {by}.")},
    ),
    "token_destroyed": (
        "reputation",
        {
            "0": gettext_noop("{by} destroys the target token {token} ({method}): no reputation for {side}."),
            "": gettext_noop("{by} destroys the target token {token} ({method}): {reputation} reputation for {side}."),
        },
    ),
    "reputation": (
        "cause",
        {
            "surrender": gettext_noop("{side} loses {points} of its reputation by surrendering."),
            "opponent_surrendered": gettext_noop("{side} gains {points} reputation by the surrender."),
            **FLAG_AWARDS,
            "": gettext_noop("{side}: {change} reputation."),
        },
    ),
    "match_ended": (
        "tie_break",
        {
            "None": gettext_noop("{winner} wins the match: {ended_by}."),
            "total": gettext_noop(
                "{winner} wins the match: {ended_by}. Reputation was equal; the lower build total decided."
            ),
            "die": gettext_noop("{winner} wins the match: {ended_by}. Reputation was equal; a die decided."),
        },
    ),
    **FORMAT_BY_FIELD,
}
"""Kind -> a field and the template for each of its values. The key "" is for any other value; without it the kind's
own template serves. An empty template gives no line.
"""
