"""Friendly matches outside any season, with ready-made line-ups from the built-in catalogue."""

from __future__ import annotations

import random
import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from matches.models import Match
from matches.services.answering import STAND_IN, Seat
from matches.services.matches import create_match
from people.models import User
from people.services.accounts import Limit, count_attempt
from rules.bots.preset_answers import Answers
from rules.catalogue import Catalogue, load_builtin
from rules.competition.formats import format_of
from rules.competition.formats.grand_melee import SIDES_ON_ONE_MAP, assemble
from rules.core.codec import SCHEMA_VERSION
from rules.core.dice import SEED
from rules.core.refusals import Refused
from rules.measuring.self_play import TokenTrios, random_ground
from web.bounds import MOST_FRIENDLY_MATCHES
from web.names import printable, proper_name

FRIENDLY_MATCHES = Limit("friendly_match", MOST_FRIENDLY_MATCHES)
CLASSES = ("light", "medium", "heavy", "assault")
SIDES = ("red", "blue", "green", "gold")
PAIR = 2
"""Units of a side in team formats; the other formats are duels."""

HOT_SEAT = "self"
"""The choice to play all sides oneself at one screen."""

BY_LINK = "link"
"""The choice to play against a person who opens the link and takes the free seat."""

BOTS_OFFERED = ("greedy", "quick", "tactical", "strong", "random")
"""The bots on offer as opponents: the usual one first, then the stronger ones, then the beginner."""

OPPONENTS = (*BOTS_OFFERED, BY_LINK, HOT_SEAT)
"""The opponents on offer, in order; the first is the default."""

HOURS_A_ROUND = (6, 24, 48, 72)
"""The hours for each round of a match that the form offers."""
SECONDS_OF_AN_HOUR = 3600

UNIT_FIELDS = ("unit", "second_unit", "rival_unit")
"""The fields of Wishes that name units; all units of a match are of one class."""

LONGEST_NAME = 30
"""The most characters of `rival_name`."""

NEAR = 4
"""How many units, those with the nearest points, an opponent's unit is drawn from."""


@dataclass(frozen=True)
class Wishes:
    """What somebody wants to play. An empty arena, class, unit or pilot leaves the choice to chance.

    `opponent` is a bot's name, HOT_SEAT or BY_LINK. `hours_a_round` is the time for each round of the match
    (matches.selectors.time_banks), None without a limit. `second_unit` is the person's other unit in a format of pairs,
    `rival_unit` the first unit of the other side. `rival_name` names the second person at one screen (HOT_SEAT).
    """

    format: str = "standard"
    weight_class: str = ""
    unit: str = ""
    pilot: str = ""
    opponent: str = OPPONENTS[0]
    hours_a_round: int | None = None
    arena: str = ""
    second_unit: str = ""
    rival_unit: str = ""
    rival_name: str = ""


def misfits(wishes: Wishes) -> dict[str, Refused]:
    """Return the problems of wishes that cannot be met, by field of Wishes; empty when all can.

    Codes: not_built_in, wished_class_differs, wished_pilot_differs.
    """
    catalogue = load_builtin()
    found = {}
    asked = {field: getattr(wishes, field) for field in UNIT_FIELDS}
    known = {**dict.fromkeys(UNIT_FIELDS, catalogue.units), "pilot": catalogue.pilots, "arena": catalogue.arenas}
    for field, key in {**asked, "pilot": wishes.pilot, "arena": wishes.arena}.items():
        if key and key not in known[field]:
            found[field] = Refused("not_built_in", key=key)
    unit_class = wishes.weight_class
    for field, key in asked.items():
        unit = catalogue.units.get(key)
        if unit and unit_class and unit["class"] != unit_class:
            found[field] = Refused("wished_class_differs")
        unit_class = unit_class or (str(unit["class"]) if unit else "")
    pilot = catalogue.pilots.get(wishes.pilot)
    if pilot and unit_class and not fits(pilot, unit_class):
        found["pilot"] = Refused("wished_pilot_differs")
    return found


