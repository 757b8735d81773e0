"""The endpoints of a season's stables, their records and their assets, for everybody who may see the season."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from django.db.models import prefetch_related_objects
from rest_framework import serializers
from rest_framework.response import Response

from api.description import describes, example
from api.endpoint import Pages, pages_of
from api.fields import NullableChoice, Output, StrictBoolean, StrictChoice, page_example
from stables.api.base import SeasonEndpoint
from stables.api.reading.standings import PARTS_EXAMPLE, PartOutput, parts_of
from stables.models import Asset, ReputationEntry, Season, Stable
from stables.presenters.ai_owners import AiOwner, owners_of
from stables.presenters.market.assets import asset_view
from stables.presenters.standings import StandingRow, in_order, stable_rows
from stables.selectors.assets import gear_by_unit
from stables.selectors.records import records_of_stable
from stables.text.names import STATES

TOPIC = "Stables"


class StableOutput(Output):
    """A stable. Money is in Stones: `owed` is withheld from later credits, and `net_worth` is the capital and the worth
    of the assets less `owed`.

    `owner` is an account, null for a stable of the AI and for one whose owner is gone. `ai_owner` is the invented name
    of the person who runs a stable of the AI, `character` how they run it, and `bot` plays its matches; these are null
    for other stables. `rank` is the rank in the standings. `left_in_cycle` is null while the stable takes part.
    """

    number = serializers.IntegerField()
    slug = serializers.SlugField()
    name = serializers.CharField()
    owner = serializers.CharField(allow_null=True)
    is_ai = serializers.BooleanField()
    ai_owner = serializers.CharField(allow_null=True)
    character = NullableChoice(choices=Stable.Character.values)
    bot = serializers.CharField(allow_null=True)
    founded_at = serializers.DateTimeField()
    joined_in_cycle = serializers.IntegerField()
    left_in_cycle = serializers.IntegerField(allow_null=True)
    capital = serializers.IntegerField()
    owed = serializers.IntegerField()
    net_worth = serializers.IntegerField()
    rank = serializers.IntegerField()
    reputation = serializers.IntegerField()
    kills = serializers.IntegerField()
    wins = serializers.IntegerField()
    matches = serializers.IntegerField()


class IdentityOutput(Output):
    """What a stable carries from season to season."""

    id = serializers.IntegerField()
    name = serializers.CharField()
    colour = serializers.CharField()
    second_colour = serializers.CharField()
    emblem = serializers.CharField()


class StableDetailOutput(StableOutput):
    """A stable with what each cycle brought it, and the identity that it carries (null without one)."""

    cycles = PartOutput(many=True)
    is_champion = serializers.BooleanField()
    identity = IdentityOutput(allow_null=True)


class StablesQuery(Pages):
    """Which stables."""

    is_ai = StrictBoolean(required=False, help_text="`true`: only stables that the AI runs; `false`: only the others.")


class AssetOutput(Output):
    """Something that a stable owns or has owned. `price_paid` is in Stones. `damage`: clicks off the start marker.

    `state`, `clicks` (of the whole dial), `clicks_left` and `repair_cost` (Stones, for a unit with its gear) are null
    for anything that is not a unit. `points` are null for rally cards. A pilot gets the `reputation` of their unit.
    `matches` (in the arena), `wins`, `kills` and `damage_taken` (clicks lost) are its own, in results that hold; a
    pilot has those of the units that they piloted. `sits_out_cycle` and `sits_out_round` name the match that a unit
    misses after a repair, or are null. Only the stable's owner sees `assigned_to` (the id of a unit) and `side`; for
    others they are null.
    """

    id = serializers.IntegerField()
    code = serializers.CharField()
    kind = serializers.ChoiceField(choices=Asset.Kind.values)
    key = serializers.CharField()
    name = serializers.CharField()
    points = serializers.IntegerField(allow_null=True)
    price_paid = serializers.IntegerField()
    bought_at = serializers.DateTimeField()
    sold_at = serializers.DateTimeField(allow_null=True)
    died_at = serializers.DateTimeField(allow_null=True)
    state = NullableChoice(choices=list(STATES))
    damage = serializers.IntegerField()
    clicks = serializers.IntegerField(allow_null=True)
    clicks_left = serializers.IntegerField(allow_null=True)
    repair_cost = serializers.IntegerField(allow_null=True)
    sits_out_cycle = serializers.IntegerField(allow_null=True)
    sits_out_round = serializers.IntegerField(allow_null=True)
    reputation = serializers.IntegerField()
    matches = serializers.IntegerField()
    wins = serializers.IntegerField()
    kills = serializers.IntegerField()
    damage_taken = serializers.IntegerField()
    assigned_to = serializers.IntegerField(allow_null=True)
    side = NullableChoice(choices=Asset.Side.values)


class AssetsQuery(Pages):
    """Which assets."""

    kind = StrictChoice(choices=Asset.Kind.values, required=False)
    sold = StrictBoolean(
        required=False, help_text="`true`: only assets that were sold; `false`: only the others, dead pilots included."
    )


EXAMPLE: dict[str, Any] = {
    "number": 1,
    "slug": "ash-and-sons",
    "name": "Ash & Sons",
    "owner": "ash",
    "is_ai": False,
    "ai_owner": None,
    "character": None,
    "bot": None,
    "founded_at": "3152-03-02T18:00:00Z",
    "joined_in_cycle": 1,
    "left_in_cycle": None,
    "capital": 240,
    "owed": 0,
    "net_worth": 610,
    "rank": 1,
    "reputation": 95,
    "kills": 1,
    "wins": 1,
    "matches": 1,
}
DETAIL_EXAMPLE: dict[str, Any] = {
    **EXAMPLE,
    "cycles": PARTS_EXAMPLE,
    "is_champion": False,
    "identity": {"id": 3, "name": "Ash & Sons", "colour": "#7a1f2b", "second_colour": "#d0d0d0", "emblem": "tower"},
}
ASSET_EXAMPLE: dict[str, Any] = {
    "id": 41,
    "code": "unit:SOL002:1",
    "kind": "unit",
    "key": "SOL002",
    "name": 'Hellion "Laser Bait"',
    "points": 128,
    "price_paid": 128,
    "bought_at": "3152-03-02T18:05:00Z",
    "sold_at": None,
    "died_at": None,
    "state": "able",
    "damage": 2,
    "clicks": 9,
    "clicks_left": 7,
    "repair_cost": 26,
    "sits_out_cycle": None,
    "sits_out_round": None,
    "reputation": 0,
    "matches": 2,
    "wins": 1,
    "kills": 1,
    "damage_taken": 2,
    "assigned_to": None,
    "side": None,
}


def rows_of(season: Season) -> list[StandingRow]:
    """Return the stables in the order of their numbers, with owners, totals and ranks; six queries. Fetch the season
    with its release.
    """
    rows = stable_rows(season)
    in_order(rows.values())
    prefetch_related_objects([row.stable for row in rows.values()], "owner")
    return list(rows.values())


def stable_document(row: StandingRow, ai_owners: dict[int, AiOwner]) -> dict[str, Any]:
    """Return a stable of `rows_of` in the form of the interface; no query. `ai_owners` has the owners of AI stables by
    the stable's id.
    """
    stable = row.stable
    machine = ai_owners.get(stable.pk)
    return {
        "number": stable.number,
        "slug": stable.slug,
        "name": stable.name,
        "owner": stable.owner.get_username() if stable.owner is not None else None,
        "is_ai": stable.is_ai,
        "ai_owner": machine.name if machine is not None else None,
        "character": stable.character if stable.is_ai else None,
        "bot": stable.bot if stable.is_ai else None,
        "founded_at": stable.founded_at,
        "joined_in_cycle": stable.joined_in_cycle,
        "left_in_cycle": stable.left_in_cycle,
        "capital": stable.capital,
        "owed": stable.owed,
        "net_worth": row.worth,
        "rank": row.standing.rank,
        "reputation": row.total.reputation,
        "kills": row.total.kills,
        "wins": row.total.wins,
        "matches": row.total.matches,
    }


def stable_documents(season: Season, rows: Iterable[StandingRow]) -> list[dict[str, Any]]:
    """Return stables of `rows_of` in the form of the interface; no query."""
    listed = list(rows)
    machines = owners_of(season, [row.stable for row in listed])
    return [stable_document(row, machines) for row in listed]


class Stables(SeasonEndpoint):
    """The stables of a season."""

    @describes(
        "stables_list",
        "The stables",
        TOPIC,
        answers=pages_of(StableOutput),
        asks=StablesQuery,
        examples=[example("One stable", page_example(EXAMPLE))],
    )
    def get(self, request: Any, season_slug: str) -> Response:
        """List the stables in the order of founding, including those that left."""
        asked = self.asked(StablesQuery)
        season = self.season()
        found = [row for row in rows_of(season) if asked.get("is_ai", row.stable.is_ai) == row.stable.is_ai]
        return self.page_of(found, asked, lambda rows: StableOutput(stable_documents(season, rows), many=True).data)


class StableItself(SeasonEndpoint):
    """One stable."""

    @describes(
        "stables_read", "A stable", TOPIC, answers=StableDetailOutput, examples=[example("A stable", DETAIL_EXAMPLE)]
    )
    def get(self, request: Any, season_slug: str, stable_slug: str) -> Response:
        """Return a stable with its money, its record in each cycle and its identity."""
        season, shown = self.season(), self.stable(stable_slug)
        row = next(each for each in rows_of(season) if each.stable.pk == shown.pk)
        more = {
            "cycles": parts_of(row),
            "is_champion": shown.titles.filter(asset=None).exists(),
            "identity": shown.identity,
        }
        return Response(StableDetailOutput(stable_documents(season, [row])[0] | more).data)


def assets_of(season: Season, stable: Stable, is_owner: bool) -> list[dict[str, Any]]:
    """Return every asset that a stable has or had, by kind and then in the order of first purchase; three queries.

    Fetch the season with its release. Only with `is_owner` the fields of AssetOutput for the owner are filled.
    """
    assets = list(stable.assets.order_by("kind", "id"))
    entries: dict[int | None, list[ReputationEntry]] = {}
    for entry in ReputationEntry.objects.filter(stable=stable).exclude(asset=None):
        entries.setdefault(entry.asset_id, []).append(entry)
    gear = gear_by_unit(assets)
    records = records_of_stable(stable)
    return [
        _asset(asset_view(season, asset, entries.get(asset.pk, ()), gear.get(asset.pk, ()), records), is_owner)
        for asset in assets
    ]


def _asset(view: dict[str, Any], is_owner: bool) -> dict[str, Any]:
    asset: Asset = view["asset"]
    return {
        "id": asset.pk,
        "code": asset.code,
        "kind": asset.kind,
        "key": asset.catalogue_key,
        "name": asset.label,
        "points": view["definition"].get("points"),
        "price_paid": asset.price_paid,
        "bought_at": asset.bought_at,
        "sold_at": asset.sold_at,
        "died_at": asset.died_at,
        "state": view.get("state"),
        "damage": asset.damage,
        "clicks": view.get("clicks"),
        "clicks_left": view.get("clicks_left"),
        "repair_cost": view.get("repair_cost"),
        "sits_out_cycle": asset.sits_out_cycle,
        "sits_out_round": asset.sits_out_round,
        "reputation": view["reputation"],
        "matches": view["record"].matches,
        "wins": view["record"].wins,
        "kills": view["record"].kills,
        "damage_taken": view["record"].damage,
        "assigned_to": asset.assigned_to_id if is_owner else None,
        "side": asset.side if is_owner else None,
    }


class Assets(SeasonEndpoint):
    """The assets of a stable."""

    @describes(
        "assets_list",
        "The assets of a stable",
        TOPIC,
        answers=pages_of(AssetOutput),
        asks=AssetsQuery,
        examples=[example("A damaged unit", page_example(ASSET_EXAMPLE))],
    )
    def get(self, request: Any, season_slug: str, stable_slug: str) -> Response:
        """List the assets in the alphabetical order of their kinds (gear, pilot, rally_card, unit), in a kind in the
        order of first purchase. Sold assets and dead pilots are included.
        """
        asked = self.asked(AssetsQuery)
        stable = self.stable(stable_slug)
        is_owner = stable.owner_id is not None and stable.owner_id == request.user.pk
        found = [
            asset
            for asset in assets_of(stable.season, stable, is_owner)
            if asked.get("kind", asset["kind"]) == asset["kind"]
            and asked.get("sold", bool(asset["sold_at"])) == bool(asset["sold_at"])
        ]
        return self.page_of(found, asked, lambda rows: AssetOutput(rows, many=True).data)
