"""Line-ups that let a whole catalogue play, arenas included: what has taken part least comes first.

Each match is built around something that has not taken part yet, so that as many matches as the catalogue has entries
are always enough, and far fewer in practice.
"""

import random
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from rules.catalogue import Catalogue, load_builtin
from rules.competition.formats import format_of
from rules.competition.formats.grand_melee import SIDES_ON_ONE_MAP, assemble
from rules.competition.setups import read_setup
from rules.competition.state.setup import MatchSetup
from rules.measuring.self_play import SIDES, TokenTrios
from rules.solaris.building import Combatant, card_problems, class_of, takes_cards
from rules.tools.bench import SETUPS

Card = dict[str, Any]
Item = tuple[str, str]
"""A kind of the catalogue and an id."""

KINDS = ("units", "pilots", "gear", "rally_cards", "target_tokens", "arenas")
DAMAGE_SIDES = ("primary", "secondary")
MOST_CARDS_HELD = 3


class Dealer:
    """Deals setups; `used` counts in how many matches each entry has taken part."""

    def __init__(self, catalogue: Catalogue, seed: object) -> None:
        self.catalogue = catalogue
        self.rng = random.Random(f"line-ups/{seed}")
        self.used: Counter[Item] = Counter()
        self.trios: dict[str, list[list[Card]]] = {}
        self._pilots: dict[str, list[Card]] = {}
        self._ways: dict[Item, list[Card]] = {}
        for trio in TokenTrios(catalogue):
            for token in trio:
                self.trios.setdefault(token["id"], []).append(trio)

    def missing(self) -> list[Item]:
        """What has not taken part in any match."""
        return [(kind, key) for kind in KINDS for key in self.catalogue.of_kind(kind) if not self.used[kind, key]]

    def deal(self, format_key: str, wanted: Item | None = None) -> MatchSetup:
        """A match of units of one class around `wanted`, by default something that has not taken part yet."""
        match_format = format_of(format_key)
        if wanted is None:
            fitting = (item for item in self.missing() if item[0] != "target_tokens" or match_format.has_tokens)
            wanted = next(fitting, None)
        first = self._combatant_with(wanted)
        units_each = match_format.units[1] if match_format.units[1] <= 2 else 1
        count = self.rng.choice((4, 6, 8)) if match_format.units == (1, 1) else 2
        names = SIDES if count == 2 else tuple(f"side{number + 1}" for number in range(count))
        sides = []
        for side in names:
            team = [first] if side == names[0] else []
            while len(team) < units_each:
                team.append(self._combatant(class_of(first.unit), [one.pilot for one in team if one.pilot]))
            sides.append(self._side(side, team, wanted, match_format.has_tokens))
        return read_setup({"format": format_key, "arena": self._ground(count), "sides": sides})

    def count(self, setup: MatchSetup, tokens: Iterable[str]) -> None:
        """Note that all of a setup has taken part, and these of its tokens: those that lay in the arena."""
        for side in setup.sides:
            for loadout in side.units:
                self.used["units", str(loadout.unit["id"])] += 1
                if loadout.pilot:
                    self.used["pilots", str(loadout.pilot["id"])] += 1
                self.used.update(("gear", str(card["id"])) for card in loadout.gear)
                self.used.update(("rally_cards", str(card["id"])) for card in loadout.hand)
        self.used.update(("target_tokens", token) for token in tokens)

    # --- one choice -------------------------------------------------------------------------------------------------

    def _least(self, kind: str, cards: Sequence[Card]) -> Card:
        """Of these the one that has taken part least, by chance among equals."""
        least = min(self.used[kind, str(card["id"])] for card in cards)
        return self.rng.choice([card for card in cards if self.used[kind, str(card["id"])] == least])

    def _combatant_with(self, wanted: Item | None) -> Combatant:
        """A combatant with this unit, pilot or gear; AssertionError when no unit of the catalogue can take the card."""
        kind, key = wanted or ("", "")
        units = list(self.catalogue.units.values())
        if kind == "units":
            return self._equipped(self.catalogue.units[key], [])
        if kind == "pilots":
            pilot = self.catalogue.pilots[key]
            preferred = (pilot.get("alternative") or {}).get("unit")
            takers = [unit for unit in units if not card_problems(Combatant(unit, pilot))]
            assert takers, f"no unit of the catalogue takes the pilot {key}"
            liked = [unit for unit in takers if unit["id"] == preferred]
            return self._equipped(self._least("units", liked or takers), [], pilot=pilot)
        if kind == "gear":
            takers = [unit for unit in units if self._ways_of(unit, self.catalogue.gear[key])]
            assert takers, f"no unit of the catalogue takes the gear {key}"
            unit = self._least("units", takers)
            return self._equipped(unit, [], gear=self.rng.choice(self._ways_of(unit, self.catalogue.gear[key])))
        return self._equipped(self._least("units", units), [])

    def _combatant(self, weight_class: str | None, others: Sequence[Mapping[str, Any]]) -> Combatant:
        units = [unit for unit in self.catalogue.units.values() if class_of(unit) == weight_class]
        return self._equipped(self._least("units", units), others)

    def _equipped(
        self, unit: Card, others: Sequence[Mapping[str, Any]], pilot: Card | None = None, gear: Card | None = None
    ) -> Combatant:
        """The unit with one pilot and one gear card, or two gear cards, as far as any fit; some cards stay away.

        `others` are pilots of the same side, who do not come twice.
        """
        if not takes_cards(unit):
            return Combatant(unit)
        cards = [gear] if gear else []
        wants_pilot = pilot is not None or self.rng.random() < 0.8
        if wants_pilot and pilot is None:
            free = [one for one in self._pilots_of(unit) if all(one["id"] != other["id"] for other in others)]
            pilot = self._least("pilots", free) if free else None
        while len(cards) + (pilot is not None) < 2 and self.rng.random() < 0.8:
            fitting = [way for card in self.catalogue.gear.values() for way in self._ways_of(unit, card)]
            if cards:
                fitting = [way for way in fitting if not card_problems(Combatant(unit, pilot, [*cards, way]))]
            if not fitting:
                break
            cards.append(self._least("gear", fitting))
        return Combatant(unit, pilot, cards)

    def _pilots_of(self, unit: Card) -> list[Card]:
        """The pilots who can sit in this unit."""
        key = str(unit["id"])
        if key not in self._pilots:
            pilots = self.catalogue.pilots.values()
            self._pilots[key] = [pilot for pilot in pilots if not card_problems(Combatant(unit, pilot))]
        return self._pilots[key]

    def _ways_of(self, unit: Card, card: Card) -> list[Card]:
        """The ways in which this unit can take this gear: a two-sided card once for each side that fits."""
        key = str(unit["id"]), str(card["id"])
        if key not in self._ways:
            ways = [{**card, "side": side} for side in DAMAGE_SIDES] if card["slot"] == "either" else [card]
            self._ways[key] = [way for way in ways if not card_problems(Combatant(unit, None, [way]))]
        return self._ways[key]

    def _ground(self, sides: int) -> Card:
        """The arena that has been played on least; the four least for more sides than one holds (R-FMT-21)."""
        chosen = self._several("arenas", 1 if sides <= SIDES_ON_ONE_MAP else 4, None)
        self.used.update(("arenas", str(arena["id"])) for arena in chosen)
        return chosen[0] if sides <= SIDES_ON_ONE_MAP else assemble((chosen * 4)[:4])

    def _side(self, name: str, team: Sequence[Combatant], wanted: Item | None, has_tokens: bool) -> dict[str, Any]:
        """A side of a setup: hands without copies, some units damaged, three target tokens."""
        hand = self._several("rally_cards", min(MOST_CARDS_HELD * len(team), len(self.catalogue.rally_cards)), wanted)
        units = []
        for number, combatant in enumerate(team):
            units.append(
                {
                    "id": name if len(team) == 1 else f"{name}-{number + 1}",
                    "unit": combatant.unit,
                    "pilot": combatant.pilot,
                    "gear": list(combatant.gear),
                    "hand": hand[number * MOST_CARDS_HELD : (number + 1) * MOST_CARDS_HELD],
                    "clicks": self.rng.choice((0, 0, 1, len(combatant.unit["dial"]) // 2)),
                }
            )
        return {"id": name, "units": units, "tokens": self._trio(wanted) if has_tokens else []}

    def _several(self, kind: str, count: int, wanted: Item | None) -> list[Card]:
        """So many different cards of a kind, the wanted one and those that have taken part least first."""
        cards = list(self.catalogue.of_kind(kind).values())
        self.rng.shuffle(cards)

        def place(card: Card) -> tuple[bool, int]:
            return (kind, card["id"]) != wanted, self.used[kind, str(card["id"])]

        return sorted(cards, key=place)[:count]

    def _trio(self, wanted: Item | None) -> list[Card]:
        """Three target tokens worth 30 together: the wanted one, or one that has lain in arenas least, and two more."""
        if wanted is not None and wanted[0] == "target_tokens":
            key = wanted[1]
            assert key in self.trios, f"no three tokens with {key} are worth 30 together"
        else:
            key = self._least("target_tokens", [self.catalogue.target_tokens[one] for one in self.trios])["id"]

        def worn(trio: list[Card]) -> int:
            return sum(self.used["target_tokens", str(token["id"])] for token in trio)

        least = min(map(worn, self.trios[key]))
        return self.rng.choice([trio for trio in self.trios[key] if worn(trio) == least])


def equipped(format_key: str, sides: int) -> list[MatchSetup]:
    """Matches of the built-in catalogue with gear and rally cards, as many as a scene of `rules.tools.bench` has,
    always the same ones."""
    dealer = Dealer(load_builtin(), f"bench/{format_key}")
    found: list[MatchSetup] = []
    while len(found) < SETUPS:
        setup = dealer.deal(format_key)
        dealer.count(setup, ())
        if len(setup.sides) == sides:
            found.append(setup)
    return found
