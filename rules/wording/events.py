"""One line for each event of a match, such as a reader follows a match by.

A kind has one template, or one for each value of a field (mostly its cause), or a function where the line depends on
more. Placeholders are the event's fields, ids and words already named.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from rules.competition.pilots import REVIVE_AT
from rules.wording.attacks import called, listed
from rules.wording.cards import EVENTS as CARD_EVENTS
from rules.wording.cards import SOURCES
from rules.wording.filling import Translate, fill, gettext_noop, identity, joined, shown, signed
from rules.wording.vocabulary import name

SILENT_KINDS = frozenset({"turn_over", "set_up", "set_scene"})
"""Kinds that tell a reader nothing: their line is empty."""

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
    "equipment_cancelled": gettext_noop("{unit} does without {equipment}."),
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
    "time_up": gettext_noop("The time is up."),
    "tie_rolled": gettext_noop("{side} rolls {die} to break the tie."),
    **CARD_EVENTS,
}
"""Kind -> template, where none below fits better."""

BY_FIELD: Mapping[str, tuple[str, Mapping[str, str]]] = {
    # What the next event tells has no line here.
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
            "True": gettext_noop("{unit} attacks {targets} by indirect fire with its {value}."),
            "False": gettext_noop("{unit} attacks {targets} with its {value}."),
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
    "damage_noted": (
        "cause",
        {
            "attack": "",
            "friendly_fire": "",
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
            "cooling": gettext_noop("{unit} cools down from {from} to {to}."),
        },
    ),
    "heat_effect_rolled": (
        "success",
        {
            "True": gettext_noop("{unit} rolls {die} for {effect}, {needed} needed: success."),
            "False": gettext_noop("{unit} rolls {die} for {effect}, {needed} needed: failure."),
        },
    ),
    "shut_down": (
        "cause",
        {"heat": gettext_noop("{unit} shuts down: its heat dial shows three radiation symbols.")},
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
            "": gettext_noop("{side}: {change} reputation."),
        },
    ),
    "match_ended": (
        "tie_break",
        {
            "None": gettext_noop("{winner} wins the match: {ended_by}."),
            "": gettext_noop("{winner} wins the match: {ended_by}. Reputation was equal; decided by the {tie_break}."),
        },
    ),
}
"""Kind -> a field and the template for each of its values; "" for any other value, else the kind's own template."""

WALKED: Mapping[str, tuple[str, str]] = {
    "walk": (
        gettext_noop("{unit} walks 1 hex to {hex}, facing {clock} o'clock."),
        gettext_noop("{unit} walks {count} hexes to {hex}, facing {clock} o'clock."),
    ),
    "run": (
        gettext_noop("{unit} runs 1 hex to {hex}, facing {clock} o'clock."),
        gettext_noop("{unit} runs {count} hexes to {hex}, facing {clock} o'clock."),
    ),
    "jump": (
        gettext_noop("{unit} jumps 1 hex to {hex}, facing {clock} o'clock."),
        gettext_noop("{unit} jumps {count} hexes to {hex}, facing {clock} o'clock."),
    ),
    "assault": (
        gettext_noop("{unit} assaults: 1 hex to {hex}, facing {clock} o'clock."),
        gettext_noop("{unit} assaults: {count} hexes to {hex}, facing {clock} o'clock."),
    ),
}
"""Mode of movement -> for one hex, for several."""

MOVED = gettext_noop("{unit} moves to {hex}, facing {clock} o'clock.")
TURNED = gettext_noop("{unit} stays in {hex} and turns to {clock} o'clock.")
ASSAULTS_FROM_HERE = gettext_noop("{unit} assaults from {hex}, facing {clock} o'clock.")
INITIATIVE = gettext_noop("{unit} rolls {dice} = {total} for initiative.")
INITIATIVE_MODIFIED = gettext_noop("{unit} rolls {dice}, with {modifiers}: {total} for initiative.")
REVIVE: Mapping[bool, str] = {
    True: gettext_noop("The pilot of {unit} tries to wake, {needed} needed: {dice}, success."),
    False: gettext_noop("The pilot of {unit} tries to wake, {needed} needed: {dice}, failure."),
}
HITS = gettext_noop("{unit} hits {hit}.")
MISSES = gettext_noop("{unit} misses {missed}.")
MISSES_ALL = gettext_noop("{unit} misses.")
HITS_AND_MISSES = gettext_noop("{unit} hits {hit} and misses {missed}.")
CRITICALLY_HITS = gettext_noop("Critical hit! {unit} hits {hit}.")
CRITICALLY_MISSES = gettext_noop("Critical miss! {unit} misses {missed}.")
COMPARED = gettext_noop("{target} ({result} against {defense})")
NO_DAMAGE = gettext_noop("No damage is scored on {target}.")
DAMAGE = gettext_noop("{target} is dealt {dealt} damage.")
DAMAGE_REDUCED = gettext_noop("{target} is dealt {dealt} damage: {scored} scored, {reductions}.")
FRIENDLY_FIRE = gettext_noop("Friendly fire: {target} is dealt {dealt} damage.")
DIAL: Mapping[bool, tuple[str, str]] = {
    False: (
        gettext_noop("The combat dial of {unit} turns 1 click ({to} from the start)."),
        gettext_noop("The combat dial of {unit} turns {count} clicks ({to} from the start)."),
    ),
    True: (
        gettext_noop("Ammunition explodes: the combat dial of {unit} turns 1 click ({to} from the start)."),
        gettext_noop("Ammunition explodes: the combat dial of {unit} turns {count} clicks ({to} from the start)."),
    ),
}
"""Whether an explosion turns it -> for one click, for several."""

UNKNOWN_KIND = gettext_noop("{kind}: {parameters}.")
UNKNOWN_KIND_ALONE = gettext_noop("{kind}.")

