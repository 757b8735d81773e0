"""The endpoint of a shelf that is filled from a checklist."""

from __future__ import annotations

from http import HTTPStatus
from typing import Any

from rest_framework import serializers
from rest_framework.response import Response

from api.description import describes, example
from api.endpoint import Endpoint, idempotent
from api.fields import Input, Output, StrictString
from api.problems import problem
from catalogue.api.collections import TOPIC
from catalogue.api.imports import problem_parameters
from catalogue.services import collections
from catalogue.services.shelves import shelve
from catalogue.text import labels
from rules.catalogue import CatalogueError
from rules.catalogue.checklists import read_checklist


class ChecklistInput(Input):
    """A checklist, as the text of a CSV file with the columns `set` and `number`; `quantity` and `name` may stand
    beside them. A list of one set may leave `set` out; its figures are found by number and name.
    """

    sheet = StrictString(max_length=500_000)


class MissingFigureOutput(Output):
    """A figure of a checklist that is in no catalogue and no collection here. `row` is its row in the file; `set` is
    empty where the checklist has none.
    """

    row = serializers.IntegerField()
    set = serializers.CharField()
    number = serializers.IntegerField()
    name = serializers.CharField()


class UnreadRowOutput(Output):
    """A row of a checklist that cannot be read: its column and what stands there, and a sentence that says so."""

    row = serializers.IntegerField()
    column = serializers.CharField()
    found = serializers.CharField()
    detail = serializers.CharField()


class ChecklistOutput(Output):
    """What a checklist put on the shelf: the ids of its units. Its figures that are not here, and its rows that cannot
    be read.
    """

    units = serializers.ListField(child=serializers.CharField())
    missing = MissingFigureOutput(many=True)
    unread = UnreadRowOutput(many=True)


class Checklists(Endpoint):
    """The checklist for the asker's shelf."""

    open_to_all = False

    @describes(
        "shelf_checklist",
        "Put the figures of a checklist on your shelf",
        TOPIC,
        answers=ChecklistOutput,
        sends=ChecklistInput,
        examples=[
            example("Two figures", {"sheet": "set,number,name\nSOL,2,Hellion\nAOD,104,Testbed\n"}, sent=True),
            example(
                "One of them is here",
                {
                    "units": ["SOL002"],
                    "missing": [{"row": 3, "set": "AOD", "number": 104, "name": "Testbed"}],
                    "unread": [],
                },
            ),
        ],
    )
    @idempotent(atomic=False)
    def post(self, request: Any) -> Response:
        """Put the units of a checklist on your shelf. Nothing is taken off it.

        They are looked for in the latest release and in the collections that are listed for you. Refused:
        catalogue_invalid with each problem of the file, shelf_full. You may send sixty files an hour.
        """
        sent = self.sent(ChecklistInput)
        collections.count_import(request.user)
        try:
            figures, unread = read_checklist("request.csv", sent["sheet"])
        except CatalogueError as error:
            return problem(HTTPStatus.CONFLICT, error.code, labels.refusal(error), problem_parameters(error))
        matched = shelve(user=request.user, figures=figures)
        missing = [figure._asdict() for figure in matched.missing]
        rows = [{**fault.parameters, "detail": labels.sentence(fault.code, fault.parameters)} for fault in unread]
        return Response(ChecklistOutput({"units": matched.keys, "missing": missing, "unread": rows}).data)
