"""'Mechs as the Challenge knows them: tons, technology, movement, book cost, what of their equipment a rule asks for.

Everything else stays on the paper sheet.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

CLASSES = ("light", "medium", "heavy", "assault")
"""The weight classes from the ground up."""

LEAST_TONS, MOST_TONS = 20, 100
TECHNOLOGIES = ("inner_sphere", "clan")
FLAGS = (
    "targeting_computer", "ecm", "c3", "melee_weapon", "a_pods", "b_pods", "anti_missile_system", "active_probe",
    "tag", "cargo", "narc",
)  # fmt: skip
"""Equipment that a rule asks for."""

CLASS_DIFFERENCE = 3
"""Beyond this many classes the outermost rows of the event table serve (MC-AWD-09)."""


def class_of_tons(tons: int) -> str:
    """Return the weight class of `tons`, 20 to 100: light to 35, medium to 55, heavy to 75.

    >>> class_of_tons(55)
    'medium'
    """
    return CLASSES[(tons > 35) + (tons > 55) + (tons > 75)]


@dataclass(frozen=True, slots=True)
class MechModel:
    """A 'Mech of the list from which pilots buy.

    Tons are 20 to 100, movement is in movement points (walking; running is 1.5 times as much, rounded up; jumping),
    `cost` the book cost in C-bills. `open_leg_slots` are the empty critical slots of left and right leg, None when
    nobody has counted them.
    """

    id: str
    tons: int
    cost: int
    tech: str = "inner_sphere"
    omni: bool = False
    walk: int = 0
    run: int = 0
    jump: int = 0
    flags: frozenset[str] = frozenset()
    name: str = ""
    open_leg_slots: tuple[int, int] | None = None

    @property
    def is_clan(self) -> bool:
        """Whether a Clan built it."""
        return self.tech == "clan"

    @property
    def weight_class(self) -> str:
        """The class by its tons alone."""
        return class_of_tons(self.tons)

    @property
    def rank(self) -> int:
        """The effective class as a number: 1 light to 4 assault, one more for a Clan 'Mech (MC-AWD-09)."""
        return CLASSES.index(self.weight_class) + 1 + self.is_clan

    @property
    def effective_class(self) -> str:
        """The class that limits and discounts ask for: a Clan 'Mech's is one higher (MCQ-MEM-09)."""
        return CLASSES[min(self.rank, len(CLASSES)) - 1]

    @classmethod
    def read(cls, name: str, document: Mapping[str, Any]) -> MechModel:
        """Return the model that `document` describes; `name` is its id. Its form has been checked."""
        legs = document.get("open_leg_slots")
        walk = document.get("walk", 0)
        return cls(
            id=name,
            tons=document["tons"],
            cost=document["cost"],
            tech=document.get("tech", "inner_sphere"),
            omni=document.get("omni", False),
            walk=walk,
            run=document.get("run", (walk * 3 + 1) // 2),
            jump=document.get("jump", 0),
            flags=frozenset(document.get("flags") or ()),
            name=document.get("name", name),
            open_leg_slots=None if legs is None else (legs[0], legs[1]),
        )


def class_difference(own: MechModel, target: MechModel, shift: int = 0) -> int:
    """Return by how many classes the target is above one's own 'Mech, -3 to 3 (MC-AWD-09).

    `shift` moves it further up, as for members of Bromley (MC-STAB-03).
    """
    return max(-CLASS_DIFFERENCE, min(CLASS_DIFFERENCE, target.rank - own.rank + shift))


PARTS = ("structure", "weapon", "actuator", "engine_gyro", "other")
"""What a spot repair counts (MC-REP-03)."""
COUNTED = (*PARTS, "weapons")
"""What a damage may count: the parts, and how many weapons the damaged weapon slots belong to (MCQ-REP-06)."""


@dataclass(slots=True)
class Mech:
    """A 'Mech that a pilot owns, and its damage.

    `state` is intact, crippled or destroyed. `damage` counts what a spot repair would mend, by PARTS. `book` is what
    its repairs, its sale and its owner's worth go by, `paid` what it was bought for, both C-bills.
    """

    model: MechModel
    book: int
    paid: int
    state: str = "intact"
    ejected: bool = False
    damage: dict[str, int] = field(default_factory=dict)
    built_by: str | None = None
    """The stable or sponsor that allowed the owner to change it (MC-MEM-09)."""
    team: str | None = None
    """The team that paid for it; its worth is the team's (MC-TEAM-03)."""

    @property
    def is_damaged(self) -> bool:
        """Whether a repair would mend something that costs."""
        return self.state != "intact" or self.ejected or any(self.damage.values())

    @property
    def can_fight(self) -> bool:
        """Whether it may go into an arena: not as a wreck, nor before its cockpit is whole again (MC-EJECT-02)."""
        return self.state != "destroyed" and not self.ejected

    def mend(self) -> None:
        """Make it whole."""
        self.state, self.ejected = "intact", False
        self.damage.clear()
