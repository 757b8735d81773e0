"""The feats that a player claims for their own pilot: big buttons, and for each the few fields that it asks for."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _

from challenge.presenters.offers import Field
from challenge.presenters.table import at_table
from rules.challenge.awards import BANDS, CRITICALS, METHODS
from rules.challenge.memberships import can_be_suspended
from rules.challenge.state import Event, Pilot
from rules.wording import challenge_words as words
from rules.wording.challenge_deeds import deed_name
from web.languages.reader import translate

FIRE, PHYSICAL, MOVEMENT, END = "fire", "physical", "movement", "end"
PHASE_OF_FEAT = {
    "damage": FIRE, "head_hit": FIRE, "critical": FIRE, "blown_off": FIRE, "kill": FIRE, "cripple": FIRE,
    "knocked_out": FIRE, "melee": PHYSICAL, "melee_weapon": PHYSICAL, "charge": PHYSICAL,
    "death_from_above": PHYSICAL, "secondary_target": FIRE, "rear_attack": FIRE, "turret": FIRE,
    "standing_after_50": FIRE, "sustained": FIRE, "wound": FIRE, "edge": FIRE, "token": FIRE,
}  # fmt: skip
"""All feats in the order of their buttons, each with the phase in which it mostly happens."""

WITHOUT_TARGET = frozenset({"standing_after_50", "sustained", "wound", "edge", "token", "turret"})
TARGET_MAY_MISS = frozenset({"secondary_target"})
LONG_METHODS = frozenset({"kill", "cripple"})


@dataclass(frozen=True)
class Feat:
    """A feat: its name, its usual phase, whom it may happen to, what else it asks for."""

    what: str
    name: str
    phase: str
    targets: tuple[tuple[str, str], ...]
    needs_target: bool
    fields: tuple[Field, ...]


def may_claim(state: Event, pilot: Pilot) -> bool:
    """Return whether a pilot is on the board, or fell in the open turn: what they did until then counts (MC-AWD-03)."""
    facts = state.table(pilot.table).facts
    return pilot.is_in_arena or any(fact.entry.what == "kill" and fact.entry.at == pilot.id for fact in facts)


def feat_names() -> list[tuple[str, str]]:
    """Return the feats by their kinds in the order of their buttons."""
    return [(what, deed_name(what, translate)) for what in PHASE_OF_FEAT]


def phases() -> list[tuple[str, str]]:
    """Return the phases in which a feat may happen."""
    return [(phase, translate(words.PHASES[phase])) for phase in (MOVEMENT, FIRE, PHYSICAL, END)]


def feat_for(state: Event, pilot: Pilot, what: str) -> Feat | None:
    """Return the feat of a kind for a pilot, None for a kind that is no feat.

    Who fell in the open turn is still a target: several may claim one fall (MC-AWD-04).
    """
    if what not in PHASE_OF_FEAT:
        return None
    there = at_table(state, pilot.table)
    targets = tuple(
        (each.id, f"{each.card} {each.id}" if each.card else each.id) for each in there if each.id != pilot.id
    )
    return Feat(
        what,
        deed_name(what, translate),
        PHASE_OF_FEAT[what],
        () if what in WITHOUT_TARGET else targets,
        what not in WITHOUT_TARGET | TARGET_MAY_MISS,
        tuple(_fields(pilot, what)),
    )


def _fields(pilot: Pilot, what: str) -> Sequence[Field]:
    if what == "damage":
        bands = (("", "–"), *((band, translate(words.BANDS[band])) for band in BANDS))
        return [
            Field("points", _("Points"), "number", "", least=1, most=999),
            Field("band", _("or a band"), "choice", "", bands),
            Field("one_location", _("All in one location"), "mark"),
        ]
    if what == "sustained":
        return [Field("points", _("Points"), "number", "", least=1, most=999)]
    if what == "critical":
        parts = tuple((part, translate(words.CRITICALS[part])) for part in CRITICALS)
        return [Field("part", _("What it hit"), "choice", "weapon", parts)]
    if what in LONG_METHODS:
        methods = tuple((method, translate(words.METHODS[method])) for method in METHODS)
        return [Field("method", _("How"), "choice", "fire", methods)]
    if what == "death_from_above":
        return [Field("hit", _("It hit"), "mark", "yes")]
    if what == "melee":
        return [Field("push", _("Only a push"), "mark")]
    if what == "secondary_target":
        loads = [kind for member in pilot.memberships for kind in member.ammunition]
        kinds = (
            ("", _("standard")),
            *((kind, words.ammunition_name(kind, translate)) for kind in dict.fromkeys(loads)),
        )
        return [Field("ammunition", _("Ammunition"), "choice", "", kinds)] if loads else []
    if what == "edge":
        return [Field("on", _("On which roll"), "text")]
    if what == "wound":
        abilities = tuple((owned.ability.id, _(owned.ability.name)) for owned in can_be_suspended(pilot))
        return [Field("ability", _("Ability that the wound suspends"), "choice", "", abilities)] if abilities else []
    if what == "token":
        tokens = tuple(
            (owned.ability.id, _(owned.ability.name)) for owned in pilot.abilities if owned.ability.id in pilot.tokens
        )
        return [Field("ability", _("Ability"), "choice", "", tokens), Field("success", _("It worked"), "mark", "yes")]
    return []
