"""The news of a season: log lines and notices of its jobs, written in the transaction of the act that they report."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any

from django.contrib.auth import get_user_model

from people.models import Notice
from people.services.accounts import notify, notify_newest
from people.text.notices import UNASKED
from rules.campaign.results.corrections import what_decided
from rules.wording.isolation import bare
from stables.models import Cycle, Fixture, FixtureSide, Placing, Round, Stable
from stables.selectors.entrants import needs_telling
from stables.selectors.fixtures import SMALLEST_MATCH, arena_names, pairing_of, sides_with_owners
from stables.selectors.seating import People, has_person, people_at
from stables.selectors.webhooks.documents import pairings_of
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
    sides = list(sides)
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
        values |= _why_forfeited(sides)
        record(cycle.season, "match_without_winner", values, cycle=cycle, fixture=fixture)
    elif document["ended_by"] == "forfeit":
        values |= _why_forfeited(side for side in sides if side.side in others)
        record(cycle.season, "match_forfeited", values, cycle=cycle, fixture=fixture)
    else:
        values["reputation"] = _amounts(side_results, winner, others, "reputation")
        values["kills"] = _amounts(side_results, winner, others, "kills")
        if decided_by := what_decided(document):
            values["decided_by"] = decided_by
        record(cycle.season, "match_won", values, cycle=cycle, fixture=fixture)


def _why_forfeited(sides: Iterable[FixtureSide]) -> dict[str, Any]:
    """Return the parameter that says why sides forfeit: one reason, or each stable's where they differ; {} for none."""
    whys = [(side.stable.name, str(side.forfeits)) for side in sides if side.forfeits]
    if len({why for _, why in whys}) > 1:
        return {"forfeit": [{"stable": name, "forfeit": why} for name, why in whys]}
    return {"forfeit": whys[0][1]} if whys else {}


def _amounts(facts: Mapping[str, Any], winner: str, others: Iterable[str], what: str) -> str:
    return " : ".join(str(facts[side][what]) for side in (winner, *others))


def tell_places(cycle: Cycle) -> None:
    """Log the places and purses of a closed cycle; one query apart from those of the log line."""
    placings = Placing.current().filter(cycle=cycle).select_related("stable").order_by("place")
    listed = ", ".join(f"{placing.place}. {placing.stable.name} ({placing.purse})" for placing in placings)
    record(cycle.season, "cycle_closed", {"cycle": cycle.number, "places": listed or "–"}, cycle=cycle)


def place_of(fixture: Fixture, sides: Iterable[FixtureSide]) -> dict[str, Any]:
    """Return what names a match in log and notices: {"cycle", "round", "match", "pairing"}; no query.

    Fetch the fixture with its round and cycle, and the sides, in order, with their stables.
    """
    called = fixture.round
    return {
        "cycle": called.cycle.number,
        "round": called.number,
        "match": fixture.number,
        "pairing": pairing_of(sides),
    }


def terms_of(fixture: Fixture) -> dict[str, Any]:
    """Return how and where a match is played: {"format", "mode", "arena"}; the season is best fetched with its release.

    Format and mode are keys, "arena" is the name of the arena or of the four maps.
    """
    cycle = fixture.round.cycle
    return {
        "format": cycle.format,
        "mode": fixture.mode,
        "arena": bare(arena_names(cycle.season, fixture.arena_key)),
    }


def stored(moment: datetime | None) -> str | None:
    """Return a time as log and notices keep it, for each reader to have it in their own zone; None for no time."""
    return None if moment is None else moment.isoformat()


def tell_people(
    told: People,
    code: str,
    facts: dict[str, Any],
    address: str,
    *,
    instead_of: Collection[str] = (),
    same: Collection[str] = (),
) -> list[Notice]:
    """Notify the people of a match, in the caller's transaction; stand-ins, who never asked, with quotation marks.

    The notices take the place of older unread ones as `notify_newest` says.
    """
    written: list[Notice] = []
    for people, also in ((told.owners, {}), (told.stand_ins, {UNASKED: True})):
        if people and instead_of:
            written += notify_newest(people, code, {**facts, **also}, address, instead_of=instead_of, same=same)
        elif people:
            written += notify(people, code, {**facts, **also}, address)
    return written