Names = Mapping[str, str]
Values = dict[str, Any]


def event_sentence(event: Mapping[str, Any], names: Names, translate: Translate = identity) -> str:
    """One line for an event of `rules.competition.events`.

    `names` maps ids of units, sides, pilots and tokens to display names; others are shown as they are. Empty for the
    SILENT_KINDS and for what the next event tells. Never raises: an unknown kind shows its name and parameters.
    """
    kind = str(event.get("event", ""))
    if kind in SILENT_KINDS:
        return ""
    values = _values(event, names, translate)
    if kind in _SPECIAL:
        template = _SPECIAL[kind](event, values, names, translate)
    else:
        template = _template(kind, event)
    return fill(translate(template), values) if template else ""


def _template(kind: str, event: Mapping[str, Any]) -> str:
    field, choices = BY_FIELD.get(kind, ("", {}))
    value = str(event.get(field))
    if value in choices:
        return choices[value]
    return choices.get("") or TEMPLATES.get(kind) or _unknown(event)


def _unknown(event: Mapping[str, Any]) -> str:
    return UNKNOWN_KIND if any(field not in ("event", "see", "why") for field in event) else UNKNOWN_KIND_ALONE


def _values(event: Mapping[str, Any], names: Names, translate: Translate) -> Values:
    """The fields with ids and words named, and what several templates derive from them."""
    values: Values = {field: _named(value, names, translate) for field, value in event.items()}
    values["kind"] = name(str(event.get("event", "")), translate)
    values["parameters"] = ", ".join(
        f"{name(field, translate)} {shown(values.get(field, value))}"
        for field, value in event.items()
        if field not in ("event", "see", "why")
    )
    if "facing" in event:
        values["clock"] = 12 if event["facing"] == 0 else event["facing"]
    if isinstance(event.get("dice"), (list, tuple)):
        values["dice"] = " + ".join(shown(die) for die in event["dice"])
    amount = _whole(event.get("amount"))
    values["points"], values["change"] = abs(amount), signed(amount)
    return values


def _named(value: Any, names: Names, translate: Translate) -> Any:
    if isinstance(value, str):
        return called(value, names, translate)
    if isinstance(value, (list, tuple)):
        return joined([shown(_named(part, names, translate)) for part in value], translate)
    return value


def _whole(value: Any) -> int:
    return value if isinstance(value, int) else 0


def _moved(event: Mapping[str, Any], values: Values, names: Names, translate: Translate) -> str:
    path, mode = event.get("path"), event.get("mode")
    values["count"] = len(path) if isinstance(path, (list, tuple)) else 0
    if not values["count"]:
        return ASSAULTS_FROM_HERE if mode == "assault" else TURNED
    one, several = WALKED.get(str(mode), (MOVED, MOVED))
    return one if values["count"] == 1 else several


def _initiative(event: Mapping[str, Any], values: Values, names: Names, translate: Translate) -> str:
    values["modifiers"] = listed(event.get("modifiers"), {}, names, translate)
    return INITIATIVE_MODIFIED if values["modifiers"] else INITIATIVE


def _revive(event: Mapping[str, Any], values: Values, names: Names, translate: Translate) -> str:
    modifier = _whole(event.get("modifier"))
    values["needed"] = REVIVE_AT
    values["dice"] = f"{shown(event.get('die'))} {signed(modifier)}" if modifier else shown(event.get("die"))
    return REVIVE[bool(event.get("success"))]


def _resolved(event: Mapping[str, Any], values: Values, names: Names, translate: Translate) -> str:
    why = event.get("why")
    found = why.get("targets", {}) if isinstance(why, Mapping) else {}
    hit = [str(target) for target in event.get("hit") or ()]
    missed = [target for target in found if target not in hit]
    critical = event.get("critical")

    def compared(target: str) -> str:
        label = names.get(target, target)
        if critical or target not in found:
            return label
        return fill(translate(COMPARED), {**found[target], "target": label})

    values["hit"] = joined([compared(target) for target in hit], translate)
    values["missed"] = joined([compared(target) for target in missed], translate)
    if critical == "hit":
        return CRITICALLY_HITS
    if critical == "miss" and missed:
        return CRITICALLY_MISSES
    if hit:
        return HITS_AND_MISSES if missed else HITS
    return MISSES if missed else MISSES_ALL


def _scored(event: Mapping[str, Any], values: Values, names: Names, translate: Translate) -> str:
    why = event.get("why")
    why = why if isinstance(why, Mapping) else {}
    if not event.get("scored"):
        return NO_DAMAGE
    if event.get("scored") != event.get("dealt"):
        amounts = {found.get("name"): found.get("amount", 0) for found in why.get("reductions") or ()}
        values["reductions"] = listed(amounts, {}, names, translate)
        return DAMAGE_REDUCED
    return FRIENDLY_FIRE if why.get("cause") == "friendly_fire" else DAMAGE


def _dial(event: Mapping[str, Any], values: Values, names: Names, translate: Translate) -> str:
    values["count"] = _whole(event.get("to")) - _whole(event.get("from"))
    one, several = DIAL[event.get("cause") == "explosion"]
    return one if values["count"] == 1 else several


_SPECIAL: Mapping[str, Callable[[Mapping[str, Any], Values, Names, Translate], str]] = {
    "moved": _moved,
    "initiative_rolled": _initiative,
    "revive_rolled": _revive,
    "attack_resolved": _resolved,
    "damage_scored": _scored,
    "dial_turned": _dial,
}
"""Kinds whose template depends on more than one field; each may add to the values."""


def worded_kinds() -> frozenset[str]:
    """Every kind that has words of its own."""
    return frozenset({*TEMPLATES, *BY_FIELD, *_SPECIAL})
