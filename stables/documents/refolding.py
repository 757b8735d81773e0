"""A stored season's ledger, places, purses and titles, computed again by the services that write them.

It runs inside the transaction of an import. A difference from the document is refused with its place there, and nothing
is stored. The places are computed from the reputation book, whose kills and amounts books.check_reputation compares
with the results.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import product

from django.core.exceptions import ObjectDoesNotExist

from matches.models import Match
from rules.campaign.season.settings import CHOICES, SeasonSettings
from rules.campaign.standings.places import Record, leaders
from rules.campaign.standings.titles import holders_still
from rules.core.refusals import SeasonRefused
from stables.documents.books import differs
from stables.documents.columns import Row
from stables.documents.money import check_accounts
from stables.documents.played import stand_of_key
from stables.models import Cycle, Placing, Season, Title
from stables.selectors.definitions import catalogue_of
from stables.selectors.entrants import entrants
from stables.services.base.ledger import refold
from stables.services.results.placings import places_of, purse_at
from stables.services.standings.titles import Claim, claims_of, parted_by

PLACES = "season_document_places_differ"
LEDGER = "season_document_ledger_differs"


def require_same(season_id: int, document: Row) -> None:
    """Compare a stored season and its document with what the services compute from the season.

    Raises SeasonRefused (season_document_ledger_differs, season_document_places_differ).
    """
    season = Season.objects.select_related("release").get(pk=season_id)
    _ledger(season, document)
    _paid_purses(document)
    check_accounts(document, catalogue_of(season))
    cycles = list(season.cycles.order_by("number"))
    for position, cycle in enumerate(cycles):
        if cycle.state == Cycle.State.CLOSED:
            cycle.season = season
            _places(cycle, document, f"cycles[{position}]")
        elif season.state == Season.State.FINISHED:
            raise differs(PLACES, f"cycles[{position}].state", cycle.state, Cycle.State.CLOSED.value)
    _titles(season, document)


def _ledger(season: Season, document: Row) -> None:
    entries = {(row["stable"], row["sequence"]): number for number, row in enumerate(document["ledger"])}
    numbers = dict(season.stables.values_list("pk", "number"))
    stands = {row["number"]: number for number, row in enumerate(document["stables"])}
    for found in refold(season_id=season.pk):
        number = numbers[found.stable_id]
        at = f"stables[{stands[number]}]" if found.field == "capital" else f"ledger[{entries[number, found.sequence]}]"
        raise differs(LEDGER, f"{at}.{found.field}", found.stored, found.folded)


def _paid_purses(document: Row) -> None:
    """Compare the purses of the first revision of places with the payments, which no service compares.

    Raises SeasonRefused (season_document_places_differ).
    """
    paid = {entry["idempotency_key"]: entry["amount"] for entry in document["ledger"]}
    closed = {row["number"] for row in document["cycles"] if row["state"] == Cycle.State.CLOSED}
    for position, row in enumerate(document["placings"]):
        amount = paid.get(f"cycle:{{{row['cycle']}}}:stable:{{{row['stable']}}}:purse", 0)
        if row["revision"] == 1 and row["cycle"] in closed and row["purse"] != amount:
            raise differs(PLACES, f"placings[{position}].purse", row["purse"], amount)


# Places ---------------------------------------------------------------------------------------------------------------


def settings_in_force(season: Season, *names: str) -> Iterator[SeasonSettings]:
    """Yield the settings that may have been valid when a cycle was closed.

    A setting in `names` takes each possible value in turn if the log says that it was changed. All other settings keep
    their value of today.
    """
    changed: set[str] = set()
    for parameters in season.log.filter(code="settings_hold").values_list("parameters", flat=True):
        changed |= set(str(parameters.get("settings", "")).split(", "))
    now = season.rules
    listed = [CHOICES[name] if name in changed else (getattr(now, name),) for name in names]
    for values in product(*listed):
        yield SeasonSettings.from_json({**now.to_json(), **dict(zip(names, values, strict=True))})


def _places(cycle: Cycle, document: Row, at: str) -> None:
    """Compare every revision of a closed cycle's places with its entrants, and its purses with the settings.

    The valid revision must also have the places that the service computes.
    """
    rows = [(number, row) for number, row in enumerate(document["placings"]) if row["cycle"] == cycle.number]
    # A cycle that was dropped for lack of stables has no places.
    is_dropped = cycle.started_with is not None and cycle.rounds_planned == 0
    entering = [] if is_dropped else sorted(stable.number for stable in entrants(cycle.season, cycle.number))
    for revision in range(1, cycle.placings_revision + 1):
        held = {row["place"]: row["stable"] for _, row in rows if row["revision"] == revision}
        if sorted(held) != list(range(1, len(entering) + 1)) or sorted(held.values()) != entering:
            raise differs(PLACES, at, ", ".join(map(str, held.values())) or "–", ", ".join(map(str, entering)) or "–")
    for number, row in rows:
        if row["revision"] > cycle.placings_revision:
            raise differs(PLACES, f"placings[{number}].revision", row["revision"], cycle.placings_revision)
    if not entering:
        return
    try:
        found = list(_computed(cycle))
    except (LookupError, ValueError, TypeError, ArithmeticError, ObjectDoesNotExist):
        raise differs(PLACES, at, "–", "–") from None
    current = sorted((each for each in rows if each[1]["revision"] == cycle.placings_revision), key=_place_of)
    # The secret is proved to be the season's own by the seeds of its matches.
    knows_dice = (
        document["season"]["secret"] is not None
        and Match.objects.filter(fixture__round__cycle__season=cycle.season).exists()
    )
    problems = [_first_difference(current, places, knows_dice) for places, _ in found]
    if problems[0] is not None and None not in problems:
        raise problems[0]
    for number, row in rows:
        purses = {purses[row["stable"], row["place"]] for _, purses in found}
        if row["purse"] not in purses:
            raise differs(PLACES, f"placings[{number}].purse", row["purse"], ", ".join(map(str, sorted(purses))))


def _place_of(numbered: tuple[int, Row]) -> int:
    return int(numbered[1]["place"])


def _computed(cycle: Cycle) -> Iterator[tuple[list[Placing], dict[tuple[int, int], int]]]:
    """Yield the places of a cycle, and its purses by stable and place, for all settings that may have been valid."""
    rules = cycle.season.rules
    try:
        for settings in settings_in_force(cycle.season, "purse_rank_by", "purse_team4_lightweight"):
            cycle.season.rules = settings
            places = places_of(cycle, cycle.placings_revision)
            started_with = cycle.started_with or len(places)
            yield (
                places,
                {
                    (placing.stable.number, place): purse_at(cycle, placing.stable, place, started_with)
                    for placing in places
                    for place in range(1, len(places) + 1)
                },
            )
    finally:
        cycle.season.rules = rules


def _first_difference(rows: list[tuple[int, Row]], places: list[Placing], knows_dice: bool) -> SeasonRefused | None:
    """Return the refusal of the first place that differs from the service's; None when none does.

    Without known dice, stables whose tie was broken by a die may be in any order.
    """
    groups: list[int] = []
    for placing in places:
        groups.append(groups[-1] if placing.decided_by == "die" and not knows_dice else placing.place)
    of_stable = {placing.stable.number: (placing, group) for placing, group in zip(places, groups, strict=True)}
    for (number, row), wanted, group in zip(rows, places, groups, strict=True):
        own, own_group = of_stable[row["stable"]]
        if own_group != group or row["decided_by"] != wanted.decided_by:
            text = f"{row['place']}: {row['stable']} ({row['decided_by'] or '–'})"
            found = f"{wanted.place}: {wanted.stable.number} ({wanted.decided_by or '–'})"
            return differs(PLACES, f"placings[{number}].place", text, found)
        for name in ("reputation", "kills", "wins", "matches"):
            if row[name] != getattr(own, name):
                return differs(PLACES, f"placings[{number}].{name}", row[name], getattr(own, name))
    return None


# Titles ---------------------------------------------------------------------------------------------------------------


def _titles(season: Season, document: Row) -> None:
    """Compare the champions of a finished season with its records or sudden deaths; refuse titles in any other season.

    It believes the document about who was absent from a sudden death.
    """
    if season.state != Season.State.FINISHED:
        for position, row in enumerate(document["titles"]):
            raise differs(PLACES, f"titles[{position}].kind", row["kind"], "–")
        return
    for kind in Title.Kind.values:
        rows = [(position, row) for position, row in enumerate(document["titles"]) if row["kind"] == kind]
        claims = {claim.key: claim for claim in claims_of(season, kind)}
        for position, row in rows:
            claim = claims.get(_holder(row))
            for name in ("reputation", "kills"):
                record = 0 if claim is None else getattr(claim, name)
                if row[name] != record:
                    raise differs(PLACES, f"titles[{position}].{name}", row[name], record)
        _title(season, kind, rows, claims)


def _holder(row: Row) -> str:
    """Return the key of a title's holder, in the form of Claim.key."""
    return ":".join([f"{row['stable']:02d}", *(row["asset"] or "").split(":")[1:]])


