"""An arena in words, for those who do not see the picture: terrain and height of each hex, and what is in it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from django.utils.translation import gettext

from catalogue.presenters.arena_picture import HexView
from rules import wording
from web.languages.reader import translate
from web.languages.words import sort_key


@dataclass(frozen=True)
class Ground:
    """The hexes of one terrain and height, by their codes in order."""

    words: str
    codes: tuple[str, ...]


@dataclass(frozen=True)
class Place:
    """A hex with something in it: its code, its ground in words, and a sentence for each thing."""

    code: str
    ground: str
    things: tuple[str, ...]


@dataclass(frozen=True)
class ArenaWords:
    """Every hex of an arena: those with something in them one by one, and all of them by their ground."""

    places: tuple[Place, ...]
    grounds: tuple[Ground, ...]


def ground_words(view: HexView) -> str:
    """Return the terrain and height of a hex, and the starting area that it belongs to: "water, elevated terrain"."""
    height = ("", "elevated", "abrupt")[view.height]
    kinds = [kind for kind in (view.terrain, height) if kind and (kind != "clear" or not height)]
    words = ", ".join(wording.name(kind, translate) for kind in kinds)
    if view.start:
        words = gettext("%(ground)s, starting area %(letter)s") % {"ground": words, "letter": view.start}
    return words


def in_words(hexes: Iterable[HexView], things: Mapping[str, Sequence[str]]) -> ArenaWords:
    """Return the hexes in words. `things` has sentences by the code of their hex."""
    grounds: dict[str, list[str]] = {}
    places = []
    for view in sorted(hexes, key=lambda view: view.code):
        words = ground_words(view)
        grounds.setdefault(words, []).append(view.code)
        if view.code in things:
            places.append(Place(view.code, words, tuple(things[view.code])))
    by_words = sorted(grounds.items(), key=lambda ground: sort_key(ground[0]))
    return ArenaWords(tuple(places), tuple(Ground(words, tuple(codes)) for words, codes in by_words))
