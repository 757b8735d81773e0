"""The endpoint of a season's results with their corrections, and the shape that all results share."""

from __future__ import annotations

from typing import Any

from django.db.models import Prefetch, QuerySet
from rest_framework import serializers
from rest_framework.response import Response

from api.description import describes, example
from api.endpoint import Pages, pages_of
from api.fields import NullableChoice, Output, page_example
from rules.campaign.results.corrections import stables_of
from stables.api.base import SeasonEndpoint
from stables.api.references import (
    MATCH_EXAMPLE,
    RIVAL_EXAMPLE,
    STABLE_EXAMPLE,
    MatchNameOutput,
    StableNameOutput,
    cycle_filter,
    stable_filter,
)
from stables.models import Correction, FixtureSide, Result, Season
from stables.selectors.leaders import HEAVY
from stables.text.reasons import told_reason
from stables.text.results import ENDINGS, effect_lines

TOPIC = "Results and standings"


class GainOutput(Output):
    """What a match brought a pilot, or a unit without one."""

    reputation = serializers.IntegerField()
    kills = serializers.IntegerField()


class SideResultOutput(Output):
    """A side as the match ended: the `reputation` that it scored, and what all its stables together bank.

    `stable` is the number of its first stable. `individuals` has the gains of its pilots, and of units without one, by
    their codes. `forfeits` is null for a side that does not forfeit.
    """

    stable = serializers.IntegerField()
    reputation = serializers.IntegerField()
    banked = serializers.IntegerField()
    kills = serializers.IntegerField()
    surrendered = serializers.BooleanField()
    forfeits = NullableChoice(choices=FixtureSide.Forfeit.values)
    individuals = serializers.DictField(child=GainOutput())


class StableResultOutput(Output):
    """What a stable banks, and the `cause`. `individuals` has the gains of its pilots, and of units without one, by
    their codes. `forfeits` is null for a stable that does not forfeit.
    """

    side = serializers.CharField()
    banked = serializers.IntegerField()
    kills = serializers.IntegerField()
    won = serializers.BooleanField()
    played = serializers.BooleanField()
    cause = serializers.CharField()
    forfeits = NullableChoice(choices=FixtureSide.Forfeit.values)
    individuals = serializers.DictField(child=GainOutput())


class UnitResultOutput(Output):
    """A unit as it left the match. `before` and `clicks` are its clicks off the start marker before and after. `asset`
    and `pilot` are codes, `stable` is a number; `pilot` is null without one.
    """

    side = serializers.CharField()
    stable = serializers.IntegerField()
    asset = serializers.CharField()
    pilot = serializers.CharField(allow_null=True)
    before = serializers.IntegerField()
    clicks = serializers.IntegerField()
    eliminated = serializers.BooleanField()
    kills = serializers.IntegerField()
    pilot_dead = serializers.BooleanField()


class OutcomeOutput(Output):
    """The result that counts now, corrections included. Its shape is the same however the match ended.

    `sides` is by side, `stables` by the number of the stable, `units` by the unit's id in the match. `places` lists the
    sides of a grand melee, the best first; for other formats it is empty. `winner` is a side, null when nobody won.
    `tie_break` is null when none was needed.
    """

    ended_by = serializers.ChoiceField(choices=list(ENDINGS))
    winner = serializers.CharField(allow_null=True)
    rounds = serializers.IntegerField()
    tie_break = serializers.CharField(allow_null=True)
    source = serializers.ChoiceField(choices=Result.Source.values)  # type: ignore[assignment]
    places = serializers.ListField(child=serializers.CharField())
    sides = serializers.DictField(child=SideResultOutput())
    stables = serializers.DictField(child=StableResultOutput())
    units = serializers.DictField(child=UnitResultOutput())


class CorrectionOutput(Output):
    """A correction: who made it, why, and what it changed, as lines (`effects`) and in words (`sentences`). `by` is
    null when its account is gone.
    """

    number = serializers.IntegerField()
    kind = serializers.ChoiceField(choices=Correction.Kind.values)
    reason = serializers.CharField()
    by = serializers.CharField(allow_null=True)
    made_at = serializers.DateTimeField(source="created_at")
    effects = serializers.ListField(child=serializers.DictField())
    sentences = serializers.ListField(child=serializers.CharField())


class SideStableOutput(Output):
    """A stable and its side. Two stables may share a side."""

    side = serializers.CharField()
    stable = StableNameOutput()


class ResultOutput(Output):
    """A fixture with a result. `match` is null for a match at a table and for a forfeit without a match."""

    fixture = serializers.IntegerField()
    cycle = serializers.IntegerField()
    round = serializers.IntegerField()
    number = serializers.IntegerField()
    match = MatchNameOutput(allow_null=True)
    settled_at = serializers.DateTimeField()
    sides = SideStableOutput(many=True)
    outcome = OutcomeOutput()
    corrections = CorrectionOutput(many=True)


class ResultsQuery(Pages):
    """Which results."""

    cycle = cycle_filter()
    stable = stable_filter()


