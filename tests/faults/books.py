"""Everything that a season wrote, free of database ids and times, so that two seasons of one seed can be compared.

It reads every table of the seasons by itself, so a new table is compared as soon as it is there.
"""

from __future__ import annotations

import json
from collections import Counter
from typing import Any

from django.apps import apps
from django.db import models

from matches.models import Match
from stables.models import Asset, Crew, Cycle, Fixture, FixtureSide, LineUp, Round, Season, Stable
from stables.selectors.season_report import season_report

NOT_COMPARED = {"idempotency_key", "woken_at", "slug", "secret"}
"""Fields that carry ids or are drawn anew for each season; the keys are unique in the database itself."""

Row = dict[str, Any]


def path_to_season(model: type[models.Model], depth: int = 4) -> str | None:
    """How a query of the model names its season ("round__cycle__season"), the shortest way; None when it has none."""
    ways = [("", model)]
    for _ in range(depth):
        longer = []
        for way, at in ways:
            for field in at._meta.concrete_fields:
                if not isinstance(field, models.ForeignKey) or field.related_model._meta.app_label != "stables":
                    continue
                if field.related_model is at:
                    continue
                if field.related_model is Season:
                    return f"{way}{field.name}"
                longer.append((f"{way}{field.name}__", field.related_model))
        ways = longer
    return None


def name_of(row: Any) -> Any:
    """What stands for a row that another one points to."""
    if isinstance(row, Stable | Cycle):
        return row.number
    if isinstance(row, Asset):
        return [row.stable.number, row.code]
    if isinstance(row, Round):
        return [row.cycle.number, row.number]
    if isinstance(row, Fixture):
        return [*name_of(row.round), row.number]
    if isinstance(row, FixtureSide):
        return [*name_of(row.fixture), row.stable.number]
    if isinstance(row, LineUp):
        return name_of(row.side)
    if isinstance(row, Crew):
        return [*name_of(row.line_up), row.position]
    if isinstance(row, Match):
        return [row.state, row.last_sequence, row.seed_commitment, row.result]
    if isinstance(row, Season):
        return "season"
    return row_of(row) if row._meta.app_label == "stables" else str(row)


def row_of(row: models.Model) -> Row:
    """A row's own fields; of times only whether there is one."""
    fields: Row = {}
    for field in row._meta.concrete_fields:
        if field.primary_key or field.name in NOT_COMPARED:
            continue
        if isinstance(field, models.ForeignKey):
            other = getattr(row, field.name)
            fields[field.name] = None if other is None else name_of(other)
        elif isinstance(field, models.DateTimeField):
            fields[field.name] = getattr(row, field.name) is not None
        else:
            fields[field.name] = getattr(row, field.name)
    return fields


def books_of(season: Season) -> dict[str, Any]:
    """The season's report and, for each table, its rows as texts in order."""
    tables = {}
    for model in apps.get_app_config("stables").get_models():
        way = path_to_season(model)
        if way is None:
            continue
        relations = [field.name for field in model._meta.concrete_fields if isinstance(field, models.ForeignKey)]
        rows = model._default_manager.filter(**{way: season}).select_related(*relations)
        tables[model.__name__] = sorted(json.dumps(row_of(row), sort_keys=True, default=str) for row in rows)
    report = {key: value for key, value in season_report(season).items() if key != "season"}
    return {"report": report, "tables": tables}


def differences(found: dict[str, Any], expected: dict[str, Any], most: int = 5) -> list[str]:
    """What one season has and the other has not, by table; empty when they are equal."""
    lines = []
    for part in sorted(set(found["report"]) | set(expected["report"])):
        if found["report"].get(part) != expected["report"].get(part):
            lines.append(f"report: {part} differs")
    for table in sorted(set(found["tables"]) | set(expected["tables"])):
        here, there = Counter(found["tables"].get(table, [])), Counter(expected["tables"].get(table, []))
        lines += [f"{table}: too much: {row}" for row in list((here - there).elements())[:most]]
        lines += [f"{table}: missing: {row}" for row in list((there - here).elements())[:most]]
    return lines
