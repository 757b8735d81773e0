"""The answers about fixtures: short ones for lists, and one fixture in full with the facts of its page."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers

from api.fields import NullableChoice, Output
from matches.api.forecasts import EXAMPLE as FORECAST_EXAMPLE
from matches.api.forecasts import ForecastOutput, forecast_document
from rules.campaign.season.appointments import HOLDERS
from stables.api.reading.results import (
    CORRECTION_EXAMPLE,
    OUTCOME_EXAMPLE,
    CorrectionOutput,
    OutcomeOutput,
    corrections_of,
    outcome_of,
)
from stables.api.references import (
    MATCH_EXAMPLE,
    PILOT_EXAMPLE,
    RIVAL_EXAMPLE,
    STABLE_EXAMPLE,
    UNIT_EXAMPLE,
    AssetNameOutput,
    MatchNameOutput,
    StableNameOutput,
    class_field,
    format_field,
)
from stables.models import Asset, Fixture, FixtureSide, LineUp, NoShowClaim, Proposal, Season
from stables.presenters.season_parts import fixture_view
from stables.selectors.seating import StableSeat
from stables.selectors.seeds import fixture_commitment
from stables.text.results import ENDINGS


class FixtureSideOutput(Output):
    """A stable in a fixture. `won`, `reputation`, `banked` and `kills` are those of its whole side, null without a
    result. `forfeits` says why the stable forfeits, by the result that counts now; null if it does not.
    """

    side = serializers.CharField()
    stable = StableNameOutput()
    forfeits = NullableChoice(choices=FixtureSide.Forfeit.values)
    line_up_is_in = serializers.BooleanField()
    won = serializers.BooleanField(allow_null=True)
    reputation = serializers.IntegerField(allow_null=True)
    banked = serializers.IntegerField(allow_null=True)
    kills = serializers.IntegerField(allow_null=True)


class FixtureOutput(Output):
    """A match of a round, or a bye. `mode` is the one that the season or an organiser set, or its players agreed on.
    `table` is the number of its table, `scheduled_at` its date. An excuse makes its deadlines later than those of its
    round. `table`, `scheduled_at`, the deadlines, `match` and `ended_by` are null where there is none. `confirm_due_at`
    is when silence confirms a report.

    `commitment` is the hash of the seed, null for a bye and for a match at a table. `arenas` are keys of the season's
    catalogue: one, or four for a ground of four maps; none for a bye.
    """

    id = serializers.IntegerField()
    cycle = serializers.IntegerField()
    round = serializers.IntegerField()
    number = serializers.IntegerField()
    kind = serializers.ChoiceField(choices=Fixture.Kind.values)
    state = serializers.ChoiceField(choices=Fixture.State.values)
    arenas = serializers.ListField(child=serializers.CharField())
    mode = serializers.ChoiceField(choices=Fixture.Mode.values)
    table = serializers.IntegerField(allow_null=True)
    scheduled_at = serializers.DateTimeField(allow_null=True)
    line_ups_due_at = serializers.DateTimeField(allow_null=True)
    play_due_at = serializers.DateTimeField(allow_null=True)
    confirm_due_at = serializers.DateTimeField(allow_null=True)
    commitment = serializers.CharField(allow_null=True)
    match = MatchNameOutput(allow_null=True)
    sides = FixtureSideOutput(many=True)
    ended_by = NullableChoice(choices=list(ENDINGS))


class GearInCrewOutput(AssetNameOutput):
    """A gear card of a line-up. `side` is the declared side of two-sided gear, null for other gear."""

    side = NullableChoice(choices=Asset.Side.values)


class CrewOutput(Output):
    """A unit of a line-up with its pilot and gear. `damage`: clicks off its start marker before the match."""

    unit = AssetNameOutput()
    pilot = AssetNameOutput(allow_null=True)
    damage = serializers.IntegerField()
    gear = GearInCrewOutput(many=True)


class LineUpOutput(Output):
    """A line-up as everybody sees it once all line-ups of the match are in. `chosen_by` is "owner", or says which
    line-up stood in for the owner.
    """

    stable = StableNameOutput()
    chosen_by = serializers.ChoiceField(choices=LineUp.Source.values)
    crews = CrewOutput(many=True)


class SeatedSideOutput(FixtureSideOutput):
    """A stable in a fixture, and who decides for it. `decides` is null for a bye, once the match is over, and for a
    stable that forfeits. `program` is the account of a program that decides, otherwise null.
    """

    decides = NullableChoice(choices=list(HOLDERS))
    program = serializers.CharField(allow_null=True)


class NoShowOutput(Output):
    """A claim that a player did not come, with its state. `new_date` is the one new date that the first claim set; null
    when none was set.
    """

    claimant = StableNameOutput()
    absent = StableNameOutput()
    state = serializers.ChoiceField(choices=NoShowClaim.State.values)
    new_date = serializers.DateTimeField(allow_null=True)


class ProposalOutput(Output):
    """A proposed date (`at`) or mode that waits for answers. Either one is null when it is not proposed."""

    id = serializers.IntegerField()
    stable = StableNameOutput()
    mode = NullableChoice(choices=Fixture.Mode.values)
    at = serializers.DateTimeField(allow_null=True)
    accepted_by = StableNameOutput(many=True)


class FixtureDetailOutput(FixtureOutput):
    """A fixture with everything that its page shows to you.

    `plays` is how it is played, given who decides now. `seed` is null until the engine's match is over. `reported_by`
    are the stables that reported a match at a table that is still open. `proposals` are empty for a person who does not
    play in it. `line_ups` are empty before all are in. `forecast` is null until then, and until a job has counted its
    first play-outs. `no_show` is null without a claim and for a withdrawn one, `outcome` without a result.
    """

    format = format_field()
    match_class = class_field()
    plays = serializers.ChoiceField(choices=Fixture.Mode.values)
    sides = SeatedSideOutput(many=True)
    line_ups = LineUpOutput(many=True)
    forecast = ForecastOutput(allow_null=True)
    seed = serializers.CharField(allow_null=True)
    no_show = NoShowOutput(allow_null=True)
    reported_by = StableNameOutput(many=True)
    proposals = ProposalOutput(many=True)
    outcome = OutcomeOutput(allow_null=True)
    corrections = CorrectionOutput(many=True)


SIDE_EXAMPLE: dict[str, Any] = {
    "side": "red", "stable": STABLE_EXAMPLE, "forfeits": None, "line_up_is_in": True, "won": True, "reputation": 95,
    "banked": 95, "kills": 1,
}  # fmt: skip
LOSER_EXAMPLE: dict[str, Any] = {
    "side": "blue", "stable": RIVAL_EXAMPLE, "forfeits": None, "line_up_is_in": True, "won": False, "reputation": 20,
    "banked": 0, "kills": 0,
}  # fmt: skip
EXAMPLE: dict[str, Any] = {
    "id": 12,
    "cycle": 1,
    "round": 1,
    "number": 1,
    "kind": "match",
    "state": "settled",
    "arenas": ["factory"],
    "mode": "browser",
    "table": None,
    "scheduled_at": "3152-03-06T18:30:00Z",
    "line_ups_due_at": "3152-03-06T18:10:00Z",
    "play_due_at": "3152-03-06T20:00:00Z",
    "confirm_due_at": None,
    "commitment": "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
    "match": MATCH_EXAMPLE,
    "sides": [SIDE_EXAMPLE, LOSER_EXAMPLE],
    "ended_by": "last_side",
}
DETAIL_EXAMPLE: dict[str, Any] = {
    **EXAMPLE,
    "format": "standard",
    "match_class": "light",
    "plays": "browser",
    "sides": [{**side, "decides": None, "program": None} for side in (SIDE_EXAMPLE, LOSER_EXAMPLE)],
    "line_ups": [
        {
            "stable": STABLE_EXAMPLE,
            "chosen_by": "owner",
            "crews": [{"unit": UNIT_EXAMPLE, "pilot": PILOT_EXAMPLE, "damage": 0, "gear": []}],
        }
    ],
    "forecast": FORECAST_EXAMPLE,
    "seed": "d3" * 32,
    "no_show": None,
    "reported_by": [],
    "proposals": [],
    "outcome": OUTCOME_EXAMPLE,
    "corrections": [CORRECTION_EXAMPLE],
}


def fixture_document(season: Season, fixture: Fixture) -> dict[str, Any]:
    """Return a fixture as FixtureOutput describes it. Fetch it with round, cycle, match, result, sides, their stables
    and line-ups; then there is no query.
    """
    round_, cycle = fixture.round, fixture.round.cycle
    cycle.season = season
    commitment = fixture_commitment(season, cycle.number, round_.number, fixture.number)
    view = fixture_view(fixture, commitment)
    has_dice = fixture.kind == Fixture.Kind.MATCH and not (fixture.match is None and fixture.mode == Fixture.Mode.TABLE)
    return {
        "id": fixture.pk,
        "cycle": cycle.number,
        "round": round_.number,
        "number": fixture.number,
        "kind": fixture.kind,
        "state": fixture.state,
        "arenas": fixture.arena_key.split("+") if fixture.arena_key else [],
        "mode": fixture.mode,
        "table": fixture.table_number,
        "scheduled_at": fixture.scheduled_at,
        "line_ups_due_at": fixture.line_ups_due_at,
        "play_due_at": fixture.play_due_at,
        "confirm_due_at": fixture.confirm_due_at,
        "commitment": commitment if has_dice else None,
        "match": fixture.match,
        "sides": [_side(seen, bool(view["result"])) for seen in view["sides"]],
        "ended_by": view["result"].get("ended_by"),
    }


def _side(seen: dict[str, Any], has_result: bool) -> dict[str, Any]:
    side: FixtureSide = seen["side"]
    return {
        "side": side.side,
        "stable": side.stable,
        "forfeits": seen["forfeits"],
        "line_up_is_in": hasattr(side, "line_up"),
        "won": seen["won"] if has_result else None,
        "reputation": seen["reputation"],
        "banked": seen["banked"],
        "kills": seen["kills"],
    }


def fixture_detail_document(fixture: Fixture, context: dict[str, Any]) -> dict[str, Any]:
    """Return a fixture as FixtureDetailOutput describes it; no query.

    `fixture` comes from `find_fixture`, with the users of its corrections. `context` joins its `fixture_context` and
    `results_context`.
    """
    found = fixture_document(context["season"], fixture)
    sides = list(fixture.sides.all())
    for seat, row in zip(context["seats"], found["sides"], strict=True):
        row |= _seat(seat["seat"], context["mode"])
    result = getattr(fixture, "result", None)
    claim = context["no_show"] or {}
    if context["is_table"]:
        found["commitment"] = None
    return found | {
        "format": context["cycle"].format,
        "match_class": context["cycle"].match_class,
        "plays": context["mode"],
        "line_ups": [_line_up(view, sides) for view in context["line_ups"]],
        "forecast": None if context["forecast"] is None else forecast_document(context["forecast"]["view"]),
        "seed": context["seed"],
        "no_show": _claim(claim) if "claim" in claim else None,
        "reported_by": context["results"]["reporters"],
        "proposals": [_proposal(each["proposal"]) for each in (context["arranging"] or {}).get("proposals", ())],
        "outcome": None if result is None else outcome_of(result),
        "corrections": [] if result is None else corrections_of(result),
    }


def _seat(seat: StableSeat | None, mode: str) -> dict[str, Any]:
    """Return who decides for a stable; both fields are None without a seat. In a match that the AI plays for all sides,
    the AI decides for people, too.
    """
    if seat is None:
        return {"decides": None, "program": None}
    holder = "ai" if seat.holder == "person" and mode == Fixture.Mode.AI else seat.holder
    return {"decides": holder, "program": seat.user.get_username() if holder == "program" else None}


def _line_up(view: dict[str, Any], sides: list[FixtureSide]) -> dict[str, Any]:
    side = next(each for each in sides if each.stable_id == view["stable"].pk)
    crews = [crew | {"gear": [_gear(card.asset, card.side) for card in crew["gear"]]} for crew in view["crews"]]
    return {"stable": view["stable"], "chosen_by": side.line_up.source, "crews": crews}


def _gear(card: Asset, side: str) -> dict[str, Any]:
    return {
        "code": card.code,
        "kind": card.kind,
        "catalogue_key": card.catalogue_key,
        "label": card.label,
        "side": side,
    }


def _claim(view: dict[str, Any]) -> dict[str, Any]:
    claim: NoShowClaim = view["claim"]
    return {
        "claimant": view["claimant"],
        "absent": view["absent"],
        "state": claim.state,
        "new_date": claim.new_date,
    }


def _proposal(proposal: Proposal) -> dict[str, Any]:
    return {
        "id": proposal.pk,
        "stable": proposal.stable,
        "mode": proposal.mode,
        "at": proposal.at,
        "accepted_by": list(proposal.accepted_by.all()),
    }
