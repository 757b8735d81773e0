"""What the GM plays on the board: turrets, storage tanks, minefields. Nobody earns anything by it.

An entry has the dice and the damage alone. Whether a turret finds its target or a tank breaks follows when somebody
reads the entry (`rules.wording.challenge_surprises`).
"""

from __future__ import annotations

from rules.challenge.entries import DICE, NAME, Entry, Kind
from rules.challenge.state import Event
from rules.challenge.surprises import CONTENTS
from rules.challenge.turrets import CLASSES
from rules.core.shapes import whole, word

MOST_DAMAGE, MOST_DENSITY = 999, 99


def _nothing(event: Event, entry: Entry) -> None:
    """Change nothing: who destroys a turret has an entry of their own for it (MC-TUR-08)."""


_DAMAGE = whole(0, MOST_DAMAGE)
KINDS = (
    Kind(
        "turret_search", _nothing,
        facts={"class": word(*CLASSES), "die": whole(1, 6), "weapon": NAME, "dice": DICE, "place": NAME},
        required=("class", "die", "weapon", "dice"),
    ),
    Kind(
        "turret_damage", _nothing,
        facts={"class": word(*CLASSES), "points": _DAMAGE, "place": NAME}, required=("class", "points"),
    ),
    Kind(
        "tank_damage", _nothing,
        facts={"contents": word(*CONTENTS), "points": _DAMAGE, "place": NAME}, required=("contents", "points"),
    ),
    Kind(
        "minefield", _nothing,
        facts={"density": whole(1, MOST_DENSITY), "place": NAME}, required=("density",),
    ),
)  # fmt: skip
