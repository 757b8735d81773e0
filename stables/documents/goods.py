"""The tables of a document for assets, fixtures, line-ups, baskets, and agreements on dates."""

from __future__ import annotations

from typing import Any

from django.db.models import F, Q

from matches.models import Match
from stables.documents import values
from stables.documents.columns import FULL, Column, Contents, RecordSet, Ref, Row, Several, Translated, columns
from stables.documents.names import Names
from stables.documents.plan import only_in_full
from stables.models import (
    Asset,
    Basket,
    Crew,
    CrewCard,
    Fixture,
    FixtureSide,
    LineUp,
    NoShowClaim,
    Proposal,
    SavedLineUp,
)

IN_ROUNDS = ("round__cycle__number", "round__number", "number")


def through(path: str) -> tuple[str, ...]:
    """Return the fields that sort rows by their fixtures; `path` is the lookup from a row to its fixture."""
    return tuple(f"{path}__{name}" for name in IN_ROUNDS)


FIXTURES = RecordSet(
    "fixtures",
    Fixture,
    columns(
        Ref("round", table="rounds"),
        "number",
        "kind",
        "state",
        "arena_key",
        "mode",
        "scheduled_at",
        "confirm_due_at",
        "reminders",
        Column("table_number", absent=None),
        Column("excused_until", absent=None),
    ),
    lambda season, contents: Fixture.objects.filter(round__cycle__season=season).order_by(*IN_ROUNDS),
    stand=lambda row: f"{row['round']}/{row['number']}",
    left_out={"match": "the match names its fixture"},
)


def side_of(row: Row) -> str:
    return f"{row['fixture']}:{row['stable']}"


SIDES = RecordSet(
    "sides",
    FixtureSide,
    columns(Ref("fixture", table="fixtures"), Ref("stable", table="stables"), "side", "forfeits"),
    lambda season, contents: FixtureSide.objects.filter(fixture__round__cycle__season=season).order_by(
        *through("fixture"), "id"
    ),
    stand=side_of,
    left_out={
        "taken_back": "a draft of its owner, who hands in another line-up",
        "stand_in": "an account of this site, until the match is over",
    },
)

ASSETS = RecordSet(
    "assets",
    Asset,
    columns(
        Ref("stable", table="stables"),
        "kind",
        "catalogue_key",
        "content_hash",
        "name",
        "serial",
        "price_paid",
        "purchases",
        "damage",
        "is_eliminated",
        "sits_out_cycle",
        "sits_out_round",
        "bought_at",
        "sold_at",
        "died_at",
        # The owner alone knows which gear waits on which unit, even in a finished season, as in the API.
        Ref("assigned_to", hidden=None, later=True, table="assets"),
        Column("side", hidden=""),
    ),
    lambda season, contents: Asset.objects.filter(stable__season=season).order_by("stable__number", "id"),
    stand=lambda row: f"{row['stable']}:{row['kind']}:{row['catalogue_key']}:{row['serial']}",
)

# A line-up is shown once all line-ups of its match are in; hands and tokens only after a match of the engine is over.
SHOWN = ~Q(side__fixture__state=Fixture.State.LINE_UPS)


class Tokens(Column):
    """The target tokens of a line-up; [] in a document that is not full unless the match is finished."""

    def write(self, row: Any, names: Names, contents: Contents) -> Any:
        return row.tokens if contents == FULL or row.match_state in Match.OVER else []


LINE_UPS = RecordSet(
    "line_ups",
    LineUp,
    columns(Ref("side", table="sides"), Tokens("tokens"), "source", "sealed_at"),
    lambda season, contents: (
        LineUp.objects.filter(Q() if contents == FULL else SHOWN, side__fixture__round__cycle__season=season)
        .annotate(match_state=F("side__fixture__match__state"))
        .order_by(*through("side__fixture"), "side_id")
    ),
    stand=lambda row: str(row["side"]),
)

CREWS = RecordSet(
    "crews",
    Crew,
    columns(
        Ref("line_up", table="line_ups"),
        "position",
        Ref("unit", table="assets"),
        Ref("pilot", table="assets"),
        "damage",
    ),
    lambda season, contents: Crew.objects.filter(
        Q() if contents == FULL else ~Q(line_up__side__fixture__state=Fixture.State.LINE_UPS),
        line_up__side__fixture__round__cycle__season=season,
    ).order_by(*through("line_up__side__fixture"), "line_up__side_id", "position"),
    stand=lambda row: f"{row['line_up']}:{row['position']}",
)

