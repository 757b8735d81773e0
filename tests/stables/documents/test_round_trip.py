"""A season goes out as a document and comes in again: into an empty site, and beside itself with other ids."""

from __future__ import annotations

import io
import json
import re
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command
from django.test import Client
from django.urls import reverse

from matches.models import Match, WriteUp
from people.models import User
from rules.core.refusals import SeasonRefused
from stables.documents.checks import Looked
from stables.documents.columns import FULL, PUBLISHED, Contents
from stables.documents.document import KEYS
from stables.documents.reading import SeasonText
from stables.documents.storing import Imported, import_season
from stables.management.commands import import_season as importing
from stables.models import Asset, Fixture, Invitation, LedgerEntry, ReputationEntry, Season, Stable, StableIdentity
from stables.services.base.ledger import Movement, post, refold
from tests.nursery import Nursery
from tests.services.processes import environment
from tests.stables.documents.conftest import Played

pytestmark = pytest.mark.database

Export = Callable[[Season, Contents], bytes]

VERIFY = """
from django.core.management import call_command
from matches.models import Match
for match in Match.objects.all():
    call_command("verify_match", str(match.public_id))
"""


def imported(content: bytes, **options: Any) -> tuple[Season, Imported]:
    made = import_season(SeasonText.of(content), **options)
    return Season.objects.get(pk=made.season_id), made


def test_people_whose_names_differ_in_case_alone_come_in_on_every_database(played: Played) -> None:
    document = played.document()
    document["people"] += ["Kaj", "kaj", "Υλη", "υλη", "ΥΛΗ", "KAJ (2)"]
    season, _ = imported(json.dumps(document).encode(), slug="with-twins")
    names = [each.removeprefix(f"~{season.pk}:") for each in User.objects.values_list("username", flat=True)]
    assert {"Kaj", "kaj (2)", "Υλη", "υλη (2)", "ΥΛΗ (3)", "KAJ (2) (2)"} <= set(names)


def test_the_story_fills_every_table(played: Played) -> None:
    document = played.document()
    assert set(document) == set(KEYS)
    assert [name for name, rows in document.items() if isinstance(rows, list) and not rows] == []
    seats = [seat for match in document["matches"] for seat in match["seats"]]
    assert any(seat["user"] for seat in seats)
    assert any(seat["standing"] for seat in seats)
    assert any(write_up["photo"] for write_up in document["write_ups"])
    assert any("hand_over" in entry["parameters"] for entry in document["ledger"])
    assert any(asset["kind"] == "gear" for asset in document["assets"])
    cards = {card["asset"].split(":")[1] for card in document["crew_cards"]}
    assert cards == {"gear", "rally_card"}
    assert any(asset["assigned_to"] for asset in document["assets"])
    assert {row["source"] for row in document["results"]} == {"engine", "agreed"}
    assert "?1" in document["people"]
    assert {row["revision"] for row in document["placings"]} == {1, 2}


# Into an empty site ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("contents", [FULL, PUBLISHED])
def test_a_season_moves_to_an_empty_site(
    played: Played, migrated_site: Path, tmp_path: Path, contents: Contents
) -> None:
    site = tmp_path / "site"
    shutil.copytree(migrated_site, site)
    variables = environment(VAR_DIR=str(site), DEBUG="1", DJANGO_SETTINGS_MODULE="solaris_site.settings")
    sent, back = tmp_path / "sent.json", tmp_path / "back.json"
    sent.write_bytes(played.full if contents == FULL else played.published)
    with Nursery(variables, tmp_path) as nursery:
        nursery.run("manage.py", "load_catalogue")
        document = json.loads(nursery.run("manage.py", "import_season", str(sent), "--json"))
        assert document["imported"] is True
        assert document["matches"] == {"ok": len(played.document()["matches"]), "other_rules": 0}
        assert "0 differences" in nursery.run("manage.py", "check_ledger")
        assert nursery.run("-c", VERIFY).count(": ok,") == document["matches"]["ok"]
        options = ["--published"] if contents == PUBLISHED else []
        nursery.run("manage.py", "export_season", played.season.slug, str(back), *options)
    assert back.read_bytes() == sent.read_bytes()


# Beside itself --------------------------------------------------------------------------------------------------------


