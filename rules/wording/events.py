"""One line for each event of a match, so that a reader can follow the match.

A kind has one template, or one for each value of a field (mostly its cause), or a function if the line depends on
more. Placeholders are the event's fields, with ids and words already replaced by names.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from rules.competition.units.revivals import REVIVE_AT
from rules.core.messages import Message, gettext_noop, ngettext_noop
from rules.wording.attacks import called, listed
from rules.wording.event_templates import BY_FIELD, TEMPLATES
from rules.wording.filling import joined, say, shown, signed
from rules.wording.language import Translate, identity
from rules.wording.vocabulary import name

SILENT_KINDS = frozenset({"turn_over", "set_up", "set_scene", "single_use_spent"})
"""Kinds that say nothing to a reader: their line is empty."""

WALKED: Mapping[str, Message] = {
    "walk": ngettext_noop(
        "{unit} walks {count} hex to {hex}, facing {clock} o'clock.",
        "{unit} walks {count} hexes to {hex}, facing {clock} o'clock.",
    ),
    "run": ngettext_noop(
        "{unit} runs {count} hex to {hex}, facing {clock} o'clock.",
        "{unit} runs {count} hexes to {hex}, facing {clock} o'clock.",
    ),
    "jump": ngettext_noop(
        "{unit} jumps {count} hex to {hex}, facing {clock} o'clock.",
        "{unit} jumps {count} hexes to {hex}, facing {clock} o'clock.",
    ),
    "charge": ngettext_noop(
        "{unit} charges: {count} hex to {hex}, facing {clock} o'clock.",
        "{unit} charges: {count} hexes to {hex}, facing {clock} o'clock.",
    ),
    "assault": ngettext_noop(
        "{unit} assaults: {count} hex to {hex}, facing {clock} o'clock.",
        "{unit} assaults: {count} hexes to {hex}, facing {clock} o'clock.",
    ),
}
"""Mode of movement -> its template, by the number of hexes."""

COMES_DOWN = gettext_noop("{unit} comes down in {hex}, facing {clock} o'clock.")
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
COMPARED = gettext_noop("{target} (result {result}, defense {defense})")
NO_DAMAGE = gettext_noop("No damage is scored on {target}.")
DAMAGE = gettext_noop("{target} is dealt {dealt} damage.")
DAMAGE_REDUCED = gettext_noop("{target} is dealt {dealt} damage: {scored} scored, {reductions}.")
FRIENDLY_FIRE = gettext_noop("Friendly fire: {target} is dealt {dealt} damage.")
DIAL: Mapping[bool, Message] = {
    False: ngettext_noop(
        "{unit} loses {count} click ({to} lost in all).", "{unit} loses {count} clicks ({to} lost in all)."
    ),
    True: ngettext_noop(
        "Ammunition explodes: {unit} loses {count} click ({to} lost in all).",
        "Ammunition explodes: {unit} loses {count} clicks ({to} lost in all).",
    ),
}
"""Whether an explosion turns it -> its template, by the number of clicks."""

UNKNOWN_KIND = gettext_noop("{kind}: {parameters}.")
UNKNOWN_KIND_ALONE = gettext_noop("{kind}.")

Names = Mapping[str, str]
Values = dict[str, Any]


def event_sentence(event: Mapping[str, Any], names: Names, translate: Translate = identity) -> str:
    """Return one line for an event of a match, in its JSON form. It never raises.

    `names` maps ids of units, sides, pilots and tokens to display names; other ids appear unchanged. The line is "" for
    SILENT_KINDS and for events that the line of the next event covers. An unknown kind shows its name and parameters.

    >>> event_sentence({"event": "passed", "unit": "red"}, {"red": "Hatchetman"})
    'Hatchetman passes.'
    """
    kind = str(event.get("event", ""))
    if kind in SILENT_KINDS:
        return ""
    values = _values(event, names, translate)
    if kind in SPECIAL:
        template = SPECIAL[kind](event, values, names, translate)
    else:
        template = _template(kind, event)
    if template == UNKNOWN_KIND:
        values["parameters"] = ", ".join(
            f"{name(field, translate)} {shown(values[field])}"
            for field in event
            if field not in ("event", "see", "why")
        )
    return say(template, values, translate) if template else ""


def _template(kind: str, event: Mapping[str, Any]) -> str:
    field, choices = BY_FIELD.get(kind, ("", {}))
    value = str(event.get(field))
    if value in choices:
        return choices[value]
    return choices.get("") or TEMPLATES.get(kind) or _unknown(event)


def _unknown(event: Mapping[str, Any]) -> str:
    return UNKNOWN_KIND if any(field not in ("event", "see", "why") for field in event) else UNKNOWN_KIND_ALONE


def _values(event: Mapping[str, Any], names: Names, translate: Translate) -> Values:
    """Return the fields with ids and words as names, and the values that several templates derive from them."""
    values: Values = {field: _named(value, names, translate) for field, value in event.items()}
    values["kind"] = name(str(event.get("event", "")), translate)
    for facing, clock in (("facing", "clock"), ("facing_with", "clock_with")):
        if facing in event:
            values[clock] = 12 if event[facing] == 0 else event[facing]
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
    return COMES_DOWN if mode == "death_from_above" else WALKED.get(str(mode), MOVED)


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
        return say(COMPARED, {**found[target], "target": label}, translate)

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
    return DIAL[event.get("cause") == "explosion"]


SPECIAL: Mapping[str, Callable[[Mapping[str, Any], Values, Names, Translate], str]] = {
    "moved": _moved,
    "initiative_rolled": _initiative,
    "revive_rolled": _revive,
    "attack_resolved": _resolved,
    "damage_scored": _scored,
    "dial_turned": _dial,
}
"""Kinds whose template depends on more than one field; each may add to the values."""
