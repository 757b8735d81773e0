"""The result of a match as a scene, and its picture to share with the rights of its page."""

from __future__ import annotations

import html
import re
from io import BytesIO
from typing import Any

import pytest
from django.core.cache import cache
from django.test import Client
from PIL import Image

from matches.host import Surroundings
from matches.models import Match
from matches.presenters.replaying.scene import luck_in_words, poster_of, scene_of
from matches.selectors.matches import stored_steps
from matches.selectors.sides import side_views
from matches.text.match import bot_name
from people.models import User
from rules.competition.story import Luck, story_of
from tests.matches.leagues import INSIDE, ROLES, League, statuses
from web import bounds

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def nothing_kept() -> None:
    cache.clear()


def test_the_page_of_a_finished_match_says_the_shot_that_decided_it_and_the_luck(client: Client) -> None:
    from tests.matches.conftest import play_with_bots

    match = play_with_bots(None)
    events = [event for step in stored_steps(match) for event in step.events]
    scene = scene_of(match, events, side_views(match, Surroundings()))
    assert scene is not None
    page = html.unescape(client.get(match.get_absolute_url()).content.decode())
    names = re.findall(r"played by: (AI \(\w+\))", " ".join(page.split()))
    assert names == [bot_name(seat.bot) for seat in match.seats.order_by("pk")]
    assert not re.search("“(greedy|random|tactical|quick|strong)”", page)
    billing = re.search(r'<p class="billing-result">(.*?)</p>', page, re.DOTALL)
    assert billing is not None
    assert " ".join(billing[1].split()).startswith(scene.headline)
    assert scene.shot
    assert scene.deciding.startswith(scene.shot)
    assert scene.deciding in page
    assert f"?step={scene.step}#replay" in page
    assert scene.shot in page[: page.index('class="stage-board"')]
    poster = poster_of(match, scene, side_views(match, Surroundings()), Surroundings())
    assert poster.sentence == f"The deciding shot: {scene.deciding}"
    assert {column.unit for column in poster.columns} == {"reputation"}
    assert "The deciding shot:" in page
    rolled = story_of(match.setup, events).luck
    assert sum(luck.rolls for luck in rolled.values()) > 0
    for end in scene.sides:
        assert end.luck == rolled[end.side.key]
        assert end.luck_in_words in page
    ends = {unit.name: unit for end in scene.sides for unit in end.units}
    assert len(ends) == len(match.result["units"])  # type: ignore[index]


def test_links_to_turns_say_where_they_lead(client: Client, finished: Match) -> None:
    page = client.get(finished.get_absolute_url()).content.decode()
    turns = page[page.index("Turns of each unit, by round") :].partition("</details>")[0]
    links = re.findall(r'aria-label="([^"]*)"\s+title="([^"]*)"[^>]*>(\d+)</a>', turns)
    assert links
    for label, title, number in links:
        assert label == title
        assert label.startswith(f"Round {number}, ")


def test_a_match_that_goes_on_has_no_scene(waiting: Match) -> None:
    assert scene_of(waiting, [], side_views(waiting, Surroundings())) is None


@pytest.mark.parametrize(
    ("luck", "word"),
    [
        (Luck(4, 1.2, 3), "lucky by 1.8"),
        (Luck(4, 2.6, 1), "unlucky by 1.6"),
        (Luck(4, 2.2, 2), "as the dice should fall"),
    ],
)
def test_luck_is_explained_in_words(luck: Luck, word: str) -> None:
    assert word in luck_in_words(luck)
    assert luck_in_words(Luck()) == ""


def test_a_picture_is_a_png_of_its_facts_and_asked_for_again_it_is_not_sent(client: Client, finished: Match) -> None:
    address = finished.get_absolute_url() + "picture.png"
    first = client.get(address)
    assert (first.status_code, first["Content-Type"]) == (200, "image/png")
    assert Image.open(BytesIO(first.content)).size == (1200, 630)
    cache.clear()
    assert client.get(address).content == first.content
    assert client.get(address, headers={"if-none-match": first["ETag"]}).status_code == 304
    Match.objects.filter(pk=finished.pk).update(result=finished.result | {"rounds": 99, "winner": None})  # type: ignore[operator]
    other = client.get(address)
    assert other["ETag"] != first["ETag"]
    assert other.content != first.content


