"""Portals of those who enter: drawn at a real table, drawn here, or chosen when a pilot's turn comes (MC-SETUP)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from rules.challenge.folding import ChallengeRefused
from rules.challenge.initiative import Draw, chooses_portal, drawn_from
from rules.challenge.state import Pilot


class Given(NamedTuple):
    """Portals that have been given, in their order, and who waits: first of them one who has to choose."""

    portals: Mapping[str, str]
    waiting: tuple[str, ...] = ()


def drawn_order(pilots: Mapping[str, Pilot], chosen: Mapping[str, str], draw: Draw) -> list[str]:
    """Return pilots in the order in which they get their portals, drawn as initiative is (MC-SETUP-03).

    Whose portal was drawn at a real table comes first: that portal is taken.
    """
    names = list(pilots)
    order = [names[place] for place in drawn_from(range(len(names)), draw)]
    return sorted(order, key=lambda name: name not in chosen or chooses_portal(pilots[name]))


def given_portals(
    order: Sequence[str], pilots: Mapping[str, Pilot], free: Sequence[str], chosen: Mapping[str, str], draw: Draw
) -> Given:
    """Give one portal to each pilot in this order (MC-SETUP-01, MC-SETUP-02).

    It ends before a pilot who chooses, unless they have said which portal, or one alone is left. Raises
    ChallengeRefused (portals_too_few, portal_taken).
    """
    left, found = list(free), dict[str, str]()
    if len(order) > len(left):
        raise ChallengeRefused("portals_too_few", free=len(left), pilots=len(order))
    for place, name in enumerate(order):
        chooses, portal = chooses_portal(pilots[name]), chosen.get(name, "")
        if chooses and portal not in left and len(left) > 1:
            return Given(found, tuple(order[place:]))
        portal = left[0] if chooses and portal not in left else portal or left[draw(len(left))]
        if portal not in left:
            raise ChallengeRefused("portal_taken", portal=portal)
        left.remove(portal)
        found[name] = portal
    return Given(found)
