"""The closed list of refusal codes and the sentence of each.

A sentence says what is not possible and why, and the way out if there is one. Placeholders are the parameters of the
refusal.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from rules.campaign.wording.refusals import AMOUNTS, MOMENTS
from rules.campaign.wording.refusals import SENTENCES as CAMPAIGN_SENTENCES
from rules.campaign.wording.states import MODES, SEASONS, STATES_OF
from rules.catalogue.wording import IMPORTS
from rules.catalogue.wording import SENTENCES as CATALOGUE_SENTENCES
from rules.challenge.wording import SENTENCES as CHALLENGE_SENTENCES
from rules.core.messages import gettext_noop, ngettext_noop
from rules.wording.accounts import REFUSALS as ACCOUNT_CODES
from rules.wording.after_match import REFUSALS as AFTER_MATCH_CODES
from rules.wording.cards import REFUSALS as CARD_CODES
from rules.wording.filling import beginning, fitting, form_of, say
from rules.wording.language import Stones, Translate, identity
from rules.wording.season_documents import REFUSALS as DOCUMENT_CODES
from rules.wording.vocabulary import NAMES, name

REFUSAL_CODES: Mapping[str, str] = {
    # Whose decision it is.
    "match_over": gettext_noop("The match is over; nothing more can be done in it."),
    "not_your_decision": gettext_noop("It is not the turn of {unit}. The game waits for: {expected}."),
    "other_decision": gettext_noop("The game does not wait for this ({given}) now but for: {expected}."),
    "agreed_already": gettext_noop("{side} has agreed to end the match already (R-END-04)."),
    "side_is_out": gettext_noop("The player of {unit} has no unit left in the arena."),
    "order_not_now": gettext_noop("This order is not possible in this phase: {order} ({phase})."),
    # Cards, and seasons as documents.
    **AFTER_MATCH_CODES,
    **CARD_CODES,
    **DOCUMENT_CODES,
    # Before the first round, and target tokens.
    "not_a_start": gettext_noop("{hex} is not a free starting hex. Choose one of the marked hexes of your area."),
    "token_not_here": gettext_noop(
        "The first target token cannot be placed in {hex}. It goes to one of the hexes in the middle (R-TGT-05)."
    ),
    "token_not_a_corner": gettext_noop(
        "{hex} is not a corner of the arena. A new target token is counted from a corner hex (R-TGT-12)."
    ),
    # Moving.
    "path_not_adjacent": gettext_noop(
        "{to} is not beside {from} (R-MOV-02). A path enters one neighbouring hex after another."
    ),
    "path_must_stop": gettext_noop("The unit meets an opponent in {hex} and must end its move there (R-MOV-11)."),
    "path_blocked": gettext_noop(
        "{hex} is blocking terrain and cannot be entered (R-MOV-08). Walk around it or jump over it."
    ),
    "path_occupied": gettext_noop(
        "{hex} is taken and cannot be walked through (R-MOV-13). Walk around it or jump over it."
    ),
    "path_abrupt": gettext_noop(
        "{hex} is abrupt elevated terrain and cannot be entered from {from} (R-TER-19). Come from elevated terrain, "
        "or jump."
    ),
    "path_ends_blocked": gettext_noop("A jump cannot end in {hex}: it is blocking terrain (R-SEM-04)."),
    "path_ends_occupied": gettext_noop("A jump cannot end in {hex}: it is taken (R-MOV-13)."),
    "path_too_long": gettext_noop(
        "The path costs {cost} and the unit has {speed} to spend (R-MOV-10). Choose a shorter path."
    ),
    "no_jump_jets": gettext_noop("{unit} has no working Jump Jets and cannot jump (R-SEM-04)."),
    "run_engine_overheat": gettext_noop(
        "{unit} cannot run while its heat dial shows Engine Overheat (R-HEF-10). Let it cool first."
    ),
    "cannot_cancel": gettext_noop(
        "{unit} cannot do without {equipment}: it is not at work now, or it is not optional (R-SEG-08)."
    ),
    # Orders of the combat phase.
    "order_already_given": gettext_noop(
        "{unit} has its combat order already (R-CMB-02). Under it, it may make a close or ranged attack, or pass."
    ),
    "only_move_or_vent": gettext_noop("{unit} can only move, vent or pass now (R-CMB-09)."),
    "dig_in_after_move": gettext_noop("{unit} had a move order this round and cannot dig in (R-DIG-01)."),
    "dig_in_after_target": gettext_noop(
        "{unit} was a target already this round and cannot dig in any more (R-DIG-03)."
    ),
    "assault_in_contact": gettext_noop(
        "{unit} is in base contact with an opponent and cannot assault (R-ASL-01). Attack the opponent in close combat."
    ),
    # Targets and attacks.
    "target_self": gettext_noop("{target} cannot attack itself (R-ATK-08)."),
    "target_friend": gettext_noop("{target} is on your own side (R-ATK-07)."),
    "target_gone": gettext_noop("{target} is not in the arena."),
    "target_twice": gettext_noop("A target can be named only once in an attack (R-MUL-03)."),
    "too_many_targets": gettext_noop("{count} targets are too many: this attack can have {limit} at most (R-MUL-01)."),
    "close_needs_primary_or_melee": gettext_noop(
        "Close combat uses the primary damage value or a melee value that works; the value chosen ({value}) is "
        "neither (R-CLO-05)."
    ),
    "not_in_base_contact": gettext_noop(
        "{target} is not in base contact; close combat needs a neighbouring hex (R-CLO-02)."
    ),
    "abrupt_out_of_reach": gettext_noop(
        "{target} stands on abrupt elevated terrain and cannot be reached in close combat from the ground (R-TER-20)."
    ),
    "not_in_front_arc": gettext_noop("{target} is not in the front arc (R-FAC-08). Turn to face it first."),
    "melee_has_no_range": gettext_noop("A melee value cannot be used in ranged combat: {value} (R-GEN-10)."),
    "value_jammed": gettext_noop(
        "Not to be used in ranged combat now: {value}. The heat dial shows Ammunition Jam or Weapons Offline there "
        "(R-HEF-04, R-HEF-07)."
    ),
    "out_of_range": gettext_noop(
        "{target} is at range {range}; this weapon reaches from {minimum} to {maximum} (R-LOF-02)."
    ),
    "split_sum": gettext_noop(
        "The shares add up to {sum}; exactly {damage} damage must be divided. A share may be 0 (R-MUL-07)."
    ),
    "split_to_missed": gettext_noop("{target} was not hit and cannot be given a share of the damage (R-MUL-07)."),
    # Special attacks.
    "cannot_charge": gettext_noop(
        "{unit} cannot charge: it needs an attack value above 0, the run option, and no opponent in base contact "
        "(R-CHG-03)."
    ),
    "cannot_death_from_above": gettext_noop(
        "{unit} cannot make a death from above: it needs working Jump Jets, an attack value above 0, no Salvage, and "
        "no opponent in base contact (R-DFA-02)."
    ),
    "target_acts_before": gettext_noop(
        "{target} acts before the attacker. Charges and deaths from above strike units that act later (R-CHG-02)."
    ),
    "must_end_in_contact": gettext_noop("The move must end in base contact with {target} (R-CHG-07)."),
    "special_needs_unit": gettext_noop(
        "{target} is not an opposing unit, and special attacks strike no other (R-CHG-15)."
    ),
    "pin_needs_contact": gettext_noop(
        "{unit} cannot pin {target}: they must have been in base contact when the round began, and be so now "
        "(R-PIN-01)."
    ),
    # Special equipment.
    "missiles_not_here": gettext_noop(
        "Streak Missiles cannot be fired at {target}: it is shut down or has Electronic Camouflage. Do without them, "
        "and the attack is a plain one (R-SED-05)."
    ),
    "missiles_fly_direct": gettext_noop(
        "Nothing blocks Streak Missiles, so {target} cannot be fired at indirectly (R-IND-01). Fire directly, or do "
        "without them."
    ),
    "target_shuns_indirect": gettext_noop("{target} has Electronic Camouflage and ignores indirect fire (R-SEM-05)."),
    "repair_near_opponent": gettext_noop(
        "{target} cannot be repaired: neither unit may be in base contact with an opponent (R-SEA-02)."
    ),
    "nothing_to_repair": gettext_noop(
        "{target} cannot be repaired now: it shows its start marker or a black repair marker (R-GEN-05)."
    ),
    "flush_needs_friend": gettext_noop(
        "A Coolant Flush needs another unit of your side in the arena; {target} is none (R-SEA-01)."
    ),
    "flush_near_opponent": gettext_noop(
        "{target} is in base contact with an opponent, so its heat cannot be flushed (R-SEA-01)."
    ),
    # Lines of fire.
    "line_blocked": gettext_noop(
        "No line of fire to {target} is open (R-LOF-10). Move to see it, or use indirect fire with a ballistic weapon."
    ),
    "line_blocked_by_units": gettext_noop(
        "The line from {from} to {to} passes between two units and is blocked (R-LOF-11)."
    ),
    "line_to_adjacent": gettext_noop("{target} is in a neighbouring hex; no line is drawn to it (R-LOF-07)."),
    "line_starts_elsewhere": gettext_noop(
        "The line begins at {corner}, which is not a corner of the attacker's hex {hex} (R-LOF-03)."
    ),
    "line_ends_elsewhere": gettext_noop(
        "The line ends at {corner}, which is not a corner of the target's hex {hex} (R-LOF-03)."
    ),
    "line_not_connected": gettext_noop(
        "No hex edge leads from {from} to {to} (R-LOF-03). A line runs along hex edges."
    ),
    "line_not_shortest": ngettext_noop(
        "The line is {length} edge long; a line of fire to this target has {range} (R-LOF-05).",
        "The line is {length} edges long; a line of fire to this target has {range} (R-LOF-05).",
        "length",
    ),
    "direct_line_open": gettext_noop(
        "A direct line of fire to {target} is open, so indirect fire is not allowed. Fire directly (R-IND-01)."
    ),
    "indirect_needs_ballistic": gettext_noop("Indirect fire needs a ballistic damage value (R-IND-06)."),
    "indirect_needs_range": gettext_noop("Indirect fire needs a weapon whose maximum range is more than 0 (R-IND-04)."),
    "indirect_needs_attack_value": gettext_noop("Indirect fire needs an attack value above 0 (R-IND-07)."),
    "indirect_in_contact": gettext_noop("A unit in base contact with an opponent cannot fire indirectly (R-IND-05)."),
    "indirect_near_friend": gettext_noop(
        "{target} is in base contact with another unit of your side and cannot be fired at indirectly (R-IND-03)."
    ),
    "indirect_single_target": gettext_noop("Indirect fire has exactly one target (R-IND-02)."),
    # Formats.
    "no_ranged_attacks": gettext_noop("{format}: no ranged orders and no ranged attacks (R-FMT-06)."),
    "target_waits": gettext_noop("{target} waits for its partner and cannot be attacked (R-FMT-11)."),
    "not_the_partner": gettext_noop("{unit} does not wait to be changed in; {partner} does (R-FMT-09)."),
    "flag_tried_already": gettext_noop("For each flag in {hex} there is one try in a move (R-FMT-15)."),
    "flag_must_drop": gettext_noop("{unit} has lost its flag and must say where it falls (R-FMT-18)."),
    "flag_not_here": gettext_noop("The flag cannot be put down in {hex} (R-FMT-17)."),
    # What cannot be read: actions.
    "bad_action": gettext_noop("This is not an action of the game ({problem})."),
    "bad_field": gettext_noop("The field “{field}” cannot be {value}."),
    "unknown_field": gettext_noop("The field “{field}” does not belong to this action."),
    "unknown_unit": gettext_noop("There is no unit called {unit} in this match."),
    "unknown_target": gettext_noop("There is no unit or target token called {target} in this match."),
    "unknown_hex": gettext_noop("The arena has no hex called {hex}."),
    "unknown_corner": gettext_noop("{corner} is not a corner of the map. A corner is written like 0607@3."),
    "unknown_equipment": gettext_noop("There is no special equipment called {key}."),
    # What cannot be read: setups, definitions, stored matches.
    "unknown_schema": gettext_noop("Version {schema} of this document cannot be read by this version of the game."),
    "bad_setup": gettext_noop("The setup of the match cannot be read. {field}: {problem}."),
    "bad_unit": gettext_noop("The unit {unit} cannot be read. Click {click}, {field}: {problem}."),
    "unit_without_dial": gettext_noop("{name} has no dial here. It plays at a real table only."),
    "bad_pilot": gettext_noop("The pilot {pilot} cannot be read. {field}: {problem}."),
    "bad_gear": gettext_noop("The gear {gear} cannot be read. {field}: {problem}."),
    "bad_rally_card": gettext_noop("The rally card {card} cannot be read. {field}: {problem}."),
    "unknown_ability": gettext_noop("There is no ability called {ability} (pilot {pilot})."),
    "unknown_rally_effect": gettext_noop("There is no effect called {effect} (rally card {card})."),
    "bad_token": gettext_noop("The target token {token} cannot be read. {field}: {problem}."),
    "bad_event": gettext_noop("An event of the kind {event} cannot be read ({problem})."),
    "bad_replay": gettext_noop("This is not a replay that can be checked ({problem})."),
    "unknown_format": gettext_noop("There is no match format called {format}."),
    "format_sides": gettext_noop("{format}: {least} to {most} sides play it, not {count}."),
    "format_units": gettext_noop("{format}: a side has {least} to {most} units; {side} has {count}."),
    "format_ground": gettext_noop("{format}: more than {most} sides need the ground of four maps (R-FMT-21)."),
    "format_starts": gettext_noop("{format}: it needs {needed} starting hexes marked {area}; this arena has {count}."),
    "ground_needs_four_maps": gettext_noop("The large ground is made of four maps of the common size."),
    "unknown_house_rule": gettext_noop("There is no house rule called {key}."),
    "bad_house_rule": gettext_noop("The house rule {key} cannot be {value}."),
    "arena_malformed": gettext_noop("The arena cannot be read: {field} is missing or of the wrong form."),
    "arena_size": gettext_noop("An arena has 2 to 99 columns and rows, not {columns} by {rows}."),
    "unknown_terrain": gettext_noop("There is no terrain called {terrain} (hex {hex})."),
    "unknown_bot": gettext_noop("There is no computer player called {name} here; known are {known}."),
    # Matches on the site.
    "stale_action": gettext_noop("The match has gone on since you looked. Look at the board again, then decide."),
    "not_your_unit": gettext_noop("{unit} is not a unit of your side."),
    "others_decide": gettext_noop("It is not your turn: the match waits for {side}."),
    "not_built_in": gettext_noop("The catalogue that comes with the game has nothing called {key}."),
    "wished_class_differs": gettext_noop("This ’Mech is of another class. Choose no class, or another ’Mech."),
    "wished_pilot_differs": gettext_noop("This pilot cannot sit in a ’Mech of this class."),
    "bad_standing_answer": gettext_noop("The standing answer “{field}” is none that can be read."),
    "seat_open": gettext_noop("A seat of this match is free: it begins when somebody has taken it, or the AI."),
    "seat_taken": gettext_noop("No seat of this match is free any more: somebody was faster."),
    "time_not_run_out": gettext_noop("The time of that side has not run out three times, or it does not decide now."),
    "bad_json": gettext_noop("The request is not JSON that can be read."),
    # Advice and steps back.
    "advice_against_people": gettext_noop(
        "There is advice in matches against the AI alone, and somebody else plays in this one, or owns the other "
        "stable."
    ),
    "back_against_people": gettext_noop(
        "A step is taken back in matches against the AI alone, and somebody else plays in this one, or owns the other "
        "stable."
    ),
    "nothing_to_take_back": gettext_noop(
        "You cannot take back so much ({answers}): dice fell or something hidden was shown since."
    ),
    "taken_back_too_often": gettext_noop(
        "At most {most} steps back are taken in a match, and that many were taken in this one."
    ),
    "no_advice": gettext_noop("The adviser found no answer this time. Decide without it, or ask again later."),
    # Seasons opened on the site, and line-ups handed in there.
    "season_name_missing": gettext_noop("A season needs a name of 1 to {longest} characters that can be seen."),
    "ai_stables_out_of_range": gettext_noop("A season opens with 0 to {largest} stables run by the AI, not {stables}."),
    "too_many_seasons_recruiting": gettext_noop(
        "You have {seasons} seasons that are recruiting. Start one of them before you open another."
    ),
    "too_many_seasons_running": gettext_noop(
        "You have {seasons} running seasons. Finish or cancel one of them before you start another."
    ),
    "token_twice": gettext_noop(
        "The target token {token} can be brought only once (Q-123). Choose three different ones."
    ),
    **ACCOUNT_CODES,
}
"""Every code of the engine (core, solaris, competition, bots), matches, accounts, jobs, studies, documents."""

VARIANTS: Mapping[str, str] = {
    "line_blocked": gettext_noop("The line runs along blocking terrain between {from} and {to} (R-LOF-10)."),
    "bad_field": gettext_noop("The field “{field}” is missing or cannot be read."),
    "bad_unit": gettext_noop("The unit {unit} cannot be read. {field}: {problem}."),
    "bad_action": gettext_noop("An action has one of these fields, and only one: {fields}."),
    "bad_replay": gettext_noop("This is not a replay that can be checked: line {line} cannot be read."),
}
"""Second sentences of codes that another module raises with other parameters."""

POSITION_PROBLEMS: Mapping[str, str] = {
    "hex_is_rock": gettext_noop("{hex} is blocking terrain; nothing can stand there."),
    "hex_is_taken": gettext_noop("{hex} is taken by {other}."),
}
"""What may be wrong with a position that is set up by hand, apart from the problems of definitions."""

_ROOMS = (REFUSAL_CODES, VARIANTS, POSITION_PROBLEMS, CAMPAIGN_SENTENCES, CATALOGUE_SENTENCES, CHALLENGE_SENTENCES)

_WORDS = frozenset(
    {
        "class",
        "effect",
        "equipment",
        "expected",
        "format",
        "given",
        "kind",
        "means",
        "needed",
        "order",
        "phase",
        "place",
    }
    | {"thing"}
)
"""Parameters that are words of the vocabulary; all others are ids, numbers and names, or repeat what was sent."""

_VALUES_ARE_WORDS = frozenset(
    {"close_needs_primary_or_melee", "equipment_wrong_value", "heat_effect_wrong_value", "melee_has_no_range"}
    | {"value_jammed", "value_rises"}
)
"""Codes whose `value` is a word of the vocabulary too."""

_STATES_IN: Mapping[str, Mapping[str, str]] = {**STATES_OF, "draft_not_open": IMPORTS}

UNKNOWN_CODE = gettext_noop("This is not possible ({code}).")


def all_codes() -> list[str]:
    """Return every code with a sentence, sorted."""
    return sorted({code for room in _ROOMS for code in room})


def templates(code: str) -> Iterator[str]:
    """Yield the templates of a code, those of the engine first; nothing for an unknown code."""
    for room in _ROOMS:
        if code in room:
            yield room[code]


def sentence(
    code: str,
    parameters: Mapping[str, Any],
    translate: Translate = identity,
    names: Mapping[str, str] | None = None,
) -> str:
    """Return what a refusal says to a player. It never raises.

    `names` maps ids of units, sides and tokens to display names. A code with several templates takes the first whose
    placeholders are all given. A missing parameter shows an ellipsis, an unknown code a general sentence with the code.

    >>> sentence("card_not_in_hand", {"card": "R-001", "unit": "red"}, names={"red": "Hatchetman"})
    'The rally card R-001 is not in the hand that Hatchetman may use (R-RAL-01).'
    """
    found = list(templates(code))
    if not found:
        return say(UNKNOWN_CODE, {"code": code}, translate)
    template = fitting(found, parameters)
    words = _WORDS | {"value"} if code in _VALUES_ARE_WORDS else _WORDS
    values = {
        key: _worded(value, key if key in words else "", names or {}, translate) for key, value in parameters.items()
    }
    for key in AMOUNTS.get(code, ()):
        if isinstance(values.get(key), int):
            values[key] = Stones(values[key])
    for key in MOMENTS.intersection(parameters) if code in CAMPAIGN_SENTENCES else ():
        if isinstance(parameters[key], str):
            # A time begins with the name of its day, which many languages write small.
            begins = form_of(template, values, translate).startswith(f"{{{key}}}")
            moment = translate.moment(parameters[key])
            values[key] = beginning(moment) if begins else moment
    state, mode = parameters.get("state"), parameters.get("mode")
    if isinstance(state, str):
        values["state"] = _of(_STATES_IN.get(code, SEASONS), state, translate)
    if isinstance(mode, str):
        values["mode"] = _of(MODES, mode, translate)
    problem = parameters.get("problem")
    if isinstance(problem, str) and any(problem in room for room in _ROOMS):
        inside = {key: value for key, value in parameters.items() if key != "problem"}
        values["problem"] = sentence(problem, inside, translate, names).rstrip(".")
    return say(template, values, translate)


def _of(table: Mapping[str, str], key: str, translate: Translate) -> str:
    """Return the word of a key in its table, and a key without one as it is."""
    return translate(table[key]) if key in table else key


def _worded(value: Any, word_of: str, names: Mapping[str, str], translate: Translate) -> Any:
    """Return the display name of an id, the name of a word of the vocabulary, and any other value unchanged.

    `word_of` is the parameter if its value may be a word, else "".
    """
    if not isinstance(value, str):
        return value
    if value in names:
        return names[value]
    return name(value, translate, word_of) if word_of and value in NAMES else value
