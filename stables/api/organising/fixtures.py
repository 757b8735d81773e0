"""The endpoints of what organisers do with an open match: set it, excuse, declare a forfeit, open a line-up, swap."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers
from rest_framework.response import Response

from api.description import describes, example
from api.endpoint import idempotent
from api.fields import Input, Output, StrictChoice, StrictDateTime, StrictInteger, StrictString
from rules.campaign.season.directing import FORFEIT_REASONS, LARGEST_TABLE
from rules.core.refusals import Malformed
from stables.api.organising.base import TOPIC, Organising
from stables.api.organising.reason import ReasonInput, ReasonOrTextInput, reason_from
from stables.api.organising.rulings import FIXTURE_ID
from stables.api.organising.settings import rules_refuse
from stables.api.references import RIVAL_EXAMPLE, STABLE_EXAMPLE, StableNameOutput
from stables.api.stable.base import ReasonOutput, reason
from stables.models import Fixture, FixtureSide
from stables.presenters.organising.directing import SwapChoice, arenas_of, swap_choices
from stables.services.base.reasons import LONGEST
from stables.services.fixtures import declared_forfeits, directing, excuses, swaps, taking_back
from stables.text.reasons import own_words

LARGEST_NUMBER = 999
MOST_ARENAS = 4
MOST_SIDES = 8
LONGEST_KEY = 40


def stable_field(**more: Any) -> StrictInteger:
    """Return the field for a stable, by its number in the season."""
    return StrictInteger(min_value=1, max_value=LARGEST_NUMBER, **more)


class DirectInput(ReasonInput):
    """What you want to set, with a reason if you like; leave out what stays. `at` or `table` null takes it off."""

    at = StrictDateTime(required=False, allow_null=True)
    mode = StrictChoice(choices=Fixture.Mode.values, required=False)
    arenas = serializers.ListField(
        child=StrictString(max_length=LONGEST_KEY),
        min_length=1,
        max_length=MOST_ARENAS,
        required=False,
        help_text="Keys of the season's catalogue, as many as the match has.",
    )
    table = StrictInteger(min_value=1, max_value=LARGEST_TABLE, required=False, allow_null=True)


class DirectedChangeOutput(Output):
    """One thing that was set, from what to what, in the words of the log; null where there was or is nothing."""

    what = serializers.ChoiceField(choices=directing.WHAT)
    before = serializers.CharField(allow_null=True)
    after = serializers.CharField(allow_null=True)


class DirectedOutput(Output):
    """What was changed in a match."""

    fixture = serializers.IntegerField()
    changes = DirectedChangeOutput(many=True)


class ExcuseInput(ReasonOrTextInput):
    """The number of the stable that is excused, until when its match may be played, and your reason.

    Leave `until` out where the round has no deadline.
    """

    stable = stable_field()
    until = StrictDateTime(required=False, allow_null=True, default=None)


class ExcusedOutput(Output):
    """The times of the match with the excuse; null where there is no deadline."""

    fixture = serializers.IntegerField(source="fixture_id")
    line_ups_due_at = serializers.DateTimeField(allow_null=True)
    play_due_at = serializers.DateTimeField(allow_null=True)


class ForfeitInput(Input):
    """The numbers of the stables that forfeit, and why. `words` may say more, for everybody in the season to read."""

    stables = serializers.ListField(child=stable_field(), min_length=1, max_length=MOST_SIDES)
    why = StrictChoice(choices=FORFEIT_REASONS)
    words = StrictString(required=False, default="", allow_blank=True, max_length=LONGEST)


class DeclaredOutput(Output):
    """A declared forfeit, and whether the match is over with it. If so, a job settles it."""

    fixture = serializers.IntegerField(source="fixture_id")
    is_decided = serializers.BooleanField()


class ReopenLineUpInput(ReasonOrTextInput):
    """The number of the stable whose sealed line-up is opened again, and your reason."""

    stable = stable_field()


class ReopenedLineUpOutput(Output):
    """The match of a line-up that was opened again, and the number of its stable."""

    fixture = serializers.IntegerField()
    stable = serializers.IntegerField()


class SwapInput(ReasonOrTextInput):
    """The number of the stable that leaves the match, of the one that comes for it, and your reason."""

    stable = stable_field()
    other = stable_field()


class SwappedOutput(Output):
    """The two matches that exchanged a side each, and what is unusual about the new pairings."""

    fixtures = serializers.ListField(child=serializers.IntegerField())
    doubts = ReasonOutput(many=True)


class SwapChoiceOutput(Output):
    """An exchange that is possible now: who leaves the match, who comes from which other one, what is unusual."""

    leaves = StableNameOutput()
    comes = StableNameOutput()
    fixture = serializers.IntegerField()
    doubts = ReasonOutput(many=True)


class ArenaOutput(Output):
    """An arena that the season allows."""

    key = serializers.CharField()
    name = serializers.CharField()


class ActsOutput(Output):
    """What may be set for a match, and whom it may exchange."""

    fixture = serializers.IntegerField()
    arenas = ArenaOutput(many=True)
    swaps = SwapChoiceOutput(many=True)


DOUBT = {"code": "swap_rematch", "detail": "Ash & Sons and Birch Works have met before in this season (1×, Q-149)."}
CHOICE = {"leaves": STABLE_EXAMPLE, "comes": RIVAL_EXAMPLE, "fixture": 12, "doubts": [DOUBT]}


def _choice(choice: SwapChoice) -> dict[str, Any]:
    return {
        "leaves": choice.leaves.stable,
        "comes": choice.comes.stable,
        "fixture": choice.comes.fixture_id,
        "doubts": [reason(doubt) for doubt in choice.doubts],
    }


def id_of(number: int, field: str, **where: Any) -> int:
    """Return the id of a stable by its number, among the sides of a fixture or round. Raises Malformed (bad_field)."""
    found = FixtureSide.objects.filter(stable__number=number, **where).values_list("stable", flat=True).first()
    if found is None:
        raise Malformed("bad_field", field=field)
    return int(found)


class OnFixture(Organising):
    """An endpoint below the address of a fixture, for organisers."""

    def organised_fixture(self, fixture_id: int) -> Fixture:
        """Return a fixture of a season that the asker organises. Raises Http404, PermissionDenied."""
        self.organised_season()
        return self.fixture(fixture_id)


class FixtureActs(OnFixture):
    """What may be set for a match."""

    @describes(
        "fixture_acts",
        "What you may set for a match",
        TOPIC,
        answers=ActsOutput,
        parameters=[FIXTURE_ID],
        examples=[example("A duel", {"fixture": 11, "arenas": [{"key": "plaza", "name": "Plaza"}], "swaps": [CHOICE]})],
    )
    def get(self, request: Any, season_slug: str, fixture_id: int) -> Response:
        """Return the arenas of the season, and the exchanges with other matches of the round that are possible now."""
        fixture = self.organised_fixture(fixture_id)
        arenas = [{"key": key, "name": name} for key, name in sorted(arenas_of(fixture).items())]
        facts = {"fixture": fixture.pk, "arenas": arenas, "swaps": [_choice(each) for each in swap_choices(fixture)]}
        return Response(ActsOutput(facts).data)


class Direct(OnFixture):
    """Setting a match."""

    @describes(
        "fixture_direct",
        "Set date, mode, arena or table of a match",
        TOPIC,
        sends=DirectInput,
        answers=DirectedOutput,
        parameters=[FIXTURE_ID],
        examples=[
            example("At a table", {"mode": "table", "table": 7}, sent=True),
            example(
                "It was in the browser",
                {
                    "fixture": 11,
                    "changes": [
                        {"what": "mode", "before": "browser", "after": "table"},
                        {"what": "table", "before": None, "after": "7"},
                    ],
                },
            ),
        ],
    )
    @idempotent(atomic=True)
    def post(self, request: Any, season_slug: str, fixture_id: int) -> Response:
        """Set what you send, on any match that has no report and no result. Both sides get a notice. In a match of your
        own you may set the table only.

        Refused: organiser_owns_side, decide_instead, appointment_over, nothing_to_change, match_is_made (another arena
        or a table for a match that is made), table_needs_people, date_not_ahead, date_too_far, unknown_catalogue_entry,
        bad_field (another number of arenas).
        """
        fixture = self.organised_fixture(fixture_id)
        sent = self.sent(DirectInput)
        with rules_refuse():
            changes = {name: sent[name] for name in directing.WHAT if name in sent}
            reason = reason_from(sent, may_lack=True)
            made = directing.direct(fixture_id=fixture.pk, changes=changes, reason=reason, user=request.user)
        told = [{"what": each.what, "before": each.before, "after": each.after} for each in made]
        return Response(DirectedOutput({"fixture": fixture.pk, "changes": told}).data)


class Excuse(OnFixture):
    """Excusing a stable."""

    @describes(
        "fixture_excuse",
        "Excuse a stable",
        TOPIC,
        sends=ExcuseInput,
        answers=ExcusedOutput,
        parameters=[FIXTURE_ID],
        examples=[
            example("Ill", {"stable": 2, "until": "3152-03-20T18:00:00Z", "words": "Ill until Friday."}, sent=True),
            example(
                "A week more",
                {
                    "fixture": 11,
                    "line_ups_due_at": "3152-03-17T18:00:00Z",
                    "play_due_at": "3152-03-20T18:00:00Z",
                },
            ),
        ],
    )
    @idempotent(atomic=True)
    def post(self, request: Any, season_slug: str, fixture_id: int) -> Response:
        """Give a match more time because one of its stables cannot come; nobody forfeits for it. Its date and an open
        claim are off.

        Refused: organiser_owns_side, decide_instead, appointment_over, mode_needs_no_date, excuse_needs_time,
        excuse_no_longer, date_not_ahead, date_too_far, reason_missing, bad_field (a stable that is not in the match).
        """
        fixture = self.organised_fixture(fixture_id)
        sent = self.sent(ExcuseInput)
        with rules_refuse():
            made = excuses.excuse(
                fixture_id=fixture.pk,
                stable_id=id_of(sent["stable"], "stable", fixture=fixture),
                until=sent["until"],
                reason=reason_from(sent),
                user=request.user,
            )
        return Response(ExcusedOutput(made).data)


class Forfeit(OnFixture):
    """Declaring a forfeit."""

    @describes(
        "fixture_forfeit",
        "Declare a forfeit",
        TOPIC,
        sends=ForfeitInput,
        answers=DeclaredOutput,
        parameters=[FIXTURE_ID],
        examples=[
            example("Nobody came", {"stables": [2], "why": "no_show"}, sent=True),
            example("A duel is over with it", {"fixture": 11, "is_decided": True}),
        ],
    )
    @idempotent(atomic=True)
    def post(self, request: Any, season_slug: str, fixture_id: int) -> Response:
        """Declare that stables forfeit, at any time before a report or a result. A match that has begun is closed.

        Refused: organiser_owns_side, decide_instead, appointment_over, forfeit_of_the_ai, forfeit_not_possible,
        bad_field (stables that are not in the match, or forfeit already).
        """
        fixture = self.organised_fixture(fixture_id)
        sent = self.sent(ForfeitInput)
        with rules_refuse():
            made = declared_forfeits.declare_forfeit(
                fixture_id=fixture.pk,
                stable_ids=[id_of(number, "stables", fixture=fixture) for number in sent["stables"]],
                why=sent["why"],
                words=own_words(sent["words"]),
                user=request.user,
            )
        return Response(DeclaredOutput(made).data)


class ReopenLineUp(OnFixture):
    """Opening a sealed line-up again."""

    @describes(
        "fixture_line_up_reopen",
        "Open a sealed line-up again",
        TOPIC,
        sends=ReopenLineUpInput,
        answers=ReopenedLineUpOutput,
        parameters=[FIXTURE_ID],
        examples=[
            example("A wrong tap", {"stable": 2, "reason": "typing_error"}, sent=True),
            example("Open again", {"fixture": 11, "stable": 2}),
        ],
    )
    @idempotent(atomic=True)
    def post(self, request: Any, season_slug: str, fixture_id: int) -> Response:
        """Open a line-up again while that of a rival is missing. You do not see it; its owner may hand in another.

        Refused: organiser_owns_side, line_ups_revealed, line_up_not_in, line_up_of_the_ai, line_up_claimed,
        line_up_time_over, reason_missing, bad_field (a stable that is not in the match).
        """
        fixture = self.organised_fixture(fixture_id)
        sent = self.sent(ReopenLineUpInput)
        with rules_refuse():
            stable_id = id_of(sent["stable"], "stable", fixture=fixture)
            taking_back.reopen(fixture_id=fixture.pk, stable_id=stable_id, reason=reason_from(sent), user=request.user)
        return Response(ReopenedLineUpOutput({"fixture": fixture.pk, "stable": sent["stable"]}).data)


class Swap(OnFixture):
    """Exchanging a side."""

    @describes(
        "fixture_swap",
        "Exchange a side with another match",
        TOPIC,
        sends=SwapInput,
        answers=SwappedOutput,
        parameters=[FIXTURE_ID],
        examples=[
            example(
                "They met last week",
                {"stable": 1, "other": 2, "reason": "agreed", "words": "They met last week."},
                sent=True,
            ),
            example("Exchanged", {"fixtures": [11, 12], "doubts": [DOUBT]}),
        ],
    )
    @idempotent(atomic=True)
    def post(self, request: Any, season_slug: str, fixture_id: int) -> Response:
        """Exchange a side of this match with one of another match of the round, or with a bye, before line-ups are in.
        A bye goes only to a stable whose turn it could have been (Q-158). A rematch is no reason to refuse it, nor is a
        second bye that both could have had; the answer names them.

        Refused: organiser_owns_side (in either match), swap_too_late, swap_line_up_in, swap_shared_side, bye_not_due,
        reason_missing, bad_field (stables that are not in two different matches of the round).
        """
        fixture = self.organised_fixture(fixture_id)
        sent = self.sent(SwapInput)
        with rules_refuse():
            made = swaps.swap(
                fixture_id=fixture.pk,
                stable_id=id_of(sent["stable"], "stable", fixture=fixture),
                other_id=id_of(sent["other"], "other", fixture__round=fixture.round_id),
                reason=reason_from(sent),
                user=request.user,
            )
        return Response(
            SwappedOutput({"fixtures": made.fixture_ids, "doubts": [reason(doubt) for doubt in made.doubts]}).data
        )