def without_what_must_differ(content: bytes) -> Any:
    """A document without what a second import of a season has of its own: its address, and ids of matches."""
    document = json.loads(content)
    del document["season"]["slug"]
    for match in document["matches"]:
        del match["public_id"]
    return document


def test_no_id_of_a_database_is_in_a_document(played: Played, export: Export) -> None:
    season, made = imported(played.full, slug="moved")
    assert made.has_new_match_ids
    assert season.pk != played.season.pk
    assert without_what_must_differ(export(season, FULL)) == without_what_must_differ(played.full)
    # Exported a third time the ids are others still.
    again, _ = imported(export(season, FULL), slug="moved-again")
    assert without_what_must_differ(export(again, FULL)) == without_what_must_differ(played.full)


def test_the_same_season_gives_the_same_bytes(played: Played, export: Export) -> None:
    assert export(played.season, FULL) == played.full
    assert export(played.season, PUBLISHED) == played.published


def test_a_season_that_was_published_is_published_the_same(played: Played, export: Export) -> None:
    season, _ = imported(played.published, slug="moved")
    assert without_what_must_differ(export(season, PUBLISHED)) == without_what_must_differ(played.published)
    assert bytes(season.secret) != bytes(played.season.secret)


def test_keys_of_books_name_the_rows_that_are_here(played: Played) -> None:
    season, _ = imported(played.full, slug="moved")
    keys = set(LedgerEntry.objects.filter(stable__season=season).values_list("idempotency_key", flat=True))
    bought = Asset.objects.filter(stable__season=season, purchases=1)
    assert bought
    assert {f"asset:{asset.pk}:buy:1" for asset in bought} <= keys
    first = season.stables.get(number=1)
    movement = Movement(1, "starting_capital", f"stable:{first.pk}:starting_capital")
    assert post(stable_id=first.pk, movements=[movement]).posted == ()
    for entry in ReputationEntry.objects.filter(stable__season=season):
        whose = f"stable:{entry.stable_id}" if entry.asset_id is None else f"asset:{entry.asset_id}"
        pattern = rf"fixture:{entry.fixture_id}(:correction:\d+)?:{whose}"
        assert re.fullmatch(pattern, entry.idempotency_key)
    assert refold(season_id=season.pk) == []
    matches = Match.objects.filter(fixture__round__cycle__season=season).select_related("fixture")
    assert {match.fixture_key for match in matches} == {f"fixture:{match.fixture.pk}" for match in matches}
    assert not matches.exclude(share_key=None)


def test_pages_of_an_imported_season_work(played: Played) -> None:
    season, _ = imported(played.published, slug="moved")
    client = Client()
    stable = season.stables.get(number=1)
    fixtures = Fixture.objects.filter(round__cycle__season=season)
    match = Match.objects.filter(fixture__in=fixtures)[0]
    addresses = [
        season.get_absolute_url(),
        stable.get_absolute_url(),
        stable.identity.get_absolute_url(),
        match.get_absolute_url(),
        reverse("stables:standings", args=[season.slug]),
        reverse("stables:log", args=[season.slug]),
        reverse("stables:pictures", args=[season.slug]),
        reverse("stables:news", args=[season.slug]),
        reverse("stables:champions"),
        *(reverse("stables:fixture", args=[season.slug, fixture.pk]) for fixture in fixtures),
    ]
    answers = {address: client.get(address) for address in addresses}
    assert {address: answer.status_code for address, answer in answers.items()} == dict.fromkeys(addresses, 200)
    champion = season.titles.get(kind="stable").stable.name
    assert champion in answers[reverse("stables:standings", args=["moved"])].content.decode()
    assert f"/seasons/{season.slug}/" in answers[reverse("stables:champions")].content.decode()
    write_up = WriteUp.objects.get(subject=f"fixture:{fixtures.get(reports=None, result__source='agreed').pk}")
    assert bytes(write_up.photo or b"").startswith(b"\xff\xd8\xff")


# People ---------------------------------------------------------------------------------------------------------------


def test_a_document_from_before_a_field_was_there_is_read_without_it(played: Played) -> None:
    document = played.document()
    for row in document["fixtures"]:
        del row["table_number"], row["excused_until"]
    season, _ = imported(json.dumps(document).encode(), slug="before")
    assert Fixture.objects.filter(round__cycle__season=season, table_number=None, excused_until=None).exists()


