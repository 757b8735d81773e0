"""The base of the endpoints of matches: it finds a match for a person who watches or plays it."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from django.urls import reverse
from rest_framework.exceptions import NotAuthenticated
from rest_framework.response import Response

from api.endpoint import Endpoint
from matches.api.answers import MatchOutput
from matches.api.rows import match_document
from matches.selectors.matches import find_match
from matches.selectors.permissions import Watch, find_watched
from people.models import User

TOPIC = "Matches"
PLAY = "Playing"
WATCH = "Watching"


class MatchEndpoint(Endpoint):
    """An endpoint of the list of matches, or of one match."""

    def recheck_permission(self, **names: Any) -> None:
        if "public_id" in names:
            self.seated(names["public_id"])

    def watch(self, public_id: UUID) -> Watch:
        """Return the match with the asker's sides and permissions; at most nine queries.

        Raises Http404 for an unknown match and for an asker who may not watch it.
        """
        return find_watched(self.request.user, public_id)

    def seated(self, public_id: UUID) -> Watch:
        """Return the match for an asker who plays one of its sides.

        Raises Http404 for an unknown match and for an asker who may not watch it, NotAuthenticated for a watcher who is
        not logged in, and PermissionDenied for one who is.
        """
        watch = self.watch(public_id)
        if not watch.sides:
            self.permission_denied(self.request)
        return watch

    def person(self) -> User:
        """Return the asker's account. Raises NotAuthenticated when there is none."""
        if not isinstance(self.request.user, User):
            raise NotAuthenticated
        return self.request.user

    def fresh_match_response(self, watch: Watch, status: int = 200) -> Response:
        """Read the match again and return an answer with it. Sides and permissions stay those of `watch`."""
        now = Watch(find_match(watch.match.public_id), watch.sides, watch.permissions, watch.key)
        return self.match_response(now, status)

    def match_response(self, watch: Watch, status: int = 200) -> Response:
        """Return an answer with the match. With the status 201 it has the match's address in `Location`."""
        document = match_document(watch, self.request.user, self.request.build_absolute_uri)
        headers = {"Location": reverse("api:match", args=[watch.match.public_id])} if status == 201 else {}
        return Response(MatchOutput(document).data, status=status, headers=headers)


EXAMPLE: dict[str, Any] = {
    "public_id": "5f0c1a52-3b9e-4c53-9a2e-0d6b2f1f7a10",
    "url": "/matches/5f0c1a52-3b9e-4c53-9a2e-0d6b2f1f7a10/",
    "state": "playing",
    "format": "standard",
    "arena": {"id": "factory", "name": "Factory"},
    "is_in_season": False,
    "rules_version": "1.0",
    "seconds_a_round": None,
    "sides": [
        {
            "side": "red",
            "name": "anna",
            "url": "",
            "seat": {"kind": "person", "account": "anna", "bot": None},
            "units": [{"id": "red-1", "name": "Panther", "pilot": "Mika Holt"}],
            "won": False,
            "result": None,
            "kept": None,
        },
        {
            "side": "blue",
            "name": "blue",
            "url": "",
            "seat": {"kind": "bot", "account": None, "bot": "greedy"},
            "units": [{"id": "blue-1", "name": "Jenner", "pilot": None}],
            "won": False,
            "result": None,
            "kept": None,
        },
    ],
    "own_sides": ["red"],
    "waiting_for": "red",
    "waits_for_me": True,
    "may_finish": True,
    "result": None,
    "seed_commitment": "9c02f1c5d3f7f5c86b7a2b3bb1c5b36e8f1d5f0e2a1b4c3d6e7f8091a2b3c4d5",
    "seed": None,
    "sharing": {"is_shared": False, "address": None},
    "created_at": "3152-03-01T18:00:00Z",
    "finished_at": None,
}

TURN_EXAMPLE: dict[str, Any] = {
    "state": "playing",
    "seen": "3f9a0c77d1be",
    "side": "red",
    "sides": ["red"],
    "waiting_for": "red",
    "decision": {"kind": "move", "unit": "red-1", "side": "red", "why": {}},
    "result": None,
}
MOVE_EXAMPLE: dict[str, Any] = {"unit": "red-1", "order": "move", "path": ["0402", "0503"], "facing": 4}
EVENT_EXAMPLE: dict[str, Any] = {
    "number": 41,
    "event": "moved",
    "sentence": "Panther walks to 0503 and faces 4.",
    "answered": "",
    "facts": {
        "event": "moved",
        "see": "all",
        "unit": "red-1",
        "path": ["0402", "0503"],
        "hex": "0503",
        "facing": 4,
        "mode": "walk",
    },
    "explanation": None,
}
