"""The tables of a document for the season itself, its plan, its stables and the people around it."""

from __future__ import annotations

from typing import Any

from django.db.models import QuerySet

from stables.documents import values
from stables.documents.columns import FULL, Column, Contents, Octets, Person, RecordSet, Ref, Several, columns
from stables.documents.names import Names
from stables.models import (
    Cycle,
    ExternalSeat,
    HandOver,
    Invitation,
    Round,
    Season,
    SeasonRole,
    SkippedCycle,
    Stable,
    StableIdentity,
)

NOT_ITS_ROWS = "what it belongs to names it"


def only_in_full(rows: QuerySet[Any], contents: Contents) -> QuerySet[Any]:
    """Return the rows for a full document, which only operators get, and no rows for any other."""
    return rows if contents == FULL else rows.none()


class SeenLog(Column):
    """The number of log entries that an owner has read; the database stores the id of the newest of them."""

    def write(self, row: Any, names: Names, contents: Contents) -> Any:
        return sum(pk <= row.seen_log for pk in names.all("log").values())

    def read(self, model_field: Any, value: Any, place: str, names: Names) -> Any:
        # The log is stored last; stables.documents.storing sets the id then.
        values.whole(value, place, 0, 2**31)
        return 0


SEASON = RecordSet(
    "season",
    Season,
    columns(
        "name",
        "slug",
        "state",
        "settings",
        "pending_settings",
        "calendar",
        "joining",
        "visibility",
        Column("page", absent=""),
        Column("language", absent=""),
        "paused_at",
        Octets("secret", hidden=None, longest=32),
        Person("organiser", later=True),
        "created_at",
    ),
    lambda season, contents: Season.objects.filter(pk=season.pk),
    left_out={
        "copied_from": "another season, which need not be where this one goes",
        "release": "stands in full as the document's catalogue",
        "closes_at": "a season that can be imported is over",
    },
)

IDENTITIES = RecordSet(
    "identities",
    StableIdentity,
    columns(
        Person("owner"),
        "name",
        "colour",
        "second_colour",
        "emblem",
        Several("rivals", table="identities"),
        "created_at",
    ),
    lambda season, contents: (
        StableIdentity.objects.filter(stables__season=season, stables__removed_at=None)
        .distinct()
        .prefetch_related("rivals")
        .order_by("id")
    ),
    numbered=True,
)

INVITATIONS = RecordSet(
    "invitations",
    Invitation,
    columns("most_uses", "created_at", "revoked_at"),
    lambda season, contents: only_in_full(season.invitations.order_by("id"), contents),
    numbered=True,
    left_out={"season": NOT_ITS_ROWS, "code": "a secret of those who have it; an imported invitation gets a new one"},
)

STABLES = RecordSet(
    "stables",
    Stable,
    columns(
        "number",
        "name",
        "slug",
        Person("owner"),
        "is_ai",
        "bot",
        "character",
        Ref("identity", table="identities"),
        Ref("invitation", hidden=None, table="invitations"),
        "joined_in_cycle",
        "left_in_cycle",
        "ready_for",
        Column("swapped_cycle", hidden=None),
        Column("swapped_round", hidden=None),
        "capital",
        "owed",
        Column("repair_priority", hidden=[]),
        SeenLog("seen_log", hidden=0),
        "founded_at",
    ),
    lambda season, contents: season.stables.order_by("number"),
    stand=lambda row: int(row["number"]),
    left_out={"season": NOT_ITS_ROWS, "removed_at": "a stable that was removed is in no document"},
)

SKIPPED_CYCLES = RecordSet(
    "skipped_cycles",
    SkippedCycle,
    columns(Ref("stable", table="stables"), "cycle_number"),
    lambda season, contents: SkippedCycle.objects.filter(stable__season=season).order_by(
        "stable__number", "cycle_number"
    ),
)

ROLES = RecordSet(
    "roles",
    SeasonRole,
    columns(Person("user"), "role"),
    lambda season, contents: season.roles.order_by("id"),
    left_out={"season": NOT_ITS_ROWS},
)

HAND_OVERS = RecordSet(
    "hand_overs",
    HandOver,
    columns(
        Ref("stable", table="stables"),
        "scope",
        "starts_at",
        "ends_at",
        "spending_limit",
        "ended_at",
        "summary_read_at",
    ),
    lambda season, contents: only_in_full(
        HandOver.objects.filter(stable__season=season).order_by("stable__number", "id"), contents
    ),
    numbered=True,
)

EXTERNAL_SEATS = RecordSet(
    "external_seats",
    ExternalSeat,
    columns(
        Ref("stable", table="stables"),
        Person("user"),
        Several("consents", table="stables"),
        "proposed_at",
        "agreed_at",
        "ended_at",
    ),
    lambda season, contents: (
        ExternalSeat.objects.filter(stable__season=season).prefetch_related("consents").order_by("stable__number", "id")
    ),
)

CYCLES = RecordSet(
    "cycles",
    Cycle,
    columns(
        "number",
        "format",
        "match_class",
        "state",
        "started_with",
        "rounds_planned",
        "market_closes_at",
        "placings_revision",
    ),
    lambda season, contents: season.cycles.order_by("number"),
    stand=lambda row: int(row["number"]),
    left_out={"season": NOT_ITS_ROWS},
)

ROUNDS = RecordSet(
    "rounds",
    Round,
    columns(
        Ref("cycle", table="cycles"),
        "number",
        "state",
        "line_ups_due_at",
        "play_due_at",
        "confirm_due_at",
    ),
    lambda season, contents: Round.objects.filter(cycle__season=season).order_by("cycle__number", "number"),
    stand=lambda row: f"{row['cycle']}/{row['number']}",
)


def hand_over_out(parameters: Any, names: Names, contents: Contents) -> Any:
    """Return the parameters of a ledger entry with the number of the hand-over under which the AI spent, if any.

    Documents that are not full leave the number out, because only the owner learns what the AI did in their absence.
    """
    if "hand_over" not in parameters:
        return parameters
    others = {key: value for key, value in parameters.items() if key != "hand_over"}
    return {**others, "hand_over": names.stand("hand_overs", parameters["hand_over"])} if contents == FULL else others


def hand_over_back(parameters: Any, names: Names, place: str) -> Any:
    """Return the parameters with the id of the hand-over that they name, if any.

    Raises Malformed (season_document_unknown_name).
    """
    if parameters.get("hand_over") is None:
        return parameters
    return {**parameters, "hand_over": names.pk("hand_overs", parameters["hand_over"], f"{place}.hand_over")}


def person_out(parameters: Any, names: Names, contents: Contents) -> Any:
    """Return the parameters of a log entry with a stand-in instead of the id of the account that they name, if any."""
    if not isinstance(parameters.get("person"), int):
        return parameters
    return {**parameters, "person": names.stand("people", parameters["person"])}


def person_back(parameters: Any, names: Names, place: str) -> Any:
    """Return the parameters with the id of the account that they name, if any.

    Raises Malformed (season_document_bad_value, season_document_unknown_name).
    """
    if parameters.get("person") is None:
        return parameters
    if not isinstance(parameters["person"], str):
        raise values.wrong_type(f"{place}.person", parameters["person"], "string")
    return {**parameters, "person": names.pk("people", parameters["person"], f"{place}.person")}
