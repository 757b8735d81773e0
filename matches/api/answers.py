"""The answers of the endpoints of matches: matches, decisions, events, replays, standing answers."""

from __future__ import annotations

from rest_framework import serializers

from api.fields import Output
from matches.api.forms import ActionField, AnswersField
from matches.api.outlook import BreakAwayOutput, OutlookOutput
from matches.models import Match, MatchAction

SEATS = ("person", "bot", "program", "open", "nobody")


class RowSideOutput(Output):
    """One side of a match in a list. `bot` is null unless a bot has its seat."""

    side = serializers.CharField()
    name = serializers.CharField()
    bot = serializers.CharField(allow_null=True)


class MatchRowOutput(Output):
    """A match in a list. `waiting_for` is the side whose decision is open, null when the match is over.

    `waits_for_me` says whether that side is yours; it is false while a seat is free. `winner` (a side) and
    `finished_at` are null before the end.
    """

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
    """Who decides for a side: a person, a bot, or a program that plays with everybody's consent.

    The kind `open` is a free seat that somebody may still take, and `nobody` any other seat without a player. `account`
    is that of the program, or in a friendly match that of the person; otherwise it is null. `bot` is null unless the
    kind is `bot`.
    """

    kind = serializers.ChoiceField(choices=SEATS)
    account = serializers.CharField(allow_null=True)
    bot = serializers.CharField(allow_null=True)


class UnitBriefOutput(Output):
    """A unit of the match. Actions name it by its `id`. `pilot` is the pilot's name, null without a pilot."""

    id = serializers.CharField()
    name = serializers.CharField()
    pilot = serializers.CharField(allow_null=True)


class MatchSideOutput(Output):
    """One side of a match. `url` is the page of its stable, empty without one and for readers who may not see it.

    `result` is the side's own result, null before the end. `kept` is the reputation that the side keeps, null unless
    this differs from the reputation that it earned.
    """

    side = serializers.CharField()
    name = serializers.CharField()
    url = serializers.CharField()
    seat = SeatOutput()
    units = UnitBriefOutput(many=True)
    won = serializers.BooleanField()
    result = serializers.DictField(allow_null=True)
    kept = serializers.IntegerField(allow_null=True)


class ArenaBriefOutput(Output):
    """The arena of a match."""

    id = serializers.CharField()
    name = serializers.CharField()


class SharingOutput(Output):
    """Whether the match has a secret address. Everybody who has this `address` may watch; null while there is none."""

    is_shared = serializers.BooleanField()
    address = serializers.CharField(allow_null=True)


