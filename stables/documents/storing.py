"""Storing a season's document in this database: all of it or nothing, with its old times and keys."""

from __future__ import annotations

import secrets
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any
from uuid import uuid4

from django.contrib.auth import get_user_model
from django.contrib.auth.hashers import make_password
from django.db import DataError, IntegrityError, connection, models, transaction
from django.utils import timezone

from catalogue.services.releases import store_release
from matches.models import Match
from people.models import numbered_key
from people.services.leaving import ANONYMOUS_HOST
from rules.core.refusals import SeasonRefused
from stables.documents import checks
from stables.documents.columns import RecordSet, Row, Several
from stables.documents.document import AFTER_MATCHES, IN_MATCHES, TABLES, prefix
from stables.documents.names import Names
from stables.documents.plan import IDENTITIES, INVITATIONS, SEASON, STABLES
from stables.documents.played import TITLE, key_of
from stables.documents.reading import SeasonText
from stables.documents.refolding import require_same
from stables.documents.rows import Later, MatchRow, match_rows, read_rows
from stables.models import Fixture, Season, Stable, StableIdentity
from stables.models.season import new_secret
from stables.services.season.invitations import CODE_BYTES

MATCHES, SEATS, STANDING, STEPS = IN_MATCHES


@dataclass
class Imported:
    """A stored season: its id and address, the findings of the check, and the user names of the matched accounts.

    `unknown` counts the people who got an account that nobody can use. `has_new_match_ids` says that all its matches
    got new ids, because some ids were here already.
    """

    season_id: int
    slug: str
    looked: checks.Looked
    matched: list[str] = field(default_factory=list)
    unknown: int = 0
    has_new_match_ids: bool = False


def import_season(
    text: SeasonText,
    *,
    slug: str = "",
    match_people: bool = False,
    allow_other_rules: bool = False,
    on_match: checks.Progress = lambda number: None,
) -> Imported:
    """Check a document and store it, under another address if `slug` names one; nothing is stored if it is refused.

    With `match_people`, active accounts of the same name get the stables, seats and texts of the document's people; all
    other people get accounts that nobody can use. Matches recorded by other rules are refused unless
    `allow_other_rules`. Matches whose ids are here already are refused without a `slug`, and get new ids with one.
    `on_match` is called with the number of matches checked so far. Raises Malformed or SeasonRefused with codes that
    begin with season_document_.
    """
    looked = checks.look_at(text, on_match, allow_other_rules=allow_other_rules)
    try:
        with transaction.atomic():
            return _Import(text, looked, slug, match_people).run()
    except (IntegrityError, DataError, OverflowError) as problem:
        # The words of the database, quoted: they say to operators what no sentence of ours knows.
        raise SeasonRefused("season_document_not_stored", problem=str(problem)[:200]) from None


