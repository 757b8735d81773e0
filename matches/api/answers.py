"""The answers of the endpoints of matches: matches, decisions, events, replays, standing answers."""

from __future__ import annotations

from rest_framework import serializers

from api.fields import Output
from matches.api.forms import ActionField, AnswersField
from matches.models import Match, MatchAction

SEATS = ("person", "bot", "program", "open", "nobody")


class RowSideOutput(Output):
    """One side of a match in a list."""

    side = serializers.CharField()
    name = serializers.CharField()
    bot = serializers.CharField(allow_null=True)


class MatchRowOutput(Output):
    """A match in a list. `waiting_for` is the side whose decision is open, null at the end."""

    public_id = serializers.UUIDField()
    state = serializers.ChoiceField(choices=Match.State.values)
    format = serializers.CharField()
    is_in_season = serializers.BooleanField()
    sides = RowSideOutput(many=True)
    own_sides = serializers.ListField(child=serializers.CharField())
    waiting_for = serializers.CharField(allow_null=True)
    waits_for_me = serializers.BooleanField()
    winner = serializers.CharField(allow_null=True)
    created_at = serializers.DateTimeField()
    finished_at = serializers.DateTimeField(allow_null=True)


class SeatOutput(Output):
    """Who decides for a side: a person, a bot, or a program that plays with everybody's consent. `open` is a free seat.

    `account` is given where the pages of the match name it: for programs, and in matches outside of seasons.
    """

    kind = serializers.ChoiceField(choices=SEATS)
    account = serializers.CharField(allow_null=True)
    bot = serializers.CharField(allow_null=True)


class UnitBriefOutput(Output):
    """A unit of the match: `id` is what actions call it."""

    id = serializers.CharField()
    name = serializers.CharField()
    pilot = serializers.CharField(allow_null=True)


class MatchSideOutput(Output):
    """One side. `kept` is what it keeps of its reputation where that differs from what it earned."""

    side = serializers.CharField()
    name = serializers.CharField()
    url = serializers.CharField()
    seat = SeatOutput()
    units = UnitBriefOutput(many=True)
    won = serializers.BooleanField()
    result = serializers.DictField(allow_null=True)
    kept = serializers.IntegerField(allow_null=True)


class ArenaBriefOutput(Output):
    """Where the match takes place."""

    id = serializers.CharField()
    name = serializers.CharField()


class SharingOutput(Output):
    """Whether a person who has the secret address may watch."""

    is_shared = serializers.BooleanField()
    address = serializers.CharField(allow_null=True)


class MatchOutput(Output):
    """A match. It shows the hash of its seed before the end, and the seed after it.

    `sharing` is null for a person who may not share the match.
    """

    public_id = serializers.UUIDField()
    url = serializers.CharField()
    state = serializers.ChoiceField(choices=Match.State.values)
    format = serializers.CharField()
    arena = ArenaBriefOutput()
    is_in_season = serializers.BooleanField()
    rules_version = serializers.CharField()
    seconds_a_round = serializers.IntegerField(allow_null=True)
    sides = MatchSideOutput(many=True)
    own_sides = serializers.ListField(child=serializers.CharField())
    waiting_for = serializers.CharField(allow_null=True)
    waits_for_me = serializers.BooleanField()
    may_finish = serializers.BooleanField()
    result = serializers.DictField(allow_null=True)
    seed_commitment = serializers.CharField()
    seed = serializers.CharField(allow_null=True)
    sharing = SharingOutput(allow_null=True)
    created_at = serializers.DateTimeField()
    finished_at = serializers.DateTimeField(allow_null=True)


class DecisionBriefOutput(Output):
    """What you are asked: the kind of decision, the unit that answers, and what it must know."""

    kind = serializers.CharField()
    unit = serializers.CharField()
    side = serializers.CharField()
    why = serializers.DictField()
    owner = serializers.CharField(required=False, allow_null=True)


class TurnOutput(Output):
    """Whose decision is awaited. `decision` is null unless it is yours; `seen` goes with an action.

    `side` is the side whose view you have, null for a person who watches.
    """

    state = serializers.ChoiceField(choices=Match.State.values)
    seen = serializers.CharField()
    side = serializers.CharField(allow_null=True)
    sides = serializers.ListField(child=serializers.CharField())
    waiting_for = serializers.CharField(allow_null=True)
    decision = DecisionBriefOutput(allow_null=True)
    result = serializers.DictField(allow_null=True)