class MatchOutput(Output):
    """A match. `seed_commitment` is the hash of its seed. `seed`, the seed itself, and `finished_at` are null before
    the end.

    `seconds_a_round` is the time that each side gets for each round of the match, null without a limit. `waiting_for`
    is the side whose decision is open, and `result` the result: one of the two is always null. `waits_for_me` says
    whether that side is yours; it is false while a seat is free. `sharing` is null for a person who may not share the
    match.
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
    """The decision that you are asked for: its kind, the unit that answers, and in `why` the facts for it.

    `owner` is the stable that decides when two stables share your side. It is left out in other matches, and when the
    side decides as one.
    """

    kind = serializers.CharField()
    unit = serializers.CharField()
    side = serializers.CharField()
    why = serializers.DictField()
    owner = serializers.CharField(required=False, allow_null=True)


class TurnOutput(Output):
    """The open decision. `waiting_for` is the side that must answer, null when the match is over.

    `decision` is null unless it is yours. Send `seen` with an action. `sides` are the sides that you play, and `side`
    is the one whose view you have, null for a spectator. `result` is null before the end.
    """

    state = serializers.ChoiceField(choices=Match.State.values)
    seen = serializers.CharField()
    side = serializers.CharField(allow_null=True)
    sides = serializers.ListField(child=serializers.CharField())
    waiting_for = serializers.CharField(allow_null=True)
    decision = DecisionBriefOutput(allow_null=True)
    result = serializers.DictField(allow_null=True)


class LegalActionsOutput(TurnOutput):
    """A part of the legal actions, from number `offset` on, which counts from 0. `count` is the number of all.

    `count` is 0 unless the open decision is yours.
    """

    count = serializers.IntegerField()
    offset = serializers.IntegerField()
    legal_actions = serializers.ListField(child=ActionField())


class StageOutput(TurnOutput):
    """The ways to continue an action. `key` is the key of the action in which the options differ.

    `key` is empty when no choice is left: then there is one option, a complete action, or none.
    """

    key = serializers.CharField(allow_blank=True)
    options = serializers.ListField(child=serializers.DictField())


class ObservationOutput(TurnOutput):
    """Everything that you may see. Send `cursor` as `after` to the live stream to get what happens next."""

    cursor = serializers.CharField()
    observation = serializers.DictField()


class MatchEventOutput(Output):
    """An event. `number` counts the events that you may see, from 1. `facts` are the engine's own.

    `sentence` is empty for events without one. `explanation` is the arithmetic of an attack, null for other events.
    `answered` says why the action that caused the event was not its player's own choice; it is empty if it was, or if
    you may not know. The action was the `only` one or a `standing` answer. Or the AI played it, because the `time` was
    up, or because the player had `given` the match to the AI. Or the default answer was played for a bot that `failed`
    or `overran` its time. In old matches another bot may have `relieved` one that failed, or all were `withdrawn`.
    """

    number = serializers.IntegerField()
    event = serializers.CharField()
    sentence = serializers.CharField(allow_blank=True)
    answered = serializers.ChoiceField(choices=["", *MatchAction.Cause.values])
    facts = serializers.DictField()
    explanation = serializers.DictField(allow_null=True)


class MatchEventsOutput(Output):
    """Events after a number. `count` is the number of all events that you may see by now.

    Send `next` as `after` to get the events that follow; it is null when there are none yet.
    """

    count = serializers.IntegerField()
    next = serializers.IntegerField(allow_null=True)
    results = MatchEventOutput(many=True)


class LiveOutput(Output):
    """What is new. Send `cursor` as `after` the next time: at once when there is `more`, otherwise in a second.

    `waiting_for` is the side whose decision is open, null when the match is over. `waits_for_me` says whether that side
    is yours; it is false while a seat is free.
    """

    cursor = serializers.CharField()
    more = serializers.BooleanField()
    state = serializers.ChoiceField(choices=Match.State.values)
    waiting_for = serializers.CharField(allow_null=True)
    waits_for_me = serializers.BooleanField()
    events = MatchEventOutput(many=True)


class PlayedOutput(TurnOutput):
    """The events of your action and of the bots' answers to it, and the decision that is open now.

    There are at most 500 events. Get the others from the list of events.
    """

    cursor = serializers.CharField()
    events = MatchEventOutput(many=True)


class ActionProblemOutput(Output):
    """A reason why an action cannot be played."""

    code = serializers.CharField()
    detail = serializers.CharField()
    parameters = serializers.DictField()


class CheckedOutput(Output):
    """Whether you can play an action now. `problems` holds the first reason why not; it is empty for a legal action.

    `outlook` is what a legal action can bring, null where neither dice of an attack nor heat follow from it.
    `break_away` is the die that comes before a move out of base contact, null without one.
    """

    is_legal = serializers.BooleanField()
    problems = ActionProblemOutput(many=True)
    outlook = OutlookOutput(allow_null=True)
    break_away = BreakAwayOutput(allow_null=True)


class FindingOutput(Output):
    """What playing the match again found: "ok", "differs", or "other_rules" for a match recorded under other rules.

    `is_promised_seed` says whether the hash of the seed is the one that was published before the match. `events` is the
    number of events that agree; of a match under other rules, the number of all. When events differ, `action` is the
    number of the first action whose events do (0: the opening), and `step` is that step of the replay; otherwise both
    are null. `stored` and `replayed` are the two versions of what differs, such as the result. They are empty when
    nothing does; of a match that cannot be read, `stored` is the error.
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
    """A finished match with its seed: all that `python -m rules.verify` takes.

    `events` is a list of lists: the events of the opening, then those of each action.
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
    """The standing answers of one of your units; `{}` when it has none."""

    unit = serializers.CharField()
    name = serializers.CharField()
    answers = AnswersField()


class StandingOutput(Output):
    """Your units with their standing answers; nobody else ever sees them."""

    units = UnitStandingOutput(many=True)
