"""Whoever has left is in no row any more, except where the table of what is kept says so, and why."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any
from unittest.mock import patch

import pytest
from axes.models import AccessAttempt, AccessFailureLog, AccessLog
from django.contrib.admin.models import LogEntry as Administration
from django.contrib.auth.models import Group, Permission
from django.contrib.contenttypes.models import ContentType
from django.db import connection, models
from django.test import Client

from catalogue.models import MiniaturePhoto, ShelfUnit
from challenge.models import Event, Key
from challenge.selectors.access import Access
from challenge.services.books import Wish, write
from ladder.models import LadderPlayer
from matches.models import AskedAdvice, MatchSeat, WriteUp
from people.models import KeptAnswer, PushSubscription, User, Wording
from people.services import accounts, kept, leaving
from people.services.tokens import make_token
from rules.challenge.book.rows import DEED
from stables.models import (
    CalendarFeed,
    Coming,
    ComingQuestion,
    Correction,
    ExternalSeat,
    FixtureSide,
    Passing,
    Result,
    Ruling,
    SavedLineUp,
    Season,
    SeasonRole,
    Stable,
    StandIn,
    TableMark,
    TablePin,
    WaitingPlace,
    Webhook,
)
from tests.people.test_kept import FOUND
from tests.web.roles import world as roles
from tests.worlds import Worlds

pytestmark = pytest.mark.django_db
PASSWORD = "secret words"
NOON = datetime(2030, 5, 1, 12, tzinfo=UTC)
NAME, ADDRESS, NEW_ADDRESS = "Quixotine-Zmarker", "quixotine@marker.example", "later@marker.example"
DISCORD, PLACE, BROWSER, KEY = "918273645546372819", "203.0.113.77", "Markerfox/9", "quixkey" + "q" * 36
roles_people = roles._people
STRINGS = (NAME, ADDRESS, NEW_ADDRESS, "Erstname", "Letztname", DISCORD, PLACE, BROWSER, KEY, "What Quix wrote")


@pytest.fixture
def quix(worlds: Worlds) -> User:
    """A person who has a row in every table that knows people, beside seasons that run and matches that wait."""
    made = worlds.enter("all roles, with a player of a rare name", _world_of_quix)
    person = made.people["player"]
    person.new_email, person.discord_id = NEW_ADDRESS, DISCORD
    person.first_name, person.last_name, person.last_login = "Erstname", "Letztname", NOON
    person.save()
    _everywhere(person, made)
    return User.objects.get(pk=person.pk)


def _world_of_quix() -> Any:
    """Build the world of all roles with a player whose name nothing else contains, so that each copy of it is found."""
    with patch.object(roles, "_people", _people):
        return roles._world()


def _people() -> dict[str, User]:
    people = roles_people()
    people["player"].username, people["player"].email = NAME, ADDRESS
    people["player"].save()
    return people


def _everywhere(person: User, made: Any) -> None:
    played, running = made.seasons["played"], made.seasons["running"]
    fixture = made.fixtures["played"]
    Season.objects.filter(pk=played.pk).update(organiser=person)
    SeasonRole.objects.filter(season=played).delete()
    SeasonRole.objects.create(season=made.seasons["recruiting"], user=person, role=SeasonRole.Role.REFEREE)
    CalendarFeed.objects.create(season=running, user=person, key=KEY)
    question = ComingQuestion.objects.create(season=running, at=NOON, asked_by=person)
    Coming.objects.create(question=question, stable=made.stable("running"), is_coming=True)
    StandIn.objects.create(stable=made.stable("running"), until=NOON, user=person, made_by=person, reason="x")
    FixtureSide.objects.filter(fixture=made.fixtures["browser"], side="red").update(stand_in=person)
    endpoint = f"https://push.example.org/{KEY}"
    PushSubscription.objects.create(user=person, endpoint=endpoint, public_key="x", secret="y")
    SavedLineUp.objects.create(stable=made.stable("running"), match_class="light", format="duel", document={})
    ExternalSeat.objects.create(stable=made.stable("running", "rival"), user=person)
    names = ("made_by", "old_owner", "new_owner")
    Passing.objects.create(stable=played.stables.order_by("pk")[0], reason="x", **dict.fromkeys(names, person))
    WaitingPlace.objects.create(season=made.seasons["recruiting"], user=person)
    Ruling.objects.create(fixture=fixture, document={}, reason="x", user=person)
    result = Result.objects.get(fixture=fixture)
    Correction.objects.create(result=result, number=9, kind="void", document={}, reason="x", user=person)
    uid = "0" * 8 + "-" + "-".join(["0" * 4] * 3) + "-" + "0" * 12
    TableMark.objects.create(fixture=fixture, side="red", uid=uid, mark={}, made_by=person, made_at=NOON)
    side = FixtureSide.objects.filter(fixture=fixture)[0]
    TablePin.objects.create(side=side, pin_hash="x", tries_left=1, made_by=person, made_at=NOON)
    Webhook.objects.update(made_by=person)
    Key.objects.update(user=person)
    Event.objects.update(owner=person)
    deed = {"what": "crowd", "by": "Jo", "table": "Factory", "turn": 1}
    write(Event.objects.get().pk, Access(is_gm=True, user_id=person.pk), [Wish("quix", DEED, deed)])
    figures = {"mean": 1, "deviation": 1, "matches": 1, "last_match_at": NOON}
    LadderPlayer.objects.update_or_create(user=person, defaults=figures)
    AskedAdvice.objects.create(match=made.friendly, side="red", sequence=1, user=person, document={})
    WriteUp.objects.create(subject="x", author=person, text="What Quix wrote of it.")
    ShelfUnit.objects.create(user=person, key="SOL002")
    MiniaturePhoto.objects.create(user=person, key="SOL002", name="Hellion", photo=b"a picture")
    person.groups.add(Group.objects.create(name="a group"))
    person.user_permissions.add(Permission.objects.all()[0])
    KeptAnswer.objects.create(user=person, key="k", request_hash="x", body=f'{{"name": "{NAME}"}}')
    Wording.objects.create(user=person, language="pl", text="x", proposal="What Quix wrote")
    accounts.notify([person], "email_changed", {"before": ADDRESS})
    make_token(user=person, name="A second program", scopes=["read"])
    for model in (AccessAttempt, AccessFailureLog, AccessLog):
        model.objects.create(username=NAME.lower(), ip_address=PLACE, user_agent=BROWSER,
                             **({"failures_since_start": 1} if model is AccessAttempt else {}))  # fmt: skip
    for model, key in ((User, person.pk), (AccessAttempt, 1)):
        kind = ContentType.objects.get_for_model(model)
        about = {"content_type": kind, "object_id": str(key), "object_repr": f"A row of {NAME}", "action_flag": 2}
        Administration.objects.create(user=person, **about)
    Client().force_login(person)


def cells() -> Iterator[tuple[str, str, str]]:
    """Yield every cell of the database as table, column, text."""
    with connection.cursor() as cursor:
        for table in connection.introspection.table_names(cursor):
            cursor.execute(f'SELECT * FROM "{table}"')  # noqa: S608 - the name of a table
            columns = [column[0] for column in cursor.description]
            for row in cursor.fetchall():
                for column, value in zip(columns, row, strict=True):
                    text = bytes(value).decode("utf-8", "replace") if isinstance(value, (bytes, memoryview)) else value
                    yield table, column, str(text)


def found_strings() -> dict[str, set[tuple[str, str]]]:
    """Return for each of the person's own strings the tables and columns that have it, in any case of letters."""
    found: dict[str, set[tuple[str, str]]] = {}
    for table, column, text in cells():
        lower = text.lower()
        for string in STRINGS:
            if string.lower() in lower:
                found.setdefault(string, set()).add((table, column))
    return found


