"""The bodies and queries of the endpoints of matches: actions, standing answers, wishes, filters."""

from __future__ import annotations

from typing import Any

from django.core.validators import RegexValidator
from django.utils.translation import gettext_lazy as _
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from api.endpoint import Pages
from api.fields import Input, Query, StrictBoolean, StrictChoice, StrictInteger, StrictString
from matches.models import Match
from matches.services.beginning.friendly import CLASSES, HOURS_A_ROUND, LONGEST_NAME, OPPONENTS
from rules.competition.action_shape import ACTION, faults_of
from rules.competition.formats import FORMATS
from rules.core.shapes import record, whole, word

MOST_LISTED = 2000
"""The most legal actions in one answer."""
MOST_EVENTS = 500


def _formed(pattern: str) -> Any:
    return RegexValidator(rf"^{pattern}\Z", message=_("This does not have the form that is described."))


def without_fractions(data: Any) -> Any:
    """Return a copy of a JSON document in which whole floats are integers: 3.0 becomes 3.

    JSON Schema, and so our description, takes both for one number.
    """
    if isinstance(data, dict):
        return {key: without_fractions(value) for key, value in data.items()}
    if isinstance(data, list):
        return [without_fractions(value) for value in data]
    return int(data) if isinstance(data, float) and data.is_integer() else data


# What is sent ---------------------------------------------------------------------------------------------------------


@extend_schema_field(ACTION)
class ActionField(serializers.Field):
    """A field for an action: it checks the form only. The match decides whether the action makes sense now."""

    def to_internal_value(self, data: Any) -> Any:
        data = without_fractions(data)
        faults = faults_of(data)
        if faults:
            text = _("This does not have the form that is described.")
            found = {".".join(map(str, fault.path)) or "non_field_errors": [text] for fault in faults[:5]}
            raise serializers.ValidationError(found)
        return data

    def to_representation(self, value: Any) -> Any:
        return value


@extend_schema_field({"type": "object", "additionalProperties": {}, "maxProperties": 20})
class PartField(serializers.Field):
    """A field for a part of an action: any object with at most 20 keys. With an unknown key it has no options."""

    def to_internal_value(self, data: Any) -> Any:
        if not isinstance(data, dict) or len(data) > 20:
            raise serializers.ValidationError(_("This does not have the form that is described."))
        return without_fractions(data)

    def to_representation(self, value: Any) -> Any:
        return value


SEEN = "[0-9a-f]{12}"
SEEN_HELP = "What you have seen: `seen` of the last answer."


class PlayedActionInput(Input):
    """One action, and what its player has seen."""

    seen = StrictString(validators=[_formed(SEEN)], help_text=SEEN_HELP)
    action = ActionField()


class CheckedActionInput(Input):
    """An action to check without playing it."""

    action = ActionField()


class StageInput(Input):
    """The part of an action that is already fixed; `{}` to begin."""

    stage = PartField(help_text="What is fixed already, key by key as in an action.")


PERCENT = whole(0, 100)
PERCENT_OR_NEVER: dict[str, Any] = {"oneOf": [PERCENT, word("never")]}
ANSWERS: dict[str, Any] = record(
    {
        "react": record(
            {
                "leave": PERCENT,
                "dig_in": {"type": "boolean", "enum": [True]},
                "dodge": PERCENT,
                "defend": PERCENT,
                "otherwise": word("none"),
            },
            [],
        ),
        "cancel": word("keep"),
        "spin": word("attacker", "keep"),
        "revive": PERCENT_OR_NEVER,
        "restart": PERCENT_OR_NEVER,
        "rally": word("useful", "never"),
        "source": word("keep"),
        "corner": word("near"),
    },
    [],
    description="How a unit answers questions other than orders; those left out are asked. "
    "A `useful` card is one that does something at that moment.",
)


