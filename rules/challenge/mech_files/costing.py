"""A 'Mech from a .mtf file: its movement, its flags, its empty leg slots, and its cost by the construction formula."""

from __future__ import annotations

import re
from collections import Counter
from fractions import Fraction

from rules.challenge.book_cost import ARM_ACTUATORS, FREE_HEAT_SINKS, LEG_ACTUATORS, Design, book_cost
from rules.challenge.mech_files.mtf import EMPTY, LEGS, Sheet, read_sheet
from rules.challenge.mech_files.names import Item, item_of, letters_of, structure_of
from rules.challenge.mech_files.reading import (
    FORMULA,
    LONGEST_ITEM,
    MOST_ITEMS,
    FileMech,
    Unreadable,
    clean,
    movement_of,
    name_of,
    tons_of,
)

ENGINES = {"fusion": "standard", "xl": "xl"}
STRUCTURES = {"": "standard", "standard": "standard", "endosteel": "endo_steel"}
ARMORS = {"": "standard", "standard": "standard", "ferrofibrous": "ferro_fibrous"}
HEAT_SINKS = {"single": "single", "": "single", "double": "double"}
POINTS_PER_TON = {"standard": (Fraction(16), Fraction(16)), "ferro_fibrous": (Fraction(448, 25), Fraction(96, 5))}
"""Points of armor in a ton, of the Inner Sphere and of the Clans (TechManual, armor tables)."""
LARGEST_RATING = 400
MOST_HEAT_SINKS = 60
MOST_ARMOR = 100
LEG_SLOTS = 6
STANDARD = {"myomer": "standard", "cockpit": "standardcockpit", "gyro": "standardgyro", "lam": "", "motive": "",
            "heat sink kit": ""}  # fmt: skip
"""What the formula takes for granted."""
FULL_HEAD = "fullheadejectionsystem"


def read_mtf(data: bytes) -> FileMech:
    """Return the 'Mech of a .mtf file. Raises Unreadable for one that does not say what the list needs."""
    return _Costing(read_sheet(data)).mech()


