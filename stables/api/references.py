"""The shapes by which answers name stables, assets and matches, and fields for cycles, formats and classes.

The shapes query nothing: fetch a row together with the rows that it names.
"""

from __future__ import annotations

from typing import Any

from rest_framework import serializers

from api.fields import NullableChoice, Output, StrictInteger, StrictString
from matches.models import Match
from stables.models import Asset
from stables.text.names import CLASSES as CLASS_NAMES
from stables.text.names import DECIDED_BY, FORMATS

MATCH_CLASSES = [key for key in CLASS_NAMES if key != "multi"]
MOST_CYCLES = 100
"""The most cycles of a season and rounds of a cycle that a query may ask for; none has more."""


class StableNameOutput(Output):
    """A stable: its `number` in the season, by which results name it, its address (`slug`) and its name."""

    number = serializers.IntegerField()
    slug = serializers.SlugField()
    name = serializers.CharField()


class AssetNameOutput(Output):
    """An asset of a stable. `code` names it inside its stable, `key` in the season's catalogue."""

    code = serializers.CharField()
    kind = serializers.ChoiceField(choices=Asset.Kind.values)
    key = serializers.CharField(source="catalogue_key")
    name = serializers.CharField(source="label")


class MatchNameOutput(Output):
    """A match in the arena; `public_id` is its address."""

    public_id = serializers.UUIDField()
    state = serializers.ChoiceField(choices=Match.State.values)


def cycle_filter() -> StrictInteger:
    """Return the optional filter by the number of a cycle, from 1."""
    return StrictInteger(min_value=1, max_value=MOST_CYCLES, required=False, help_text="Number of the cycle.")


def stable_filter() -> StrictString:
    """Return the optional filter by the slug of a stable."""
    return StrictString(max_length=70, required=False, help_text="`slug` of the stable.")


def decided_by_field() -> NullableChoice:
    """Return the field for the criterion that separates a line from the one above; it is null where none is named."""
    return NullableChoice(choices=list(DECIDED_BY))


def a_match_field() -> serializers.FloatField:
    """Return the field for the reputation for each match played, with two decimals; it is null without a match."""
    return serializers.FloatField(allow_null=True)


def format_field(**options: Any) -> serializers.ChoiceField:
    """Return the field for the format of a match."""
    return serializers.ChoiceField(choices=list(FORMATS), **options)


def class_field(**options: Any) -> serializers.ChoiceField:
    """Return the field for the class of a match; a match has one class, never "multi"."""
    return serializers.ChoiceField(choices=MATCH_CLASSES, **options)


STABLE_EXAMPLE = {"number": 1, "slug": "ash-and-sons", "name": "Ash & Sons"}
RIVAL_EXAMPLE = {"number": 2, "slug": "birch-works", "name": "Birch Works"}
PILOT_EXAMPLE = {"code": "pilot:GS-008:1", "kind": "pilot", "key": "GS-008", "name": "A gunslinger"}
UNIT_EXAMPLE = {"code": "unit:SOL002:1", "kind": "unit", "key": "SOL002", "name": 'Hellion "Laser Bait"'}
MATCH_EXAMPLE = {"public_id": "7f1c9f9e-8f0e-4e0b-a3a5-0d7d5b5f1d11", "state": "finished"}