def test_the_preview_of_a_link_names_the_picture(client: Client, finished: Match) -> None:
    page = client.get(finished.get_absolute_url()).content.decode()
    assert f'property="og:image" content="http://testserver{finished.get_absolute_url()}picture.png"' in page
    assert 'name="twitter:card" content="summary_large_image"' in page


def test_the_picture_is_seen_saved_and_shared_on_the_page(client: Client, finished: Match) -> None:
    address = finished.get_absolute_url()
    page = client.get(address).content.decode()
    share = page[page.index('id="share-picture"') :].partition("</details>")[0]
    image = re.search(r'<img src="([^"]*)"[^>]*\salt="([^"]*)"', share)
    assert image is not None
    assert image[1] == f"{address}picture.png"
    assert "Match:" in image[2]
    assert f'href="{address}picture.png" download' in share
    assert f'value="http://testserver{address}"' in share


def test_quotes_in_a_name_stand_once_in_the_texts_of_a_picture(client: Client, finished: Match) -> None:
    setup = finished.setup
    for side in setup["sides"]:
        side["name"] = 'Stable "Tom"'
    Match.objects.filter(pk=finished.pk).update(setup=setup)
    page = client.get(finished.get_absolute_url()).content.decode()
    assert "&amp;quot;" not in page
    assert page.count("&quot;Tom&quot;") > 2


def test_the_head_of_the_replay_says_whose_side_is_the_reader_s(waiting: Match, player: User) -> None:
    for reader, sides in ((player, ["Red"]), (None, [])):
        client = Client()
        if reader is not None:
            client.force_login(reader)
        page = client.get(waiting.get_absolute_url()).content.decode()
        head = page[page.index('<h1 class="billing-title"') :].partition("</h1>")[0]
        assert re.findall(r'class="side-mark side-mark-\d">(\w+)', head) == ["Red", "Blue"]
        assert re.findall(r'billing-side own"><span\s+class="side-mark side-mark-\d">(\w+)', head) == sides
        assert ("(you)" in head) == bool(sides)


def test_a_picture_has_the_rights_of_its_page(league: League) -> None:
    address = league.match.get_absolute_url() + "picture.png"
    assert statuses(league.clients, address) == dict.fromkeys(ROLES, 200)
    assert "public" in league.clients["anonymous"].get(address)["Cache-Control"]
    league.close()
    expected = {role: 200 if role in (*INSIDE, "staff") else 404 for role in ROLES}
    assert statuses(league.clients, address) == expected
    inside = league.clients["rival"].get(address)
    assert ("private" in inside["Cache-Control"], inside["X-Robots-Tag"]) == (True, "noindex")
    outside = league.clients["stranger"].get(league.match.get_absolute_url())
    assert "og:" not in outside.content.decode()


def test_only_drawing_is_limited(client: Client, finished: Match, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("people.views.pictures.MOST_DRAWN", 1)
    address = finished.get_absolute_url() + "picture.png"
    assert [client.get(address).status_code for _ in range(3)] == [200] * 3
    changed: Any = finished.result
    for rounds, status in ((97, 429), (98, 429)):
        Match.objects.filter(pk=finished.pk).update(result=changed | {"rounds": rounds, "winner": None})
        assert client.get(address).status_code == status
    Match.objects.filter(pk=finished.pk).update(result=changed)
    assert client.get(address).status_code == 200


def test_at_most_so_many_pictures_are_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    from web.pictures import kept as keeping
    from web.pictures.poster import Poster

    monkeypatch.setattr(keeping, "MOST_PICTURES", 3)
    posters = [Poster(str(number)) for number in range(12)]
    for poster in posters:
        keeping.keep(poster, poster.title.encode())
    found = [keeping.kept(poster) for poster in posters]
    assert len({keeping._place(poster) for poster in posters}) <= 3
    assert found[-1] == b"11"
    assert 1 <= sum(each is not None for each in found) <= 3
    assert all(each in (None, poster.title.encode()) for each, poster in zip(found, posters, strict=True))
    assert bounds.MOST_PICTURES > 3
