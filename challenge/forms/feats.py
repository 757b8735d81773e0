"""The tiles of an end phase: what each says happened, and the deed that a press of it writes.

A tile's value names the deed and its own fact: `critical.gyro`, `damage.40-59`. Attacker, target and phase stand
beside it in the form.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from rules.challenge.awards import BANDS, FIFTY
from rules.challenge.entries import PHASES
from rules.core.digits import whole_number
from rules.core.refusals import Malformed
from rules.core.shape_checks import shown

PHASE_NAMES: Mapping[str, Promise] = {
    "initiative": _("initiative"),
    "movement": _("movement"),
    "fire": _("fire"),
    "physical": _("physical"),
    "end": _("end"),
}
MOST_TYPED = 999


@dataclass(frozen=True)
class Tile:
    """A tile: its deed, its name, its key, whether it needs a target, and the phase that it always belongs to.

    `typed` says whether it takes the number of the keypad.
    """

    value: str
    name: Promise | str
    key: str = ""
    at: bool = True
    phase: str = ""
    typed: bool = False

    @property
    def facts(self) -> dict[str, Any]:
        """Its own facts."""
        what, _dot, fact = self.value.partition(".")
        if what == "damage" and fact in BANDS:
            return {"band": fact}
        return dict(_FACTS.get(self.value, {"part": fact} if what == "critical" else {}))


_FACTS: Mapping[str, Mapping[str, Any]] = {
    "damage.one_place": {"one_location": True},
    "death_from_above.hit": {"hit": True},
    "death_from_above.missed": {"hit": False},
    "melee.push": {"push": True},
    "eject.automatic": {"automatic": True},
    "exit.early": {"early": True},
}
_BAND_KEYS = dict(zip(BANDS, "qwertyui", strict=True))


@dataclass(frozen=True)
class Group:
    """Tiles under one heading."""

    name: Promise
    tiles: tuple[Tile, ...]


DAMAGE = Tile("damage", _("Damage"), "d", typed=True)
BAND_TILES = tuple(Tile(f"damage.{band}", band.replace("-", "–"), key) for band, key in _BAND_KEYS.items())
IN_ONE_PLACE = Tile("damage.one_place", _("50+ in one place"), "o", typed=True)
GROUPS = (
    Group(
        _("Hit"),
        (
            Tile("head_hit", _("Head hit"), "h"),
            Tile("critical.engine", _("Critical: engine"), "z"),
            Tile("critical.gyro", _("Critical: gyro"), "g"),
            Tile("critical.hip", _("Critical: hip"), "j"),
            Tile("critical.head", _("Critical: head"), "k"),
            Tile("critical.actuator", _("Critical: actuator"), "a"),
            Tile("critical.weapon", _("Critical: weapon"), "v"),
            Tile("critical.ammo", _("Critical: ammunition"), "m"),
            Tile("critical.other", _("Critical: other"), "x"),
            Tile("blown_off", _("Limb blown off"), "l"),
            Tile("knocked_out", _("Pilot knocked out"), "n"),
        ),
    ),
    Group(
        _("Melee"),
        (
            Tile("melee", _("Punch or kick"), "p", phase="physical"),
            Tile("melee.push", _("Push"), phase="physical"),
            Tile("melee_weapon", _("Melee weapon"), "f", phase="physical"),
            Tile("charge", _("Charge hits"), "c", phase="physical"),
            Tile("death_from_above.hit", _("Death from above hits"), phase="physical"),
            Tile("death_from_above.missed", _("Death from above misses"), phase="physical"),
        ),
    ),
    Group(
        _("Without a target"),
        (
            Tile("secondary_target", _("Two targets hit"), "s", at=False, phase="fire"),
            Tile("rear_attack", _("Attack from behind"), "b", at=False),
            Tile("crowd", _("Crowd"), at=False, phase="end"),
            Tile("turret", _("Turret destroyed"), at=False),
            Tile("standing_after_50", _("Stands after 50"), at=False),
            Tile("sustained", _("Took that damage"), at=False, typed=True),
        ),
    ),
)
OWN_TILES = (
    Tile("wound", _("Wounded"), at=False),
    Tile("unconscious", _("Unconscious"), at=False),
    Tile("conscious", _("Awake again"), at=False),
    Tile("death", _("Dead"), at=False),
    Tile("eject", _("Ejects by hand"), at=False),
    Tile("eject.automatic", _("Thrown out"), at=False),
    Tile("exit", _("Leaves by a portal"), at=False, phase="end"),
    Tile("exit.early", _("Leaves early, and pays"), at=False, phase="end"),
    Tile("edge", _("Edge spent"), at=False),
    Tile("overrun", _("Took over a minute"), at=False, phase="movement"),
)
"""What happens to the chosen pilot, or what they do without an attack."""

TILES: Mapping[str, Tile] = {
    tile.value: tile
    for tile in (DAMAGE, *BAND_TILES, IN_ONE_PLACE, *(tile for group in GROUPS for tile in group.tiles), *OWN_TILES)
}
TOKEN, WOUND, SECONDARY = "token.", "wound.", "secondary_target."
"""What the values of tiles begin with that name an ability of the pilot, or a load of their stable."""


@dataclass(frozen=True)
class Chosen:
    """The pilot who acts, the target and the phase: what stays chosen from one press to the next."""

    by: str = ""
    at: str = ""
    phase: str = "fire"

    @classmethod
    def read(cls, values: Mapping[str, Any]) -> Chosen:
        """Return what an address or a form says; a phase that is none is that of fire."""
        phase = values.get("phase", "fire")
        return cls(values.get("by", ""), values.get("at", ""), phase if phase in PHASES else "fire")

    @property
    def query(self) -> dict[str, str]:
        """What is chosen, as fields of an address."""
        return {name: value for name, value in (("by", self.by), ("at", self.at), ("phase", self.phase)) if value}


def deed_of(press: str, chosen: Chosen, typed: str = "") -> dict[str, Any]:
    """Return the deed that the press of a tile writes.

    A person who has not named their pilot gets the refusal of the rules. Raises Malformed (bad_entry) for an unknown
    press.
    """
    if press.startswith(TOKEN):
        return {"what": "token", "ability": press[len(TOKEN) :], "by": [chosen.by] if chosen.by else [],
                "phase": chosen.phase}  # fmt: skip
    if press.startswith(WOUND):
        return {"what": "wound", "ability": press[len(WOUND) :], "by": [chosen.by] if chosen.by else [],
                "phase": chosen.phase}  # fmt: skip
    if press.startswith(SECONDARY):
        return {"what": "secondary_target", "ammunition": press[len(SECONDARY) :],
                "by": [chosen.by] if chosen.by else [], "phase": "fire"}  # fmt: skip
    tile = TILES.get(press)
    if tile is None:
        raise Malformed("bad_entry", field="feat", problem="unknown_key", key=press[:60])
    deed: dict[str, Any] = {"what": press.partition(".")[0], "by": [chosen.by] if chosen.by else []}
    deed |= {"phase": tile.phase or chosen.phase, **tile.facts}
    if tile.at and chosen.at:
        deed["at"] = chosen.at
    if tile.typed:
        deed["points"] = _typed(typed, least=FIFTY if tile is IN_ONE_PLACE else None)
    return deed


def _typed(typed: str, least: int | None) -> int:
    """Return the number of the keypad; an empty keypad means the least where there is one."""
    if not typed.strip() and least is not None:
        return least
    number = whole_number(typed.strip())
    if number is None:
        raise Malformed("bad_entry", field="points", problem="wrong_format", value=shown(typed))
    if number > MOST_TYPED:
        raise Malformed(
            "bad_entry", field="points", problem="out_of_range", value=shown(typed), least=0, most=MOST_TYPED
        )
    return number