GAINS = {"pilot:GS-008:1": {"reputation": 95, "kills": 1}}
OUTCOME_EXAMPLE: dict[str, Any] = {
    "ended_by": "last_side",
    "winner": "red",
    "rounds": 7,
    "tie_break": None,
    "source": "engine",
    "places": [],
    "sides": {
        "red": {
            "stable": 1, "reputation": 95, "banked": 95, "kills": 1, "surrendered": False, "forfeits": None,
            "individuals": GAINS,
        },
        "blue": {
            "stable": 2, "reputation": 20, "banked": 0, "kills": 0, "surrendered": False, "forfeits": None,
            "individuals": {},
        },
    },
    "stables": {
        "1": {
            "side": "red", "banked": 95, "kills": 1, "won": True, "played": True, "cause": "win", "forfeits": None,
            "individuals": GAINS,
        },
        "2": {
            "side": "blue", "banked": 0, "kills": 0, "won": False, "played": True, "cause": "loss", "forfeits": None,
            "individuals": {},
        },
    },
    "units": {
        "red-1": {
            "side": "red", "stable": 1, "asset": "unit:SOL002:1", "pilot": "pilot:GS-008:1", "before": 0, "clicks": 2,
            "eliminated": False, "kills": 1, "pilot_dead": False,
        }
    },
}  # fmt: skip
CORRECTION_EXAMPLE: dict[str, Any] = {
    "number": 1,
    "kind": "correct",
    "reason": "A token was counted twice.",
    "by": "organiser",
    "made_at": "3152-03-07T10:00:00Z",
    "effects": [{"what": "reputation", "stable": 1, "individual": "", "stable_name": "Ash & Sons", "amount": -5}],
    "sentences": ["Ash & Sons: reputation -5"],
}
EXAMPLE: dict[str, Any] = {
    "fixture": 12,
    "cycle": 1,
    "round": 1,
    "number": 1,
    "match": MATCH_EXAMPLE,
    "settled_at": "3152-03-06T19:40:00Z",
    "sides": [{"side": "red", "stable": STABLE_EXAMPLE}, {"side": "blue", "stable": RIVAL_EXAMPLE}],
    "outcome": OUTCOME_EXAMPLE,
    "corrections": [CORRECTION_EXAMPLE],
}


def outcome_of(result: Result) -> dict[str, Any]:
    """Return the result that counts now in the shape of OutcomeOutput, with defaults for parts that older and void
    documents lack. Fetch the result with its corrections; then there is no query.

    The reports of a match at a table are left out: only its players, organisers and referees may see them.
    """
    document = result.current
    # The document of a voided result keeps why its sides forfeited before.
    why = {"forfeits": ""} if document["ended_by"] == "void" else {}
    return {
        "ended_by": document["ended_by"],
        "winner": document["winner"],
        "rounds": document["rounds"],
        "tie_break": document["tie_break"],
        "source": document.get("source") or result.source,
        "places": document.get("places", []),
        "sides": {side: {"forfeits": "", **shown, **why} for side, shown in document["sides"].items()},
        "stables": {
            str(number): {"forfeits": "", "played": True, "cause": "", **shown}
            for number, shown in stables_of(document).items()
        },
        "units": {name: {"pilot_dead": False, **shown} for name, shown in document.get("units", {}).items()},
    }


def corrections_of(result: Result) -> list[dict[str, Any]]:
    """Return the corrections of a result in the order of their numbers. Fetch them with their users; then there is no
    query.
    """
    return [
        {
            "number": one.number,
            "kind": one.kind,
            "reason": told_reason(one.reason),
            "by": one.user.get_username() if one.user is not None else None,
            "created_at": one.created_at,
            "effects": one.effects,
            "sentences": effect_lines(one.effects),
        }
        for one in sorted(result.corrections.all(), key=lambda one: one.number)
    ]


def result_document(result: Result) -> dict[str, Any]:
    """Return a result of `results_of` in the form of the interface; no query."""
    fixture = result.fixture
    return {
        "fixture": fixture.pk,
        "cycle": fixture.round.cycle.number,
        "round": fixture.round.number,
        "number": fixture.number,
        "match": fixture.match,
        "settled_at": result.settled_at,
        "sides": [{"side": side.side, "stable": side.stable} for side in fixture.sides.all()],
        "outcome": outcome_of(result),
        "corrections": corrections_of(result),
    }


def results_of(season: Season) -> QuerySet[Result]:
    """Return the results of a season, the newest round first and by number inside a round; four queries."""
    sides = FixtureSide.objects.select_related("stable").order_by("id")
    return (
        Result.objects.filter(fixture__round__cycle__season=season)
        .select_related("fixture__round__cycle", "fixture__match")
        .defer(*(f"fixture__{name}" for name in HEAVY))
        .prefetch_related(Prefetch("fixture__sides", queryset=sides), "corrections__user")
        .order_by("-fixture__round__cycle__number", "-fixture__round__number", "fixture__number")
    )


class Results(SeasonEndpoint):
    """The results of a season."""

    @describes(
        "results_list",
        "The results",
        TOPIC,
        answers=pages_of(ResultOutput),
        asks=ResultsQuery,
        examples=[example("A result that was corrected", page_example(EXAMPLE))],
    )
    def get(self, request: Any, season_slug: str) -> Response:
        """List the results of fixtures, the newest round first. `outcome` is the result that counts now. A reopened
        result counts as void until the match is settled again.
        """
        asked = self.asked(ResultsQuery)
        found = results_of(self.season())
        if "cycle" in asked:
            found = found.filter(fixture__round__cycle__number=asked["cycle"])
        if "stable" in asked:
            found = found.filter(fixture__sides__stable__slug=asked["stable"])
        return self.page_of(
            found, asked, lambda rows: ResultOutput([result_document(row) for row in rows], many=True).data
        )
