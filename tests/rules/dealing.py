"""Cards for tests, and random setups with gear, legendary pilots and rally hands dealt out."""

import random
from typing import Any

from rules.competition.setups import read_setup
from rules.competition.state.setup import MatchSetup
from rules.core.pilot_hooks import ABILITIES
from rules.solaris.rally_hooks import EFFECTS
from tests.rules.board import Json, random_setup, token


def card(key: str, effect: str = "brace", below: int = 20) -> Json:
    """A rally card for a unit whose printed attack is below a number."""
    return {"id": key, "name": key, "requires": {"value": "attack", "below": below}, "ability": effect}


def gear(key: str, slot: str, **keys: Any) -> Json:
    """A piece of gear without effect unless the keys say one."""
    return {"id": key, "name": key, "points": 5, "slot": slot, "modifiers": {}, "equipment": None, **keys}


def dealt(number: int, sides: int = 2, units: int = 2, *, shared: bool = False) -> MatchSetup:
    """A random setup with gear, unique pilots, hands of every effect, and tokens whose names stand nowhere else.

    `shared`: two stables a side, its units theirs in turn; each has the same cards.
    """
    rng = random.Random(f"cards/{number}")
    document = random_setup(rng, sides, units)
    effects = rng.sample(EFFECTS, len(EFFECTS))
    for side in document["sides"]:
        side["tokens"] = [token(f"secret-{side['id']}-{place}") for place in range(3)]
        for place, entry in enumerate(side["units"]):
            entry["gear"] = [
                gear("G-900", "speed", equipment=rng.choice(["evade", "jump_jets", "camouflage"])),
            ]
            entry["pilot"] = {
                "id": "L-900", "kind": "legendary", "name": "Legend", "points": 9, "modifiers": {"attack": 1},
                "alternative": {"points": 12, "unit": entry["unit"]["id"]}, "ability": rng.choice(ABILITIES),
            }  # fmt: skip
            owner = place % 2 if shared else 0
            if shared:
                entry["owner"] = f"stable-{owner}"
            share = place // 2 if shared else place
            entry["hand"] = [
                card(f"R-{side['id']}-{share}-{effect}", effect) for effect in effects[5 * share % 10 :][:5]
            ]
    return read_setup(document)