class LegalActionsOutput(TurnOutput):
    """The legal actions, `count` in all; none while others decide."""

    count = serializers.IntegerField()
    offset = serializers.IntegerField()
    legal_actions = serializers.ListField(child=ActionField())


class StageOutput(TurnOutput):
    """How to go on: `key` is what the options differ in, empty when the one option is a complete action."""

    key = serializers.CharField(allow_blank=True)
    options = serializers.ListField(child=serializers.DictField())


class ObservationOutput(TurnOutput):
    """Everything that you may see. The live stream goes on from `cursor`."""

    cursor = serializers.CharField()
    observation = serializers.DictField()


class MatchEventOutput(Output):
    """An event. `facts` are the engine's own, `explanation` is the arithmetic of an attack.

    `answered` says why an action was not its player's own: it was the only one, a standing answer, or the AI's, because
    the time was up or the player had left the match to it. For a bot it says that the bot `failed` or `overran` its
    time and the default answer was taken, that another bot `relieved` it, or that all were `withdrawn`.
    """

    number = serializers.IntegerField()
    event = serializers.CharField()
    sentence = serializers.CharField(allow_blank=True)
    answered = serializers.ChoiceField(choices=["", *MatchAction.Cause.values])
    facts = serializers.DictField()
    explanation = serializers.DictField(allow_null=True)


class MatchEventsOutput(Output):
    """Events after a number. `count` is the number of the last event, `next` is the number to go on from, null at the
    end.
    """

    count = serializers.IntegerField()
    next = serializers.IntegerField(allow_null=True)
    results = MatchEventOutput(many=True)


class LiveOutput(Output):
    """What is new. Ask again with `cursor`, at once when there is `more`, else in a second."""

    cursor = serializers.CharField()
    more = serializers.BooleanField()
    state = serializers.ChoiceField(choices=Match.State.values)
    waiting_for = serializers.CharField(allow_null=True)
    waits_for_me = serializers.BooleanField()
    events = MatchEventOutput(many=True)


class PlayedOutput(TurnOutput):
    """What your action led to, the answers of bots included, and whose decision is awaited now."""

    cursor = serializers.CharField()
    events = MatchEventOutput(many=True)


class ActionProblemOutput(Output):
    """One reason against an action."""

    code = serializers.CharField()
    detail = serializers.CharField()
    parameters = serializers.DictField()


class CheckedOutput(Output):
    """Whether an action can be played now."""

    is_legal = serializers.BooleanField()
    problems = ActionProblemOutput(many=True)


class FindingOutput(Output):
    """What playing the match again found: "ok", "differs", or "other_rules" where it was recorded under other rules.

    Where it differs, `action` is the number of the first action whose events differ (0: the opening), `step` is the
    step of the replay, and `stored` and `replayed` are the two versions.
    """

    outcome = serializers.ChoiceField(choices=["ok", "differs", "other_rules"])
    is_promised_seed = serializers.BooleanField()
    seed_hash = serializers.CharField()
    events = serializers.IntegerField()
    actions = serializers.IntegerField()
    rules_here = serializers.CharField()
    action = serializers.IntegerField(allow_null=True)
    step = serializers.IntegerField(allow_null=True)
    stored = serializers.CharField(allow_blank=True)
    replayed = serializers.CharField(allow_blank=True)


class ReplayOutput(Output):
    """A finished match with its seed: all that `python -m rules.verify` takes. `events` has those of each action, the
    opening first.
    """

    schema = serializers.IntegerField()
    match = serializers.UUIDField()
    rules_version = serializers.CharField()
    setup = serializers.DictField()
    seed = serializers.CharField()
    seed_commitment = serializers.CharField()
    actions = serializers.ListField(child=serializers.DictField())
    events = serializers.ListField(child=serializers.ListField(child=serializers.DictField()))
    result = serializers.DictField(allow_null=True)


class UnitStandingOutput(Output):
    """How a unit of yours answers by itself."""

    unit = serializers.CharField()
    name = serializers.CharField()
    answers = AnswersField()


class StandingOutput(Output):
    """Your units with their standing answers; nobody else ever sees them."""

    units = UnitStandingOutput(many=True)
