"""Write-ups: who writes, changes, removes and takes down."""

from __future__ import annotations

from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from matches.models import Match, WriteUp
from matches.services.finished import write_ups
from people.models import Notice, User
from people.services.accounts import Limit
from stables.models import Fixture
from tests.markup import closed_up
from tests.matches.leagues import League, statuses
from tests.matches.pictures import PLACE, bomb, opened, picture, telling

pytestmark = pytest.mark.database


def form_of(name: str) -> str:
    return f"/matches/write-ups/of/{name}/"


def photo_file(content: bytes | None = None, name: str = "table.jpg") -> SimpleUploadedFile:
    return SimpleUploadedFile(name, picture() if content is None else content, "image/jpeg")


@pytest.fixture
def own(player: User) -> Client:
    client = Client()
    client.force_login(player)
    return client


@pytest.fixture
def over(waiting: Match) -> Match:
    """The match of `player` and `rival`, with a result."""
    result = {"winner": "red", "ended_by": "surrender", "tie_break": None, "rounds": 1, "sides": {}}
    Match.objects.filter(pk=waiting.pk).update(
        state=Match.State.FINISHED, result=result, finished_at="2030-01-01T00:00:00Z"
    )
    waiting.refresh_from_db()
    return waiting


def send(client: Client, match: Match, text: str = "Red won.\n\nWell played.", **fields: Any) -> Any:
    return client.post(form_of(str(match.public_id)), {"text": text, **fields})


@pytest.mark.django_db
def test_a_player_tells_and_everybody_reads(over: Match, own: Client, client: Client) -> None:
    address = over.get_absolute_url()
    assert "Write a report" in own.get(address).content.decode()
    assert "Write a report" not in client.get(address).content.decode()
    answer = send(own, over, "Red <b>won</b>.\r\n\r\nWell & good.\x00", photo=photo_file(), photo_told='"Dice" > all')
    assert (answer.status_code, answer["Location"]) == (302, f"{address}#write-ups")
    row = WriteUp.objects.get()
    assert (row.subject, row.text) == (str(over.public_id), "Red <b>won</b>.\n\nWell & good.")
    for reader in (client, own):
        shown = reader.get(address).content.decode()
        assert "<p>Red &lt;b&gt;won&lt;/b&gt;.</p>\n\n<p>Well &amp; good.</p>" in shown
        assert f'src="/matches/write-ups/{row.pk}/photo.jpg" alt="&quot;Dice&quot; &gt; all"' in shown
        assert "player" in shown
        assert str(row.created_at.year) in shown
    assert "Write a report" not in own.get(address).content.decode()


@pytest.mark.django_db
def test_the_photo_is_served_as_what_it_is(over: Match, own: Client, client: Client) -> None:
    send(own, over, photo=photo_file(telling(), "x.html"), photo_told="A table")
    row = WriteUp.objects.get()
    answer = client.get(f"/matches/write-ups/{row.pk}/photo.jpg")
    assert answer["Content-Type"] == "image/jpeg"
    assert answer["X-Content-Type-Options"] == "nosniff"
    assert "private" in answer["Cache-Control"]
    assert PLACE not in answer.content
    assert opened(answer.content).format == "JPEG"
    again = client.get(f"/matches/write-ups/{row.pk}/photo.jpg", headers={"if-none-match": answer["ETag"]})
    assert (again.status_code, again.content) == (304, b"")
    send(own, over, photo=photo_file(picture(10, 10)), photo_told="A table")
    assert client.get(f"/matches/write-ups/{row.pk}/photo.jpg")["ETag"] != answer["ETag"]


@pytest.mark.django_db
def test_an_author_changes_and_removes(over: Match, own: Client, client: Client) -> None:
    send(own, over, photo=photo_file(), photo_told="A table")
    row = WriteUp.objects.get()
    assert row.changed_at is None
    shown = own.get(form_of(str(over.public_id))).content.decode()
    assert "Well played." in shown
    assert 'value="A table"' in shown
    send(own, over, "Another text.", photo_told="A long table")
    row.refresh_from_db()
    assert (row.text, row.photo_told, row.photo is None) == ("Another text.", "A long table", False)
    assert row.changed_at is not None
    send(own, over, "Another text.", without_photo="yes")
    row.refresh_from_db()
    assert (row.photo, row.photo_told) == (None, "")
    assert client.get(f"/matches/write-ups/{row.pk}/photo.jpg").status_code == 404
    assert own.post(f"/matches/write-ups/{row.pk}/delete").status_code == 302
    assert not WriteUp.objects.exists()
    assert own.post(f"/matches/write-ups/{row.pk}/delete").status_code == 404


@pytest.mark.django_db
def test_nobody_touches_what_another_wrote(over: Match, own: Client, rival: User, client: Client) -> None:
    send(own, over)
    row = WriteUp.objects.get()
    assert client.post(f"/matches/write-ups/{row.pk}/delete").status_code == 302
    other = Client()
    other.force_login(rival)
    assert other.post(f"/matches/write-ups/{row.pk}/delete").status_code == 404
    assert other.post(f"/matches/write-ups/{row.pk}/take-down", {"reason": "x"}).status_code == 403
    send(other, over, "Blue was unlucky.")
    assert list(WriteUp.objects.values_list("text", flat=True)) == ["Red won.\n\nWell played.", "Blue was unlucky."]


