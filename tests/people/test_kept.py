"""What is kept about a person: every field that points at one has its words, and a place in the person's file."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from typing import Any

import pytest
from django.apps import apps
from django.contrib.sessions.models import Session
from django.db import connection, models
from django.test.utils import CaptureQueriesContext

from matches.models import MatchSeat
from people.models import Attempt, Notice, User
from people.services import accounts, kept
from stables.models import Stable, StableIdentity

pytestmark = [pytest.mark.django_db, pytest.mark.database]

PEOPLE = (User, Stable, StableIdentity, MatchSeat)
"""A person, and what belongs to one: a field that points at any of these is about somebody."""

BY_THEIR_FORM = (models.EmailField, models.GenericIPAddressField)
BY_THEIR_NAME = {"username", "user_agent", "ip_address", "email"}


def is_about_somebody(field: Any) -> bool:
    target = getattr(field.remote_field, "model", None) if field.is_relation else None
    return target in PEOPLE or isinstance(field, BY_THEIR_FORM) or field.name in BY_THEIR_NAME


def fields_about_people() -> Iterator[str]:
    """Yield every field that points at a person, holds an address, is of the account itself, or names nobody by a hash
    or a key alone.
    """
    for model in apps.get_models(include_auto_created=True):
        for field in (*model._meta.concrete_fields, *model._meta.many_to_many):
            # The table of a relation to many has rows of its own, which `include_auto_created` yields.
            if not field.many_to_many and (model is User or is_about_somebody(field)):
                yield f"{model._meta.label}.{field.name}"
    yield f"{Session._meta.label}.session_key"
    yield f"{Attempt._meta.label}.source"


FOUND = tuple(fields_about_people())


@pytest.mark.parametrize("field", FOUND)
def test_every_field_about_a_person_is_in_the_table(field: str) -> None:
    assert kept.kind_of(field) is not None, f"{field}: say in the room's module `kept` what it is for, and when it goes"


def test_the_table_names_no_field_that_is_not_there() -> None:
    written = {field for _, each in kept.kinds() for field in each.fields}
    known = {f"{model._meta.label}.{field.name}" for model in apps.get_models(include_auto_created=True)
             for field in model._meta.concrete_fields}  # fmt: skip
    labels = {name.rpartition(".")[0] for name in known}
    assert {name for name in written if name not in known and not (name.endswith("*") and name[:-2] in labels)} == set()


def test_no_field_stands_in_two_kinds() -> None:
    named = [field for _, each in kept.kinds() for field in each.fields]
    assert len(named) == len(set(named))


def test_every_kind_has_all_its_sentences_and_rows_or_a_reason() -> None:
    for room, each in kept.kinds():
        sentences = (each.name, each.what, each.who, each.until, each.goes)
        assert all(str(sentence).strip() for sentence in sentences), (room, each.key)
        assert (each.data is None) is bool(each.why_not), (room, each.key)


def test_a_field_of_no_kind_is_found() -> None:
    assert kept.kind_of("people.User.anything") is not None
    assert kept.kind_of("stables.Diary.user") is None


def test_the_walk_sees_relations_addresses_and_the_account_itself() -> None:
    for known in (
        "stables.Coming.stable",
        "axes.AccessAttempt.ip_address",
        "people.User.discord_id",
        "admin.LogEntry.user",
    ):
        assert known in FOUND


def test_a_room_cannot_name_a_kind_twice() -> None:
    one = kept.Kept("x", "", "", "", "", "")
    with pytest.raises(ValueError, match="twice"):
        kept.register("a room of a test", (one, one))
    assert "a room of a test" not in {room for room, _ in kept.kinds()}


def test_the_document_has_every_kind_and_cuts_long_lists(monkeypatch: pytest.MonkeyPatch) -> None:
    kai = accounts.create_account("Kai", "kai@example.org", "correct horse battery")
    accounts.notify([kai, kai, kai], "market_open", {"season": "x", "cycle": 1})
    whole = kept.copy_for(kai)
    assert whole.cut == ()
    for room, each in kept.kinds():
        if each.data is not None:
            assert each.key in (whole.document[room] if room else whole.document)
    monkeypatch.setattr(kept, "MOST_ROWS_OF_A_COPY", 2)
    cut = kept.copy_for(kai)
    assert cut.cut == ("notices",)
    assert cut.document["notices"] == whole.document["notices"][:2]


def test_the_account_in_the_file_has_every_field_but_the_secret_ones() -> None:
    kai = accounts.create_account("Kai", "kai@example.org", "correct horse battery")
    account = kept.own_data(kai)["account"]
    assert (account["name"], account["email"]) == ("Kai", "kai@example.org")
    assert isinstance(account["signed_up"], datetime)
    assert not {"password", "id"} & set(account)
    in_file = len(account) - len(("mails", "groups", "permissions")) + len(account["mails"])
    assert in_file == len(User._meta.concrete_fields) - len(("id", "password", "name_key"))


def test_the_queries_of_the_file_do_not_grow_with_the_rows() -> None:
    kai = accounts.create_account("Kai", "kai@example.org", "correct horse battery")
    with CaptureQueriesContext(connection) as few:
        kept.own_data(kai)
    Notice.objects.bulk_create([Notice(user=kai, code="market_open") for _ in range(30)])
    with CaptureQueriesContext(connection) as many:
        kept.own_data(kai)
    assert len(many) == len(few)
