"""The endpoints that end a market: the start of a season or a cycle, and the market put off; and who is prepared."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers
from rest_framework.response import Response

from api.description import describes, example
from api.endpoint import idempotent
from api.fields import Input, Output, StrictBoolean, StrictInteger
from stables.api.organising.base import COURSE, TOPIC, CourseOutput, Organising
from stables.api.organising.reason import ReasonInput, reason_from
from stables.selectors.crews import MARKET_STATES
from stables.services.season import putting_off, seasons
from stables.services.season.putting_off import MOST_HOURS


class InMarketOutput(Output):
    """A stable that takes part in the cycle whose market is open.

    `state` says what it does: `ai` (the AI shops for it when the market closes), `shopping`, `basket_open` (something
    lies in a basket that is not sealed), `basket_sealed`, or `ready`. `lacks_crew` says that with what it has it can
    field nobody in the coming match. What lies in its basket is secret and does not count; `has_sealed_basket` says
    that a sealed one may mend it.
    """

    stable = serializers.SlugField(source="stable.slug")
    state = serializers.ChoiceField(choices=MARKET_STATES)
    has_sealed_basket = serializers.BooleanField()
    lacks_crew = serializers.BooleanField()


class StartInput(Input):
    """Whether you are sure; needed only when a stable is not prepared."""

    sure = StrictBoolean(default=False)


class Start(Organising):
    """The start of a season."""

    @describes(
        "season_start",
        "Start a season",
        TOPIC,
        sends=StartInput,
        answers=CourseOutput,
        examples=[example("Only if all are prepared", {"sure": False}, sent=True), example("It has begun", COURSE)],
    )
    @idempotent(atomic=True)
    def post(self, request: Any, season_slug: str) -> Response:
        """Close recruiting; a job begins the first cycle. Refused: season_not_recruiting, too_few_stables,
        too_many_seasons_running, and stables_unprepared unless `sure` is true. Its parameters name the stables that
        have nobody for the coming match and no sealed basket, and those whose basket is not sealed.
        """
        season = self.organised_season()
        seasons.start_season(season_id=season.pk, actor=request.user, is_sure=self.sent(StartInput)["sure"])
        return self.course(season)


class StartCycle(Organising):
    """The start of a cycle."""

    @describes(
        "season_start_cycle",
        "Close the market and start the cycle",
        TOPIC,
        sends=StartInput,
        answers=CourseOutput,
        examples=[example("Only if all are prepared", {"sure": False}, sent=True), example("A job is at it", COURSE)],
    )
    @idempotent(atomic=True)
    def post(self, request: Any, season_slug: str) -> Response:
        """Close the market without waiting for people who still shop; a job then begins the rounds.

        Refused: no_open_market, season_is_paused, and stables_unprepared (see the start of a season) unless `sure` is
        true.
        """
        season = self.organised_season()
        seasons.start_cycle(season_id=season.pk, is_sure=self.sent(StartInput)["sure"])
        return self.course(season)


class PutOffInput(ReasonInput):
    """How many hours later the market closes. A reason is optional."""

    hours = StrictInteger(min_value=1, max_value=MOST_HOURS)


class PutOffOutput(Output):
    """The old and the new deadline of the market."""

    before = serializers.DateTimeField()
    at = serializers.DateTimeField()


class PutMarketOff(Organising):
    """A market that closes later."""

    @describes(
        "season_put_market_off",
        "Put the market off",
        TOPIC,
        sends=PutOffInput,
        answers=PutOffOutput,
        examples=[
            example("Two days", {"hours": 48}, sent=True),
            example("From when to when", {"before": "3152-03-08T18:00:00Z", "at": "3152-03-10T18:00:00Z"}),
        ],
    )
    @idempotent(atomic=True)
    def post(self, request: Any, season_slug: str) -> Response:
        """Let the open market of a running season close later. The owners get a notice that says from when to when.

        Each 24 hours count as a day by the season's wall clock, without days off.

        Refused: no_open_market, no_market_deadline, deadline_not_ahead, deadline_too_far.
        """
        season = self.organised_season()
        sent = self.sent(PutOffInput)
        reason = reason_from(sent, may_lack=True)
        made = putting_off.put_market_off(season_id=season.pk, hours=sent["hours"], reason=reason, actor=request.user)
        return Response(PutOffOutput(made).data)
