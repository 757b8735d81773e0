"""The endpoints of a stable's garage, for its owner: damage, repairs with their cost, the order of repairs, and cards
on units.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rest_framework import serializers
from rest_framework.response import Response

from api.description import describes, example
from api.endpoint import idempotent
from api.fields import Input, NullableChoice, Output, StrictBoolean, StrictChoice
from stables.api.stable.base import CONFIRMED, ENDS_READY, AssetNumber, OwnersEndpoint, names_are_refused
from stables.models import Asset, Stable
from stables.presenters.market.assets import asset_view, in_repair_order
from stables.presenters.market.garage import unit_views
from stables.selectors.windows import Window, repairs_are_over, window_of
from stables.services.garage import equipping
from stables.services.garage import repairs as garage

TOPIC = "Garage"
STATES = ("undamaged", "able", "salvage", "eliminated")
MOST_UNITS = 200


class CardOutput(Output):
    """A pilot, gear or a rally card of the stable. `side` is null except for two-sided gear on a unit."""

    asset = serializers.IntegerField()
    kind = serializers.ChoiceField(choices=Asset.Kind.values)
    key = serializers.CharField()
    name = serializers.CharField()
    side = NullableChoice(choices=Asset.Side.values, help_text="The value that two-sided gear serves.")
    told = serializers.CharField(help_text="What it is good for, in a line.")


class ChoiceOutput(Output):
    """A card that could be put on the unit now, with its own points (the highest, if they differ by unit).

    Two-sided gear is there once for each side. `comes_from` is null for a card on no unit.
    """

    asset = serializers.IntegerField()
    side = NullableChoice(choices=Asset.Side.values, help_text="What to send as `side`.")
    name = serializers.CharField()
    points = serializers.IntegerField()
    comes_from = serializers.CharField(allow_null=True, help_text="The unit that it would leave.")


class UnitOutput(CardOutput):
    """A unit with its damage, the cost of its repair, and its cards. `pilot` is null without one, `ceiling` without a
    limit. `choices` are the cards that could be put on it now.
    """

    state = serializers.ChoiceField(choices=STATES)
    clicks = serializers.IntegerField(allow_null=True, help_text="Clicks of its dial; null if it does not say them.")
    clicks_left = serializers.IntegerField(allow_null=True)
    repair_cost = serializers.IntegerField(help_text="Stones; 0 when it is undamaged.")
    is_paid_for = serializers.BooleanField(help_text="Whether repairing all would repair it.")
    points = serializers.IntegerField(help_text="Its points with pilot and gear.")
    ceiling = serializers.IntegerField(allow_null=True, help_text="The points it may reach.")
    gear_is_locked = serializers.BooleanField()
    pilot = CardOutput(allow_null=True)
    gear = CardOutput(many=True)
    choices = ChoiceOutput(many=True)


class GarageOutput(Output):
    """The garage, and what “repair all” would do now. Money is in Stones. `free` are the cards that are on no unit."""

    capital = serializers.IntegerField()
    can_repair = serializers.BooleanField()
    repairs_are_over = serializers.BooleanField(help_text="A swap of gear ended the repairs of this pause.")
    total = serializers.IntegerField(help_text="What all repairs cost together.")
    price = serializers.IntegerField(help_text="The cost of the repairs that the capital can pay for.")
    capital_after = serializers.IntegerField()
    units = UnitOutput(many=True)
    free = CardOutput(many=True)


class RepairInput(Input):
    """Which unit."""

    asset = AssetNumber(help_text="The number of a unit of the stable.")


class RepairOutput(Output):
    """A unit that was repaired, for how many Stones, and whether it misses the next match."""

    asset = serializers.IntegerField(source="asset_id")
    name = serializers.CharField()
    state = serializers.ChoiceField(choices=STATES, help_text="Its state before.")
    cost = serializers.IntegerField()
    sits_out = serializers.BooleanField()


class BillOutput(Output):
    """The repairs that were made together, and the capital left."""

    repairs = RepairOutput(many=True)
    capital = serializers.IntegerField()
    ends_ready = serializers.BooleanField(help_text=ENDS_READY)


class RepairOrderInput(Input):
    """The units that are repaired first, in order; the others follow, the cheapest repair first."""

    order = serializers.ListField(child=AssetNumber(), max_length=MOST_UNITS)


class RepairPlaceOutput(Output):
    """A unit in the order of repairs, and the cost of its repair in Stones (0 when it is undamaged)."""

    asset = serializers.IntegerField()
    name = serializers.CharField()
    repair_cost = serializers.IntegerField()


class RepairOrderOutput(Output):
    """The units of the stable in the order in which they are repaired when a cycle closes."""

    order = RepairPlaceOutput(many=True)


class AssignInput(Input):
    """Gear or a pilot, and the unit to put it on."""

    asset = AssetNumber(help_text="The number of gear or a pilot of the stable.")
    unit = AssetNumber(help_text="The number of a unit of the stable.")
    side = StrictChoice(
        choices=Asset.Side.values, required=False, help_text="For two-sided gear: the value that it serves."
    )
    confirmed = StrictBoolean(default=False, help_text=CONFIRMED)


class UnassignInput(Input):
    """Gear or a pilot to take off its unit."""

    asset = AssetNumber(help_text="The number of gear or a pilot of the stable.")
    confirmed = StrictBoolean(default=False, help_text=CONFIRMED)


class AssignedOutput(Output):
    """Gear or a pilot, the unit it is on now (null for no unit), and whether your repairs of this pause are over."""

    asset = serializers.IntegerField(source="asset_id")
    name = serializers.CharField()
    unit = serializers.IntegerField(source="unit_id", allow_null=True)
    unit_name = serializers.CharField(allow_null=True)
    repairs_are_over = serializers.BooleanField()


PILOT = {"asset": 72, "kind": "pilot", "key": "P-010", "name": "Rookie", "side": None, "told": "attack +1"}
UNIT = {
    **{"asset": 71, "kind": "unit", "key": "SOL002", "name": "Firefly", "side": None, "told": "9 clicks, vent 2"},
    **{"state": "able", "clicks": 9, "clicks_left": 6, "repair_cost": 50, "is_paid_for": True},
    **{"points": 106, "ceiling": 160, "gear_is_locked": False, "pilot": PILOT, "gear": [], "choices": []},
}
GARAGE = {
    **{"capital": 80, "can_repair": True, "repairs_are_over": False, "total": 50, "price": 50, "capital_after": 30},
    **{"units": [UNIT], "free": []},
}
REPAIRED = {"asset": 71, "name": "Firefly", "state": "able", "cost": 50, "sits_out": False}
BILL = {"repairs": [REPAIRED], "capital": 30, "ends_ready": False}
ORDER = {"order": [{"asset": 71, "name": "Firefly", "repair_cost": 50}]}
ASSIGNED = {"asset": 72, "name": "Rookie", "unit": 71, "unit_name": "Firefly", "repairs_are_over": False}


def _assets(stable: Stable) -> list[Asset]:
    own = stable.assets.filter(sold_at=None, died_at=None).order_by("id")
    return list(own.select_related("assigned_to"))


def _card(view: Mapping[str, Any]) -> dict[str, Any]:
    asset = view["asset"]
    return {
        "asset": asset.pk,
        "kind": asset.kind,
        "key": asset.catalogue_key,
        "name": asset.label,
        "side": asset.side,
        "told": view["description"],
    }


def _choice(found: Mapping[str, Any]) -> dict[str, Any]:
    number, _, side = found["value"].partition(":")
    points = found["points"]
    return {
        "asset": int(number),
        "side": side,
        "name": found["label"],
        "points": max(points) if isinstance(points, (list, tuple)) else points,
        "comes_from": found["from"] or None,
    }


def _units(stable: Stable, assets: list[Asset], window: Window) -> list[dict[str, Any]]:
    return unit_views(stable.season, assets, window.is_between_matches, window.gear_may_move)


def _garage(stable: Stable) -> dict[str, Any]:
    window, assets = window_of(stable), _assets(stable)
    repairs, over = garage.preview(stable, assets), repairs_are_over(stable, window)
    units = [
        {
            **_card(view),
            **{name: view[name] for name in ("state", "clicks", "clicks_left", "repair_cost", "points", "ceiling")},
            "is_paid_for": view["asset"].pk in repairs.chosen,
            "gear_is_locked": view["gear_is_locked"],
            "pilot": None if view["pilot"] is None else _card(view["pilot"]),
            "gear": [_card(card) for card in view["gear"]],
            "choices": [_choice(each) for each in view["choices"]],
        }
        for view in _units(stable, assets, window)
    ]
    free = [asset for asset in assets if asset.kind != Asset.Kind.UNIT and asset.assigned_to_id is None]
    return {
        "capital": stable.capital,
        "can_repair": window.is_between_matches and not over,
        "repairs_are_over": over,
        "total": repairs.total,
        "price": repairs.price,
        "capital_after": repairs.capital_after,
        "units": units,
        "free": [_card(asset_view(stable.season, asset)) for asset in free],
    }


def _order(stable: Stable) -> dict[str, Any]:
    views = in_repair_order(stable, _units(stable, _assets(stable), window_of(stable)))
    return {
        "order": [
            {"asset": view["asset"].pk, "name": view["asset"].label, "repair_cost": view["repair_cost"]}
            for view in views
        ]
    }


def _assigned(done: equipping.Assignment) -> Response:
    facts = {"asset_id": done.asset_id, "name": done.name, "unit_id": done.unit_id, "unit_name": done.unit or None}
    return Response(AssignedOutput({**facts, "repairs_are_over": done.repairs_are_over}).data)


class Garage(OwnersEndpoint):
    """The garage."""

    @describes(
        "garage_read",
        "Your garage",
        TOPIC,
        answers=GarageOutput,
        examples=[example("A damaged unit", GARAGE)],
    )
    def get(self, request: Any, season_slug: str, stable_slug: str) -> Response:
        """Return your units with their damage and repair costs, what you could put on them, and what repairing all
        would do.
        """
        return Response(GarageOutput(_garage(self.own_stable(stable_slug))).data)


class Repair(OwnersEndpoint):
    """The repair of one unit."""

    @describes(
        "garage_repair",
        "Repair a unit",
        TOPIC,
        answers=BillOutput,
        sends=RepairInput,
        examples=[example("A unit", {"asset": 71}, sent=True), example("Repaired", BILL)],
    )
    @idempotent(atomic=True)
    @names_are_refused
    def post(self, request: Any, season_slug: str, stable_slug: str) -> Response:
        """Bring a damaged unit back to its start marker. Unless the market is open or the cycle's matches are over, a
        unit that was eliminated misses the next one.

        Refused: repairs_closed, repairs_ended, unit_not_damaged, capital_too_small, asset_sold, unknown_asset.
        """
        stable, fields = self.own_stable(stable_slug), self.sent(RepairInput)
        return Response(BillOutput(garage.repair(stable_id=stable.pk, asset_id=fields["asset"])).data)


class RepairAll(OwnersEndpoint):
    """The repair of every unit that the stable can pay for."""

    @describes(
        "garage_repair_all",
        "Repair all that you can pay",
        TOPIC,
        answers=BillOutput,
        examples=[example("One unit", BILL)],
    )
    @idempotent(atomic=True)
    def post(self, request: Any, season_slug: str, stable_slug: str) -> Response:
        """Repair the damaged units in your order, then the cheapest first. Units that the capital no longer pays for
        are passed over, so that `repairs` may be empty.

        Refused: repairs_closed, repairs_ended.
        """
        stable = self.own_stable(stable_slug)
        return Response(BillOutput(garage.repair_all(stable_id=stable.pk)).data)


class RepairOrder(OwnersEndpoint):
    """The order of repairs."""

    @describes(
        "repair_order_read",
        "The order of your repairs",
        TOPIC,
        answers=RepairOrderOutput,
        examples=[example("One unit", ORDER)],
    )
    def get(self, request: Any, season_slug: str, stable_slug: str) -> Response:
        """Return the order in which your units are repaired when the cycle closes. For the owner alone."""
        return Response(RepairOrderOutput(_order(self.own_stable(stable_slug))).data)

    @describes(
        "repair_order_write",
        "Set the order of your repairs",
        TOPIC,
        answers=RepairOrderOutput,
        sends=RepairOrderInput,
        examples=[example("One unit first", {"order": [71]}, sent=True), example("One unit", ORDER)],
    )
    @idempotent(atomic=True)
    @names_are_refused
    def put(self, request: Any, season_slug: str, stable_slug: str) -> Response:
        """Name the units that are repaired first. Other units follow, the cheapest repair first.

        Refused: unknown_asset, unit_twice.
        """
        stable, fields = self.own_stable(stable_slug), self.sent(RepairOrderInput)
        garage.set_repair_order(stable_id=stable.pk, asset_ids=fields["order"])
        stable.refresh_from_db(fields=["repair_priority"])
        return Response(RepairOrderOutput(_order(stable)).data)


class Assign(OwnersEndpoint):
    """The act of putting gear or a pilot on a unit."""

    @describes(
        "garage_assign",
        "Put gear or a pilot on a unit",
        TOPIC,
        answers=AssignedOutput,
        sends=AssignInput,
        examples=[example("A pilot", {"asset": 72, "unit": 71}, sent=True), example("The pilot sits there", ASSIGNED)],
    )
    @idempotent(atomic=True)
    @names_are_refused
    def post(self, request: Any, season_slug: str, stable_slug: str) -> Response:
        """Put gear or a pilot on a unit. The asset leaves the unit that it was on. For gear that is a swap and ends
        your repairs until the next match.

        Refused: swaps_closed, swaps_wait_for_repairs, unit_eliminated, gear_locked, repairs_would_end, asset_sold,
        unknown_asset, and for a card that the unit may not carry over_build_total, no_cards_without_variant,
        too_many_cards, gear_on_same_value, pilot_requirement, gear_not_compatible, gear_requires_class,
        gear_requires_type, gear_side_missing.
        """
        stable, fields = self.own_stable(stable_slug), self.sent(AssignInput)
        assigned = equipping.assign(
            stable_id=stable.pk,
            asset_id=fields["asset"],
            unit_id=fields["unit"],
            side=fields.get("side", ""),
            confirmed=fields["confirmed"],
        )
        return _assigned(assigned)


class Unassign(OwnersEndpoint):
    """The act of taking gear or a pilot off its unit."""

    @describes(
        "garage_unassign",
        "Take gear or a pilot off its unit",
        TOPIC,
        answers=AssignedOutput,
        sends=UnassignInput,
        examples=[
            example("A pilot", {"asset": 72}, sent=True),
            example("The pilot is free", {**ASSIGNED, "unit": None, "unit_name": None}),
        ],
    )
    @idempotent(atomic=True)
    @names_are_refused
    def post(self, request: Any, season_slug: str, stable_slug: str) -> Response:
        """Take gear or a pilot off its unit. For gear that is a swap. An asset on no unit stays as it is.

        Refused: swaps_closed, swaps_wait_for_repairs, gear_locked, repairs_would_end, asset_sold, unknown_asset.
        """
        stable, fields = self.own_stable(stable_slug), self.sent(UnassignInput)
        freed = equipping.unassign(stable_id=stable.pk, asset_id=fields["asset"], confirmed=fields["confirmed"])
        return _assigned(freed)
