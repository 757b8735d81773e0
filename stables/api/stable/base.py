"""The base of the owners' endpoints: who may use them, the refusal of unknown names, and small fields."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any

from django.core.validators import RegexValidator
from django.http import Http404
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter
from rest_framework import serializers
from rest_framework.response import Response

from api.fields import Output, StrictChoice, StrictInteger, StrictString
from rules.campaign.classes import FORMATS, WEIGHT_CLASSES
from rules.campaign.market.prices import ASSET_KINDS
from rules.core.refusals import Malformed, Refusal, SeasonRefused
from rules.wording import sentence
from stables.api.base import SeasonEndpoint
from stables.models import Fixture, FixtureSide
from stables.selectors.places import refuse_former_owner
from web.languages.reader import translate

LARGEST_ID = 2**63 - 1
"""The largest id that SQLite and PostgreSQL can look for."""

KEY = RegexValidator(r"^[!-~]{1,40}\Z", code="invalid")
"""A key of the catalogue: visible signs without a space."""

ONE_LINE = RegexValidator(r"^[^\x00-\x1f\x7f-\x9f]*[^\s\x00-\x1f\x7f-\x9f][^\x00-\x1f\x7f-\x9f]*\Z", code="invalid")
"""Words on one line: no control characters, and at least one sign that is not a space."""


class OwnersEndpoint(SeasonEndpoint):
    """An endpoint for people who own a stable or found one. Anonymous people get 401, except when they read an endpoint
    that is `open_to_all`.
    """

    open_to_all = False
    write_scope = "play"

    def recheck_permission(self, **names: Any) -> None:
        if "stable_slug" in names:
            self.own_stable(names["stable_slug"])


class FixtureEndpoint(OwnersEndpoint):
    """An endpoint below the address of a fixture."""

    def recheck_permission(self, **names: Any) -> None:
        self.played_side(names["fixture_id"])

    def fixture_id(self, fixture_id: int) -> int:
        """Return the id of a fixture of the season; one query. Raises Http404 for any other id."""
        known = Fixture.objects.filter(pk=fixture_id, round__cycle__season=self.season())
        if fixture_id > LARGEST_ID or not known.exists():
            raise Http404
        return fixture_id

    def own_side(self, fixture_id: int) -> FixtureSide:
        """Return the asker's side in a fixture of the season, with its stable; two queries.

        Raises Http404, SeasonRefused (stable_passed_on, stable_removed) for a former owner, and PermissionDenied for
        other people without a stable in the fixture (NotAuthenticated without a login).
        """
        self.fixture_id(fixture_id)
        sides = FixtureSide.objects.filter(fixture=fixture_id, stable__owner=self.request.user.pk)
        side = sides.select_related("stable").order_by("id").first()
        if side is None:
            refuse_former_owner(self.request.user, self.season().slug)
            self.permission_denied(self.request)
        return side

    def played_side(self, fixture_id: int) -> FixtureSide:
        """Return the asker's side as `own_side` does, or the one on which they stand in for its owner."""
        stood_in = FixtureSide.objects.filter(fixture=fixture_id, fixture__round__cycle__season=self.season())
        side = stood_in.filter(stand_in=self.request.user.pk).select_related("stable").first()
        return self.own_side(fixture_id) if side is None or self.request.user.pk is None else side


def names_are_refused(handler: Callable[..., Response]) -> Callable[..., Response]:
    """Make a handler raise SeasonRefused (409) with the same code instead of Malformed (400).

    The services call the name of an unknown thing malformed, because a page offers only existing things. A program that
    chooses a number cannot know whether the thing exists, and its body has the described form.
    """

    @wraps(handler)
    def answered(*arguments: Any, **names: Any) -> Response:
        try:
            return handler(*arguments, **names)
        except Malformed as raised:
            raise SeasonRefused(raised.code, **raised.parameters) from raised

    return answered


class AssetNumber(StrictInteger):
    """The id of an asset on this site, from 1 to LARGEST_ID."""

    def __init__(self, **options: Any) -> None:
        super().__init__(**{"min_value": 1, "max_value": LARGEST_ID, **options})


class Key(StrictString):
    """The key of an entry of the catalogue: 1 to 40 visible ASCII signs."""

    def __init__(self, **options: Any) -> None:
        super().__init__(**{"max_length": 40, "validators": [KEY], **options})


class Line(StrictString):
    """Words on one line, without control characters."""

    def __init__(self, **options: Any) -> None:
        super().__init__(**{"validators": [ONE_LINE], **options})


class AssetKind(StrictChoice):
    """The kind of an asset that a market sells."""

    def __init__(self, **options: Any) -> None:
        super().__init__(**{"choices": ASSET_KINDS, **options})


class WeightClass(StrictChoice):
    """The class of a match."""

    def __init__(self, **options: Any) -> None:
        super().__init__(**{"choices": WEIGHT_CLASSES, **options})


class FormatName(StrictChoice):
    """The format of a match."""

    def __init__(self, **options: Any) -> None:
        super().__init__(**{"choices": FORMATS, **options})


class ReasonOutput(Output):
    """Why something would be refused now: the code of the refusal and its sentence."""

    code = serializers.CharField()
    detail = serializers.CharField()


def reason(problem: Refusal) -> dict[str, str]:
    """Return a refusal in the form of the interface: code and sentence."""
    return {"code": problem.code, "detail": sentence(problem.code, problem.parameters, translate)}


CONFIRMED = "Send true to go on although this ends the repairs of damaged units (`repairs_would_end`)."
ENDS_READY = (
    "Whether you had said that you are ready and are not any more, because this takes a crew or the basket from it."
)

FIXTURE_ID = OpenApiParameter("fixture_id", OpenApiTypes.INT64, OpenApiParameter.PATH)
HAND_OVER_ID = OpenApiParameter("hand_over_id", OpenApiTypes.INT64, OpenApiParameter.PATH)
PROPOSAL_ID = OpenApiParameter("proposal_id", OpenApiTypes.INT64, OpenApiParameter.PATH)
SEAT_ID = OpenApiParameter("seat_id", OpenApiTypes.INT64, OpenApiParameter.PATH)
