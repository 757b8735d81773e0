"""What turrets, storage tanks and minefields do, as sentences for the book of the Challenge."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from rules.challenge import surprises, turrets
from rules.challenge.entries import Entry
from rules.core.messages import gettext_noop
from rules.wording.filling import beginning, say
from rules.wording.language import Translate, identity

TURRETS: Mapping[str, str] = {
    "light": gettext_noop("light turret"),
    "medium_heavy": gettext_noop("medium or heavy turret"),
    "assault": gettext_noop("assault turret"),
}
CONTENTS: Mapping[str, str] = {
    "class_0": gettext_noop("liquid of class 0"),
    "class_1": gettext_noop("liquid of class 1"),
    "class_2": gettext_noop("liquid of class 2"),
    "class_3": gettext_noop("liquid of class 3"),
    "deadly": gettext_noop("deadly liquid"),
    "explosive": gettext_noop("explosives"),
}
FINDS = gettext_noop("{turret} with {weapon} (die {die}) finds its target ({dice}) and attacks with gunnery {gunnery}.")
FINDS_NOTHING = gettext_noop("{turret} with {weapon} (die {die}) finds no target ({dice}).")
DESTROYED = gettext_noop("{turret} takes {damage} of {factor} in this turn: destroyed.")
STANDS = gettext_noop("{turret} takes {damage} of {factor} in this turn: it stands, and the next turn begins at 0.")
BURST = gettext_noop("Tank with {contents} takes {damage} of {factor}: it breaks.")
WHOLE = gettext_noop("Tank with {contents} takes {damage} of {factor}: it holds.")
EXPLODES = gettext_noop("Next to it: {near} damage in groups of {group}; two hexes away: {far}.")
LIQUID = gettext_noop("It harms who is next to it, by the table of its liquid (MC-TANK-02).")
MINES = gettext_noop("Minefield of density {density}.")
TOO_DENSE = gettext_noop("Minefield of density {density}: more than the recommended {most} (MC-MINE-02).")
AT_A_PLACE = gettext_noop("{place}: {text}")


def turret_words(kind: str, die: int, weapon: str, dice: Sequence[int], translate: Translate = identity) -> str:
    """Return what a turret is armed with and whether it finds a target.

    >>> turret_words("light", 5, "SRM 4", (6, 4))
    'Light turret with SRM 4 (die 5) finds its target (6 + 4) and attacks with gunnery 5.'
    """
    template = FINDS if turrets.acquires(dice) else FINDS_NOTHING
    values = {"turret": translate(TURRETS[kind]), "weapon": weapon, "die": die, "dice": " + ".join(map(str, dice)),
              "gunnery": turrets.gunnery()}  # fmt: skip
    return beginning(say(template, values, translate))


def turret_damage_words(kind: str, damage: int, translate: Translate = identity) -> str:
    """Return whether the damage of one turn destroys a turret.

    >>> turret_damage_words("light", 19)
    'Light turret takes 19 of 20 in this turn: it stands, and the next turn begins at 0.'
    """
    template = DESTROYED if turrets.is_destroyed(kind, [damage]) else STANDS
    values = {"turret": translate(TURRETS[kind]), "damage": damage, "factor": turrets.factor(kind)}
    return beginning(say(template, values, translate))


def tank_words(tank: surprises.Tank, contents: str, damage: int, translate: Translate = identity) -> str:
    """Return what damage does to a storage tank, and what the tank then does.

    >>> tank_words(surprises.tank_with("class_2"), "class_2", 29)
    'Tank with liquid of class 2 takes 29 of 30: it holds.'
    """
    breaks = damage >= tank.factor
    values = {"contents": translate(CONTENTS[contents]), "damage": damage, "factor": tank.factor}
    text = say(BURST if breaks else WHOLE, values, translate)
    if not breaks:
        return text
    if contents != "explosive":
        return f"{text} {translate(LIQUID)}"
    near, far = surprises.explosion(1), surprises.explosion(2)
    return f"{text} {say(EXPLODES, {'near': sum(near), 'far': sum(far), 'group': near[0]}, translate)}"


def mines_words(density: int, translate: Translate = identity) -> str:
    """Return a minefield, with a warning where it is denser than recommended.

    >>> mines_words(12)
    'Minefield of density 12: more than the recommended 10 (MC-MINE-02).'
    """
    template = TOO_DENSE if density > surprises.MOST_DENSITY else MINES
    return say(template, {"density": density, "most": surprises.MOST_DENSITY}, translate)


def surprise_words(entry: Entry, translate: Translate = identity) -> str:
    """Return what an entry about a turret, a tank or a minefield says, behind the place that it names.

    Raises KeyError for an entry of another kind.
    """
    text = SURPRISES[entry.what](entry.facts, translate)
    place = entry.facts.get("place")
    return say(AT_A_PLACE, {"place": place, "text": text}, translate) if place else text


def _search(facts: Mapping[str, Any], translate: Translate) -> str:
    return turret_words(facts["class"], facts["die"], facts["weapon"], facts["dice"], translate)


def _turret_damage(facts: Mapping[str, Any], translate: Translate) -> str:
    return turret_damage_words(facts["class"], facts["points"], translate)


def _tank_damage(facts: Mapping[str, Any], translate: Translate) -> str:
    contents = facts["contents"]
    return tank_words(surprises.tank_with(contents), contents, facts["points"], translate)


SURPRISES: Mapping[str, Callable[[Mapping[str, Any], Translate], str]] = {
    "turret_search": _search,
    "turret_damage": _turret_damage,
    "tank_damage": _tank_damage,
    "minefield": lambda facts, translate: mines_words(facts["density"], translate),
}
"""Kinds of entry whose sentence follows from dice and damage, and what says it."""
