"""Photos of miniatures: whose they are, who may see, replace and remove them, and where pages show them."""

from __future__ import annotations

import json
import re
from html import unescape

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from catalogue.models import MiniaturePhoto
from catalogue.services import collections, miniatures
from matches.models import MatchSeat
from matches.services.answering import Seat
from matches.services.matches import create_match
from people.models import Notice
from people.services.accounts import Limit
from rules.wording.isolation import bare
from stables.models import Asset
from tests.matches.leagues import INSIDE, ROLES, League, statuses
from tests.matches.pictures import PLACE, opened, picture, telling
from tests.people.own_copies import archive_of
from web.photos import LARGEST_SQUARE, SQUARE

from .conftest import SEED

pytestmark = [pytest.mark.django_db, pytest.mark.database]

FIGURE, PHOTO = '<svg class="figure"', '<img class="miniature"'


def unit_of(league: League, number: int = 1) -> Asset:
    """A ’Mech of a stable of the league that fought in its match."""
    stable = league.season.stables.get(number=number)
    side = league.fixture.sides.get(stable=stable)
    return side.line_up.crews.select_related("unit").order_by("position")[0].unit


def address(league: League, name: str, number: int = 1) -> str:
    unit = unit_of(league, number)
    return reverse(f"stables:{name}", args=[league.season.slug, unit.stable.slug, unit.pk])


def send(client: Client, where: str, sent: bytes) -> int:
    return client.post(where, {"photo": SimpleUploadedFile("a.jpg", sent, "image/jpeg")}).status_code


def photographed(league: League, sent: bytes = b"") -> MiniaturePhoto:
    unit = unit_of(league)
    miniatures.put_photo(league.people["owner"], unit.catalogue_key, unit.name, sent or picture(900, 600))
    return MiniaturePhoto.objects.get()


def photo_in_match(league: League) -> str:
    """The address of the owner's photo, as the page of the match shows it."""
    page = league.clients["owner"].get(league.match.get_absolute_url()).content.decode()
    found = re.search(r'<img class="miniature" src="([^"]+)"', page)
    assert found is not None
    return found[1]


def test_an_owner_alone_gives_their_mech_a_photo(league: League) -> None:
    where = address(league, "miniature")
    found = {role: send(league.clients[role], where, picture(900, 600)) for role in ROLES if role != "owner"}
    assert found == {"anonymous": 302} | dict.fromkeys(set(ROLES) - {"anonymous", "owner"}, 403)
    assert not MiniaturePhoto.objects.exists()
    assert send(league.clients["owner"], where, picture(900, 600)) == 302
    photo = MiniaturePhoto.objects.get()
    assert (photo.user, photo.key) == (league.people["owner"], unit_of(league).catalogue_key)
    page = league.clients["owner"].get(where).content.decode()
    assert PHOTO in page
    assert f'alt="{unit_of(league).name} of {unit_of(league).stable.name}"' in unescape(bare(page))


def test_what_is_stored_is_a_small_square_without_what_the_camera_noted(league: League) -> None:
    wide = bytes(photographed(league, picture(900, 300)).photo)
    assert opened(wide).size == (SQUARE, SQUARE)
    assert len(wide) <= LARGEST_SQUARE
    assert PLACE in telling()
    told = bytes(photographed(league, telling()).photo)
    assert PLACE not in told
    assert opened(told).size == (40, 40), "the middle of 60 by 40 pixels, not enlarged"


def test_another_photo_takes_the_place_of_the_first_under_another_address(league: League) -> None:
    photographed(league)
    before, first = photo_in_match(league), bytes(MiniaturePhoto.objects.get().photo)
    assert send(league.clients["owner"], address(league, "miniature"), picture(300, 300, "PNG")) == 302
    assert bytes(MiniaturePhoto.objects.get().photo) != first
    assert photo_in_match(league) != before


