"""The sides of a match: the names of its units, and who plays each side."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from matches.host import Surroundings
from matches.models import Match, MatchSeat
from matches.text import match as words
from rules.wording.isolation import isolated, name_of
from web.crumbs import Link


@dataclass(frozen=True)
class SideView:
    """One side: its people, its units, and its part of the result (None before the end).

    `url` is the page of its people, `bot` the name of the bot in its seat, `program` the account of a program that
    plays it; each may be empty. `kept` is the reputation that it keeps, None when that is what it earned and before the
    end.
    """

    key: str
    index: int
    colour: str
    name: str
    url: str
    bot: str
    program: str
    units: tuple[str, ...]
    result: Mapping[str, Any] | None
    won: bool
    kept: int | None

    @property
    def known_as(self) -> str:
        """The side's name and colour, or the colour alone for a side without a name of its own."""
        return self.name if self.name == self.colour else f"{self.name} ({self.colour})"


def names_in(setup: Mapping[str, Any]) -> dict[str, str]:
    """Return the names of units, sides, pilots, cards and target tokens by their ids in the match.

    Units with the same name get their stable added, or without one their side (O-S7), and a number where that is the
    same too. Cards and tokens that an observation hides have no entry.
    """
    units = {
        loadout["id"]: (name_of(loadout["unit"]), isolated(_whose(side, loadout)))
        for side in setup["sides"]
        for loadout in side["units"]
    }
    known = Counter(name for name, _ in units.values())
    seen: Counter[tuple[str, str]] = Counter()
    names = {}
    for key, (name, whose) in units.items():
        seen[name, whose] += 1
        copy = f" #{seen[name, whose]}" if seen[name, whose] > 1 else ""
        names[key] = f"{name}{copy} ({whose})" if known[name] > 1 else name
    pilots = {
        loadout["pilot"]["id"]: loadout["pilot"]["name"]
        for side in setup["sides"]
        for loadout in side["units"]
        if loadout.get("pilot")
    }
    cards = {
        card["id"]: card["name"]
        for side in setup["sides"]
        for loadout in side["units"]
        for card in (*(loadout.get("gear") or ()), *(loadout.get("hand") or ()))
        if not card.get("hidden")
    }
    tokens = [token for side in setup["sides"] for token in side.get("tokens") or ()]
    numbered = {f"t{number}": token["name"] for number, token in enumerate(tokens, start=1) if not token.get("hidden")}
    given = numbered | pilots | cards | names
    return {key: isolated(name) for key, name in given.items()} | {
        side["id"]: words.heading(words.SIDES, side["id"]) for side in setup["sides"]
    }


@dataclass(frozen=True)
class Opponent:
    """A side as a list of matches names it: its stables, player, bot or colour, and its units."""

    name: str
    units: tuple[str, ...]

    @property
    def shown(self) -> str:
        """The name for pages, which keeps its direction among other words."""
        return isolated(self.name)


def opponents_in(match: Match) -> tuple[Opponent, ...]:
    """Return who meets in a match, in the order of its setup; no query on a match with its seats and their players.

    A side of a season is named by its stables, any other by its player, its bot or, while its seat is free, its colour.
    """
    seats = {seat.side: seat for seat in match.seats.all()}
    players = _players(match, seats)
    found = []
    for side in match.setup["sides"]:
        seat = seats.get(side["id"])
        player = players.get(side["id"], "")
        bot = words.bot_name(seat.bot) if seat is not None else ""
        name = side.get("name") or player or bot or words.heading(words.SIDES, side["id"])
        units = tuple(isolated(str(loadout["unit"]["name"])) for loadout in side["units"])
        found.append(Opponent(str(name), units))
    return tuple(found)


def _players(match: Match, seats: Mapping[str, MatchSeat]) -> dict[str, str]:
    """Return the names of people by side. A person who plays several sides at one screen names the first one only."""
    found: dict[str, str] = {}
    for side in match.setup["sides"]:
        seat = seats.get(side["id"])
        name = seat.user.get_username() if seat is not None and seat.user is not None else ""
        if name and name not in found.values():
            found[side["id"]] = name
    return found


def _whose(side: Mapping[str, Any], loadout: Mapping[str, Any]) -> str:
    """Return the stable of a unit in a setup; in a match without stables its side's name or colour."""
    return str(loadout.get("owner") or side.get("name") or words.heading(words.SIDES, side["id"]))


def side_views(match: Match, surroundings: Surroundings) -> tuple[SideView, ...]:
    """Return the sides of a match from `find_match`, in the order of its setup."""
    seats = {seat.side: seat for seat in match.seats.all()}
    players = _players(match, seats)
    result = match.result or {}
    views = []
    for index, side in enumerate(match.setup["sides"]):
        key = side["id"]
        seat = seats.get(key)
        colour = words.heading(words.SIDES, key)
        own = result.get("sides", {}).get(key)
        kept = surroundings.kept.get(key)
        known = surroundings.sides.get(key) or Link(
            players.get(key) or isolated(str(side.get("name") or words.bot_name(seat.bot if seat else "") or colour))
        )
        views.append(
            SideView(
                key=key,
                index=index,
                colour=colour,
                name=known.label,
                url=known.url,
                bot=seat.bot if seat else "",
                program=surroundings.programs.get(key, ""),
                units=tuple(isolated(loadout["unit"]["name"]) for loadout in side["units"]),
                result=own,
                won=bool(result) and result.get("winner") == key,
                kept=kept if own is not None and kept != own["reputation"] else None,
            )
        )
    return tuple(views)