def _fought(season: Season, kind: str, tied: Sequence[str]) -> tuple[str, str] | None:
    """Return the winner of the newest match that counts between the tied, and its stand-in; None if none counts.

    The dead among the tied do not fight (Q-164), so the winner need only be one of them.
    """
    alive = {claim.key for claim in claims_of(season, kind) if claim.asset is None or claim.asset.died_at is None}
    for row in season.sudden_deaths.filter(kind=kind).select_related("match").order_by("-id"):
        if row.match is None or row.match.result is None:
            continue
        fights = {each["side"]: each["claim"] for each in row.contenders if each["side"]}
        winner = fights.get(row.match.result["winner"], "")
        fought = [each["claim"] for each in row.contenders]
        if holders_still(fought, [winner], [key for key in tied if key in alive]):
            return winner, stand_of_key(str(row.match.fixture_key))
    return None


def _title(season: Season, kind: str, rows: list[tuple[int, Row]], claims: Mapping[str, Claim]) -> None:
    tied = leaders(Record(claim.key, claim.reputation, claim.kills) for claim in claims.values())
    at = f"titles[{rows[0][0]}]" if rows else "titles"
    held = sorted(_holder(row) for _, row in rows)
    how = sorted({row["decided_by"] for _, row in rows})
    text = f"{', '.join(held) or '–'} ({', '.join(how)})"
    fought = _fought(season, kind, tied) if len(tied) > 1 else None
    if fought is not None:
        winner, match = fought
        if held != [winner] or how != [Title.Decision.SUDDEN_DEATH]:
            raise differs(PLACES, at, text, f"{winner} ({Title.Decision.SUDDEN_DEATH.value})")
        if rows[0][1]["match"] != match:
            raise differs(PLACES, f"{at}.match", rows[0][1]["match"], match)
        return
    for position, row in rows:
        if row["match"] is not None:
            raise differs(PLACES, f"titles[{position}].match", row["match"], "–")
    if len(tied) > 1:
        wanted = str(Title.Decision.APPEARANCE if len(held) == 1 else Title.Decision.SHARED)
        is_right = bool(held) and set(held) <= set(tied) and how == [wanted]
    else:
        wanted = parted_by([claims[name] for name in tied], list(claims.values()))
        is_right = held == list(tied) and how == ([wanted] if tied else [])
    if not is_right:
        raise differs(PLACES, at, text, f"{', '.join(tied) or '–'} ({wanted})")