@pytest.mark.django_db
def test_before_the_end_nobody_tells(waiting: Match, own: Client) -> None:
    assert own.get(form_of(str(waiting.public_id))).status_code == 409
    assert send(own, waiting).status_code == 409
    assert not WriteUp.objects.exists()
    assert "Write a report" not in own.get(waiting.get_absolute_url()).content.decode()


REFUSED: dict[str, tuple[dict[str, Any], str]] = {
    "no text": ({"text": " \n\x00"}, "needs some text"),
    "too long": ({"text": "x" * 6001}, "6000 characters"),
    "no words for the photo": ({"text": "x", "photo": "a photo"}, "what the photo shows"),
    "too many words for it": ({"text": "x", "photo": "a photo", "photo_told": "x" * 201}, "200 characters"),
    "no photo": ({"text": "x", "photo": "a text", "photo_told": "x"}, "cannot be read"),
    "a bomb": ({"text": "x", "photo": "a bomb", "photo_told": "x"}, "million pixels"),
    "a heavy photo": ({"text": "x", "photo": "a weight", "photo_told": "x"}, "20 MB"),
}


@pytest.mark.django_db
@pytest.mark.parametrize("case", REFUSED)
def test_what_is_refused_is_shown_and_what_was_typed_is_kept(case: str, over: Match, own: Client) -> None:
    fields, words = REFUSED[case]
    files = {"a photo": picture(), "a text": b"text", "a bomb": bomb(9000, 9000), "a weight": b"\0" * (2**23 + 1)}
    sent = {key: photo_file(files[value]) if key == "photo" else value for key, value in fields.items()}
    answer = own.post(form_of(str(over.public_id)), sent)
    assert answer.status_code == 400
    shown = answer.content.decode()
    assert words in shown
    if len(fields["text"]) < 9 and fields["text"].strip():
        assert f">\n{fields['text']}</textarea>" in shown
    assert not WriteUp.objects.exists()


