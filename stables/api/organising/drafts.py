"""The endpoints of copies of a season, and of the name and class of a season that has not begun."""

from __future__ import annotations

from typing import Any

from rest_framework.response import Response

from api.description import describes, example
from api.endpoint import idempotent
from api.fields import Input, StrictChoice, StrictString
from rules.campaign.classes import MULTI_CLASS, WEIGHT_CLASSES
from stables.api.organising.base import COURSE, TOPIC, CourseOutput, Organising
from stables.api.organising.opening import OPENED, AgainInput, OpenedSeasonOutput, opened
from stables.api.organising.settings import SAYS_SOMETHING, rules_refuse
from stables.services.season import drafts
from stables.services.season.opening import LONGEST_NAME


class CopySeason(Organising):
    """A copy of a season as a draft."""

    @describes(
        "season_copy",
        "Copy a season’s settings into a draft",
        TOPIC,
        sends=AgainInput,
        answers=OpenedSeasonOutput,
        status=201,
        examples=[
            example("With a name", {"name": "Summer Circuit"}, sent=True),
            example(
                "A draft", {**OPENED, "slug": "summer-circuit", "name": "Summer Circuit", "state": "draft"}, status=201
            ),
        ],
    )
    @idempotent(atomic=True)
    def post(self, request: Any, season_slug: str) -> Response:
        """Open a draft with the settings, calendar and stables of the AI of a season in any state. Nobody is invited.

        Refused: too_many_seasons_recruiting, printed_dials_missing, season_name_missing.
        """
        season = self.organised_season()
        name = self.sent(AgainInput).get("name", "")
        with rules_refuse():
            made = drafts.copy_season(season_id=season.pk, organiser=request.user, name=name)
        return opened(made.slug)


class SeasonNameInput(Input):
    """The new name of a season."""

    name = StrictString(max_length=LONGEST_NAME, validators=[SAYS_SOMETHING])


class SeasonName(Organising):
    """The name of a season."""

    @describes(
        "season_rename",
        "Rename a season that has not begun",
        TOPIC,
        sends=SeasonNameInput,
        answers=CourseOutput,
        examples=[
            example("Without the mistake", {"name": "Spring Circuit"}, sent=True),
            example("Renamed", {**COURSE, "state": "recruiting"}),
        ],
    )
    @idempotent(atomic=True)
    def put(self, request: Any, season_slug: str) -> Response:
        """Give a draft or a recruiting season another name; its address stays. Owners get a notice.

        Refused: season_not_renamed, name_unchanged, season_name_missing.
        """
        season = self.organised_season()
        name = self.sent(SeasonNameInput)["name"]
        with rules_refuse():
            drafts.rename_season(season_id=season.pk, name=name, actor=request.user)
        return self.course(season)


class SeasonClassInput(Input):
    """The class of all matches, or “multi” for all classes in an order that is drawn."""

    weight_class = StrictChoice(choices=[*WEIGHT_CLASSES, MULTI_CLASS])


class SeasonClass(Organising):
    """The class of a season."""

    @describes(
        "season_class",
        "Change the class of a season that nobody has joined",
        TOPIC,
        sends=SeasonClassInput,
        answers=CourseOutput,
        examples=[
            example("Heavier", {"weight_class": "heavy"}, sent=True),
            example("Changed", {**COURSE, "state": "draft"}),
        ],
    )
    @idempotent(atomic=True)
    def put(self, request: Any, season_slug: str) -> Response:
        """Change the class while no person has a stable. Stables of the AI begin again with its starting capital.

        Refused: season_not_renamed, setting_fixed, settings_unchanged, printed_dials_missing.
        """
        season = self.organised_season()
        chosen = self.sent(SeasonClassInput)["weight_class"]
        with rules_refuse():
            drafts.change_class(season_id=season.pk, weight_class=chosen, actor=request.user)
        return self.course(season)