def test_nobody_here_gets_anything_by_having_a_name(played: Played) -> None:
    anna = User.objects.get(username="anna")
    before = anna.stables.count(), anna.stable_identities.count(), anna.match_seats.count(), anna.write_ups.count()
    season, made = imported(played.full, slug="moved")
    after = anna.stables.count(), anna.stable_identities.count(), anna.match_seats.count(), anna.write_ups.count()
    assert after == before
    assert made.matched == []
    owners = [stable.owner for stable in season.stables.exclude(owner=None).select_related("owner")]
    assert len(owners) == 3
    for owner in (*owners, season.organiser):
        assert owner is not None
        assert not owner.is_active
        assert not owner.has_usable_password()
        assert owner.left_at is not None


def test_accounts_of_the_same_names_are_taken_when_the_operator_says_so(played: Played) -> None:
    anna, ben = (User.objects.get(username=name) for name in ("anna", "ben"))
    User.objects.filter(pk=ben.pk).update(is_active=False)
    season, made = imported(played.full, slug="moved", match_people=True)
    assert "anna" in made.matched
    assert "ben" not in made.matched
    stable = Stable.objects.get(season=season, owner=anna)
    # The identity of that name is carried on, as it is here.
    assert stable.identity == StableIdentity.objects.get(owner=anna, name=stable.name)
    assert not Stable.objects.filter(season=season, owner=ben).exists()


def test_an_imported_invitation_has_a_code_of_its_own(played: Played) -> None:
    old = Invitation.objects.get(season=played.season)
    season, _ = imported(played.full, slug="moved")
    new = Invitation.objects.get(season=season)
    assert new.code != old.code
    assert old.code not in played.full.decode()
    assert season.stables.filter(invitation=new).count() == 3


# What is here already -------------------------------------------------------------------------------------------------


def test_a_season_that_is_here_is_refused(played: Played) -> None:
    with pytest.raises(SeasonRefused) as caught:
        imported(played.full)
    assert caught.value.code == "season_document_season_here"
    Season.objects.filter(pk=played.season.pk).update(slug="elsewhere")
    before = Season.objects.count()
    with pytest.raises(SeasonRefused) as caught:
        imported(played.full)
    assert caught.value.code == "season_document_match_here"
    assert Season.objects.count() == before


def test_what_the_database_refuses_leaves_nothing_behind(played: Played) -> None:
    document = played.document()
    # Two stables of one name: no check of the document, but the database's own.
    document["stables"][1]["name"] = document["stables"][0]["name"]
    before = (Season.objects.count(), User.objects.count(), Match.objects.count())
    with pytest.raises(SeasonRefused) as caught:
        imported(json.dumps(document).encode(), slug="moved")
    assert caught.value.code == "season_document_not_stored"
    assert (Season.objects.count(), User.objects.count(), Match.objects.count()) == before


# Commands -------------------------------------------------------------------------------------------------------------


def test_the_import_counts_one_match_as_one(db: None, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    looked = Looked({"name": "Own"}, FULL, {}, verified=1, other_rules=1)
    monkeypatch.setattr(importing, "import_season", lambda text, **options: Imported(1, "own", looked))
    path = tmp_path / "season.json"
    path.write_text("{}", encoding="utf-8")
    call_command("import_season", str(path), stdout=(out := io.StringIO()))
    assert "1 match replayed" in out.getvalue()
    assert "1 match recorded under other rules" in out.getvalue()


def test_the_commands_say_what_they_did(played: Played, tmp_path: Path) -> None:
    path, output = tmp_path / "season.json", io.StringIO()
    count = len(played.document()["matches"])
    call_command("export_season", str(played.season.pk), str(path), stdout=output)
    assert path.read_bytes() == played.full
    assert "SHA-256" in output.getvalue()
    assert f"matches {count}" in output.getvalue()
    call_command("export_season", played.season.slug, str(path), "--published", "--json", stdout=(out := io.StringIO()))
    assert json.loads(out.getvalue())["contents"] == PUBLISHED
    assert path.read_bytes() == played.published
    call_command("import_season", str(path), slug="moved", stdout=(out := io.StringIO()))
    assert "moved" in out.getvalue()
    assert f"{count} matches replayed, with every event as recorded." in out.getvalue()
    answer = io.StringIO()
    with pytest.raises(SystemExit):
        call_command("import_season", str(path), "--json", stdout=answer)
    assert json.loads(answer.getvalue())["code"] == "season_document_season_here"