def rows_of(field: str, person: User) -> int | None:
    """Return how many rows point at the person, or at a stable or seat of theirs, by a field; None for others."""
    label, _, name = field.rpartition(".")
    model = _model(label)
    known = model._meta.get_field(name) if model is not None else None
    if not isinstance(known, models.ForeignKey):
        return None
    target: Any = known.remote_field.model
    owned = {User: {name: person}, Stable: {f"{name}__owner": person}, MatchSeat: {f"{name}__user": person}}
    return model._base_manager.filter(**owned[target]).count() if target in owned else None


def _model(label: str) -> Any:
    from django.apps import apps

    return {each._meta.label: each for each in apps.get_models(include_auto_created=True)}.get(label)


def test_the_world_of_these_tests_has_the_person_everywhere(quix: User) -> None:
    assert {field for field in FOUND if rows_of(field, quix) == 0 and _points_at_people(field)} == set()
    assert set(found_strings()) == set(STRINGS)


def _points_at_people(field: str) -> bool:
    label, _, name = field.rpartition(".")
    model = _model(label)
    return getattr(model._meta.get_field(name).remote_field, "model", None) is User


def test_nothing_that_says_who_it_was_is_left_in_any_table(quix: User) -> None:
    leaving.leave(quix, PASSWORD, delete_texts=True)
    assert found_strings() == {}


def test_rows_that_still_point_at_the_nameless_row_are_those_that_the_table_says(quix: User) -> None:
    leaving.leave(quix, PASSWORD, delete_texts=True)
    left = {field for field in FOUND if rows_of(field, quix)}
    unsaid = {field for field in left if not (kept.kind_of(field) or kept.Kept(*[""] * 6)).stays}
    assert unsaid == set()
    assert "stables.LogEntry.actor" in left, "results and books stay"


def test_texts_that_may_stay_name_nobody(quix: User) -> None:
    taken_down = WriteUp.objects.create(subject="y", author=quix, text="Nobody reads this", taken_down_at=NOON)
    leaving.leave(quix, PASSWORD)
    assert found_strings() == {"What Quix wrote": {("matches_writeup", "text")}}
    assert not WriteUp.objects.filter(pk=taken_down.pk).exists()


def test_an_account_that_never_proved_its_address_leaves_as_well() -> None:
    fresh = accounts.create_account(NAME, ADDRESS, PASSWORD, is_proven=False)
    assert ADDRESS in found_strings()
    leaving.leave(fresh, PASSWORD)
    assert found_strings() == {}
    fresh.refresh_from_db()
    assert (fresh.new_email, fresh.new_email_since) == ("", None)


def test_a_guest_leaves_no_calendar_and_no_plan(worlds: Worlds) -> None:
    from people.services.guests import end_guest, make_guest

    made = worlds.enter("all roles", roles._world)
    guest = make_guest()
    CalendarFeed.objects.create(season=made.seasons["running"], user=guest, key=KEY)
    AskedAdvice.objects.create(match=made.friendly, side="red", sequence=1, user=guest, document={})
    accounts.notify([guest], "market_open", {"season": "x", "cycle": 1})
    name = guest.username
    end_guest(guest)
    left = {field for field in FOUND if rows_of(field, guest)}
    assert left == set()
    assert not [cell for cell in cells() if name in cell[2]]
