"""The tables of a document for reports and results of fixtures, and for ledger, reputation, places, titles and log."""

from __future__ import annotations

from django.db.models import Q

from stables.documents.columns import REDACTED, Key, Person, RecordSet, Ref, Translated, columns
from stables.documents.goods import through
from stables.documents.plan import NOT_ITS_ROWS, hand_over_back, hand_over_out, only_in_full, person_back, person_out
from stables.models import (
    Correction,
    LedgerEntry,
    LogEntry,
    Placing,
    Report,
    ReputationEntry,
    Result,
    Ruling,
    SuddenDeath,
    TableMark,
    Title,
)

MARKS = RecordSet(
    "marks",
    TableMark,
    columns(Ref("fixture", table="fixtures"), "side", "uid", "mark", Person("made_by"), "made_at", "received_at"),
    lambda season, contents: only_in_full(
        TableMark.objects.filter(fixture__round__cycle__season=season).order_by(*through("fixture"), "id"), contents
    ),
)

REPORTS = RecordSet(
    "reports",
    Report,
    columns(
        Ref("fixture", table="fixtures"),
        Ref("stable", table="stables"),
        "number",
        "document",
        Person("user"),
        "created_at",
    ),
    lambda season, contents: only_in_full(
        Report.objects.filter(fixture__round__cycle__season=season).order_by(*through("fixture"), "id"), contents
    ),
)

RULINGS = RecordSet(
    "rulings",
    Ruling,
    columns(Ref("fixture", table="fixtures"), "document", "reason", Person("user"), "created_at"),
    lambda season, contents: Ruling.objects.filter(fixture__round__cycle__season=season).order_by(*through("fixture")),
)

RESULTS = RecordSet(
    "results",
    Result,
    columns(Ref("fixture", table="fixtures"), "document", "source", "settled_at"),
    lambda season, contents: Result.objects.filter(fixture__round__cycle__season=season).order_by("id"),
    stand=lambda row: str(row["fixture"]),
)

CORRECTIONS = RecordSet(
    "corrections",
    Correction,
    columns(
        Ref("result", table="results"),
        "number",
        "kind",
        "document",
        "effects",
        "reason",
        Person("user"),
        "created_at",
    ),
    lambda season, contents: Correction.objects.filter(result__fixture__round__cycle__season=season).order_by(
        "result_id", "number"
    ),
)

LEDGER = RecordSet(
    "ledger",
    LedgerEntry,
    columns(
        Ref("stable", table="stables"),
        "sequence",
        "amount",
        "balance_after",
        "cause",
        Translated("parameters", out=hand_over_out, back=hand_over_back),
        Key("idempotency_key"),
        "created_at",
    ),
    lambda season, contents: LedgerEntry.objects.filter(stable__season=season, stable__removed_at=None).order_by(
        "stable__number", "sequence"
    ),
)

REPUTATION = RecordSet(
    "reputation",
    ReputationEntry,
    columns(
        Ref("stable", table="stables"),
        Ref("asset", table="assets"),
        Ref("cycle", table="cycles"),
        Ref("fixture", table="fixtures"),
        "amount",
        "kills",
        "wins",
        "matches",
        "cause",
        Key("idempotency_key"),
        "created_at",
    ),
    lambda season, contents: ReputationEntry.objects.filter(stable__season=season).order_by("id"),
)

PLACINGS = RecordSet(
    "placings",
    Placing,
    columns(
        Ref("cycle", table="cycles"),
        Ref("stable", table="stables"),
        "place",
        "reputation",
        "kills",
        "wins",
        "matches",
        "decided_by",
        "purse",
        "revision",
    ),
    lambda season, contents: Placing.objects.filter(cycle__season=season).order_by(
        "cycle__number", "revision", "place"
    ),
)

TITLES = RecordSet(
    "titles",
    Title,
    columns(
        "kind",
        Ref("stable", table="stables"),
        Ref("asset", table="assets"),
        "reputation",
        "kills",
        "decided_by",
        Ref("match", table="matches"),
    ),
    lambda season, contents: season.titles.order_by("id"),
    left_out={"season": NOT_ITS_ROWS},
)

SUDDEN_DEATHS = RecordSet(
    "sudden_deaths",
    SuddenDeath,
    columns(
        "kind",
        "contenders",
        "appeared",
        "due_at",
        "extended",
        Ref("match", table="matches"),
        "decided_at",
    ),
    # The fighter of a tied stable stays secret until the title is decided.
    lambda season, contents: season.sudden_deaths.filter(
        Q(decided_at__isnull=False) if contents == REDACTED else Q()
    ).order_by("id"),
    left_out={
        "season": NOT_ITS_ROWS,
        "holders": "the titles name them once the season is over",
        "decided_by": "the titles say it once the season is over",
    },
)

LOG = RecordSet(
    "log",
    LogEntry,
    columns(
        Ref("cycle", table="cycles"),
        Ref("fixture", table="fixtures"),
        "code",
        Translated("parameters", out=person_out, back=person_back),
        Person("actor"),
        "created_at",
    ),
    lambda season, contents: LogEntry.objects.filter(season=season).order_by("id"),
    numbered=True,
    left_out={"season": NOT_ITS_ROWS},
)
