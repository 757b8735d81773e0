"""The arithmetic of an attack in lines, as two players would check it at the table."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rules.core.messages import gettext_noop
from rules.wording.filling import say, signed
from rules.wording.language import Translate, identity
from rules.wording.vocabulary import NAMES

DICE = gettext_noop("Dice: {first} and {second}, odd die {odd}: {roll}.")
PRINTED = gettext_noop("Attack value: {attack}.")
AGAINST = gettext_noop("Against {target}:")
AGAINST_AT_RANGE = gettext_noop("Against {target}, range {range}:")
MODIFIER = gettext_noop("{name}: {amount} ({rule}).")
RESULT = gettext_noop("Result: {roll} rolled + {attack} attack = {result}.")
DEFENSE = gettext_noop("Defense: {defense}.")
DEFENSE_MODIFIED = gettext_noop("Defense: {printed}, {modifiers} = {defense}.")
HIT = gettext_noop("{result} against {defense}: a hit.")
MISS = gettext_noop("{result} against {defense}: a miss.")
CRITICAL_HIT = gettext_noop(
    "Critical hit: the two dice of one colour show 6, so the attack hits whatever the result (R-CRT-01)."
)
CRITICAL_MISS = gettext_noop("Critical miss: the two dice of one colour show 1, so the attack misses (R-CRT-05).")
DAMAGE = gettext_noop("Damage on a hit: {damage} ({value}).")
DAMAGE_MODIFIED = gettext_noop("Damage on a hit: {damage} ({value}, {modifiers}).")
SCORED = gettext_noop("Damage scored on {target}: {scored}.")
SCORED_BY_FRIENDLY_FIRE = gettext_noop("Damage scored on {target}, a friend beside the target: {scored} (R-RMD-04).")
DEALT = gettext_noop("Damage dealt: {dealt}.")


def called(key: Any, names: Mapping[str, str], translate: Translate) -> str:
    """Return the display name of an id or of a word of the vocabulary, or the key itself when it has none."""
    key = str(key)
    return names[key] if key in names else translate(NAMES[key]) if key in NAMES else key


def explain_attack(event: Mapping[str, Any], names: Mapping[str, str], translate: Translate = identity) -> list[str]:
    """Return the lines of an `attack_resolved` event; [] for an event without its explanation (a play-out).

    They show the dice, the attack value, the modifiers by name, amount and rule, the result against the defense, hit or
    miss, a critical result, and the damage.
    """
    why = event.get("why") or {}
    if not why:
        return []

    def line(template: str, **values: Any) -> str:
        return say(template, values, translate)

    dice = [*why.get("dice", ()), None, None, None]
    lines = [
        line(DICE, first=dice[0], second=dice[1], odd=dice[2], roll=why.get("roll")),
        line(PRINTED, attack=why.get("attack_printed")),
    ]
    critical = event.get("critical")
    for target, found in why.get("targets", {}).items():
        where = AGAINST if found.get("range") is None else AGAINST_AT_RANGE
        lines.append(line(where, target=names.get(target, target), range=found.get("range")))
        rules = found.get("rules", {})
        lines.extend(
            line(MODIFIER, name=called(key, names, translate), amount=signed(amount), rule=rules.get(key))
            for key, amount in found.get("modifiers", {}).items()
        )
        lines.append(line(RESULT, roll=why.get("roll"), attack=found.get("attack"), result=found.get("result")))
        lines.append(_defense(found, names, translate))
        if critical is None:
            lines.append(line(HIT if found.get("hit") else MISS, **_only(found, "result", "defense")))
    if critical:
        lines.append(line(CRITICAL_HIT if critical == "hit" else CRITICAL_MISS))
    if event.get("hit"):
        added = listed(why.get("damage_modifiers", {}), {}, names, translate)
        lines.append(
            line(
                DAMAGE_MODIFIED if added else DAMAGE,
                damage=why.get("damage"),
                value=called(why.get("value"), names, translate),
                modifiers=added,
            )
        )
    return lines


def explain_damage(event: Mapping[str, Any], names: Mapping[str, str], translate: Translate = identity) -> list[str]:
    """Return the lines of a `damage_scored` event: damage scored, each reduction with its rule, damage dealt."""
    why = event.get("why") or {}
    target = event.get("target")
    template = SCORED_BY_FRIENDLY_FIRE if why.get("cause") == "friendly_fire" else SCORED
    lines = [say(template, {"target": names.get(str(target), target), "scored": event.get("scored")}, translate)]
    reductions = why.get("reductions") or ()
    for found in reductions:
        values = {
            **found,
            "name": called(found.get("name"), names, translate),
            "amount": signed(found.get("amount", 0)),
        }
        lines.append(say(MODIFIER, values, translate))
    if reductions:
        lines.append(say(DEALT, {"dealt": event.get("dealt")}, translate))
    return lines


def _only(found: Mapping[str, Any], *keys: str) -> dict[str, Any]:
    return {key: found.get(key) for key in keys}


def listed(amounts: Any, rules: Mapping[str, str], names: Mapping[str, str], translate: Translate) -> str:
    """Return modifiers in one row: Evade +2 (R-SEM-03), defend −1. Return "" when there are none."""
    words = []
    for key, amount in amounts.items() if isinstance(amounts, Mapping) else ():
        rule = f" ({rules[key]})" if key in rules else ""
        words.append(f"{called(key, names, translate)} {signed(amount)}{rule}")
    return ", ".join(words)


def _defense(found: Mapping[str, Any], names: Mapping[str, str], translate: Translate) -> str:
    added = listed(found.get("defense_modifiers", {}), found.get("rules", {}), names, translate)
    values = {"defense": found.get("defense"), "printed": found.get("defense_printed"), "modifiers": added}
    return say(DEFENSE_MODIFIED if added else DEFENSE, values, translate)
