"""The ladder's page and its list for programs: who is shown, as what, in which order; and nobody else."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from django.test import Client
from django.utils.html import strip_tags

from jobs.services import run_pending
from ladder import views
from ladder.models import LadderPlayer
from ladder.selectors import ladder
from matches.text.match import bot_name
from people.models import User
from rules import RULES_VERSION
from rules.bots import BOT_NAMES
from rules.measuring.ladder import REPORT
from tests.ladder.conftest import Finish

pytestmark = pytest.mark.django_db


def show(user: User, wish: str = User.Ladder.PERSON) -> None:
    User.objects.filter(pk=user.pk).update(ladder=wish)


def page(client: Client) -> str:
    answer = client.get("/ladder/")
    assert answer.status_code == 200
    return str(answer.content.decode())


def rows(client: Client) -> list[list[str]]:
    """Place, name, kind, rating, at least, matches, last match of each line of the page."""
    body = re.findall(r"<tr>(.*?)</tr>", page(client).partition("<tbody>")[2], re.DOTALL)
    cells = [re.findall(r"<t[dh].*?</t[dh]>", row, re.DOTALL) for row in body]
    return [[" ".join(strip_tags(cell).split()) for cell in row] for row in cells]


def listed(client: Client, **asked: Any) -> list[dict[str, Any]]:
    answer = client.get("/api/v1/ladder/", asked)
    assert answer.status_code == 200, answer.content
    found: list[dict[str, Any]] = answer.json()["results"]
    return found


@pytest.fixture
def played(finish: Finish, people: dict[str, User]) -> None:
    finish(people["anna"], "greedy")
    finish(people["anna"], people["ben"])
    finish("greedy", people["carla"])
    run_pending()


def test_before_the_first_match_it_says_so(client: Client) -> None:
    assert "Nobody yet" in page(client)
    assert listed(client) == []


def test_before_the_first_match_it_tells_how_the_bots_stand_among_themselves(client: Client) -> None:
    """As docs/ladder.md has it, and as figures of the house: nothing was played here."""
    written = re.findall(r"^\| (\d+) \| (\w+) \| (.*?) \| (\d+) \| (\d+) \|$", REPORT.read_text("utf-8"), re.MULTILINE)
    assert {bot for _, bot, *_ in written} == set(BOT_NAMES)
    assert "House figures" in page(client)
    assert rows(client) == [[place, bot_name(bot), *rest] for place, bot, *rest in written]


def test_without_docs_it_tells_of_no_house_figures(
    client: Client, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ladder, "REPORT", tmp_path / "none.md")
    monkeypatch.setattr(views, "house_standings", ladder.house_standings.__wrapped__)
    assert "House figures" not in page(client)


@pytest.mark.usefixtures("played")
def test_people_are_shown_who_want_to_be(client: Client, people: dict[str, User]) -> None:
    assert "House figures" not in page(client)
    assert [row[1] for row in rows(client)] == [f"AI (Fair) rules {RULES_VERSION}"]
    assert [line["name"] for line in listed(client)] == ["greedy"]
    for name in people:
        assert name not in page(client)
    show(people["anna"])
    show(people["ben"], User.Ladder.PROGRAM)
    assert [(row[0], row[1], row[2]) for row in rows(client)] == [
        ("1", "anna", "● person"),
        ("2", f"AI (Fair) rules {RULES_VERSION}", "⚙ bot of the house"),
        ("3", "ben", "⇄ external bot"),
    ]
    assert "carla" not in page(client)
    show(people["anna"], User.Ladder.HIDDEN)
    assert "anna" not in page(client)
    assert [line["place"] for line in listed(client)] == [1, 2]


@pytest.mark.usefixtures("played")
def test_an_account_that_played_for_a_stable_is_an_external_bot_whatever_it_says(
    client: Client, people: dict[str, User]
) -> None:
    show(people["anna"])
    LadderPlayer.objects.filter(user=people["anna"]).update(has_been_program=True)
    assert rows(client)[0][2] == "⇄ external bot"


@pytest.mark.usefixtures("played")
@pytest.mark.parametrize("change", [{"is_active": False}, {"left_at": "2026-04-01T00:00Z"}])
def test_who_is_gone_is_not_shown(client: Client, people: dict[str, User], change: dict[str, Any]) -> None:
    show(people["anna"])
    assert "anna" in page(client)
    User.objects.filter(pk=people["anna"].pk).update(**change)
    assert "anna" not in page(client)
    assert "anna" not in str(listed(client))


@pytest.mark.usefixtures("played")
def test_a_line_tells_rating_doubt_matches_and_the_last_match(client: Client, people: dict[str, User]) -> None:
    show(people["anna"])
    row = LadderPlayer.objects.get(user=people["anna"])
    assert rows(client)[0][3:6] == [
        f"{row.mean:.0f} ± {2 * row.deviation:.0f}",
        f"{row.mean - 2 * row.deviation:.0f}",
        "2",
    ]
    assert "2026-03-01T19:00:00" in page(client)
    (line,) = listed(client, kind="person")
    assert line == {
        "place": 1,
        "name": "anna",
        "kind": "person",
        "rules_version": None,
        "rating": row.mean,
        "deviation": row.deviation,
        "low": row.mean - 2 * row.deviation,
        "high": row.mean + 2 * row.deviation,
        "matches": 2,
        "last_match_at": "2026-03-01T19:00:00Z",
    }


@pytest.mark.usefixtures("played")
def test_programs_ask_for_a_kind_and_are_shown_places_among_it(client: Client, people: dict[str, User]) -> None:
    show(people["anna"])
    show(people["ben"])
    show(people["carla"], User.Ladder.PROGRAM)
    assert [line["place"] for line in listed(client)] == [1, 2, 3, 4]
    lows = [line["low"] for line in listed(client)]
    assert lows == sorted(lows, reverse=True)
    order = [line["name"] for line in listed(client)]
    for kind, names in (("bot", {"greedy"}), ("person", {"anna", "ben"}), ("program", {"carla"})):
        found = listed(client, kind=kind)
        assert [(line["kind"], line["place"]) for line in found] == [(kind, each) for each in range(1, len(names) + 1)]
        assert [line["name"] for line in found] == [name for name in order if name in names]
    assert client.get("/api/v1/ladder/", {"kind": "ghost"}).status_code == 400


def test_a_person_says_in_the_account_whether_and_as_what(client: Client, people: dict[str, User]) -> None:
    anna = people["anna"]
    client.force_login(anna)
    assert anna.ladder == User.Ladder.HIDDEN, "nobody is shown without a word of his own"
    form = str(client.get("/people/account").content.decode())
    assert "On the ladder" in form
    values = {"email": anna.email, "time_zone": "UTC", "ladder": "program"}
    assert client.post("/people/account", values).status_code == 302
    anna.refresh_from_db()
    assert anna.ladder == User.Ladder.PROGRAM


@pytest.mark.usefixtures("played")
def test_who_leaves_vanishes_and_takes_the_figures_along(client: Client, people: dict[str, User]) -> None:
    from people.services.kept import own_data
    from people.services.leaving import consequences, leave

    anna = people["anna"]
    anna.set_password("secret words")
    anna.ladder = User.Ladder.PERSON
    anna.save()
    row = LadderPlayer.objects.get(user=anna)
    assert own_data(anna)["ladder"]["rating"]["mean"] == row.mean
    assert own_data(anna)["account"]["ladder"] == "person"
    assert any("ladder" in sentence for sentence in consequences(anna))
    leave(anna, "secret words")
    anna.refresh_from_db()
    assert anna.ladder == User.Ladder.HIDDEN
    assert [row[1] for row in rows(client)] == [f"AI (Fair) rules {RULES_VERSION}"]


@pytest.mark.usefixtures("played")
def test_the_staff_sees_no_more_of_people_than_everybody(client: Client, people: dict[str, User]) -> None:
    staff = User.objects.create_superuser("staff", "staff@example.org", "-")
    client.force_login(staff)
    html = str(client.get("/admin/ladder/ladderplayer/").content.decode())
    assert "greedy" in html
    hidden = LadderPlayer.objects.get(user=people["ben"])
    assert f"/ladderplayer/{hidden.pk}/" not in html
    assert client.get(f"/admin/ladder/ladderplayer/{hidden.pk}/change/").status_code == 302


@pytest.mark.usefixtures("played")
def test_it_costs_the_same_with_more_players(
    client: Client, people: dict[str, User], finish: Finish, django_assert_num_queries: Any
) -> None:
    with django_assert_num_queries(1):
        client.get("/ladder/")
    for person in people.values():
        show(person)
    finish("random", "tactical")
    run_pending()
    with django_assert_num_queries(1):
        assert len(rows(client)) == 6
