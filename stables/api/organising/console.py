"""The endpoints of the organisers' console: what waits in a season, for whom, and what a close would bring."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers
from rest_framework.response import Response

from api.description import describes, example
from api.fields import Output
from rules.campaign.results.agreeing import may_decide
from rules.campaign.season.planning import Warned
from stables.api.organising.base import COURSE, TOPIC, CourseOutput, Organising, course_of
from stables.api.organising.jobs import JobOutput
from stables.api.organising.starting import InMarketOutput
from stables.models import Cycle, Fixture, LineUp
from stables.presenters.organising.close_out import CloseOut, Missing, Share, Unplayed, close_out
from stables.presenters.organising.console import waiting
from stables.selectors.offices import organises
from stables.selectors.reports import Reported
from stables.text.calendar import DEADLINES, warning

STAND_INS = [LineUp.Source.SAVED.value, LineUp.Source.NEAREST.value]
ENDINGS = ["ai", "extend", "forfeit"]


class AwaitedDeadlineOutput(Output):
    """An open deadline; `round` is 0 for the market and for the end of the season."""

    what = serializers.ChoiceField(choices=list(DEADLINES))
    at = serializers.DateTimeField()
    round = serializers.IntegerField()


class MissingLineUpOutput(Output):
    """A stable of a person whose line-up is missing, and the fixture that it is for."""

    stable = serializers.SlugField(source="stable.slug")
    fixture = serializers.IntegerField(source="fixture_id")
    round = serializers.IntegerField(source="fixture.round.number")


class UnplayedOutput(Output):
    """A match whose line-ups are in and that is not settled."""

    fixture = serializers.IntegerField(source="pk")
    round = serializers.IntegerField(source="round.number")
    number = serializers.IntegerField()
    mode = serializers.ChoiceField(choices=Fixture.Mode.values)


class ReportedMatchOutput(Output):
    """An open match with reports. `stables` take part, `reported` have reported, `waits_for` are the stables of people
    that have not.

    `differs` says that the reports contradict each other or agree on a result that cannot be true: a dispute.
    `may_decide` says whether you may decide it. `due_at` is when silence confirms the report; it is null while no such
    time runs.
    """

    fixture = serializers.IntegerField()
    round = serializers.IntegerField()
    number = serializers.IntegerField()
    stables = serializers.ListField(child=serializers.SlugField())
    reported = serializers.ListField(child=serializers.SlugField())
    waits_for = serializers.ListField(child=serializers.SlugField())
    differs = serializers.BooleanField()
    due_at = serializers.DateTimeField(allow_null=True)
    may_decide = serializers.BooleanField()


class ReadyRoundOutput(Output):
    """Stables that wait only for others' late matches, and the round for which they could be paired."""

    round = serializers.IntegerField()
    stables = serializers.ListField(child=serializers.SlugField())


class PlannedCycleOutput(Output):
    """A cycle to come: the latest times for the close of its market and for its end."""

    number = serializers.IntegerField()
    format = serializers.CharField()
    market_closes = serializers.DateTimeField()
    ends = serializers.DateTimeField()


class PlayedCycleOutput(Output):
    """A cycle whose market is closed, and the latest time for its end."""

    number = serializers.IntegerField()
    format = serializers.CharField()
    ends = serializers.DateTimeField()


class PlanWarningOutput(Output):
    """Something that does not fit in the calendar, as a code and as a sentence."""

    code = serializers.CharField()
    detail = serializers.SerializerMethodField()

    def get_detail(self, warned: Warned) -> str:
        return warning(warned)


class DaysOffOutput(Output):
    """Days off of the season's time zone, both included, and why."""

    first = serializers.DateField()
    last = serializers.DateField()
    word = serializers.CharField(allow_blank=True)


class ConsoleOutput(Output):
    """What waits in a season. `shopping` are the stables of people that the open market waits for, `market` all that
    take part in its cycle; it is empty while no market is open. `ready` has the rounds for which stables could be
    paired. `played` is the cycle whose rounds are played, null without one, and `plan` the cycles whose markets are
    still to close. `plan_closes_at` is when results become final by the plan, null without one. `warnings` is what does
    not fit in the calendar, `days_off` the days off that are not over. `announced_settings` are the new values by the
    names of the settings.
    """

    course = CourseOutput()
    deadlines = AwaitedDeadlineOutput(many=True)
    shopping = serializers.ListField(child=serializers.SlugField())
    market = InMarketOutput(many=True)
    missing_line_ups = MissingLineUpOutput(many=True)
    unplayed = UnplayedOutput(many=True)
    reported = ReportedMatchOutput(many=True)
    ready = ReadyRoundOutput(many=True)
    jobs = JobOutput(many=True)
    announced_settings = serializers.DictField()
    played = PlayedCycleOutput(allow_null=True)
    plan = PlannedCycleOutput(many=True)
    plan_closes_at = serializers.DateTimeField(allow_null=True)
    warnings = PlanWarningOutput(many=True)
    days_off = DaysOffOutput(many=True)


