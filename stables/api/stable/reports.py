"""The endpoints of results from tables: reports as far as the asker may see them, reporting, confirming and
reopening.
"""

from __future__ import annotations

from typing import Any

from rest_framework import serializers
from rest_framework.response import Response

from api.description import describes, example
from api.endpoint import idempotent
from api.fields import Input, Output, StrictBoolean, StrictChoice, StrictInteger
from rules.campaign.results.reports import ENDINGS, FATES, MOST_POINTS
from rules.core.refusals import Malformed
from stables.api.organising.reason import ReasonOrTextInput, reason_from
from stables.api.stable.base import FIXTURE_ID, AssetNumber, FixtureEndpoint, names_are_refused
from stables.models import Fixture, Report
from stables.presenters.fixture import find_fixture
from stables.presenters.results import results_context
from stables.selectors.fixtures import sides_with_line_ups
from stables.selectors.offices import office_in
from stables.services.fixtures.pairing import SIDES
from stables.services.results import contests, reports

TOPIC = "Results and standings"


class SideReportInput(Input):
    """What a side earned, in reputation points by source, before a surrender halves it."""

    eliminations = StrictInteger(
        min_value=0, max_value=MOST_POINTS, required=False, help_text="Left out, it follows from the kills."
    )
    tokens = StrictInteger(min_value=0, max_value=MOST_POINTS, required=False)
    flags = StrictInteger(min_value=0, max_value=MOST_POINTS, required=False)
    surrendered = StrictBoolean(required=False)


class UnitReportInput(Input):
    """How a unit left the match."""

    clicks = StrictInteger(
        min_value=0, max_value=MOST_POINTS, required=False, help_text="Off its start marker; left out: as before."
    )
    eliminated = StrictBoolean(required=False)
    kills = StrictInteger(min_value=0, max_value=MOST_POINTS, required=False)
    died = StrictChoice(
        choices=FATES, required=False, help_text="Whether the pilot died; “roll” leaves the die to the site."
    )


class ReportInput(Input):
    """How a match ended. Fields that follow from the others may be left out.

    `sides` are named as in the fixture ("red", "blue"), `units` as in the match: the side, a hyphen and the place in
    the line-up ("red-1"). A report that says nothing, names what is not in the match, is not clear or cannot be true is
    refused (409).
    """

    ended_by = StrictChoice(choices=ENDINGS, required=False)
    winner = StrictChoice(choices=SIDES, required=False, help_text="The side that won.")
    sides = serializers.DictField(child=SideReportInput(), required=False, help_text="Side -> what it earned.")
    units = serializers.DictField(child=UnitReportInput(), required=False, help_text="Unit -> how it left the match.")


class SideReportOutput(Output):
    """What a side earned, in reputation points by source."""

    eliminations = serializers.IntegerField()
    tokens = serializers.IntegerField()
    flags = serializers.IntegerField()
    surrendered = serializers.BooleanField()


class UnitReportOutput(Output):
    """How a unit left the match."""

    clicks = serializers.IntegerField()
    eliminated = serializers.BooleanField()
    kills = serializers.IntegerField()
    died = serializers.ChoiceField(choices=FATES)


class ReportDocumentOutput(Output):
    """A report with everything that was left out filled in."""

    ended_by = serializers.ChoiceField(choices=ENDINGS)
    winner = serializers.ChoiceField(choices=SIDES)
    sides = serializers.DictField(child=SideReportOutput())
    units = serializers.DictField(child=UnitReportOutput())


class ReportOutput(Output):
    """The newest report of a stable about its match."""

    report = serializers.IntegerField(source="pk", help_text="Its number on this site, which `confirm` takes.")
    stable = serializers.SlugField(source="stable.slug")
    number = serializers.IntegerField(help_text="How many reports the stable has made.")
    filed_at = serializers.DateTimeField(source="created_at")
    document = ReportDocumentOutput()


class ReportDifferenceOutput(Output):
    """A field in which the reports differ, in words, with what each stable says."""

    field = serializers.CharField()
    values = serializers.DictField(child=serializers.CharField(), help_text="Stable -> what it says.")


