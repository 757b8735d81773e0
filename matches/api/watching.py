"""The endpoints of watching: the visible position, events, live news, and the replay of a finished match."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any
from uuid import UUID

from drf_spectacular.utils import OpenApiResponse
from rest_framework.response import Response

import rules
from api.description import PROBLEMS, describes, example
from api.fields import Problem
from matches.api.answers import (
    FindingOutput,
    LiveOutput,
    MatchEventsOutput,
    ObservationOutput,
    ReplayOutput,
)
from matches.api.base import EVENT_EXAMPLE, EXAMPLE, TURN_EXAMPLE, WATCH, MatchEndpoint
from matches.api.forms import EventsQuery, LiveQuery, ObservationQuery, ReplayQuery
from matches.api.rows import event_documents, turn_document
from matches.presenters import live
from matches.presenters.replaying.verifying import finding_on
from matches.selectors.matches import free_seat, replay_document, stored_steps
from matches.selectors.permissions import Watch
from matches.services.programs import turn_of, waiting_sides
from rules.core.refusals import Refused
from web.problems import PROBLEM_TYPE

NOT_YET = {(409, PROBLEM_TYPE): OpenApiResponse(Problem, description=PROBLEMS[409])}


class Observed(MatchEndpoint):
    """The position, as far as the asker may see it."""

    @describes(
        "matches_observation",
        "What you may see of a match",
        WATCH,
        answers=ObservationOutput,
        asks=ObservationQuery,
        examples=[
            example(
                "A beginning",
                {
                    **TURN_EXAMPLE,
                    "cursor": "41.5d2c11aa90fe",
                    "observation": {"schema": 1, "side": "red", "setup": {}, "snapshot": {}, "events": []},
                },
            )
        ],
    )
    def get(self, request: Any, public_id: UUID) -> Response:
        """Return the match as the engine lets your side observe it; a spectator gets what everybody may see.

        It leaves out face-down target tokens, the hands of others, and the questions to others. 403 for a side that
        you do not play.
        """
        asked = self.asked(ObservationQuery)
        watch = self.watch(public_id)
        found = turn_of(watch.match, watch.sides)
        side = asked.get("side", found.side)
        if side is not None and side not in watch.sides:
            self.permission_denied(self.request)
        return Response(
            {
                **turn_document(found),
                "side": side,
                "cursor": live.cursor_of(watch.match, watch.sides),
                "observation": found.engine.observe(side).to_json(),
            }
        )


class Events(MatchEndpoint):
    """The events of a match."""

    @describes(
        "matches_events",
        "The events of a match",
        WATCH,
        answers=MatchEventsOutput,
        asks=EventsQuery,
        examples=[example("One event", {"count": 41, "next": None, "results": [EVENT_EXAMPLE]})],
    )
    def get(self, request: Any, public_id: UUID) -> Response:
        """Return the events that you may see, in order, each in words, and attacks with their whole arithmetic.

        The numbers count only events that you may see. Send `next` as `after` to get the events that follow.
        """
        asked = self.asked(EventsQuery)
        watch = self.watch(public_id)
        events, count = live.events_after(watch.match, watch.sides, asked["after"], asked["limit"])
        last = asked["after"] + len(events)
        return Response(
            {"count": count, "next": last if last < count else None, "results": event_documents(events)},
        )


class Live(MatchEndpoint):
    """The news of a match since the asker's last look."""

    @describes(
        "matches_live",
        "What is new in a match",
        WATCH,
        answers=LiveOutput,
        asks=LiveQuery,
        more={204: OpenApiResponse(description="Nothing is new.")},
        examples=[
            example(
                "A move",
                {
                    "cursor": "41.5d2c11aa90fe",
                    "more": False,
                    "state": "playing",
                    "waiting_for": "blue",
                    "waits_for_me": False,
                    "events": [EVENT_EXAMPLE],
                },
            )
        ],
    )
    def get(self, request: Any, public_id: UUID) -> Response:
        """Return what is new since the moment that `after` names; 204 means that nothing is.

        Leave `after` out to begin with the first event. Then ask once a second, with the `cursor` of the last answer as
        `after`. The cursor changes only when something changes that you can see.
        """
        asked = self.asked(LiveQuery)
        watch = self.watch(public_id)
        found = live.news(watch.match, watch.sides, asked.get("after", ""))
        if found is None:
            return Response(status=204)
        waiting = waiting_sides([watch.match])[watch.match.pk]
        return Response(
            {
                "cursor": found.cursor,
                "more": found.has_more,
                "state": watch.match.state,
                "waiting_for": waiting or None,
                "waits_for_me": waiting in watch.sides and free_seat(watch.match) is None,
                "events": event_documents(found.events),
            }
        )


class Replay(MatchEndpoint):
    """The replay of a finished match."""

    @describes(
        "matches_replay",
        "The replay of a finished match",
        WATCH,
        answers=ReplayOutput,
        asks=ReplayQuery,
        more=NOT_YET,
        tagged=True,
        examples=[
            example(
                "In short",
                {
                    "schema": 1,
                    "match": EXAMPLE["public_id"],
                    "rules_version": "1.0",
                    "setup": {},
                    "seed": "a3f1",
                    "seed_commitment": EXAMPLE["seed_commitment"],
                    "actions": [],
                    "events": [[]],
                    "result": None,
                },
            )
        ],
    )
    def get(self, request: Any, public_id: UUID) -> Response:
        """Return setup, seed, actions, events and result: what `python -m rules.verify` takes.

        409 (`match_not_finished`) before the end.
        """
        asked = self.asked(ReplayQuery)
        watch = self._finished(public_id)
        match = watch.match

        def answer() -> Response:
            given = Response(replay_document(match, stored_steps(match)))
            if asked["file"]:
                given.headers["Content-Disposition"] = f'attachment; filename="{watch.match.file_name}"'
            return given

        return self.tagged(f"{match.public_id}:{match.last_sequence}:{match.rules_version}", answer)

    def _finished(self, public_id: UUID) -> Watch:
        watch = self.watch(public_id)
        if not watch.match.is_over:
            raise Refused("match_not_finished")
        return watch


class Verify(Replay):
    """The check of a finished match, by playing it again."""

    @describes(
        "matches_verify",
        "Check a finished match",
        WATCH,
        answers=FindingOutput,
        more=NOT_YET,
        examples=[
            example(
                "As it should be",
                {
                    "outcome": "ok",
                    "is_promised_seed": True,
                    "seed_hash": EXAMPLE["seed_commitment"],
                    "events": 214,
                    "actions": 63,
                    "rules_here": rules.RULES_VERSION,
                    "action": None,
                    "step": None,
                    "stored": "",
                    "replayed": "",
                },
            )
        ],
    )
    def get(self, request: Any, public_id: UUID) -> Response:
        """Return whether setup, seed and actions, played again, give the stored events and the stored result.

        A finding is kept for an hour. 409 (`match_not_finished`) before the end.
        """
        return Response(asdict(finding_on(self._finished(public_id).match)))
