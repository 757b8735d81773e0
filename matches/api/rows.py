"""The JSON of matches for one reader: rows of the reader's list, a whole match, its open decision, its events."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import asdict
from typing import Any

from django.db.models import QuerySet
from django.urls import reverse

from matches.host import Surroundings, surroundings_of
from matches.models import Match, MatchSeat
from matches.presenters.live import LiveEvent
from matches.selectors.matches import free_seat, sides_of
from matches.selectors.permissions import Watch
from matches.selectors.sides import SideView, side_views
from matches.services.finishing import may_finish
from matches.services.programs import Turn, stage_of, turn_of, waiting_sides
from people.models import User

SURROUNDED_BY_NOTHING = Surroundings()

MOST_OPEN = 100
"""How many of a person's newest unfinished matches are searched for those that wait for the person."""


def own_matches(user: User) -> QuerySet[Match]:
    """Return the matches in which a person has a seat, with all seats and their players, the newest first."""
    own = MatchSeat.objects.filter(user=user).values("match_id")
    return Match.objects.filter(pk__in=own).prefetch_related("seats__user").order_by("-id")


def that_wait_for(user: User, matches: QuerySet[Match]) -> list[Match]:
    """Return those of a person's `matches`, from `own_matches`, whose open decision is theirs; at most four queries.

    Only the newest MOST_OPEN unfinished ones are searched. A match with a free seat waits for no decision.
    """
    running = list(matches.exclude(state__in=Match.OVER)[:MOST_OPEN])
    asked = waiting_sides(running)
    return [match for match in running if asked[match.pk] in sides_of(match, user) and free_seat(match) is None]


def match_rows(matches: Sequence[Match], user: User) -> Iterable[dict[str, Any]]:
    """Return the rows of a person's list, for matches fetched with seats and players; one query at most."""
    asked = waiting_sides(matches)
    return [_row(match, user, asked[match.pk]) for match in matches]


def _row(match: Match, user: User, asked: str) -> dict[str, Any]:
    own = sides_of(match, user)
    seats = {seat.side: seat for seat in match.seats.all()}
    names = {view.key: view for view in side_views(match, SURROUNDED_BY_NOTHING)}
    return {
        "public_id": match.public_id,
        "state": match.state,
        "format": match.setup["format"],
        "is_in_season": match.fixture_key is not None,
        "sides": [
            {
                "side": side["id"],
                "name": _row_name(match, side, names[side["id"]]),
                "bot": seats[side["id"]].bot or None if side["id"] in seats else None,
            }
            for side in match.setup["sides"]
        ],
        "own_sides": list(own),
        "waiting_for": asked or None,
        "waits_for_me": asked in own and free_seat(match) is None,
        "winner": (match.result or {}).get("winner"),
        "created_at": match.created_at,
        "finished_at": match.finished_at,
    }


def _row_name(match: Match, side: dict[str, Any], view: SideView) -> str:
    """Return the name of a side. In a season it is that of its stables, or the side's colour, but no person's name."""
    if match.fixture_key is not None:
        return str(side.get("name") or view.colour)
    return view.name


def match_document(watch: Watch, user: Any, site: Any) -> dict[str, Any]:
    """Return the document of a match for the person who watches it, `user`. `site` makes an address absolute.

    Raises Malformed or IllegalAction when the present rules cannot play the match again.
    """
    match = watch.match
    surroundings = surroundings_of(match).for_guests() if watch.is_guest else surroundings_of(match)
    asked = turn_of(match, watch.sides)
    arena = match.setup["arena"]
    return {
        "public_id": match.public_id,
        "url": match.get_absolute_url(),
        "state": match.state,
        "format": match.setup["format"],
        "arena": {"id": str(arena.get("id", "")), "name": str(arena.get("name") or arena.get("id", ""))},
        "is_in_season": match.fixture_key is not None,
        "rules_version": match.rules_version,
        "seconds_a_round": match.seconds_a_round,
        "sides": [_side(match, view) for view in side_views(match, surroundings)],
        "own_sides": list(watch.sides),
        "waiting_for": asked.waiting_for,
        "waits_for_me": asked.is_own and free_seat(match) is None,
        "may_finish": may_finish(match, user),
        "result": match.result,
        "seed_commitment": match.seed_commitment,
        "seed": match.revealed_seed,
        "sharing": _sharing(watch, site),
        "created_at": match.created_at,
        "finished_at": match.finished_at,
    }


def _side(match: Match, view: SideView) -> dict[str, Any]:
    loadouts = next(side["units"] for side in match.setup["sides"] if side["id"] == view.key)
    return {
        "side": view.key,
        "name": view.name,
        "url": view.url,
        "seat": _seat(match, view),
        "units": [
            {
                "id": loadout["id"],
                "name": loadout["unit"]["name"],
                "pilot": (loadout.get("pilot") or {}).get("name"),
            }
            for loadout in loadouts
        ],
        "won": view.won,
        "result": None if view.result is None else dict(view.result),
        "kept": view.kept,
    }


def _seat(match: Match, view: SideView) -> dict[str, Any]:
    held = next((seat for seat in match.seats.all() if seat.side == view.key), None)
    person = held.user if held is not None else None
    is_free = match.fixture_key is None and not match.is_over
    if view.program:
        return {"kind": "program", "account": view.program, "bot": None}
    if person is not None:
        account = person.get_username() if match.fixture_key is None else None
        return {"kind": "person", "account": account, "bot": None}
    if view.bot:
        return {"kind": "bot", "account": None, "bot": view.bot}
    return {"kind": "open" if held is not None and is_free else "nobody", "account": None, "bot": None}


def _sharing(watch: Watch, site: Any) -> dict[str, Any] | None:
    if not watch.may_share:
        return None
    key = watch.match.share_key
    return {
        "is_shared": key is not None,
        "address": None if key is None else site(reverse("matches:shared_show", args=[key])),
    }


def turn_document(asked: Turn) -> dict[str, Any]:
    """Return the document of a turn: the side that decides, and the decision, None unless it is the asker's own."""
    return {
        "state": asked.state,
        "seen": asked.version,
        "side": asked.side,
        "sides": list(asked.sides),
        "waiting_for": asked.waiting_for,
        "decision": asked.decision,
        "result": asked.match.result,
    }


def stage_document(asked: Turn, part: dict[str, Any]) -> dict[str, Any]:
    """Return the document of a turn, with the options that continue `part` of an action and the key of the choice."""
    stage = stage_of(asked, part)
    return {**turn_document(asked), "key": stage.key, "options": list(stage.options)}


def event_documents(events: Iterable[LiveEvent]) -> list[dict[str, Any]]:
    """Return the documents of events, with the fields of MatchEventOutput."""
    return [
        {
            "number": each.number,
            "event": each.event,
            "sentence": each.sentence,
            "answered": each.answered,
            "facts": each.facts,
            "explanation": None if each.explanation is None else asdict(each.explanation),
        }
        for each in events
    ]
