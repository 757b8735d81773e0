"""Handing in line-ups."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext

from rules.core.refusals import Malformed, SeasonRefused
from stables.models import Fixture, FixtureSide
from stables.requests import answer, for_people, number_of, own_stable, read_input, text_of
from stables.services import line_ups


@for_people
def hand_in_line_up(request: HttpRequest, season_slug: str, stable_slug: str) -> HttpResponse:
    """Hand in the line-up for the stable's open fixture.

    Fields: unit and pilot (or empty) by asset, or both as `crew` ("12-34"; "12-" without a pilot), the second crew of a
    match of two units as `crew_2`; the tokens as `tokens` ("T-001 T-002 T-003" or a list), or one each as `token_1` to
    `token_3`.
    """
    stable = own_stable(request, season_slug, stable_slug)
    fields = read_input(request)
    side = (
        FixtureSide.objects.filter(stable=stable, fixture__kind=Fixture.Kind.MATCH)
        .exclude(fixture__state=Fixture.State.SETTLED)
        .order_by("-id")
        .first()
    )
    if side is None:
        raise SeasonRefused("no_open_fixture")
    sealed = line_ups.submit(
        stable_id=stable.pk, fixture_id=side.fixture_id, crews=_crews(fields), tokens=_tokens(fields)
    )
    return answer(request, sealed, gettext("Your line-up is handed in and sealed."), stable.get_absolute_url())


def _crews(fields: Mapping[str, Any]) -> list[line_ups.CrewChoice]:
    if "crew" not in fields:
        return [_crew(fields)]
    written = [text_of(fields, name) for name in ("crew", "crew_2") if fields.get(name)]
    parts = [crew.partition("-") for crew in written]
    return [_crew({"unit": unit, "pilot": pilot}) for unit, _, pilot in parts]


def _crew(fields: Mapping[str, Any]) -> line_ups.CrewChoice:
    return line_ups.CrewChoice(number_of(fields, "unit"), number_of(fields, "pilot") if fields.get("pilot") else None)


def _tokens(fields: Mapping[str, Any]) -> list[str]:
    tokens = fields.get("tokens")
    if tokens is None:
        tokens = [fields[name] for name in ("token_1", "token_2", "token_3") if fields.get(name)]
    keys = tokens.split() if isinstance(tokens, str) else tokens
    if not isinstance(keys, list) or not all(isinstance(key, str) for key in keys):
        raise Malformed("not_a_text", field="tokens")
    return keys