IN_FIXTURE = "crew__line_up__side__fixture"
CREW_CARDS = RecordSet(
    "crew_cards",
    CrewCard,
    columns(Ref("crew", table="crews"), Ref("asset", table="assets"), "side"),
    lambda season, contents: CrewCard.objects.filter(
        Q()
        if contents == FULL
        else ~Q(**{f"{IN_FIXTURE}__state": Fixture.State.LINE_UPS})
        & (~Q(asset__kind=Asset.Kind.RALLY_CARD) | Q(**{f"{IN_FIXTURE}__match__state__in": Match.OVER})),
        **{f"{IN_FIXTURE}__round__cycle__season": season},
    ).order_by(*through(IN_FIXTURE), "crew__line_up__side_id", "crew__position", "id"),
)


def saved_out(document: Any, names: Names, contents: Contents) -> Any:
    """Return a saved line-up with stand-ins of assets instead of ids; None for an asset that no longer exists."""

    def asset(pk: Any) -> Any:
        return names.stand("assets", pk)

    crews = [
        {
            **crew,
            "unit": asset(crew["unit"]),
            "pilot": asset(crew["pilot"]),
            "gear": None if crew["gear"] is None else [asset(pk) for pk in crew["gear"]],
            "hand": [asset(pk) for pk in crew["hand"]],
        }
        for crew in document["crews"]
    ]
    return {**document, "crews": crews}


def saved_back(document: Any, names: Names, place: str) -> Any:
    """Return a saved line-up with ids of assets.

    Raises Malformed (season_document_bad_value, season_document_unknown_name).
    """

    def asset(stand: Any) -> Any:
        return None if stand is None else names.pk("assets", stand, place)

    try:
        crews = [
            {
                "unit": asset(crew["unit"]),
                "pilot": asset(crew["pilot"]),
                "gear": None if crew["gear"] is None else [asset(stand) for stand in crew["gear"]],
                "hand": [asset(stand) for stand in crew["hand"]],
            }
            for crew in document["crews"]
        ]
        return {"crews": crews, "tokens": [values.text(key, place, 40) for key in document["tokens"]]}
    except (KeyError, TypeError):
        raise values.wrong_format(place, document) from None


SAVED_LINE_UPS = RecordSet(
    "saved_line_ups",
    SavedLineUp,
    columns(
        Ref("stable", table="stables"),
        "match_class",
        "format",
        Translated("document", out=saved_out, back=saved_back),
        "saved_at",
    ),
    lambda season, contents: only_in_full(
        SavedLineUp.objects.filter(stable__season=season).order_by("stable__number", "id"), contents
    ),
)

BASKETS = RecordSet(
    "baskets",
    Basket,
    columns(
        Ref("stable", table="stables"),
        Ref("cycle", table="cycles"),
        "lines",
        "sealed_at",
        "filled_at",
        "outcome",
    ),
    lambda season, contents: only_in_full(
        Basket.objects.filter(cycle__season=season).order_by("cycle__number", "stable__number"), contents
    ),
)

PROPOSALS = RecordSet(
    "proposals",
    Proposal,
    columns(
        Ref("fixture", table="fixtures"),
        Ref("stable", table="stables"),
        "mode",
        "at",
        "state",
        Several("accepted_by", table="stables"),
        "created_at",
    ),
    lambda season, contents: only_in_full(
        Proposal.objects.filter(fixture__round__cycle__season=season)
        .prefetch_related("accepted_by")
        .order_by(*through("fixture"), "id"),
        contents,
    ),
)

NO_SHOWS = RecordSet(
    "no_shows",
    NoShowClaim,
    columns(
        Ref("fixture", table="fixtures"),
        Ref("claimant", table="stables"),
        Ref("absent", table="stables"),
        "state",
        "new_date",
        "created_at",
        "decided_at",
    ),
    lambda season, contents: NoShowClaim.objects.filter(fixture__round__cycle__season=season).order_by(
        *through("fixture")
    ),
)