CONSOLE: dict[str, Any] = {
    "course": {**COURSE, "cycle_state": "rounds"},
    "deadlines": [{"what": "play", "at": "3152-03-09T18:00:00Z", "round": 2}],
    "shopping": [],
    "market": [],
    "missing_line_ups": [{"stable": "iron-parish", "fixture": 12, "round": 2}],
    "unplayed": [{"fixture": 11, "round": 2, "number": 1, "mode": "table"}],
    "reported": [
        {
            "fixture": 11,
            "round": 2,
            "number": 1,
            "stables": ["kestrel-row", "northlight"],
            "reported": ["kestrel-row", "northlight"],
            "waits_for": [],
            "differs": True,
            "due_at": None,
            "may_decide": True,
        }
    ],
    "ready": [],
    "jobs": [],
    "announced_settings": {},
    "played": {"number": 1, "format": "standard", "ends": "3152-03-24T18:00:00Z"},
    "plan": [{"number": 2, "format": "team", "market_closes": "3152-03-31T18:00:00Z", "ends": "3152-04-21T18:00:00Z"}],
    "plan_closes_at": "3152-04-22T18:00:00Z",
    "warnings": [],
    "days_off": [{"first": "3152-04-02", "last": "3152-04-05", "word": "Easter"}],
}


class Console(Organising):
    """The organisers' console."""

    @describes(
        "season_console",
        "What waits in a season",
        TOPIC,
        answers=ConsoleOutput,
        examples=[example("A dispute", CONSOLE)],
    )
    def get(self, request: Any, season_slug: str) -> Response:
        """Return the open deadlines, awaited people, disputes, jobs and the calendar's plan, for the organisers."""
        season = self.organised_season()
        found = waiting(season, request.user)
        now = found.now
        facts = {
            "course": course_of(season.pk),
            "deadlines": now.deadlines,
            "shopping": [stable.slug for stable in now.shopping],
            "market": found.market,
            "missing_line_ups": now.missing,
            "unplayed": now.unplayed,
            "reported": [_reported(reported_match, request.user.pk) for reported_match in now.reported.values()],
            "ready": [
                {"round": each["round"], "stables": [stable.slug for stable in each["stables"]]} for each in found.ready
            ],
            "jobs": found.jobs,
            "announced_settings": season.pending_settings,
            "played": found.plan.played,
            "plan": found.plan.cycles,
            "plan_closes_at": found.plan_closes_at,
            "warnings": found.plan.warnings,
            "days_off": found.days_off,
        }
        return Response(ConsoleOutput(facts).data)


def _reported(reported_match: Reported, reader_id: int) -> dict[str, Any]:
    return {
        "fixture": reported_match.fixture.pk,
        "round": reported_match.fixture.round.number,
        "number": reported_match.fixture.number,
        "stables": [side.stable.slug for side in reported_match.sides],
        "reported": [stable.slug for stable in reported_match.reporters],
        "waits_for": [stable.slug for stable in reported_match.waits_for],
        "differs": reported_match.differs,
        "due_at": reported_match.fixture.confirm_due_at,
        # As on the console, the reader acts for the organiser.
        "may_decide": reported_match.differs and may_decide("organiser", reported_match.is_of(reader_id)),
    }


class SpanOutput(Output):
    """The lowest and the highest number; they differ when a die will decide."""

    least = serializers.IntegerField()
    most = serializers.IntegerField()


class CloseOutShareOutput(Output):
    """What a stable would get. `place`, `purse` (Stones), `reputation`, `kills` and `wins` are null without a place.

    `repairs` are the names of the units that the smallest possible purse would repair, for `repair_price` Stones in
    all. Only organisers see these two; for others they are null.
    """

    stable = serializers.SlugField()
    place = SpanOutput(allow_null=True)
    purse = SpanOutput(allow_null=True)
    reputation = serializers.IntegerField(allow_null=True)
    kills = serializers.IntegerField(allow_null=True)
    wins = serializers.IntegerField(allow_null=True)
    repairs = serializers.ListField(child=serializers.CharField(), allow_null=True)
    repair_price = serializers.IntegerField(allow_null=True)


class StandInOutput(Output):
    """A stable without a line-up. `stand_in` says which line-up would stand in for it, null when it would forfeit.

    `is_called` is true in the newest round, whose line-ups an organiser can call in.
    """

    stable = serializers.SlugField(source="side.stable.slug")
    fixture = serializers.IntegerField(source="side.fixture_id")
    round = serializers.IntegerField(source="side.fixture.round.number")
    stand_in = serializers.ChoiceField(choices=STAND_INS, allow_null=True)
    is_called = serializers.BooleanField()


class OpenMatchOutput(Output):
    """An open match. `ending` is what ends it when its time is over, null for a reported match and for one that waits
    for no person.

    `stables` and `reporters` are names: of those that take part, and of those that have reported. `is_disputed` says
    that every person who plays has reported it and it is still open, or that it waits for a referee.
    """

    fixture = serializers.IntegerField(source="fixture.pk")
    round = serializers.IntegerField(source="fixture.round.number")
    stables = serializers.ListField(child=serializers.CharField())
    ending = serializers.ChoiceField(choices=ENDINGS, allow_null=True)
    reporters = serializers.ListField(child=serializers.CharField())
    is_disputed = serializers.BooleanField()


