"""What a season that goes on tells, and what only its operator takes along."""

from __future__ import annotations

import io
import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.db import connection, transaction
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from jobs.services import run_pending
from matches.models import Match
from rules.core.refusals import Refused
from stables.documents.columns import FULL, PUBLISHED, REDACTED, Contents
from stables.documents.names import Names
from stables.documents.played import stands_of_matches, written_matches
from stables.documents.reading import SeasonText
from stables.documents.storing import import_season
from stables.models import Asset, Fixture, FixtureSide, Season
from stables.services.ai import owners
from stables.services.market import baskets
from tests.stables.documents.conftest import Played, exported
from tests.stables.documents.played_season import (
    called,
    decorate,
    open_played,
    play_first_round,
    play_on,
)
from tests.stables.tabletop_matches import person
from tests.worlds import taken_back

pytestmark = pytest.mark.database

Export = Callable[[Season, Contents], bytes]


@dataclass(frozen=True)
class Running:
    """A season whose second cycle is being played: one match is played in the browser, of another one side is in."""

    season: Season
    match: Match
    sealed: FixtureSide
    redacted: str
    full: str

    def document(self) -> Any:
        return json.loads(self.redacted)


@pytest.fixture(scope="module")
def running_once(django_db_blocker: Any, played_once: Played) -> Iterator[Running]:
    with django_db_blocker.unblock(), transaction.atomic():
        try:
            yield _running()
        finally:
            transaction.set_rollback(True)


@pytest.fixture
def running(db: None, running_once: Running) -> Iterator[Running]:
    with taken_back():
        yield running_once


def _running() -> Running:
    season = open_played("Summer Circuit")
    at_table = play_first_round(season)
    decorate(season, at_table)
    play_on(season, until=lambda now: called(now).exists())
    called(season).update(mode="browser")
    first, second = called(season).order_by("number")
    for side in first.sides.order_by("id"):
        if not hasattr(side, "line_up"):
            owners.prepare(stable_id=side.stable_id, fixture_id=first.pk)
    run_pending()
    first.refresh_from_db()
    match = first.match
    assert match is not None
    sealed = next((side for side in second.sides.order_by("id") if hasattr(side, "line_up")), None)
    if sealed is None:
        sealed = second.sides.order_by("id")[0]
        owners.prepare(stable_id=sealed.stable_id, fixture_id=second.pk)
    sealed = FixtureSide.objects.select_related("line_up", "fixture").get(pk=sealed.pk)
    assert sealed.fixture.state == Fixture.State.LINE_UPS
    assert not match.is_finished
    season = Season.objects.get(pk=season.pk)
    full = exported(season, FULL).decode()
    return Running(season, match, sealed, exported(season, REDACTED).decode(), full)


def test_a_running_match_tells_the_hash_of_its_seed_and_no_more(running: Running) -> None:
    match = next(row for row in running.document()["matches"] if row["public_id"] == str(running.match.public_id))
    assert match["seed_commitment"] == running.match.seed_commitment
    assert (match["seed"], match["setup"], match["steps"], match["result"]) == (None, None, [], None)
    # Their number would tell that somebody holds a rally card.
    assert match["last_sequence"] is None
    assert bytes(running.match.seed).hex() not in running.redacted
    assert bytes(running.match.seed).hex() in running.full
    # Nothing of its steps is anywhere: neither an event nor a hand.
    others = [row for row in running.document()["matches"] if row is not match and row["state"] == "finished"]
    assert others
    assert all(row["seed"] and row["steps"] for row in others)


def test_no_secret_of_the_season_is_shown(running: Running) -> None:
    secret = bytes(running.season.secret).hex()
    assert running.document()["season"]["secret"] is None
    assert secret not in running.redacted
    assert secret in running.full


def test_sealed_line_ups_are_not_shown(running: Running) -> None:
    document, whole = running.document(), json.loads(running.full)
    stands = {f"{row['round']}/{row['number']}" for row in document["fixtures"] if row["state"] == "line_ups"}
    assert stands
    for name, key in (("line_ups", "side"), ("crews", "line_up"), ("crew_cards", "crew")):
        rows = [row for row in document[name] if row[key].split(":")[0] in stands]
        assert rows == []
        assert [row for row in whole[name] if row[key].split(":")[0] in stands] or name == "crew_cards"


@pytest.mark.parametrize("contents", [REDACTED, PUBLISHED])
def test_hands_and_tokens_of_matches_without_a_replay_are_not_shown(
    running: Running, played: Played, contents: Contents
) -> None:
    document = running.document() if contents == REDACTED else played.document(PUBLISHED)
    over = {row["of"] for row in document["matches"] if row["state"] == "finished"}
    shown = [row["crew"].split(":")[0] for row in document["crew_cards"] if ":rally_card:" in row["asset"]]
    assert set(shown) <= over
    with_tokens = {row["side"].split(":")[0] for row in document["line_ups"] if row["tokens"]}
    assert with_tokens
    assert with_tokens <= over
    assert {row["side"].split(":")[0] for row in document["line_ups"]} - over


