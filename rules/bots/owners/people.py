"""Invented people who own the stables of the AI: their names are drawn once a season and kept."""

from __future__ import annotations

from rules.core.dice import Dice

OWNERS = (
    "Ansa Quillon",
    "Bertil Okonjo-Reese",
    "Calla Wrenfield",
    "Dario Steinhoek",
    "Edda Malouf",
    "Fenn Abarquez",
    "Gitta Lindqvale",
    "Horatio Nakabe",
    "Ilse Vantongren",
    "Joss Parradine",
    "Kamala Thornquist",
    "Lucan Oyelaran-Beck",
    "Mirel Castavos",
    "Niall Dobrowen",
    "Orsolya Penhallick",
    "Piet Zamorra-Quist",
    "Quenna Halloway-Sato",
    "Rurik Amsterveen",
    "Saskia Bellamorte",
    "Tomas Ikande",
    "Ulla Fairweather-Roy",
    "Viggo Temperance",
    "Wanda Korolenkova",
    "Yusra Blackmere",
)
"""None of these people exists, here or in any book; a test holds that each name is there once."""


def draw_owners(dice: Dice) -> tuple[str, ...]:
    """Return all names in an order that the dice decide; the stable of number n belongs to the n-th (from 1)."""
    urn, order = list(OWNERS), []
    while urn:
        order.append(urn.pop(dice.draw(len(urn), "owner")))
    return tuple(order)