def test_anything_but_a_photo_is_refused_in_words_and_changes_nothing(league: League) -> None:
    kept = bytes(photographed(league).photo)
    for fields in ({}, {"photo": SimpleUploadedFile("a.jpg", b"<svg/>", "image/jpeg")}):
        answer = league.clients["owner"].post(address(league, "miniature"), fields)
        assert answer.status_code == 400
        assert "The photo cannot be read." in answer.content.decode()
    assert bytes(MiniaturePhoto.objects.get().photo) == kept


def test_a_person_sends_only_so_many_photos_in_an_hour(league: League, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(miniatures, "PHOTOS", Limit("miniature_photo", 2))
    found = [send(league.clients["owner"], address(league, "miniature"), picture()) for _ in range(3)]
    assert found == [302, 302, 429]


def test_owner_and_organisers_remove_a_photo_and_the_owner_gets_a_notice(league: League) -> None:
    where = address(league, "remove_miniature")
    photographed(league)
    found = {role: league.clients[role].post(where).status_code for role in ("anonymous", "stranger", "rival")}
    assert found == {"anonymous": 302, "stranger": 403, "rival": 403}
    assert MiniaturePhoto.objects.exists()
    assert league.clients["owner"].post(where).status_code == 302
    assert not MiniaturePhoto.objects.exists()
    assert not Notice.objects.filter(code="miniature_removed").exists()
    photographed(league)
    roster = unit_of(league).stable.get_absolute_url()
    offered = {role: where in league.clients[role].get(roster).content.decode() for role in ("organiser", "rival")}
    assert offered == {"organiser": True, "rival": False}
    assert league.clients["organiser"].post(where).status_code == 302
    assert not MiniaturePhoto.objects.exists()
    assert Notice.objects.get(code="miniature_removed").user == league.people["owner"]


def test_an_owner_finds_all_their_photos_on_one_page_and_removes_them_there(league: League) -> None:
    photographed(league)
    owner, key = league.people["owner"], unit_of(league).catalogue_key
    miniatures.put_photo(owner, "SOL999", "Sold long ago", picture())
    page = reverse("catalogue:miniatures")
    shown = {role: league.clients[role].get(page).content.decode().count(PHOTO) for role in ("owner", "rival")}
    assert shown == {"owner": 2, "rival": 0}
    assert page in league.clients["owner"].get(address(league, "miniature")).content.decode()
    photo, remove = (reverse(f"catalogue:{name}", args=[key]) for name in ("miniature_photo", "remove_miniature"))
    seen = {role: league.clients[role].get(photo).status_code for role in ("owner", "rival", "anonymous")}
    assert seen == {"owner": 200, "rival": 404, "anonymous": 302}
    league.clients["rival"].post(remove)
    assert MiniaturePhoto.objects.count() == 2
    assert league.clients["owner"].post(remove)["Location"] == page
    assert MiniaturePhoto.objects.get().key == "SOL999"


def test_organisers_remove_the_photo_of_a_sold_mech(league: League) -> None:
    photographed(league)
    unit = unit_of(league)
    Asset.objects.filter(pk=unit.pk).update(sold_at=timezone.now(), damage=0, is_eliminated=False)
    roster = league.clients["organiser"].get(unit.stable.get_absolute_url()).content.decode()
    assert address(league, "remove_miniature") in roster


@pytest.mark.parametrize("from_list", [True, False])
def test_the_staff_takes_down_a_photo_and_the_owner_gets_a_notice(league: League, from_list: bool) -> None:
    photo = photographed(league)
    where = "/admin/catalogue/miniaturephoto/"
    sent = {"post": "yes", "action": "delete_selected", "_selected_action": photo.pk}
    where += "" if from_list else f"{photo.pk}/delete/"
    league.clients["organiser"].post(where, sent)
    assert MiniaturePhoto.objects.exists()
    assert league.clients["staff"].post(where, sent).status_code == 302
    assert not MiniaturePhoto.objects.exists()
    assert Notice.objects.get(code="miniature_taken_down").user == league.people["owner"]


def test_whoever_may_see_the_season_may_see_the_photo_and_nobody_else(league: League) -> None:
    photographed(league)
    where, in_match = address(league, "miniature_photo"), photo_in_match(league)
    assert set(statuses(league.clients, where).values()) == {200}
    league.close()
    for each in (where, in_match):
        found = statuses(league.clients, each)
        assert {role for role, status in found.items() if status == 200} == {*INSIDE, "staff"}
        assert {found["anonymous"], found["stranger"]} == {404}
    answer = league.clients["rival"].get(where)
    assert answer["Cache-Control"].startswith("private")
    assert answer["Content-Type"] == "image/jpeg"


def test_with_the_key_of_a_match_anybody_sees_the_photos_in_it(league: League) -> None:
    photographed(league)
    league.close()
    league.clients["organiser"].post(f"{league.match.get_absolute_url()}share")
    league.match.refresh_from_db()
    page = league.clients["anonymous"].get(f"/matches/shared/{league.match.share_key}/").content.decode()
    found = re.search(r'<img class="miniature" src="([^"]+)"', page)
    assert found is not None
    assert found[1].startswith(f"/matches/shared/{league.match.share_key}/")
    answer = league.clients["anonymous"].get(found[1])
    assert (answer.status_code, answer["X-Robots-Tag"]) == (200, "noindex")


def test_a_photo_is_of_its_owners_mechs_alone(league: League) -> None:
    photographed(league)
    assert league.clients["owner"].get(address(league, "miniature_photo", number=2)).status_code == 404
    league.season.stables.filter(number=1).update(owner=league.people["stranger"])
    assert league.clients["owner"].get(address(league, "miniature_photo")).status_code == 404


def test_roster_garage_match_and_podium_show_it_or_a_silhouette(league: League) -> None:
    stable = unit_of(league).stable
    pages = {
        "roster": stable.get_absolute_url(),
        "garage": reverse("stables:garage", args=[league.season.slug, stable.slug]),
        "match": league.match.get_absolute_url(),
    }
    client = league.clients["owner"]
    before = {name: client.get(page).content.decode() for name, page in pages.items()}
    assert {name for name, page in before.items() if PHOTO not in page and FIGURE in page} == set(pages)
    for key in set(stable.assets.filter(kind="unit").values_list("catalogue_key", flat=True)):
        miniatures.put_photo(league.people["owner"], key, key, picture())
    after = {name: client.get(page).content.decode() for name, page in pages.items()}
    assert {name for name, page in after.items() if PHOTO in page and 'loading="lazy"' in page} == set(pages)
    scene = after["match"].split('id="scene"')[1].split("</ul>")[0]
    assert PHOTO in scene
    assert FIGURE in scene, "the rival has no photo"
    podium = client.get(reverse("stables:ceremony", args=[league.season.slug]))
    assert podium.content.decode().count("<image ") == 1


def test_a_friendly_match_shows_the_photos_of_the_people_in_its_seats(league: League) -> None:
    setup = league.match.setup
    red, owner = setup["sides"][0]["id"], league.people["owner"]
    key = setup["sides"][0]["units"][0]["unit"]["id"]
    miniatures.put_photo(owner, key, "A miniature", picture())
    friendly = create_match(setup, SEED, None, [Seat(red, owner.pk), Seat(setup["sides"][1]["id"], bot="random")])
    page = league.clients["owner"].get(f"{friendly.get_absolute_url()}play/").content.decode()
    photo = reverse("matches:unit_photo", args=[friendly.public_id, setup["sides"][0]["units"][0]["id"]])
    assert f'src="{photo}?' in page
    assert league.clients["anonymous"].get(photo).status_code == 200
    MatchSeat.objects.filter(match=friendly).update(user=None)
    assert league.clients["anonymous"].get(photo).status_code == 404


def test_a_persons_copy_has_their_photos_and_they_leave_with_them(league: League) -> None:
    photo = photographed(league)
    archive = archive_of(league.clients["owner"])
    assert archive.read(f"photos/miniature-{photo.key}.jpg") == bytes(photo.photo)
    assert json.loads(archive.read("my-data.json"))["seasons"]["miniatures"][0]["unit"] == photo.key
    collections.forget(league.people["rival"])
    assert MiniaturePhoto.objects.exists()
    collections.forget(league.people["owner"])
    assert not MiniaturePhoto.objects.exists()