@pytest.mark.django_db
def test_writing_is_limited(over: Match, own: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(write_ups, "WRITE_UPS", Limit("write_up", 2))
    assert [send(own, over, f"Text {number}").status_code for number in range(3)] == [302, 302, 429]
    assert WriteUp.objects.get().text == "Text 1"


@pytest.mark.django_db
@pytest.mark.parametrize("name", ["x", "fixture:0", "00000000-0000-4000-8000-000000000000", "season:1", "...", "%00"])
def test_there_is_nothing_to_tell_of_nothing(name: str, own: Client) -> None:
    assert own.get(form_of(name)).status_code == 404
    assert own.post(form_of(name), {"text": "x"}).status_code == 404


@pytest.mark.django_db
def test_a_write_up_that_is_not_there_is_not_found(own: Client) -> None:
    for number in (0, 7, 10**30):
        assert own.get(f"/matches/write-ups/{number}/photo.jpg").status_code == 404
        assert own.post(f"/matches/write-ups/{number}/delete").status_code == 404
        assert own.post(f"/matches/write-ups/{number}/take-down", {"reason": "x"}).status_code == 404


@pytest.mark.django_db
def test_a_request_beyond_all_measure_is_refused_before_it_is_read(over: Match, own: Client, settings: Any) -> None:
    settings.LARGEST_REQUEST = 1000
    answer = own.post(
        form_of(str(over.public_id)),
        {"text": "x", "photo": photo_file(b"\0" * 2000)},
        headers={"accept": "text/html"},
    )
    assert answer.status_code == 413
    assert "larger than this site takes" in answer.content.decode()
    assert not WriteUp.objects.exists()


@pytest.mark.django_db
def test_a_request_for_another_host_is_answered(client: Client, settings: Any) -> None:
    settings.ALLOWED_HOSTS = ["circuit.example"]
    assert client.get("/", headers={"host": "elsewhere.example"}).status_code == 400


# In a season ----------------------------------------------------------------------------------------------------------


@pytest.mark.django_db
def test_each_role_in_a_season(league: League) -> None:
    address = form_of(f"fixture:{league.fixture.pk}")
    assert statuses(league.clients, address) == {
        "anonymous": 302, "stranger": 403, "owner": 200, "rival": 200, "helper": 403, "referee": 403,
        "organiser": 403, "staff": 403,
    }  # fmt: skip
    league.close()
    assert league.clients["stranger"].get(address).status_code == 404
    answer = league.clients["owner"].post(address, {"text": "Ash was better."})
    assert answer["Location"] == f"{league.match.get_absolute_url()}#write-ups"
    # By its public id a match of a season is no second thing to tell of.
    assert league.clients["owner"].get(form_of(str(league.match.public_id))).status_code == 404
    for page in (league.match.get_absolute_url(), league.fixture_url):
        assert "Ash was better." in league.clients["rival"].get(page).content.decode()
        assert league.clients["stranger"].get(page).status_code == 404


@pytest.mark.django_db
def test_a_fixture_played_at_a_table_hears_of_on_its_page(league: League) -> None:
    Fixture.objects.filter(pk=league.fixture.pk).update(match=None)
    Match.objects.filter(pk=league.match.pk).update(fixture_key=None)
    owner = league.clients["owner"]
    assert "Write a report" in owner.get(league.fixture_url).content.decode()
    answer = owner.post(form_of(f"fixture:{league.fixture.pk}"), {"text": "At our table."})
    assert answer["Location"] == f"{league.fixture_url}#write-ups"
    assert "At our table." in league.clients["anonymous"].get(league.fixture_url).content.decode()
    # What is not settled has no result to tell of.
    WriteUp.objects.all().delete()
    Fixture.objects.filter(pk=league.fixture.pk).update(state=Fixture.State.SEALED)
    assert "Write a report" not in owner.get(league.fixture_url).content.decode()
    assert owner.post(form_of(f"fixture:{league.fixture.pk}"), {"text": "Too early."}).status_code == 409


@pytest.mark.django_db
def test_organisers_take_down_with_a_reason_that_the_author_reads(league: League) -> None:
    name = f"fixture:{league.fixture.pk}"
    league.clients["owner"].post(form_of(name), {"text": "Birch cheats.", "photo": photo_file(), "photo_told": "Proof"})
    row = WriteUp.objects.get()
    address, photo = f"/matches/write-ups/{row.pk}/take-down", f"/matches/write-ups/{row.pk}/photo.jpg"
    others = {role: client.post(address, {"reason": "x"}).status_code for role, client in league.clients.items()
              if role not in ("organiser", "helper")}  # fmt: skip
    assert others == {"anonymous": 302, "stranger": 403, "owner": 403, "rival": 403, "referee": 403, "staff": 403}
    assert league.clients["helper"].post(address, {"reason": " "}).status_code == 400
    assert league.clients["helper"].post(address, {"reason": "x" * 301}).status_code == 400
    row.refresh_from_db()
    assert row.taken_down_at is None
    assert league.clients["helper"].post(address, {"reason": "No insults, please."}).status_code == 302
    assert league.clients["organiser"].post(address, {"reason": "Another."}).status_code == 302
    page = league.match.get_absolute_url()
    for role, client in league.clients.items():
        shown = client.get(page).content.decode()
        assert ("Birch cheats." in shown) == (role == "owner"), role
        assert ("No insults, please." in shown) == (role == "owner"), role
        assert client.get(photo).status_code == (200 if role == "owner" else 404), role
    notice = Notice.objects.get(code="write_up_taken_down")
    assert notice.user == league.people["owner"]
    assert notice.parameters["reason"] == "No insults, please."
    # It stays down: neither changing it nor removing it makes room for another.
    assert league.clients["owner"].post(form_of(name), {"text": "Again."}).status_code == 409
    assert league.clients["owner"].post(f"/matches/write-ups/{row.pk}/delete").status_code == 302
    row.refresh_from_db()
    assert (row.text, row.photo) == ("", None)
    assert league.clients["owner"].post(form_of(name), {"text": "Again."}).status_code == 409


@pytest.mark.django_db
def test_staff_takes_down_what_hears_of_friendly_matches(over: Match, own: Client) -> None:
    send(own, over)
    staff = Client()
    staff.force_login(User.objects.create_superuser("staff", "staff@example.org", "secret words"))
    row = WriteUp.objects.get()
    assert "Take down" in staff.get(over.get_absolute_url()).content.decode()
    assert staff.post(f"/matches/write-ups/{row.pk}/take-down", {"reason": "Spam."}).status_code == 302
    row.refresh_from_db()
    assert row.taken_down_because == "Spam."
    assert Notice.objects.get().parameters["match"]


@pytest.mark.django_db
@pytest.mark.parametrize("is_gone", [True, False])
def test_what_somebody_wrote_who_left_stays_without_a_name(
    is_gone: bool, over: Match, own: Client, client: Client
) -> None:
    send(own, over)
    if is_gone:
        WriteUp.objects.update(author=None)
    else:
        User.objects.filter(username="player").update(left_at="2030-01-01T00:00:00Z", username="left-4711")
    shown = closed_up(client.get(over.get_absolute_url()).content.decode())
    assert "Well played." in shown
    assert "somebody who has left" in shown
    assert "left-4711</span>,<time" not in shown


@pytest.mark.django_db
def test_photos_are_not_read_for_the_page(over: Match, own: Client, django_assert_max_num_queries: Any) -> None:
    send(own, over, photo=photo_file(), photo_told="A table")
    with django_assert_max_num_queries(15) as queries:
        own.get(over.get_absolute_url())
    read = [query["sql"] for query in queries if "matches_writeup" in query["sql"]]
    assert read
    assert not [sql for sql in read if '"matches_writeup"."photo",' in sql]
