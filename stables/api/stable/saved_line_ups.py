"""The endpoints of line-ups that a stable keeps for matches of a class and format; for its owner only."""

from __future__ import annotations

from typing import Any

from django.http import Http404
from rest_framework import serializers
from rest_framework.response import Response

from api.description import describes, example
from api.endpoint import idempotent
from api.fields import Output
from rules.campaign.classes import FORMATS, WEIGHT_CLASSES
from stables.api.stable.base import FormatName, OwnersEndpoint, WeightClass, names_are_refused
from stables.api.stable.line_ups import LINE_UP, TOPIC, LineUpInput, OwnLineUpOutput, crew_choices
from stables.models import SavedLineUp
from stables.services.line_ups import saved as saved_line_ups


class SaveLineUpInput(LineUpInput):
    """A line-up to keep, and for which matches."""

    weight_class = WeightClass()
    format = FormatName()


class SavedLineUpOutput(Output):
    """A class and a format, and the saved line-up for matches of these; `line_up` is null when none is saved."""

    weight_class = serializers.ChoiceField(choices=WEIGHT_CLASSES)
    format = serializers.ChoiceField(choices=FORMATS)
    line_up = OwnLineUpOutput(allow_null=True)


class SavedLineUpsOutput(Output):
    """The classes and formats of the season's cycles in order, then others for which a line-up is saved."""

    results = SavedLineUpOutput(many=True)


KIND = {"weight_class": "light", "format": "standard"}
SAVED = {**KIND, "line_up": LINE_UP}


class SavedLineUps(OwnersEndpoint):
    """All saved line-ups of a stable."""

    @describes(
        "saved_line_ups_list",
        "Your saved line-ups",
        TOPIC,
        answers=SavedLineUpsOutput,
        examples=[example("One is saved", {"results": [SAVED, {**KIND, "format": "team", "line_up": None}]})],
    )
    def get(self, request: Any, season_slug: str, stable_slug: str) -> Response:
        """List your saved line-ups, which stand in for you when you hand in nothing. Nobody else ever sees them."""
        stable = self.own_stable(stable_slug)
        rules = stable.season.rules
        saved = {(each.match_class, each.format): each for each in SavedLineUp.objects.filter(stable=stable)}
        plan = [(rules.class_of(number), name) for number, name in enumerate(rules.cycles, 1)]
        found = [
            {
                "weight_class": kind[0],
                "format": kind[1],
                "line_up": saved[kind].document if kind in saved else None,
            }
            for kind in dict.fromkeys([*plan, *saved])
        ]
        return Response(SavedLineUpsOutput({"results": found}).data)

    @describes(
        "saved_line_ups_save",
        "Save a line-up",
        TOPIC,
        answers=SavedLineUpOutput,
        sends=SaveLineUpInput,
        examples=[example("For light duels", {**KIND, **LINE_UP}, sent=True), example("Saved", SAVED)],
    )
    @idempotent(atomic=True)
    @names_are_refused
    def post(self, request: Any, season_slug: str, stable_slug: str) -> Response:
        """Save a line-up for matches of a class and format. It replaces the one that was saved for them.

        Damaged units may be in it: whether it is legal is checked when it stands in. Refused: line_up_size, unit_twice,
        hand_copy, unknown_asset, unknown_catalogue_entry.
        """
        stable, fields = self.own_stable(stable_slug), self.sent(SaveLineUpInput)
        saved_line_ups.save(
            stable_id=stable.pk,
            match_class=fields["weight_class"],
            format_name=fields["format"],
            crews=crew_choices(fields["crews"]),
            tokens=fields["tokens"],
        )
        kept = SavedLineUp.objects.get(stable=stable, match_class=fields["weight_class"], format=fields["format"])
        facts = {"weight_class": kept.match_class, "format": kept.format, "line_up": kept.document}
        return Response(SavedLineUpOutput(facts).data)


class SavedLineUpItself(OwnersEndpoint):
    """The saved line-up for one class and format."""

    @describes(
        "saved_line_ups_delete",
        "Delete a saved line-up",
        TOPIC,
        answers=SavedLineUpOutput,
        examples=[example("Nothing is kept any more", {**KIND, "line_up": None})],
    )
    @idempotent(atomic=True)
    def delete(self, request: Any, season_slug: str, stable_slug: str, weight_class: str, format_name: str) -> Response:
        """Delete the saved line-up for matches of a class and format. A second call changes nothing.

        An unknown class or format gets 404.
        """
        stable = self.own_stable(stable_slug)
        if weight_class not in WEIGHT_CLASSES or format_name not in FORMATS:
            raise Http404
        saved_line_ups.delete(stable_id=stable.pk, match_class=weight_class, format_name=format_name)
        return Response(SavedLineUpOutput({"weight_class": weight_class, "format": format_name, "line_up": None}).data)
