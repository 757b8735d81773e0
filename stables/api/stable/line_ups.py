"""The endpoints of a called line-up, for the stable's owner: the legal choices, handing it in, and declining."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from rest_framework import serializers
from rest_framework.response import Response

from api.description import describes, example
from api.endpoint import idempotent
from api.fields import Input, NullableChoice, Output
from rules.campaign.classes import FORMATS, WEIGHT_CLASSES
from rules.campaign.line_ups.checks import crews, must_play
from rules.campaign.line_ups.tokens import TOKENS_PER_SIDE
from rules.core.refusals import SeasonRefused
from rules.solaris.cards import HAND_SIZE
from stables.api.stable.base import AssetNumber, Key, OwnersEndpoint, names_are_refused
from stables.api.stable.stand_ins import CalledEndpoint
from stables.models import Fixture, FixtureSide, LineUp, Stable
from stables.presenters.line_up import called_side, cards_by_name, sealed_view
from stables.selectors.seeds import fixture_commitment
from stables.selectors.windows import window_of
from stables.services.fixtures import taking_back
from stables.services.line_ups import line_ups
from stables.services.line_ups.sealing import Called, CrewChoice, called_of
from stables.services.line_ups.stand_ins import by_keys, proposed_to

TOPIC = "Cycles and fixtures"
MOST_CREWS = 2
MOST_GEAR = 20


class CrewInput(Input):
    """A unit, its pilot, and the cards that it brings, by the ids of assets."""

    unit = AssetNumber()
    pilot = AssetNumber(allow_null=True, default=None, help_text="Null for a unit that takes none.")
    gear = serializers.ListField(
        child=AssetNumber(),
        max_length=MOST_GEAR,
        allow_null=True,
        default=None,
        help_text="The gear on the unit that goes into the match; null for all of it.",
    )
    hand = serializers.ListField(
        child=AssetNumber(), max_length=HAND_SIZE, default=list, help_text="The rally cards that the unit brings."
    )


class LineUpInput(Input):
    """A line-up: its crews in order, and the target tokens that the stable brings."""

    crews = CrewInput(many=True)
    tokens = serializers.ListField(
        child=Key(), max_length=TOKENS_PER_SIDE, default=list, help_text="Keys of the season's catalogue."
    )


class OwnCrewOutput(Output):
    """A unit, its pilot (null without one), and the cards that it brings, by the ids of assets."""

    unit = serializers.IntegerField()
    pilot = serializers.IntegerField(allow_null=True)
    gear = serializers.ListField(
        child=serializers.IntegerField(), allow_null=True, help_text="Null: all that is on the unit."
    )
    hand = serializers.ListField(child=serializers.IntegerField())


class OwnLineUpOutput(Output):
    """A line-up in the form in which you send it."""

    crews = OwnCrewOutput(many=True)
    tokens = serializers.ListField(child=serializers.CharField())


class FittingCrewOutput(Output):
    """A crew that may be fielded in the match, with its points. `pilot` and `pilot_name` are null without one."""

    unit = serializers.IntegerField()
    unit_name = serializers.CharField()
    pilot = serializers.IntegerField(allow_null=True)
    pilot_name = serializers.CharField(allow_null=True)
    gear = serializers.ListField(child=serializers.IntegerField())
    points = serializers.IntegerField()


class RallyCardOutput(Output):
    """A rally card of the stable, one copy of each: a hand holds no two."""

    asset = serializers.IntegerField()
    key = serializers.CharField()
    name = serializers.CharField()
    told = serializers.CharField(help_text="What it does, and when it may be played.")


class TargetTokenOutput(Output):
    """A target token that may be brought: the reputation points for destroying it by its method (`worth`), and by
    another (`else_worth`).
    """

    key = serializers.CharField()
    name = serializers.CharField()
    worth = serializers.IntegerField()
    else_worth = serializers.IntegerField()


class SealedLineUpOutput(OwnLineUpOutput):
    """The line-up that was handed in. Rivals see its units, pilots and gear when all line-ups of the match are in."""

    chosen_by = serializers.ChoiceField(choices=LineUp.Source.values)
    sealed_at = serializers.DateTimeField()


class CallOutput(Output):
    """What a match asks of the line-up, and who may be fielded. `sealed` is null until the line-up is handed in. Then
    the lists of choices are empty, and `proposed` is null, as it is for a stable that has nothing to field.
    """

    fixture = serializers.IntegerField()
    cycle = serializers.IntegerField()
    round = serializers.IntegerField()
    state = serializers.ChoiceField(choices=Fixture.State.values)
    seed_commitment = serializers.CharField(help_text="The hash of the match's seed.")
    weight_class = serializers.ChoiceField(choices=WEIGHT_CLASSES)
    format = serializers.ChoiceField(choices=FORMATS)
    units = serializers.IntegerField(help_text="Crews that the stable fields.")
    ceiling = serializers.IntegerField(
        allow_null=True, help_text="Most points of one crew; null where the points of the team count."
    )
    tokens = serializers.IntegerField(help_text="Target tokens to bring, all different.")
    token_pool = serializers.IntegerField(help_text="The reputation points that the tokens add up to.")
    hand = serializers.IntegerField(help_text="Rally cards that a unit may bring.")
    may_decline = serializers.BooleanField(
        help_text="Whether the stable may forfeit, because it has nothing able to field."
    )
    sealed = SealedLineUpOutput(allow_null=True)
    proposed = OwnLineUpOutput(
        allow_null=True, help_text="A legal line-up: the one that you took back, the saved one, or the nearest to it."
    )
    crews = FittingCrewOutput(many=True)
    cards = RallyCardOutput(many=True)
    known_tokens = TargetTokenOutput(many=True)


class LineUpCallOutput(Output):
    """The line-up that is called for; null when there is none."""

    call = CallOutput(allow_null=True)


class HandedInOutput(Output):
    """Whether your side forfeits (null: it is ready), and whether all line-ups of the match are in now."""

    fixture = serializers.IntegerField()
    forfeits = NullableChoice(choices=FixtureSide.Forfeit.values)
    fixture_is_sealed = serializers.BooleanField()


CREW: dict[str, Any] = {"unit": 71, "pilot": 72, "gear": None, "hand": []}
LINE_UP = {"crews": [CREW], "tokens": ["T-003", "T-009", "T-010"]}
CALL = {
    **{"fixture": 12, "cycle": 2, "round": 1, "state": "line_ups", "seed_commitment": "9f2c…"},
    **{"weight_class": "light", "format": "standard", "units": 1, "ceiling": 160},
    **{"tokens": 3, "token_pool": 30, "hand": 5, "may_decline": False, "sealed": None, "proposed": LINE_UP},
    "crews": [{"unit": 71, "unit_name": "Firefly", "pilot": 72, "pilot_name": "Rookie", "gear": [], "points": 106}],
    "cards": [],
    "known_tokens": [{"key": "T-003", "name": "Ammunition Cart", "worth": 10, "else_worth": 5}],
}
HANDED_IN = {"fixture": 12, "forfeits": None, "fixture_is_sealed": False}


def crew_choices(sent: Sequence[Mapping[str, Any]]) -> list[CrewChoice]:
    """Return crews in the form of the services."""
    return [
        CrewChoice(
            crew["unit"], crew["pilot"], None if crew["gear"] is None else tuple(crew["gear"]), tuple(crew["hand"])
        )
        for crew in sent
    ]


def _line_up(chosen: Sequence[CrewChoice], tokens: Sequence[str]) -> dict[str, Any]:
    lines = [
        {
            "unit": crew.unit_id,
            "pilot": crew.pilot_id,
            "gear": None if crew.gear_ids is None else list(crew.gear_ids),
            "hand": list(crew.hand_ids),
        }
        for crew in chosen
    ]
    return {"crews": lines, "tokens": list(tokens)}


def _sealed(stable: Stable, line_up: LineUp) -> dict[str, Any]:
    crewed = [
        {
            "unit": view["crew"].unit_id,
            "pilot": view["crew"].pilot_id,
            "gear": [asset.pk for asset in view["gear"]],
            "hand": [asset.pk for asset in view["hand"]],
        }
        for view in sealed_view(stable, line_up)["crews"]
    ]
    return {"crews": crewed, "tokens": line_up.tokens, "chosen_by": line_up.source, "sealed_at": line_up.sealed_at}


def _open(called: Called) -> dict[str, Any]:
    """Return the fields of CallOutput while no line-up is handed in: the choices, and a legal line-up, None when the
    stable has nothing to field.

    Two or three queries.
    """
    holding, terms = called.holding, called.terms
    units, pilots = holding.units.values(), holding.pilots.values()
    chosen = proposed_to(called)
    fitting = []
    for crew in crews(units, pilots, terms):
        ids = by_keys(crew, (), holding)
        pilot = None if ids.pilot_id is None else holding.pilots[ids.pilot_id].definition["name"]
        names = {"unit_name": holding.units[ids.unit_id].definition["name"], "pilot_name": pilot}
        fitting.append(
            {"unit": ids.unit_id, "pilot": ids.pilot_id, "gear": ids.gear_ids or (), "points": crew.points, **names}
        )
    cards = cards_by_name(holding) if terms.takes_hands else {}
    return {
        "may_decline": not must_play(units, pilots, terms),
        "proposed": None if chosen is None else _line_up(chosen.crews, chosen.tokens),
        "crews": fitting,
        "cards": [
            {"asset": pk, "key": card["id"], "name": card["name"], "told": description}
            for pk, (card, description) in cards.items()
        ],
        "known_tokens": [
            {"key": key, "name": token["name"], "worth": token["rp"], "else_worth": token["else_rp"]}
            for key, token in (called.tokens.items() if terms.takes_tokens else ())
        ],
    }


def call_of(stable: Stable) -> dict[str, Any] | None:
    """Return the line-up that a stable is called for, in the form that its owner reads; None when there is none."""
    side = called_side(stable, window_of(stable))
    if side is None:
        return None
    fixture = side.fixture
    cycle = fixture.round.cycle
    called = called_of(fixture, side, stable, list(FixtureSide.objects.filter(fixture=fixture)))
    terms = called.terms
    facts = {
        "fixture": fixture.pk,
        "cycle": cycle.number,
        "round": fixture.round.number,
        "state": fixture.state,
        "seed_commitment": fixture_commitment(stable.season, cycle.number, fixture.round.number, fixture.number),
        "weight_class": cycle.match_class,
        "format": cycle.format,
        "units": terms.size,
        "ceiling": terms.ceiling,
        "tokens": TOKENS_PER_SIDE if terms.takes_tokens else 0,
        "token_pool": terms.house_rules.token_pool_rp if terms.takes_tokens else 0,
        "hand": HAND_SIZE if terms.takes_hands else 0,
    }
    if hasattr(side, "line_up"):
        nothing: dict[str, Any] = {"may_decline": False, "proposed": None, "crews": [], "cards": [], "known_tokens": []}
        return {**facts, **nothing, "sealed": _sealed(stable, side.line_up)}
    return {**facts, **_open(called), "sealed": None}


def _open_fixture(stable: Stable) -> int:
    fixture_id = line_ups.open_fixture_of(stable)
    if fixture_id is None:
        raise SeasonRefused("no_open_fixture")
    return fixture_id


def _handed_in(fixture_id: int, sealed: line_ups.SealedSide) -> Response:
    facts = {"forfeits": sealed.forfeits, "fixture_is_sealed": sealed.fixture_is_sealed}
    return Response(HandedInOutput({"fixture": fixture_id, **facts}).data)


class LineUpItself(CalledEndpoint):
    """The open call."""

    @describes(
        "line_up_read",
        "The line-up that you are called for",
        TOPIC,
        answers=LineUpCallOutput,
        examples=[example("A duel", {"call": CALL}), example("None is called for", {"call": None})],
    )
    def get(self, request: Any, season_slug: str, stable_slug: str) -> Response:
        """Return the match that calls for a line-up, who may be fielded in it, and the line-up that you handed in. For
        the owner, and who stands in for them in this match.
        """
        return Response(LineUpCallOutput({"call": call_of(self.called_stable(stable_slug))}).data)

    @describes(
        "line_up_hand_in",
        "Hand in a line-up",
        TOPIC,
        answers=HandedInOutput,
        sends=LineUpInput,
        examples=[example("One crew", LINE_UP, sent=True), example("The rival is awaited", HANDED_IN)],
    )
    @idempotent(atomic=True)
    @names_are_refused
    def post(self, request: Any, season_slug: str, stable_slug: str) -> Response:
        """Hand in your line-up and seal it. Nobody else sees it before all line-ups of the match are in.

        Refused: no_open_fixture, line_up_sealed, line_up_too_early, line_up_size, unit_twice, token_twice,
        tokens_not_allowed, unknown_asset, unknown_catalogue_entry. For a crew, a team or a hand that the rules do not
        allow: unit_eliminated, unit_sits_out, pilot_missing, wrong_class, over_build_total, team_over_build_total,
        unique_twice, hand_copy, and the codes of cards that a unit may not carry (garage_assign).
        """
        stable, fields = self.called_stable(stable_slug), self.sent(LineUpInput)
        fixture_id = _open_fixture(stable)
        chosen = crew_choices(fields["crews"])
        sealed = line_ups.submit(stable_id=stable.pk, fixture_id=fixture_id, crews=chosen, tokens=fields["tokens"])
        return _handed_in(fixture_id, sealed)


class NearestLineUp(OwnersEndpoint):
    """The saved or nearest legal line-up, handed in."""

    @describes(
        "line_up_nearest",
        "Hand in the saved or nearest legal line-up",
        TOPIC,
        answers=HandedInOutput,
        examples=[example("The rival is awaited", HANDED_IN)],
    )
    @idempotent(atomic=True)
    @names_are_refused
    def post(self, request: Any, season_slug: str, stable_slug: str) -> Response:
        """Hand in your saved line-up if it is legal, otherwise the legal one nearest to it, and mark it as a stand-in.
        Without a saved line-up it is the one nearest to your last.

        A stable that has nothing to field forfeits, as it would at the deadline. Refused: no_open_fixture,
        line_up_sealed, line_up_too_early.
        """
        stable = self.own_stable(stable_slug)
        fixture_id = _open_fixture(stable)
        sealed = line_ups.submit_nearest_legal(stable_id=stable.pk, fixture_id=fixture_id, is_there=True)
        return _handed_in(fixture_id, sealed)


class TakeLineUpBack(CalledEndpoint):
    """The line-up that was handed in, taken back."""

    @describes(
        "line_up_take_back",
        "Take your line-up back",
        TOPIC,
        answers=LineUpCallOutput,
        examples=[example("Called for again", {"call": CALL})],
    )
    @idempotent(atomic=True)
    @names_are_refused
    def post(self, request: Any, season_slug: str, stable_slug: str) -> Response:
        """Take the line-up for the open match back while that of a rival is missing, and return the call for another.

        Refused: no_open_fixture, line_up_not_in, line_ups_revealed, line_up_claimed, line_up_time_over.
        """
        stable = self.called_stable(stable_slug)
        taking_back.take_back(stable_id=stable.pk, fixture_id=_open_fixture(stable), actor=request.user)
        return Response(LineUpCallOutput({"call": call_of(stable)}).data)


class DeclineLineUp(OwnersEndpoint):
    """The forfeit of a stable that cannot take part."""

    @describes(
        "line_up_decline",
        "Forfeit because you cannot take part",
        TOPIC,
        answers=HandedInOutput,
        examples=[example("Forfeited", {**HANDED_IN, "forfeits": "unable", "fixture_is_sealed": True})],
    )
    @idempotent(atomic=True)
    @names_are_refused
    def post(self, request: Any, season_slug: str, stable_slug: str) -> Response:
        """Forfeit the open match. Only a stable without a duty to play may do this (`may_decline`).

        Refused: duty_to_play, no_open_fixture, line_up_sealed, line_up_too_early.
        """
        stable = self.own_stable(stable_slug)
        fixture_id = _open_fixture(stable)
        return _handed_in(fixture_id, line_ups.decline(stable_id=stable.pk, fixture_id=fixture_id))