class _Costing:
    """What is found out of a sheet on the way to its cost."""

    def __init__(self, sheet: Sheet) -> None:
        self.sheet, self.head = sheet, sheet.head
        self.unknown: list[str] = []
        self.named: dict[str, str] = {}
        """Parts of the formula, and how the file names each."""
        self.items: Counter[str] = Counter()
        self.flags: set[str] = set()
        self.config = letters_of(self.head.get("config", ""))
        if not self.config.startswith(("biped", "quad", "tripod", "lam")):
            raise Unreadable("not_a_mech")
        base = letters_of(self.head.get("techbase", ""))
        self.tech = "clan" if base.startswith("clan") or base == "mixedclanchassis" else "inner_sphere"

    def mech(self) -> FileMech:
        head = self.head
        tons = tons_of(head.get("mass", ""))
        walk, jump = movement_of(head.get("walk mp", "")), movement_of(head.get("jump mp", "0"))
        name = name_of(head["chassis"], head.get("model", ""), head.get("clanname", ""))
        self._count_slots()
        self._count_weapons()
        design = self._design(tons, jump)
        cost = book_cost(design)
        unpriced = tuple(dict.fromkeys(self.named.get(part, part) for part in cost.unpriced))
        known = cost.c_bills if not self.unknown else None
        return FileMech(
            name, tons, self.tech, "omni" in self.config, walk, jump, known, FORMULA if known is not None else "",
            tuple(sorted(self.flags)), self._open_leg_slots(),
            tuple(dict.fromkeys(self.unknown))[:MOST_ITEMS], unpriced[:MOST_ITEMS],
        )  # fmt: skip

    def _count_slots(self) -> None:
        """Count the items by their critical slots; a number that does not come out is unknown."""
        counts: Counter[Item] = Counter()
        names: dict[Item, str] = {}
        for slots in self.sheet.slots.values():
            here: set[Item] = set()
            for slot in slots:
                if slot.casefold() == EMPTY or structure_of(slot, self.tech) is not None:
                    continue
                item = self._known(slot)
                if item is not None and (item.slots is not None or item not in here):
                    counts[item] += 1
                    here.add(item)
                    names.setdefault(item, slot)
        for item, count in counts.items():
            if count % (item.slots or 1):
                self.unknown.append(names[item])
            self.items[item.part] += count // (item.slots or 1)
        for name in self.sheet.loose:
            item = None if structure_of(name, self.tech) else self._known(name)
            if item is not None:
                self.items[item.part] += 1

    def _known(self, name: str) -> Item | None:
        """Return the item that a name means, and keep its flag; keep a name that nobody knows."""
        item = item_of(name, self.tech)
        if item is None:
            self.unknown.append(name)
            return None
        self.named.setdefault(item.part, name)
        if item.flag is not None:
            self.flags.add(item.flag)
        return item

    def _count_weapons(self) -> None:
        """Hold the list of weapons against the slots: what differs is unknown."""
        listed: Counter[str] = Counter()
        for line in self.sheet.weapons:
            match = re.match(r"(?:([0-9]{1,2})\s+)?(.+?)(?:,|$)", line)
            if match is None:
                continue
            item = item_of(match[2], self.tech)
            if item is None:
                self.unknown.append(clean(match[2], LONGEST_ITEM))
            else:
                listed[item.part] += int(match[1] or 1)
        for part, count in listed.items():
            if self.items[part] != count:
                self.unknown.append(self.named.get(part, part))

    def _design(self, tons: int, jump: int) -> Design:
        legs = 4 if self.config.startswith("quad") else 2
        if self.config not in ("biped", "bipedomnimech", "quad", "quadomnimech"):
            self.unknown.append(f"Config: {self.head['config']}")
        for key, usual in STANDARD.items():
            if letters_of(self.head.get(key, usual)) not in (usual, usual.removesuffix(key)):
                self._doubt(key)
        if "ejection" in self.head:
            if letters_of(self.head["ejection"]) == FULL_HEAD:
                self.items["full_head_ejection"] += 1
            else:
                self._doubt("ejection")
        counts = self._actuators()
        if any(counts[each] != legs for each in LEG_ACTUATORS):
            self.unknown.append("Leg actuators")
        rating, engine = self._engine()
        heat_sinks, heat_sink = self._heat_sinks()
        kind = self._word("armor", ARMORS)
        return Design(
            tons=tons,
            rating=rating,
            armor=self._armor_tons(kind),
            items=dict(self.items),
            arms={each: counts[each] for each in ARM_ACTUATORS if counts[each]},
            legs=legs,
            jump=jump,
            heat_sinks=heat_sinks,
            heat_sink=heat_sink,
            engine=engine,
            structure=self._word("structure", STRUCTURES),
            armor_kind=kind,
            omni="omni" in self.config,
        )

    def _doubt(self, key: str) -> None:
        self.unknown.append(f"{key.capitalize()}: {self.head.get(key, '')}")

    def _word(self, key: str, words: dict[str, str]) -> str:
        """Return the price table's word for what a line of the head says; note one that it does not know."""
        said = self.head.get(key, "")
        letters = letters_of(re.sub(r"\((?:IS|Inner Sphere|Clan)\)|^(?:IS|Clan)\s+|\s+Armor$", "", said, flags=re.I))
        if letters not in words:
            self._doubt(key)
        return words.get(letters, "standard")

    def _engine(self) -> tuple[int, str]:
        said = self.head.get("engine", "")
        match = re.match(r"([0-9]{1,3})\s+(.+)", said)
        if match is None or not int(match[1]) > 0:
            raise Unreadable("no_engine")
        rating = int(match[1])
        kind = letters_of(re.sub(r"\((?:IS|Inner Sphere|Clan)\)|\bEngine\b", "", match[2], flags=re.I))
        if kind not in ENGINES or rating > LARGEST_RATING:
            self._doubt("engine")
        return rating, ENGINES.get(kind, "standard")

    def _heat_sinks(self) -> tuple[int, str]:
        said = self.head.get("heat sinks", "")
        match = re.fullmatch(r"([0-9]{1,2})\s*(?:(?:IS|Clan)\s+)?(.*)", said, flags=re.I)
        kind = letters_of(match[2]) if match else "?"
        count = int(match[1]) if match else 0
        if kind not in HEAT_SINKS or not FREE_HEAT_SINKS <= count <= MOST_HEAT_SINKS:
            self._doubt("heat sinks")
        return max(FREE_HEAT_SINKS, count), HEAT_SINKS.get(kind, "single")

    def _armor_tons(self, kind: str) -> Fraction:
        """Return the tons of armor, to the next half ton. Raises Unreadable (no_armor)."""
        points = self.sheet.armor.values()
        if not points or not all(re.fullmatch(r"[0-9]{1,3}", each) and int(each) <= MOST_ARMOR for each in points):
            raise Unreadable("no_armor")
        of_clan = "clan" in self.head["armor"].casefold() if "(" in self.head.get("armor", "") else self.tech == "clan"
        per_ton = POINTS_PER_TON[kind][of_clan]
        return Fraction(-(-2 * sum(map(int, points)) // per_ton), 2)

    def _actuators(self) -> Counter[str]:
        """Return how many of each actuator there are, by the names of the formula."""
        found: Counter[str] = Counter()
        for slots in self.sheet.slots.values():
            for slot in slots:
                letters = structure_of(slot, self.tech) or ""
                if letters.endswith("actuator"):
                    found[letters.removesuffix("actuator").replace("upper", "upper_").replace("lower", "lower_")] += 1
        return found

    def _open_leg_slots(self) -> tuple[int, int] | None:
        """Return the empty slots of left and right leg; None for anything but two legs with all their slots."""
        legs = [self.sheet.slots.get(place, []) for place in LEGS[:2]]
        if any(len(slots) < LEG_SLOTS for slots in legs) or not self.config.startswith("biped"):
            return None
        left, right = (sum(slot.casefold() == EMPTY for slot in slots[:LEG_SLOTS]) for slots in legs)
        return left, right
