"""The GM's guide to a first evening: it is found from the event, and every link and rule in it leads somewhere."""

from __future__ import annotations

import re
from urllib.parse import urldefrag

from django.test import Client
from django.urls import reverse
from PIL import Image

from challenge.models import Event, Key
from help.text.documents import IDENTIFIER
from tests.challenge.test_pilot import Phones, page
from tests.tools import guide_pictures

LEAST_LINKS = 30
MOST_BYTES_OF_A_PICTURE = 30_000
MOST_BYTES_OF_PICTURES = 3_000_000
"""Of the tour and the guide together."""


def test_a_gm_finds_the_guide_from_the_page_of_their_event(fight: Event) -> None:
    phones = Phones(fight)
    link = f'href="{reverse("help:first_evening")}"'
    assert link in page(phones.gm(), fight, "")
    assert link not in page(phones.with_key(Key.Role.AGENT, table="Factory"), fight, "")
    assert link not in page(phones.with_key(), fight, "")


def test_every_link_of_the_guide_leads_to_a_place_that_is_there(db: None, client: Client) -> None:
    address = reverse("help:first_evening")
    shown = client.get(address).content.decode()
    main = shown.split("<main")[1].split("</main>")[0]
    links = re.findall(r'href="([^"]+)"', main)
    assert len(links) >= LEAST_LINKS
    pages = {address: shown}
    for link in links:
        place, anchor = urldefrag(link)
        place = place or address
        if place not in pages:
            answer = client.get(place)
            assert answer.status_code == 200, link
            pages[place] = answer.content.decode()
        assert not anchor or f'id="{anchor}"' in pages[place], link


def test_every_rule_that_the_guide_names_is_one_of_the_rules(client: Client) -> None:
    main = client.get(reverse("help:first_evening")).content.decode().split("<main")[1]
    without_links = re.sub(r"<a\b.*?</a>", "", main, flags=re.DOTALL)
    assert [found[0] for found in IDENTIFIER.finditer(without_links)] == []


def test_the_guide_has_small_pictures_that_the_tour_took(client: Client) -> None:
    """The page leaves room for each before it is there, and says what it shows."""
    main = client.get(reverse("help:first_evening")).content.decode().split("<main")[1]
    shown = re.findall(r"<img [^>]+>", main)
    sources = [re.findall(r'src="/static/img/first-evening/([a-z]+)[.]', picture)[0] for picture in shown]
    assert sorted(sources) == sorted(guide_pictures.TAKEN.values())
    for picture, name in zip(shown, sources, strict=True):
        file = guide_pictures.FOLDER / f"{name}.png"
        wide, high = Image.open(file).size
        width, height = (int(re.findall(rf'{side}="(\d+)"', picture)[0]) for side in ("width", "height"))
        assert wide * height == high * width
        assert re.search(r'alt="[^"]{20,}"', picture)
        assert 'loading="lazy"' in picture
        assert 0 < file.stat().st_size < MOST_BYTES_OF_A_PICTURE
    tour = sum(path.stat().st_size for path in guide_pictures.TOUR.iterdir())
    assert tour + sum(path.stat().st_size for path in guide_pictures.FOLDER.iterdir()) <= MOST_BYTES_OF_PICTURES