@pytest.mark.parametrize("contents", [REDACTED, PUBLISHED])
def test_what_is_one_persons_own_is_for_the_operator_alone(
    running: Running, played: Played, contents: Contents
) -> None:
    document = running.document() if contents == REDACTED else played.document(PUBLISHED)
    for name in ("invitations", "saved_line_ups", "baskets", "proposals", "marks", "reports", "hand_overs"):
        assert document[name] == [], name
    for stable in document["stables"]:
        assert (stable["repair_priority"], stable["seen_log"], stable["invitation"]) == ([], 0, None)
    assert not any("hand_over" in entry["parameters"] for entry in document["ledger"])
    assert not any(seat["standing"] for match in document["matches"] for seat in match["seats"])
    assert all(row["taken_down_at"] is None for row in document["write_ups"])
    text = json.dumps(document)
    assert "They cheated." not in text
    assert "@example.org" not in text


def test_a_full_document_has_them_and_no_address_or_password_of_people(played: Played) -> None:
    text = played.full.decode()
    assert "They cheated." in text
    assert "@" not in "".join(played.document()["people"])
    assert "example.org" not in text
    assert person("anna").password not in text


def test_an_undecided_sudden_death_is_not_shown(running: Running) -> None:
    running.season.sudden_deaths.update(decided_at=None)
    assert json.loads(exported(running.season, REDACTED))["sudden_deaths"] == []
    assert json.loads(exported(running.season, FULL))["sudden_deaths"] != []


@pytest.mark.parametrize(("which", "code"), [("redacted", "redacted"), ("full", "unfinished")])
def test_neither_document_of_a_season_that_goes_on_is_imported(running: Running, which: str, code: str) -> None:
    before = Season.objects.count()
    with pytest.raises(Refused) as caught:
        import_season(SeasonText(getattr(running, which)), slug="elsewhere")
    assert caught.value.code == f"season_document_{code}"
    assert Season.objects.count() == before


def test_a_basket_of_an_open_market_is_not_shown(db: None, export: Export) -> None:
    with taken_back():
        season = open_played("Autumn Circuit")
        stable = season.stables.get(owner=person("anna"))
        baskets.put_in(stable_id=stable.pk, kind="rally_card", key="R-001")
        assert b"R-001" in export(season, FULL).split(b'"baskets"')[1]
        assert json.loads(export(season, REDACTED))["baskets"] == []


@pytest.mark.parametrize("contents", [REDACTED, PUBLISHED])
def test_of_assets_nothing_hears_that_the_interface_hides_from_strangers(
    running: Running, played: Played, contents: Contents
) -> None:
    season = running.season if contents == REDACTED else played.season
    bearer = Asset.objects.filter(stable__season=season, kind="unit").order_by("id")[0]
    gear = Asset.objects.filter(stable__season=season, kind__in=("gear", "pilot"), sold_at=None).order_by("id")[0]
    Asset.objects.filter(pk=gear.pk).update(assigned_to=bearer, side="secondary")
    document = json.loads(exported(season, contents))
    own_names = {"key": "catalogue_key"}
    compared = set()
    for stable in season.stables.order_by("number"):
        address = reverse("api:assets", args=[season.slug, stable.slug])
        shown = Client().get(address, {"page_size": 100}).json()["results"]
        rows = {
            f"{row['kind']}:{row['catalogue_key']}:{row['serial']}": row
            for row in document["assets"]
            if row["stable"] == stable.number
        }
        assert shown
        for asset in shown:
            for name, value in asset.items():
                column = own_names.get(name, name)
                if column in rows[asset["code"]]:
                    compared.add(column)
                    if value is None:
                        assert not rows[asset["code"]][column], column
    assert {"assigned_to", "side", "price_paid", "damage"} <= compared
    assert json.loads(exported(season, FULL))["assets"] != document["assets"]


def test_a_match_that_begins_meanwhile_is_left_out_and_the_others_keep_their_steps(played: Played) -> None:
    stands = stands_of_matches(played.season)
    first = min(stands)
    known = {pk: stand for pk, stand in stands.items() if pk != first}
    whole = {row["of"]: row for row in played.document()["matches"]}
    rows = list(written_matches(played.season, Names(played.season.pk), FULL, known))
    assert {row["of"] for row in rows} == set(known.values())
    assert [row["steps"] for row in rows] == [whole[row["of"]]["steps"] for row in rows]