def call_for_line_ups(called: Round, sides: Iterable[FixtureSide]) -> None:
    """Tell the human owners of these sides, and their stand-ins, that their line-ups are called for.

    One query for all, one for each match.

    Nobody gets a notice in a season that needs none (`needs_telling`). The sides have their fixtures and stables, and
    `called` its cycle and season.
    """
    season = called.cycle.season
    if not needs_telling(season):
        return
    of_fixtures: dict[int, list[FixtureSide]] = {}
    for side in sides:
        of_fixtures.setdefault(side.fixture.pk, []).append(side)
    told = {side.pk: _deciders(side) for partners in of_fixtures.values() for side in partners}
    ids = {pk for both in told.values() for listed in both for pk in listed}
    people = {person.pk: person for person in get_user_model().objects.filter(pk__in=ids)} if ids else {}
    for partners in of_fixtures.values():
        fixture = partners[0].fixture
        for side in partners:
            listed = People(*([people[pk] for pk in ids if pk in people] for ids in told[side.pk]))
            if any(listed):
                fixture.round, side.stable.season = called, season
                facts = {"season": season.name, **place_of(fixture, partners), **terms_of(fixture)}
                facts["due"] = stored(fixture.line_ups_due_at)
                tell_people(listed, "line_up_due", facts, side.stable.get_absolute_url())


def _deciders(side: FixtureSide) -> tuple[list[int], list[int]]:
    """Return the ids of the owner of a side, unless it is the AI's, and of the stand-in; one each at most."""
    owner = side.stable.owner_id if has_person(side.stable) else None
    return [pk for pk in (owner,) if pk is not None], [pk for pk in (side.stand_in_id,) if pk is not None]


def tell_chosen(side: FixtureSide, called: Round) -> None:
    """Tell the human owner of a side that a line-up was chosen because none came in time.

    Fetch `side` with its fixture and stable, and the stable with owner and season.
    """
    stable = side.stable
    if stable.owner is None or stable.is_ai:
        return
    side.fixture.round = called
    place = place_of(side.fixture, sides_with_owners(side.fixture))
    notify([stable.owner], "line_up_chosen", {"season": stable.season.name, **place}, stable.get_absolute_url())


def tell_nominated(side: FixtureSide) -> None:
    """Tell the human owner of a side that all others forfeit, and that a line-up was chosen for them (O-S11).

    Fetch `side` with its stable and that one's owner, and with fixture, round, cycle and season; one query for the
    other sides.
    """
    stable, fixture = side.stable, side.fixture
    if stable.owner is None or stable.is_ai:
        return
    place = place_of(fixture, sides_with_owners(fixture))
    values = {"season": fixture.round.cycle.season.name, **place}
    notify([stable.owner], "rival_forfeits", values, fixture.get_absolute_url())


def tell_ready(fixture: Fixture) -> None:
    """Tell the people of a fixture whose line-ups are all in that they may play it; two queries at most.

    Nobody gets a notice when the AI plays it, when only one side is left, or in a season that needs none
    (`needs_telling`). Fetch the fixture with round, cycle and season.
    """
    if fixture.mode == Fixture.Mode.AI or not needs_telling(fixture.round.cycle.season):
        return
    sides = sides_with_owners(fixture)
    playing = [side for side in sides if not side.forfeits]
    if len({side.side for side in playing}) < SMALLEST_MATCH:
        return
    due = fixture.scheduled_at or fixture.play_due_at
    facts = {"season": fixture.round.cycle.season.name, **place_of(fixture, sides), **terms_of(fixture)}
    facts["due"] = stored(due)
    tell_people(people_at(playing), "match_ready", facts, fixture.get_absolute_url())