class ReportsOutput(Output):
    """The reports of a match. Only the owners of its stables, organisers and referees see `reports` and `differences`;
    for others these are null. `confirm_due_at` is null while no such time runs.
    """

    is_open = serializers.BooleanField(help_text="Whether the match waits for its result from a table.")
    reporters = serializers.ListField(child=serializers.SlugField())
    confirm_due_at = serializers.DateTimeField(allow_null=True, help_text="When silence confirms what was reported.")
    can_report = serializers.BooleanField()
    can_reopen = serializers.BooleanField()
    reports = ReportOutput(many=True, allow_null=True, help_text="Null for those who may not see them.")
    differences = ReportDifferenceOutput(many=True, allow_null=True)


class FiledOutput(Output):
    """A report that was filed: its number among the stable's own, whether it settled the match, and in which fields the
    reports differ. When they agree on a result that cannot be true, `differing` holds the code of the problem.
    """

    number = serializers.IntegerField()
    settled = serializers.BooleanField()
    differing = serializers.ListField(child=serializers.CharField(), help_text="Paths of fields.")


class ConfirmInput(Input):
    """The report to confirm."""

    report = AssetNumber(help_text="The number of a rival's newest report.")


class ReopenInput(ReasonOrTextInput):
    """Why a result is opened again."""


class ReopenedOutput(Output):
    """A match that is open again, and when silence confirms the rivals' report once more."""

    fixture = serializers.IntegerField(source="fixture_id")
    confirm_due_at = serializers.DateTimeField(allow_null=True)


SHORT = {
    "winner": "red",
    "sides": {"red": {"tokens": 5}},
    "units": {"red-1": {"clicks": 2, "kills": 1}, "blue-1": {"eliminated": True}},
}
SIDE = {"eliminations": 0, "tokens": 0, "flags": 0, "surrendered": False}
DOCUMENT = {
    "ended_by": "last_side",
    "winner": "red",
    "sides": {"red": {**SIDE, "eliminations": 80, "tokens": 5}, "blue": SIDE},
    "units": {
        "red-1": {"clicks": 2, "eliminated": False, "kills": 1, "died": "no"},
        "blue-1": {"clicks": 9, "eliminated": True, "kills": 0, "died": "no"},
    },
}
REPORTS = {
    "is_open": True,
    "reporters": ["iron-parish"],
    "confirm_due_at": "3152-03-09T18:00:00Z",
    "can_report": True,
    "can_reopen": False,
    "reports": [
        {
            "report": 41,
            "stable": "iron-parish",
            "number": 1,
            "filed_at": "3152-03-08T18:00:00Z",
            "document": DOCUMENT,
        }
    ],
    "differences": [],
}


def reports_of(fixture: Fixture, user: Any) -> dict[str, Any]:
    """Return a fixture's reports as far as a person may see them. Fetch the fixture by `find_fixture`."""
    shown = results_context(fixture, user)["results"]
    takes_part = any(side.is_played_by(user) for side in fixture.sides.all())
    may_see = takes_part or bool(office_in(fixture.round.cycle.season, user))
    filed: list[Report] = reports.newest_reports(fixture)
    is_open = fixture.state == Fixture.State.SEALED and fixture.match_id is None
    return {
        "is_open": is_open and (bool(filed) or fixture.mode == Fixture.Mode.TABLE),
        "reporters": [each.stable.slug for each in filed],
        "confirm_due_at": shown["confirm_due_at"],
        "can_report": shown["can_report"],
        "can_reopen": shown["can_reopen"],
        "reports": filed if may_see else None,
        "differences": [
            {"field": row["field"], "values": {each["stable"].slug: str(each["value"]) for each in row["values"]}}
            for row in shown["comparison"].get("rows", ())
        ]
        if may_see
        else None,
    }


