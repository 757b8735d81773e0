"""The units of a match to look at: photos of their owners' miniatures, silhouettes where there is none."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from django.urls import reverse

from catalogue.presenters.miniatures import Miniature, miniature_of
from catalogue.selectors.miniatures import versions_of
from matches.host import Surroundings
from matches.models import Match
from matches.selectors.sides import SideView

Loadout = Mapping[str, Any]


def miniatures_in(
    match: Match,
    surroundings: Surroundings,
    sides: Iterable[SideView],
    address: Callable[[str], str] | None = None,
) -> dict[str, Miniature]:
    """Return the units of a match from `find_match` by their ids; one query, none where no person has units.

    `address` makes the address of a photo from the id of its unit; None takes the match's own.
    """
    at = address or (lambda unit: reverse("matches:unit_photo", args=[match.public_id, unit]))
    names = {view.key: view.name for view in sides}
    owned = list(_owned(match, surroundings))
    owners = {owner for _, _, owner in owned if owner is not None}
    versions = versions_of(owners, {loadout["unit"]["id"] for _, loadout, owner in owned if owner is not None})
    found = {}
    for side, loadout, owner in owned:
        version = "" if owner is None else versions.get((owner, loadout["unit"]["id"]), "")
        whose = loadout.get("owner") or names[side]
        found[loadout["id"]] = miniature_of(loadout["unit"], whose, version and at(loadout["id"]) + version)
    return found


def owner_in(match: Match, surroundings: Surroundings, unit: str) -> tuple[int | None, str]:
    """Return the id of the person who owns a unit of the match, and the unit's id in the catalogue.

    (None, "") for an unknown unit; None for one that no person owns. No query.
    """
    found = (
        (owner, loadout["unit"]["id"]) for _, loadout, owner in _owned(match, surroundings) if loadout["id"] == unit
    )
    return next(found, (None, ""))


def _owned(match: Match, surroundings: Surroundings) -> Iterator[tuple[str, Loadout, int | None]]:
    """Yield each unit with its side and the person who owns it: of a stable its owner, otherwise who has the seat."""
    seats = {seat.side: seat.user_id for seat in match.seats.all()}
    for side in match.setup["sides"]:
        stables = surroundings.owners.get(side["id"])
        for loadout in side["units"]:
            if stables is None:
                owner = seats.get(side["id"])
            elif len(stables) == 1:
                owner = next(iter(stables.values()))
            else:
                owner = stables.get(loadout.get("owner") or "")
            yield side["id"], loadout, owner
