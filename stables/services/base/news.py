"""The news of a season: log lines and notices of its jobs, written in the transaction of the act that they report."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from django.contrib.auth import get_user_model
from django.urls import reverse

from people.services.accounts import notify
from rules.campaign.results.corrections import what_decided
from stables.models import Cycle, Fixture, FixtureSide, Placing, Round, Stable
from stables.selectors.entrants import needs_telling
from stables.selectors.webhook_documents import pairings_of
from stables.services.base.log import record


def tell_pairings(
    cycle: Cycle, called: Round, meetings: Sequence[tuple[int, Sequence[Sequence[Stable]], str]], bye: Stable | None
) -> None:
    """Log who meets whom in a round, and who has a bye (None: nobody).

    `meetings` are the matches, each as its number, its sides and the name of its arena.
    """
    listed = ", ".join(
        " – ".join(" & ".join(stable.name for stable in side) for side in sides) for _number, sides, _arena in meetings
    )
    values = {
        "cycle": cycle.number,
        "round": called.number,
        "pairings": listed,
        "bye": None if bye is None else bye.name,
    }
    code = "round_paired" if bye is None else "round_paired_with_bye"
    record(cycle.season, code, values, cycle=cycle, pairings=pairings_of(cycle, called, meetings))


def tell_result(fixture: Fixture, sides: Iterable[FixtureSide], document: Mapping[str, Any]) -> None:
    """Log how a fixture ended, by its result document (Result.document).

    Fetch the fixture with its round, cycle and season, and the sides with their stables: then only the log line takes
    queries.
    """
    names: dict[str, list[str]] = {}
    for side in sides:
        names.setdefault(side.side, []).append(side.stable.name)
    winner, side_results = document["winner"], document["sides"]
    others = [side for side in names if side != winner]
    values = {
        "round": fixture.round.number,
        "winner": "" if winner is None else " & ".join(names[winner]),
        "others": ", ".join(" & ".join(names[side]) for side in others),
    }
    cycle = fixture.round.cycle
    if winner is None:
        record(cycle.season, "match_without_winner", values, cycle=cycle, fixture=fixture)
    elif document["ended_by"] == "forfeit":
        record(cycle.season, "match_forfeited", values, cycle=cycle, fixture=fixture)
    else:
        values["reputation"] = _amounts(side_results, winner, others, "reputation")
        values["kills"] = _amounts(side_results, winner, others, "kills")
        if decided_by := what_decided(document):
            values["decided_by"] = decided_by
        record(cycle.season, "match_won", values, cycle=cycle, fixture=fixture)


def _amounts(facts: Mapping[str, Any], winner: str, others: Iterable[str], what: str) -> str:
    return " : ".join(str(facts[side][what]) for side in (winner, *others))


def tell_places(cycle: Cycle) -> None:
    """Log the places and purses of a closed cycle; one query apart from those of the log line."""
    placings = Placing.current().filter(cycle=cycle).select_related("stable").order_by("place")
    listed = ", ".join(f"{placing.place}. {placing.stable.name} ({placing.purse})" for placing in placings)
    record(cycle.season, "cycle_closed", {"cycle": cycle.number, "places": listed or "–"}, cycle=cycle)


def call_for_line_ups(cycle: Cycle, called: Round, stables: Iterable[Stable]) -> None:
    """Tell the human owners of these stables that their line-ups are called for; one query each, and at most two more.

    Nobody gets a notice in a season that needs none (`needs_telling`).
    """
    if not needs_telling(cycle.season):
        return
    owners = {stable.owner_id: stable for stable in stables if stable.owner_id is not None and not stable.is_ai}
    values = {"season": cycle.season.name, "cycle": cycle.number, "round": called.number}
    for person in get_user_model().objects.filter(pk__in=owners).order_by("pk") if owners else ():
        owners[person.pk].season = cycle.season
        notify([person], "line_up_due", values, owners[person.pk].get_absolute_url())


def tell_chosen(side: FixtureSide, called: Round) -> None:
    """Tell the human owner of a side that a line-up was chosen because none came in time.

    Fetch `side` with its stable, and the stable with owner and season.
    """
    stable, cycle = side.stable, called.cycle
    if stable.owner is None or stable.is_ai:
        return
    values = {"season": cycle.season.name, "cycle": cycle.number, "round": called.number}
    notify([stable.owner], "line_up_chosen", values, stable.get_absolute_url())


def tell_nominated(side: FixtureSide) -> None:
    """Tell the human owner of a side that all others forfeit, and that a line-up was chosen for them (O-S11).

    Fetch `side` with its stable and that one's owner, and with fixture, round, cycle and season.
    """
    stable, called = side.stable, side.fixture.round
    if stable.owner is None or stable.is_ai:
        return
    season = called.cycle.season
    values = {"season": season.name, "cycle": called.cycle.number, "round": called.number}
    address = reverse("stables:fixture", args=[season.slug, side.fixture_id])
    notify([stable.owner], "rival_forfeits", values, address)