# Commands -------------------------------------------------------------------------------------------------------------


def test_the_shell_redacts_too_unless_it_is_asked_for_everything(running: Running, tmp_path: Path) -> None:
    path = tmp_path / "season.json"
    call_command("export_season", running.season.slug, str(path), stdout=(out := io.StringIO()))
    assert path.read_text(encoding="utf-8") == running.redacted
    assert "cannot be imported" in out.getvalue()
    call_command("export_season", running.season.slug, str(path), "--full", stdout=io.StringIO())
    assert path.read_text(encoding="utf-8") == running.full
    with pytest.raises(CommandError, match="season_document_unfinished"):
        call_command("import_season", str(path), slug="elsewhere", stdout=io.StringIO())
    with pytest.raises(CommandError, match="no season"):
        call_command("export_season", "nowhere", str(path), stdout=io.StringIO())


def test_a_document_that_cannot_be_written_leaves_the_older_one(running: Running, tmp_path: Path) -> None:
    path = tmp_path / "season.json"
    path.write_text("older", encoding="utf-8")
    Match.objects.filter(pk=running.match.pk).update(fixture_key=None)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("stables.documents.played.stands_of_matches", lambda season: 1 / 0)
        with pytest.raises(ZeroDivisionError):
            call_command("export_season", running.season.slug, str(path), stdout=io.StringIO())
    assert path.read_text(encoding="utf-8") == "older"
    assert [each.name for each in tmp_path.iterdir()] == ["season.json"]


# Over the interface ---------------------------------------------------------------------------------------------------


def address(season: Season) -> str:
    return reverse("api:season_export", args=[season.slug])


def downloaded(client: Client, season: Season) -> Any:
    answer = client.get(address(season))
    assert answer.status_code == 200
    assert answer.headers["Content-Type"] == "application/json"
    assert answer.headers["Content-Disposition"] == f'attachment; filename="{season.slug}.json"'
    return b"".join(answer.streaming_content)  # type: ignore[attr-defined]


def test_whoever_sees_the_season_downloads_the_same(running: Running, played: Played) -> None:
    for name in ("", "anna", "organiser", "stranger"):
        client = Client()
        if name:
            client.force_login(person(name))
        assert downloaded(client, running.season).decode() == running.redacted
        assert downloaded(client, played.season) == played.published


def test_who_has_the_document_already_hears_so(running: Running) -> None:
    client = Client()
    answer = client.get(address(running.season))
    assert b"".join(answer.streaming_content).decode() == running.redacted  # type: ignore[attr-defined]
    tag = answer.headers["ETag"]
    again = client.get(address(running.season), headers={"if-none-match": tag})
    assert (again.status_code, again.content, again.headers["ETag"]) == (304, b"", tag)
    Season.objects.filter(pk=running.season.pk).update(name="Another name")
    changed = client.get(address(running.season), headers={"if-none-match": tag})
    assert changed.status_code == 200
    assert changed.headers["ETag"] != tag


def test_a_downloaded_finished_season_can_be_imported(played: Played) -> None:
    made = import_season(SeasonText.of(downloaded(Client(), played.season)), slug="elsewhere")
    assert made.looked.verified == len(played.document()["matches"])


def test_who_may_not_see_the_season_finds_nothing(running: Running) -> None:
    Season.objects.filter(pk=running.season.pk).update(visibility="private")
    client = Client()
    assert client.get(address(running.season)).status_code == 404
    client.force_login(person("anna"))
    assert client.get(address(running.season)).status_code == 200


def test_nobody_imports_over_the_interface(played: Played) -> None:
    client = Client()
    client.force_login(person("organiser"))
    for method in (client.post, client.put):
        assert method(address(played.season), played.full, content_type="application/json").status_code in (403, 405)
    assert Season.objects.filter(slug=played.season.slug).count() == 1


def test_the_standings_lead_to_the_document(played: Played) -> None:
    page = Client().get(reverse("stables:standings", args=[played.season.slug])).content.decode()
    assert f'href="{address(played.season)}"' in page


@pytest.mark.parametrize("contents", [FULL, PUBLISHED])
def test_the_number_of_queries_does_not_grow_with_the_season(
    running: Running, played: Played, contents: Contents
) -> None:
    counts = []
    few = Match.objects.filter(fixture__round__cycle__season=running.season).count()
    many = Match.objects.filter(fixture__round__cycle__season=played.season).count()
    assert few < many
    for season in (running.season, played.season):
        with CaptureQueriesContext(
            connection,
        ) as queries:
            exported(season, contents)
        counts.append(len(queries))
    assert counts[0] == counts[1]
