"""The sealed basket of a stable: what its owner puts in, takes out and seals. Nobody else is told anything of it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext

from rules.core.refusals import Malformed
from stables.requests import answer, for_people, given, number_of, own_stable, read_input
from stables.services import baskets
from stables.views.market import way_back

BACK = {"back": "market"}


@for_people
def put_in(request: HttpRequest, season_slug: str, stable_slug: str) -> HttpResponse:
    """Put something into the basket. Fields: kind, key."""
    stable = own_stable(request, season_slug, stable_slug)
    fields = read_input(request)
    state = baskets.put_in(stable_id=stable.pk, kind=given(fields, "kind"), key=given(fields, "key"))
    return answer(request, state, gettext("It is in your basket."), way_back(stable, BACK))


@for_people
def take_out(request: HttpRequest, season_slug: str, stable_slug: str) -> HttpResponse:
    """Take a line out of the basket. Field: line, from 1."""
    stable = own_stable(request, season_slug, stable_slug)
    state = baskets.take_out(stable_id=stable.pk, position=number_of(read_input(request), "line"))
    return answer(request, state, gettext("It is out of your basket."), way_back(stable, BACK))


@for_people
def move_up(request: HttpRequest, season_slug: str, stable_slug: str) -> HttpResponse:
    """Let a line be bought earlier. Field: line, from 1."""
    stable = own_stable(request, season_slug, stable_slug)
    state = baskets.move_up(stable_id=stable.pk, position=number_of(read_input(request), "line"))
    return answer(request, state, gettext("The order of your basket is noted."), way_back(stable, BACK))


@for_people
def set_lines(request: HttpRequest, season_slug: str, stable_slug: str) -> HttpResponse:
    """Replace the whole basket. Field: lines, a JSON list of {"kind", "key"} in order."""
    stable = own_stable(request, season_slug, stable_slug)
    lines = _lines(read_input(request))
    state = baskets.set_lines(stable_id=stable.pk, lines=lines)
    return answer(request, state, gettext("Your basket is noted."), way_back(stable, BACK))


def _lines(fields: Mapping[str, Any]) -> list[dict[str, str]]:
    lines = fields.get("lines")
    if not isinstance(lines, list) or not all(isinstance(line, dict) for line in lines):
        raise Malformed("bad_field", field="lines")
    return [{"kind": given(line, "kind"), "key": given(line, "key")} for line in lines]


@for_people
def seal(request: HttpRequest, season_slug: str, stable_slug: str) -> HttpResponse:
    """Seal the basket."""
    stable = own_stable(request, season_slug, stable_slug)
    state = baskets.seal(stable_id=stable.pk)
    return answer(request, state, gettext("Your basket is sealed."), way_back(stable, BACK))


@for_people
def unseal(request: HttpRequest, season_slug: str, stable_slug: str) -> HttpResponse:
    """Break the seal."""
    stable = own_stable(request, season_slug, stable_slug)
    state = baskets.unseal(stable_id=stable.pk)
    return answer(request, state, gettext("The seal is broken; your basket can be changed."), way_back(stable, BACK))