def start_friendly(user: User, wishes: Wishes, public_id: UUID | None = None, standing: Answers | None = None) -> Match:
    """Begin a match that `user` plays as the first side, or as all sides with HOT_SEAT, and return it.

    Against the AI their units begin with the `standing` answers.
    Ask `misfits` first: here an unknown unit or a pilot who does not fit is left to chance. If a match with the given
    `public_id` exists, return that one. Raises TooOften (too_often), Malformed (unknown_format); then no match is made.
    """
    if public_id is not None and (known := Match.objects.filter(public_id=public_id).first()):
        return known
    count_attempt(FRIENDLY_MATCHES, str(user.pk))
    setup = friendly_setup(load_builtin(), wishes, random.SystemRandom())
    sides = [side["id"] for side in setup["sides"]]
    if wishes.opponent == HOT_SEAT:
        name = printable(proper_name(wishes.rival_name, LONGEST_NAME))
        setup["sides"][1] |= {"name": name} if name else {}
        seats = [Seat(side, user.pk) for side in sides]
    elif wishes.opponent == BY_LINK:
        seats = [Seat(sides[0], user.pk), Seat(sides[1]), *(Seat(side, bot=STAND_IN) for side in sides[2:])]
    else:
        own = Seat(sides[0], user.pk, standing=standing or {})
        seats = [own, *(Seat(side, bot=wishes.opponent) for side in sides[1:])]
    seconds = None if wishes.hours_a_round is None else wishes.hours_a_round * SECONDS_OF_AN_HOUR
    return create_match(setup, secrets.token_bytes(SEED), None, seats, seconds, public_id)


def friendly_setup(catalogue: Catalogue, wishes: Wishes, rng: random.Random) -> dict[str, Any]:
    """Return the setup of a match as wished: units of one class, each with a pilot who fits it.

    A grand melee has four sides, every other format two. An unknown arena, unit or class, and a pilot who is unknown or
    does not fit, are left to chance. A grand melee is played in four assembled arenas; the wished one is all four.

    Raises Malformed (unknown_format).
    """
    match_format = format_of(wishes.format)
    unit_class = _class_of(catalogue, wishes, rng)
    count = 4 if match_format.units == (1, 1) else 2
    each = match_format.units[1] if match_format.units[1] <= PAIR else 1
    pool = [unit for unit in catalogue.units.values() if unit["class"] == unit_class]
    pilots = [pilot for pilot in catalogue.pilots.values() if fits(pilot, unit_class)]
    rng.shuffle(pilots)
    own = catalogue.units.get(wishes.unit) or rng.choice(pool)
    wished = {(0, 1): catalogue.units.get(wishes.second_unit), (1, 0): catalogue.units.get(wishes.rival_unit)}
    trios = TokenTrios(catalogue)
    sides = []
    for number, side in enumerate(SIDES[:count]):
        first = own if number == 0 else _near(own, pool, rng)
        units = [first, *(_near(first, pool, rng) for _ in range(each - 1))]
        units = [wished.get((number, place)) or unit for place, unit in enumerate(units)]
        crew = [pilots[(number * each + place) % len(pilots)] for place in range(each)]
        if number == 0 and wishes.pilot in catalogue.pilots and fits(catalogue.pilots[wishes.pilot], unit_class):
            crew[0] = catalogue.pilots[wishes.pilot]
        sides.append(
            {
                "id": side,
                "units": [
                    {"id": f"{side}-{place}", "unit": unit, "pilot": pilot, "gear": [], "clicks": 0}
                    for place, (unit, pilot) in enumerate(zip(units, crew, strict=True), start=1)
                ],
                "tokens": rng.choice(trios) if match_format.has_tokens else [],
            }
        )
    return {
        "schema": SCHEMA_VERSION,
        "format": wishes.format,
        "arena": _ground(catalogue, wishes, count, rng),
        "house_rules": {},
        "sides": sides,
    }


def _ground(catalogue: Catalogue, wishes: Wishes, sides: int, rng: random.Random) -> dict[str, Any]:
    arena = catalogue.arenas.get(wishes.arena)
    if arena is None:
        return random_ground(catalogue, rng, sides)
    return dict(arena) if sides <= SIDES_ON_ONE_MAP else assemble([arena] * 4)


def fits(pilot: Mapping[str, Any], unit_class: str) -> bool:
    """Return whether a pilot's requirements allow units of this class."""
    return unit_class in ((pilot.get("requires") or {}).get("class") or [unit_class])


def _class_of(catalogue: Catalogue, wishes: Wishes, rng: random.Random) -> str:
    """Return the class of the first wished unit, or the wished class, or any if neither is known."""
    for field in UNIT_FIELDS:
        if (key := getattr(wishes, field)) in catalogue.units:
            return str(catalogue.units[key]["class"])
    return wishes.weight_class if wishes.weight_class in CLASSES else rng.choice(CLASSES)


def _near(unit: Mapping[str, Any], pool: Sequence[Mapping[str, Any]], rng: random.Random) -> Mapping[str, Any]:
    """Return a unit of about the same points, a different one if the pool has one."""
    others = [other for other in pool if other["id"] != unit["id"]] or list(pool)
    return rng.choice(sorted(others, key=lambda other: abs(other["points"] - unit["points"]))[:NEAR])