class _Import:
    """One import of a checked document. Call `run` in a transaction."""

    def __init__(self, text: SeasonText, looked: checks.Looked, slug: str, match_people: bool) -> None:
        self.text, self.document = text, text.values
        self.match_people = match_people
        self.names = Names(0)
        self.own_people: set[int] = set()
        self.result = Imported(0, slug or str(looked.season["slug"]), looked)
        self.is_renamed = bool(slug)

    def run(self) -> Imported:
        self._refuse_what_is_here()
        self._season()
        self._people()
        self._store_later(SEASON, [Later(self.result.season_id, self._organiser())])
        for table in TABLES:
            self._store_later(table, read_rows(table, self.document[table.name], self.names, self._store))
        for number, match in enumerate(match_rows(self.text.matches(), self.names)):
            self._match(match, number)
        for table in AFTER_MATCHES:
            self._store_later(table, read_rows(table, self.document[table.name], self.names, self._store))
        self._seen_logs()
        require_same(self.result.season_id, self.document)
        return self.result

    def _refuse_what_is_here(self) -> None:
        if Season.objects.filter(slug=self.result.slug).exists():
            raise SeasonRefused("season_document_season_here", slug=self.result.slug)
        ids = [match["public_id"] for match in self.text.matches()]
        known = Match.objects.filter(public_id__in=ids).values_list("public_id", flat=True).first()
        if known is not None and not self.is_renamed:
            raise SeasonRefused("season_document_match_here", match=str(known))
        self.result.has_new_match_ids = known is not None

    def _season(self) -> None:
        loaded = self.document["catalogue"]
        release = store_release(checks.read_catalogue(loaded), label=loaded["label"], is_offered=False)
        row = SEASON.read(self.document["season"], "season", 1, self.names)
        row |= {"slug": self.result.slug, "release_id": release.pk, "secret": row["secret"] or new_secret()}
        self.result.season_id = self.names.season_id = insert(Season, [row])[0]

    def _organiser(self) -> Row:
        return SEASON.read_later(self.document["season"], "season", self.names)

    def _people(self) -> None:
        """Name the accounts that stand for the people of the document, and make the missing ones.

        A new account belongs to nobody, and nobody can log in to it. It has the form of a deleted account, so every
        page shows it as a person who left.
        """
        wanted = list(self.document["people"])
        user_model = get_user_model()
        known: dict[str, int] = {}
        if self.match_people:
            here = user_model.objects.filter(username__in=wanted, is_active=True, is_guest=False, left_at=None)
            known = dict(here.values_list("username", "pk"))
        others = _each_once([name for name in wanted if name not in known])
        now = timezone.now()
        kinds = ("digest", "your_turn", "dates", "reports", "match_near", "messages", "organising")
        rows = [
            {
                "username": f"{prefix(self.result.season_id)}{username}",
                "name_key": numbered_key(f"{prefix(self.result.season_id)}{name}", number),
                "email": f"import-{secrets.token_hex(12)}@{ANONYMOUS_HOST}",
                "password": make_password(None),
                "is_active": False,
                "left_at": now,
                **{f"mail_{kind}": False for kind in kinds},
            }
            for number, (name, username) in enumerate(others.items(), 1)
        ]
        made = dict(zip(others, insert(user_model, rows), strict=True))
        for name, pk in {**known, **made}.items():
            self.names.add("people", pk, name)
        self.own_people = set(known.values())
        self.result.matched, self.result.unknown = sorted(known), len(made)

    def _store(self, table: RecordSet, rows: list[Row]) -> list[int]:
        has_season = any(each.name == "season" for each in table.model._meta.concrete_fields)
        for row in rows:
            if has_season:
                row["season_id"] = self.result.season_id
            if table is INVITATIONS:
                row["code"] = secrets.token_urlsafe(CODE_BYTES)
        if table is IDENTITIES:
            return self._identities(rows)
        return insert(table.model, rows)

    def _identities(self, rows: list[Row]) -> list[int]:
        """Store identities and return their ids; a matched account keeps its identity of the same name unchanged."""
        known = {
            (owner, name): pk
            for pk, owner, name in StableIdentity.objects.filter(owner__in=self.own_people).values_list(
                "pk", "owner_id", "name"
            )
        }
        fresh = [row for row in rows if (row["owner_id"], row["name"]) not in known]
        made = iter(insert(StableIdentity, fresh))
        return [known.get((row["owner_id"], row["name"])) or next(made) for row in rows]

    def _store_later(self, table: RecordSet, found: Iterable[Later]) -> None:
        """Store the later columns: fields that name rows stored after their own, and many-to-many fields."""
        listed = list(found)
        for column in table.later:
            model_field = table.field_of(column)
            if isinstance(column, Several):
                through = model_field.remote_field.through
                own, other = model_field.m2m_column_name(), model_field.m2m_reverse_name()
                pairs = [(each.pk, pk) for each in listed for pk in each.found[column.name]]
                kept = set(through.objects.filter(**{f"{own}__in": {pk for pk, _ in pairs}}).values_list(own, other))
                insert(through, [{own: pk, other: named} for pk, named in pairs if (pk, named) not in kept])
                continue
            changed = [each for each in listed if each.found[column.name] is not None]
            rows = [table.model(pk=each.pk, **{model_field.attname: each.found[column.name]}) for each in changed]
            if rows:
                table.model._base_manager.bulk_update(rows, [column.name], batch_size=200)

    def _match(self, match: MatchRow, number: int) -> None:
        of = str(match.of)
        row = {**match.stored, "fixture_key": key_of(of, self.names, f"matches[{number}].of")}
        if self.result.has_new_match_ids:
            row["public_id"] = uuid4()
        (pk,) = insert(Match, [row])
        self.names.add("matches", pk, of, f"matches[{number}].of")
        seats = insert(SEATS.model, [{**seat, "match_id": pk} for seat, _ in match.seats])
        answers = zip(seats, (standing for _, standing in match.seats), strict=True)
        insert(STANDING.model, [{**each, "seat_id": seat} for seat, standing in answers for each in standing])
        insert(STEPS.model, [{**step, "match_id": pk} for step in match.steps])
        if not of.startswith(TITLE):
            Fixture.objects.filter(pk=self.names.pk("fixtures", of, "")).update(match=pk)

    def _seen_logs(self) -> None:
        """Set how far owners have read the log: the id of the newest entry that they read."""
        entries = self.names.all("log")
        for row in self.document["stables"]:
            if row["seen_log"]:
                newest = entries.get(min(row["seen_log"], len(entries)), 0)
                Stable.objects.filter(pk=self.names.pk(STABLES.name, row["number"], "")).update(seen_log=newest)


def _each_once(names: Iterable[str]) -> dict[str, str]:
    """Return each name with one that differs from the others not in case alone, in any alphabet and on any database."""
    taken: set[str] = set()
    found = {}
    for name in names:
        tried, number = name, 1
        while tried.casefold() in taken:
            number += 1
            tried = f"{name} ({number})"
        taken.add(tried.casefold())
        found[name] = tried
    return found


def insert(model: type[models.Model], rows: Sequence[Row]) -> list[int]:
    """Insert rows unchanged, even times that Django would set itself, and return their ids in order.

    Fields that a row does not name get their defaults.
    """
    if not rows:
        return []
    fields: list[Any] = [each for each in model._meta.concrete_fields if not each.primary_key]
    made = [model(**row) for row in rows]
    size = max(1, min(500, connection.ops.bulk_batch_size(fields, made)))
    ids: list[int] = []
    manager: Any = model._base_manager
    for start in range(0, len(made), size):
        returned = manager._insert(
            made[start : start + size],
            fields=fields,
            returning_fields=[model._meta.pk],
            using=connection.alias,
            raw=True,
        )
        ids += [row[0] for row in returned]
    return ids
