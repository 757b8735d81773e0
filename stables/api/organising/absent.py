"""The endpoint of the stables that a season waits for, and of acts for several of them together."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers
from rest_framework.response import Response

from api.description import describes, example
from api.endpoint import idempotent
from api.fields import Output, StrictChoice, StrictDateTime, StrictString
from rules.campaign.season.hand import LINE_UP, MARKET, MATCH
from rules.core.refusals import SeasonRefused
from rules.wording import sentence
from stables.api.organising.base import TOPIC, Organising
from stables.api.organising.reason import ReasonInput, reason_from
from stables.api.organising.settings import rules_refuse
from stables.models import Stable
from stables.selectors.absent import Awaited, awaited
from stables.services.running.absent import ACTS, REMIND, act_for
from stables.services.running.absentees import CHOICES, choose
from web.languages.reader import translate

MOST_STABLES = 500


class AwaitedOutput(Output):
    """A stable that the season waits for, and for what. `fixture` is the id of its match, null in a market."""

    stable = serializers.SlugField()
    waits_for = serializers.ChoiceField(choices=[MARKET, LINE_UP, MATCH])
    fixture = serializers.IntegerField(allow_null=True)


class AwaitedListOutput(Output):
    """Whom the season waits for now, by round, match and number of the stable."""

    awaited = AwaitedOutput(many=True)


class AbsentInput(ReasonInput):
    """An act for several stables. All acts except “remind” need a reason, and “extend” needs `until`."""

    act = StrictChoice(choices=list(ACTS))
    stables = serializers.ListField(
        child=StrictString(max_length=100), required=False, max_length=MOST_STABLES, help_text="Left out: all awaited."
    )
    until = StrictDateTime(required=False, help_text="Until when their matches may be played.")


class RefusedOutput(Output):
    """A stable that an act was refused for, with the code of the refusal and its sentence."""

    stable = serializers.SlugField()
    code = serializers.CharField()
    detail = serializers.CharField()


class DoneOutput(Output):
    """The stables for which an act was done, and those for which it was refused."""

    done = serializers.ListField(child=serializers.SlugField())
    refused = RefusedOutput(many=True)


class Absent(Organising):
    """The stables that a season waits for."""

    @describes(
        "season_absent",
        "List whom a season waits for",
        TOPIC,
        answers=AwaitedListOutput,
        examples=[
            example("One line-up", {"awaited": [{"stable": "iron-parish", "waits_for": "line_up", "fixture": 12}]})
        ],
    )
    def get(self, request: Any, season_slug: str) -> Response:
        """Return the stables of people that a running season waits for. Matches that the AI plays wait for nobody."""
        return Response({"awaited": [_line(row) for row in awaited(self.organised_season())]})

    @describes(
        "season_act_for_absent",
        "Act for several absent stables",
        TOPIC,
        sends=AbsentInput,
        answers=DoneOutput,
        examples=[
            example("Remind all", {"act": "remind"}, sent=True),
            example("One cannot", {"act": "line_up", "stables": ["iron-parish"], "reason": "agreed"}, sent=True),
            example("Reminded", {"done": ["iron-parish"], "refused": []}),
            example(
                "Refused",
                {
                    "done": [],
                    "refused": [
                        {
                            "stable": "iron-parish",
                            "code": "stable_not_awaited",
                            "detail": "The season does not wait for Iron Parish now.",
                        }
                    ],
                },
            ),
        ],
    )
    @idempotent(atomic=False)
    def post(self, request: Any, season_slug: str) -> Response:
        """Remind, give more time, repair, or hand in line-ups: for each stable by itself.

        What is done stays done, also if others refuse. Refused as a whole: nobody_chosen, reason_missing, bad_field,
        too_often.
        """
        season = self.organised_season()
        sent = self.sent(AbsentInput)
        act = sent["act"]
        chosen = [row.stable.pk for row in awaited(season)]
        if "stables" in sent:
            chosen = list(Stable.objects.filter(season=season, slug__in=sent["stables"]).values_list("pk", flat=True))
            if len(chosen) != len(set(sent["stables"])):
                raise SeasonRefused("nobody_chosen")
        reason = "" if act == REMIND else reason_from(sent)
        with rules_refuse():
            done = act_for(
                season_id=season.pk,
                act=act,
                stable_ids=chosen,
                user=request.user,
                reason=reason,
                until=sent.get("until"),
            )
        refused = [
            {"stable": each.stable.slug, "code": each.code, "detail": sentence(each.code, each.parameters, translate)}
            for each in done.refused
        ]
        return Response({"done": [each.slug for each in done.stables], "refused": refused})


def _line(row: Awaited) -> dict[str, Any]:
    return {
        "stable": row.stable.slug,
        "waits_for": row.what,
        "fixture": None if row.side is None else row.side.fixture_id,
    }


class ChoiceInput(ReasonInput):
    """What happens to the match of an absent stable. “stand_in” and “new_date” need `until`."""

    choice = StrictChoice(choices=list(CHOICES))
    until = StrictDateTime(required=False)


class ChosenOutput(Output):
    """The choice, and the id of the match that it is about."""

    choice = serializers.ChoiceField(choices=list(CHOICES))
    fixture = serializers.IntegerField(source="fixture_id")


class ChooseForAbsent(Organising):
    """What happens to the match of an absent stable."""

    @describes(
        "stable_choose_for_absent",
        "Choose what happens to an absent stable’s match",
        TOPIC,
        sends=ChoiceInput,
        answers=ChosenOutput,
        examples=[
            example("A forfeit", {"choice": "forfeit", "reason": "no_show"}, sent=True),
            example("Done", {"choice": "forfeit", "fixture": 12}),
        ],
    )
    @idempotent(atomic=True)
    def post(self, request: Any, season_slug: str, stable_slug: str) -> Response:
        """Let the AI stand in, give the match a new date, declare a forfeit, or exchange it with the round’s bye.

        A bye is possible only if it would be the stable’s turn (Q-158). Refused: stable_not_awaited,
        no_match_to_prepare, bye_not_due, organiser_takes_part, reason_missing, bad_field, and the codes of the act.
        """
        self.organised_season()
        stable, sent = self.stable(stable_slug), self.sent(ChoiceInput)
        reason = reason_from(sent)
        with rules_refuse():
            chosen = choose(
                stable_id=stable.pk,
                choice=sent["choice"],
                reason=reason,
                user=request.user,
                until=sent.get("until"),
            )
        return Response(ChosenOutput(chosen).data)
