"""The endpoints of matches: the asker's list, a new friendly match, one match, and its seats."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from django.utils.crypto import salted_hmac
from rest_framework.response import Response

from api import idempotency
from api.description import describes, example
from api.endpoint import idempotent, pages_of
from matches.api.answers import MatchOutput, MatchRowOutput
from matches.api.base import EXAMPLE, TOPIC, MatchEndpoint
from matches.api.forms import FriendlyMatchInput, MatchesQuery, RivalAwayInput
from matches.api.rows import match_rows, own_matches, that_wait_for
from matches.selectors.permissions import find_watched
from matches.services import absent, finishing, time_banks
from matches.services.beginning import open_seats
from matches.services.beginning.friendly import Wishes, misfits, start_friendly

ROW: dict[str, Any] = {
    "public_id": EXAMPLE["public_id"],
    "state": "playing",
    "format": "standard",
    "is_in_season": False,
    "sides": [
        {"side": "red", "name": "anna", "bot": None},
        {"side": "blue", "name": "blue", "bot": "greedy"},
    ],
    "own_sides": ["red"],
    "waiting_for": "red",
    "waits_for_me": True,
    "winner": None,
    "created_at": "3152-03-01T18:00:00Z",
    "finished_at": None,
}


class Matches(MatchEndpoint):
    """The matches in which the asker has a seat."""

    open_to_all = False

    @describes(
        "matches_list",
        "Your matches",
        TOPIC,
        answers=pages_of(MatchRowOutput),
        asks=MatchesQuery,
        examples=[example("One match", {"count": 1, "page": 1, "pages": 1, "results": [ROW]})],
    )
    def get(self, request: Any) -> Response:
        """Return the matches in which your account has a seat, the newest first, including those of seasons.

        With `waiting_for_me=true` return only those in which the open decision is yours, out of the hundred newest
        unfinished ones; with `false` return all others.
        """
        asked = self.asked(MatchesQuery)
        person = self.person()
        found: Any = own_matches(person)
        if "state" in asked:
            found = found.filter(state=asked["state"])
        if "waiting_for_me" in asked:
            waiting = that_wait_for(person, found)
            if asked["waiting_for_me"]:
                found = waiting
            else:
                found = found.exclude(pk__in=[match.pk for match in waiting])
        return self.page_of(found, asked, lambda rows: MatchRowOutput(match_rows(rows, person), many=True).data)

    @describes(
        "matches_create",
        "Begin a friendly match",
        TOPIC,
        answers=MatchOutput,
        status=201,
        sends=FriendlyMatchInput,
        examples=[
            example("Against the AI", {"format": "standard", "opponent": "greedy"}, sent=True),
            example("Begun", EXAMPLE, status=201),
        ],
    )
    @idempotent(atomic=False)
    def post(self, request: Any) -> Response:
        """Begin a match in which you play the first side, or with `self` all sides.

        Bots whose decisions come before yours have answered already. Your units begin without standing answers.
        409 for an arena, a ’Mech or a pilot that you cannot choose (`not_built_in`, `wished_class_differs`,
        `wished_pilot_differs`). 429 (`too_often`) for too many matches within an hour.
        """
        person = self.person()
        asked = self.sent(FriendlyMatchInput)
        wishes = Wishes(**asked)
        for refused in misfits(wishes).values():
            raise refused
        match = start_friendly(person, wishes, _named_by_key(self.request))
        return self.match_response(find_watched(person, match.public_id), status=201)


def _named_by_key(request: Any) -> UUID | None:
    """Return the id for the match that a request with an idempotency key begins; None without a key.

    The same account, key and request always give the same id, and nobody else can guess it. So there is only one match,
    even when the process dies before it keeps its answer. Raises Malformed (bad_field) for a bad key.
    """
    key = idempotency.key_of(request)
    if not key:
        return None
    text = f"{request.user.pk}:{key}:{idempotency.request_hash(request)}"
    return UUID(bytes=salted_hmac("api.match", text, algorithm="sha256").digest()[:16], version=4)


class MatchItself(MatchEndpoint):
    """One match."""

    @describes("matches_read", "A match", TOPIC, answers=MatchOutput, examples=[example("A match", EXAMPLE)])
    def get(self, request: Any, public_id: UUID) -> Response:
        """Return the state, the arena, the sides and who plays them, and the side whose decision is open.

        After the end return the result and the seed, too.
        """
        return self.match_response(self.watch(public_id))


class Seat(MatchEndpoint):
    """The seat that a friendly match keeps free."""

    def recheck_permission(self, **names: Any) -> None:
        # A person who came too late has no seat, and reads the same refusal again.
        self.watch(names["public_id"])

    @describes(
        "matches_seat_take",
        "Take the free seat",
        TOPIC,
        answers=MatchOutput,
        examples=[example("As it is now", EXAMPLE)],
    )
    @idempotent(atomic=False)
    def post(self, request: Any, public_id: UUID) -> Response:
        """Take the free seat and play. If you have a seat in the match already, nothing changes.

        409 when no seat is free, as when somebody was faster (`seat_taken`), and after the end (`match_over`).
        """
        watch = self.watch(public_id)
        open_seats.take(watch.match.pk, self.person())
        return self.match_response(self.watch(public_id))


class SeatForTheAI(MatchEndpoint):
    """The free seat, given to a bot."""

    @describes(
        "matches_seat_close",
        "Give the free seat to the AI",
        TOPIC,
        answers=MatchOutput,
        examples=[example("As it is now", EXAMPLE)],
    )
    @idempotent(atomic=False)
    def post(self, request: Any, public_id: UUID) -> Response:
        """Give the free seat of a match that you play to the AI, which answers its open decisions at once.

        409 when no seat is free (`seat_taken`), after the end (`match_over`), and when others play at the same moment
        (`stale_action`); then the AI has the seat.
        """
        watch = self.seated(public_id)
        open_seats.close(watch.match.pk)
        return self.fresh_match_response(watch)


class Finish(MatchEndpoint):
    """The rest of a match, given to the AI."""

    @describes(
        "matches_finish",
        "Give the rest of a match to the AI",
        TOPIC,
        answers=MatchOutput,
        examples=[example("As it is now", EXAMPLE)],
    )
    @idempotent(atomic=False)
    def post(self, request: Any, public_id: UUID) -> Response:
        """Let the AI play for you to the end. 403 unless all your opponents are bots.

        Against the bots “quick” and “strong” a worker does it: ask for the match until its `state` is `finished`. A
        finished match stays as it is. 409 (`stale_action`) when others play at the same moment.
        """
        watch = self.seated(public_id)
        finishing.finish_for(watch.match, self.person())
        return self.fresh_match_response(watch)


class ComeBack(MatchEndpoint):
    """The return of a player whose time ran out."""

    @describes(
        "matches_come_back",
        "Take your decisions back",
        TOPIC,
        answers=MatchOutput,
        examples=[example("As it is now", EXAMPLE)],
    )
    @idempotent(atomic=False)
    def post(self, request: Any, public_id: UUID) -> Response:
        """Take your decisions back from the AI before the round in which your time ran out is over.

        You get an hour for the rest of the round, or the time of a round if that is less. If your time has not run out,
        nothing changes.
        """
        watch = self.seated(public_id)
        time_banks.come_back(watch.match.pk, self.person().pk)
        return self.fresh_match_response(watch)


class RivalAway(MatchEndpoint):
    """A rival of a friendly match whose time ran out three times."""

    @describes(
        "matches_rival_away",
        "Decide about a rival who is away",
        TOPIC,
        answers=MatchOutput,
        sends=RivalAwayInput,
        examples=[example("The AI plays on", {"what": "ai"}, sent=True)],
    )
    @idempotent(atomic=False)
    def post(self, request: Any, public_id: UUID) -> Response:
        """Let the AI play on for the rivals in a friendly match whose time ran out three times, or surrender for one.

        409 (`time_not_run_out`) when there is no such rival, and to surrender also while the open decision is not
        theirs. 409 (`stale_action`, `match_over`) when somebody plays at the same moment.
        """
        watch = self.seated(public_id)
        asked = self.sent(RivalAwayInput)
        absent.decide(watch.match, self.person(), asked["what"])
        return self.fresh_match_response(watch)