class CloseOutOutput(Output):
    """The newest cycle, and what its close would bring as things stand.

    `cycle` and `cycle_state` are null before the first cycle. While no rounds are played the lists are empty, and
    `next_cycle` is null. In a grand melee nobody has a place until its match is settled. Only organisers see `missing`
    and `unplayed`; for others they are null. `next_cycle` is null after the last cycle, too, when the titles are
    decided; `next_format` and `next_class` are null with it. `rounds_planned` is null while the market is open.
    """

    cycle = serializers.IntegerField(allow_null=True)
    cycle_state = serializers.ChoiceField(choices=Cycle.State.values, allow_null=True)
    rounds_settled = serializers.IntegerField()
    rounds_planned = serializers.IntegerField(allow_null=True)
    is_over = serializers.BooleanField()
    next_cycle = serializers.IntegerField(allow_null=True)
    next_format = serializers.CharField(allow_null=True)
    next_class = serializers.CharField(allow_null=True)
    shares = CloseOutShareOutput(many=True)
    missing = StandInOutput(many=True, allow_null=True)
    unplayed = OpenMatchOutput(many=True, allow_null=True)


CLOSE_OUT: dict[str, Any] = {
    "cycle": 2,
    "cycle_state": "rounds",
    "rounds_settled": 2,
    "rounds_planned": 3,
    "is_over": False,
    "next_cycle": 3,
    "next_format": "team",
    "next_class": "light",
    "shares": [
        {
            "stable": "kestrel-row",
            "place": {"least": 1, "most": 1},
            "purse": {"least": 180, "most": 180},
            "reputation": 240,
            "kills": 2,
            "wins": 2,
            "repairs": ["Hellion"],
            "repair_price": 24,
        }
    ],
    "missing": [{"stable": "northlight", "fixture": 14, "round": 3, "stand_in": "saved", "is_called": True}],
    "unplayed": [],
}


class SeasonCloseOut(Organising):
    """The effects that the close of a cycle would have."""

    open_to_all = True

    @describes(
        "season_close_out",
        "What the close of the cycle would bring",
        TOPIC,
        answers=CloseOutOutput,
        examples=[example("After two of three rounds", CLOSE_OUT)],
    )
    def get(self, request: Any, season_slug: str) -> Response:
        """Return places and purses as if the cycle were closed now. Organisers also see open matches, stand-ins and
        repairs.

        Stables that only a die can separate stay tied until every match is settled.
        """
        season = self.season()
        is_organiser = organises(request.user, season)
        cycle = season.cycles.order_by("-number").first()
        found = None
        if cycle is not None and cycle.state == Cycle.State.ROUNDS:
            found = close_out(season, cycle, for_organisers=is_organiser)
        return Response(CloseOutOutput(_close_out(cycle, found, is_organiser)).data)


def _close_out(cycle: Cycle | None, found: CloseOut | None, is_organiser: bool) -> dict[str, Any]:
    following = None if found is None else found.next
    return {
        "cycle": None if cycle is None else cycle.number,
        "cycle_state": None if cycle is None else cycle.state,
        "rounds_settled": 0 if found is None else found.rounds_settled,
        "rounds_planned": None if cycle is None else cycle.rounds_planned,
        "is_over": found is not None and found.is_over,
        "next_cycle": following.number if following else None,
        "next_format": following.format or None if following else None,
        "next_class": following.match_class or None if following else None,
        "shares": [_share(share, is_organiser) for share in found.shares] if found else [],
        "missing": ([_missing(each) for each in found.missing] if found else []) if is_organiser else None,
        "unplayed": ([_unplayed(each) for each in found.unplayed] if found else []) if is_organiser else None,
    }


def _share(share: Share, is_organiser: bool) -> dict[str, Any]:
    placing = share.placing
    return {
        "stable": share.stable.slug,
        "place": None if placing is None else _span(share.places),
        "purse": None if placing is None else _span(share.purses),
        "reputation": None if placing is None else placing.reputation,
        "kills": None if placing is None else placing.kills,
        "wins": None if placing is None else placing.wins,
        "repairs": list(share.repairs) if is_organiser else None,
        "repair_price": share.repair_price if is_organiser else None,
    }


def _span(ends: tuple[int, int]) -> dict[str, int]:
    return {"least": ends[0], "most": ends[1]}


def _missing(each: Missing) -> dict[str, Any]:
    return {"side": each.side, "stand_in": each.source or None, "is_called": each.is_called}


def _unplayed(each: Unplayed) -> dict[str, Any]:
    return {
        "fixture": each.fixture,
        "stables": each.stables,
        "ending": each.ending or None,
        "reporters": each.reporters,
        "is_disputed": each.is_disputed,
    }
