"""Lines of the season's log in words."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from django.contrib.auth import get_user_model
from django.db.models import BigIntegerField, JSONField, OuterRef, QuerySet, Subquery
from django.db.models.fields.json import KeyTextTransform
from django.db.models.functions import Cast, JSONObject

from stables.models import LogEntry, Season
from stables.text.log import log_sentence

NEWEST = 8


@dataclass(frozen=True)
class Line:
    """An entry with its sentence in the reader's language."""

    entry: LogEntry
    sentence: str


def with_people(entries: QuerySet[LogEntry]) -> QuerySet[LogEntry]:
    """Return the entries, each annotated with the account that its parameter `person` names; no further query.

    An entry stores only the account's id: an entry never changes, but the name must go when the account does.
    """
    number = Cast(KeyTextTransform("person", OuterRef("parameters")), BigIntegerField())
    people = get_user_model().objects.filter(pk=number)
    named: Any = JSONObject(username="username", left_at="left_at")
    return entries.annotate(person=Subquery(people.values(account=named)[:1], output_field=JSONField()))


def worded(entries: Iterable[LogEntry]) -> list[Line]:
    """Return the entries as lines, in their order. Take entries from `with_people`: they have the accounts' names."""
    return [Line(entry, log_sentence(entry.code, named_parameters(entry))) for entry in entries]


def named_parameters(entry: LogEntry) -> dict[str, Any]:
    """Return the parameters of an entry of `with_people`, with the account's name under "person" instead of its id."""
    known, parameters = getattr(entry, "person", None), entry.parameters
    if known:
        return {**parameters, "person": get_user_model()(**known).get_username()}
    # Old lines hold the name itself.
    old = parameters.get("name", parameters.get("program"))
    return parameters if old is None or "person" in parameters else {**parameters, "person": old}


def newest_lines(season: Season) -> list[Line]:
    """Return the NEWEST lines of a season's log, the newest first; one query."""
    return worded(with_people(LogEntry.objects.filter(season=season).order_by("-id"))[:NEWEST])
