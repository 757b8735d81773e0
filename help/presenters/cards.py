"""The content of the pages of special equipment, heat effects, formats, abilities, gear and rally cards. No queries.

Gear, pilots and rally cards are those that come with the game; a season with a collection may have others.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from django.urls import reverse
from django.utils.safestring import SafeString
from django.utils.translation import gettext, pgettext

from catalogue.presenters.definitions import modifiers_text, requirement_text
from catalogue.text import labels
from catalogue.text.marks import EQUIPMENT_MARKS, HEAT_MARKS, Mark
from help.presenters.rules import exact_words
from help.text.content.cards import EQUIPMENT_WORDS, FORMAT_RULES, FORMAT_WORDS, HEAT_RULES, HEAT_WORDS
from rules.catalogue.loader import Catalogue, load_builtin
from rules.core.equipment import EQUIPMENT
from rules.core.pilot_hooks import ABILITIES
from rules.core.words import HEAT_EFFECTS
from rules.solaris.house_rules import ROUNDS_BY_FORMAT
from rules.wording import CARD_TEXTS, name, requirement
from web.languages.reader import translate
from web.languages.words import sort_key


@dataclass(frozen=True)
class Piece:
    """A special equipment or heat effect: its mark on a drawn dial, its use (`words`), and its rule's id and text
    (`exact`). `is_inert` says that it does nothing in the arena.
    """

    key: str
    name: str
    mark: Mark
    colour: str
    words: str
    exact: SafeString
    rule: str
    is_optional: bool = True
    is_inert: bool = False


@dataclass(frozen=True)
class PieceGroup:
    """Pieces of one place on a dial."""

    place: str
    title: str
    pieces: tuple[Piece, ...]


def equipment_groups() -> list[PieceGroup]:
    """Return every special equipment, grouped by its place on the dial, in the order of EQUIPMENT."""
    places = dict.fromkeys(row.place for row in EQUIPMENT.values())
    return [PieceGroup(place, _place(place), tuple(_equipment(place))) for place in places]


def _place(place: str) -> str:
    titles = {
        "ballistic": gettext("On a ballistic damage value"),
        "energy": gettext("On an energy damage value"),
        "melee": gettext("On a melee damage value"),
        "speed": gettext("On the speed value"),
        "attack": gettext("On the attack value"),
        "defense": gettext("On the defense value"),
    }
    return titles[place]


def _equipment(place: str) -> Iterable[Piece]:
    for key, row in EQUIPMENT.items():
        if row.place == place:
            mark = EQUIPMENT_MARKS[key]
            yield Piece(
                key=key,
                name=labels.name(key),
                mark=mark,
                colour=labels.colour(mark.colour),
                words=str(EQUIPMENT_WORDS[key]),
                exact=exact_words(row.rule, 1),
                rule=row.rule,
                is_optional=row.optional,
                is_inert=row.is_inert,
            )


def heat_groups() -> list[PieceGroup]:
    """Return every heat effect, grouped by its place on the dial, in the order of HEAT_EFFECTS."""
    return [
        PieceGroup(
            place,
            _place(place),
            tuple(
                Piece(
                    key=key,
                    name=labels.name(key),
                    mark=HEAT_MARKS[key],
                    colour=labels.colour(HEAT_MARKS[key].colour),
                    words=str(HEAT_WORDS[key]),
                    exact=exact_words(HEAT_RULES[key], 2),
                    rule=HEAT_RULES[key],
                )
                for key in keys
            ),
        )
        for place, keys in HEAT_EFFECTS.items()
    ]


@dataclass(frozen=True)
class FormatView:
    """A format: its name, a sentence about it, its time in rounds, and the rules of this format alone as (id, text)."""

    key: str
    name: str
    words: str
    rounds: int
    rules: tuple[tuple[str, SafeString], ...]


def formats() -> list[FormatView]:
    """Return the six formats in the order of the cycles."""
    return [
        FormatView(
            key,
            name(key, translate),
            str(words),
            ROUNDS_BY_FORMAT[key],
            tuple((rule, exact_words(rule)) for rule in FORMAT_RULES[key]),
        )
        for key, words in FORMAT_WORDS.items()
    ]


@dataclass(frozen=True)
class Ability:
    """A pilot's ability or a rally card's effect, and the cards that have it, as (id, name, address). `requires` says
    when the card may be played, "" for abilities.
    """

    key: str
    name: str
    text: str
    requires: str
    cards: tuple[tuple[str, str, str], ...]


@lru_cache(maxsize=1)
def game_catalogue() -> Catalogue:
    """Return the catalogue that comes with the game, read once in each process."""
    return load_builtin()


def abilities() -> list[Ability]:
    """Return every ability of a pilot, in order of name, with the pilots that have it."""
    pilots = game_catalogue().pilots
    found = [
        Ability(key, name(key, translate), translate(CARD_TEXTS[key]), "", _having(pilots, key)) for key in ABILITIES
    ]
    return sorted(found, key=lambda ability: sort_key(ability.name))


def _having(pilots: Mapping[str, Mapping[str, Any]], ability: str) -> tuple[tuple[str, str, str], ...]:
    return tuple(
        (key, pilot["name"], reverse("catalogue:pilots_page", args=[key]))
        for key, pilot in pilots.items()
        if pilot["ability"] == ability
    )


def rally_cards() -> list[Ability]:
    """Return every rally card of the game in order of id; `key` is the id of the card."""
    return [
        Ability(
            key,
            card["name"],
            translate(CARD_TEXTS[card["ability"]]),
            requirement(card["requires"], translate),
            ((key, card["name"], reverse("catalogue:rally_cards_page", args=[key])),),
        )
        for key, card in game_catalogue().rally_cards.items()
    ]


@dataclass(frozen=True)
class Gear:
    """A gear card in words. `equipment` is the key of the special equipment that it gives, "" for none."""

    key: str
    name: str
    address: str
    points: int
    fits: str
    sits_on: str
    modifiers: str
    equipment: str
    equipment_name: str


def gear() -> list[Gear]:
    """Return every gear card of the game in order of id."""
    return [
        Gear(
            key,
            card["name"],
            reverse("catalogue:gear_page", args=[key]),
            card["points"],
            requirement_text(card["requires"]) or pgettext("units that a card fits", "every unit"),
            labels.name(card["slot"]),
            modifiers_text(card),
            card["equipment"] or "",
            labels.name(card["equipment"] or ""),
        )
        for key, card in game_catalogue().gear.items()
    ]
