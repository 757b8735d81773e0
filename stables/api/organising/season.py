"""The endpoints of a season's course: start, pause, end, settings, calendar, deadlines, visibility."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers
from rest_framework.response import Response

from api.description import describes, example
from api.endpoint import idempotent
from api.fields import Input, Output, StrictBoolean, StrictChoice, StrictDateTime
from rules.core.refusals import SeasonRefused
from stables.api.organising.base import COURSE, TOPIC, CourseOutput, Organising
from stables.api.organising.reason import ReasonInput, reason_from
from stables.api.organising.settings import (
    CalendarInput,
    ChangedSettingsInput,
    calendar_from,
    rules_refuse,
    settings_from,
)
from stables.models import Season
from stables.services.base import deadlines
from stables.services.fixtures import pairing, rounds
from stables.services.running import pauses
from stables.services.running.calendars import change_calendar
from stables.services.season import calendar as calendars
from stables.services.season import endings, settings, visibility
from stables.services.standings import ceremony, sudden_deaths


class CalledTimeOutput(Output):
    """The numbers of the stables whose line-ups were missing: those that forfeited, and those that got a line-up."""

    forfeited = serializers.ListField(child=serializers.IntegerField())
    nominated = serializers.ListField(child=serializers.IntegerField())


class CallTime(Organising):
    """The end of waiting for line-ups."""

    @describes(
        "season_call_time",
        "Wait no longer for line-ups",
        TOPIC,
        answers=CalledTimeOutput,
        examples=[example("One line-up was missing", {"forfeited": [], "nominated": [3]})],
    )
    @idempotent(atomic=True)
    def post(self, request: Any, season_slug: str) -> Response:
        """Stop waiting in the newest round: the saved or nearest legal line-up stands in for each missing one.

        Only a stable that can field nothing forfeits. Refused: no_round_to_call.
        """
        season = self.organised_season()
        newest = rounds.newest_round(season.pk)
        if newest is None:
            raise SeasonRefused("no_round_to_call", state=season.state)
        return Response(CalledTimeOutput(rounds.call_time(round_id=newest.pk)).data)


class PairedReadyOutput(Output):
    """The numbers of the stables that were paired, and of those that still wait."""

    paired = serializers.ListField(child=serializers.IntegerField())
    waiting = serializers.ListField(child=serializers.IntegerField())


class PairReady(Organising):
    """The pairing of the stables that are ready."""

    @describes(
        "season_pair_ready",
        "Pair those who have played",
        TOPIC,
        answers=PairedReadyOutput,
        examples=[example("Two of three", {"paired": [1, 4], "waiting": [2]})],
    )
    @idempotent(atomic=True)
    def post(self, request: Any, season_slug: str) -> Response:
        """Pair the stables that have played, for their next round, without waiting for late matches.

        Refused: nobody_to_pair.
        """
        season = self.organised_season()
        return Response(PairedReadyOutput(pairing.pair_ready(season_id=season.pk)).data)


class Pause(Organising):
    """A pause."""

    @describes(
        "season_pause",
        "Pause a season",
        TOPIC,
        answers=CourseOutput,
        examples=[example("It is paused", {**COURSE, "paused_at": "3152-03-08T18:00:00Z"})],
    )
    @idempotent(atomic=True)
    def post(self, request: Any, season_slug: str) -> Response:
        """Pause the season. No deadline passes until you resume it. Refused: season_not_running, paused_already."""
        season = self.organised_season()
        pauses.pause(season_id=season.pk, actor=request.user)
        return self.course(season)


class Resume(Organising):
    """The end of a pause."""

    @describes(
        "season_resume",
        "Resume a paused season",
        TOPIC,
        answers=CourseOutput,
        examples=[example("It goes on", COURSE)],
    )
    @idempotent(atomic=True)
    def post(self, request: Any, season_slug: str) -> Response:
        """End the pause. All open deadlines move by the length of the pause. Refused: not_paused."""
        season = self.organised_season()
        pauses.resume(season_id=season.pk, actor=request.user)
        return self.course(season)


class Close(Organising):
    """The end of the time for corrections."""

    @describes(
        "season_close",
        "Close a season with provisional champions",
        TOPIC,
        answers=CourseOutput,
        examples=[example("Its results stand", {**COURSE, "state": "finished", "cycle_state": "closed"})],
    )
    @idempotent(atomic=True)
    def post(self, request: Any, season_slug: str) -> Response:
        """Make results and titles final before the time for corrections is over. Refused: season_not_to_close."""
        season = self.organised_season()
        ceremony.close_season(season_id=season.pk, user=request.user)
        return self.course(season)


class CancelInput(Input):
    """Whether you are sure; not needed while the season recruits."""

    sure = StrictBoolean(default=False)


class Cancel(Organising):
    """The end of a season before its last cycle."""

    @describes(
        "season_cancel",
        "Cancel a season for good",
        TOPIC,
        sends=CancelInput,
        answers=CourseOutput,
        examples=[
            example("One that has begun", {"sure": True}, sent=True),
            example("It is cancelled", {**COURSE, "state": "cancelled"}),
        ],
    )
    @idempotent(atomic=True)
    def post(self, request: Any, season_slug: str) -> Response:
        """Cancel the season for good. Its jobs stop, and its pages stay. Refused: season_is_over, not_sure."""
        season = self.organised_season()
        is_sure = self.sent(CancelInput)["sure"]
        endings.cancel_season(season_id=season.pk, is_sure=is_sure, actor=request.user)
        return self.course(season)


class AnnouncedOutput(Output):
    """The settings that changed or will change, with their new values, and the cycle from which they hold.

    Settings announced earlier are among `changes`. It is empty when your change takes the announcement back.
    """

    changes = serializers.DictField()
    from_cycle = serializers.IntegerField()


class Settings(Organising):
    """The settings of a season."""

    @describes(
        "season_change_settings",
        "Change settings",
        TOPIC,
        sends=ChangedSettingsInput,
        answers=AnnouncedOutput,
        examples=[
            example("More Stones for those who lose", {"loser_keeps_reputation": True}, sent=True),
            example("From the next cycle on", {"changes": {"loser_keeps_reputation": True}, "from_cycle": 2}),
        ],
    )
    @idempotent(atomic=True)
    def post(self, request: Any, season_slug: str) -> Response:
        """Change the settings: at once before the season starts, otherwise from its next cycle on. The owners get a
        notice.

        Refused: settings that contradict each other (setting_out_of_range, setting_not_built), setting_fixed,
        settings_unchanged, no_cycle_to_come, season_not_running.
        """
        season = self.organised_season()
        before = {**season.settings, **season.pending_settings}["house_rules"]
        changes = settings_from(self.sent(ChangedSettingsInput), before)
        with rules_refuse():
            made = settings.change_settings(season_id=season.pk, changes=changes, actor=request.user)
        return Response(AnnouncedOutput(made).data)


class AnnouncedSettings(Organising):
    """The announced settings."""

    @describes("season_take_settings_back", "Take announced settings back", TOPIC, answers=None, status=204)
    @idempotent(atomic=True)
    def delete(self, request: Any, season_slug: str) -> Response:
        """Drop the announced settings; the current ones stay. Refused: nothing_announced."""
        season = self.organised_season()
        settings.take_back(season_id=season.pk, actor=request.user)
        return Response(status=204)


class SeasonCalendarOutput(Output):
    """The calendar of a season with all its values."""

    calendar = serializers.DictField()


class ChangeCalendarInput(CalendarInput):
    """When things are due from now on, and what becomes of deadlines that are set already.

    A field that is left out follows the preset; without `days_off` there are none.
    """

    move_deadlines = StrictBoolean(
        default=False,
        help_text="Deadlines that are set already move behind new days off, too. Dates that players agreed on stay.",
    )


class SeasonCalendar(Organising):
    """The calendar of a season."""

    @describes(
        "season_change_calendar",
        "Change the calendar",
        TOPIC,
        sends=ChangeCalendarInput,
        answers=SeasonCalendarOutput,
        examples=[
            example("Fridays", {"preset": "club_night", "time_zone": "Europe/Berlin", "mode": "table"}, sent=True),
            example(
                "Off at Christmas",
                {
                    "preset": "weekly",
                    "time_zone": "Europe/Berlin",
                    "days_off": [{"first": "3151-12-24", "last": "3151-12-26", "word": "Christmas"}],
                    "move_deadlines": True,
                },
                sent=True,
            ),
            example("It holds", {"calendar": {"preset": "club_night", "weekday": 4, "at": "19:00"}}),
        ],
    )
    @idempotent(atomic=True)
    def put(self, request: Any, season_slug: str) -> Response:
        """Change the calendar for markets and rounds that open from now on; open deadlines stay.

        With `move_deadlines` open deadlines move behind days off that are new. Refused: season_not_running,
        setting_out_of_range.
        """
        season = self.organised_season()
        sent = dict(self.sent(ChangeCalendarInput))
        moves_deadlines = sent.pop("move_deadlines")
        with rules_refuse():
            calendar = calendar_from(sent)
            change_calendar(season_id=season.pk, calendar=calendar, moves_deadlines=moves_deadlines, actor=request.user)
        return Response({"calendar": calendar})


class MoveDeadlineInput(ReasonInput):
    """A deadline, and its new time. A reason is optional."""

    what = StrictChoice(choices=[deadlines.MARKET, *calendars.ROUND_FIELDS])
    at = StrictDateTime()


class MovedDeadlineOutput(Output):
    """A deadline and its new time."""

    what = serializers.CharField()
    at = serializers.DateTimeField()


class Deadline(Organising):
    """An open deadline."""

    @describes(
        "season_move_deadline",
        "Move a deadline",
        TOPIC,
        sends=MoveDeadlineInput,
        answers=MovedDeadlineOutput,
        examples=[
            example("A day more for line-ups", {"what": "line_ups", "at": "3152-03-09T18:00:00Z"}, sent=True),
            example("Moved", {"what": "line_ups", "at": "3152-03-09T18:00:00Z"}),
        ],
    )
    @idempotent(atomic=True)
    def post(self, request: Any, season_slug: str) -> Response:
        """Move or set the deadline of the open market, or one of the first open round. Deadlines of the round that
        would be out of order move, too.

        Refused: deadline_not_ahead, deadline_too_far, deadline_on_day_off, no_deadline.
        """
        season = self.organised_season()
        sent = self.sent(MoveDeadlineInput)
        moved = calendars.move_deadline(
            season_id=season.pk,
            what=sent["what"],
            at=sent["at"],
            reason=reason_from(sent, may_lack=True),
            actor=request.user,
        )
        return Response({"what": moved.what, "at": moved.at})


class VisibilityInput(Input):
    """Who may see the season: everybody in lists, people who know its address, or only people who take part."""

    visibility = StrictChoice(choices=Season.Visibility.values)


class Visibility(Organising):
    """The visibility of a season."""

    @describes(
        "season_change_visibility",
        "Change who may see a season",
        TOPIC,
        sends=VisibilityInput,
        answers=CourseOutput,
        examples=[
            example("Not listed any more", {"visibility": "unlisted"}, sent=True),
            example("It holds", {**COURSE, "visibility": "unlisted"}),
        ],
    )
    @idempotent(atomic=True)
    def put(self, request: Any, season_slug: str) -> Response:
        """Change who may see the season. You may do this at any time, even after its end."""
        season = self.organised_season()
        chosen = self.sent(VisibilityInput)["visibility"]
        visibility.change_visibility(season_id=season.pk, visibility=chosen, actor=request.user)
        return self.course(season)


class LastCallOutput(Output):
    """The last date for the sudden death."""

    at = serializers.DateTimeField()


class LastCall(Organising):
    """A last date for the stables that are tied for a title."""

    @describes(
        "season_last_call",
        "Set a last date for the sudden death",
        TOPIC,
        answers=LastCallOutput,
        examples=[example("A day from now", {"at": "3152-06-01T18:00:00Z"})],
    )
    @idempotent(atomic=True)
    def post(self, request: Any, season_slug: str) -> Response:
        """Set a last date a day from now, and remind the players who are missing. Then the sudden death is decided.

        Refused: no_sudden_death, sudden_death_has_date.
        """
        season = self.organised_season()
        return Response({"at": sudden_deaths.call_last(season_id=season.pk)})