@extend_schema_field(ANSWERS)
class AnswersField(serializers.Field):
    """A field for standing answers. It takes any object; matches.services.preset_answers checks it."""

    def to_internal_value(self, data: Any) -> Any:
        if not isinstance(data, dict):
            raise serializers.ValidationError(_("This does not have the form that is described."))
        return without_fractions(data)

    def to_representation(self, value: Any) -> Any:
        return value


class StandingInput(Input):
    """The standing answers of one unit; `{}` to be asked about everything."""

    unit = StrictString(validators=[_formed("[ -~]{1,80}")])
    answers = AnswersField()


@extend_schema_field({"type": "integer", "enum": list(HOURS_A_ROUND)})
class HoursField(StrictInteger):
    """A field for the hours of each round of a match: one of HOURS_A_ROUND."""

    def to_internal_value(self, data: Any) -> int:
        found = super().to_internal_value(without_fractions(data))
        if found not in HOURS_A_ROUND:
            self.fail("invalid")
        return found


class FriendlyMatchInput(Input):
    """What you want to play. Chance picks the arena, the class, the ’Mechs and the pilot that you leave out."""

    format = StrictChoice(choices=list(FORMATS), default="standard")
    opponent = StrictChoice(
        choices=list(OPPONENTS),
        default=OPPONENTS[0],
        help_text="A bot: from `greedy` to `strong` each thinks longer than the one before, `random` not at all; "
        "`link` keeps a seat free for a person who has the address; with `self` you play all sides.",
    )
    hours_a_round = HoursField(required=False, help_text="Time for each round of the match; left out: no limit.")
    weight_class = StrictChoice(choices=list(CLASSES), required=False)
    unit = StrictString(required=False, validators=[_formed("[A-Za-z0-9_-]{1,40}")])
    pilot = StrictString(required=False, validators=[_formed("[A-Za-z0-9_-]{1,40}")])
    arena = StrictString(required=False, validators=[_formed("[A-Za-z0-9_-]{1,40}")])
    second_unit = StrictString(
        required=False,
        validators=[_formed("[A-Za-z0-9_-]{1,40}")],
        help_text="Your other ’Mech, in formats of two a side.",
    )
    rival_unit = StrictString(required=False, validators=[_formed("[A-Za-z0-9_-]{1,40}")])
    rival_name = StrictString(
        required=False, max_length=LONGEST_NAME, help_text="With `self`: the name of the second player."
    )


class RivalAwayInput(Input):
    """Your choice about a rival who is away: `ai` lets the AI play on for them, `end` surrenders for them."""

    what = StrictChoice(choices=["ai", "end"])


# What is asked for ----------------------------------------------------------------------------------------------------


class MatchesQuery(Pages):
    """Which of your matches to list."""

    state = StrictChoice(choices=Match.State.values, required=False)
    waiting_for_me = StrictBoolean(
        required=False, help_text="`true`: only matches in which the open decision is yours."
    )


class LegalActionsQuery(Query):
    """Which of the legal actions to list: there can be thousands."""

    offset = StrictInteger(min_value=0, max_value=1_000_000, default=0, help_text="How many to skip.")
    limit = StrictInteger(min_value=1, max_value=MOST_LISTED, default=500, help_text="How many at most.")


class ObservationQuery(Query):
    """The side that observes, for a person who plays several. Left out: the one that must decide, or their first."""

    side = StrictString(required=False, validators=[_formed("[a-z0-9_-]{1,20}")])


class EventsQuery(Query):
    """Which events to list."""

    after = StrictInteger(
        min_value=0, max_value=1_000_000, default=0, help_text="Number of the last event that you know."
    )
    limit = StrictInteger(min_value=1, max_value=MOST_EVENTS, default=200, help_text="How many at most.")


class LiveQuery(Query):
    """What the asker has seen already."""

    after = StrictString(
        required=False,
        validators=[_formed(rf"[0-9]{{1,9}}\.{SEEN}")],
        help_text="The `cursor` of the last answer; leave it out at first.",
    )


class ReplayQuery(Query):
    """Whether the replay comes as a file."""

    file = StrictBoolean(default=False, help_text="`true`: the answer is a file to save, by `Content-Disposition`.")
