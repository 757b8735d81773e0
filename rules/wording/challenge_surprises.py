"""What turrets, storage tanks and minefields do, as sentences for the book of the Challenge."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from rules.challenge import surprises, turrets
from rules.core.messages import gettext_noop
from rules.wording.filling import say
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


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def turret_words(kind: str, die: int, weapon: str, dice: Sequence[int], translate: Translate = identity) -> str:
    """Return what a turret is armed with and whether it finds a target.

    >>> turret_words("light", 5, "SRM 4", (6, 4))
    'Light turret with SRM 4 (die 5) finds its target (6 + 4) and attacks with gunnery 5.'
    """
    template = FINDS if turrets.acquires(dice) else FINDS_NOTHING
    values = {"turret": translate(TURRETS[kind]), "weapon": weapon, "die": die, "dice": " + ".join(map(str, dice)),
              "gunnery": turrets.gunnery()}  # fmt: skip
    return _capital(say(template, values, translate))


def turret_damage_words(kind: str, damage: int, translate: Translate = identity) -> str:
    """Return whether the damage of one turn destroys a turret.

    >>> turret_damage_words("light", 19)
    'Light turret takes 19 of 20 in this turn: it stands, and the next turn begins at 0.'
    """
    template = DESTROYED if turrets.is_destroyed(kind, [damage]) else STANDS
    values = {"turret": translate(TURRETS[kind]), "damage": damage, "factor": turrets.factor(kind)}
    return _capital(say(template, values, translate))


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
    template = TOO_DENSE if surprises.is_too_dense(density) else MINES
    return say(template, {"density": density, "most": surprises.MOST_DENSITY}, translate)
