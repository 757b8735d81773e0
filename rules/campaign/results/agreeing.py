"""Whether the reports of one match agree, field by field, between two stables or among more."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

CONFIRMS_AFTER = timedelta(hours=24)
"""The time to contradict a report, unless the calendar says otherwise. After it, silence confirms the report."""

REMINDERS = 2
"""How many reminders a silent owner gets, at equal distances in the time to contradict."""

Document = Mapping[str, Any]


@dataclass(frozen=True)
class Agreement:
    """What the reports come to: the report that holds, None while fields differ, and the paths of those fields.

    When they agree on a report that cannot be true, a caller puts the code of its problem in place of the paths.
    """

    report: dict[str, Any] | None
    differing: tuple[str, ...] = ()


def fields_of(report: Document) -> dict[str, Any]:
    """Return every field of a report by its path: "winner", "sides.red.tokens", "units.red-1.clicks"."""
    found: dict[str, Any] = {}
    for name, value in report.items():
        if isinstance(value, Mapping):
            found.update({f"{name}.{path}": inner for path, inner in fields_of(value).items()})
        else:
            found[name] = value
    return found


def _from_fields(fields: Mapping[str, Any]) -> dict[str, Any]:
    report: dict[str, Any] = {}
    for path, value in fields.items():
        *above, name = path.split(".")
        part = report
        for step in above:
            part = part.setdefault(step, {})
        part[name] = value
    return report


def agree(reports: Mapping[int, Document], owner_of_unit: Mapping[str, int], stables: int) -> Agreement:
    """Compare reports, by the number of the stable that made each, and return what they come to.

    `owner_of_unit` names the stable of each unit, and `stables` counts those of the match. Between two stables every
    field must be equal. Among more, an owner's report decides the fields of their own unit, and for every other field
    more than half of the reports must agree. A single report holds.
    """
    facts = {stable: fields_of(report) for stable, report in reports.items()}
    paths = list(dict.fromkeys(path for fields in facts.values() for path in fields))
    held: dict[str, Any] = {}
    differing = []
    for path in paths:
        by_stable = {stable: fields.get(path) for stable, fields in facts.items()}
        owner = owner_of_unit.get(path.split(".")[1]) if path.startswith("units.") else None
        if stables > 2 and owner in by_stable:
            held[path] = by_stable[owner]
            continue
        value, count = Counter(by_stable.values()).most_common(1)[0]
        needed = len(by_stable) if stables == 2 else len(by_stable) // 2 + 1
        if count < needed:
            differing.append(path)
        held[path] = value
    return Agreement(None if differing else _from_fields(held), tuple(differing))


def reminders_due(reported_at: datetime, confirmed_at: datetime, now: datetime) -> int:
    """Return how many reminders should have been sent by now, 0 to REMINDERS.

    One is due after a third of the time, the other after two thirds. Both are due when there is no time.
    """
    step = (confirmed_at - reported_at) / (REMINDERS + 1)
    if step <= timedelta(0):
        return REMINDERS
    return max(0, min(REMINDERS, (now - reported_at) // step))


def may_decide(office: str, takes_part: bool) -> bool:
    """Return whether a person with this office may decide a disputed result; a participant never may."""
    return office in ("organiser", "co_organiser", "referee") and not takes_part
