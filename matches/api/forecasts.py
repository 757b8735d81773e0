"""The endpoint of a match's forecasts, and the answers about forecasts, which the forecasts of fixtures use too."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from rest_framework import serializers
from rest_framework.response import Response

from api.description import describes, example
from api.fields import Output
from matches.api.base import WATCH, MatchEndpoint
from matches.presenters.forecasts import ForecastView, forecasts_of

DIGITS = 4
"""Decimal places of chances and shares."""


class SideForecastOutput(Output):
    """How often a side won: its `wins`, their share as `chance`, and the 95% interval of it from `low` to `high`."""

    side = serializers.CharField()
    wins = serializers.IntegerField()
    chance = serializers.FloatField(min_value=0, max_value=1)
    low = serializers.FloatField(min_value=0, max_value=1)
    high = serializers.FloatField(min_value=0, max_value=1)


class EndingForecastOutput(Output):
    """A way in which play-outs ended, as `ended_by` of a result names it, and the share of play-outs that did."""

    ended_by = serializers.CharField()
    share = serializers.FloatField(min_value=0, max_value=1)


class ForecastOutput(Output):
    """The chance that each side wins, estimated from play-outs by the site's `bot`. The rules know no forecasts.

    Each play-out deals by chance what a spectator cannot see, such as rally hands and face-down tokens. So far
    `play_outs` of `wanted` are counted. `mean_rounds` is the round in which play-outs ended, on average.
    """

    play_outs = serializers.IntegerField()
    wanted = serializers.IntegerField()
    bot = serializers.CharField()
    rules_version = serializers.CharField()
    sides = SideForecastOutput(many=True)
    mean_rounds = serializers.FloatField()
    endings = EndingForecastOutput(many=True)
    changed_at = serializers.DateTimeField()


class RoundForecastOutput(ForecastOutput):
    """The chances from the beginning of a round, as a spectator saw it then."""

    round = serializers.IntegerField()


class MatchForecastsOutput(Output):
    """The rounds of a match whose chances are counted, in order. `winner` is a side, null before the end."""

    rounds = RoundForecastOutput(many=True)
    winner = serializers.CharField(allow_null=True)


def forecast_document(view: ForecastView) -> dict[str, Any]:
    """Return the document of a forecast, with the fields of ForecastOutput."""
    chances = view.forecast.chances
    return {
        "play_outs": view.play_outs,
        "wanted": view.wanted,
        "bot": view.bot,
        "rules_version": view.rules_version,
        "sides": [
            {
                "side": side,
                "wins": view.forecast.tally.wins[side],
                "chance": round(each.chance, DIGITS),
                "low": round(each.low, DIGITS),
                "high": round(each.high, DIGITS),
            }
            for side, each in chances.items()
        ],
        "mean_rounds": view.mean_rounds,
        "endings": [
            {"ended_by": kind, "share": round(share, DIGITS)} for kind, share in sorted(view.forecast.endings.items())
        ],
        "changed_at": view.changed_at,
    }


EXAMPLE: dict[str, Any] = {
    "play_outs": 200,
    "wanted": 200,
    "bot": "greedy",
    "rules_version": "1.0",
    "sides": [
        {"side": "red", "wins": 124, "chance": 0.62, "low": 0.5512, "high": 0.6844},
        {"side": "blue", "wins": 76, "chance": 0.38, "low": 0.3156, "high": 0.4488},
    ],
    "mean_rounds": 7.4,
    "endings": [{"ended_by": "last_side", "share": 0.81}, {"ended_by": "time_limit", "share": 0.19}],
    "changed_at": "3152-03-06T18:10:05Z",
}


class Forecasts(MatchEndpoint):
    """The chances of a match, round by round."""

    @describes(
        "matches_forecasts",
        "The chances round by round",
        WATCH,
        answers=MatchForecastsOutput,
        examples=[example("One round", {"rounds": [{"round": 1, **EXAMPLE}], "winner": None})],
    )
    def get(self, request: Any, public_id: UUID) -> Response:
        """Return how play-outs from the beginning of each round ended: the curve of the replay.

        A job counts the play-outs, so rounds may be missing, and a round's figures change until `play_outs` reaches
        `wanted`. Even after the end play-outs use only what a spectator knew when the round began.
        """
        match = self.watch(public_id).match
        rounds = [{"round": number, **forecast_document(view)} for number, view in forecasts_of(match).items()]
        return Response(MatchForecastsOutput({"rounds": rounds, "winner": (match.result or {}).get("winner")}).data)