class Reports(FixtureEndpoint):
    """The reports of a match."""

    open_to_all = True

    @describes(
        "reports_list",
        "What was reported of a match",
        TOPIC,
        answers=ReportsOutput,
        parameters=[FIXTURE_ID],
        examples=[example("One report", REPORTS)],
    )
    def get(self, request: Any, season_slug: str, fixture_id: int) -> Response:
        """Return the newest report of each stable for the owners of stables in the match, the organisers and the
        referees. Others see who has reported, and not what.
        """
        self.fixture_id(fixture_id)
        return Response(ReportsOutput(reports_of(find_fixture(season_slug, fixture_id), request.user)).data)

    @describes(
        "reports_file",
        "Report a result",
        TOPIC,
        answers=FiledOutput,
        status=201,
        sends=ReportInput,
        parameters=[FIXTURE_ID],
        examples=[
            example("Red eliminates blue", SHORT, sent=True),
            example("In full", DOCUMENT, sent=True),
            example("The rival is asked", {"number": 1, "settled": False, "differing": []}, status=201),
        ],
    )
    @idempotent(atomic=True)
    @names_are_refused
    def post(self, request: Any, season_slug: str, fixture_id: int) -> Response:
        """Say how your match at a table ended. When everybody with a stable in the match has reported, and at least two
        have, reports that agree settle the match at once.

        Refused: fixture_settled, report_too_early, report_not_at_table, report_not_yours, and a result that cannot be
        true (report_…) or is not clear (bad_field).
        """
        side, fields = self.played_side(fixture_id), self.sent(ReportInput)
        _require_known(fixture_id, fields)
        filed = reports.file_report(fixture_id=fixture_id, stable_id=side.stable_id, document=fields, user=request.user)
        return Response(FiledOutput(filed).data, status=201)


def _require_known(fixture_id: int, fields: dict[str, Any]) -> None:
    """Raise Malformed (bad_field) for a side or unit outside the match: a typing error would change the result.

    Nothing is checked before all line-ups are in, because the service then refuses the report.
    """
    fixture = Fixture.objects.select_related("round__cycle__season__release").get(pk=fixture_id)
    if fixture.state != Fixture.State.SEALED or not (fields.get("sides") or fields.get("units")):
        return
    contest = contests.contest_of(fixture, sides_with_line_ups(fixture))
    for name, known in (("sides", contest.sides), ("units", contest.units)):
        for key in fields.get(name, {}):
            if key not in known:
                raise Malformed("bad_field", field=f"{name}.{key}")


class ConfirmReport(FixtureEndpoint):
    """The confirmation of a report."""

    @describes(
        "reports_confirm",
        "Confirm a rival's report",
        TOPIC,
        answers=FiledOutput,
        sends=ConfirmInput,
        parameters=[FIXTURE_ID],
        examples=[
            example("A report", {"report": 41}, sent=True),
            example("Settled", {"number": 1, "settled": True, "differing": []}),
        ],
    )
    @idempotent(atomic=True)
    @names_are_refused
    def post(self, request: Any, season_slug: str, fixture_id: int) -> Response:
        """File a report that says the same as a rival's newest one.

        Refused: fixture_settled, report_too_early, report_not_at_table, report_not_yours, report_not_newest.
        """
        side, fields = self.played_side(fixture_id), self.sent(ConfirmInput)
        filed = reports.confirm_report(
            fixture_id=fixture_id, stable_id=side.stable_id, report_id=fields["report"], user=request.user
        )
        return Response(FiledOutput(filed).data)


class ReopenResult(FixtureEndpoint):
    """The reopening of a result that silence confirmed."""

    @describes(
        "reports_reopen",
        "Reopen a result that silence confirmed",
        TOPIC,
        answers=ReopenedOutput,
        sends=ReopenInput,
        parameters=[FIXTURE_ID],
        examples=[
            example("A reason", {"reason": "typing_error", "words": "We stopped in round six."}, sent=True),
            example("Open again", {"fixture": 12, "confirm_due_at": "3152-03-09T18:00:00Z"}),
        ],
    )
    @idempotent(atomic=True)
    @names_are_refused
    def post(self, request: Any, season_slug: str, fixture_id: int) -> Response:
        """Reopen a result that your silence confirmed. This is possible once, until the cycle closes.

        Refused: reopen_not_silent, reopen_too_late, report_reopened_before, report_not_yours, reason_missing.
        """
        side, fields = self.own_side(fixture_id), self.sent(ReopenInput)
        opened = reports.reopen(
            fixture_id=fixture_id,
            stable_id=side.stable_id,
            reason=reason_from(fields),
            user=request.user,
        )
        return Response(ReopenedOutput(opened).data)
