"""The endpoints of playing: the open decision, its legal actions, playing one, and standing answers."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from rest_framework.response import Response

from api.description import describes, example
from api.endpoint import idempotent
from api.problems import senseless_is_refused
from matches.api.answers import (
    CheckedOutput,
    LegalActionsOutput,
    PlayedOutput,
    StageOutput,
    StandingOutput,
    TurnOutput,
)
from matches.api.base import EVENT_EXAMPLE, MOVE_EXAMPLE, PLAY, TURN_EXAMPLE, MatchEndpoint
from matches.api.forms import (
    CheckedActionInput,
    LegalActionsQuery,
    PlayedActionInput,
    StageInput,
    StandingInput,
)
from matches.api.outlook import OUTLOOK_EXAMPLE
from matches.api.rows import event_documents, stage_document, turn_document
from matches.presenters import live
from matches.selectors.permissions import Watch
from matches.selectors.sides import names_in
from matches.services import preset_answers
from matches.services.programs import outlook_of, play_at_version, problems_of, turn_of
from rules.wording import sentence
from web.languages.reader import translate

SHOT_EXAMPLE: dict[str, Any] = {"unit": "red-1", "order": "ranged", "value": "primary", "targets": ["blue-1"]}
STANDING_EXAMPLE: dict[str, Any] = {"react": {"leave": 25, "dodge": 60, "otherwise": "none"}, "revive": 50}


class OpenDecision(MatchEndpoint):
    """The open decision."""

    @describes(
        "matches_decision",
        "The open decision",
        PLAY,
        answers=TurnOutput,
        examples=[
            example("Yours", TURN_EXAMPLE),
            example("A rival's", {**TURN_EXAMPLE, "waiting_for": "blue", "decision": None}),
        ],
    )
    def get(self, request: Any, public_id: UUID) -> Response:
        """Return your open decision with its kind, its unit and the facts for it.

        Of another side's decision, return only whose it is. After the end return the result.
        """
        watch = self.watch(public_id)
        return Response(turn_document(turn_of(watch.match, watch.sides)))


class LegalActions(MatchEndpoint):
    """The legal answers to the open decision."""

    def scope_of(self, method: str) -> str:
        """Return "read" for POST, too: asking for the stages of an action changes nothing."""
        return "read"

    @describes(
        "matches_legal_actions",
        "All legal actions",
        PLAY,
        answers=LegalActionsOutput,
        asks=LegalActionsQuery,
        examples=[
            example("One of many", {**TURN_EXAMPLE, "count": 512, "offset": 0, "legal_actions": [MOVE_EXAMPLE]}),
        ],
    )
    def get(self, request: Any, public_id: UUID) -> Response:
        """Return the legal actions, complete and ready to be played; none unless the open decision is yours.

        There can be thousands: `count` is their number, and the query picks the part that you get. Each move has one
        path, which the game picks. Surrender and the agreement to end the match are not listed.
        """
        asked = self.asked(LegalActionsQuery)
        watch = self.watch(public_id)
        found = turn_of(watch.match, watch.sides)
        actions, first = found.legal_actions, asked["offset"]
        return Response(
            {
                **turn_document(found),
                "count": len(actions),
                "offset": first,
                "legal_actions": actions[first : first + asked["limit"]],
            }
        )

    @describes(
        "matches_legal_actions_by_stage",
        "Legal actions by stages",
        PLAY,
        answers=StageOutput,
        sends=StageInput,
        examples=[
            example("To begin", {"stage": {}}, sent=True),
            example("The order is chosen", {"stage": {"order": "move"}}, sent=True),
            example(
                "What to choose next",
                {**TURN_EXAMPLE, "key": "path", "options": [{"order": "move", "path": ["0402"]}]},
            ),
        ],
    )
    def post(self, request: Any, public_id: UUID) -> Response:
        """Build an action step by step; nothing is played and nothing changes.

        Send `{}` first, then one of the `options` of the answer, until `key` is empty: the one option is then a
        complete action. The keys come in this order: order, choose, react, run, jump, path, value, targets, indirect,
        attack, facing, then all others. The game fills in a key that has only one value. A key with null means that the
        action does not have the key. A stage that leads to no action has an empty `key` and no options. So has every
        stage unless the open decision is yours.
        """
        watch = self.seated(public_id)
        sent = self.sent(StageInput)
        return Response(stage_document(turn_of(watch.match, watch.sides), sent["stage"]))


class Actions(MatchEndpoint):
    """The answer to the open decision."""

    @describes(
        "matches_play",
        "Play an action",
        PLAY,
        answers=PlayedOutput,
        sends=PlayedActionInput,
        examples=[
            example("A move", {"seen": "3f9a0c77d1be", "action": MOVE_EXAMPLE}, sent=True),
            example(
                "Surrender", {"seen": "3f9a0c77d1be", "action": {"unit": "red-1", "order": "surrender"}}, sent=True
            ),
            example("Moved", {**TURN_EXAMPLE, "cursor": "41.5d2c11aa90fe", "events": [EVENT_EXAMPLE]}),
        ],
    )
    @idempotent(atomic=False)
    def post(self, request: Any, public_id: UUID) -> Response:
        """Answer the open decision of your side, by surrender too, or agree to end the match at any time.

        `seen` comes from the newest answer that you have. 409 when the match has changed since (`stale_action`), when
        another side decides (`others_decide`), for a unit that is not yours (`not_your_unit`), while a seat is free
        (`seat_open`), after the end (`match_over`), and with a code of the rules when they do not allow the action or
        it makes no sense in this match; then nothing has changed. With an idempotency key you can repeat a request
        whose answer was lost.
        """
        watch = self.seated(public_id)
        sent = self.sent(PlayedActionInput)
        before = live.count_of(watch.match, watch.sides)
        with senseless_is_refused():
            match = play_at_version(watch.match, watch.sides, sent["seen"], sent["action"])
        events, count = live.events_after(match, watch.sides, before, live.MOST_AT_ONCE)
        seen = before + len(events)
        asked = turn_of(match, watch.sides)
        return Response(
            {
                **turn_document(asked),
                "cursor": f"{seen}.{asked.version if seen == count else live.UNFINISHED}",
                "events": event_documents(events),
            }
        )


class CheckedActions(MatchEndpoint):
    """A check of an action, without playing it."""

    def scope_of(self, method: str) -> str:
        """Return "read" for POST, too: a check changes nothing."""
        return "read"

    @describes(
        "matches_check",
        "Check an action without playing it",
        PLAY,
        answers=CheckedOutput,
        sends=CheckedActionInput,
        examples=[
            example("A move", {"action": MOVE_EXAMPLE}, sent=True),
            example("A shot", {"action": SHOT_EXAMPLE}, sent=True),
            example(
                "The shot can be played",
                {"is_legal": True, "problems": [], "outlook": OUTLOOK_EXAMPLE, "break_away": None},
            ),
            example(
                "It cannot",
                {
                    "is_legal": False,
                    "problems": [
                        {"code": "hex_is_rock", "detail": "0503 is rock.", "parameters": {"hex": "0503"}},
                    ],
                    "outlook": None,
                    "break_away": None,
                },
            ),
        ],
    )
    def post(self, request: Any, public_id: UUID) -> Response:
        """Return whether you can play an action now, and if not, the first reason in code and words.

        For an action that you can play, `outlook` has what the page of the match shows before the press: the odds, the
        damage by target and result, what tokens pay, the heat after it, and what it costs. Nothing is played and
        nothing changes.
        """
        watch = self.seated(public_id)
        action = self.sent(CheckedActionInput)["action"]
        turn = turn_of(watch.match, watch.sides)
        found = problems_of(turn, action)
        whole, broken = (None, None) if found else outlook_of(turn, action)
        reasons = [
            {
                "code": each.code,
                "detail": sentence(each.code, each.parameters, translate),
                "parameters": dict(each.parameters),
            }
            for each in found
        ]
        checked = {"is_legal": not reasons, "problems": reasons, "outlook": whole, "break_away": broken}
        return Response(CheckedOutput(checked).data)


class PresetAnswers(MatchEndpoint):
    """The standing answers of the asker's units."""

    open_to_all = False

    @describes(
        "matches_standing_read",
        "Your standing answers",
        PLAY,
        answers=StandingOutput,
        examples=[example("One unit", {"units": [{"unit": "red-1", "name": "Panther", "answers": STANDING_EXAMPLE}]})],
    )
    def get(self, request: Any, public_id: UUID) -> Response:
        """Return your units' answers to questions out of turn. Nobody else ever sees them."""
        return self._standing_answers(self.seated(public_id))

    @describes(
        "matches_standing_keep",
        "Set the standing answers of a unit",
        PLAY,
        answers=StandingOutput,
        sends=StandingInput,
        examples=[example("One unit", {"unit": "red-1", "answers": STANDING_EXAMPLE}, sent=True)],
    )
    @idempotent(atomic=True)
    def put(self, request: Any, public_id: UUID) -> Response:
        """Set the standing answers of one of your units, from the next decision on. Return those of all your units.

        They replace the unit's former answers; send `{}` to be asked again. 400 for answers that make no sense
        (`bad_standing_answer`). 409 for a unit that is not yours (`not_your_unit`), and after the end (`match_over`).
        """
        watch = self.seated(public_id)
        sent = self.sent(StandingInput)
        preset_answers.keep(watch.match, self.person(), sent["unit"], sent["answers"])
        return self._standing_answers(watch)

    def _standing_answers(self, watch: Watch) -> Response:
        names = names_in(watch.match.setup)
        kept = preset_answers.answers_of(watch.match, watch.sides)
        return Response(
            {"units": [{"unit": unit, "name": names[unit], "answers": answers} for unit, answers in kept.items()]}
        )
